/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms from XML: what arrives, and where errors are reported. */
#include <doppel/math/vector3.h>

#include "mechanism_rows.h"

TestSuite(mechanism, .fini = reading_end);

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
