/* SPDX-License-Identifier: Apache-2.0 */
/* Sensors of mechanisms against their formulas, on joints and bodies that move as the test says. */
#include <errno.h>

#include "entry_scene.h"

TestSuite(joint_sensors, .fini = reading_end);

enum { HINGE, RAIL };
enum { ARM, CAR };

static int64_t whole(const char *path)
{
    int64_t value;
    cr_assert_eq(get(path, &value, NULL), 0, "%s", path);
    return value;
}

static bool flag(const char *path)
{
    bool value;
    cr_assert_eq(get(path, &value, NULL), 0, "%s", path);
    return value;
}

static void share(const char *path, bool on)
{
    dpl_world_channels_share(channels, channel_of(path, true), on);
}

/* ---- what all have --------------------------------------------------------------------------- */

#define TACHO "<Sensor name='t' type='tacho' joint='hinge' "

Test(joint_sensors, nothing_is_there_before_the_first_measurement)
{
    double value;
    dpl_ns stamp;
    scene_make(SCENE(TACHO "every='10' phase='4'/>"));
    dpl_world_step(world, 4);
    cr_assert_eq(get("m/t/speed", &value, &stamp), -EAGAIN);
    dpl_world_step(world, 1);
    cr_assert_eq(get("m/t/speed", &value, &stamp), 0);
    cr_assert_eq(stamp, 5 * DPL_MS);
    dpl_world_step(world, 9);
    cr_assert_eq(get("m/t/speed", &value, &stamp), 0);
    cr_assert_eq(stamp, 5 * DPL_MS, "it measures in every 10th step");
}

/* At each time the newest measurement is there that is old enough, also between measurements. */
Test(joint_sensors, measurement_arrives_after_its_latency_with_its_own_stamp)
{
    scene_make(SCENE(TACHO "every='4' latency='7 ms'/>"));
    for (int i = 1; i <= 60; i++) {
        state->joints.velocity[HINGE] = i;
        dpl_world_step(world, 1);
        int newest = i - 7 >= 1 ? (i - 8) / 4 * 4 + 1 : 0; /* measured at 1, 5, 9, ... ms */
        double value = 0.0;
        dpl_ns stamp = 0;
        cr_assert_eq(get("m/t/speed", &value, &stamp), newest > 0 ? 0 : -EAGAIN, "step %d", i);
        cr_assert(newest == 0 || (value == newest && stamp == newest * DPL_MS), "step %d: %g", i,
                  value);
    }
}

Test(joint_sensors, lost_measurements_leave_the_one_before)
{
    enum { N = 20000 };
    int lost = 0;
    scene_make(SCENE(TACHO "dropout='0.2' latency='3 ms'/>"));
    for (int i = 1; i <= N; i++) {
        double value;
        dpl_ns stamp;
        state->joints.velocity[HINGE] = i;
        dpl_world_step(world, 1);
        if (i > 100) {
            cr_assert_eq(get("m/t/speed", &value, &stamp), 0);
            cr_assert_eq(stamp, (int64_t)value * DPL_MS, "its stamp is that of its value");
            cr_assert_leq(value, i - 3);
            lost += value < i - 3;
        }
    }
    double share_lost = (double)lost / (N - 100);
    NEAR(share_lost, 0.2, 4.0 * sqrt(0.2 * 0.8 / N));
}

/* Mean and deviation of N measurements of 1 rad/s. */
static void measure_many(int n, double *ret_mean, double *ret_deviation)
{
    double sum = 0.0, squares = 0.0;
    state->joints.velocity[HINGE] = 1.0;
    for (int i = 0; i < n; i++) {
        dpl_world_step(world, 1);
        double value = number("m/t/speed") - 1.0;
        sum += value;
        squares += value * value;
    }
    *ret_mean = sum / n;
    *ret_deviation = sqrt(squares / n - *ret_mean * *ret_mean);
}

Test(joint_sensors, noise_and_bias_are_those_that_are_given)
{
    enum { N = 20000 };
    double mean, deviation;
    scene_make(SCENE(TACHO "noise='0.02' bias='1 deg/s'/>"));
    measure_many(N, &mean, &deviation);
    NEAR(mean, DPL_PI / 180.0, 4.0 * 0.02 / sqrt(N));
    NEAR(deviation, 0.02, 4.0 * 0.02 / sqrt(2.0 * N));
}

