/* SPDX-License-Identifier: Apache-2.0 */
/* Reading URDF: masses, shapes, meshes, drives, and what is said about a file. */
#include <doppel/math/random.h>
#include <doppel/math/vector3.h>

#include "import.h"
#include "objects_reading.h"
#include "urdf_rig.h"

TestSuite(urdf, .fini = reading_end);

static int read_with(const char *text, const struct dpl_sim_import_options *options)
{
    return dpl_sim_read_import_text(&arena, UNIT "/avatar_sim/fixtures/urdf/test.urdf", text,
                                    strlen(text), options, &objects, &diags);
}

static void read_file(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, UNIT "/avatar_sim/fixtures/urdf/%s", name);
    int err = dpl_sim_read_import(&arena, path, NULL, &objects, &diags);
    rig_print(&diags);
    cr_assert_eq(err, 0);
}

/* The text is refused with this finding, and no other. */
static void expect_error(const char *name, const char *text, int line, int column, const char *said)
{
    diags.n = diags.n_errors = diags.n_warnings = 0;
    cr_assert_neq(read_with(text, NULL), 0, "%s", name);
    rig_print(&diags);
    cr_assert_eq(diags.n_errors, 1, "%s", name);
    const struct dpl_diag *diag = &diags.items[0];
    cr_assert_str_eq(diag->text, said, "%s: %s", name, diag->text);
    cr_assert_eq(diag->place.line, line, "%s: line %d", name, diag->place.line);
    cr_assert_eq(diag->place.column, column, "%s: column %d", name, diag->place.column);
}

#define BODY(name)                                                                                 \
    "<link name='" name "'><inertial><mass value='1'/>"                                            \
    "<inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial></link>\n"

static const struct dpl_sim_body *body(const char *name)
{
    int number = dpl_mechanism_find_body(&objects.mechanism, name);
    cr_assert_geq(number, 0, "no body %s", name);
    return &objects.mechanism.bodies[number];
}

static void near(double found, double expected, double most)
{
    cr_assert_leq(fabs(found - expected), most, "found %.17g, expected %.17g", found, expected);
}

/* ---- masses ---- */

Test(urdf, tensor_turns_with_its_origin)
{
    cr_assert_eq(read_with("<robot name='r'><link name='a'><inertial>"
                           "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><mass value='2'/>"
                           "<inertia ixx='0.1' iyy='0.2' izz='0.25' ixy='0.01' ixz='0.02' "
                           "iyz='0.03'/></inertial></link></robot>",
                           NULL),
                 0);
    const struct dpl_mass *mass = &body("a")->mass;
    /* A quarter turn about z takes x to y and y to -x. */
    const double expected[6] = {0.2, 0.1, 0.25, -0.01, -0.03, 0.02};
    for (int i = 0; i < 6; i++) {
        near(mass->inertia[i], expected[i], 1e-15);
    }
    near(mass->centre.x, 1.0, 0.0);
    near(mass->centre.z, 3.0, 0.0);
    near(mass->mass, 2.0, 0.0);
}

Test(urdf, link_without_mass_is_a_part_of_its_neighbour)
{
    read_file("base.urdf");
    const struct dpl_sim_body *base = body("base_link");
    cr_assert_eq(objects.mechanism.n_bodies, 3);
    cr_assert_eq(objects.mechanism.n_joints, 2);
    cr_assert_eq(base->n_solids, 2, "its own and that of the caster");
    cr_assert_eq(base->solids[1].kind, DPL_SOLID_SPHERE);
    near(base->solids[1].pose.position.x, 0.2, 1e-15);
    near(base->solids[1].pose.position.z, -0.06, 1e-15);
    near(objects.mechanism.materials[base->solids[1].material].friction, 0.0, 0.0);
    near(objects.mechanism.materials[base->solids[0].material].friction, 0.8, 0.0);
    near(base->pose.position.z, 0.1, 1e-15);
    cr_assert(strstr(objects.notes, "link 'caster' has no mass: it is a part of 'base_link'"));
}

Test(urdf, what_is_fixed_to_a_fixed_base_stands_still)
{
    char path[] = UNIT "/avatar_sim/fixtures/urdf/six_axis.urdf";
    struct dpl_sim_import_options options = urdf_usual;
    options.fixed_base = true;
    cr_assert_eq(dpl_sim_read_import(&arena, path, &options, &objects, &diags), 0);
    cr_assert(body("foot")->is_static);
    cr_assert(body("base")->is_static);
    cr_assert_not(body("shoulder")->is_static);
    cr_assert_eq(objects.mechanism.n_joints, 6, "no joint between what stands still");
}

