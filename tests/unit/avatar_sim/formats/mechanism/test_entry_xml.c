/* SPDX-License-Identifier: Apache-2.0 */
/* Motors and sensors in the files of mechanisms. */
#include <errno.h>

#include "entry_scene.h"

TestSuite(entry_xml, .fini = reading_end);

#define TABLE "<row current='0' torque='0'/><row current='2' torque='0.5'/>"

static void refused(const char *text, int column, const char *said)
{
    cr_assert_eq(scene_read(text), -EINVAL);
    expect(0, SCENE_LINE, column, said);
    cr_assert_eq(diags.n, 1);
}

Test(entry_xml, motor_is_at_its_joint_and_has_its_settings)
{
    scene_make(SCENE("<Motor joint='rail' type='force' limit='5 N' every='4' phase='3'/>"
                     "<Motor name='turner' joint='Hinge' type='table'>" TABLE "</Motor>"));
    cr_assert_eq(objects.n_entries, 2);
    const struct dpl_sim_entry *rail = &objects.entries[0], *turner = &objects.entries[1];
    cr_assert_str_eq(rail->name, "rail", "a motor without a name has that of its joint");
    cr_assert_str_eq(turner->name, "turner");
    cr_assert_eq(rail->joint, 1);
    cr_assert_eq(rail->body, 1, "at the child");
    cr_assert_eq(turner->joint, 0);
    cr_assert_not(rail->turns);
    cr_assert(turner->turns);
    cr_assert_eq(rail->every, 4);
    cr_assert_eq(rail->phase, 3);
    cr_assert_eq(turner->every, 1);
    cr_assert_eq(describe("m/rail/force", true)->max, 5.0);
    cr_assert_str_eq(describe("m/rail/force", true)->unit, "N");
    cr_assert_str_eq(describe("m/turner/current", true)->unit, "A");
}

Test(entry_xml, second_freedom_of_a_joint_has_a_motor_of_its_own)
{
    scene_make(SCENE("<Joint name='screw' type='cylindrical' child='car'/>"
                     "<Motor name='lift' joint='screw' type='force' limit='3 N'/>"
                     "<Motor name='turn' joint='screw' freedom='2' type='force' limit='3 Nm'/>"));
    cr_assert_eq(objects.entries[0].joint, 2);
    cr_assert_eq(objects.entries[1].joint, 3);
    cr_assert_not(objects.entries[0].turns);
    cr_assert(objects.entries[1].turns);
}

Test(entry_xml, rotor_behind_a_gear_is_added_to_the_joint)
{
    scene_make(SCENE("<Motor joint='hinge' type='table'>" TABLE "<gear ratio='-16'/>"
                     "<rotor inertia='2e-5' friction='0.01'/></Motor>"
                     "<Motor joint='rail' type='force'/>"));
    NEAR(objects.mechanism.joints[0].armature, 0.00512, 1e-15);
    NEAR(objects.mechanism.joints[0].friction, 0.16, 1e-15);
    cr_assert_eq(objects.mechanism.joints[1].armature, 0.0);
}

Test(entry_xml, misspelled_joint_or_body_or_type_is_an_error_with_a_suggestion)
{
    refused(SCENE("<Motor joint='hinje' type='force'/>"), 15,
            "joint: there is no joint 'hinje', did you mean 'hinge'?");
    reading_end();
    cr_assert_eq(scene_read(SCENE("<Motor joint='hinge' type='fource'/>")), -EINVAL);
    cr_assert_eq(diags.items[0].place.line, SCENE_LINE);
    cr_assert_not_null(strstr(diags.items[0].text, "did you mean 'force'?"), "%s",
                       diags.items[0].text);
}

Test(entry_xml, motor_without_type_or_joint_is_an_error)
{
    cr_assert_eq(scene_read(SCENE("<Motor joint='hinge'/>")), -EINVAL);
    cr_assert_not_null(strstr(diags.items[0].text, "give the attribute 'type': "), "%s",
                       diags.items[0].text);
    reading_end();
    refused(SCENE("<Motor type='force'/>"), 1, "<Motor>: give its name");
    reading_end();
    refused(SCENE("<Motor name='a' type='force'/>"), 1,
            "<Motor>: type force is at a joint: give 'joint'");
    reading_end();
    refused(SCENE("<Motor joint='hinge' body='arm' type='force'/>"), 1,
            "<Motor>: type force is at a joint: give 'joint' alone");
}

