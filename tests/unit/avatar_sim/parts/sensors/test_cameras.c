/* SPDX-License-Identifier: Apache-2.0 */
/* Depth cameras and cameras: against formulas, against a test of every solid, when pictures arrive,
 * noise, colours. */
#include <errno.h>
#include <stdlib.h>

#include "scenery_scene.h"

TestSuite(cameras, .fini = reading_end);

enum { ARM, CAR };

#define DEPTH  "<Sensor name='c' type='depth' body='arm' "
#define CAMERA "<Sensor name='c' type='camera' body='arm' "

static float *image;
static size_t n_values;
static dpl_ns stamp;

static void look(void)
{
    dpl_world_step(world, 100);
    n_values = describe("m/c/image", false)->size;
    image = realloc(image, n_values * sizeof *image);
    cr_assert_eq(get("m/c/image", image, &stamp), 0);
}

static void place(int body, double x, double y, double z)
{
    scenery_place(body, (struct dpl_pose3){{x, y, z}, {.w = 1.0}});
}

/* A wall across is equally deep in all pixels, however slanted their rays are. */
Test(cameras, depth_is_along_the_axis)
{
    scene_make(SCENE("<RigidObject name='wall' mass='1'><position x='30'/>"
                     "<BoxShape x='1' y='100' z='100'/></RigidObject>" DEPTH
                     "width='40' height='30' fov='90 deg' max_range='20'/>"));
    place(ARM, 0.0, 0.0, 60.0);
    place(2, 4.0, 0.0, 60.0);
    look();
    cr_assert_eq(n_values, 40 * 30);
    for (size_t i = 0; i < n_values; i++) {
        NEAR((double)image[i], 3.5, 1e-6);
    }
    cr_assert_eq(stamp, 100 * DPL_MS);
    double lens[5];
    cr_assert_eq(get("m/c/lens", lens, NULL), 0);
    NEAR(lens[2], 20.0, 1e-12);
}

/* The ground from a camera that looks level: z = height / (rows below the middle / focal). */
Test(cameras, depth_of_the_ground_grows_to_the_horizon)
{
    scene_make(SCENE(DEPTH "width='40' height='30' fov='90 deg' min_range='1.5' max_range='20'/>"));
    place(ARM, 0.0, 0.0, 1.0);
    place(CAR, 0.0, 0.0, 50.0);
    look();
    for (size_t row = 0; row < 30; row++) {
        double down = ((double)row + 0.5 - 15.0) / 20.0, depth = 1.0 / down;
        double expected = down > 0.0 && depth <= 20.0 && depth >= 1.5 ? depth : 0.0;
        NEAR((double)image[row * 40 + 3], expected, 1e-5);
    }
}

/* A ball to the left and above is in the left upper part of the picture. */
Test(cameras, pixels_begin_at_the_top_left)
{
    scene_make(SCENE(DEPTH "width='40' height='30' fov='90 deg' max_range='20'/>"));
    place(ARM, 0.0, 0.0, 60.0);
    double left = (19.5 - 4.0) / 20.0, up = (14.5 - 6.0) / 20.0;
    place(CAR, 2.0, 2.0 * left, 60.0 + 2.0 * up);
    look();
    size_t seen = 0;
    for (size_t i = 0; i < n_values; i++) {
        seen += image[i] > 0.0f;
    }
    double length = sqrt(1.0 + left * left + up * up);
    NEAR((double)image[6 * 40 + 4], 2.0 - 0.1 / length, 1e-6);
    cr_assert_lt(seen, 12);
}

Test(cameras, depth_of_each_pixel_is_that_of_a_test_of_every_solid)
{
    scenery_make(SCENE(SCENERY_BODIES DEPTH
                       "width='80' height='60' fov='1.2' max_range='25' pitch='0.3' yaw='0.2' "
                       "roll='0.1' x='0.4'/>"),
                 300);
    const struct dpl_pose3 mount = {{0.4, 0.0, 0.0}, dpl_quaternion_from_rpy(0.1, 0.3, 0.2)};
    struct dpl_random rng = dpl_random_seeded(5, 1);
    size_t hits = 0;
    for (int round = 0; round < 8; round++) {
        struct dpl_pose3 arm = scenery_pose(&rng, 6.0);
        struct dpl_pose3 from = dpl_pose3_compose(arm, mount);
        scenery_place(ARM, arm);
        for (int body = 1; body < 6; body++) {
            scenery_place(body, scenery_pose(&rng, 6.0));
        }
        look();
        double focal = 40.0 / tan(0.6);
        for (size_t i = 0; i < n_values; i++) {
            double right = ((double)(i % 80) + 0.5 - 40.0) / focal;
            double down = ((double)(i / 80) + 0.5 - 30.0) / focal;
            double length = sqrt(1.0 + right * right + down * down);
            struct dpl_vector3 own = {1.0 / length, -right / length, -down / length};
            double depth = scenery_brute(from.position, dpl_quaternion_turn(from.orientation, own));
            depth = depth / length <= 25.0 ? depth / length : 0.0;
            NEAR((double)image[i], depth, 3e-6);
            hits += depth > 0.0;
        }
    }
    cr_assert_gt(hits, 4000, "%zu", hits);
}