/* ---- looks and drives ---- */

Test(urdf, material_of_the_root_colours_a_visual)
{
    read_file("base.urdf");
    const struct dpl_sim_body *base = body("base_link");
    cr_assert_eq(base->n_looks, 1);
    cr_assert(base->looks[0].has_color);
    near(base->looks[0].color[2], 0.8, 0.0);
    cr_assert_eq(body("left_wheel")->looks[0].kind, DPL_SOLID_CYLINDER);
    cr_assert_eq(body("left_wheel")->solids[0].kind, DPL_SOLID_SPHERE);
}

Test(urdf, limits_make_drives_and_mimics_have_none)
{
    read_file("gripper.urdf");
    cr_assert_eq(objects.n_entries, 1);
    cr_assert_str_eq(objects.entries[0].name, "drive");
    cr_assert_str_eq(objects.entries[0].class_->type, "servo");
    cr_assert_eq(objects.mechanism.n_mimics, 3);
    const struct dpl_sim_mimic *slide = &objects.mechanism.mimics[2];
    near(slide->ratio, -0.05, 1e-17);
    near(slide->offset, 0.01, 0.0);
    cr_assert_str_eq(objects.mechanism.joints[slide->leader].name, "drive");
}

/* Its own stops, which cross those of its leader, do not count. */
Test(urdf, friction_of_a_mimic_brakes_its_leader_whose_stops_stay)
{
    cr_assert_eq(read_with("<robot name='r'>" BODY("a") BODY("b") BODY("c") //
                           "<joint name='x' type='revolute'><parent link='a'/><child link='b'/>"
                           "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
                           "<joint name='y' type='revolute'><parent link='a'/><child link='c'/>"
                           "<limit lower='-0.4' upper='2' effort='1' velocity='1'/>"
                           "<dynamics friction='0.3'/>"
                           "<mimic joint='x' multiplier='-2' offset='0.2'/></joint></robot>",
                           NULL),
                 0);
    const struct dpl_sim_joint *joints = objects.mechanism.joints;
    near(joints[0].limits[0].lower, -1.0, 0.0);
    near(joints[0].limits[0].upper, 1.0, 0.0);
    near(joints[0].friction, 0.6, 1e-15);
    cr_assert_not(joints[1].limits[0].is_there);
    near(joints[1].friction, 0.0, 0.0);
}

/* ---- meshes ---- */

static void expect_box(const struct dpl_sim_solid *solid, const double low[3], const double high[3])
{
    struct dpl_vector3 centre;
    double half[3];
    dpl_sim_solid_box(solid, &centre, half);
    const double at[3] = {centre.x, centre.y, centre.z};
    for (int i = 0; i < 3; i++) {
        near(at[i] - half[i], low[i], 1e-8);
        near(at[i] + half[i], high[i], 1e-8);
    }
}

Test(urdf, meshes_of_three_formats_have_their_size)
{
    read_file("meshes.urdf");
    cr_assert_eq(diags.n_warnings, 1, "of the mesh that is not there");
    const struct dpl_sim_body *stand = body("stand"), *arm = body("arm");
    const double zero[3] = {0, 0, 0}, size[3] = {0.03, 0.02, 0.01};
    cr_assert_eq(stand->solids[0].kind, DPL_SOLID_HULL, "STL as text, of a body that moves");
    cr_assert_eq(stand->solids[0].n_points, 6, "equal corners became one");
    expect_box(&stand->solids[0], zero, size);
    expect_box(&stand->looks[0], (const double[3]){0, 0, 0.005},
               (const double[3]){0.03, 0.02, 0.015});
    expect_box(&arm->looks[0], zero, size);
    expect_box(&arm->solids[0], (const double[3]){0, -0.04, 0}, (const double[3]){0.03, 0, 0.01});
    near(arm->solids[0].pose.position.z, 0.1, 0.0);
    cr_assert_eq(arm->n_looks, 1, "without the one that is not there");
}

Test(urdf, mesh_of_a_fixed_base_stays_a_mesh)
{
    struct dpl_sim_import_options options = urdf_usual;
    options.fixed_base = true;
    cr_assert_eq(dpl_sim_read_import(&arena, UNIT "/avatar_sim/fixtures/urdf/meshes.urdf", &options,
                                     &objects, &diags),
                 0);
    cr_assert_eq(body("stand")->solids[0].kind, DPL_SOLID_MESH);
    cr_assert_eq(body("stand")->solids[0].n_faces, 8);
    cr_assert_eq(body("arm")->solids[0].kind, DPL_SOLID_HULL);
}

