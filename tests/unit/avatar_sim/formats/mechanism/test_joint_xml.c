/* SPDX-License-Identifier: Apache-2.0 */
/* Joints of mechanisms from XML: what arrives, and where errors are reported. */
#include "mechanism_rows.h"

TestSuite(joint_xml, .fini = reading_end);

#define TWO                                                                                        \
    "<mechanism><Material name='m'/><RigidObject name='arm' mass='1'><BoxShape x='1' y='0.1' "     \
    "z='0.1'/></RigidObject><RigidObject name='rod' mass='1'><position x='1.5'/><orientation "     \
    "yaw='90 deg'/><BoxShape x='0.1' y='1' z='0.1'/></RigidObject>\n"
#define JOINT(attributes, children)                                                                \
    TWO "<Joint name='j' " attributes ">" children "</Joint></mechanism>"

Test(joint_xml, every_type_of_joint_is_read)
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

Test(joint_xml, joint_has_what_its_element_says)
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

Test(joint_xml, second_freedoms_and_axes_have_their_own_numbers)
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

Test(joint_xml, number_of_a_freedom_is_read_as_other_numbers_are)
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

Test(joint_xml, coupling_keeps_its_numbers)
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

Test(joint_xml, wrong_joints_are_refused_with_their_place)
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
