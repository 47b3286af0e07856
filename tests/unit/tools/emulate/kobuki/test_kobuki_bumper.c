/* SPDX-License-Identifier: Apache-2.0 */
/* Which part of its bumper a base feels: a thin post at each bearing, at a crawl and fast, and
 * posts that it grazes. Where they meet is computed by hand: two circles, the base's and the
 * post's. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/sim/devices.h>
#include <doppel/sim/load.h>
#include <doppel/sim/world.h>

#include "arena.h"
#include "kobuki_base.h"
#include <doppel/protocol/bumper.h>

#define BASE_RADIUS_M 0.1755
#define POST_RADIUS_M 0.01
#define REACH_M       (BASE_RADIUS_M + POST_RADIUS_M)
#define WAY_M         0.3 /* that the base drives until it touches */

enum { NONE = 0, RIGHT = 1, CENTRE = 2, LEFT = 4 };

static struct dpl_arena arena;
static struct dpl_diags diags;
static struct dpl_sim_model *model;
static struct dpl_world *world;
static double post_x, post_y;

static void end(void)
{
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
    world = NULL;
    model = NULL;
}

/* The base at the origin drives along x, and meets the post with its centre at `way`. */
static void make_world(double way, double bearing)
{
    char text[512];
    post_x = way + REACH_M * cos(bearing);
    post_y = REACH_M * sin(bearing);
    int n = snprintf(text, sizeof text,
                     "<world name='w'><ground/><cylinder x='%.9f' y='%.9f' radius='%g' height='1'/>"
                     "<robot name='r' model='" PROFILES "/robots/kobuki_urg.xml'/></world>",
                     post_x, post_y, POST_RADIUS_M);
    cr_assert_eq(dpl_sim_read_world_text(&arena, "w", text, (size_t)n, NULL, &model, &diags), 0,
                 "%s", diags.n > 0 ? diags.items[0].text : "");
    cr_assert_eq(dpl_world_create(model, &world, NULL), 0);
}

static struct dpl_world_robot step(double speed_m_s)
{
    static const char *const motors[] = {"LeftWheel", "RightWheel"};
    struct dpl_world_robot robot;
    for (int i = 0; i < 2; i++) {
        int motor = dpl_world_find_device(world, 0, DPL_WORLD_MOTOR, motors[i]);
        dpl_world_set_motor(world, motor, speed_m_s / DPL_KOBUKI_WHEEL_RADIUS_M);
    }
    dpl_world_step(world, 1);
    dpl_world_get_robot(world, 0, &robot);
    return robot;
}

struct felt {
    unsigned first;  /* bits of the bumper at the first touch */
    unsigned ever;   /* until 1 s after it */
    unsigned behind; /* while the post was still behind the axle */
    double bearing;  /* of the post then */
    double gap_m;
};

static struct felt drive(double way, double bearing, double speed_m_s)
{
    struct felt felt = {.gap_m = 1.0};
    double signed_speed = way < 0.0 ? -speed_m_s : speed_m_s;
    make_world(way, bearing);
    dpl_ns touched_at = 0, end_at = dpl_ns_from_s(fabs(way) / speed_m_s + 1.5);
    while (dpl_world_now(world) < end_at) {
        struct dpl_world_robot robot = step(signed_speed);
        unsigned bits = dpl_bumper_of(robot.touched);
        double seen =
            dpl_wrap_angle(atan2(post_y - robot.pose.y, post_x - robot.pose.x) - robot.pose.theta);
        felt.ever |= bits;
        felt.behind |= fabs(seen) > dpl_deg_to_rad(90.5) ? bits : NONE;
        if (robot.touched != 0 && touched_at == 0) {
            touched_at = dpl_world_now(world);
            end_at = touched_at + DPL_S;
            felt.first = bits;
            felt.gap_m = hypot(post_x - robot.pose.x, post_y - robot.pose.y) - REACH_M;
            felt.bearing = seen;
        }
    }
    end();
    return felt;
}

static const double speeds_m_s[] = {0.05, 0.3, 0.6};

