/* SPDX-License-Identifier: Apache-2.0 */
/* Sensors of devices of worlds in STAR's format, against closed forms. */
#include <stdlib.h>
#include <unistd.h>

#include <doppel/math/pose3.h>

#include "star_text.h"
#include "world_reading.h"

/* A turntable with its axis upright, 1 m over the ground, that turns with 0.5 rad/s; a wall is 3 m
 * before it. The frame "eye" is 0.5 m in front; "rolled" there too, turned by 90 degrees about x.
 */
#define HEAD                                                                                       \
    "{'model_parameters': {'star_version': '2.0.1', 'units': {'angle': 'radians', 'length'"        \
    ": 'meters', 'mass': 'kilograms', 'time': 'seconds'}, 'gravity': [0, 0, -9.81], 'inclu"        \
    "de_worlds': ['wall.xml']}, 'fixed': {'frames': {'base': {'T': [0, 0, 1]}}}, 'assembly"        \
    "': {'cell': {'bodies': {'table': {'mass': 1, 'moment_of_inertia': {'Ixx': 1, 'Iyy': 1"        \
    ", 'Izz': 1}, 'frames': {'eye': {'T': [0.5, 0, 0.2]}, 'rolled': {'T': [0.5, 0, 0.2], '"        \
    "R': [[1, 0, 0], [0, 0, -1], [0, 1, 0]]}}}}, 'joints': {'axis': {'type': 'Rz', 'body_f"        \
    "rame_pairs': [['fixed', 'base'], ['table', 'origin']], 'initial_velocity': 0.5}}, 'de"        \
    "vices': {'head': {'sensors': ["
#define TAIL   "]}}}}}"
#define EYE    "'frame': ['table', 'eye']"
#define ROLLED "'frame': ['table', 'rolled']"
#define ONE_BEAM                                                                                   \
    "'steps': 4, 'last': 0, 'front': 0, 'max_range': 20, 'resolution': 0, 'rate_hz': 100"
#define RATE       0.5
#define WALL       3.0
#define EYE_X      0.5
#define EYE_HEIGHT 1.2

static char folder[] = "/tmp/doppel_star_XXXXXX";
static char world_file[64], wall_file[64], outer_file[64];

static void begin(void)
{
    cr_assert_not_null(mkdtemp(folder));
    snprintf(world_file, sizeof world_file, "%s/world.json", folder);
    snprintf(wall_file, sizeof wall_file, "%s/wall.xml", folder);
    snprintf(outer_file, sizeof outer_file, "%s/outer.xml", folder);
    star_text_write(wall_file, "<world name='wall'><box name='wall' x='3.5' y='0' size_x='1' "
                               "size_y='20' size_z='4' /></world>");
}

static void end(void)
{
    reading_end();
    unlink(world_file);
    unlink(wall_file);
    unlink(outer_file);
    rmdir(folder);
}

TestSuite(multibody_sensors, .init = begin, .fini = end);

static int read_text(const char *json)
{
    star_text_write(world_file, json);
    return dpl_sim_read_world(&arena, world_file, NULL, &model, &diags);
}

static void open_text(const char *json)
{
    cr_assert_eq(read_text(json), 0, "%s", reading_first());
    cr_assert_eq(diags.n, 0, "%s", reading_first());
    reading_make();
}

static void run(double seconds)
{
    dpl_world_run_until(world, dpl_world_now(world) + dpl_ns_from_s(seconds));
}

static void turn_on(const char *path)
{
    bool on = true;
    cr_assert_eq(dpl_world_channels_put(channels, channel_of(path, true), &on), 0);
}

/* The angle of the table when a value was measured. */
static double angle_at(dpl_ns stamp)
{
    return RATE * dpl_ns_to_s(stamp);
}

/* Along a beam that is turned by `aside` from the front of the eye. */
static double to_wall(double angle, double aside)
{
    return (WALL - EYE_X * cos(angle)) / cos(angle + aside);
}

Test(multibody_sensors, lidar_on_a_turning_table_sees_the_wall)
{
    float range;
    dpl_ns stamp;
    open_text(HEAD "{'type': 'lidar', " EYE ", " ONE_BEAM "}" TAIL);
    turn_on("cell/head/lidar/on");
    for (int i = 0; i < 5; i++) {
        run(0.25);
        cr_assert_eq(get("cell/head/lidar/ranges", &range, &stamp), 0);
        cr_assert_gt(stamp, dpl_world_now(world) - dpl_ns_from_s(0.02));
        cr_assert_float_eq((double)range, to_wall(angle_at(stamp), 0.0), 2e-6);
    }
}

