/* SPDX-License-Identifier: Apache-2.0 */
/* Planner, path and kinematics together: what the axes get for what the machine is told. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/msg/axes.h>

#include "chain.h"
#include "hexa_ik.h"
#include "pose6.h"

#define NEAR(value, expected, tolerance)                                                           \
    cr_assert_float_eq(value, expected, tolerance, "%.12g, not %.12g", value, (double)(expected))

#define STOPPED    DOPPEL__MACHINE_STATE__MACHINE_STOPPED
#define HOMING     DOPPEL__MACHINE_STATE__MACHINE_HOMING
#define POSITION   DOPPEL__MACHINE_STATE__MACHINE_POSITION
#define ADMITTANCE DOPPEL__MACHINE_STATE__MACHINE_ADMITTANCE
#define STOPPING   DOPPEL__MACHINE_STATE__MACHINE_STOPPING

#define MODE(name_) DOPPEL__PLANNER_MODE__PLANNER_##name_

#define TICKS_A_SECOND 1600

static const double away[6] = {0.05, -0.03, 0.56, 0.01, 0.02, -0.01};

static const Doppel__PlannerState *planner(void)
{
    return chain_newest(CHAIN_PLANNER, PLANNER_STATE);
}

static const Doppel__PathState *path(void)
{
    return chain_newest(CHAIN_PATH, PATH_STATE);
}

static const Doppel__AxisReference *reference(void)
{
    return chain_newest(CHAIN_PATH, PATH_REFERENCE);
}

static void measured(double *ret_pose)
{
    const Doppel__MeasuredPose *pose = chain_newest(CHAIN_KINEMATICS, KINEMATICS_MEASURED);
    cr_assert(pose->valid);
    dpl_pose6_get(pose->pose, ret_pose);
}

static void planned(double *ret_pose)
{
    const Doppel__PlannedPose *pose = chain_newest(CHAIN_PLANNER, PLANNER_POSE);
    dpl_pose6_get(pose->pose, ret_pose);
}

static void stand_at(const double *pose)
{
    cr_assert_eq(dpl_hexa_ik(&dpl_hexa_reference, pose, chain.axes), 0);
}

static void begin(void)
{
    chain_prepare();
    cr_assert_eq(chain_start(), 0, "%s", chain_error.text);
}

static void switch_on(void)
{
    chain_run(8);
    chain.axes_on = true;
    chain_run(40);
}

/* Slow sines about home: the planner's stages have nothing to do but the ramp. */
static void swing(int planner_ticks, double size)
{
    for (int k = 0; k < planner_ticks; k++) {
        double t = dpl_ns_to_s(chain.now);
        chain.reference[0] = 0.1 * size * sin(3.0 * t);
        chain.reference[1] = 0.05 * size * sin(2.0 * t + 1.0);
        chain.reference[2] = 0.54 + 0.05 * size * sin(4.0 * t + 2.0);
        chain.reference[4] = 0.05 * size * sin(5.0 * t);
        chain_run(CHAIN_PLANNER_TICKS);
    }
}

/* The limits hold for all that was planned. */
static void assert_limits(void)
{
    cr_assert_leq(chain_export(CHAIN_PLANNER, "greatest_acceleration_share"), 1.0 + 1e-9);
    cr_assert_leq(chain_export(CHAIN_PLANNER, "greatest_level_hard"), 1.0);
}

Test(motion_chain, rests_where_the_platform_is_while_the_axes_are_off)
{
    double pose[6];
    begin();
    stand_at(away);
    chain_run(2);
    measured(pose);
    for (int i = 0; i < 6; i++) {
        NEAR(pose[i], away[i], 1e-9);
        NEAR(reference()->position[i], chain.axes[i], 1e-9);
        cr_assert_eq(reference()->velocity[i], 0.0);
    }
    chain.axes[2] += 0.001; /* pushed by hand */
    chain_run(2);
    NEAR(reference()->position[2], chain.axes[2], 1e-9);
    cr_assert_not(path()->moving);
    cr_assert_eq(planner()->mode, MODE(IDLE));
    cr_assert(planner()->at_rest);
}

