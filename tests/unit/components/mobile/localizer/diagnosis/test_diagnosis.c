/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the diagnosis on a robot with faults, with poses of scans that are as good as real ones.
 */
#include "scene.h"

#include <criterion/criterion.h>

#define FROM_S 60.0
#define SEEDS  6

static struct scene scene;

/* The first verdict after the begin of a fault, which lasts 6 s; there is none before it. */
static const struct diagnosis_event *give(enum robot_fault fault, double amount, uint64_t seed)
{
    struct scene_config config;
    scene_config_init(&config);
    config.robot.seed = seed;
    config.robot.fault = fault;
    config.robot.amount = amount;
    config.robot.from_s = FROM_S + 0.37 * (double)seed;
    config.robot.to_s = config.robot.from_s + 6.0;
    scene_init(&scene, &config);
    scene_run(&scene, config.robot.from_s);
    cr_assert_eq(scene.rises, 0);
    scene_run(&scene, config.robot.to_s + 3.0);
    cr_assert(scene.has_first, "seed %u", (unsigned)seed);
    return &scene.first;
}

/* `within_s` of the begin of its fault, with each seed. */
static const struct {
    const char *name;
    enum robot_fault fault;
    double amount;
    enum verdict verdict;
    double within_s;
    int wheel; /* -1: none is named */
    int rises; /* all verdicts of the run; 0: not looked at */
} faults[] = {
    {"slip: a wheel loses a third of its way", ROBOT_SLIPS_LEFT, 0.3, VERDICT_SLIP, 2.0,
     VERDICT_LEFT, 0},
    {"slip: both wheels spin", ROBOT_SLIPS_BOTH, 1.0, VERDICT_SLIP, 1.0, -1, 0},
    {"blocked: a wheel stands against its command", ROBOT_BLOCKED_LEFT, 0.0, VERDICT_BLOCKED, 1.2,
     VERDICT_LEFT, 0},
    {"blocked: the drive is dead", ROBOT_BLOCKED_BOTH, 0.0, VERDICT_BLOCKED, 1.2, -1, 0},
    {"encoder: the robot moves as commanded and a wheel denies it", ROBOT_ENCODER_LEFT, 1.0,
     VERDICT_ENCODER, 1.2, -1, 0},
    {"encoder: the wheel denies a part of it", ROBOT_ENCODER_LEFT, 0.4, VERDICT_ENCODER, 4.4,
     VERDICT_LEFT, 0},
    {"push: the robot moves across its wheels", ROBOT_PUSHED, 0.1, VERDICT_PUSH, 1.2, -1, 0},
    {"gyro: wheels and laser deny it", ROBOT_GYRO_DRIFT, 5.0 * DPL_PI / 180.0, VERDICT_GYRO, 6.0,
     -1, 0},
    {"no laser: scans are missing", ROBOT_LASER_ABSENT, 0.0, VERDICT_NO_LASER, 0.7, -1, 0},
    {"frozen laser: scans repeat", ROBOT_LASER_FROZEN, 0.0, VERDICT_FROZEN_LASER, 1.0, -1, 0},
    {"kidnap: the pose is lost, and nothing else", ROBOT_KIDNAPPED, 0.0, VERDICT_KIDNAP, 1.0, -1,
     1},
};

Test(diagnosis, says_what_is_wrong_in_time)
{
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            const struct diagnosis_event *event = give(faults[i].fault, faults[i].amount, seed);
            double late_s = event->stamp_s - scene.config.robot.from_s;
            cr_assert_eq(event->what.verdict, faults[i].verdict, "%s, seed %u: %s", faults[i].name,
                         (unsigned)seed, verdict_name(event->what.verdict));
            cr_assert_leq(late_s, faults[i].within_s, "%s, seed %u: %g s", faults[i].name,
                          (unsigned)seed, late_s);
        }
        cr_assert(faults[i].wheel < 0 || (int)scene.first.what.wheel == faults[i].wheel, "%s: %d",
                  faults[i].name, (int)scene.first.what.wheel);
        cr_assert(faults[i].rises == 0 || (int)scene.rises == faults[i].rises, "%s: %u rises",
                  faults[i].name, scene.rises);
    }
}

/* Zero: as ever. */
static const struct {
    const char *name;
    double rate_hz, noise_m;
    bool unobservable;
    double seconds;
} sound[] = {
    {"half an hour of sound driving", 0.0, 0.0, false, 1800.0},
    {"scans come once a second", 1.0, 0.0, false, 1800.0},
    {"scans show the way badly", 0.0, 0.05, false, 1800.0},
    {"scans do not show a direction, and are wrong along it by 0.1 m", 0.0, 0.0, true, 600.0},
};