Test(joint_sensors, drift_grows_with_a_slope_of_its_own)
{
    scene_make(SCENE(TACHO "drift='0.1'/>"
                           "<Sensor name='u' type='tacho' joint='hinge' drift='0.1'/>"));
    dpl_world_step(world, 1000);
    double after_1_s = number("m/t/speed"), other = number("m/u/speed");
    cr_assert_leq(fabs(after_1_s), 0.1);
    cr_assert_neq(after_1_s, 0.0);
    cr_assert_neq(after_1_s, other);
    dpl_world_step(world, 2000);
    NEAR(number("m/t/speed"), 3.0 * after_1_s, 1e-12);
}

/* The same whatever other sensors there are, and other with another seed. */
Test(joint_sensors, noise_repeats_by_its_seed)
{
    const char *texts[] = {
        SCENE(TACHO "noise='1'/>"),
        SCENE("<Sensor name='s' type='tacho' joint='rail' noise='1'/>" TACHO "noise='1'/>"),
        SCENE(TACHO "noise='1' seed='7'/>"),
    };
    double values[3];
    for (int i = 0; i < 3; i++) {
        scene_make(texts[i]);
        dpl_world_step(world, 50);
        values[i] = number("m/t/speed");
        if (i == 1) {
            cr_assert_neq(number("m/s/speed"), values[i]);
        }
        if (i < 2) {
            reading_end();
        }
    }
    cr_assert_eq(values[0], values[1]);
    cr_assert_neq(values[0], values[2]);
}

/* ---- encoders -------------------------------------------------------------------------------- */

#define ENCODER "<Sensor name='e' type='encoder' joint='hinge' counts='20000' gear='16'/>"

Test(joint_sensors, encoder_counts_to_the_nearest_and_half_counts_up)
{
    scene_make(SCENE(ENCODER));
    const double resolution = 2.0 * DPL_PI / 320000.0;
    const double angles[] = {0.0, 0.4999, 0.5001, 1.0, -0.4999, -0.5001, 1234567.0, -7.2};
    const int64_t counts[] = {0, 0, 1, 1, 0, -1, 1234567, -7};
    NEAR(number("m/e/resolution"), 1.9634954084936207e-5, 1e-18);
    for (size_t i = 0; i < DPL_COUNT(angles); i++) {
        state->joints.position[HINGE] = angles[i] * resolution;
        dpl_world_step(world, 1);
        cr_assert_eq(whole("m/e/count"), counts[i], "%g counts", angles[i]);
    }
}

Test(joint_sensors, encoder_wraps_as_32_bits_and_has_an_index_each_turn_of_the_motor)
{
    scene_make(SCENE(ENCODER));
    const double resolution = 2.0 * DPL_PI / 320000.0;
    state->joints.position[HINGE] = 2147483647.0 * resolution;
    dpl_world_step(world, 1);
    cr_assert_eq(whole("m/e/count"), INT32_MAX);
    state->joints.position[HINGE] = 2147483648.0 * resolution;
    dpl_world_step(world, 1);
    cr_assert_eq(whole("m/e/count"), INT32_MIN);
    state->joints.position[HINGE] = 2.0 * DPL_PI / 16.0;
    dpl_world_step(world, 1);
    cr_assert(flag("m/e/index"));
    cr_assert_eq(whole("m/e/turn"), 1);
    state->joints.position[HINGE] -= resolution;
    dpl_world_step(world, 1);
    cr_assert_not(flag("m/e/index"));
    cr_assert_eq(whole("m/e/turn"), 0);
}

/* A drum of radius r: the encoder's angle is the travel / r. */
Test(joint_sensors, encoder_of_a_travel_takes_radians_a_metre)
{
    scene_make(
        SCENE("<Sensor name='e' type='encoder' joint='rail' counts='1024' gear='{1/0.3}'/>"));
    state->joints.position[RAIL] = 2.0 * DPL_PI * 0.3;
    dpl_world_step(world, 1);
    cr_assert_eq(whole("m/e/count"), 1024);
    cr_assert_str_eq(describe("m/e/resolution", false)->unit, "m");
}

/* ---- tachometers ----------------------------------------------------------------------------- */

Test(joint_sensors, tachometer_follows_its_filter_and_rounds_to_its_resolution)
{
    scene_make(SCENE(TACHO "gear='-16' filter='10 ms'/>"
                           "<Sensor name='r' type='tacho' joint='rail' resolution='5 mm/s'/>"));
    state->joints.velocity[HINGE] = 2.0;
    state->joints.velocity[RAIL] = -0.0176;
    dpl_world_step(world, 10);
    NEAR(number("m/t/speed"), -32.0 * (1.0 - exp(-1.0)), 1e-12);
    NEAR(number("m/r/speed"), -0.02, 1e-15);
    cr_assert_str_eq(describe("m/t/speed", false)->unit, "rad/s");
    cr_assert_str_eq(describe("m/r/speed", false)->unit, "m/s");
}