Test(entry_xml, joint_without_a_value_or_without_that_freedom_is_an_error)
{
    refused(SCENE("<Motor joint='tip' type='force'/>"), 1,
            "<Motor>: the joint 'tip' is of type ball and has no freedom 1");
    reading_end();
    refused(SCENE("<Motor joint='rail' freedom='2' type='force'/>"), 1,
            "<Motor>: the joint 'rail' is of type slider and has no freedom 2");
}

Test(entry_xml, unit_of_the_other_kind_of_joint_is_an_error)
{
    cr_assert_eq(scene_read(SCENE("<Motor joint='rail' type='force' limit='3 Nm'/>")), -EINVAL);
    cr_assert_not_null(strstr(diags.items[0].text, "limit"), "%s", diags.items[0].text);
    cr_assert_eq(diags.items[0].place.column, 41);
}

Test(entry_xml, wrong_table_is_an_error_at_its_row)
{
    cr_assert_eq(scene_read(SCENE("<Motor joint='hinge' type='table'>\n<row current='0' "
                                  "torque='0'/>\n<row current='2' torque='1'/>\n"
                                  "<row current='1' torque='2'/></Motor>")),
                 -EINVAL);
    expect(0, SCENE_LINE + 3, 1, "<row>: the currents are not strictly increasing");
    reading_end();
    refused(SCENE("<Motor joint='hinge' type='table'/>"), 1,
            "motor of type table: the table has fewer than two currents");
    reading_end();
    cr_assert_eq(
        scene_read(SCENE("<Motor joint='hinge' type='table'>" TABLE "<gear ratio='0'/></Motor>")),
        -EINVAL);
    cr_assert_str_eq(diags.items[0].text, "the ratio of a <gear> cannot be 0");
}

Test(entry_xml, child_of_another_type_is_a_warning)
{
    cr_assert_eq(scene_read(SCENE("<Motor joint='hinge' type='force'>" TABLE "</Motor>")), 0);
    cr_assert_eq(diags.n, 2);
    cr_assert_eq(diags.items[0].severity, DPL_SEVERITY_WARNING);
    cr_assert_str_eq(diags.items[0].text, "unknown element 'row', ignored");
}

Test(entry_xml, two_motors_that_command_a_joint_in_the_same_way_are_an_error)
{
    refused(SCENE("<Motor name='a' joint='hinge' type='force'/>"
                  "<Motor name='b' joint='hinge' type='dc' R='1' k='1'/>"),
            45,
            "<Motor>: 'a' pushes this joint already: it takes one motor that pushes, and one "
            "that holds");
    reading_end();
    cr_assert_eq(scene_read(SCENE("<Motor name='a' joint='hinge' type='force'/>"
                                  "<Motor name='b' joint='hinge' type='brake' torque='9'/>"
                                  "<Motor name='c' joint='rail' type='force'/>")),
                 0);
    cr_assert_eq(objects.n_entries, 3);
}

Test(entry_xml, name_whose_channels_another_part_has_is_an_error)
{
    refused(SCENE("<Motor name='a' joint='hinge' type='force'/>"
                  "<Motor name='A' joint='rail' type='force'/>"),
            45, "<Motor>: force motor called 'A' has channels of the same names");
}

Test(entry_xml, phase_that_never_comes_is_an_error)
{
    refused(SCENE("<Motor joint='hinge' type='force' every='3' phase='3'/>"), 1,
            "<Motor>: the phase is not below 'every'");
}

Test(entry_xml, entries_of_a_repeat_say_their_round)
{
    cr_assert_eq(scene_read(SCENE("<Repeat count='2' index='i'>"
                                  "<Motor name='m{i}' joint='{i ? 7 : 8}' type='force'/>"
                                  "</Repeat>")),
                 -EINVAL);
    cr_assert_eq(diags.n, 2);
    cr_assert_not_null(strstr(diags.items[1].text, "(in repeat i=1)"), "%s", diags.items[1].text);
}

Test(entry_xml, description_names_motors_and_their_joints)
{
    cr_assert_eq(
        scene_read(SCENE("<Motor joint='rail' type='servo' max_effort='9' max_speed='1'/>")), 0);
    const char *text = dpl_sim_describe_objects(&arena, &objects);
    cr_assert_not_null(strstr(text, "  motor rail: servo at joint rail\n"), "%s", text);
}
