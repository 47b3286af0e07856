/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the whole chain: scans of a room, Localizer, diagnosis. The full table is made by
 * tests/experiments/diagnosis. */
#include "drive.h"

#include <criterion/criterion.h>

/* A fault, if any, begins a little later with each seed: at another place of the way. */
static struct drive_config drive_of(uint64_t seed)
{
    struct drive_config config;
    drive_config_init(&config);
    config.world = PROFILES "/worlds/office.xml";
    config.n_beams = 171;
    config.seed = seed;
    config.from_s += 0.37 * (double)seed;
    return config;
}

static struct drive_result run(enum robot_fault fault, double amount)
{
    struct drive_config config = drive_of(2);
    struct drive_result result;
    config.fault = fault;
    config.amount = amount;
    config.from_s = 40.0;
    config.to_s = 44.0;
    config.seconds = 45.0;
    drive_run(&config, &result);
    cr_assert_eq(result.false_alarms, 0);
    cr_assert(result.detected);
    return result;
}

/* A drive that ends with its fault. */
static struct drive_result run_until(unsigned seed, enum robot_fault fault, double amount,
                                     double fault_s)
{
    struct drive_config config = drive_of(seed);
    struct drive_result result;
    config.fault = fault;
    config.amount = amount;
    config.to_s = config.from_s + fault_s;
    config.seconds = config.to_s;
    drive_run(&config, &result);
    return result;
}

Test(diagnosed_robot, slips_and_the_pose_holds)
{
    struct drive_result result = run(ROBOT_SLIPS_LEFT, 0.5);
    cr_assert_eq(result.first.what.verdict, VERDICT_SLIP);
    cr_assert_lt(result.max_m, 0.080);
}

Test(diagnosed_robot, has_a_dead_encoder_and_the_pose_holds)
{
    struct drive_result result = run(ROBOT_ENCODER_LEFT, 1.0);
    cr_assert_eq(result.first.what.verdict, VERDICT_ENCODER);
    cr_assert_lt(result.max_m, 0.080);
}

/* The first scan of the fault fits with the turn of the gyro, and nearly as well at a wrong place.
 */
Test(diagnosed_robot, has_a_dead_encoder_and_its_gyro_is_asked_at_the_first_scan)
{
    struct drive_result result = run_until(66, ROBOT_ENCODER_LEFT, 1.0, 3.0);
    cr_assert_eq(result.first.what.verdict, VERDICT_ENCODER);
    cr_assert_lt(result.max_m, 0.020, "%g", result.max_m);
}

Test(diagnosed_robot, is_blocked)
{
    struct drive_result result = run(ROBOT_BLOCKED_LEFT, 0.0);
    cr_assert_eq(result.first.what.verdict, VERDICT_BLOCKED);
}

Test(diagnosed_robot, is_pushed_and_the_pose_holds)
{
    struct drive_result result = run(ROBOT_PUSHED, 0.1);
    cr_assert_eq(result.first.what.verdict, VERDICT_PUSH);
    cr_assert_lt(result.max_m, 0.080);
}

Test(diagnosed_robot, slips_with_both_wheels_where_a_direction_is_seen_badly_and_is_not_lost)
{
    struct drive_result result = run_until(9, ROBOT_SLIPS_BOTH, 0.3, 8.0);
    cr_assert(result.detected);
    cr_assert_eq(result.first.what.verdict, VERDICT_SLIP);
    cr_assert_lt(result.max_m, 0.150, "%g", result.max_m);
}

/* The farther a robot is off along a direction that few beams show, the less these beams counted:
 * no surprise became large, and it was 2.4 m off in the end. */
Test(diagnosed_robot, spins_where_few_beams_tell_it_and_is_not_lost)
{
    struct drive_result result = run_until(68, ROBOT_SLIPS_BOTH, 1.0, 8.0);
    cr_assert(result.detected);
    cr_assert_eq(result.first.what.verdict, VERDICT_SLIP, "%s",
                 verdict_name(result.first.what.verdict));
    cr_assert_lt(result.max_m, 0.250, "%g", result.max_m);
}

/* Wheels that are not believed move the prediction no more: what scans have shown of their error
 * does. Without it the pose is 10.5 and 5.2 mm off (RMS). */
Test(diagnosed_robot, spins_or_is_pushed_and_the_pose_follows)
{
    struct drive_result spins = run_until(4, ROBOT_SLIPS_BOTH, 1.0, 8.0);
    cr_assert_lt(spins.rms_m, 0.007, "%g", spins.rms_m);
    struct drive_result pushed = run_until(4, ROBOT_PUSHED, 0.1, 8.0);
    cr_assert_lt(pushed.rms_m, 0.004, "%g", pushed.rms_m);
}

/* What the filter takes for a turn of the robot is one of the laser: the way that it goes tells. */
Test(diagnosed_robot, whose_laser_is_twisted_while_it_slips_is_not_3_deg_off_for_ever)
{
    for (unsigned seed = 411; seed < 414; seed++) {
        struct drive_config config = drive_of(seed);
        struct drive_result result;
        config.n_beams = 341;
        config.fault = ROBOT_SLIPS_LEFT;
        config.amount = 0.5;
        config.to_s = config.from_s + 3.0;
        config.twist_rad = 0.07;
        config.twist_from_s = config.from_s + 2.0;
        config.seconds = config.to_s + 60.0;
        drive_run(&config, &result);
        cr_assert_lt(fabs(result.last_rad), 0.01, "seed %u: %g", seed, result.last_rad);
    }
}

