/* SPDX-License-Identifier: Apache-2.0 */
/* Arcs, contacts on the way and lags against fine steps. */
#include <math.h>

#include <criterion/criterion.h>
#include <doppel/math/random.h>

#include "car_motion.h"

#define NEAR(value, expected, tolerance)                                                           \
    cr_assert_float_eq(value, expected, tolerance, "%.9g, not %.9g", value, (double)(expected))

static struct dpl_random rng;

static double between(double low, double high)
{
    return dpl_random_uniform(&rng, low, high);
}

static struct dpl_pose2 euler(struct dpl_pose2 pose, struct dpl_twist2 twist, double t)
{
    const int steps = 20000;
    double h = t / steps;
    for (int i = 0; i < steps; i++) {
        double middle = pose.theta + twist.angular * h / 2.0;
        pose.x += twist.linear * h * cos(middle);
        pose.y += twist.linear * h * sin(middle);
        pose.theta += twist.angular * h;
    }
    return pose;
}

Test(car_motion, follows_arcs_as_very_small_steps_do)
{
    rng = dpl_random_seeded(1, 2);
    for (int i = 0; i < 200; i++) {
        struct dpl_pose2 from = {between(-2, 2), between(-2, 2), between(-DPL_PI, DPL_PI)};
        struct dpl_twist2 twist = {between(-3, 3), i % 5 == 0 ? 0.0 : between(-8, 8)};
        double t = between(0.0, 2.0);
        struct dpl_pose2 to = car_motion_arc(from, twist, t), expected = euler(from, twist, t);
        NEAR(to.x, expected.x, 1e-6);
        NEAR(to.y, expected.y, 1e-6);
        NEAR(dpl_wrap_angle(to.theta - expected.theta), 0.0, 1e-9);
    }
}

Test(car_motion, has_no_seam_between_straight_lines_and_arcs)
{
    for (double w = 1e-12; w < 1.0; w *= 1.5) {
        struct dpl_pose2 to =
            car_motion_arc((struct dpl_pose2){0, 0, 0}, (struct dpl_twist2){1.0, w}, 1.0);
        NEAR(to.x, sin(w) / w, 1e-12);
        NEAR(to.y, w * (0.5 - w * w / 24.0 + w * w * w * w / 720.0), 1e-4 * w);
    }
}

Test(car_motion, is_the_same_in_one_step_or_many)
{
    struct dpl_pose2 from = {0.1, 0.2, 0.3}, many = from;
    struct dpl_twist2 twist = {1.3, -2.1};
    for (int i = 0; i < 100; i++) {
        many = car_motion_arc(many, twist, 0.01);
    }
    struct dpl_pose2 one = car_motion_arc(from, twist, 1.0);
    NEAR(dpl_pose2_distance(one, many), 0.0, 1e-12);
    NEAR(one.theta, many.theta, 1e-12);
}

/* First contact by very small steps, or infinity. */
static double brute_contact(const struct car_footprint *footprint, struct dpl_pose2 from,
                            struct dpl_twist2 twist, double t, const struct car_segment *wall)
{
    const int steps = 4000;
    for (int i = 0; i <= steps; i++) {
        struct car_footprint at =
            car_footprint_at(footprint, car_motion_arc(from, twist, t * i / steps));
        if (car_footprint_distance(&at, wall) == 0.0) {
            return t * i / steps;
        }
    }
    return (double)INFINITY;
}

Test(car_motion, touches_when_very_small_steps_touch)
{
    rng = dpl_random_seeded(2, 2);
    struct car_footprint footprint = car_footprint_rectangle(0.25, 0.15, 0.06);
    int hits = 0;
    for (int i = 0; i < 400; i++) {
        struct dpl_pose2 from = {0.0, 0.0, between(-DPL_PI, DPL_PI)};
        struct dpl_twist2 twist = {between(-2, 2), between(-6, 6)};
        struct car_point a = {between(-0.5, 0.5), between(-0.5, 0.5)};
        struct car_segment wall = {a, {a.x + between(-0.5, 0.5), a.y + between(-0.5, 0.5)}};
        double t = 0.4, at = (double)INFINITY;
        bool hit = car_motion_contact(&footprint, from, twist, t, &wall, 1, &at);
        double expected = brute_contact(&footprint, from, twist, t, &wall);
        double speed = fabs(twist.linear) + fabs(twist.angular) * footprint.radius;
        if (hit != (isfinite(expected) != 0)) { /* a graze that one of the two steps over */
            struct car_footprint end =
                car_footprint_at(&footprint, car_motion_arc(from, twist, fmin(at, expected)));
            cr_assert_lt(car_footprint_distance(&end, &wall), 2e-4);
            continue;
        }
        if (hit) {
            NEAR(at, expected, 1.1e-4 / speed * 3.0 + t / 4000.0 + 5e-3);
            hits++;
        }
    }
    cr_assert(hits > 90 && hits < 390, "%d", hits);
}

