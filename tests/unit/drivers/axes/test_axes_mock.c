/* SPDX-License-Identifier: Apache-2.0 */
/* The mock driver of axes: it follows, and every fault of its plan does what it says. */
#include <errno.h>
#include <math.h>

#include "axes_bench.h"

static const char *const plain[] = {NULL};
static const char *const ideal[] = {"Servo.Model=ideal", NULL};

STEP(enable)
{
    cr_assert_eq(dpl_axes_enable(dpl_component_device(from)), 0);
}

STEP(go)
{
    axes_lead(from, tick);
    axes_bench.speed_m_s = 0.1;
}

STEP(halt)
{
    axes_bench.speed_m_s = 0.0;
}

STEP(expect_home)
{
    static const double home[DPL_AXES_N] = {0.856792452437, -0.699375929539, 0.550247635031,
                                            0.856792452437, -0.699375929539, 0.550247635031};
    struct dpl_axes_state now = axes_read(from);
    cr_assert(now.valid);
    cr_assert_eq(now.mode, DPL_AXES_OFF);
    for (int i = 0; i < DPL_AXES_N; i++) {
        cr_assert_float_eq(now.position_m[i], home[i], 1e-12);
    }
}

STEP(expect_near)
{
    struct dpl_axes_state now = axes_read(from);
    double error = axes_bench.reference.position_m[0] - now.position_m[0];
    cr_assert_eq(now.mode, DPL_AXES_ON);
    cr_assert_float_eq(now.velocity_m_s[0], 0.1, 2e-3);
    cr_assert_lt(fabs(error), 2e-4, "%g m away", error);
    cr_assert_float_eq(now.velocity_m_s[1], 0.0, 1e-6);
}

STEP(expect_there)
{
    struct dpl_axes_state now = axes_read(from);
    cr_assert_float_eq(now.position_m[0], axes_bench.reference.position_m[0], 1e-5);
    cr_assert_gt(now.position_m[0], 0.856792 + 0.09);
}

Test(axes_mock, begins_at_home_and_follows)
{
    AXES_RUN(3.0, plain, {0.01, expect_home}, {0.02, enable}, {0.1, go}, {1.0, expect_near},
             {1.1, halt}, {2.0, expect_there});
    AXES_RUN(3.0, ideal, {0.01, expect_home}, {0.02, enable}, {0.1, go}, {1.0, expect_near},
             {1.1, halt}, {2.0, expect_there});
}

STEP(expect_fault)
{
    struct dpl_axes_state now = axes_read(from);
    cr_assert_eq(now.mode, DPL_AXES_FAULT);
    cr_assert_eq(now.fault, 0x1000);
    cr_assert_eq(now.fault_axis, 2);
    cr_assert_eq(axes_bench.follow_error, -EPERM);
}

STEP(reset)
{
    axes_bench.lead = false;
    cr_assert_eq(dpl_axes_reset(dpl_component_device(from)), 0);
}

STEP(expect_off)
{
    cr_assert_eq(axes_read(from).mode, DPL_AXES_OFF);
}

Test(axes_mock, reports_a_drive_fault_until_a_reset)
{
    static const char *const sets[] = {"Servo.Faults=1 drive_fault 3 0.1", NULL};
    AXES_RUN(3.0, sets, {0.02, enable}, {0.1, go}, {0.99, expect_near}, {1.01, expect_fault},
             {2.0, expect_fault}, {2.1, reset}, {2.2, expect_off}, {2.3, enable});
}

STEP(expect_no_answer)
{
    struct dpl_axes_state now;
    struct dpl_device *device = dpl_component_device(from);
    cr_assert_eq(axes_bench.execute_error, -ENODEV);
    cr_assert_eq(dpl_axes_read(device, &now), -ENODEV);
    cr_assert_eq(dpl_axes_enable(device), -ENODEV);
    cr_assert_eq(axes_bench.follow_error, -ENODEV);
}

Test(axes_mock, stops_and_is_off_after_a_silence)
{
    static const char *const sets[] = {"Servo.Faults=1 silent 0 0.5", NULL};
    AXES_RUN(2.0, sets, {0.02, enable}, {0.1, go}, {0.99, expect_near}, {1.01, expect_no_answer},
             {1.6, expect_off});
}

STEP(expect_off_and_at_rest)
{
    struct dpl_axes_state now = axes_read(from);
    cr_assert_eq(now.mode, DPL_AXES_OFF);
    cr_assert_float_eq(now.velocity_m_s[0], 0.0, 1e-9); /* friction went on while it was lost */
    cr_assert_lt(fabs(axes_bench.reference.position_m[0] - now.position_m[0]), 0.05);
}

Test(axes_mock, is_found_again_after_a_loss)
{
    static const char *const sets[] = {"Servo.Faults=1 lost 0 0.5", NULL};
    AXES_RUN(2.0, sets, {0.02, enable}, {0.1, go}, {0.99, expect_near},
             {1.51, expect_off_and_at_rest});
}

static struct dpl_axes_state before;

STEP(note)
{
    before = axes_read(from);
}

STEP(expect_stuck)
{
    struct dpl_axes_state now = axes_read(from);
    cr_assert_eq(now.position_m[0], before.position_m[0]);
    cr_assert_eq(now.velocity_m_s[0], 0.0);
    cr_assert_eq(now.mode, DPL_AXES_ON);
}

Test(axes_mock, reports_a_position_that_is_stuck_while_the_axis_goes_on)
{
    static const char *const sets[] = {"Servo.Faults=1 stuck 1 0.5", NULL};
    AXES_RUN(2.0, sets, {0.02, enable}, {0.1, go}, {1.005, note}, {1.02, expect_stuck},
             {1.4, expect_stuck}, {1.6, expect_near});
}

STEP(expect_offset)
{
    struct dpl_axes_state now = axes_read(from);
    cr_assert_float_eq(now.position_m[0] - before.position_m[0], 0.001, 1e-6);
    cr_assert_float_eq(now.position_m[1], before.position_m[1], 1e-6);
    cr_assert_eq(now.mode, DPL_AXES_ON);
}

STEP(expect_no_offset)
{
    cr_assert_float_eq(axes_read(from).position_m[0], before.position_m[0], 1e-6);
}

Test(axes_mock, reports_positions_that_are_off)
{
    static const char *const sets[] = {"Servo.Faults=1 offset 1 0.5 0.001", NULL};
    AXES_RUN(2.0, sets, {0.02, enable}, {0.1, axes_lead}, {0.99, note}, {1.4, expect_offset},
             {1.6, expect_no_offset});
}

Test(axes_mock, says_what_is_wrong_with_its_properties)
{
    struct bench bench = {.file = UNIT "/drivers/axes/data/axes.xml", .instead = &axes_bench_class};
    bench.sets[0] = "Servo.Faults=1 burn 1 1";
    cr_assert_lt(bench_create_error(&bench), 0);
    cr_assert_not_null(strstr(bench_error(), "Faults: character 3"), "%s", bench_error());
    bench.sets[0] = "Servo.Start=1 2 3";
    cr_assert_lt(bench_create_error(&bench), 0);
    cr_assert_not_null(strstr(bench_error(), "Start: character 1"), "%s", bench_error());
}