Test(multibody_sensors, layers_lie_in_the_frame_that_is_rolled)
{
    float ranges[3];
    dpl_ns stamp;
    open_text(HEAD "{'type': 'lidar', 'name': 'l', " ROLLED ", " ONE_BEAM
                   ", 'layers': 3, 'lowest': -0.3, 'highest': 0.3}" TAIL);
    turn_on("cell/head/l/on");
    run(0.6);
    cr_assert_eq(get("cell/head/l/ranges", ranges, &stamp), 0);
    for (int i = 0; i < 3; i++) { /* z of the frame is -y of the table */
        double up = 0.3 * (i - 1);
        cr_assert_float_eq((double)ranges[i], to_wall(angle_at(stamp), -up), 2e-6, "%d", i);
    }
}

Test(multibody_sensors, pose_is_that_of_the_frame)
{
    struct dpl_pose3 pose, body;
    open_text(HEAD "{'type': 'pose', " ROLLED "}" TAIL);
    run(0.8);
    cr_assert_eq(get("cell/head/pose/measured", &pose, NULL), 0);
    cr_assert_eq(get("cell/table/pose", &body, NULL), 0);
    cr_assert_float_eq(pose.position.x, EYE_X * cos(0.4), 1e-9);
    cr_assert_float_eq(pose.position.y, EYE_X * sin(0.4), 1e-9);
    cr_assert_float_eq(pose.position.z, EYE_HEIGHT, 1e-12);
    double half = sqrt(0.5);
    struct dpl_quaternion roll = {half, half, 0.0, 0.0};
    struct dpl_quaternion expected = dpl_quaternion_multiply(body.orientation, roll);
    double same = expected.w * pose.orientation.w + expected.x * pose.orientation.x +
                  expected.y * pose.orientation.y + expected.z * pose.orientation.z;
    cr_assert_float_eq(fabs(same), 1.0, 1e-12);
}

Test(multibody_sensors, encoder_counts_at_a_joint_or_at_a_frame_of_one)
{
    int64_t a = 0, b = 0;
    open_text(HEAD "{'type': 'encoder', 'name': 'a', 'joint': 'axis', 'counts': 4000}, "
                   "{'type': 'encoder', 'name': 'b', 'frame': ['table', 'origin'], 'counts': 4000, "
                   "'gear': 10}" TAIL);
    run(1.0);
    cr_assert_eq(get("cell/head/a/count", &a, NULL), 0);
    cr_assert_eq(get("cell/head/b/count", &b, NULL), 0);
    cr_assert_eq(a, (int64_t)floor(0.5 / (2.0 * DPL_PI) * 4000.0)); /* 318.3 */
    cr_assert_eq(b, (int64_t)floor(5.0 / (2.0 * DPL_PI) * 4000.0)); /* 3183.1 */
}

/* One pixel, that of the middle. */
Test(multibody_sensors, camera_sees_the_wall_as_lambert_has_it)
{
    float pixels[3] = {0.0f};
    open_text(HEAD "{'type': 'camera', " EYE ", 'width': 1, 'height': 1, 'sun_elevation': 0.5, "
                   "'sun_azimuth': 3.141592653589793, 'ambient': 0.4}" TAIL);
    run(0.101);
    cr_assert_eq(get("cell/head/camera/image", pixels, NULL), 0);
    /* The wall faces the sun but for its elevation: (0.4 + 0.6 cos 0.5) of its colour. */
    cr_assert_float_eq((double)pixels[0], 0.83 * (0.4 + 0.6 * cos(0.5)), 1e-6);
    cr_assert_float_eq((double)pixels[2], 0.79 * (0.4 + 0.6 * cos(0.5)), 1e-6);
}

Test(multibody_sensors, paths_begin_with_a_robot_that_is_not_the_world)
{
    double pose[7];
    star_text_write(world_file, HEAD "{'type': 'pose', " EYE "}" TAIL);
    star_text_write(outer_file,
                    "<world name='outer'><robot name='r' star='world.json' x='5'/></world>");
    cr_assert_eq(dpl_sim_read_world(&arena, outer_file, NULL, &model, &diags), 0, "%s",
                 reading_first());
    reading_make();
    run(0.01);
    cr_assert_eq(get("r/cell/head/pose/measured", pose, NULL), 0);
    cr_assert_float_eq(pose[0], 5.0 + EYE_X * cos(RATE * 0.01), 1e-9);
}