Test(cameras, pictures_come_at_their_rate_and_arrive_late)
{
    scene_make(SCENE(DEPTH "width='1' height='1' max_range='20' rate_hz='50' latency='35 ms' "
                           "pitch='90 deg'/>"));
    place(CAR, 50.0, 0.0, 50.0);
    for (int ms = 1; ms <= 200; ms++) {
        place(ARM, 0.0, 0.0, 1.0 + 1e-3 * ms);
        dpl_world_step(world, 1);
        float depth;
        int due = (ms - 35) / 20 * 20;
        int err = get("m/c/image", &depth, &stamp);
        cr_assert_eq(err, ms < 55 ? -EAGAIN : 0, "%d at %d ms", err, ms);
        if (err == 0) {
            cr_assert_eq(stamp, due * DPL_MS);
            NEAR((double)depth, 1.0 + 1e-3 * due, 1e-6);
        }
    }
    int64_t taken;
    cr_assert_eq(get("m/c/pictures", &taken, NULL), 0);
    cr_assert_eq(taken, 10);
}

Test(cameras, off_they_take_none)
{
    scene_make(SCENE(DEPTH "width='1' height='1' max_range='20' rate_hz='100' on='false'/>"));
    dpl_world_step(world, 25);
    cr_assert_eq(get("m/c/image", &(float){0}, NULL), -EAGAIN);
    cr_assert_eq(dpl_world_channels_put(channels, channel_of("m/c/on", true), &(bool){true}), 0);
    dpl_world_step(world, 5);
    cr_assert_eq(get("m/c/image", &(float){0}, &stamp), 0);
    cr_assert_eq(stamp, 30 * DPL_MS);
}

Test(cameras, depth_has_noise_that_grows_with_its_square)
{
    scene_make(SCENE(DEPTH "width='200' height='100' fov='0.1' max_range='20' noise='0.01' "
                           "noise_growth='0.002' bias='0.05' dropout='0.2' pitch='90 deg'/>"));
    place(CAR, 50.0, 0.0, 50.0);
    place(ARM, 0.0, 0.0, 5.0);
    look();
    double sum = 0.0, squares = 0.0, n = 0.0, deviation = 0.01 + 0.002 * 25.0;
    for (size_t i = 0; i < n_values; i++) {
        if (image[i] > 0.0f) {
            double error = (double)image[i] - 5.05;
            sum += error;
            squares += error * error;
            n += 1.0;
        }
    }
    cr_assert_float_eq(n / (double)n_values, 0.8, 5.0 * 0.4 / sqrt((double)n_values));
    cr_assert_float_eq(sum / n, 0.0, 5.0 * deviation / sqrt(n));
    cr_assert_float_eq(sqrt(squares / n), deviation, 5.0 * deviation / sqrt(2.0 * n));
}

/* ---- colours ---- */

#define RED_WALL                                                                                   \
    "<RigidObject name='wall' mass='1'><position x='30'/><BoxShape x='1' y='100' z='100'>"         \
    "<color r='0.8' g='0.2' b='0.1'/></BoxShape></RigidObject>"

/* By Lambert's law; the sun is in the direction 0.5 above the way back from the wall. */
Test(cameras, colour_is_that_of_the_solid_in_the_light)
{
    scene_make(SCENE(RED_WALL CAMERA "width='4' height='2' sun_azimuth='180 deg' "
                                     "sun_elevation='0.5' ambient='0.3'/>"));
    place(ARM, 0.0, 0.0, 60.0);
    place(2, 4.0, 0.0, 60.0);
    look();
    cr_assert_eq(n_values, 4 * 2 * 3);
    double light = 0.3 + 0.7 * cos(0.5);
    for (size_t i = 0; i < n_values; i += 3) {
        NEAR((double)image[i], 0.8 * light, 1e-6);
        NEAR((double)image[i + 1], 0.2 * light, 1e-6);
        NEAR((double)image[i + 2], 0.1 * light, 1e-6);
    }
}