Test(diagnosis, is_silent_while_all_is_sound)
{
    for (size_t i = 0; i < sizeof sound / sizeof sound[0]; i++) {
        struct scene_config config;
        scene_config_init(&config);
        config.rate_hz = sound[i].rate_hz > 0.0 ? sound[i].rate_hz : config.rate_hz;
        config.noise_m = sound[i].noise_m > 0.0 ? sound[i].noise_m : config.noise_m;
        config.unobservable = sound[i].unobservable;
        scene_init(&scene, &config);
        scene_run(&scene, sound[i].seconds);
        cr_assert_eq(scene.rises, 0, "%s", sound[i].name);
    }
}

/* In one second the wheels lose less than scans of this noise let be judged. What they lose grows
 * with the way, and the noise does not. */
Test(diagnosis, says_slip_where_scans_show_the_way_badly)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct scene_config config;
        scene_config_init(&config);
        config.noise_m = 0.05;
        config.robot.seed = seed;
        config.robot.fault = ROBOT_SLIPS_BOTH;
        config.robot.amount = 0.3;
        config.robot.from_s = FROM_S + 0.37 * (double)seed;
        config.robot.to_s = config.robot.from_s + 8.0;
        scene_init(&scene, &config);
        scene_run(&scene, config.robot.to_s);
        cr_assert(scene.has_first, "seed %u", (unsigned)seed);
        cr_assert_eq(scene.first.what.verdict, VERDICT_SLIP);
        double late_s = scene.first.stamp_s - config.robot.from_s;
        cr_assert(late_s > 0.0 && late_s < 5.0, "seed %u: %g s", (unsigned)seed, late_s);
    }
}

Test(diagnosis, trusts_less_in_wheels_that_are_not_calibrated_yet)
{
    struct scene_config config;
    scene_config_init(&config);
    config.robot.scale[0] = 0.97;
    config.robot.scale[1] = 1.02;
    scene_init(&scene, &config);
    scene_run(&scene, 60.0);
    unsigned certain = scene.rises;
    config.sigma_scale = 15.0; /* 3 %: as before the first metre */
    scene_init(&scene, &config);
    scene_run(&scene, 60.0);
    cr_assert_gt(certain, 0);
    cr_assert_eq(scene.rises, 0);
}

Test(diagnosis, falls_one_second_after_its_rule_has_stopped_to_fit)
{
    give(ROBOT_SLIPS_BOTH, 1.0, 3);
    scene_run(&scene, scene.config.robot.to_s + 4.0);
    cr_assert_eq(diagnosis_active(&scene.diagnosis)->verdict, VERDICT_NONE);
    cr_assert_eq(diagnosis_rises(&scene.diagnosis, VERDICT_SLIP), 1);
    cr_assert_eq(diagnosis_rises(&scene.diagnosis, VERDICT_NONE), 1);
}

Test(diagnosis, needs_commands_to_know_a_blocked_wheel)
{
    struct scene_config config;
    scene_config_init(&config);
    config.commands = false;
    config.robot.fault = ROBOT_BLOCKED_LEFT;
    config.robot.from_s = 60.0;
    config.robot.to_s = 66.0;
    scene_init(&scene, &config);
    scene_run(&scene, 66.0);
    cr_assert_eq(scene.rises, 0);
}

/* A sound robot, whose calibration goes off by `off` after 70 s. */
static void give_calibration(enum localizer_parameter parameter, double off)
{
    struct scene_config config;
    scene_config_init(&config);
    scene_init(&scene, &config);
    scene_run(&scene, 70.0);
    cr_assert_eq(scene.rises, 0);
    scene.calibration.value[parameter] += off;
    scene_run(&scene, 72.0);
}

Test(diagnosis, names_the_part_whose_calibration_has_changed)
{
    give_calibration(LOCALIZER_SCALE_RIGHT, -0.03);
    cr_assert_eq(scene.first.what.verdict, VERDICT_RADIUS);
    cr_assert_eq(scene.first.what.wheel, VERDICT_RIGHT);
    cr_assert_float_eq(scene.first.what.off, -0.03, 1e-9);
    give_calibration(LOCALIZER_MOUNT_YAW, 0.05);
    cr_assert_eq(scene.first.what.verdict, VERDICT_LASER);
    cr_assert_eq(scene.first.what.parameter, LOCALIZER_MOUNT_YAW);
    give_calibration(LOCALIZER_TIME_OFFSET, 0.05);
    cr_assert_eq(scene.first.what.verdict, VERDICT_LATENCY);
}