Test(motion_chain, begins_where_it_stands_when_the_axes_come_on)
{
    begin();
    stand_at(away);
    chain_run(2);
    double stood[6];
    memcpy(stood, chain.axes, sizeof stood);
    switch_on();
    chain_run(TICKS_A_SECOND);
    for (int i = 0; i < 6; i++) {
        NEAR(reference()->position[i], stood[i], 1e-9);
    }
    cr_assert_eq(chain_export(CHAIN_PATH, "synthesised"), 0.0);
    cr_assert_eq(planner()->mode, MODE(IDLE));
    cr_assert_not(path()->moving);
}

Test(motion_chain, gives_no_reference_before_the_platform_is_known)
{
    begin();
    chain.axes_valid = false;
    chain_run(8);
    cr_assert_eq(chain_count(CHAIN_PATH, PATH_REFERENCE), 0);
    cr_assert_eq(chain_count(CHAIN_PATH, PATH_STATE), 0);
    cr_assert_eq(chain_count(CHAIN_PLANNER, PLANNER_POSE), 0);
    cr_assert_eq(planner()->mode, MODE(IDLE));
    chain.axes_valid = true;
    chain_run(8);
    cr_assert_gt(chain_count(CHAIN_PATH, PATH_REFERENCE), 0);
}

Test(motion_chain, moves_to_a_target_and_says_when_it_is_there)
{
    double pose[6];
    begin();
    stand_at(away);
    switch_on();
    chain_command(HOMING);
    chain_run(TICKS_A_SECOND);
    cr_assert_eq(planner()->mode, MODE(SYNCING));
    cr_assert_eq(planner()->epoch, 1);
    cr_assert(path()->moving);
    cr_assert_not(planner()->at_rest);
    chain_run(2 * TICKS_A_SECOND);
    cr_assert_eq(planner()->mode, MODE(FOLLOWING));
    cr_assert(planner()->at_rest);
    cr_assert_not(path()->moving);
    measured(pose);
    for (int i = 0; i < 6; i++) {
        NEAR(pose[i], dpl_hexa_reference.home[i], 1e-9);
    }
    assert_limits();
}

Test(motion_chain, plans_the_reference_to_the_last_bit_once_it_is_in)
{
    double pose[6];
    begin();
    switch_on();
    chain.has_reference = true;
    swing(4, 1.0);
    chain_command(ADMITTANCE);
    swing(4, 1.0);
    cr_assert_eq(planner()->mode, MODE(SYNCING));
    swing(1000, 1.0);
    cr_assert_eq(planner()->mode, MODE(FOLLOWING));
    for (int k = 0; k < 1000; k++) {
        swing(1, 1.0);
        planned(pose);
        cr_assert_eq(memcmp(pose, chain.reference, sizeof pose), 0);
        cr_assert_eq(planner()->acted, 0);
    }
    cr_assert_eq(chain_export(CHAIN_PATH, "synthesised"), 0.0);
    cr_assert_eq(chain_export(CHAIN_PATH, "late_poses"), 0.0);
    cr_assert_eq(chain_export(CHAIN_PATH, "off_nominal"), 0.0);
    cr_assert_eq(chain_export(CHAIN_PATH, "overruns"), 0.0);
    cr_assert_eq(chain_export(CHAIN_PLANNER, "resumed_foreign"), 0.0);
    cr_assert_eq(chain_export(CHAIN_KINEMATICS, "fk_failures"), 0.0);
    assert_limits();
}

/* The planned pose of four poses ago: 10 ms. */
Test(motion_chain, brings_the_platform_where_the_reference_was_10_ms_ago)
{
    double pose[6], late[5][6];
    begin();
    switch_on();
    chain.has_reference = true;
    chain_command(ADMITTANCE);
    swing(1200, 1.0);
    for (int k = 0; k < 400; k++) {
        memmove(late[1], late[0], 4 * sizeof late[0]);
        swing(1, 1.0);
        measured(pose);
        memcpy(late[0], chain.reference, sizeof late[0]);
        for (int i = 0; k > 4 && i < 6; i++) {
            /* measured at the end of the planner's period: 5/8 of a move later */
            NEAR(pose[i], late[3][i], 0.001);
        }
    }
}