/* ---- switches -------------------------------------------------------------------------------- */

static bool at(double position, const char *path)
{
    state->joints.position[RAIL] = position;
    dpl_world_step(world, 1);
    return flag(path);
}

#define SWITCH "<Sensor name='s' type='switch' joint='rail' from='1' to='1.2' "

Test(joint_sensors, switch_goes_off_beyond_its_hysteresis_only)
{
    scene_make(SCENE(SWITCH "hysteresis='10 mm'/>"));
    cr_assert_not(at(0.995, "m/s/on"));
    cr_assert(at(1.0, "m/s/on"));
    cr_assert(at(0.991, "m/s/on"));
    cr_assert_not(at(0.989, "m/s/on"));
    cr_assert_not(at(0.995, "m/s/on"));
    cr_assert(at(1.2, "m/s/on"));
    cr_assert(at(1.209, "m/s/on"));
    cr_assert_not(at(1.211, "m/s/on"));
}

Test(joint_sensors, switch_with_one_end_is_on_all_beyond_it)
{
    scene_make(SCENE("<Sensor name='s' type='switch' joint='rail' from='35 cm'/>"));
    cr_assert_not(at(0.349, "m/s/on"));
    cr_assert(at(0.351, "m/s/on"));
    cr_assert(at(500.0, "m/s/on"));
}

Test(joint_sensors, inverted_and_stuck_switches_say_what_they_must)
{
    scene_make(SCENE(SWITCH "inverted='true'/>"
                            "<Sensor name='on' type='switch' joint='rail' stuck='on' to='-9'/>"
                            "<Sensor name='off' type='switch' joint='rail' stuck='off'/>"));
    cr_assert(at(0.0, "m/s/on"));
    cr_assert_not(at(1.1, "m/s/on"));
    cr_assert(flag("m/on/on"));
    cr_assert_not(flag("m/off/on"));
}

Test(joint_sensors, fault_holds_a_switch_as_long_as_somebody_wants_it)
{
    scene_make(SCENE(SWITCH "/>"));
    share("m/s/stuck_off", true);
    cr_assert_not(at(1.1, "m/s/on"));
    share("m/s/stuck_off", false);
    cr_assert(at(1.1, "m/s/on"));
    share("m/s/stuck_on", true);
    cr_assert(at(0.0, "m/s/on"));
}

