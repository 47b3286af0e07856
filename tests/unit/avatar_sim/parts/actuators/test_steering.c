/* SPDX-License-Identifier: Apache-2.0 */
/* Bases with steered wheels: circles and slaloms against closed forms and integration, wheels that
 * do not slip, limits of the steering, obstacles. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/random.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/devices.h>
#include <doppel/sim/load.h>
#include <doppel/sim/state.h>

#include "planar_steer.h"
#include "world_reading.h"

#define NEAR(a, b, e) cr_assert_float_eq(a, b, e, "%.15g instead of %.15g", a, b)
#define LIMIT         (35.0 * DPL_PI / 180.0)

static const double wheelbase = 0.3, radius = 0.05, half_track = 0.12, rate = 2.0;

TestSuite(steering, .fini = reading_end);

static int read_text(const char *contents)
{
    char *text = dpl_arena_printf(
        &arena, "<world name='test' step_ms='1'><ground friction='1'/>%s</world>", contents);
    return dpl_sim_read_world_text(&arena, UNIT "/avatar_sim/fixtures/test.xml", text, strlen(text),
                                   NULL, &model, &diags);
}

static void make(const char *contents)
{
    cr_assert_eq(read_text(contents), 0, "%s", reading_first());
    reading_make();
}

static void drive(double speed)
{
    dpl_world_set_motor(world, 0, speed);
    dpl_world_set_motor(world, 1, speed);
}

static struct dpl_pose2 pose(void)
{
    const struct dpl_sim_state *state = dpl_world_state(world);
    return dpl_sim_body_pose2(state, state->robots[0].first_body);
}

/* ---- kinematics ---- */

static struct dpl_sim_mobile car(struct dpl_sim_wheel wheels[4], double axle, double distance)
{
    for (int i = 0; i < 4; i++) {
        wheels[i] = (struct dpl_sim_wheel){.x = axle + (i < 2 ? 0.0 : distance),
                                           .y = i % 2 ? -half_track : half_track,
                                           .radius = radius,
                                           .steered = i >= 2};
        strcpy(wheels[i].motor, i < 2 ? "motor" : "");
    }
    return (struct dpl_sim_mobile){.wheels = wheels,
                                   .n_wheels = 4,
                                   .has_steering = true,
                                   .steering = {.limit = LIMIT, .rate = rate}};
}

/* Where the axles of all wheels meet, and how fast each contact point moves there. */
Test(steering, no_wheel_slips_at_any_angle_on_any_base)
{
    struct dpl_random rng = dpl_random_seeded(3, 1);
    for (int i = 0; i < 1000; i++) {
        struct dpl_sim_wheel wheels[4];
        double axle = dpl_random_uniform(&rng, -0.5, 0.5);
        double distance = (i % 2 ? 1.0 : -1.0) * dpl_random_uniform(&rng, 0.25, 0.6);
        struct dpl_sim_mobile base = car(wheels, axle, distance);
        struct dpl_planar_steer steer;
        cr_assert_eq(dpl__planar_steer_of(&base, &steer, NULL), 0);
        double angle = dpl_random_uniform(&rng, -LIMIT, LIMIT), rolls[4];
        double curvature = tan(angle) / distance, v = dpl_random_uniform(&rng, -1.0, 1.0);
        double speeds[4] = {v * (1.0 - curvature * half_track) / radius,
                            v * (1.0 + curvature * half_track) / radius};
        struct dpl_planar_twist twist = dpl__planar_steered(&base, &steer, angle, speeds, rolls);
        NEAR(twist.ahead, v, 1e-12);
        NEAR(twist.turn, v * curvature, 1e-12);
        for (int w = 0; w < 4; w++) {
            double vx = twist.ahead - twist.turn * wheels[w].y;
            double vy = twist.left + twist.turn * wheels[w].x;
            double heading =
                w < 2 ? 0.0 : atan(curvature * distance / (1.0 - curvature * wheels[w].y));
            NEAR(vx * sin(heading) - vy * cos(heading), 0.0, 1e-12);
            NEAR(vx * cos(heading) + vy * sin(heading), rolls[w] * radius, 1e-12);
        }
    }
}

Test(steering, motors_at_one_speed_drive_through_a_differential)
{
    struct dpl_sim_wheel wheels[4];
    struct dpl_sim_mobile base = car(wheels, 0.0, wheelbase);
    struct dpl_planar_steer steer;
    const double speeds[4] = {8.0, 8.0};
    double rolls[4];
    cr_assert_eq(dpl__planar_steer_of(&base, &steer, NULL), 0);
    struct dpl_planar_twist twist = dpl__planar_steered(&base, &steer, 0.4, speeds, rolls);
    NEAR(twist.ahead, 0.4, 1e-15);
    NEAR(rolls[0] + rolls[1], 16.0, 1e-12);
    NEAR(rolls[1] - rolls[0], 2.0 * half_track * twist.turn / radius, 1e-12);
}