Test(diagnosis, takes_an_error_from_the_start_for_a_calibration)
{
    struct scene_config config;
    scene_config_init(&config);
    scene_init(&scene, &config);
    scene.calibration.value[LOCALIZER_MOUNT_YAW] = 0.05;
    scene_run(&scene, 120.0);
    cr_assert_eq(scene.rises, 0);
}

/* A place that was wrong taught the reference: against it the right calibration is no fault. */
Test(diagnosis, a_reference_of_a_wrong_place_is_taken_anew)
{
    struct scene_config config;
    scene_config_init(&config);
    scene_init(&scene, &config);
    scene.calibration.value[LOCALIZER_MOUNT_YAW] = 0.05;
    scene_run(&scene, 70.0);
    diagnosis_forget(&scene.diagnosis, (double)NAN);
    scene.calibration.value[LOCALIZER_MOUNT_YAW] = 0.0;
    scene_run(&scene, 125.0);
    cr_assert_eq(scene.rises, 0, "%s", verdict_name(scene.first.what.verdict));
    scene.calibration.value[LOCALIZER_MOUNT_YAW] = 0.05;
    scene_run(&scene, 129.0);
    cr_assert_eq(scene.rises, 0, "the new reference takes as long as the first");
    scene_run(&scene, 135.0);
    scene.calibration.value[LOCALIZER_MOUNT_YAW] = 0.0;
    scene_run(&scene, 140.0);
    cr_assert_eq(scene.first.what.verdict, VERDICT_LASER);
}

Test(diagnosis, a_reference_from_before_a_wrong_place_stays)
{
    struct scene_config config;
    scene_config_init(&config);
    scene_init(&scene, &config);
    scene_run(&scene, 90.0);
    diagnosis_forget(&scene.diagnosis, 80.0);
    scene.calibration.value[LOCALIZER_MOUNT_YAW] = 0.05;
    scene_run(&scene, 95.0);
    cr_assert_eq(scene.first.what.verdict, VERDICT_LASER);
}

Test(diagnosis, says_avatar_when_it_is_elsewhere_and_the_robot_is_well)
{
    struct scene_config config;
    scene_config_init(&config);
    scene_init(&scene, &config);
    scene_run(&scene, 30.0);
    diagnosis_avatar(&scene.diagnosis, 0.9);
    scene_run(&scene, 30.3);
    cr_assert_eq(scene.rises, 0);
    scene_run(&scene, 31.0);
    cr_assert_eq(scene.first.what.verdict, VERDICT_AVATAR);
    diagnosis_avatar(&scene.diagnosis, 0.1);
    scene_run(&scene, 33.0);
    cr_assert_eq(diagnosis_active(&scene.diagnosis)->verdict, VERDICT_NONE);
}

Test(diagnosis, keeps_the_newest_events_when_nobody_takes_them)
{
    struct diagnosis_event event;
    struct scene_config config;
    unsigned n = 0;
    scene_config_init(&config);
    scene_init(&scene, &config);
    scene_run(&scene, 10.0);
    for (int i = 0; i < 40; i++) {
        double at_s = 10.0 + 3.0 * i;
        struct diagnosis_scan scan = {.stamp_s = at_s + 2.0, .moved_object = -1};
        diagnosis_step(&scene.diagnosis, at_s + 1.9); /* no scan for long: a rise */
        diagnosis_scan(&scene.diagnosis, &scan);
        diagnosis_step(&scene.diagnosis, at_s + 2.1);
    }
    while (diagnosis_take_event(&scene.diagnosis, &event)) {
        n++;
    }
    cr_assert_leq(n, DIAGNOSIS_EVENTS);
    cr_assert_gt(n, 0);
}

Test(diagnosis, gives_the_same_events_for_the_same_seed)
{
    give(ROBOT_SLIPS_LEFT, 0.5, 2);
    struct diagnosis_event first = scene.first;
    give(ROBOT_SLIPS_LEFT, 0.5, 2);
    cr_assert_eq(first.stamp_s, scene.first.stamp_s);
    cr_assert_eq(first.what.residuals.shift_m, scene.first.what.residuals.shift_m);
}