Test(cameras, grey_is_brightness_and_a_side_away_from_the_sun_is_dark)
{
    scene_make(SCENE(RED_WALL CAMERA "width='1' height='1' colors='grey' sun_azimuth='0' "
                                     "sun_elevation='0' ambient='0.3'/>"));
    place(ARM, 0.0, 0.0, 60.0);
    place(2, 4.0, 0.0, 60.0);
    look();
    cr_assert_eq(n_values, 1);
    NEAR((double)image[0], 0.3 * (0.299 * 0.8 + 0.587 * 0.2 + 0.114 * 0.1), 1e-6);
}

/* The sun is straight above; the car keeps it from the ground below the camera. */
Test(cameras, shadows_are_ambient_light_only)
{
    scene_make(SCENE(CAMERA "width='1' height='1' colors='grey' pitch='45 deg' "
                            "sun_elevation='90 deg' ambient='0.25' shadows='true'/>"));
    place(ARM, 0.0, 0.5, 1.0);
    place(CAR, 50.0, 0.0, 1.0);
    look();
    double bright = (double)image[0];
    place(CAR, 1.0, 0.5, 3.0);
    look();
    NEAR((double)image[0], 0.25 * bright, 1e-6);
}

/* The normal of a ball is the way from its middle. */
Test(cameras, normals_of_a_ball_give_its_shading)
{
    scene_make(SCENE(CAMERA "width='41' height='41' fov='0.3' colors='grey' sun_azimuth='3.0' "
                            "sun_elevation='0.7' ambient='0'/>"));
    place(ARM, 0.0, 0.0, 60.0);
    place(CAR, 1.0, 0.0, 60.0);
    look();
    const struct dpl_vector3 sun = {cos(0.7) * cos(3.0), cos(0.7) * sin(3.0), sin(0.7)};
    double focal = 20.5 / tan(0.15), base = 0.299 * 0.30 + 0.587 * 0.50 + 0.114 * 0.75;
    size_t seen = 0;
    for (size_t i = 0; i < n_values; i++) {
        struct dpl_vector3 along = {1.0, -((double)(i % 41) - 20.0) / focal,
                                    -((double)(i / 41) - 20.0) / focal};
        along = dpl_vector3_times(along, 1.0 / dpl_vector3_length(along));
        double rest = along.x * along.x - (1.0 - 0.01);
        if (rest > 0.0) {
            double range = along.x - sqrt(rest);
            struct dpl_vector3 normal = dpl_vector3_minus(dpl_vector3_times(along, range),
                                                          (struct dpl_vector3){1.0, 0.0, 0.0});
            double share = fmax(10.0 * dpl_vector3_dot(normal, sun), 0.0);
            NEAR((double)image[i], base * share, 1e-5);
            seen++;
        }
    }
    cr_assert_gt(seen, 300);
}

Test(cameras, repeat_to_the_last_bit_after_a_restore)
{
    scenery_make(SCENE(SCENERY_BODIES CAMERA
                       "width='60' height='40' noise='0.02' shadows='true' latency='30 ms'/>"),
                 100);
    place(ARM, 0.0, 0.0, 1.0);
    dpl_world_step(world, 100);
    look();
    size_t size = dpl_world_snapshot_size(world), bytes = n_values * sizeof *image;
    void *snapshot = malloc(size), *first = malloc(bytes);
    cr_assert_eq(dpl_world_save(world, snapshot, size), 0);
    place(CAR, 3.0, 0.0, 1.0);
    look();
    look();
    memcpy(first, image, bytes);
    place(CAR, 2.0, 0.2, 1.0);
    look();
    look();
    cr_assert_neq(memcmp(first, image, bytes), 0);
    cr_assert_eq(dpl_world_restore(world, snapshot, size), 0);
    place(CAR, 3.0, 0.0, 1.0);
    look();
    look();
    cr_assert_eq(memcmp(first, image, bytes), 0);
    free(snapshot);
    free(first);
}

Test(cameras, that_make_no_sense_are_errors)
{
    cr_assert_eq(scene_read(SCENE(DEPTH "width='640' height='481' max_range='5'/>")), -EINVAL);
    expect(0, SCENE_LINE, 1, "camera 'c' has 640 x 481 pixels, expected 307200");
    reading_end();
    cr_assert_eq(scene_read(SCENE(DEPTH "width='6' height='4' min_range='5' max_range='5'/>")),
                 -EINVAL);
    expect(0, SCENE_LINE, 1, "camera 'c': min_range 5 m is not below max_range 5 m");
    reading_end();
    cr_assert_eq(scene_read(SCENE(CAMERA "width='640' height='480' rate_hz='1000' "
                                         "latency='2 s'/>")),
                 -EINVAL);
}