Test(motion_chain, brakes_before_it_begins_another_motion)
{
    begin();
    switch_on();
    chain.has_reference = true;
    chain_command(ADMITTANCE);
    swing(1000, 2.0);
    chain_command(POSITION);
    memcpy(chain.target, away, sizeof away);
    swing(2, 2.0);
    cr_assert_eq(planner()->mode, MODE(BRAKING));
    cr_assert_eq(planner()->epoch, 2);
    swing(1400, 2.0);
    cr_assert_eq(planner()->mode, MODE(FOLLOWING));
    assert_limits();
    cr_assert_eq(chain_export(CHAIN_PLANNER, "starts"), 2.0);
}

static void stops_by(void (*cause)(void))
{
    begin();
    switch_on();
    chain.has_reference = true;
    chain_command(ADMITTANCE);
    swing(1000, 1.0);
    cause();
    swing(2, 1.0);
    cr_assert_eq(planner()->mode, MODE(BRAKING));
    swing(400, 1.0);
    cr_assert_eq(planner()->mode, MODE(IDLE));
    cr_assert(planner()->at_rest);
    cr_assert_not(path()->moving);
    assert_limits();
}

static void command_stop(void)
{
    chain_command(STOPPING);
}

static void halt(void)
{
    chain.halt = 1;
}

Test(motion_chain, brakes_along_the_path_when_it_is_told_to_stop)
{
    stops_by(command_stop);
}

Test(motion_chain, brakes_when_the_application_halts_and_then_begins_anew)
{
    stops_by(halt);
    chain.halt = 0;
    swing(4, 1.0);
    cr_assert_eq(planner()->mode, MODE(SYNCING));
    swing(1200, 1.0);
    cr_assert_eq(planner()->mode, MODE(FOLLOWING));
    assert_limits();
}

Test(motion_chain, faults_when_references_stay_away_and_goes_on_with_a_new_epoch)
{
    begin();
    switch_on();
    chain.has_reference = true;
    chain_command(ADMITTANCE);
    swing(1000, 1.0);
    chain.has_reference = false;
    swing(300, 1.0);
    cr_assert_eq(planner()->mode, MODE(FOLLOWING));
    cr_assert_gt(planner()->acted, 0);
    swing(300, 1.0);
    cr_assert_eq(planner()->mode, MODE(FAULT));
    cr_assert(planner()->at_rest);
    cr_assert_eq(chain_export(CHAIN_PLANNER, "planner_faults"), 1.0);
    cr_assert_gt(chain_export(CHAIN_PLANNER, "rejected"), 398.0);
    chain.has_reference = true;
    swing(100, 1.0);
    cr_assert_eq(planner()->mode, MODE(FAULT));
    chain_command(ADMITTANCE);
    swing(1000, 1.0);
    cr_assert_eq(planner()->mode, MODE(FOLLOWING));
    assert_limits();
}

static double last_velocity[6], greatest_step;

/* The path's own acceleration, from the difference of velocities. */
static void watch_velocity(void)
{
    for (int i = 0; i < 6; i++) {
        double step = fabs(reference()->velocity[i] - last_velocity[i]);
        greatest_step = fmax(greatest_step, step);
        last_velocity[i] = reference()->velocity[i];
    }
}

Test(motion_chain, brakes_by_itself_while_the_planner_is_late_and_finds_back)
{
    double pose[6];
    begin();
    switch_on();
    chain.has_reference = true;
    chain_command(ADMITTANCE);
    swing(1000, 1.0);
    chain.each_tick = watch_velocity;
    watch_velocity();
    greatest_step = 0.0;
    chain.planner_is_late = true;
    swing(40, 1.0);
    chain.planner_is_late = false;
    cr_assert_gt(chain_export(CHAIN_PATH, "synthesised"), 2.0);
    swing(1600, 1.0);
    cr_assert_gt(chain_export(CHAIN_PLANNER, "resumed_foreign"), 0.0);
    cr_assert_eq(planner()->mode, MODE(FOLLOWING));
    planned(pose);
    cr_assert_eq(memcmp(pose, chain.reference, sizeof pose), 0);
    assert_limits();
    /* axes by pose: 10 m/s2 along x, 20 rad/s2 at an arm of 0.3 m; the time base adds to it */
    cr_assert_leq(greatest_step, 1.5 * (10.0 + 20.0 * 0.3) * 0.000625);
}