Test(car_motion, never_tunnels_through_a_wall_however_fast_and_long_the_tick)
{
    rng = dpl_random_seeded(3, 2);
    struct car_footprint footprint = car_footprint_rectangle(0.25, 0.15, 0.06);
    for (int i = 0; i < 300; i++) {
        double speed = between(1.0, 50.0), t = between(0.1, 1.0), at = -1.0;
        double distance = between(0.3, 0.9 * speed * t + 0.3), heading = between(-DPL_PI, DPL_PI);
        double slant = between(-1.2, 1.2);
        struct car_point middle = {distance * cos(heading), distance * sin(heading)};
        double across = heading + DPL_PI / 2.0 + slant;
        struct car_segment wall = {{middle.x + cos(across), middle.y + sin(across)},
                                   {middle.x - cos(across), middle.y - sin(across)}};
        bool hit = car_motion_contact(&footprint, (struct dpl_pose2){0, 0, heading},
                                      (struct dpl_twist2){speed, 0.0}, t, &wall, 1, &at);
        struct dpl_pose2 end = {speed * t * cos(heading), speed * t * sin(heading), heading};
        struct car_footprint last = car_footprint_at(&footprint, end);
        if (speed * t >= distance) {
            cr_assert(hit, "%g m/s, wall at %g m", speed, distance);
            cr_assert_leq(at * speed, distance);
        } else {
            cr_assert_eq(hit, car_footprint_distance(&last, &wall) == 0.0);
        }
    }
}

/* Straight ahead the contact's place is known: the front meets the wall. */
Test(car_motion, finds_the_contact_to_a_tenth_of_a_millimetre)
{
    struct car_footprint footprint = car_footprint_rectangle(0.25, 0.15, 0.06);
    for (double wall_x = 0.2; wall_x < 1.1; wall_x += 0.0137) {
        struct car_segment wall = {{wall_x, -1}, {wall_x, 1}};
        double at;
        cr_assert(car_motion_contact(&footprint, (struct dpl_pose2){0}, (struct dpl_twist2){1.0, 0},
                                     1.0, &wall, 1, &at));
        cr_assert(at >= wall_x - 0.19 - 1e-12 && at <= wall_x - 0.19 + 1.01e-4, "%g for %g", at,
                  wall_x - 0.19);
    }
}

Test(car_motion, drives_along_a_wall_that_it_does_not_touch)
{
    struct car_footprint footprint = car_footprint_rectangle(0.25, 0.15, 0.06);
    struct car_segment wall = {{-5, 0.0751}, {5, 0.0751}};
    double at;
    cr_assert_not(car_motion_contact(&footprint, (struct dpl_pose2){0}, (struct dpl_twist2){1.0, 0},
                                     1.0, &wall, 1, &at));
    wall.a.y = wall.b.y = 0.0749;
    cr_assert(car_motion_contact(&footprint, (struct dpl_pose2){0}, (struct dpl_twist2){1.0, 0},
                                 1.0, &wall, 1, &at));
    NEAR(at, 0.0, 0.0);
}

Test(car_motion, turns_its_corners_into_walls_beside_it)
{
    struct car_footprint footprint = car_footprint_rectangle(0.25, 0.15, 0.06);
    struct car_segment wall = {{-5, 0.1}, {5, 0.1}};
    double at;
    cr_assert(car_motion_contact(&footprint, (struct dpl_pose2){0}, (struct dpl_twist2){0.0, 1.0},
                                 1.0, &wall, 1, &at));
    /* the front left corner (0.19, 0.075) reaches y = 0.1 */
    double radius = hypot(0.19, 0.075), expected = asin(0.1 / radius) - atan2(0.075, 0.19);
    NEAR(at, expected, 1e-3);
}

