/* SPDX-License-Identifier: Apache-2.0 */
/* The six loops of an axes driver where cycles come late, not at all, or the modes open them. */
#include <criterion/criterion.h>

#include "axes_loops.h"

#define PERIOD_S 0.000625
#define SPEED    0.1
#define FRICTION 60.0

static struct axes_loops_properties properties;
static struct axes_loops loops;
static struct axes_motion motion;
static struct axes_loops_reading readings[DPL_AXES_N];

static void begin(void)
{
    properties = (struct axes_loops_properties){
        .servo = dpl_servo_default,
        .axis_kg = 70.0,
        .effort_limit_n = 2800.0,
        .friction_n = FRICTION,
    };
    axes_loops_init(&loops, &properties);
    axes_motion_init(&motion);
    motion.mode = DPL_AXES_ON;
}

TestSuite(axes_loops, .init = begin);

/* A cycle after `passed_s`, in which the axes moved by `moved_m`; the reference is where they are,
 * and as fast as they go all the time. */
static void step(double passed_s, double moved_m)
{
    for (int i = 0; i < DPL_AXES_N; i++) {
        readings[i].position_m += moved_m;
        readings[i].velocity_m_s = SPEED;
        readings[i].passed_s = passed_s;
        motion.reference.position_m[i] = readings[i].position_m;
        motion.reference.velocity_m_s[i] = SPEED;
    }
    axes_loops_step(&loops, &motion, readings, PERIOD_S);
}

static void expect_friction_alone(void)
{
    for (int i = 0; i < DPL_AXES_N; i++) {
        cr_assert_float_eq(loops.asked_n[i], FRICTION, 1e-3, "axis %d: %g N", i, loops.asked_n[i]);
    }
}

Test(axes_loops, take_over_axes_as_fast_as_they_move)
{
    step(0.0, 0.3);
    cr_assert(loops.closed);
    expect_friction_alone();
}

Test(axes_loops, take_the_time_that_really_passed_where_cycles_are_skipped)
{
    step(0.0, 0.3);
    step(PERIOD_S, SPEED * PERIOD_S);
    step(5.0 * PERIOD_S, 5.0 * SPEED * PERIOD_S);
    expect_friction_alone();
    step(PERIOD_S, SPEED * PERIOD_S);
    expect_friction_alone();
}

/* A process that was suspended with its world: an integral over a second would throw the axes. */
Test(axes_loops, go_on_without_a_kick_after_a_long_gap)
{
    step(0.0, 0.3);
    step(PERIOD_S, SPEED * PERIOD_S);
    step(1.0, 0.0);
    expect_friction_alone();
    step(PERIOD_S, SPEED * PERIOD_S);
    expect_friction_alone();
    cr_assert_eq(loops.n_limited, 0);
}

Test(axes_loops, keep_what_they_had_integrated_over_a_gap)
{
    step(0.0, 0.3);
    loops.servos[2].integral_m_s2 = 5.0;
    step(1.0, 0.0);
    cr_assert_float_eq(loops.asked_n[2], FRICTION + 5.0 * 70.0, 1e-3, "%g", loops.asked_n[2]);
}

Test(axes_loops, keep_the_effort_without_a_new_reading)
{
    step(0.0, 0.3);
    step(PERIOD_S, 0.0);
    double before = loops.asked_n[1];
    cr_assert_gt(before, 10.0 * FRICTION);
    step(0.0, 0.0);
    cr_assert_eq(loops.asked_n[1], before);
}

Test(axes_loops, open_without_torque_and_forget)
{
    step(0.0, 0.3);
    step(PERIOD_S, 0.0);
    motion.mode = DPL_AXES_OFF;
    step(PERIOD_S, 0.0);
    cr_assert_not(loops.closed);
    for (int i = 0; i < DPL_AXES_N; i++) {
        cr_assert_eq(loops.asked_n[i], 0.0);
    }
    motion.mode = DPL_AXES_ON;
    step(PERIOD_S, 0.0);
    expect_friction_alone();
}

Test(axes_loops, count_what_is_beyond_the_limit)
{
    step(0.0, 0.3);
    for (int i = 0; i < DPL_AXES_N; i++) {
        readings[i].position_m -= 0.1;
        readings[i].passed_s = PERIOD_S;
    }
    axes_loops_step(&loops, &motion, readings, PERIOD_S);
    cr_assert_eq(loops.asked_n[0], 2800.0);
    cr_assert_eq(loops.n_limited, DPL_AXES_N);
}