/* At 1 m over the origin, in a robot that stands elsewhere and is turned. */
Test(multibody_sensors, a_pose_at_the_fixed_body_stands_still)
{
    double pose[7];
    star_text_write(world_file, HEAD "{'type': 'pose', 'frame': ['fixed', 'base']}" TAIL);
    star_text_write(outer_file,
                    "<world name='outer'><robot name='r' star='world.json' x='5' y='-2' "
                    "yaw='90 deg'/></world>");
    cr_assert_eq(dpl_sim_read_world(&arena, outer_file, NULL, &model, &diags), 0, "%s",
                 reading_first());
    cr_assert_eq(diags.n, 0, "%s", reading_first());
    reading_make();
    run(0.5);
    cr_assert_eq(get("r/cell/head/pose/measured", pose, NULL), 0);
    cr_expect_float_eq(pose[0], 5.0, 1e-12);
    cr_expect_float_eq(pose[1], -2.0, 1e-12);
    cr_expect_float_eq(pose[2], 1.0, 1e-12);
    cr_expect_float_eq(pose[3], sqrt(0.5), 1e-12);
    cr_expect_float_eq(pose[6], sqrt(0.5), 1e-12);
    struct dpl_diag diag;
    cr_expect_lt(dpl_world_channels_find(channels,
                                         &(struct dpl_channel_want){.path = "r/fixed/pose"}, &diag),
                 0, "what stands still has no channels");
}

/* A cart on rails along the line of sight of a radar that stands still, and a second one that is
 * across; the wall is behind them. Radars look along x; carts are spheres of 0.1 m. */
#define CARTS                                                                                      \
    "{'model_parameters': {'star_version': '2.0.1', 'units': {'angle': 'radians', 'length': "      \
    "'meters', 'mass': 'kilograms', 'time': 'seconds'}, 'gravity': [0, 0, 0], 'include_worlds': "  \
    "['wall.xml']}, 'fixed': {'frames': {'eye': {'T': [0, 0, 1]}, 'beside': {'T': [0, 0.3, "       \
    "1]}}}, "                                                                                      \
    "'assembly': {'a': {'bodies': {'near': {" CART "}, 'far': {" CART "}}, 'joints': {'x': "       \
    "{'type': 'Tx', 'body_frame_pairs': [['fixed', 'eye'], ['near', 'origin']], "                  \
    "'initial_displacement': 1, 'initial_velocity': 0.5}, 'y': {'type': 'Tx', "                    \
    "'body_frame_pairs': [['fixed', 'beside'], ['far', 'origin']], 'initial_displacement': 2.5, "  \
    "'initial_velocity': -0.25}}, 'devices': {'head': {'sensors': [{'type': 'radar', 'frame': "
#define CART                                                                                       \
    "'mass': 1, 'moment_of_inertia': {'Ixx': 1, 'Iyy': 1, 'Izz': 1}, 'shapes': [{'type': "         \
    "'sphere', 'radius': 0.1}]"

Test(multibody_sensors, a_lidar_and_a_camera_at_the_fixed_body_see_a_cart)
{
    float range, pixels[3] = {0.0f};
    dpl_ns stamp;
    open_text(CARTS "['fixed', 'eye'], 'max_range': 10}, {'type': 'lidar', 'frame': ['fixed', "
                    "'beside'], " ONE_BEAM "}, {'type': 'camera', 'frame': ['fixed', 'eye'], "
                    "'width': 1, 'height': 1}" TAIL);
    turn_on("a/head/lidar/on");
    run(0.3);
    cr_assert_eq(get("a/head/lidar/ranges", &range, &stamp), 0);
    cr_expect_float_eq((double)range, 2.4 - 0.25 * dpl_ns_to_s(stamp), 2e-6, "%g", (double)range);
    cr_assert_eq(get("a/head/camera/image", pixels, NULL), 0);
    cr_expect_gt(pixels[0], 0.1f);
}

Test(multibody_sensors, a_radar_tells_how_far_a_cart_is_and_how_fast_it_goes)
{
    double ranges[8], speeds[8];
    int64_t count = 0;
    open_text(CARTS "['fixed', 'eye'], 'max_range': 10, 'rays': 1}" TAIL);
    run(1.0);
    cr_assert_eq(get("a/head/radar/count", &count, NULL), 0);
    cr_assert_eq(get("a/head/radar/ranges", ranges, NULL), 0);
    cr_assert_eq(get("a/head/radar/speeds", speeds, NULL), 0);
    cr_assert_eq(count, 1);
    cr_expect_float_eq(ranges[0], 1.5 - 0.1, 1e-6, "%.9g", ranges[0]);
    cr_expect_float_eq(speeds[0], 0.5, 1e-9);
    cr_expect_eq(ranges[1], 0.0);
}

/* Three targets, the nearest first; speeds are those along the lines to them. Rays are 0.01 rad
 * apart, so the nearest one is up to 18 mm beside the nearest point of a sphere: 2 mm deeper. */
