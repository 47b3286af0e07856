/* SPDX-License-Identifier: Apache-2.0 */
/* Reading SDF: where links are, what is included, what moves, and what is said about a file. */
#include <doppel/math/gravity.h>

#include "objects_reading.h"
#include "urdf_rig.h"

TestSuite(sdf, .fini = reading_end);

static int read_text(const char *text)
{
    return dpl_sim_read_import_text(&arena, UNIT "/avatar_sim/fixtures/sdf/test.sdf", text,
                                    strlen(text), NULL, &objects, &diags);
}

static void expect_good(const char *text)
{
    int err = read_text(text);
    rig_print(&diags);
    cr_assert_eq(err, 0);
}

static void expect_error(const char *name, const char *text, int line, const char *said)
{
    diags.n = diags.n_errors = diags.n_warnings = 0;
    cr_assert_neq(read_text(text), 0, "%s", name);
    rig_print(&diags);
    cr_assert_eq(diags.n_errors, 1, "%s", name);
    cr_assert_str_eq(diags.items[0].text, said, "%s: %s", name, diags.items[0].text);
    cr_assert_eq(diags.items[0].place.line, line, "%s: line %d", name, diags.items[0].place.line);
}

static const struct dpl_sim_body *body(const char *name)
{
    int number = dpl_mechanism_find_body(&objects.mechanism, name);
    cr_assert_geq(number, 0, "no body %s", name);
    return &objects.mechanism.bodies[number];
}

static void expect_place(const char *name, double x, double y, double z, double yaw)
{
    const struct dpl_pose3 *pose = &body(name)->pose;
    double roll, pitch, found;
    dpl_quaternion_to_rpy(pose->orientation, &roll, &pitch, &found);
    cr_assert_leq(hypot(pose->position.x - x, pose->position.y - y), 1e-12, "%s at %g %g", name,
                  pose->position.x, pose->position.y);
    cr_assert_leq(fabs(pose->position.z - z), 1e-12, "%s at z %g", name, pose->position.z);
    cr_assert_leq(fabs(found - yaw), 1e-12, "%s has yaw %g", name, found);
}

#define MASS                                                                                       \
    "<inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia>"        \
    "</inertial>"

Test(sdf, poses_are_relative_to_what_they_name)
{
    expect_good("<sdf version='1.8'><model name='m'><pose>1 0 0 0 0 1.5707963267948966</pose>"
                "<frame name='f'><pose>0 2 0 0 0 0</pose></frame>"
                "<frame name='g' attached_to='a'><pose>0 0 3 0 0 0</pose></frame>"
                "<link name='a'><pose relative_to='f'>1 0 0 0 0 0</pose>" MASS "</link>"
                "<link name='b'><pose relative_to='g'>1 0 0 0 0 0.5</pose>" MASS "</link>"
                "<link name='c'><pose>0 0 1 0 0 0</pose>" MASS "</link></model></sdf>");
    const double quarter = DPL_PI / 2.0;
    /* In the model f is at 0 2 0 and a at 1 2 0; a quarter turn takes that to -2 1 0. */
    expect_place("a", -1.0, 1.0, 0.0, quarter);
    expect_place("b", -1.0, 2.0, 3.0, quarter + 0.5);
    expect_place("c", 1.0, 0.0, 1.0, quarter);
}

Test(sdf, links_of_inner_models_have_their_place)
{
    expect_good("<sdf version='1.8'><model name='m'><pose>1 0 0 0 0 0</pose>"
                "<model name='in'><pose>0 1 0 0 0 1</pose>"
                "<link name='a'><pose>0 0 1 0 0 0</pose>" MASS "</link></model>"
                "<link name='b'><pose relative_to='in::a'>0 0 1 0 0 0</pose>" MASS "</link>"
                "<joint name='j' type='fixed'><parent>in::a</parent><child>b</child></joint>"
                "</model></sdf>");
    expect_place("in_a", 1.0, 1.0, 1.0, 1.0);
    expect_place("b", 1.0, 1.0, 2.0, 1.0);
    cr_assert_eq(objects.mechanism.n_joints, 1);
}

