/* SPDX-License-Identifier: Apache-2.0 */
/* PoseMonitor between its ports: what it compares and when. */
#include "fake_machine_runtime.h"

#include <math.h>

#include <doppel/msg/motion.h>

#define REAL   0
#define AVATAR 1
#define PERIOD (625 * DPL_US)

static _Alignas(16) char properties[256], state[16384];
static struct dpl_component self;
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
    cr_assert_leq(dpl_plugin.component->properties_size, sizeof properties);
    cr_assert_leq(dpl_plugin.component->state_size, sizeof state);
    fake_component(&self, properties, state);
    cr_assert_eq(self.class_->ops->period_changed(&self, PERIOD), 0);
    cr_assert_eq(self.class_->ops->start(&self, NULL), 0);
}

static double show(const char *name)
{
    const struct dpl_component_class *class = self.class_;
    const struct dpl_field *field = dpl_field_find(class->exports, class->n_exports, name);
    cr_assert_not_null(field, "%s", name);
    return dpl_field_number(field, state);
}

static void step(bool real, bool avatar)
{
    fake.in[REAL] = real ? &measured[REAL] : NULL;
    fake.in[AVATAR] = avatar ? &measured[AVATAR] : NULL;
    tick.now += PERIOD;
    cr_assert_eq(self.class_->ops->execute(&self, &tick), 0);
}

/* Both swing; the avatar is `late` cycles behind. */
static void swing(int cycles, double late)
{
    for (int i = 0; i < cycles; i++) {
        poses[REAL].x = 0.1 * sin(0.02 * i);
        poses[AVATAR].x = 0.1 * sin(0.02 * (i - late));
        step(true, true);
    }
}

Test(pose_monitor_glue, tells_error_and_lag, .init = begin)
{
    swing(3000, 4.0);
    cr_assert_eq(show("compared"), 3000 - 160); /* Settle is 0.1 s */
    cr_assert_eq(show("lag_known"), 1.0);
    cr_assert_float_eq(show("lag"), 2.5, 0.01);
    cr_assert_float_eq(show("position_max"), 0.1 * 2.0 * sin(0.04), 1e-4);
    cr_assert_float_eq(show("position_rms"), 0.1 * 2.0 * sin(0.04) / sqrt(2.0), 1e-4);
    cr_assert_eq(show("missing"), 0.0);
}

Test(pose_monitor_glue, counts_cycles_without_one_of_the_poses, .init = begin)
{
    step(true, false);
    cr_assert_eq(show("missing"), 0.0);
    step(true, true);
    step(true, false);
    step(false, true);
    measured[AVATAR].valid = false;
    step(true, true);
    cr_assert_eq(show("missing"), 3.0);
}

Test(pose_monitor_glue, says_once_when_the_avatar_goes_apart, .init = begin)
{
    poses[AVATAR].z = 0.001;
    for (int i = 0; i < 200; i++) {
        step(true, true);
    }
    cr_assert_eq(show("times_apart"), 0.0);
    poses[AVATAR].z = 0.006;
    step(true, true);
    step(true, true);
    cr_assert_eq(show("times_apart"), 1.0);
    cr_assert_eq(fake.n_logged, 1);
    poses[AVATAR].z = 0.0;
    step(true, true);
    poses[AVATAR].yaw = 0.02;
    step(true, true);
    cr_assert_eq(show("times_apart"), 2.0);
}

Test(pose_monitor_glue, needs_a_period, .init = begin)
{
    struct dpl_diag error = {0};
    self.class_->ops->period_changed(&self, 0);
    cr_assert_lt(self.class_->ops->start(&self, &error), 0);
}
