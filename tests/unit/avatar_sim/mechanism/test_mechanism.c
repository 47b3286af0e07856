/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms from XML: what arrives, and where errors are reported. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/vector3.h>
#include <doppel/sim/objects.h>

#include "objects_reading.h"

TestSuite(mechanism, .fini = reading_end);

static const struct dpl_sim_mechanism *read_good(const char *text)
{
    reading_is_good(reading_anew(text));
    return &objects.mechanism;
}

/* One row: a text, its only finding. An '@' marks the place of the finding and is not read;
 * without one it is that of the last joint, or of the last body when there is no joint. */
struct row {
    const char *text;
    enum dpl_severity severity;
    const char *said;
};

static const char *last(const char *text, const char *word)
{
    const char *found = NULL;
    for (const char *next = text; (next = strstr(next, word)); next++) {
        found = next;
    }
    return found;
}

/* Removes the mark; the place of what it stood before. */
static struct dpl_place take_mark(char *text)
{
    char *mark = strchr(text, '@');
    const char *joint = last(text, "<Joint ");
    const char *place = mark ? mark : joint ? joint : last(text, "<RigidObject ");
    struct dpl_place found = {.line = 1, .column = 1};
    for (const char *c = text; c < place; c++) {
        found.line += *c == '\n';
        found.column = *c == '\n' ? 1 : found.column + 1;
    }
    if (mark) {
        memmove(mark, mark + 1, strlen(mark));
    }
    return found;
}

static void expect(const struct row *row)
{
    diags.n = diags.n_errors = diags.n_warnings = 0;
    char *text = dpl_arena_strdup(&arena, row->text);
    struct dpl_place place = take_mark(text);
    int err = reading_text(text);
    cr_assert_eq(err, row->severity == DPL_SEVERITY_ERROR ? -EINVAL : 0, "%s", row->text);
    cr_assert_eq(diags.n, 1, "%zu findings in %s: %s", diags.n, row->text, reading_first());
    const struct dpl_diag *diag = &diags.items[0];
    cr_assert_eq(diag->severity, row->severity, "%s", diag->text);
    cr_assert_not_null(strstr(diag->text, row->said), "'%s' in %s", diag->text, row->text);
    cr_assert_eq(diag->place.line, place.line, "line %d: %s", diag->place.line, diag->text);
    cr_assert_eq(diag->place.column, place.column, "column %d: %s", diag->place.column, diag->text);
}

#define EXPECT_ALL(rows)                                                                           \
    for (size_t i_ = 0; i_ < sizeof(rows) / sizeof((rows)[0]); i_++) {                             \
        expect(&(rows)[i_]);                                                                       \
    }
#define ERROR   DPL_SEVERITY_ERROR
#define WARNING DPL_SEVERITY_WARNING

/* ---- the published format ---- */

Test(mechanism, published_sample_is_a_unit_box_of_one_kilogram)
{
    cr_assert_eq(dpl_sim_read_objects(&arena, UNIT "/avatar_sim/fixtures/published_box.xml", NULL,
                                      &objects, &diags),
                 0);
    cr_assert_eq(diags.n, 0, "%s", reading_first());
    const struct dpl_sim_body *box = &objects.mechanism.bodies[0];
    cr_assert_eq(objects.mechanism.n_bodies, 1);
    cr_assert_str_eq(box->name, "Box");
    cr_assert_eq(box->mass.mass, 1.0);
    for (int i = 0; i < 3; i++) {
        cr_assert_float_eq(box->mass.inertia[i], 1.0 / 6.0, 1e-15);
        cr_assert_eq(box->mass.inertia[3 + i], 0.0);
        cr_assert_eq(box->solids[0].size[i], 1.0);
    }
    cr_assert_eq(dpl_vector3_length(box->pose.position), 0.0);
    cr_assert_eq(box->pose.orientation.w, 1.0);
    cr_assert_eq(box->solids[0].material, 2);
    cr_assert_eq(box->solids[0].color[1], 0.5);
    cr_assert_eq(box->solids[0].color[3], 1.0, "a = 0 is opaque");
    cr_assert_eq(objects.mechanism.n_materials, 3);
    cr_assert(objects.default_materials);
    cr_assert_eq(objects.mechanism.materials[2].friction, dpl_sim_material_default.friction);
    cr_assert_not_null(strstr(dpl_sim_describe_objects(&arena, &objects),
                              "1 body (1 moves, 1 kg in all), 0 joints, 3 materials (the file has "
                              "none: defaults)"));
}