Test(joint_sensors, switch_whose_range_is_empty_is_an_error)
{
    cr_assert_eq(scene_read(SCENE("<Sensor name='s' type='switch' joint='rail' from='2' to='1'/>")),
                 -EINVAL);
    expect(0, SCENE_LINE, 1, "sensor of type switch: 'from' 2 is above 'to' 1");
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Contacts are those that a subsystem finds in the step; here: two moving bodies, an obstacle. */
static bool touched(int a, int b, const char *path)
{
    scene_contact = (struct dpl_sim_contact){.a = a, .b = b};
    scene_has_contact = true;
    dpl_world_step(world, 1);
    scene_has_contact = false;
    return flag(path);
}

Test(joint_sensors, contact_sensor_feels_its_body_only)
{
    scene_make(SCENE("<Sensor name='any' type='contact' body='arm'/>"
                     "<Sensor name='one' type='contact' body='arm' with='car'/>"));
    dpl_world_step(world, 1);
    cr_assert_not(flag("m/any/on"));
    cr_assert(touched(CAR, ARM, "m/any/on"));
    cr_assert(flag("m/one/on"));
    cr_assert(touched(ARM, -1, "m/any/on"), "an obstacle");
    cr_assert_not(flag("m/one/on"));
    cr_assert_not(touched(CAR, -1, "m/any/on"));
}

static void touch_at(double x, double y)
{
    scene_contact = (struct dpl_sim_contact){.a = ARM, .b = -1, .point = {x, y, 0.3}};
    scene_has_contact = true;
    dpl_world_step(world, 1);
    scene_has_contact = false;
}

Test(joint_sensors, contact_sensor_with_a_sector_is_a_bumper_and_holds)
{
    const double to_the_left[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
    scene_make(
        SCENE("<Sensor name='front' type='contact' body='arm' sector='90 deg' hold='5 ms'/>"
              "<Sensor name='left' type='contact' body='arm' yaw='90 deg' sector='90 deg'/>"
              "<Sensor name='back' type='contact' body='arm' yaw='180 deg' sector='90 deg'/>"));
    touch_at(1.0, 0.99);
    cr_assert(flag("m/front/on"));
    cr_assert_not(flag("m/left/on"));
    touch_at(0.99, 1.0);
    cr_assert(flag("m/left/on"));
    cr_assert(flag("m/front/on"), "it holds");
    touch_at(-1.0, -0.01);
    cr_assert(flag("m/back/on"));
    cr_assert_not(flag("m/left/on"), "it does not hold");
    dpl_world_step(world, 20);
    cr_assert_not(flag("m/front/on"), "long ago");
    memcpy(state->bodies.rotation[ARM], to_the_left, sizeof to_the_left);
    touch_at(0.0, 1.0);
    cr_assert(flag("m/front/on"), "it turns with its body");
}

Test(joint_sensors, contact_with_a_body_that_is_not_there_is_an_error)
{
    cr_assert_eq(scene_read(SCENE("<Sensor name='c' type='contact' body='arm' with='cat'/>")),
                 -EINVAL);
    expect(0, SCENE_LINE, 1, "with: there is no body 'cat'");
    reading_end();
    cr_assert_eq(scene_read(SCENE("<Sensor name='c' type='contact' body='cat'/>")), -EINVAL);
    expect(0, SCENE_LINE, 39, "body: there is no body 'cat', did you mean 'car'?");
    reading_end();
    cr_assert_eq(scene_read(SCENE("<Sensor type='contact' body='arm'/>")), -EINVAL);
    expect(0, SCENE_LINE, 1, "<Sensor>: give its name");
}

static void turn_body(int body, struct dpl_quaternion q)
{
    for (int k = 0; k < 3; k++) {
        struct dpl_vector3 axis =
            dpl_quaternion_turn(q, (struct dpl_vector3){k == 0, k == 1, k == 2});
        state->bodies.rotation[body][0][k] = axis.x;
        state->bodies.rotation[body][1][k] = axis.y;
        state->bodies.rotation[body][2][k] = axis.z;
    }
}

Test(joint_sensors, pose_sensor_gives_the_pose_of_its_body)
{
    struct dpl_pose3 pose;
    struct dpl_quaternion q = dpl_quaternion_from_rpy(0.3, -0.4, 2.9);
    scene_make(SCENE("<Sensor name='p' type='pose' body='car'/>"));
    turn_body(CAR, q);
    memcpy(state->bodies.position[CAR], (double[3]){1.0, -2.0, 3.5}, sizeof(double[3]));
    dpl_world_step(world, 1);
    cr_assert_eq(get("m/p/measured", &pose, NULL), 0);
    cr_assert_eq(pose.position.y, -2.0);
    cr_assert_eq(pose.position.z, 3.5);
    NEAR(pose.orientation.w, q.w, 1e-15);
    NEAR(pose.orientation.x, q.x, 1e-15);
    NEAR(pose.orientation.y, q.y, 1e-15);
    NEAR(pose.orientation.z, q.z, 1e-15);
}

Test(joint_sensors, pose_sensor_has_noise_on_each_coordinate_and_axis)
{
    enum { N = 5000 };
    double squares = 0.0, turns = 0.0;
    scene_make(SCENE("<Sensor name='p' type='pose' body='car' noise='2 mm' angle_noise='0.01'/>"));
    for (int i = 0; i < N; i++) {
        struct dpl_pose3 pose;
        dpl_world_step(world, 1);
        cr_assert_eq(get("m/p/measured", &pose, NULL), 0);
        squares += pose.position.z * pose.position.z;
        turns += 4.0 * pose.orientation.y * pose.orientation.y;
    }
    NEAR(sqrt(squares / N), 0.002, 0.002 * 4.0 / sqrt(2.0 * N));
    NEAR(sqrt(turns / N), 0.01, 0.01 * 4.0 / sqrt(2.0 * N));
}

Test(joint_sensors, imu_and_laser_are_on_bodies_of_mechanisms_too)
{
    double rate[3];
    scene_make(SCENE("<Sensor name='i' type='imu' body='arm' rate_hz='1000'/>"
                     "<Sensor name='l' type='laser' body='car' z='0.2' steps='360' first='0' "
                     "last='359' front='180' max_range='5' rate_hz='10'/>"));
    cr_assert_str_eq(objects.entries[0].name, "i");
    state->bodies.angular[ARM][1] = 0.75;
    dpl_world_step(world, 2);
    cr_assert_eq(get("m/i/rate", rate, NULL), 0);
    NEAR(rate[1], 0.75, 1e-15);
    share("m/l/on", true);
    dpl_world_step(world, 200);
    cr_assert_gt(whole("m/l/scans"), 0);
}