Test(urdf, mesh_that_moves_is_its_hull_or_the_hulls_of_its_parts)
{
    static const char text[] =
        "<robot name='r'><link name='a'><inertial><mass value='16'/><inertia ixx='1' iyy='1' "
        "izz='1' ixy='0' ixz='0' iyz='0'/></inertial><collision><origin xyz='0 0 1'/><geometry>"
        "<mesh filename='../shapes/pair.obj' scale='0.001 0.001 0.001'/></geometry></collision>"
        "</link></robot>";
    struct dpl_sim_import_options options = urdf_usual;
    for (int i = 0; i < 2; i++) {
        options.mesh_parts = i == 1;
        cr_assert_eq(read_with(text, &options), 0);
        cr_assert_eq(body("a")->n_solids, i == 1 ? 2 : 1);
        for (size_t k = 0; k < body("a")->n_solids; k++) {
            cr_assert_eq(body("a")->solids[k].kind, DPL_SOLID_HULL);
            cr_assert_eq(body("a")->solids[k].n_points, 8);
            cr_assert_eq(body("a")->solids[k].pose.position.z, 1.0);
        }
        cr_assert(strstr(objects.notes,
                         i == 1 ? "(16 points) the convex hulls of 2 parts count; 0 flat parts"
                                : "(16 points) the convex hull counts, 8 points"),
                  "%s", objects.notes);
    }
}

Test(urdf, mesh_that_mirrors_keeps_its_outside)
{
    cr_assert_eq(read_with("<robot name='r'><link name='world'><collision><geometry>"
                           "<mesh filename='meshes/wedge.obj' scale='1 -1 1'/>"
                           "</geometry></collision></link></robot>",
                           NULL),
                 0);
    struct dpl_mass mass;
    struct dpl_diag diag = {0};
    cr_assert_eq(dpl_mass_of_solid(&body("world_link")->solids[0], 1.0, &mass, &diag), 0, "%s",
                 diag.text);
    near(mass.mass, 3000.0, 1e-9); /* half of 30 x 20 x 10 */
}

Test(urdf, packages_are_in_the_folders_that_are_given)
{
    static const char text[] = "<robot name='r'><link name='world'><collision><geometry>"
                               "<mesh filename='package://urdf/meshes/wedge.stl'/>"
                               "</geometry></collision></link></robot>";
    struct dpl_sim_import_options options = urdf_usual;
    cr_assert_eq(dpl_sim_read_import_text(&arena, "/none/r.urdf", text, strlen(text), &options,
                                          &objects, &diags),
                 0);
    cr_assert_eq(body("world_link")->n_solids, 0);
    cr_assert_eq(diags.n_warnings, 1);
    options.packages = "/nowhere:" UNIT "/avatar_sim/fixtures";
    cr_assert_eq(dpl_sim_read_import_text(&arena, "/none/r.urdf", text, strlen(text), &options,
                                          &objects, &diags),
                 0);
    cr_assert_eq(body("world_link")->solids[0].n_points, 6);
}

/* ---- findings ---- */

Test(urdf, unknown_elements_are_one_note_with_their_lines)
{
    read_file("six_axis.urdf");
    cr_assert_eq(diags.n, 0);
    cr_assert(strstr(objects.notes, "six_axis.urdf:168: note: <transmission> is left out, also in "
                                    "line 169"),
              "%s", objects.notes);
}