Test(mechanism, one_object_may_be_the_root)
{
    const struct dpl_sim_mechanism *m =
        read_good("<RigidObject name='ball' density='1000'><SphereShape radius='0.1'/>"
                  "<position z='2'/><orientation yaw='90 deg'/></RigidObject>");
    cr_assert_float_eq(m->bodies[0].mass.mass, 4.0 / 3.0 * DPL_PI, 1e-12);
    cr_assert_eq(m->bodies[0].pose.position.z, 2.0);
    cr_assert_float_eq(m->bodies[0].pose.orientation.z, sqrt(0.5), 1e-15);
}

#define OBJECT(attributes, children)                                                               \
    "<mechanism><RigidObject name='o' " attributes ">" children "</RigidObject></mechanism>"
#define BOX "<BoxShape x='1' y='2' z='3'/>"

Test(mechanism, numbers_are_written_as_in_c_or_without_a_suffix)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {{"1f", 1.0},   {"1.0f", 1.0},  {".5", 0.5},      {"1e-3f", 1e-3},
                {"+2.F", 2.0}, {"1.5E1", 15.}, {" 3f ", 3.0},    {"0.25F", 0.25},
                {"2 kg", 2.0}, {"500 g", 0.5}, {"1e+2f", 100.0}, {".5f", 0.5}};
    static const char *const bad[] = {"1 f", "1ff", "0x1p3", "nan", "inf",  "1,0", "",
                                      "f",   ".f",  "1ef",   "-",   "0x1f", "1 0", "1f kg"};
    char text[200];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(text, sizeof text, OBJECT("mass='%s'", BOX), rows[i].text);
        cr_assert_eq(read_good(text)->bodies[0].mass.mass, rows[i].value, "%s", rows[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(text, sizeof text, OBJECT("mass='@%s'", BOX), bad[i]);
        expect(&(struct row){text, ERROR, "mass: "});
    }
}

Test(mechanism, mass_or_density_is_used_never_both)
{
    cr_assert_float_eq(read_good(OBJECT("mass='3' density='0'", BOX))->bodies[0].mass.mass, 3.0,
                       1e-15);
    cr_assert_float_eq(read_good(OBJECT("mass='0' density='2'", BOX))->bodies[0].mass.mass, 12.0,
                       1e-14);
    cr_assert_float_eq(read_good(OBJECT("mass='12.01' density='2'", BOX))->bodies[0].mass.mass,
                       12.01, 1e-14);
    static const struct row rows[] = {
        {OBJECT("mass='12.1' density='2'", BOX), ERROR, "by its density of 2 kg/m^3 it is 12"},
        {OBJECT("mass='0' density='0'", BOX), ERROR, "neither mass nor density"},
        {OBJECT("", BOX), ERROR, "neither mass nor density"},
        {OBJECT("mass='1'", ""), ERROR, "has no shape"},
        {OBJECT("mass='1' static='true'", BOX), WARNING, "are ignored"},
        {OBJECT("density='1' static='1'", BOX), WARNING, "are ignored"},
        {OBJECT("mass='@-1'", BOX), ERROR, "out of range"},
        {OBJECT("mass='1' static='@maybe'", BOX), ERROR, "neither true nor false"},
    };
    EXPECT_ALL(rows);
    cr_assert(read_good(OBJECT("static='true'", BOX))->bodies[0].is_static);
    cr_assert_eq(objects.mechanism.bodies[0].mass.mass, 0.0);
}

Test(mechanism, quaternions_are_normalised_when_nearly_of_length_one)
{
    const struct dpl_sim_mechanism *m =
        read_good(OBJECT("mass='1'", BOX "<orientation x='0' y='0' z='0.7071' w='0.7071'/>"));
    cr_assert_float_eq(m->bodies[0].pose.orientation.z, sqrt(0.5), 1e-15);
    static const struct row rows[] = {
        {OBJECT("mass='1'", BOX "@<orientation x='0' y='0' z='0.7' w='0.7'/>"), ERROR,
         "length 0.989949, expected 1"},
        {OBJECT("mass='1'", BOX "@<orientation x='0' y='0' z='0' w='0'/>"), ERROR,
         "length 0, expected 1"},
        {OBJECT("mass='1'", BOX "@<orientation w='1' yaw='1'/>"), ERROR, "given twice"},
    };
    EXPECT_ALL(rows);
}