static void read_room(void)
{
    int err = dpl_sim_read_import(&arena, UNIT "/avatar_sim/fixtures/sdf/room.world", NULL,
                                  &objects, &diags);
    rig_print(&diags);
    cr_assert_eq(err, 0);
}

Test(sdf, included_models_have_the_pose_of_their_include)
{
    read_room();
    expect_place("first_body", 0.0, 1.0, 0.2, 0.5);
    expect_place("second_body", 0.0, 1.0, 0.6, 0.5);
    const struct dpl_sim_body *crate = body("second_body");
    cr_assert_eq(crate->looks[0].color[0], 0.7);
    cr_assert_eq(objects.mechanism.materials[crate->solids[0].material].friction, 0.3);
    cr_assert_neq(crate->group, body("first_body")->group, "models of a world touch each other");
}

Test(sdf, room_says_what_is_left_out)
{
    static const char *const said[] = {
        "room.world:9:39: note: the plane of link 'ground_plane::link' is left out: ",
        "room.world:4: note: <physics> is left out",
        "room.world:43: note: <plugin> is left out, also in line 41",
        "room.world:29: note: <sensor> is left out",
    };
    read_room();
    cr_assert_eq(diags.n, 0);
    for (size_t i = 0; i < DPL_COUNT(said); i++) {
        cr_assert(strstr(objects.notes, said[i]), "%s is not in\n%s", said[i], objects.notes);
    }
}

Test(sdf, joint_stands_where_its_frame_is)
{
    read_room();
    const struct dpl_sim_joint *hinge = &objects.mechanism.joints[0];
    cr_assert_eq(hinge->parent, -1);
    cr_assert_leq(fabs(hinge->in_parent.position.x - 0.5 * cos(1.0)), 1e-12);
    cr_assert_leq(fabs(hinge->in_parent.position.y + 2.0 - 0.5 * sin(1.0)), 1e-12);
    cr_assert_leq(fabs(hinge->in_child.position.x - 0.5), 1e-12);
    cr_assert_eq(hinge->limits[0].upper, 1.2);
    cr_assert_str_eq(objects.entries[0].name, "door_hinge");
}

Test(sdf, axis_of_old_files_is_in_the_axes_of_the_model)
{
    static const char text[] = "<sdf version='%s'><model name='m'><link name='a'><pose>0 0 0 "
                               "1.5707963267948966 0 0</pose>" //
        MASS "</link><joint name='j' type='revolute'><parent>world</parent><child>a</child>"
                               "<axis><xyz>0 0 1</xyz></axis></joint></model></sdf>";
    static const char *const versions[] = {"1.4", "1.6"};
    /* Of the child frame: y and z of the model are z and -y of the link. */
    for (int i = 0; i < 2; i++) {
        char made[1024];
        snprintf(made, sizeof made, text, versions[i]);
        expect_good(made);
        struct dpl_vector3 axis = dpl_quaternion_turn(
            objects.mechanism.joints[0].in_parent.orientation, (struct dpl_vector3){.z = 1.0});
        cr_assert_leq(fabs(i == 0 ? axis.z - 1.0 : axis.y + 1.0), 1e-12, "%s: %g %g %g",
                      versions[i], axis.x, axis.y, axis.z);
    }
}