Test(motion_chain, skips_ticks_when_the_path_does_not_move_on)
{
    begin();
    switch_on();
    chain.has_reference = true;
    chain_command(ADMITTANCE);
    swing(1000, 1.0);
    int poses = chain_count(CHAIN_PLANNER, PLANNER_POSE);
    chain.path_is_late = true;
    swing(1, 1.0);
    chain.path_is_late = false;
    swing(40, 1.0);
    cr_assert_gt(chain_count(CHAIN_PLANNER, PLANNER_POSE), poses + 30);
    cr_assert_eq(planner()->mode, MODE(FOLLOWING));
    assert_limits();
}

Test(motion_chain, finds_back_after_poses_were_lost)
{
    double pose[6];
    begin();
    switch_on();
    chain.has_reference = true;
    chain_command(ADMITTANCE);
    swing(1000, 1.0);
    chain.path_is_late = true;
    swing(200, 1.0);
    chain.path_is_late = false;
    swing(1, 1.0);
    cr_assert_gt(chain_export(CHAIN_PATH, "late_poses") + chain_export(CHAIN_PATH, "overruns"), 0);
    swing(1600, 1.0);
    planned(pose);
    cr_assert_eq(memcmp(pose, chain.reference, sizeof pose), 0);
    cr_assert_eq(path()->distance, 2);
    assert_limits();
}

Test(motion_chain, rests_at_the_axes_when_they_drop_out_and_begins_there_again)
{
    double dropped[6];
    begin();
    switch_on();
    chain.has_reference = true;
    chain_command(ADMITTANCE);
    swing(1000, 1.0);
    chain.axes_on = false;
    chain_command(STOPPED);
    chain_run(8);
    memcpy(dropped, chain.axes, sizeof dropped);
    for (int i = 0; i < 6; i++) {
        NEAR(reference()->position[i], dropped[i], 1e-9);
    }
    chain.axes_on = true;
    chain_run(80);
    for (int i = 0; i < 6; i++) {
        NEAR(reference()->position[i], dropped[i], 1e-9);
    }
    chain_command(ADMITTANCE);
    swing(1000, 1.0);
    cr_assert_eq(planner()->mode, MODE(FOLLOWING));
    assert_limits();
}

Test(motion_chain, plans_nothing_from_outside_of_the_workspace)
{
    const double outside[6] = {0.2, 0.1, 0.6, 0.0, 0.0, 0.0};
    chain_prepare();
    chain_set(CHAIN_PLANNER, "HardSemiAxes", "0.1 0.1 0.1 0.1 0.1 0.1");
    cr_assert_eq(chain_start(), 0, "%s", chain_error.text);
    stand_at(outside);
    switch_on();
    cr_assert_eq(planner()->mode, MODE(IDLE));
    cr_assert_not_null(strstr(chain.log, "outside"));
    int lines = chain.log_lines;
    chain_command(HOMING);
    chain_run(100);
    cr_assert_eq(planner()->mode, MODE(FAULT));
    cr_assert_eq(chain_count(CHAIN_PLANNER, PLANNER_POSE), 0);
    cr_assert_eq(chain.log_lines, lines);
}