Test(mechanism, edges_are_full_unless_the_root_says_half)
{
    const struct dpl_sim_mechanism *m =
        read_good("<objects extents='half'><RigidObject name='o' density='1'>" BOX
                  "</RigidObject></objects>");
    cr_assert_float_eq(m->bodies[0].mass.mass, 48.0, 1e-12);
    cr_assert_eq(m->bodies[0].solids[0].size[2], 6.0);
}

Test(mechanism, shapes_are_where_their_places_say)
{
    const struct dpl_sim_mechanism *m =
        read_good(OBJECT("density='1'", "<BoxShape x='1' y='1' z='2'><position x='0.5' z='-1'/>"
                                        "<orientation pitch='90 deg'/></BoxShape>"));
    const struct dpl_mass *mass = &m->bodies[0].mass;
    cr_assert_float_eq(mass->centre.x, 0.5, 1e-15);
    cr_assert_float_eq(mass->centre.z, -1.0, 1e-15);
    cr_assert_float_eq(mass->inertia[0], 2.0 / 6.0, 1e-14, "its long edge lies along x");
    cr_assert_float_eq(mass->inertia[2], 2.0 * 5.0 / 12.0, 1e-14);
}

Test(mechanism, what_is_unknown_is_a_warning_with_its_place)
{
    static const struct row rows[] = {
        {OBJECT("mass='1' @colour='red'", BOX), WARNING, "unknown attribute 'colour'"},
        {OBJECT("@masss='1' mass='1'", BOX), WARNING, "did you mean 'mass'?"},
        {OBJECT("mass='1'", "<BoxShape x='1' y='1' z='1'>@<colr/></BoxShape>"), WARNING,
         "unknown element 'colr', did you mean 'color'?"},
        {OBJECT("mass='1'", BOX "@<BoxShap/>"), WARNING, "did you mean 'BoxShape'?"},
        {OBJECT("mass='1'", BOX "<position x='1'>@<x/></position>"), WARNING, "holds no"},
        {OBJECT("mass='1' visualisationMeshFile='@none.obj'", BOX), WARNING,
         "the mesh 'none.obj' is not there"},
    };
    EXPECT_ALL(rows);
}

Test(mechanism, wrong_shapes_are_refused)
{
    static const struct row rows[] = {
        {OBJECT("mass='1'", "<BoxShape x='1' y='@0' z='1'/>"), ERROR, "out of range"},
        {OBJECT("mass='1'", "@<BoxShape x='1' z='1'/>"), ERROR, "lacks the attribute 'y'"},
        {OBJECT("mass='1'", "<SphereShape radius='@-1'/>"), ERROR, "out of range"},
        {OBJECT("mass='1'", "<SphereShape radius='1' materialIndex='@256'/>"), ERROR,
         "out of range"},
        {OBJECT("mass='1'", "<SphereShape radius='1' materialIndex='@1f'/>"), ERROR,
         "not a whole number"},
        {OBJECT("mass='1'", "@<PlaneShape/>"), ERROR, "a plane has no volume"},
        {OBJECT("mass='1'", "@<HullShape><point x='1'/></HullShape>"), ERROR,
         "a hull has 1 points, expected 4 to 512"},
        {OBJECT("mass='1'", BOX "@<HullShape><point x='1'/><point y='1'/><point/><point x='2'/>"
                                "</HullShape>"),
         ERROR, "in one plane"},
        {OBJECT("mass='1'", "@<MeshShape><point x='1'/><point y='1'/><point/></MeshShape>"), ERROR,
         "a mesh has 0 faces"},
        {OBJECT("mass='1'", "@<MeshShape><point x='1'/><point y='1'/><point/><face a='0' b='1' "
                            "c='3'/></MeshShape>"),
         ERROR, "face 0 names point 3, but the last point is 2"},
        {OBJECT("mass='1'", "@<MeshShape><point x='1'/><point y='1'/><point/><face a='0' b='1' "
                            "c='0'/></MeshShape>"),
         ERROR, "the same point twice"},
        {OBJECT("mass='1'", "@<MeshShape><point x='1'/><point y='1'/><point/><face a='0' b='1' "
                            "c='2'/></MeshShape>" BOX),
         ERROR, "in one plane: it has no hull"},
        {OBJECT("mass='1'", BOX "<color r='@2' g='0' b='0'/>"), ERROR, "out of range"},
        {"<mechanism><Material name='m'/><RigidObject name='o' mass='1'>\n<SphereShape radius='1' "
         "materialIndex='@1'/></RigidObject></mechanism>",
         ERROR, "there is no material 1, the file has the numbers 0 to 0"},
        {"<mechanism><Material name='m' friction='@-1'/></mechanism>", ERROR, "out of range"},
        {"<mechanism><Material name='m'/>@<Material name='M'/></mechanism>", ERROR,
         "another material called 'M'"},
        {"<mechanism><RigidObject name='a' mass='1'>" BOX "</RigidObject>\n<RigidObject name='a' "
         "mass='1'>" BOX "</RigidObject></mechanism>",
         ERROR, "another body called 'a'"},
        {"<mechanism><RigidObject name='world' mass='1'>" BOX "</RigidObject></mechanism>", ERROR,
         "no body may be called 'world'"},
        {"<mechanism><RigidObject name='a/b' mass='1'>" BOX "</RigidObject></mechanism>", ERROR,
         "has a character that no name may have"},
    };
    EXPECT_ALL(rows);
}

