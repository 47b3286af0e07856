/* SPDX-License-Identifier: Apache-2.0 */
/* The application Hexafloat over mock axes: whole stories with faults, how the machine comes to
 * rest and what it takes to move again. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "bench.h"

#define ADMITTANCE "0.2 enable; 0.5 home; 3 admittance;"
#define AGAIN      "7 reset; 7.3 enable; 7.6 home; 10 admittance; 13 stop"

static const char *folder;

static void run(const char *requests, const char *set, double duration_s)
{
    struct bench bench = {
        .file = PROFILES "/apps/hexafloat.xml",
        .sets = {"Servo.ApiName=mock", "ForceSensor.ApiName=sim",
                 "ForceSensor.Impulses=5.4 x 250 20; 12.2 z 60 20", requests, set},
        .duration_s = duration_s,
        .out_dir = folder,
    };
    bench_run(&bench);
    cr_assert_leq(bench_summary(folder, "TrajectoryPlanner.greatest_level_hard"), 1.0);
    cr_assert_leq(bench_summary(folder, "TrajectoryPlanner.greatest_acceleration_share"),
                  1.0 + 1e-9);
}

static void begin(void)
{
    folder = bench_make_folder();
}

static void end(void)
{
    bench_remove_folder(folder);
}

static double count(const char *key)
{
    double value = bench_summary(folder, key);
    cr_assert_not(isnan(value), "no %s", key);
    return value;
}

/* It came to rest, was reset, went home and followed again until it was asked to stop. */
static void expect_recovery(const char *fault)
{
    cr_assert_eq(count(fault), 1.0, "%s: %g", fault, count(fault));
    cr_assert_gt(count("MachineControl.s_run"), 1.0, "%s", fault);
    cr_assert_gt(count("MachineControl.s_stopping"), 0.05, "%s", fault);
    cr_assert_eq(count("MachineControl.refused"), 0.0, "%s", fault);
    cr_assert_gt(count("MachineControl.s_homing"), 3.0, "%s", fault);
}

Test(machine_run, goes_home_follows_and_stops, .init = begin, .fini = end)
{
    run("MachineControl.Requests=" ADMITTANCE "7 stop; 8 disable", NULL, 9.0);
    cr_assert_eq(count("MachineControl.refused"), 0.0);
    cr_assert_eq(count("Servo.stops"), 0.0);
    cr_assert_eq(count("Servo.refused"), 0.0);
    cr_assert_float_eq(count("MachineControl.s_run"), 2.0, 0.01);
    cr_assert_float_eq(count("MachineControl.s_homing"), 2.0, 0.01);
    cr_assert_lt(count("Servo.following_error_max"), 1e-3);
}

/* Each fault at 5.45 s, while the platform swings after the blow at 5.4 s. */
static const struct {
    const char *set, *fault;
} faults[] = {
    {"Servo.Faults=5.45 drive_fault 2 0.1", "MachineControl.faults_axes"},
    {"Servo.Faults=5.45 silent 0 0.3", "MachineControl.faults_axes_silent"},
    {"Servo.Faults=5.45 offset 1 0.3 0.004", "MachineControl.faults_following"},
    {"Servo.Faults=5.45 stuck 4 0.3", "MachineControl.faults_following"},
};

Test(machine_run, recovers_from_faults_of_the_axes, .init = begin, .fini = end, .timeout = 100)
{
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        run("MachineControl.Requests=" ADMITTANCE AGAIN, faults[i].set, 14.0);
        expect_recovery(faults[i].fault);
    }
}

/* What it follows is not measured any more: in each way in which a sensor can fail. */
static const struct {
    const char *sensor, *lost;
} blind[] = {
    {"5.45 nan 0.3", "ForceSensor.not_finite"},
    {"5.45 dropout 0.3", "ForceSensor.stale"},
    {"5.45 nan 0.025", "ForceSensor.not_finite"},
};