/* ---- worlds ---- */

/* A quarter of a second later the steering stands. */
static void steer_at_rest(double angle)
{
    put("r/steer/angle", angle);
    dpl_world_step(world, 500);
    NEAR(number("r/steer/measured"), angle, 1e-12);
}

Test(steering, circle_has_the_radius_of_the_closed_form)
{
    static const double angles[] = {0.1, -0.3, 0.5, LIMIT};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        make("<robot name='r' model='car.xml'/>");
        steer_at_rest(angles[i]);
        NEAR(pose().x, 0.0, 0.0);
        drive(10.0);
        double circle = wheelbase / tan(angles[i]), v = 10.0 * radius;
        for (int k = 1; k <= 10; k++) {
            dpl_world_step(world, 1000);
            double turned = v * k / circle;
            NEAR(pose().x, circle * sin(turned), 1e-9);
            NEAR(pose().y, circle * (1.0 - cos(turned)), 1e-9);
            NEAR(dpl_wrap_angle(pose().theta - turned), 0.0, 1e-9);
        }
        reading_end();
        memset(&diags, 0, sizeof diags);
    }
}

Test(steering, rate_and_angle_are_limited)
{
    make("<robot name='r' model='car.xml'/>");
    put("r/steer/angle", 9.0);
    dpl_world_step(world, 100);
    NEAR(number("r/steer/measured"), rate * 0.1, 1e-12);
    dpl_world_step(world, 1000);
    NEAR(number("r/steer/measured"), LIMIT, 1e-12);
    put("r/steer/angle", -0.2);
    dpl_world_step(world, 50);
    NEAR(number("r/steer/measured"), LIMIT - rate * 0.05, 1e-12);
    dpl_world_channels_release(channels, channel_of("r/steer/angle", true));
    dpl_world_step(world, 50);
    NEAR(number("r/steer/measured"), LIMIT - rate * 0.05, 1e-12);
}

/* The pose after a slalom: the angle goes along its ramps, integrated by Runge and Kutta in steps
 * of `dt`. */
static struct dpl_pose2 integrate(double v, double period, double amplitude, double duration,
                                  double dt)
{
    struct dpl_pose2 at = {0};
    double angle = 0.0;
    int n = (int)(duration / dt + 0.5), n_half = (int)(period / dt + 0.5);
    for (int i = 0; i < n; i++) {
        double target = (i / n_half) % 2 ? -amplitude : amplitude;
        double way = dpl_clamp(target - angle, -rate * dt, rate * dt);
        double w[3] = {v * tan(angle) / wheelbase, v * tan(angle + 0.5 * way) / wheelbase,
                       v * tan(angle + way) / wheelbase};
        double half = at.theta + 0.25 * dt * (w[0] + w[1]);
        double next = at.theta + dt / 6.0 * (w[0] + 4.0 * w[1] + w[2]);
        at.x += v * dt / 6.0 * (cos(at.theta) + 4.0 * cos(half) + cos(next));
        at.y += v * dt / 6.0 * (sin(at.theta) + 4.0 * sin(half) + sin(next));
        at.theta = next;
        angle += way;
    }
    return at;
}

Test(steering, slalom_is_that_of_an_integration)
{
    make("<robot name='r' model='car.xml'/>");
    drive(16.0);
    for (int k = 0; k < 10; k++) {
        put("r/steer/angle", k % 2 ? -0.5 : 0.5);
        dpl_world_step(world, 700);
    }
    struct dpl_pose2 expected = integrate(16.0 * radius, 0.7, 0.5, 7.0, 1e-4);
    cr_assert_gt(fabs(expected.x), 2.0);
    NEAR(pose().x, expected.x, 1e-5);
    NEAR(pose().y, expected.y, 1e-5);
    NEAR(pose().theta, expected.theta, 1e-5);
}

