/* SPDX-License-Identifier: Apache-2.0 */
/* Inertial measurement units in worlds: on a body that turns and drives exactly as it is told, and
 * on one that rolls on wheels. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>
#include <doppel/sim/subsystem.h>

#include "world_reading.h"

#define G 9.80665

static char folder[32], robot_file[64];

static void begin(void)
{
    strcpy(folder, "/tmp/doppel-imu-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(robot_file, sizeof robot_file, "%s/robot.xml", folder);
}

static void end(void)
{
    reading_end();
    unlink(robot_file);
    rmdir(folder);
}

TestSuite(imu, .init = begin, .fini = end);

static void write_robot(const char *elements)
{
    FILE *file = fopen(robot_file, "w");
    cr_assert_not_null(file);
    fprintf(file, "<robot_model name='r'>%s</robot_model>\n", elements);
    fclose(file);
}

static int load(const char *elements, const char *world_attributes)
{
    char text[512];
    struct dpl_sim_load_options options = {0};
    write_robot(elements);
    snprintf(text, sizeof text,
             "<world name='w' %s><ground/><robot name='r' model='%s' yaw='1'/></world>",
             world_attributes, robot_file);
    return dpl_sim_read_world_text(&arena, "test.xml", text, strlen(text), &options, &model,
                                   &diags);
}

static void build(const char *elements)
{
    reading_is_good(load(elements, ""));
    reading_make();
}

struct reading {
    double rate[3], acceleration[3], angles[3];
    dpl_ns stamp;
};

static struct reading read_imu(void)
{
    struct reading r;
    dpl_ns stamp;
    cr_assert_eq(get("r/imu/rate", r.rate, &r.stamp), 0);
    cr_assert_eq(get("r/imu/acceleration", r.acceleration, &stamp), 0);
    cr_assert_eq(stamp, r.stamp);
    cr_assert_eq(get("r/imu/angles", r.angles, &stamp), 0);
    return r;
}

#define NEAR(a, b, within) cr_assert_float_eq(a, b, within, "%.12g, expected %.12g", a, b)
#define POINT              "<integrator radius='0.1' height='0.6' max_speed='2'/>"

Test(imu, there_is_nothing_before_the_first_measurement)
{
    double rate[3];
    dpl_ns stamp;
    build(POINT "<imu name='imu' rate_hz='10'/>");
    dpl_world_step(world, 99);
    cr_assert_eq(get("r/imu/rate", rate, &stamp), -EAGAIN);
    dpl_world_step(world, 1);
    cr_assert_eq(read_imu().stamp, 100 * DPL_MS);
    dpl_world_step(world, 99);
    cr_assert_eq(read_imu().stamp, 100 * DPL_MS);
    dpl_world_step(world, 1);
    cr_assert_eq(read_imu().stamp, 200 * DPL_MS);
}

Test(imu, turns_at_the_rate_of_its_body)
{
    build(POINT "<imu name='imu'/>");
    put("r/turn", 0.75);
    dpl_world_step(world, 2000);
    struct reading r = read_imu();
    NEAR(r.rate[0], 0.0, 1e-12);
    NEAR(r.rate[1], 0.0, 1e-12);
    NEAR(r.rate[2], 0.75, 1e-12);
    NEAR(r.angles[2], 1.0 + 1.5, 1e-9);
    NEAR(r.acceleration[0], 0.0, 1e-9);
    NEAR(r.acceleration[2], G, 1e-9);
}

/* Driving a circle with v and w: the acceleration is v w to the left. */
Test(imu, feels_the_acceleration_of_a_circle_in_its_own_frame)
{
    build(POINT "<imu name='imu' yaw='90 deg' rate_hz='1000'/>");
    put("r/speed", 1.5);
    put("r/turn", 0.5);
    dpl_world_step(world, 3000);
    struct reading r = read_imu();
    NEAR(r.acceleration[0], 0.75, 1e-3); /* its x axis points to the robot's left */
    NEAR(r.acceleration[1], 0.0, 1e-3);
    NEAR(r.rate[2], 0.5, 1e-12);
    NEAR(r.angles[2], dpl_wrap_angle(1.0 + 1.5 + DPL_PI / 2), 1e-9);
}

