/* SPDX-License-Identifier: Apache-2.0 */
/* FaultInjector with a fake of the runtime: what passes, and what is done to it. */
#include <math.h>

#include <criterion/criterion.h>

#include <doppel/msg/force_sensor.h>
#include <doppel/msg/motion.h>

#include "fake_runtime.h"

enum { REFERENCE, POSE, WRENCH, REFERENCE_OUT, POSE_OUT, WRENCH_OUT };

static struct dpl_diag why;

TestSuite(fault_injector_glue, .init = fake_begin, .fini = fake_end);

static void begin_with(const char *faults)
{
    fake_set("Faults", faults);
    cr_assert_eq(fake_start(2500000, &why), 0, "%s", why.text);
}

static const Doppel__PoseReference *reference_out(void)
{
    return fake_sent(REFERENCE_OUT);
}

static const Doppel__PlannedPose *pose_out(void)
{
    return fake_sent(POSE_OUT);
}

static const Doppel__Wrench *wrench_out(void)
{
    return fake_sent(WRENCH_OUT);
}

static int n_sent(void)
{
    return fake.ports[REFERENCE_OUT].n_sent + fake.ports[POSE_OUT].n_sent +
           fake.ports[WRENCH_OUT].n_sent;
}

static void send_all(dpl_ns now, double value)
{
    Doppel__Pose6 pose = {.base = PROTOBUF_C_MESSAGE_INIT(&doppel__pose6__descriptor),
                          .x = value,
                          .y = 2,
                          .z = 3,
                          .roll = 4,
                          .pitch = 5,
                          .yaw = 1.0 / 3.0};
    Doppel__PoseReference reference = DOPPEL__POSE_REFERENCE__INIT;
    Doppel__PlannedPose planned = DOPPEL__PLANNED_POSE__INIT;
    Doppel__Wrench wrench = DOPPEL__WRENCH__INIT;
    reference.pose = planned.pose = &pose;
    planned.sequence = 77;
    wrench.force_x = value;
    wrench.torque_z = 6.0;
    wrench.valid = true;
    fake_receive(REFERENCE, &reference, now - 1);
    fake_receive(POSE, &planned, now - 2);
    fake_receive(WRENCH, &wrench, now - 3);
    fake_cycle(now, 2500000);
}

Test(fault_injector_glue, passes_each_stream_on_as_it_is_in_the_same_cycle)
{
    begin_with("");
    send_all(1000, -0.0);
    cr_assert(signbit(reference_out()->pose->x));
    cr_assert_eq(reference_out()->pose->yaw, 1.0 / 3.0);
    cr_assert_eq(pose_out()->pose->pitch, 5.0);
    cr_assert_eq(pose_out()->sequence, 77);
    cr_assert_eq(wrench_out()->torque_z, 6.0);
    cr_assert(wrench_out()->valid);
    cr_assert_eq(fake.ports[REFERENCE_OUT].stamp, 999);
    cr_assert_eq(fake.ports[POSE_OUT].stamp, 998);
    cr_assert_eq(fake.ports[WRENCH_OUT].stamp, 997);
    cr_assert_eq(fake_export("passed"), 3.0);
    cr_assert_eq(fake_export("active"), 0.0);
}

Test(fault_injector_glue, sends_nothing_where_nothing_came)
{
    begin_with("");
    fake_cycle(0, 2500000);
    cr_assert_eq(n_sent(), 0);
}

Test(fault_injector_glue, spoils_each_stream_alike)
{
    begin_with("0 spike 1 x 10; 0.001 dropout 1");
    send_all(0, 1.0);
    cr_assert_eq(reference_out()->pose->x, 11.0);
    cr_assert_eq(pose_out()->pose->x, 11.0);
    cr_assert_eq(wrench_out()->force_x, 11.0);
    cr_assert_eq(fake_export("active"), 3.0);
    send_all(DPL_MS, 1.0);
    cr_assert_eq(n_sent(), 3);
    send_all(2 * DPL_MS, 1.0);
    cr_assert_eq(pose_out()->pose->x, 1.0);
    cr_assert_eq(fake_export("changed"), 3.0);
    cr_assert_eq(fake_export("dropped"), 3.0);
    cr_assert_eq(fake_export("passed"), 6.0);
}

Test(fault_injector_glue, says_what_is_wrong_with_its_faults)
{
    fake_refuses("Faults", "1 nan 1; 2 bang", "Faults: character 12 (\"bang\")");
}