Test(mechanism, inertia_may_be_given_and_must_be_possible)
{
    const struct dpl_sim_mechanism *m =
        read_good(OBJECT("mass='2'", "<inertia xx='1' yy='2' zz='2.5' xy='0.1' x='0.3'/>" BOX));
    cr_assert_eq(m->bodies[0].mass.inertia[3], 0.1);
    cr_assert_eq(m->bodies[0].mass.centre.x, 0.3);
    cr_assert_eq(m->bodies[0].mass.mass, 2.0);
    static const struct row rows[] = {
        {OBJECT("mass='2'", "<inertia xx='1' yy='2' zz='3.5'/>"), ERROR,
         "no body has this inertia"},
        {OBJECT("density='2'", "<inertia xx='1' yy='2' zz='2'/>" BOX), ERROR,
         "give its mass, and no density"},
        {OBJECT("mass='2'", "@<inertia xx='1' yy='2'/>"), ERROR, "lacks the attribute 'zz'"},
    };
    EXPECT_ALL(rows);
}

/* ---- joints ---- */

#define TWO                                                                                        \
    "<mechanism><Material name='m'/><RigidObject name='arm' mass='1'><BoxShape x='1' y='0.1' "     \
    "z='0.1'/></RigidObject><RigidObject name='rod' mass='1'><position x='1.5'/><orientation "     \
    "yaw='90 deg'/><BoxShape x='0.1' y='1' z='0.1'/></RigidObject>\n"
#define JOINT(attributes, children)                                                                \
    TWO "<Joint name='j' " attributes ">" children "</Joint></mechanism>"

Test(mechanism, every_type_of_joint_is_read)
{
    char text[1200];
    for (int i = 0; i < DPL_JOINT_TYPES; i++) {
        const char *extra = i == DPL_JOINT_GEAR   ? "<gear ratio='-2'/>"
                            : i == DPL_JOINT_BELT ? "<belt stiffness='1e5' condense='never'/>"
                            : i == DPL_JOINT_ROPE ? "<rope ea='1e4' free='2'/><childFrame/>"
                                                  : "";
        snprintf(text, sizeof text, JOINT("type='%s' parent='arm' child='rod'", "%s"),
                 dpl_sim_joint_words[i], extra);
        diags.n = diags.n_warnings = 0;
        cr_assert_eq(reading_text(text), 0, "%s: %s", dpl_sim_joint_words[i], reading_first());
        cr_assert_eq(objects.mechanism.joints[0].type, (enum dpl_sim_joint_type)i);
        cr_assert_eq(diags.n, 0, "%s", reading_first());
    }
}