/* On the spot: the mount at distance d ahead accelerates w^2 d backwards. */
Test(imu, feels_the_centripetal_acceleration_of_its_mount)
{
    build(POINT "<imu name='imu' x='0.4' y='0.3' rate_hz='1000'/>");
    put("r/turn", 2.0);
    dpl_world_step(world, 1000);
    struct reading r = read_imu();
    NEAR(r.acceleration[0], -4.0 * 0.4, 5e-3);
    NEAR(r.acceleration[1], -4.0 * 0.3, 5e-3);
}

Test(imu, gives_the_mean_acceleration_since_the_measurement_before)
{
    build(POINT "<imu name='imu' rate_hz='10'/>");
    dpl_world_step(world, 100);
    put("r/speed", 0.5);
    dpl_world_step(world, 100);
    NEAR(read_imu().acceleration[0], 5.0, 1e-9);
    dpl_world_step(world, 100);
    NEAR(read_imu().acceleration[0], 0.0, 1e-9);
}

Test(imu, has_the_bias_and_noise_that_it_is_given)
{
    enum { N = 4000 };
    double sum = 0.0, squares = 0.0, force = 0.0;
    build(POINT "<imu name='imu' rate_hz='1000' gyro_noise='0.02' gyro_bias_z='3 deg/s' "
                "accelerometer_bias_x='0.1' accelerometer_noise='0.5'/>");
    for (int i = 0; i < N; i++) {
        dpl_world_step(world, 1);
        struct reading r = read_imu();
        sum += r.rate[2];
        squares += r.rate[2] * r.rate[2];
        force += r.acceleration[0];
        NEAR(r.angles[2], 1.0, 1e-12);
    }
    double mean = sum / N, deviation = sqrt(squares / N - mean * mean);
    NEAR(mean, dpl_deg_to_rad(3.0), 4.0 * 0.02 / sqrt(N));
    NEAR(deviation, 0.02, 0.02 * 0.06);
    NEAR(force / N, 0.1, 4.0 * 0.5 / sqrt(N));
}

Test(imu, two_units_have_noise_of_their_own_and_each_repeats)
{
    double first[2], again[2];
    const char *units = POINT "<imu name='imu' gyro_noise='1'/><imu name='b' gyro_noise='1'/>";
    for (int run = 0; run < 2; run++) {
        double *to = run == 0 ? first : again, rate[3];
        build(units);
        dpl_world_step(world, 50);
        to[0] = read_imu().rate[0];
        cr_assert_eq(get("r/b/rate", rate, NULL), 0);
        to[1] = rate[0];
        if (run == 0) {
            end();
            begin();
        }
    }
    cr_assert_neq(first[0], first[1]);
    cr_assert_eq(first[0], again[0]);
    cr_assert_eq(first[1], again[1]);
}

/* Bullet's solver is not exact; its gravity is 9.81 m/s^2. */
Test(imu, feels_gravity_on_a_robot_that_stands_and_a_turn_on_one_that_turns)
{
    build("<chassis shape='cylinder' z='0.25' radius='0.2' height='0.4' mass='8'/>"
          "<wheel motor='left' encoder='left' y='0.15' radius='0.065' max_torque='4'/>"
          "<wheel motor='right' encoder='right' y='-0.15' radius='0.065' max_torque='4'/>"
          "<caster x='0.15' radius='0.03'/><caster x='-0.15' radius='0.03'/>"
          "<imu name='imu' rate_hz='5'/>");
    dpl_world_step(world, 2000);
    struct reading r = read_imu();
    NEAR(r.acceleration[0], 0.0, 0.01);
    NEAR(r.acceleration[2], G, 0.01);
    NEAR(r.rate[2], 0.0, 1e-3);
    put("r/left/speed", -2.0);
    put("r/right/speed", 2.0);
    dpl_world_step(world, 2000);
    r = read_imu();
    NEAR(r.rate[2], 2.0 * 2.0 * 0.065 / 0.3, 0.01);
    NEAR(r.acceleration[2], G, 0.05);
}

Test(imu, a_wrong_setting_is_an_error_with_its_place)
{
    cr_assert_lt(load(POINT "<imu name='imu' rate_hz='0'/>", ""), 0);
    cr_assert_eq(diags.n, 1);
    cr_assert_not_null(strstr(diags.items[0].text, "rate_hz"), "%s", diags.items[0].text);
    cr_assert_gt(diags.items[0].place.line, 0);
}
