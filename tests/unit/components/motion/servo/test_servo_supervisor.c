/* SPDX-License-Identifier: Apache-2.0 */
/* What a servo passes on to its axes, and when it stops them. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "supervisor.h"

#define TICK (625 * DPL_US)

static struct supervisor servo;
static struct supervisor_command command;
static struct dpl_axes_reference reference;
static double position[DPL_AXES_N];
static struct supervisor_input in;

static void begin(void)
{
    const struct supervisor_config config = {
        .reference_step_m = 0.002,
        .following_error_m = 0.003,
        .first_step_m = 0.001,
        .reference_timeout = 10 * DPL_MS,
        .command_timeout = 100 * DPL_MS,
        .halt_timeout = 50 * DPL_MS,
    };
    supervisor_init(&servo, &config);
    command = (struct supervisor_command){0};
    reference = (struct dpl_axes_reference){.position_m = {0.8, -0.7, 0.5, 0.8, -0.7, 0.5}};
    memcpy(position, reference.position_m, sizeof position);
    in = (struct supervisor_input){
        .command = &command, .reference = &reference, .valid = true, .position_m = position};
}

static unsigned step(void)
{
    in.now += TICK;
    return supervisor_step(&servo, &in);
}

/* Following, after the axes have come on. */
static void go_on(void)
{
    begin();
    command.axes_on = true;
    cr_assert_eq(step(), SERVO_ENABLE);
    cr_assert_eq(step(), 0);
    in.on = true;
    cr_assert_eq(step(), SERVO_FOLLOW);
}

/* Moves reference and axis 1 for some ticks at 0.8 m/s. */
static void move(int ticks)
{
    reference.velocity_m_s[0] = 0.8;
    for (int i = 0; i < ticks; i++) {
        position[0] = reference.position_m[0];
        reference.position_m[0] += 0.0005;
        cr_assert_eq(step(), SERVO_FOLLOW, "tick %d", i);
    }
    position[0] = reference.position_m[0];
}

static void expect_fault(unsigned actions, enum dpl_servo_fault fault, int axis)
{
    cr_assert_eq(actions, SERVO_STOP, "actions %x", actions);
    cr_assert_eq(servo.fault, fault, "%s", supervisor_fault_name(servo.fault));
    cr_assert_eq(servo.fault_axis, axis);
    cr_assert_eq(step(), 0, "it follows, or stops again, after its fault");
}

Test(servo_supervisor, follows_only_axes_that_are_on)
{
    go_on();
    move(100);
    cr_assert_eq(servo.fault, DPL_SERVO_FAULT_NONE);
    in.on = false;
    cr_assert_eq(step(), 0);
}

Test(servo_supervisor, acts_on_edges_of_the_command_once)
{
    go_on();
    command.axes_stop = true;
    cr_assert_eq(step(), SERVO_STOP);
    cr_assert_eq(step(), 0);
    command = (struct supervisor_command){0};
    cr_assert_eq(step(), SERVO_DISABLE);
    cr_assert_eq(step(), 0);
    command.reset = true;
    cr_assert_eq(step(), SERVO_RESET);
    cr_assert_eq(step(), 0);
}

Test(servo_supervisor, refuses_a_reference_that_jumps)
{
    go_on();
    move(10);
    reference.position_m[3] += 0.0021;
    expect_fault(step(), DPL_SERVO_FAULT_JUMP, 3);
    cr_assert_eq(servo.n_jumps, 1);
}

Test(servo_supervisor, refuses_a_reference_that_is_no_number)
{
    go_on();
    reference.position_m[2] = (double)NAN;
    expect_fault(step(), DPL_SERVO_FAULT_JUMP, 2);
}

/* The driver would refuse it, and the axes be without a reference that nobody misses. */
Test(servo_supervisor, refuses_a_reference_whose_derivatives_are_no_numbers)
{
    go_on();
    reference.velocity_m_s[4] = (double)NAN;
    expect_fault(step(), DPL_SERVO_FAULT_JUMP, 4);
    begin();
    go_on();
    reference.acceleration_m_s2[1] = (double)INFINITY;
    expect_fault(step(), DPL_SERVO_FAULT_JUMP, 1);
}