Test(motion_chain, does_not_go_to_a_target_outside_of_the_soft_ellipsoid)
{
    chain_prepare();
    cr_assert_eq(chain_start(), 0);
    chain_run(8);
    chain.axes_on = true;
    chain_run(16);
    static const double too_far[] = {0.54 + 0.86 * 0.15, 9.0, 1e9, (double)INFINITY};
    for (size_t i = 0; i < sizeof too_far / sizeof too_far[0]; i++) {
        chain.target[2] = too_far[i];
        chain_command(DOPPEL__MACHINE_STATE__MACHINE_POSITION);
        chain_run(80);
        const Doppel__PlannerState *state = chain_newest(CHAIN_PLANNER, PLANNER_STATE);
        cr_assert_eq(state->obstacle, DOPPEL__PLANNER_OBSTACLE__OBSTACLE_TARGET);
        cr_assert(state->at_rest);
        cr_assert_eq(state->level_hard, 0.0, "it has moved");
        cr_assert_neq(state->mode, DOPPEL__PLANNER_MODE__PLANNER_FAULT);
    }
    chain.target[2] = 0.54 + 0.84 * 0.15;
    chain_command(DOPPEL__MACHINE_STATE__MACHINE_POSITION);
    chain_run(80);
    const Doppel__PlannerState *state = chain_newest(CHAIN_PLANNER, PLANNER_STATE);
    cr_assert_eq(state->obstacle, DOPPEL__PLANNER_OBSTACLE__OBSTACLE_NONE);
    cr_assert_not(state->at_rest);
}

Test(motion_chain, is_held_at_the_soft_ellipsoid)
{
    begin();
    switch_on();
    chain.has_reference = true;
    chain_command(ADMITTANCE);
    swing(1000, 1.0);
    for (int k = 0; k < 1200; k++) {
        chain.reference[0] = 0.1 + 0.2 * k / 400.0;
        chain_run(CHAIN_PLANNER_TICKS);
    }
    cr_assert_eq(planner()->mode, MODE(DEFLECTING));
    cr_assert_leq(planner()->level_hard, 1.0);
    assert_limits();
}

/* A sine of 2 Hz on x about 0, at that share of the acceleration limit. */
static void shake(int ticks, double share)
{
    static int k;
    double omega = 2.0 * 3.14159265358979323846 * 2.0;
    for (int n = 0; n < ticks; n++, k++) {
        chain.reference[0] = share * 10.0 / (omega * omega) * sin(omega * 0.0025 * k);
        chain_run(CHAIN_PLANNER_TICKS);
    }
}

Test(motion_chain, says_once_that_the_acceleration_limits_hold_it_off_its_reference)
{
    begin();
    switch_on();
    chain.has_reference = true;
    chain_command(ADMITTANCE);
    shake(1200, 0.3);
    int told = chain.log_lines;
    shake(380, 1.5);
    cr_assert_eq(chain.log_lines, told);
    cr_assert_gt(chain_export(CHAIN_PLANNER, "behind_for"), 0.8);
    shake(1200, 1.5);
    cr_assert_eq(chain.log_lines, told + 1);
    cr_assert_not_null(strstr(chain.log, "off its reference"), "%s", chain.log);
    cr_assert_not_null(strstr(chain.log, "x by"), "%s", chain.log);
    cr_assert_eq(chain_export(CHAIN_PLANNER, "behind"), 1.0);
    shake(800, 0.3);
    cr_assert_eq(chain_export(CHAIN_PLANNER, "behind_for"), 0.0);
    cr_assert_gt(chain_export(CHAIN_PLANNER, "longest_behind"), 3.0);
    cr_assert_eq(chain.log_lines, told + 2);
    cr_assert_not_null(strstr(chain.log, "again"), "%s", chain.log);
    assert_limits();
}

Test(motion_chain, returns_home_and_waits_after_an_excursion_if_it_shall)
{
    chain_prepare();
    chain_set(CHAIN_PLANNER, "ExcursionPolicy", "return_home");
    cr_assert_eq(chain_start(), 0, "%s", chain_error.text);
    switch_on();
    chain.has_reference = true;
    chain_command(ADMITTANCE);
    swing(1000, 1.0);
    chain.reference[0] = 1.0;
    chain_run(TICKS_A_SECOND);
    cr_assert_eq(planner()->mode, MODE(RETURNING));
    chain_run(4 * TICKS_A_SECOND);
    cr_assert_eq(planner()->mode, MODE(WAITING));
    cr_assert(planner()->at_rest);
    chain_command(ADMITTANCE);
    swing(1000, 1.0);
    cr_assert_eq(planner()->mode, MODE(FOLLOWING));
    assert_limits();
}
