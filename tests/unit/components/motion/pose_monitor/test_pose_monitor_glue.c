/* SPDX-License-Identifier: Apache-2.0 */
/* PoseMonitor between its ports: what it compares and when. */
#include <math.h>

#include <criterion/criterion.h>

#include <doppel/msg/motion.h>

#include "fake_runtime.h"

#define REAL   0
#define AVATAR 1
#define PERIOD (625 * DPL_US)

static struct dpl_tick tick;
static Doppel__MeasuredPose measured[2];
static Doppel__Pose6 poses[2];

static void begin(void)
{
    for (int i = 0; i < 2; i++) {
        doppel__measured_pose__init(&measured[i]);
        doppel__pose6__init(&poses[i]);
        measured[i].pose = &poses[i];
        measured[i].valid = true;
    }
    fake_begin();
    cr_assert_eq(fake_start(PERIOD, NULL), 0);
}

static void step(bool real, bool avatar)
{
    fake_receive(REAL, real ? &measured[REAL] : NULL, 0);
    fake_receive(AVATAR, avatar ? &measured[AVATAR] : NULL, 0);
    tick.now += PERIOD;
    fake_execute(&tick);
}

TestSuite(pose_monitor_glue, .init = begin, .fini = fake_end);

/* Both swing; the avatar is `late` cycles behind. */
static void swing(int cycles, double late)
{
    for (int i = 0; i < cycles; i++) {
        poses[REAL].x = 0.1 * sin(0.02 * i);
        poses[AVATAR].x = 0.1 * sin(0.02 * (i - late));
        step(true, true);
    }
}

Test(pose_monitor_glue, tells_error_and_lag)
{
    swing(3000, 4.0);
    cr_assert_eq(fake_export("compared"), 3000 - 160); /* Settle is 0.1 s */
    cr_assert_eq(fake_export("lag_known"), 1.0);
    cr_assert_float_eq(fake_export("lag"), 2.5, 0.01);
    cr_assert_float_eq(fake_export("position_max"), 0.1 * 2.0 * sin(0.04), 1e-4);
    cr_assert_float_eq(fake_export("position_rms"), 0.1 * 2.0 * sin(0.04) / sqrt(2.0), 1e-4);
    cr_assert_eq(fake_export("missing"), 0.0);
}

Test(pose_monitor_glue, counts_cycles_without_one_of_the_poses)
{
    step(true, false);
    cr_assert_eq(fake_export("missing"), 0.0);
    step(true, true);
    step(true, false);
    step(false, true);
    measured[AVATAR].valid = false;
    step(true, true);
    cr_assert_eq(fake_export("missing"), 3.0);
}

Test(pose_monitor_glue, says_once_when_the_avatar_goes_apart)
{
    poses[AVATAR].z = 0.001;
    for (int i = 0; i < 200; i++) {
        step(true, true);
    }
    cr_assert_eq(fake_export("times_apart"), 0.0);
    poses[AVATAR].z = 0.006;
    step(true, true);
    step(true, true);
    cr_assert_eq(fake_export("times_apart"), 1.0);
    cr_assert_eq(fake.n_logged, 1);
    poses[AVATAR].z = 0.0;
    step(true, true);
    poses[AVATAR].yaw = 0.02;
    step(true, true);
    cr_assert_eq(fake_export("times_apart"), 2.0);
}

Test(pose_monitor_glue, needs_a_period)
{
    struct dpl_diag error = {0};
    fake.self.class_->ops->period_changed(&fake.self, 0);
    cr_assert_lt(fake.self.class_->ops->start(&fake.self, &error), 0);
}