Test(multibody_sensors, a_radar_tells_targets_apart)
{
    double ranges[3], speeds[3], azimuths[3], elevations[3];
    int64_t count = 0;
    open_text(CARTS "['fixed', 'eye'], 'max_range': 10, 'rays': 2000, 'cone': '30 deg', 'targets': "
                    "3}" TAIL);
    run(0.01);
    cr_assert_eq(get("a/head/radar/count", &count, NULL), 0);
    cr_assert_eq(get("a/head/radar/ranges", ranges, NULL), 0);
    cr_assert_eq(get("a/head/radar/speeds", speeds, NULL), 0);
    cr_assert_eq(get("a/head/radar/azimuths", azimuths, NULL), 0);
    cr_assert_eq(get("a/head/radar/elevations", elevations, NULL), 0);
    cr_assert_eq(count, 3);
    const double x = 2.5 - 0.25 * 0.01, y = 0.3, away = hypot(x, y);
    cr_expect_float_eq(ranges[0], 1.0 + 0.5 * 0.01 - 0.1, 1e-4);
    cr_expect_float_eq(ranges[1], away - 0.1, 2e-3, "%g", ranges[1]);
    cr_expect_float_eq(azimuths[1], atan2(y, x), 0.01);
    cr_expect_float_eq(elevations[1], 0.0, 0.01);
    cr_expect_float_eq(speeds[1], -0.25 * x / away, 1e-3);
    cr_expect_float_eq(ranges[2], WALL, 2e-2); /* what of it no cart hides is aside */
    cr_expect_geq(ranges[2], WALL);
    cr_expect_float_eq(speeds[2], 0.0, 1e-12);
}

/* The eye on the turntable moves across its line of sight. */
Test(multibody_sensors, a_radar_hears_no_shift_of_what_only_turns_away)
{
    double speed, range, before;
    open_text(HEAD "{'type': 'radar', " ROLLED ", 'max_range': 20, 'rays': 1, 'targets': 1}, "
                   "{'type': 'radar', 'name': 'noisy', " EYE ", 'max_range': 20, 'targets': 1, "
                   "'speed_noise': 0.2, 'noise': 0.1, 'seed': 5}" TAIL);
    run(0.6);
    cr_assert_eq(get("cell/head/radar/ranges", &before, NULL), 0);
    run(0.4);
    cr_assert_eq(get("cell/head/radar/ranges", &range, NULL), 0);
    cr_assert_eq(get("cell/head/radar/speeds", &speed, NULL), 0);
    cr_expect_float_eq(range, to_wall(RATE * 1.0, 0.0), 2e-6);
    cr_expect_gt(range, before);
    cr_expect_float_eq(speed, 0.0, 1e-12);
    cr_assert_eq(get("cell/head/noisy/speeds", &speed, NULL), 0);
    cr_expect(speed != 0.0 && fabs(speed) < 1.0);
}

static void expect_warning(const char *sensor, const char *text)
{
    char json[2048];
    snprintf(json, sizeof json, "%s\n %s%s", HEAD, sensor, TAIL);
    cr_assert_eq(read_text(json), 0, "%s", reading_first());
    cr_assert_eq(diags.n, 1);
    cr_assert_eq(diags.items[0].severity, DPL_SEVERITY_WARNING);
    cr_assert_eq(diags.items[0].place.line, 2);
    cr_assert_eq(diags.items[0].place.column, 2);
    cr_assert_not_null(strstr(diags.items[0].text, text), "%s", diags.items[0].text);
    reading_make();
    reading_end();
}

Test(multibody_sensors, what_does_nothing_is_a_warning_at_its_place)
{
    expect_warning("{'type': 'radar', " EYE "}", "no \"max_range\"");
    expect_warning("{'type': 'contact', " EYE "}", "its body has no shapes");
    expect_warning("{'type': 'contact', 'frame': ['fixed', 'base']}", "its body has no shapes");
    expect_warning("{'type': 'encoder', 'joint': 'axis'}", "no \"counts\"");
    expect_warning("{'type': 'encoder', " EYE ", 'counts': 100}", "not that of one joint");
    expect_warning("{'type': 'pose', " EYE ", 'colour': 3}", "'colour' is no setting");
}

static void expect_error(const char *sensor, const char *text)
{
    char json[2048];
    snprintf(json, sizeof json, "%s\n %s%s", HEAD, sensor, TAIL);
    cr_assert_neq(read_text(json), 0);
    cr_assert_eq(diags.items[0].severity, DPL_SEVERITY_ERROR);
    cr_assert_eq(diags.items[0].place.line, 2);
    cr_assert_not_null(strstr(diags.items[0].text, text), "%s", diags.items[0].text);
    reading_end();
}

Test(multibody_sensors, bad_settings_are_errors_at_the_sensor)
{
    expect_error("{'type': 'pose', " EYE ", 'noise': -1}", "noise");
    expect_error("{'type': 'pose', " EYE ", 'noise': [1]}", "neither a number");
    expect_error("{'type': 'pose', " EYE ", 'x': 1}", "given by its frame");
    expect_error("{'type': 'lidar', " EYE ", " ONE_BEAM ", 'first': 3}", "expected at most one");
}
