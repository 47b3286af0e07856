/* SPDX-License-Identifier: Apache-2.0 */
/* Motion modes over a perfect base with latency: arrival, direction, interruption. */
#include <doppel/drive/drive_motion.h>

#include <criterion/criterion.h>
#include <errno.h>

enum { MAX_LATENCY = 4, MAX_CYCLES = 5000 };

/* A base that does what it is told, some cycles later. */
struct plant {
    struct dpl_motion_config config;
    struct dpl_odometry_config odometry_config;
    struct dpl_motion motion;
    struct dpl_drive_limiter limiter;
    struct dpl_odometry odometry;
    struct dpl_twist2 pipe[MAX_LATENCY + 1];
    int latency;
    double dt_s;
};

static struct plant plant_with(double acceleration, int latency, double dt_s)
{
    static const struct dpl_drive_geometry geometry = {0.065, 0.065, 0.30};
    struct plant plant = {
        .config =
            dpl_motion_default(dpl_drive_limits_default(0.2, acceleration), (latency + 1) * dt_s),
        .odometry_config = dpl_odometry_default(geometry),
        .latency = latency,
        .dt_s = dt_s,
    };
    dpl_motion_init(&plant.motion);
    dpl_odometry_init(&plant.odometry);
    return plant;
}

static void cycle(struct plant *plant)
{
    struct dpl_twist2 aim = dpl_motion_step(&plant->motion, &plant->config, &plant->odometry);
    plant->pipe[plant->latency] =
        dpl_drive_limiter_step(&plant->limiter, &plant->config.limits, aim, plant->dt_s);
    struct dpl_drive_wheels speed =
        dpl_drive_wheels_from_twist(&plant->odometry_config.geometry, plant->pipe[0]);
    struct dpl_drive_wheels turned = {speed.left * plant->dt_s, speed.right * plant->dt_s};
    cr_assert_eq(
        dpl_odometry_update(&plant->odometry, &plant->odometry_config, turned, plant->dt_s), 0);
    for (int i = 0; i < plant->latency; i++) {
        plant->pipe[i] = plant->pipe[i + 1];
    }
}

static void run_to_end(struct plant *plant)
{
    int cycles = 0;
    while (dpl_motion_is_running(&plant->motion)) {
        cycle(plant);
        cr_assert_lt(++cycles, MAX_CYCLES, "never done");
    }
    for (int i = 0; i < 100; i++) {
        cycle(plant);
    }
}

Test(drive_motion, moves_a_distance_to_within_five_centimetres)
{
    static const double distances[] = {1.0, -1.0, 0.3, 0.06, -0.5};
    static const double accelerations[] = {0.0, 0.1, 0.5};
    for (size_t d = 0; d < 5; d++) {
        for (size_t a = 0; a < 3; a++) {
            for (int latency = 0; latency <= MAX_LATENCY; latency += 2) {
                struct plant plant = plant_with(accelerations[a], latency, 0.1);
                cr_assert_eq(dpl_motion_move(&plant.motion, &plant.odometry, distances[d], 0.2), 0);
                cr_assert(dpl_motion_is_running(&plant.motion));
                run_to_end(&plant);
                cr_assert_float_eq(plant.odometry.travelled_m, distances[d], 0.05,
                                   "%g m at %g m/s2, latency %d: %g", distances[d],
                                   accelerations[a], latency, plant.odometry.travelled_m);
            }
        }
    }
}

Test(drive_motion, rotates_an_angle_to_within_a_degree)
{
    static const double angles_deg[] = {90.0, -90.0, 5.0, 720.0, -1.5};
    for (size_t i = 0; i < 5; i++) {
        for (int latency = 0; latency <= MAX_LATENCY; latency += 2) {
            struct plant plant = plant_with(0.5, latency, 0.1);
            double angle = dpl_deg_to_rad(angles_deg[i]);
            cr_assert_eq(dpl_motion_rotate(&plant.motion, &plant.odometry, angle, 0.6), 0);
            run_to_end(&plant);
            cr_assert_float_eq(dpl_rad_to_deg(plant.odometry.turned_rad), angles_deg[i], 1.0,
                               "%g deg, latency %d: %g", angles_deg[i], latency,
                               dpl_rad_to_deg(plant.odometry.turned_rad));
        }
    }
}