Test(urdf, what_is_wrong_is_refused_where_it_is)
{
    static const struct {
        const char *name, *text;
        int line, column;
        const char *said;
    } rows[] = {
        {"misspelled link is named",
         "<robot name='r'>\n" BODY("base") BODY("wheel") //
         "<joint name='j' type='continuous'>\n"
         "  <parent link='base'/><child link='whel'/></joint></robot>",
         5, 37, "there is no link 'whel', did you mean 'wheel'?"},
        {"misspelled type is named",
         "<robot name='r'>\n" BODY("a") BODY("b") //
         "<joint name='j' type='revolut'><parent link='a'/><child link='b'/></joint></robot>",
         4, 23,
         "type: 'revolut' is none of "
         "fixed|revolute|continuous|prismatic|floating|planar|spherical, "
         "did you mean 'revolute'?"},
        {"wrong number has its column",
         "<robot name='r'>\n<link name='a'><collision><origin xyz='0 1,5 2'/>"
         "<geometry><sphere radius='1'/></geometry></collision></link></robot>",
         2, 42, "xyz: '1,5' is no number within 1e12"},
        {"link with two parents is no tree",
         "<robot name='r'>\n" BODY("a") BODY("b") BODY("c") //
         "<joint name='x' type='fixed'><parent link='a'/><child link='c'/></joint>\n"
         "<joint name='y' type='fixed'><parent link='b'/><child link='c'/></joint></robot>",
         6, 1,
         "link 'c' has two parents: also joint 'x' at line 5 has it as its child; URDF is "
         "a tree"},
        {"circle of links is refused",
         "<robot name='r'>\n" BODY("a") BODY("b") BODY("c") //
         "<joint name='x' type='fixed'><parent link='b'/><child link='c'/></joint>\n"
         "<joint name='y' type='fixed'><parent link='c'/><child link='b'/></joint></robot>",
         3, 1, "link 'b' is in a circle of joints"},
        {"moving link without mass is refused",
         "<robot name='r'>\n" BODY(
             "a") "<link name='b'/>\n"
                  "<joint name='x' type='continuous'><parent link='a'/><child link='b'/></joint>\n"
                  "</robot>",
         3, 1,
         "link 'b' moves but has no mass: give it <inertial>, or a fixed joint to a link "
         "that has some"},
        {"joints that mimic each other are refused",
         "<robot name='r'>\n" BODY("a") BODY("b") BODY("c") //
         "<joint name='x' type='continuous'><parent link='a'/><child link='b'/>"
         "<mimic joint='y'/></joint>\n"
         "<joint name='y' type='continuous'><parent link='a'/><child link='c'/>"
         "<mimic joint='x'/></joint></robot>",
         5, 1, "joint 'x' mimics itself"},
        {"broken mesh is named",
         "<robot name='r'>\n<link name='a'><collision><geometry>"
         "<mesh filename='gripper.urdf'/></geometry></collision></link></robot>",
         2, 53,
         "mesh '" UNIT
         "/avatar_sim/fixtures/urdf/gripper.urdf': expected a file .stl, .obj or .dae"},
        {"xacro is told",
         "<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'>\n"
         "<xacro:property name='a' value='1'/></robot>",
         2, 1, "<xacro:property>: this is a xacro file, expand it first: xacro FILE > robot.urdf"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_error(rows[i].name, rows[i].text, rows[i].line, rows[i].column, rows[i].said);
    }
}

/* ---- hulls ---- */

Test(urdf, hull_of_many_points_keeps_its_extent)
{
    enum { MANY = 3000, DIRECTIONS = 500 };
    static struct dpl_vector3 points[MANY];
    struct dpl_random random = dpl_random_seeded(3, 0);
    const double size[3] = {1.0, 0.2, 0.01};
    struct dpl_vector3 *corners = NULL;
    struct dpl_diag diag = {0};
    size_t n = 0;
    for (int i = 0; i < MANY; i++) { /* on an ellipsoid */
        double v[3] = {dpl_random_normal(&random), dpl_random_normal(&random),
                       dpl_random_normal(&random)};
        double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        points[i] = (struct dpl_vector3){size[0] * v[0] / length, size[1] * v[1] / length,
                                         size[2] * v[2] / length};
    }
    cr_assert_eq(dpl__mesh_hull(&arena, points, MANY, DPL_SOLID_HULL_MAX, &corners, &n, &diag), 0,
                 "%s", diag.text);
    cr_assert_leq(n, DPL_SOLID_HULL_MAX);
    cr_assert_geq(n, 300);
    for (int k = 0; k < DIRECTIONS; k++) {
        struct dpl_vector3 along = {dpl_random_normal(&random) / size[0],
                                    dpl_random_normal(&random) / size[1],
                                    dpl_random_normal(&random) / size[2]};
        double all = 0.0, kept = 0.0;
        for (int i = 0; i < MANY; i++) {
            all = fmax(all, dpl_vector3_dot(points[i], along));
        }
        for (size_t i = 0; i < n; i++) {
            kept = fmax(kept, dpl_vector3_dot(corners[i], along));
        }
        cr_assert_geq(kept, 0.98 * all, "%g of %g", kept, all);
    }
}