Test(car_motion, stands_in_a_wall_or_beside_it)
{
    struct car_footprint footprint = car_footprint_rectangle(0.25, 0.15, 0.06);
    struct car_segment through = {{0, -1}, {0, 1}}, beside = {{0.2, -1}, {0.2, 1}};
    double at = -1.0;
    cr_assert(car_motion_contact(&footprint, (struct dpl_pose2){0}, (struct dpl_twist2){0}, 0.1,
                                 &through, 1, &at));
    NEAR(at, 0.0, 0.0);
    cr_assert_not(car_motion_contact(&footprint, (struct dpl_pose2){0}, (struct dpl_twist2){0}, 0.1,
                                     &beside, 1, &at));
}

Test(car_motion, crosses_a_line_on_arcs_and_straight_lines)
{
    struct car_segment line = {{-1, 1}, {1, 1}};
    struct dpl_pose2 from = {0, 0, DPL_PI / 2.0};
    double at;
    cr_assert(car_motion_crosses(from, (struct dpl_twist2){2.0, 0.0}, 1.0, &line, &at));
    NEAR(at, 0.5, 1e-12);
    cr_assert_not(car_motion_crosses(from, (struct dpl_twist2){0.99, 0.0}, 1.0, &line, &at));
    cr_assert(car_motion_crosses(from, (struct dpl_twist2){1.0, 0.0}, 1.0, &line, &at));
    /* half a circle of radius 1 to the right: it reaches y = 1 at a quarter turn, but at x = 1 */
    cr_assert(car_motion_crosses(from, (struct dpl_twist2){1.02, -1.0}, 3.2, &line, &at));
    NEAR(at, asin(1.0 / 1.02), 2e-3);
    struct car_segment left = {{-2, 0.1}, {-0.5, 0.1}};
    cr_assert_not(car_motion_crosses(from, (struct dpl_twist2){1.0, -1.0}, 3.0, &left, &at));
}

Test(car_motion, does_not_cross_a_line_that_it_starts_on)
{
    struct car_segment line = {{-1, 0}, {1, 0}};
    struct dpl_pose2 from = {0, 0, DPL_PI / 2.0};
    double at;
    cr_assert_not(car_motion_crosses(from, (struct dpl_twist2){1.0, 0.0}, 1.0, &line, &at));
    cr_assert_not(car_motion_crosses(from, (struct dpl_twist2){0.0, 0.0}, 1.0, &line, &at));
    from.y = -0.5;
    cr_assert(car_motion_crosses(from, (struct dpl_twist2){1.0, 0.0}, 1.0, &line, &at));
    NEAR(at, 0.5, 1e-12);
}

Test(car_motion, lags_as_very_small_steps_do)
{
    struct car_lag lag = {.time_constant_s = 0.08, .limit = 1.0};
    double value = -0.4, fine = -0.4, sum = 0.0;
    double mean = car_lag_advance(&lag, &value, 5.0, 0.1);
    for (int i = 0; i < 1000000; i++) {
        double before = fine;
        fine += (1.0 - fine) / 0.08 * 1e-7;
        sum += (before + fine) / 2.0 * 1e-7;
    }
    NEAR(value, fine, 1e-6);
    NEAR(mean, sum / 0.1, 1e-6);
}

Test(car_motion, limits_the_rate_of_a_lag)
{
    struct car_lag lag = {.time_constant_s = 0.0, .limit = 1.0, .rate = 2.0};
    double value = 0.0;
    double mean = car_lag_advance(&lag, &value, 1.0, 0.1);
    NEAR(mean, 0.1, 1e-12);
    NEAR(value, 0.2, 1e-12);
    mean = car_lag_advance(&lag, &value, -1.0, 0.1);
    NEAR(mean, 0.1, 1e-12);
    NEAR(value, 0.0, 1e-12);
    lag.rate = 0.0;
    mean = car_lag_advance(&lag, &value, -3.0, 0.1);
    NEAR(mean, -1.0, 1e-12);
    NEAR(value, -1.0, 1e-12);
}