/* Heading at the end of a drive whose laser turns, and perhaps back. */
static double heading_after_twist(unsigned seed, double twist_rad, double for_s, bool has_gyro)
{
    struct drive_config config = drive_of(seed);
    struct drive_result result;
    config.has_gyro = has_gyro;
    config.twist_rad = twist_rad;
    config.twist_from_s = config.from_s;
    config.twist_to_s = config.from_s + for_s;
    config.to_s = config.from_s + 1.0;
    config.seconds = config.to_s + 80.0;
    drive_run(&config, &result);
    return fabs(result.last_rad);
}

Test(diagnosed_robot, whose_laser_is_twisted_far_is_found_and_its_heading, .timeout = 120.0)
{
    static const double twists[] = {0.26, -0.5, 0.79, -2.1};
    for (unsigned i = 0; i < 4; i++) {
        double off = heading_after_twist(416 + i, twists[i], (double)INFINITY, true);
        cr_assert_lt(off, 0.01, "%g: %g", twists[i], off);
    }
}

Test(diagnosed_robot, whose_laser_is_twisted_and_back_has_its_heading, .timeout = 120.0)
{
    cr_assert_lt(heading_after_twist(413, 0.26, 15.0, true), 0.01);
    cr_assert_lt(heading_after_twist(417, 0.79, 40.0, true), 0.01);
}

Test(diagnosed_robot, whose_laser_is_twisted_far_is_found_by_its_course_without_a_gyro)
{
    double off = heading_after_twist(411, 1.3, (double)INFINITY, false);
    cr_assert_lt(off, 0.015, "%g", off);
}

/* Wheels say that the robot turns by 5 deg and more from scan to scan. It goes on as scans have
 * seen it. Otherwise it is lost, 0.1 to 1 m off (RMS). */
Test(diagnosed_robot, without_a_gyro_has_a_dead_encoder_and_the_pose_holds)
{
    for (unsigned seed = 63; seed < 66; seed++) {
        struct drive_config config = drive_of(seed);
        struct drive_result result;
        config.n_beams = 341;
        config.has_gyro = false;
        config.fault = ROBOT_ENCODER_LEFT;
        config.amount = 1.0;
        config.to_s = config.seconds = config.from_s + 8.0;
        drive_run(&config, &result);
        cr_assert_eq(result.first.what.verdict, VERDICT_ENCODER, "seed %u", seed);
        cr_assert_lt(result.max_m, 0.024, "seed %u: %g", seed, result.max_m);
    }
}

/* Both wheels spin for 30 s and the robot stands: what scans say of its way is noise. */
Test(diagnosed_robot, that_is_stuck_keeps_its_heading)
{
    for (int has_gyro = 0; has_gyro < 2; has_gyro++) {
        struct drive_config config = drive_of(4);
        struct drive_result result;
        config.has_gyro = has_gyro;
        config.fault = ROBOT_SLIPS_BOTH;
        config.amount = 1.0;
        config.to_s = config.seconds = config.from_s + 30.0;
        drive_run(&config, &result);
        cr_assert_lt(fabs(result.last_rad), 0.02, "gyro %d: %g", has_gyro, result.last_rad);
    }
}

/* Wheels slip a little all the time: without a gyro the turns by them are a random walk. */
Test(diagnosed_robot, without_a_gyro_is_silent_while_all_is_sound)
{
    struct drive_config config = drive_of(411002);
    struct drive_result result;
    config.has_gyro = false;
    config.from_s = config.seconds = 300.0;
    config.people = 3;
    drive_run(&config, &result);
    cr_assert_eq(result.false_alarms, 0, "%u", result.false_alarms);
}

/* The simulator's robot has no body: a result says how near it came to something. */
Test(diagnosed_robot, clearance_of_a_drive_is_told)
{
    struct drive_result free = run_until(4, ROBOT_PUSHED, 0.1, 8.0);
    struct drive_result touches = run_until(69, ROBOT_PUSHED, 0.1, 8.0);
    cr_assert_gt(free.clearance_m, 0.177);
    cr_assert_lt(touches.clearance_m, 0.1);
}

static void get_scans_late(unsigned seed)
{
    struct drive_config config = drive_of(seed);
    struct drive_result result;
    config.fault = ROBOT_LATENCY;
    config.amount = 0.05;
    config.to_s = config.from_s + 30.0;
    config.seconds = config.to_s;
    drive_run(&config, &result);
    cr_assert(result.detected);
    cr_assert_eq(result.first.what.verdict, VERDICT_LATENCY);
    cr_assert_float_eq(result.first.what.off, 0.05, 0.015);
}

Test(diagnosed_robot, gets_its_scans_late)
{
    get_scans_late(2);
}

/* The mount took 2 deg of it, before two windows of headings could speak for a delay. */
Test(diagnosed_robot, gets_its_scans_late_in_the_middle_of_a_turn)
{
    get_scans_late(42);
}

/* Nothing is known of the pillar but that it is there whenever the robot comes by. */
Test(diagnosed_robot, passes_a_pillar_that_the_plan_does_not_have)
{
    struct drive_config config = drive_of(9);
    struct drive_result result;
    config.around = DRIVE_OBJECT_ADDED;
    config.to_s = config.seconds = config.from_s + 25.0;
    drive_run(&config, &result);
    cr_assert_lt(result.in_sight_s, 6.0);
    cr_assert(result.detected);
    cr_assert_eq(result.first.what.verdict, VERDICT_UNKNOWN_OBJECT);
    cr_assert_lt(result.max_m, 0.020);
}

Test(diagnosed_robot, takes_people_who_stand_and_a_rough_plan_for_what_they_are)
{
    struct drive_config config = drive_of(2003);
    struct drive_result result;
    config.bystanders = true;
    config.survey_m = 0.010;
    config.from_s = config.to_s = config.seconds = 300.0;
    drive_run(&config, &result);
    cr_assert_eq(result.false_alarms, 0, "%s", verdict_name(result.false_one));
}