static void run_blind(const char *rows, const char *set)
{
    char sensor[128];
    snprintf(sensor, sizeof sensor, "ForceSensor.Faults=%s", rows);
    struct bench bench = {
        .file = PROFILES "/apps/hexafloat.xml",
        .sets = {"Servo.ApiName=mock", "ForceSensor.ApiName=mock",
                 "ForceSensor.Impulses=5.4 x 60 20; 12.2 z 60 20", sensor,
                 "MachineControl.Requests=" ADMITTANCE AGAIN, set},
        .duration_s = 14.0,
        .out_dir = folder,
    };
    bench_run(&bench);
}

Test(machine_run, brakes_when_the_force_is_not_measured_any_more, .init = begin, .fini = end,
     .timeout = 100)
{
    for (size_t i = 0; i < 2; i++) {
        run_blind(blind[i].sensor, NULL);
        expect_recovery("MachineControl.faults_force_lost");
        cr_assert_gt(count(blind[i].lost), 0.0);
        cr_assert_gt(count("MachineControl.s_without_force"), 0.015);
        cr_assert_lt(count("MachineControl.s_without_force"), 0.04);
    }
}

Test(machine_run, rides_over_a_short_gap_of_the_force, .init = begin, .fini = end, .timeout = 100)
{
    run_blind(blind[2].sensor, NULL);
    cr_assert_gt(count(blind[2].lost), 0.0);
    cr_assert_eq(count("MachineControl.faults_force_lost"), 0.0);
    run_blind(blind[0].sensor, "MachineControl.ForceTimeout=0");
    cr_assert_eq(count("MachineControl.faults_force_lost"), 0.0);
    cr_assert_float_eq(count("MachineControl.s_without_force"), 0.29, 0.01);
}

Test(machine_run, recovers_from_an_emergency_stop, .init = begin, .fini = end)
{
    run("MachineControl.Requests=" ADMITTANCE "5.45 emergency;" AGAIN, NULL, 14.0);
    expect_recovery("MachineControl.faults_emergency");
    cr_assert_eq(count("Servo.stops"), 0.0); /* it brakes along its path */
}

/* The device is lost for good: the machine stays in its fault. */
Test(machine_run, does_not_move_again_without_its_axes, .init = begin, .fini = end)
{
    run("MachineControl.Requests=" ADMITTANCE AGAIN, "Servo.Faults=5.45 lost 0 0", 14.0);
    cr_assert_gt(count("MachineControl.faults_halt") + count("MachineControl.faults_axes_silent"),
                 0.0);
    cr_assert_gt(count("MachineControl.refused"), 3.0);
    cr_assert_float_eq(count("MachineControl.s_homing"), 2.0, 0.01);
    cr_assert_gt(count("MachineControl.s_fault"), 3.0);
}

Test(machine_run, refuses_what_is_not_legal_and_goes_on, .init = begin, .fini = end)
{
    run("MachineControl.Requests=0.1 home; 0.2 admittance; 0.3 enable; 0.5 admittance; 1 home;"
        "1.1 disable; 3 position 0.05 0 0.54 0 0 0; 4 stop; 4.5 position 0.05 0 0.55 0 0.02 0",
        NULL, 8.0);
    cr_assert_eq(count("MachineControl.requests"), 9.0);
    cr_assert_eq(count("MachineControl.refused"), 5.0);
    cr_assert_gt(count("MachineControl.s_position"), 3.0);
}

Test(machine_run, says_where_its_properties_are_wrong, .init = begin, .fini = end)
{
    struct bench bench = {.file = PROFILES "/apps/hexafloat.xml",
                          .sets = {"Servo.ApiName=mock", "ForceSensor.ApiName=sim",
                                   "MachineControl.Requests=1 enable; 2 jump"}};
    cr_assert_lt(bench_create_error(&bench), 0);
    cr_assert_not_null(strstr(bench_error(), "Requests: character 13"), "%s", bench_error());
    bench.sets[2] = "MachineControl.Home=0 0 0.5";
    cr_assert_lt(bench_create_error(&bench), 0);
    cr_assert_not_null(strstr(bench_error(), "Home: expected six numbers"), "%s", bench_error());
}
