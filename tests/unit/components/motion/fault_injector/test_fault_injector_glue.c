/* SPDX-License-Identifier: Apache-2.0 */
/* FaultInjector with fakes for the runtime: what passes, and what is done to it. */
#include <math.h>

#include "fake_runtime.h"

enum { REFERENCE, POSE, WRENCH, REFERENCE_OUT, POSE_OUT, WRENCH_OUT };

static struct dpl_diag why;

TestSuite(fault_injector_glue, .init = fake_begin, .fini = fake_end);

static void begin_with(const char *faults)
{
    fake_set("Faults", faults);
    cr_assert_eq(fake_start(2500000, &why), 0, "%s", why.text);
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
    cr_assert(signbit(fake.poses[REFERENCE_OUT].x));
    cr_assert_eq(fake.poses[REFERENCE_OUT].yaw, 1.0 / 3.0);
    cr_assert_eq(fake.poses[POSE_OUT].pitch, 5.0);
    cr_assert_eq(fake.bodies[POSE_OUT].planned.sequence, 77);
    cr_assert_eq(fake.bodies[WRENCH_OUT].wrench.torque_z, 6.0);
    cr_assert(fake.bodies[WRENCH_OUT].wrench.valid);
    cr_assert_eq(fake.stamps[REFERENCE_OUT], 999);
    cr_assert_eq(fake.stamps[POSE_OUT], 998);
    cr_assert_eq(fake.stamps[WRENCH_OUT], 997);
    cr_assert_eq(fake_export("passed"), 3.0);
    cr_assert_eq(fake_export("active"), 0.0);
}

Test(fault_injector_glue, sends_nothing_where_nothing_came)
{
    begin_with("");
    fake_cycle(0, 2500000);
    cr_assert_eq(fake.n_sent[REFERENCE_OUT] + fake.n_sent[POSE_OUT] + fake.n_sent[WRENCH_OUT], 0);
}

Test(fault_injector_glue, spoils_each_stream_alike)
{
    begin_with("0 spike 1 x 10; 0.001 dropout 1");
    send_all(0, 1.0);
    cr_assert_eq(fake.poses[REFERENCE_OUT].x, 11.0);
    cr_assert_eq(fake.poses[POSE_OUT].x, 11.0);
    cr_assert_eq(fake.bodies[WRENCH_OUT].wrench.force_x, 11.0);
    cr_assert_eq(fake_export("active"), 3.0);
    send_all(DPL_MS, 1.0);
    cr_assert_eq(fake.n_sent[REFERENCE_OUT] + fake.n_sent[POSE_OUT] + fake.n_sent[WRENCH_OUT], 3);
    send_all(2 * DPL_MS, 1.0);
    cr_assert_eq(fake.poses[POSE_OUT].x, 1.0);
    cr_assert_eq(fake_export("changed"), 3.0);
    cr_assert_eq(fake_export("dropped"), 3.0);
    cr_assert_eq(fake_export("passed"), 6.0);
}

Test(fault_injector_glue, says_what_is_wrong_with_its_faults)
{
    fake_refuses("Faults", "1 nan 1; 2 bang", "Faults: character 12 (\"bang\")");
}
