/* SPDX-License-Identifier: Apache-2.0 */
/* The HIL driver of axes over two mocks: who gets what, whose failures count, what the avatar's
 * axes follow. */
#include <errno.h>
#include <math.h>

#include <doppel/device.h>

#include "axes_bench.h"

enum { HARDWARE, SIMULATION };

#define HIL "Servo.ApiName=hil", "Servo.HardwareDriver=mock", "Servo.SimulationDriver=mock"

static const char *const plain[] = {HIL, NULL};
static const char *const uncorrected[] = {HIL, "Servo.Correction=off", NULL};

static struct dpl_axes_state read_side(struct dpl_component *from, size_t side)
{
    struct dpl_axes_state now = {0};
    cr_assert_eq(dpl_axes_read_side(dpl_component_device(from), side, &now), 0);
    return now;
}

static double apart(struct dpl_component *from)
{
    return fabs(read_side(from, HARDWARE).position_m[0] -
                read_side(from, SIMULATION).position_m[0]);
}

STEP(enable)
{
    cr_assert_eq(dpl_axes_enable(dpl_component_device(from)), 0);
}

STEP(disable)
{
    axes_bench.lead = false;
    cr_assert_eq(dpl_axes_disable(dpl_component_device(from)), 0);
}

STEP(stop)
{
    axes_bench.lead = false;
    cr_assert_eq(dpl_axes_stop(dpl_component_device(from)), 0);
}

STEP(go)
{
    axes_lead(from, tick);
    axes_bench.speed_m_s = 0.05;
}

STEP(expect_together)
{
    cr_assert_eq(read_side(from, HARDWARE).mode, DPL_AXES_ON);
    cr_assert_eq(read_side(from, SIMULATION).mode, DPL_AXES_ON);
    cr_assert_lt(apart(from), 3e-4, "%g m apart", apart(from));
    cr_assert_eq(axes_bench.follow_error, 0);
}

STEP(expect_both_off)
{
    cr_assert_eq(read_side(from, HARDWARE).mode, DPL_AXES_OFF);
    cr_assert_eq(read_side(from, SIMULATION).mode, DPL_AXES_OFF);
}

STEP(expect_both_at_rest)
{
    cr_assert_lt(fabs(read_side(from, HARDWARE).velocity_m_s[0]), 1e-3);
    cr_assert_lt(fabs(read_side(from, SIMULATION).velocity_m_s[0]), 1e-3);
    cr_assert_lt(apart(from), 3e-4, "%g m apart", apart(from));
}

Test(axes_hil, leads_both_sides)
{
    AXES_RUN(3.0, plain, {0.02, enable}, {0.1, go}, {1.0, expect_together}, {1.1, stop},
             {1.5, expect_both_at_rest}, {1.6, disable}, {2.0, expect_both_off});
    AXES_RUN(3.0, uncorrected, {0.02, enable}, {0.1, go}, {1.0, expect_together}, {1.1, stop},
             {1.5, expect_both_at_rest}, {1.6, disable}, {2.0, expect_both_off});
}

STEP(expect_apart)
{
    cr_assert_float_eq(apart(from), 0.002, 3e-4, "%g m apart", apart(from));
}

#define OFFSET "Servo.hardware.Faults=1 offset 1 0 0.002"

Test(axes_hil, lets_the_avatar_follow_where_the_hardware_is)
{
    static const char *const corrected[] = {HIL, OFFSET, NULL};
    AXES_RUN(2.0, corrected, {0.02, enable}, {0.1, go}, {0.9, expect_together},
             {1.001, expect_apart}, {1.5, expect_together});
}

Test(axes_hil, lets_the_avatar_follow_the_references_without_correction)
{
    static const char *const sets[] = {HIL, OFFSET, "Servo.Correction=off", NULL};
    AXES_RUN(2.0, sets, {0.02, enable}, {0.1, go}, {0.9, expect_together}, {1.5, expect_apart});
}

