/* SPDX-License-Identifier: Apache-2.0 */
/* A laser with layers: against formulas, against a test of every solid, its sweep, its noise. */
#include <errno.h>
#include <stdlib.h>

#include <doppel/sim/laser.h>

#include "laser.h"
#include "scenery.h"
#include "scenery_scene.h"

TestSuite(laser_layers, .fini = reading_end);

enum { ARM, CAR };

#define LASER "<Sensor name='l' type='laser' body='arm' "

static float *ranges;
static size_t n_ranges;

static void scan(void)
{
    cr_assert_eq(dpl_world_channels_put(channels, channel_of("m/l/on", true), &(bool){true}), 0);
    dpl_world_step(world, 100);
    n_ranges = describe("m/l/ranges", false)->size;
    ranges = realloc(ranges, n_ranges * sizeof *ranges);
    cr_assert_eq(get("m/l/ranges", ranges, NULL), 0);
}

static void place(int body, double x, double y, double z)
{
    scenery_place(body, (struct dpl_pose3){{x, y, z}, {.w = 1.0}});
}

#define FAN "z='0' steps='360' first='0' last='90' front='45' resolution='0' max_range='40' "

Test(laser_layers, give_the_ground_and_a_sphere_where_formulas_say)
{
    scene_make(SCENE(LASER FAN "layers='5' lowest='-40 deg' highest='20 deg'/>"));
    place(ARM, 0.0, 0.0, 2.0);
    place(CAR, 5.0, 0.0, 2.0 - 5.0 * tan(10.0 * DPL_PI / 180.0));
    scan();
    cr_assert_eq(n_ranges, 5 * 91);
    for (size_t layer = 0; layer < 5; layer++) {
        double up = (-40.0 + 15.0 * (double)layer) * DPL_PI / 180.0;
        double ground = up < 0.0 ? 2.0 / sin(-up) : 0.0;
        double ahead = layer == 2 ? 5.0 / cos(up) - 0.1 : ground;
        NEAR((double)ranges[layer * 91 + 45], ahead, 1e-5);
        NEAR((double)ranges[layer * 91 + 10], ground, 1e-5);
    }
    double elevations[5];
    cr_assert_eq(get("m/l/elevations", elevations, NULL), 0);
    NEAR(elevations[1], -25.0 * DPL_PI / 180.0, 1e-12);
}

Test(laser_layers, lean_with_their_body_and_their_mount)
{
    scene_make(SCENE(LASER FAN "elevations_deg='-5 0 30' pitch='20 deg' x='1'/>"));
    place(CAR, 50.0, 0.0, 50.0);
    scenery_place(ARM,
                  (struct dpl_pose3){{0.0, 0.0, 3.0},
                                     dpl_quaternion_from_rpy(0.0, 10.0 * DPL_PI / 180.0, 1.0)});
    scan();
    double height = 3.0 - sin(10.0 * DPL_PI / 180.0);
    NEAR((double)ranges[45], height / sin(35.0 * DPL_PI / 180.0), 1e-5);
    NEAR((double)ranges[91 + 45], height / sin(30.0 * DPL_PI / 180.0), 1e-5);
    cr_assert_eq(ranges[2 * 91 + 45], 0.0f, "into the sky");
}

static struct dpl_vector3 beam(struct dpl_pose3 arm, double up, double around)
{
    struct dpl_vector3 own = {cos(up) * cos(around), cos(up) * sin(around), sin(up)};
    return dpl_quaternion_turn(arm.orientation, own);
}

Test(laser_layers, give_each_beam_what_a_test_of_every_solid_gives)
{
    scenery_make(SCENE(SCENERY_BODIES LASER
                       "z='0' steps='720' first='0' last='719' front='360' resolution='0' "
                       "min_range='0' max_range='25' layers='16' lowest='-45 deg' "
                       "highest='45 deg'/>"),
                 300);
    struct dpl_random rng = dpl_random_seeded(3, 1);
    size_t hits = 0;
    for (int round = 0; round < 6; round++) {
        struct dpl_pose3 arm = scenery_pose(&rng, 5.0);
        scenery_place(ARM, arm);
        for (int body = 1; body < 6; body++) {
            scenery_place(body, scenery_pose(&rng, 5.0));
        }
        scan();
        for (size_t i = 0; i < n_ranges; i++) {
            double up = (-45.0 + 6.0 * (double)(i / 720)) * DPL_PI / 180.0;
            double around = ((double)(i % 720) - 360.0) * DPL_PI / 360.0;
            double expected = scenery_brute(arm.position, beam(arm, up, around));
            expected = expected <= 25.0 ? expected : 0.0;
            cr_assert_float_eq((double)ranges[i], expected, 3e-6, "beam %zu: %.9g, expected %.9g",
                               i, (double)ranges[i], expected);
            hits += expected > 0.0;
        }
    }
    cr_assert_gt(hits, 30000);
}

static double nearest(const struct dpl__scenery_tree *tree, const struct dpl__scenery_ray *ray)
{
    double range = (double)INFINITY;
    for (size_t i = 0; i < tree->n; i++) {
        range = fmin(range, dpl__scenery_meet(&tree->things[i], ray));
    }
    return range;
}