Test(mechanism, joint_has_what_its_element_says)
{
    const struct dpl_sim_mechanism *m =
        read_good(JOINT("type='hinge' parent='arm' child='rod' friction='0.1' breakForce='2 N' "
                        "breakTorque='3' loop='true'",
                        "<frame><position x='0.5'/></frame><axis x='0' y='2' z='0'/>"
                        "<limit lower='-90 deg' upper='1' stiffness='5' damping='6'/>"
                        "<spring stiffness='7' damping='8' rest='0.5'/>"));
    const struct dpl_sim_joint *joint = &m->joints[0];
    cr_assert_eq(joint->parent, 0);
    cr_assert_eq(joint->child, 1);
    cr_assert_eq(joint->friction, 0.1);
    cr_assert_eq(joint->break_force, 2.0);
    cr_assert_eq(joint->break_torque, 3.0);
    cr_assert(joint->cuts_loop);
    cr_assert_float_eq(joint->limits[0].lower, -DPL_PI / 2.0, 1e-15);
    cr_assert_eq(joint->limits[0].damping, 6.0);
    cr_assert_eq(joint->springs[0].stiffness, 7.0);
    cr_assert_eq(joint->springs[0].rest, 0.5);
    cr_assert(!joint->limits[1].is_there);
    struct dpl_pose3 frames[2] = {dpl_mechanism_place(m, 0, joint->in_parent),
                                  dpl_mechanism_place(m, 1, joint->in_child)};
    for (int i = 0; i < 2; i++) {
        struct dpl_vector3 z =
            dpl_quaternion_turn(frames[i].orientation, (struct dpl_vector3){.z = 1.0});
        cr_assert_float_eq(z.y, 1.0, 1e-15, "the axis of frame %d", i);
        cr_assert_float_eq(frames[i].position.x, 0.5, 1e-15);
        cr_assert_float_eq(frames[i].position.y, 0.0, 1e-15);
    }
    cr_assert_float_eq(joint->in_child.position.y, 1.0, 1e-15, "in the rod, which is turned");
}

Test(mechanism, second_freedoms_and_axes_have_their_own_numbers)
{
    const struct dpl_sim_mechanism *m = read_good(
        JOINT("type='cylindrical' parent='arm' child='rod'",
              "<axis x='1' y='0' z='0'/><axis2 x='0' y='0' z='-3'/>"
              "<limit lower='-10 mm' upper='0.2'/><limit freedom='2' lower='0' upper='180 deg'/>"
              "<spring freedom='2' stiffness='1' rest='10 deg'/>"));
    const struct dpl_sim_joint *joint = &m->joints[0];
    cr_assert_float_eq(joint->limits[0].lower, -0.01, 1e-15);
    cr_assert_float_eq(joint->limits[1].upper, DPL_PI, 1e-15);
    cr_assert_float_eq(joint->springs[1].rest, DPL_PI / 18.0, 1e-15);
    struct dpl_quaternion q = joint->in_parent.orientation;
    cr_assert_float_eq(dpl_quaternion_turn(q, (struct dpl_vector3){.z = 1.0}).x, 1.0, 1e-15);
    cr_assert_float_eq(dpl_quaternion_turn(q, (struct dpl_vector3){.x = 1.0}).z, -1.0, 1e-15);
}

Test(mechanism, number_of_a_freedom_is_read_as_other_numbers_are)
{
    const struct dpl_sim_joint *joint =
        &read_good(JOINT("type='cylindrical' child='rod'",
                         "<limit freedom=' 2' lower='0' upper='90 deg'/>"
                         "<spring Freedom='+02' stiffness='1' rest='10 deg'/>"))
             ->joints[0];
    cr_assert_not(joint->limits[0].is_there || joint->springs[0].is_there);
    cr_assert_float_eq(joint->limits[1].upper, DPL_PI / 2.0, 1e-15);
    cr_assert_float_eq(joint->springs[1].rest, DPL_PI / 18.0, 1e-15);
}

Test(mechanism, coupling_keeps_its_numbers)
{
    const struct dpl_sim_joint *joint =
        &read_good(JOINT("type='rope' parent='world' child='rod'",
                         "<frame><position z='3'/></frame><childFrame/><rope ea='2000' free='2.5' "
                         "tensionOnly='false'/>"))
             ->joints[0];
    cr_assert_eq(joint->parent, -1);
    cr_assert_eq(joint->rope.ea, 2000.0);
    cr_assert_eq(joint->rope.free_length, 2.5);
    cr_assert_eq(joint->rope.damping, 0.03);
    cr_assert(!joint->rope.tension_only);
    joint = &read_good(JOINT("type='hinge' child='arm'/>"
                             "<Joint name='over' type='rope' parent='world' child='rod'",
                             "<frame><position z='3'/></frame><childFrame/><rope ea='2000' "
                             "free='2.5' Free_Child='1' sheave='J' radius='-0.3' slip='0.2' "
                             "wrap='180 deg'/>"))
                 ->joints[1];
    cr_assert_eq(joint->rope.sheave, 0);
    cr_assert_eq(joint->rope.radius, -0.3);
    cr_assert_eq(joint->rope.free_length_child, 1.0);
    cr_assert_float_eq(joint->rope.wrap, DPL_PI, 1e-15);
    joint = &read_good(JOINT("type='gear' parent='arm' child='rod'",
                             "<gear ratio='-16'/><axis x='1' z='0'/><axis2 y='1'/>"))
                 ->joints[0];
    cr_assert_eq(joint->gear_ratio, -16.0);
    cr_assert_float_eq(
        dpl_quaternion_turn(joint->in_parent.orientation, (struct dpl_vector3){.z = 1.0}).x, 1.0,
        1e-15);
    struct dpl_pose3 child = dpl_mechanism_place(&objects.mechanism, 1, joint->in_child);
    cr_assert_float_eq(dpl_quaternion_turn(child.orientation, (struct dpl_vector3){.z = 1.0}).y,
                       1.0, 1e-15, "its own axis");
}