STEP(expect_hardware_alone)
{
    cr_assert_eq(axes_read(from).mode, DPL_AXES_ON);
    cr_assert_eq(axes_bench.follow_error, 0);
    cr_assert_not(dpl_device_is_lost(dpl_component_device(from)));
    cr_assert_eq(axes_bench.execute_error, 0);
}

Test(axes_hil, goes_on_without_the_avatar_and_takes_it_back)
{
    static const char *const sets[] = {
        HIL, "Servo.simulation.Faults=0.5 lost 0 0.3; 1.5 drive_fault 1 0.1", NULL};
    AXES_RUN(3.5, sets, {0.02, enable}, {0.1, go}, {0.6, expect_hardware_alone},
             {1.4, expect_together}, {1.51, expect_hardware_alone}, {3.4, expect_together});
}

static int n_cycles;

STEP(count_cycle)
{
    n_cycles++;
    cr_assert_eq(tick->halt, 0);
}

static int cycles_with_loss(const char *policy)
{
    n_cycles = 0;
    struct bench bench = {.file = UNIT "/drivers/axes/data/axes.xml",
                          .sets = {HIL, "Servo.simulation.Faults=0.5 lost 0 0", policy},
                          .duration_s = 0.625,
                          .instead = &axes_bench_class,
                          .each_cycle = count_cycle};
    memset(&axes_bench, 0, sizeof axes_bench);
    bench_run(&bench);
    return n_cycles;
}

/* A component whose device is lost is not run any more: from 0.5 s on, cycle 801. */
Test(axes_hil, halts_for_a_lost_avatar_only_when_told_to)
{
    cr_assert_eq(cycles_with_loss("Servo.OnSimulationLost=continue"), 1000);
    cr_assert_eq(cycles_with_loss("Servo.OnSimulationLost=stop"), 801);
}

STEP(expect_hardware_fault)
{
    cr_assert_eq(axes_read(from).mode, DPL_AXES_FAULT);
    cr_assert_eq(axes_bench.follow_error, -EPERM);
}

STEP(expect_avatar_beside_it)
{
    cr_assert_lt(apart(from), 1e-3, "%g m apart", apart(from));
    cr_assert_lt(fabs(read_side(from, HARDWARE).velocity_m_s[0]), 1e-3);
}

Test(axes_hil, lets_the_avatar_coast_as_hardware_with_a_fault_does)
{
    static const char *const sets[] = {HIL, "Servo.hardware.Faults=1 drive_fault 1 0.1", NULL};
    AXES_RUN(3.0, sets, {0.02, enable}, {0.1, go}, {1.01, expect_hardware_fault},
             {2.5, expect_avatar_beside_it});
}

STEP(skip_cycles)
{
    axes_bench.speed_m_s = 0.2;
    axes_bench.skipped = 2;
}

STEP(expect_beside_it)
{
    cr_assert_eq(axes_read(from).mode, DPL_AXES_ON);
    cr_assert_lt(apart(from), 1e-3, "%g m apart", apart(from));
    cr_assert_gt(fabs(read_side(from, SIMULATION).velocity_m_s[0]), 0.19);
}

/* What the hardware did meanwhile is no jump, however many cycles the clock has skipped. */
Test(axes_hil, keeps_the_avatar_beside_hardware_where_cycles_are_skipped)
{
    AXES_RUN(2.0, plain, {0.02, enable}, {0.1, go}, {0.6, skip_cycles}, {0.9, expect_beside_it},
             {1.6, expect_beside_it});
}

STEP(expect_no_third_side)
{
    struct dpl_axes_state now;
    cr_assert_eq(dpl_axes_read_side(dpl_component_device(from), 2, &now), -EINVAL);
}

Test(axes_hil, has_two_sides)
{
    AXES_RUN(0.1, plain, {0.02, expect_no_third_side});
}
