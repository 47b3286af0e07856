/* SPDX-License-Identifier: Apache-2.0 */
/* MotionReferee with a fake of the runtime: what it makes of messages, and the verdict it gives. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/msg/axes.h>
#include <doppel/msg/motion.h>

#include "fake_runtime.h"
#include "judge.h"
#include "pose6.h"

enum {
    REFERENCE,
    GIVEN,
    PATH,
    MEASURED,
    AXES,
    COMMAND,
    PLANNER,
    PORTS,
};

static struct dpl_diag error;

static Doppel__Pose6 poses[PORTS + 1];
static Doppel__PoseReference reference, given;
static Doppel__PathState path;
static Doppel__MeasuredPose measured;
static Doppel__AxisState axes;
static double positions[6];

static void arrives(unsigned port, void *body)
{
    fake.ports[port].latest.body = body;
}

static void prepare(void)
{
    fake_begin();
    fake.ports[COMMAND].is_open = true;
    for (int i = 0; i < DPL_AXES_N; i++) {
        fake.machine.legs[i].low_m = -1.0;
        fake.machine.legs[i].high_m = 1.0;
    }
    memset(positions, 0, sizeof positions);
    fake_set("From", "0.1"); /* it begins with a step of velocity */
    for (int i = 0; i <= PORTS; i++) {
        doppel__pose6__init(&poses[i]);
        poses[i].z = 0.54;
    }
    doppel__pose_reference__init(&reference);
    doppel__pose_reference__init(&given);
    doppel__path_state__init(&path);
    doppel__measured_pose__init(&measured);
    doppel__axis_state__init(&axes);
    reference.pose = &poses[REFERENCE];
    given.pose = &poses[GIVEN];
    path.last = &poses[PATH];
    path.before = &poses[PORTS];
    path.next_sequence = 1;
    measured.pose = &poses[MEASURED];
    measured.valid = axes.valid = true;
    axes.mode = DOPPEL__AXES_MODE__AXES_ON;
    axes.position = positions;
    axes.n_position = 6;
    arrives(REFERENCE, &reference);
    arrives(GIVEN, &given);
    arrives(PATH, &path);
    arrives(MEASURED, &measured);
    arrives(AXES, &axes);
}

static void begin(void)
{
    cr_assert_eq(fake_start(0, &error), 0, "%s", error.text);
}

/* From a tick to another, 2.5 ms each; x of the pose moves by 0.1 mm a tick. */
static void run(int from, int to, bool axes_report)
{
    for (int i = from; i < to; i++) {
        struct dpl_tick tick = {.now = i * 2500 * DPL_US};
        path.next_sequence++;
        path.before->x = path.last->x;
        path.last->x = reference.pose->x = given.pose->x = measured.pose->x = 1e-4 * (i % 1000);
        if (axes_report) {
            fake.ports[AXES].latest.stamp = tick.now;
        }
        fake_execute(&tick);
    }
}

TestSuite(motion_referee_glue, .fini = fake_end);

static void refuses(const char *property, const char *text, const char *why)
{
    prepare();
    fake_set(property, text);
    error.text[0] = '\0';
    cr_assert_eq(fake.self.class_->check(fake.self.properties, &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, why), "%s", error.text);
}

Test(motion_referee_glue, refuses_properties_that_make_no_sense)
{
    prepare();
    fake_refuses("Centre", "1 2 3", "Centre: expected six numbers");
    fake_refuses("HardSemiAxes", "1 1 1 1 1 0", "HardSemiAxes: 0 of yaw is out of range");
    fake_refuses("AccelerationLimits", "", "AccelerationLimits: character 1");
    refuses("End", "5", "FaultAt is 5 s, but the verdict is given at End, 5 s");
}

Test(motion_referee_glue, says_when_there_is_no_robot_model)
{
    prepare();
    fake.machine_error = -ENOENT;
    cr_assert_eq(fake.self.class_->ops->initialize(&fake.self, &error), -ENOENT);
    fake_set("Robot", "");
    cr_assert_eq(fake.self.class_->ops->initialize(&fake.self, &error), 0);
}

Test(motion_referee_glue, gives_one_verdict_at_the_end_of_its_time)
{
    prepare();
    fake_set("FaultAt", "0.5");
    fake_set("End", "1");
    begin();
    run(0, 400, true);
    cr_assert_eq(fake.n_verdicts, 0);
    run(400, 420, true);
    cr_assert_eq(fake.n_verdicts, 1);
    cr_assert(fake.verdict.expected, "%s", fake.verdict.text);
    cr_assert_str_eq(fake.verdict.name, "recovered");
    cr_assert_eq(fake_export("verdict"), MOTION_RECOVERED);
    cr_assert_float_eq(fake_export("speed_at_fault"), 0.04, 1e-9);
}

Test(motion_referee_glue, counts_from_its_first_tick)
{
    prepare();
    fake_set("FaultAt", "0.5");
    fake_set("End", "1");
    begin();
    run(1000, 1400, true);
    cr_assert_eq(fake.n_verdicts, 0);
    run(1400, 1401, true);
    cr_assert_eq(fake.n_verdicts, 1);
}

Test(motion_referee_glue, takes_axes_that_report_nothing_for_unseen)
{
    prepare();
    fake_set("FaultAt", "0.5");
    fake_set("End", "1");
    begin();
    run(0, 100, true);
    run(100, 105, false);
    cr_assert_eq(fake_export("axes_follow"), 1.0);
    cr_assert_eq(fake_export("measured"), 1.0);
    run(105, 420, false);
    cr_assert_eq(fake_export("axes_follow"), 0.0);
    cr_assert_str_eq(fake.verdict.name, "blind");
}

Test(motion_referee_glue, judges_what_the_planner_got_if_it_is_told_to)
{
    for (int target = 0; target < 2; target++) {
        prepare();
        fake_set("FaultAt", "0.5");
        fake_set("End", "1");
        fake_set("Target", target == 0 ? "reference" : "given");
        begin();
        given.pose->y = 0.001;
        path.last->y = path.before->y = 0.001;
        run(0, 420, true);
        cr_assert_str_eq(fake.verdict.name, target == 0 ? "not_ready" : "recovered");
    }
}