/* Also along the axes, where boxes are flat, and from far away. */
Test(laser_layers, lose_nothing_by_the_trees_to_the_last_bit)
{
    scenery_make(SCENE(SCENERY_BODIES LASER FAN "layers='2'/>"), 500);
    struct dpl__scenery *scenery = dpl__scenery_of(dpl_world_entry_site(world, &dpl_laser, 0));
    struct dpl_random rng = dpl_random_seeded(4, 2);
    size_t hits = 0;
    for (int body = 1; body < 6; body++) {
        scenery_place(body, scenery_pose(&rng, 5.0));
    }
    dpl__scenery_refresh(scenery);
    for (int i = 0; i < 40000; i++) {
        struct dpl_pose3 from = scenery_pose(&rng, i % 2 ? 5.0 : 2000.0);
        const struct dpl_vector3 axes[3] = {{0, 0, -1}, {1, 0, 0}, {0, 1, 0}};
        struct dpl_vector3 to =
            dpl_vector3_times(from.position, -1.0 / dpl_vector3_length(from.position));
        struct dpl__scenery_ray ray = {
            .from = from.position,
            .along = i % 5 == 0   ? axes[i % 3]
                     : i % 2 == 0 ? to
                                  : dpl_quaternion_turn(from.orientation, axes[1]),
            .max_range = i % 7 ? 1e4 : 3.0,
            .robot = -1,
            .body = i % 4,
        };
        double ground = ray.along.z < 0.0 ? -ray.from.z / ray.along.z : (double)INFINITY;
        double least = fmin(nearest(&scenery->standing, &ray), nearest(&scenery->moving, &ray));
        hits += least < fmin(ground, ray.max_range);
        least = fmin(least, ground);
        double expected = least < ray.max_range ? least : (double)INFINITY;
        cr_assert_eq(dpl__scenery_cast(scenery, &ray).range, expected);
    }
    cr_assert_gt(hits, 8000, "%zu", hits);
}

Test(laser_layers, measure_all_layers_of_a_column_at_its_own_instant)
{
    scene_make(SCENE(LASER "z='0' steps='100' first='0' last='99' front='0' resolution='0' "
                           "max_range='40' rate_hz='10' scan_time_ms='100' "
                           "elevations_deg='-30 -60'/>"));
    place(CAR, 50.0, 0.0, 50.0);
    place(ARM, 0.0, 0.0, 10.0);
    cr_assert_eq(dpl_world_channels_put(channels, channel_of("m/l/on", true), &(bool){true}), 0);
    dpl_ns stamp;
    static float swept[200];
    /* It rises by 1 m/s. */
    for (int ms = 1; ms <= 300; ms++) {
        place(ARM, 0.0, 0.0, 10.0 + 1e-3 * ms);
        dpl_world_step(world, 1);
    }
    cr_assert_eq(get("m/l/ranges", swept, &stamp), 0);
    for (size_t i = 0; i < 100; i++) {
        double at_s = 1e-9 * (double)stamp + ((double)i - 50.0) * 1e-3;
        NEAR((double)swept[i], (10.0 + at_s) / 0.5, 1e-4);
        NEAR((double)swept[100 + i], (10.0 + at_s) / sin(DPL_PI / 3.0), 1e-4);
    }
}

Test(laser_layers, have_noise_of_its_deviation)
{
    scene_make(SCENE(LASER "z='0' steps='2000' first='0' last='1999' front='0' resolution='0' "
                           "max_range='40' noise_m='0.02' dropout='0.1' "
                           "elevations_deg='-30 -30 -30 -30 -30 -30 -30 -30 -30 -30'/>"));
    place(CAR, 50.0, 0.0, 50.0);
    place(ARM, 0.0, 0.0, 5.0);
    scan();
    double sum = 0.0, squares = 0.0, n = 0.0;
    for (size_t i = 0; i < n_ranges; i++) {
        if (ranges[i] > 0.0f) {
            double error = (double)ranges[i] - 10.0;
            sum += error;
            squares += error * error;
            n += 1.0;
        }
    }
    cr_assert_float_eq(n / (double)n_ranges, 0.9, 5.0 * 0.3 / sqrt(20000.0));
    cr_assert_float_eq(sum / n, 0.0, 5.0 * 0.02 / sqrt(n));
    cr_assert_float_eq(sqrt(squares / n), 0.02, 5.0 * 0.02 / sqrt(2.0 * n));
}

Test(laser_layers, repeat_to_the_last_bit_after_a_restore)
{
    scenery_make(SCENE(SCENERY_BODIES LASER FAN "noise_m='0.01' layers='8' lowest='-0.5' "
                                                "highest='0.5'/>"),
                 50);
    place(ARM, 0.0, 0.0, 1.0);
    scan();
    size_t size = dpl_world_snapshot_size(world), bytes = n_ranges * sizeof *ranges;
    void *snapshot = malloc(size), *first = malloc(bytes);
    cr_assert_eq(dpl_world_save(world, snapshot, size), 0);
    place(CAR, 3.0, 0.0, 1.0);
    scan();
    memcpy(first, ranges, bytes);
    place(CAR, 1.0, 1.0, 1.0);
    scan();
    cr_assert_neq(memcmp(first, ranges, bytes), 0);
    cr_assert_eq(dpl_world_restore(world, snapshot, size), 0);
    place(CAR, 3.0, 0.0, 1.0);
    scan();
    cr_assert_eq(memcmp(first, ranges, bytes), 0);
    free(snapshot);
    free(first);
}

Test(laser_layers, need_angles_that_make_sense)
{
    cr_assert_eq(scene_read(SCENE(LASER FAN "elevations_deg='1 2 x'/>")), -EINVAL);
    cr_assert_neq(strstr(diags.items[0].text, "numbers from -90 to 90"), NULL);
    reading_end();
    cr_assert_eq(scene_read(SCENE(LASER FAN "pitch='0.1'/>")), -EINVAL);
    expect(0, SCENE_LINE, 1, "laser 'l' has a pitch, which needs layers: a planar one is level");
}