Test(kobuki_bumper, feels_a_post_where_it_is_at_any_speed, .timeout = 60)
{
    static const struct {
        double deg;
        unsigned side;
    } posts[] = {{0, CENTRE}, {25, CENTRE}, {-25, CENTRE}, {45, LEFT},  {-45, RIGHT},
                 {60, LEFT},  {-60, RIGHT}, {80, LEFT},    {-80, RIGHT}};
    for (size_t i = 0; i < sizeof posts / sizeof posts[0]; i++) {
        for (size_t k = 0; k < 3; k++) {
            struct felt felt = drive(WAY_M, dpl_deg_to_rad(posts[i].deg), speeds_m_s[k]);
            cr_assert_lt(fabs(felt.gap_m), 5e-4, "%g deg: gap %g", posts[i].deg, felt.gap_m);
            cr_assert_float_eq(dpl_rad_to_deg(felt.bearing), posts[i].deg, 0.5);
            cr_assert_eq(felt.first, posts[i].side, "%g deg at %g m/s: bumper %u", posts[i].deg,
                         speeds_m_s[k], felt.first);
            cr_assert_eq(felt.ever, posts[i].side, "%g deg at %g m/s: then %u", posts[i].deg,
                         speeds_m_s[k], felt.ever);
        }
    }
}

/* The centre goes from -30 to 30 degrees. What slides on after the touch may change sides. */
Test(kobuki_bumper, has_its_centre_up_to_thirty_degrees, .timeout = 60)
{
    for (int side = -1; side <= 1; side += 2) {
        for (size_t k = 0; k < 3; k++) {
            struct felt within = drive(WAY_M, dpl_deg_to_rad(29.3 * side), speeds_m_s[k]);
            struct felt beyond = drive(WAY_M, dpl_deg_to_rad(30.7 * side), speeds_m_s[k]);
            cr_assert_eq(within.first, CENTRE, "%d at %g m/s: %u", side, speeds_m_s[k],
                         within.first);
            cr_assert_eq(beyond.first, side < 0 ? RIGHT : LEFT, "%d at %g m/s: %u", side,
                         speeds_m_s[k], beyond.first);
        }
    }
}

/* A post beside the way that reaches into it by so little: the circles meet at asin(offset/reach),
 * 79.7 to 88.1 degrees. */
Test(kobuki_bumper, feels_a_post_that_it_grazes, .timeout = 60)
{
    static const double depths_m[] = {1e-4, 1e-3, 3e-3};
    for (int side = -1; side <= 1; side += 2) {
        for (size_t i = 0; i < 3; i++) {
            double bearing = side * asin((REACH_M - depths_m[i]) / REACH_M);
            for (size_t k = 0; k < 3; k++) {
                struct felt felt = drive(WAY_M, bearing, speeds_m_s[k]);
                unsigned expected = side < 0 ? RIGHT : LEFT;
                cr_assert_eq(felt.first, expected, "%g mm at %g m/s: bumper %u",
                             1e3 * depths_m[i] * side, speeds_m_s[k], felt.first);
                cr_assert_eq(felt.ever, expected);
            }
        }
    }
}

/* The bumper is in front. */
Test(kobuki_bumper, does_not_feel_what_it_backs_into, .timeout = 60)
{
    static const double degs[] = {100, -100, 135, -135, 180};
    for (size_t i = 0; i < sizeof degs / sizeof degs[0]; i++) {
        for (size_t k = 0; k < 3; k++) {
            struct felt felt = drive(-WAY_M, dpl_deg_to_rad(degs[i]), speeds_m_s[k]);
            cr_assert_lt(fabs(felt.gap_m), 5e-4, "%g deg: gap %g", degs[i], felt.gap_m);
            cr_assert_eq(felt.first, NONE, "%g deg at %g m/s: bumper %u", degs[i], speeds_m_s[k],
                         felt.first);
            cr_assert_eq(felt.behind, NONE, "%g deg at %g m/s: then %u", degs[i], speeds_m_s[k],
                         felt.behind);
        }
    }
}