Test(drive_motion, goes_backwards_when_the_velocity_or_the_distance_is_negative)
{
    static const double signs[][2] = {{-0.4, 0.2}, {0.4, -0.2}, {-0.4, -0.2}};
    for (size_t i = 0; i < 3; i++) {
        struct plant plant = plant_with(0.5, 0, 0.1);
        cr_assert_eq(dpl_motion_move(&plant.motion, &plant.odometry, signs[i][0], signs[i][1]), 0);
        run_to_end(&plant);
        cr_assert_float_eq(plant.odometry.travelled_m, -0.4, 0.05);
    }
}

Test(drive_motion, is_done_at_once_when_the_goal_is_within_the_tolerance)
{
    struct plant plant = plant_with(0.5, 0, 0.1);
    cr_assert_eq(dpl_motion_move(&plant.motion, &plant.odometry, 0.04, 0.2), 0);
    cr_assert(dpl_motion_is_running(&plant.motion));
    cycle(&plant);
    cr_assert_not(dpl_motion_is_running(&plant.motion));
    cr_assert_eq(plant.odometry.travelled_m, 0.0);
}

Test(drive_motion, is_not_confused_by_a_new_pose_during_a_move)
{
    struct plant plant = plant_with(0.5, 0, 0.1);
    cr_assert_eq(dpl_motion_move(&plant.motion, &plant.odometry, 1.0, 0.2), 0);
    for (int i = 0; i < 10; i++) {
        cycle(&plant);
    }
    plant.odometry.pose = (struct dpl_pose2){-5.0, 3.0, 2.0};
    run_to_end(&plant);
    cr_assert_float_eq(plant.odometry.travelled_m, 1.0, 0.05);
}

Test(drive_motion, drives_until_it_is_stopped)
{
    struct plant plant = plant_with(0.5, 0, 0.1);
    cr_assert_not(dpl_motion_is_running(&plant.motion));
    cr_assert_eq(dpl_motion_drive(&plant.motion, (struct dpl_twist2){0.1, 0.2}), 0);
    for (int i = 0; i < 100; i++) {
        cycle(&plant);
        cr_assert(dpl_motion_is_running(&plant.motion));
    }
    cr_assert_float_eq(plant.odometry.twist.linear, 0.1, 1e-9);
    dpl_motion_stop(&plant.motion);
    cr_assert_not(dpl_motion_is_running(&plant.motion));
    run_to_end(&plant);
    cr_assert_eq(plant.limiter.velocity.linear, 0.0);
    cr_assert_eq(dpl_motion_drive(&plant.motion, (struct dpl_twist2){0.0, 0.0}), 0);
    cr_assert_not(dpl_motion_is_running(&plant.motion));
}

Test(drive_motion, refuses_numbers_that_are_not_finite_and_moves_that_cannot_end)
{
    struct plant plant = plant_with(0.5, 0, 0.1);
    struct dpl_motion *motion = &plant.motion;
    cr_assert_eq(dpl_motion_drive(motion, (struct dpl_twist2){0.1, 0.0}), 0);
    cr_assert_eq(dpl_motion_drive(motion, (struct dpl_twist2){(double)NAN, 0.0}), -EINVAL);
    cr_assert_eq(dpl_motion_move(motion, &plant.odometry, (double)INFINITY, 0.1), -EINVAL);
    cr_assert_eq(dpl_motion_move(motion, &plant.odometry, 1.0, 0.0), -EINVAL);
    cr_assert_eq(dpl_motion_rotate(motion, &plant.odometry, 1.0, (double)NAN), -EINVAL);
    cr_assert_eq(motion->mode, DPL_MOTION_DRIVE);
}