Test(steering, encoders_give_the_odometry_of_the_rear_axle)
{
    make("<robot name='r' model='car.xml'/>");
    drive(12.0);
    double x = 0.0, y = 0.0, theta = 0.0, left = 0.0, right = 0.0;
    for (int i = 0; i < 5000; i++) {
        put("r/steer/angle", 0.6 * sin(0.002 * i));
        dpl_world_step(world, 1);
        double l = number("r/enc_left/angle"), r = number("r/enc_right/angle");
        double way = 0.5 * radius * (l - left + r - right);
        double turn = radius * (r - right - l + left) / (2.0 * half_track);
        x += way * cos(theta + 0.5 * turn);
        y += way * sin(theta + 0.5 * turn);
        theta += turn;
        left = l;
        right = r;
    }
    NEAR(x, pose().x, 1e-6);
    NEAR(y, pose().y, 1e-6);
    NEAR(theta, pose().theta, 1e-9);
    /* a front wheel rolls farther: at rest of the steering by 1/cos of its angle */
    cr_assert_gt(number("r/enc_front/angle"), 0.5 * (left + right));
}

Test(steering, base_stops_where_something_is_and_its_steering_still_turns)
{
    make("<box name='sheet' x='2' y='0' size_x='0.002' size_y='4' size_z='1'/>"
         "<robot name='r' model='car.xml'/>");
    drive(20.0);
    dpl_world_step(world, 3000);
    NEAR(pose().x, 2.0 - 0.001 - 0.4, 2e-4);
    cr_assert_lt(pose().x, 2.0 - 0.001 - 0.4);
    double before = number("r/enc_left/angle");
    put("r/steer/angle", 0.3);
    dpl_world_step(world, 1000);
    NEAR(number("r/steer/measured"), 0.3, 1e-12);
    NEAR(number("r/enc_left/angle"), before, 0.01);
    drive(-10.0);
    dpl_world_step(world, 1000);
    cr_assert_lt(pose().x, 1.2);
}

Test(steering, restored_world_goes_on_with_the_same_bits)
{
    make("<robot name='r' model='car.xml'/>");
    drive(9.0);
    put("r/steer/angle", 0.5);
    dpl_world_step(world, 100);
    size_t size = dpl_world_snapshot_size(world);
    void *snapshot = dpl_arena_alloc(&arena, size);
    cr_assert_eq(dpl_world_save(world, snapshot, size), 0);
    dpl_world_step(world, 900);
    struct dpl_pose2 first = pose();
    cr_assert_eq(dpl_world_restore(world, snapshot, size), 0);
    dpl_world_step(world, 900);
    struct dpl_pose2 again = pose();
    cr_assert_eq(memcmp(&first, &again, sizeof first), 0);
}

/* A model of wheels that do not make a steered base. */
static void refused(const char *parts, const char *said)
{
    char *text = dpl_arena_printf(&arena,
                                  "<robot_model name='c' solver='planar'><chassis shape='box' "
                                  "z='0.2' size_x='1' size_y='1' size_z='0.1' mass='1'/>%s"
                                  "</robot_model>",
                                  parts);
    char path[] = "/tmp/dpl_car_XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    FILE *file = fdopen(fd, "w");
    fputs(text, file);
    fclose(file);
    int err = read_text(dpl_arena_printf(&arena, "<robot name='r' model='%s'/>", path));
    remove(path);
    cr_assert_eq(err, -EINVAL, "%s", parts);
    cr_assert_not_null(strstr(diags.items[0].text, said), "%s", diags.items[0].text);
    reading_end();
    memset(&diags, 0, sizeof diags);
}

#define STEERING "<steering name='s'/>"
#define REAR     "<wheel motor='m' y='0.1' radius='0.1'/><wheel y='-0.1' radius='0.1'/>"
#define FRONT    "<wheel x='0.3' y='0' radius='0.1' steered='true'/>"

Test(steering, wheels_that_make_no_steered_base_are_refused)
{
    refused(STEERING REAR, "needs steered wheels at one x");
    refused(REAR FRONT, "has a steered wheel, but no <steering>");
    refused(STEERING REAR FRONT "<wheel x='0.1' y='0.2' radius='0.1'/>", "needs steered wheels");
    refused(STEERING REAR "<wheel x='0.3' y='0' radius='0.1' heading='1' steered='true'/>",
            "no heading");
    refused(STEERING "<wheel y='0.1' radius='0.1'/>" FRONT, "wheels with a motor");
    refused(STEERING "<wheel motor='m' y='2' radius='0.1'/>" FRONT, "ahead with all angles");
}

Test(steering, bullet_refuses_what_it_cannot_steer)
{
    cr_assert_eq(read_text("<robot name='r' model='car.xml' solver='mobile'/>"), -EINVAL);
    cr_assert_not_null(strstr(diags.items[0].text, "solver=\"planar\""), "%s", diags.items[0].text);
}