Test(mechanism, wrong_joints_are_refused_with_their_place)
{
    static const struct row rows[] = {
        {JOINT("type='@hing' parent='arm' child='rod'", ""), ERROR, "did you mean 'hinge'?"},
        {JOINT("type='hinge' parent='arm' child='@rodd'", ""), ERROR,
         "child: there is no body 'rodd', did you mean 'rod'?"},
        {JOINT("type='hinge' parent='arm' child='arm'", ""), ERROR, "both ends"},
        {JOINT("type='hinge' child='world'", ""), ERROR, "both ends"},
        {JOINT("type='hinge' parent='arm'", ""), ERROR, "lacks the attribute 'child'"},
        {JOINT("type='ball' child='rod'", "@<limit lower='0' upper='1'/>"), ERROR,
         "a joint of type ball has no freedom 1"},
        {JOINT("type='hinge' child='rod'", "<spring freedom='@2' stiffness='1'/>"), ERROR,
         "a joint of type hinge has no freedom 2"},
        {JOINT("type='cylindrical' child='rod'",
               "<limit freedom='@3' lower='0 deg' upper='1 deg'/>"),
         ERROR, "freedom: 3 is out of range, expected 1..2"},
        {JOINT("type='hinge' child='rod'", "@<limit lower='2' upper='1'/>"), ERROR,
         "above its upper end"},
        {JOINT("type='hinge' child='rod'", "<limit lower='@2 m' upper='3'/>"), ERROR,
         "unit confusion"},
        {JOINT("type='universal' child='rod'",
               "<limit lower='1' upper='2'/>@<limit lower='1' upper='2'/>"),
         ERROR, "freedom 1 of the joint has another <limit>"},
        {JOINT("type='hinge' child='rod'", "@<axis x='0' y='0' z='0'/>"), ERROR,
         "<axis> has no direction"},
        {JOINT("type='universal' child='rod'", "<axis2 z='1'/>"), ERROR,
         "both axes are along one line"},
        {JOINT("type='hinge' child='rod'", "@<gear ratio='1'/>"), ERROR,
         "<gear> is for joints of type gear, this one is of type hinge"},
        {JOINT("type='gear' child='rod'", ""), ERROR, "a joint of type gear needs <gear>"},
        {JOINT("type='gear' child='rod'", "<gear ratio='0'/>"), ERROR, "expected not 0"},
        {JOINT("type='rope' child='rod'", "<rope ea='1' free='1'/>"), ERROR, "needs <childFrame>"},
        {JOINT("type='rope' child='rod'", "@<rope ea='1'/>"), ERROR, "lacks the attribute 'free'"},
        {JOINT("type='rope' child='rod'", "<childFrame/>@<rope ea='1' free='1' radius='1'/>"),
         ERROR, "sheave and radius go together"},
        {JOINT("type='rope' child='rod'",
               "<childFrame/><rope ea='1' free='1' radius='1' sheave='@x'/>"),
         ERROR, "there is no joint 'x' before this one"},
        {JOINT("type='belt' child='rod'", "<belt stiffness='@0'/>"), ERROR, "out of range"},
        {JOINT("type='hinge' child='rod' friction='@-1'", ""), ERROR, "out of range"},
        {TWO "<Joint name='j' type='free' child='rod'/><Joint name='j' type='free' child='arm'/>"
             "</mechanism>",
         ERROR, "another joint called 'j'"},
        {"<mechanism><RigidObject name='a' static='1'/><RigidObject name='b' static='1'/>\n<Joint "
         "name='j' type='hinge' parent='a' child='b'/></mechanism>",
         ERROR, "neither end of the joint can move"},
    };
    EXPECT_ALL(rows);
}