Test(sdf, pendulum_of_sdf_has_its_period)
{
    struct mechanism_rig rig = {0};
    struct dpl_diag diag = {0};
    expect_good("<sdf version='1.7'><model name='m'><link name='a'><pose>0 0 5 0 0.1 0</pose>"
                "<inertial><pose>0 0 -0.5 0 0 0</pose><mass>2</mass><inertia><ixx>0.01</ixx>"
                "<iyy>0.02</iyy><izz>0.02</izz></inertia></inertial></link>"
                "<joint name='j' type='revolute'><parent>world</parent><child>a</child>"
                "<axis><xyz>0 1 0</xyz></axis></joint></model></sdf>");
    rig.model = dpl_sim_model_create();
    rig.model->step = dpl_ns_from_s(1e-3);
    cr_assert_eq(dpl_sim_model_add_objects(rig.model, "r", (struct dpl_pose2){0}, &objects, &diag),
                 0, "%s", diag.text);
    cr_assert_eq(dpl_world_create(rig.model, &rig.world, &diag), 0);
    /* It starts aslant at rest, and is back after one period; half of it is the other turn. */
    double period = 2.0 * DPL_PI *
                    sqrt((0.02 + 2.0 * 0.25) / (2.0 * DPL_STANDARD_GRAVITY_M_S2 * 0.5)) *
                    (1.0 + 0.1 * 0.1 / 16.0);
    rig_step(&rig, period / 2.0);
    double half = rig.world->state.joints.position[0];
    rig_step(&rig, period / 2.0);
    double whole = rig.world->state.joints.position[0];
    cr_assert_leq(fabs(half + 0.2), 1e-3, "%.6f after half a period", half);
    cr_assert_leq(fabs(whole), 1e-3, "%.6f after a period", whole);
    dpl_world_destroy(rig.world);
    dpl_sim_model_destroy(rig.model);
}

Test(sdf, long_arm_of_frames_is_not_a_circle)
{
    char text[16384];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "<sdf version='1.8'><model name='m'>\n"
                                "<link name='l0'/>");
    for (int i = 1; i <= 30; i++) {
        n += (size_t)snprintf(
            text + n, sizeof text - n,
            "<link name='l%d'><pose relative_to='j%d'>0 0 0.1 0 0 0</pose></link>\n"
            "<joint name='j%d' type='revolute'><pose relative_to='l%d'>0 0 0 0 0 "
            "0</pose><parent>l%d</parent><child>l%d</child><axis><xyz>0 0 1</xyz>"
            "</axis></joint>\n",
            i, i, i, i - 1, i - 1, i);
    }
    snprintf(text + n, sizeof text - n, "</model></sdf>");
    expect_good(text);
    expect_place("l30", 0.0, 0.0, 3.0, 0.0);
}

Test(sdf, what_is_wrong_is_refused_where_it_is)
{
    static const struct {
        const char *name, *text;
        int line;
        const char *said;
    } rows[] = {
        {"frames in a circle are refused",
         "<sdf version='1.8'><model name='m'>\n"
         "<link name='a'><pose relative_to='b'>0 0 0 0 0 0</pose></link>\n"
         "<frame name='b'><pose relative_to='a'>0 0 0 0 0 0</pose></frame></model></sdf>",
         3, "frames are relative to each other in a circle: 'a'"},
        {"unknown frame is named",
         "<sdf version='1.8'><model name='m'>\n"
         "<link name='a'><pose relative_to='no'>0 0 0 0 0 0</pose></link></model></sdf>",
         2, "there is no frame 'no'"},
        {"unknown type of joint is refused",
         "<sdf version='1.8'><model name='m'><link name='a'/>\n"
         "<joint name='j' type='screw'><parent>world</parent><child>a</child></joint>"
         "</model></sdf>",
         2,
         "type: 'screw' is not simulated, only fixed, revolute, continuous, prismatic, "
         "ball and universal"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_error(rows[i].name, rows[i].text, rows[i].line, rows[i].said);
    }
}

Test(sdf, model_that_includes_itself_is_refused)
{
    cr_assert_neq(read_text("<sdf version='1.8'><world name='w'>"
                            "<include><uri>model://mirror</uri></include></world></sdf>"),
                  0);
    cr_assert_str_eq(diags.items[0].text,
                     "more than 256 models are included, or more than 16 deep");
}

Test(sdf, link_without_inertia_has_that_of_the_format)
{
    expect_good("<sdf version='1.8'><model name='m'><link name='a'/></model></sdf>");
    cr_assert_eq(body("a")->mass.mass, 1.0);
    cr_assert_eq(body("a")->mass.inertia[2], 1.0);
    cr_assert(strstr(objects.notes, "link 'm::a' has no <inertial>: 1 kg and 1 kg m^2"), "%s",
              objects.notes);
}
