/* SPDX-License-Identifier: Apache-2.0 */
/* Joints that mimic another one have the limits of their leader, and what theirs would have cut off
 * is told. */
#include "objects_reading.h"
#include "urdf_rig.h"

static struct mechanism_rig rig;

static void end(void)
{
    rig_close(&rig);
    reading_end();
}

TestSuite(urdf_mimic, .fini = end);

#define LINK(name)                                                                                 \
    "<link name='" name "'><inertial><mass value='1'/>"                                            \
    "<inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial></link>\n"
#define JOINT(name, child, type, inner)                                                            \
    "<joint name='" name "' type='" type "'><parent link='a'/><child link='" child "'/>" inner     \
    "</joint>\n"
#define LIMIT(lower, upper) "<limit lower='" lower "' upper='" upper "' effort='1' velocity='1'/>"

/* Reads a leader x and a follower y; expects this warning in line 6, or none (""). */
static void expect_said(const char *leader, const char *follower, const char *said)
{
    char text[4096];
    snprintf(text, sizeof text, "<robot name='r'>\n%s%s%s%s%s</robot>", LINK("a"), LINK("b"),
             LINK("c"), leader, follower);
    diags = (struct dpl_diags){0};
    int err = dpl_sim_read_import_text(&arena, UNIT "/avatar_sim/fixtures/urdf/test.urdf", text,
                                       strlen(text), NULL, &objects, &diags);
    rig_print(&diags);
    cr_assert_eq(err, 0);
    cr_expect_eq(diags.n, said[0] != '\0', "%zu", diags.n);
    if (diags.n > 0) {
        cr_expect_str_eq(diags.items[0].text, said);
        cr_expect_eq(diags.items[0].severity, DPL_SEVERITY_WARNING);
        cr_expect_eq(diags.items[0].place.line, 6, "%d", diags.items[0].place.line);
    }
    dpl_diags_finish(&diags);
    diags = (struct dpl_diags){0};
}

#define MIMIC(more) "<mimic joint='x'" more "/>"

Test(urdf_mimic, limits_that_cut_something_off_are_told)
{
    expect_said(JOINT("x", "b", "revolute", LIMIT("0", "0.8")),
                JOINT("y", "c", "revolute", LIMIT("0", "0.8") MIMIC(" multiplier='-1'")),
                "joint 'y' mimics 'x', whose limits count: it moves from -0.8 to 0, and its own "
                "limits 0 to 0.8 are left out");
    expect_said(JOINT("x", "b", "revolute", LIMIT("-1", "1")),
                JOINT("y", "c", "revolute", LIMIT("-1", "1") MIMIC(" offset='2.5'")),
                "joint 'y' mimics 'x', whose limits count: it moves from 1.5 to 3.5, and its own "
                "limits -1 to 1 are left out");
    expect_said(JOINT("x", "b", "continuous", ""),
                JOINT("y", "c", "revolute", LIMIT("-1", "1") MIMIC("")),
                "joint 'y' mimics 'x', which has no limits: its own limits -1 to 1 are left out");
}

Test(urdf_mimic, limits_that_agree_are_not)
{
    expect_said(JOINT("x", "b", "revolute", LIMIT("0", "0.8")),
                JOINT("y", "c", "revolute", LIMIT("-0.8", "0") MIMIC(" multiplier='-1'")), "");
    expect_said(JOINT("x", "b", "revolute", LIMIT("0", "0.8")),
                JOINT("y", "c", "revolute", LIMIT("-1", "1") MIMIC("")), "");
    expect_said(JOINT("x", "b", "revolute", LIMIT("0", "0.8")),
                JOINT("y", "c", "continuous", MIMIC(" multiplier='3'")), "");
}

/* Commanded beyond its range, the leader goes to its stop, and the other finger with it. */
Test(urdf_mimic, a_mirrored_gripper_closes_and_opens)
{
    struct dpl_sim_import_options options = urdf_usual;
    options.fixed_base = true;
    options.z = 1.0;
    urdf_open(&rig, "mimic_limits.urdf", &options, (struct dpl_pose2){0});
    const double setpoints[] = {0.5, 0.8, 0.1};
    for (int k = 0; k < 3; k++) {
        urdf_put(&rig, "r/left_knuckle/setpoint", setpoints[k]);
        rig_step(&rig, 2.0);
        double left = urdf_position(&rig, "left_knuckle");
        double right = urdf_position(&rig, "right_knuckle");
        cr_expect_float_eq(left, setpoints[k], 1e-4, "%.6f", left);
        cr_expect_float_eq(left + right, 0.0, 1e-6, "%.6f %.6f", left, right);
    }
}