/* ---- the calls ---- */

Test(mechanism, calls_refuse_what_readers_would_refuse_and_copy_the_rest)
{
    struct dpl_sim_mechanism m = {.memory = &arena};
    struct dpl_sim_solid box = {
        .kind = DPL_SOLID_BOX, .pose.orientation.w = 1.0, .size = {1.0, 1.0, 1.0}};
    struct dpl_sim_body body = {.name = "body",
                                .pose.orientation.w = 1.0,
                                .mass = {1.0, {0}, {1.0, 1.0, 1.0}},
                                .solids = &box,
                                .n_solids = 1};
    struct dpl_diag diag;
    cr_assert_eq(dpl_mechanism_add_body(&m, &body, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "there is no material 0"));
    cr_assert_eq(dpl_mechanism_add_material(&m, &dpl_sim_material_default, NULL), 0);
    cr_assert_eq(dpl_mechanism_add_body(&m, &body, NULL), 0);
    box.size[0] = 5.0;
    cr_assert_eq(m.bodies[0].solids[0].size[0], 1.0, "it is a copy");
    snprintf(body.name, sizeof body.name, "other");
    body.pose.orientation.w = 1.1;
    cr_assert_eq(dpl_mechanism_add_body(&m, &body, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "quaternion of length 1.1"));
    body.pose.orientation.w = 1.0005;
    cr_assert_eq(dpl_mechanism_add_body(&m, &body, NULL), 0);
    cr_assert_eq(m.bodies[1].pose.orientation.w, 1.0);
    struct dpl_sim_joint joint = {
        .name = "j", .child = 2, .in_parent.orientation.w = 1.0, .in_child.orientation.w = 1.0};
    cr_assert_eq(dpl_mechanism_add_joint(&m, &joint, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "there is no body 2"));
    joint.child = 1;
    joint.in_child.position.x = (double)NAN;
    cr_assert_eq(dpl_mechanism_add_joint(&m, &joint, NULL), -EINVAL);
    joint.in_child.position.x = 0.0;
    cr_assert_eq(dpl_mechanism_add_joint(&m, &joint, NULL), 0);
    snprintf(joint.name, sizeof joint.name, "belt");
    joint.type = DPL_JOINT_BELT;
    joint.belt = (struct dpl_sim_belt){.stiffness = (double)INFINITY, .ratio = 1.0};
    cr_assert_eq(dpl_mechanism_add_joint(&m, &joint, NULL), -EINVAL);
    joint.type = DPL_JOINT_ROPE;
    joint.rope = (struct dpl_sim_rope){.ea = (double)INFINITY, .free_length = 1.0};
    cr_assert_eq(dpl_mechanism_add_joint(&m, &joint, NULL), -EINVAL);
    joint.rope = (struct dpl_sim_rope){.ea = 1.0, .free_length = (double)INFINITY};
    cr_assert_eq(dpl_mechanism_add_joint(&m, &joint, NULL), -EINVAL);
    cr_assert_eq(m.n_bodies, 2);
    cr_assert_eq(m.n_joints, 1);
    cr_assert_eq(dpl_mechanism_find_body(&m, "Other"), 1);
    cr_assert_eq(dpl_mechanism_find_body(&m, "none"), -1);
}

Test(mechanism, frames_are_turned_to_any_axis)
{
    static const struct dpl_vector3 axes[] = {{1, 0, 0}, {0, 0, -2}, {1e-5, 0, -1}, {-1, 2, 3}};
    struct dpl_pose3 frame = {.orientation = dpl_quaternion_from_rpy(0.3, 0.2, 0.1)}, turned;
    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; i++) {
        cr_assert_eq(dpl_sim_joint_align(&frame, axes[i], (struct dpl_vector3){0}, &turned, NULL),
                     0);
        struct dpl_pose3 own = dpl_pose3_relative(frame, turned);
        struct dpl_vector3 z = dpl_quaternion_turn(own.orientation, (struct dpl_vector3){.z = 1.0});
        double length = dpl_vector3_length(axes[i]);
        cr_assert_float_eq(dpl_vector3_dot(z, axes[i]) / length, 1.0, 1e-12, "axis %zu", i);
        cr_assert_eq(dpl_sim_joint_align(&frame, axes[i], axes[i], &turned, NULL), -EINVAL);
    }
}