Test(servo_supervisor, refuses_a_first_reference_far_from_the_axes)
{
    begin();
    command.axes_on = true;
    step();
    in.on = true;
    reference.position_m[5] += 0.0011;
    expect_fault(step(), DPL_SERVO_FAULT_JUMP, 5);
}

Test(servo_supervisor, stops_when_references_end_in_motion_but_not_at_rest)
{
    go_on();
    in.reference = NULL;
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(step(), 0, "tick %d", i);
    }
    in.reference = &reference;
    step();
    move(10);
    in.reference = NULL;
    for (int i = 0; i < 16; i++) {
        cr_assert_eq(step(), 0, "tick %d", i);
    }
    expect_fault(step(), DPL_SERVO_FAULT_MISSING, -1);
}

Test(servo_supervisor, stops_when_an_axis_stays_behind)
{
    go_on();
    move(10);
    position[1] += 0.0029;
    cr_assert_eq(step(), SERVO_FOLLOW);
    cr_assert_float_eq(servo.max_error_m, 0.0029, 1e-12);
    position[1] += 0.0002;
    expect_fault(step(), DPL_SERVO_FAULT_FOLLOWING, 1);
}

Test(servo_supervisor, stops_when_nobody_commands_any_more)
{
    go_on();
    in.command = NULL;
    for (int i = 0; i < 160; i++) {
        cr_assert_eq(step(), SERVO_FOLLOW, "tick %d", i);
    }
    expect_fault(step(), DPL_SERVO_FAULT_SILENCE, -1);
}

Test(servo_supervisor, lets_the_path_brake_after_a_halt_but_not_for_ever)
{
    go_on();
    in.halt = true;
    move(81);
    reference.position_m[0] += 0.0005;
    expect_fault(step(), DPL_SERVO_FAULT_HALT, -1);

    go_on();
    in.halt = true;
    move(70);
    reference.velocity_m_s[0] = 0.0;
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(step(), SERVO_FOLLOW);
    }
}

Test(servo_supervisor, keeps_its_fault_until_a_reset)
{
    go_on();
    reference.position_m[0] += 1.0;
    expect_fault(step(), DPL_SERVO_FAULT_JUMP, 0);
    reference.position_m[0] -= 1.0;
    command.axes_on = false;
    cr_assert_eq(step(), SERVO_DISABLE);
    command.axes_on = true;
    cr_assert_eq(step(), 0, "it enables axes with a fault");
    command.axes_on = false;
    step();
    command.reset = true;
    cr_assert_eq(step(), SERVO_RESET);
    cr_assert_eq(servo.fault, DPL_SERVO_FAULT_NONE);
    command = (struct supervisor_command){.axes_on = true};
    cr_assert_eq(step() & SERVO_ENABLE, SERVO_ENABLE);
}

Test(servo_supervisor, does_not_put_axes_on_again_by_itself_after_a_loss)
{
    go_on();
    in.on = false; /* lost and found: off */
    cr_assert_eq(step(), 0);
    cr_assert_eq(step(), 0);
}

/* Lost and found within a cycle: who commands may not have noticed. */
Test(servo_supervisor, waits_for_off_and_on_when_it_begins_anew_while_it_is_on)
{
    go_on();
    supervisor_begin(&servo);
    in.on = false;
    cr_assert_eq(step(), 0, "enables by itself");
    in.on = true;
    cr_assert_eq(step(), 0, "follows by itself");
    command.axes_on = false;
    cr_assert_eq(step(), SERVO_DISABLE);
    in.on = false;
    command.axes_on = true;
    cr_assert_eq(step(), SERVO_ENABLE);
    in.on = true;
    cr_assert_eq(step(), SERVO_FOLLOW);
}

Test(servo_supervisor, begins_anew_where_the_axes_are_after_a_stop)
{
    go_on();
    move(10);
    command.axes_stop = true;
    step();
    command.axes_stop = false;
    position[0] += 0.0015; /* where the axes came to rest */
    expect_fault(step(), DPL_SERVO_FAULT_JUMP, 0);
}

Test(servo_supervisor, names_its_faults)
{
    for (int fault = DPL_SERVO_FAULT_FOLLOWING; fault <= DPL_SERVO_FAULT_HALT; fault++) {
        cr_assert_str_neq(supervisor_fault_name((enum dpl_servo_fault)fault), "unknown");
    }
}
