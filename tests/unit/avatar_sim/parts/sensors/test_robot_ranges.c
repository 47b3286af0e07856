/* SPDX-License-Identifier: Apache-2.0 */
/* <range_finder> and <contact> of robots: on a body that stands where it is told. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <doppel/math/geometry.h>

#include "world_reading.h"

static char folder[32], robot_file[64];

static void begin(void)
{
    strcpy(folder, "/tmp/doppel-ranges-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(robot_file, sizeof robot_file, "%s/robot.xml", folder);
}

static void end(void)
{
    reading_end();
    unlink(robot_file);
    rmdir(folder);
}

TestSuite(robot_ranges, .init = begin, .fini = end);

#define POINT "<integrator radius='0.1' height='0.6' max_speed='2'/>\n"

/* A wall whose near side is 2 m ahead, one 1 m to the left. */
static int load(const char *elements, const char *world_attributes)
{
    char text[512];
    struct dpl_sim_load_options options = {0};
    FILE *file = fopen(robot_file, "w");
    cr_assert_not_null(file);
    fprintf(file, "<robot_model name='r'>\n%s</robot_model>\n", elements);
    fclose(file);
    snprintf(
        text, sizeof text,
        "<world name='w' %s><ground/><box name='ahead' x='2.5' y='0' z='1' size_x='1' size_y='8' "
        "size_z='2'/><box name='left' x='0' y='1.5' z='1' size_x='1' size_y='1' size_z='2'/>"
        "<robot name='r' model='%s'/></world>",
        world_attributes, robot_file);
    return dpl_sim_read_world_text(&arena, "test.xml", text, strlen(text), &options, &model,
                                   &diags);
}

static void build(const char *elements, const char *world_attributes)
{
    reading_is_good(load(elements, world_attributes));
    reading_make();
}

#define NEAR(a, b, within) cr_assert_float_eq(a, b, within, "%.12g, expected %.12g", a, b)

Test(robot_ranges, measure_from_their_mount_and_do_not_see_their_own_robot)
{
    build(POINT "<range_finder name='front' z='0.2' max_range='5'/>"
                "<range_finder name='left' x='0.3' y='0.05' z='0.2' yaw='90 deg' max_range='5'/>"
                "<range_finder name='back' z='0.2' yaw='180 deg' max_range='5'/>",
          "");
    dpl_world_step(world, 1);
    NEAR(number("r/front/distance"), 2.0, 1e-12);
    NEAR(number("r/left/distance"), 0.95, 1e-12);
    NEAR(number("r/back/distance"), 5.0, 1e-12);
}

/* The edge of its cone meets the ground 0.19 m ahead. */
Test(robot_ranges, a_level_sonar_does_not_see_the_ground_and_one_that_looks_down_does)
{
    build(POINT "<range_finder name='sonar' z='0.05' cone='30 deg' rays='200' max_range='5'/>"
                "<range_finder name='edge' z='0.1' pitch='45 deg' cone='10 deg' rays='200' "
                "max_range='5'/>",
          "");
    dpl_world_step(world, 1);
    NEAR(number("r/sonar/distance"), 2.0, 1e-12);
    NEAR(number("r/edge/distance"), 0.1 / sin(dpl_deg_to_rad(50.0)), 1e-3);
}

Test(robot_ranges, have_a_rate_and_nothing_before_the_first_measurement)
{
    double value;
    dpl_ns stamp;
    build(POINT "<range_finder name='f' z='0.2' max_range='5' rate_hz='20'/>"
                "<contact name='c' rate_hz='20'/>",
          "");
    dpl_world_step(world, 49);
    cr_assert_eq(get("r/f/distance", &value, &stamp), -EAGAIN);
    cr_assert_eq(get("r/c/on", &value, &stamp), -EAGAIN);
    dpl_world_step(world, 50);
    cr_assert_eq(get("r/f/distance", &value, &stamp), 0);
    cr_assert_eq(stamp, 50 * DPL_MS);
    dpl_world_step(world, 1);
    cr_assert_eq(get("r/f/distance", &value, &stamp), 0);
    cr_assert_eq(stamp, 100 * DPL_MS);
}

/* Ten measurements; and again after a snapshot. */
static void measure_ten(double values[10])
{
    for (int i = 0; i < 10; i++) {
        dpl_world_step(world, 50);
        values[i] = number("r/f/distance");
    }
}

Test(robot_ranges, noise_is_of_the_worlds_seed_and_of_its_snapshots)
{
    static const char finder[] =
        POINT "<range_finder name='f' z='0.2' max_range='5' rate_hz='20' noise='1 cm'/>";
    static unsigned char snapshot[1 << 22];
    double first[10], again[10], other[10];
    build(finder, "seed='1'");
    size_t size = dpl_world_snapshot_size(world);
    cr_assert_leq(size, sizeof snapshot);
    cr_assert_eq(dpl_world_save(world, snapshot, size), 0);
    measure_ten(first);
    cr_assert_eq(dpl_world_restore(world, snapshot, size), 0);
    measure_ten(again);
    cr_assert_eq(memcmp(first, again, sizeof first), 0);
    double sum = 0.0;
    for (int i = 0; i < 10; i++) {
        sum += (first[i] - 2.0) * (first[i] - 2.0);
    }
    cr_assert(sqrt(sum / 10.0) > 0.003 && sqrt(sum / 10.0) < 0.03, "%g m", sqrt(sum / 10.0));
    reading_end();
    build(finder, "seed='2'");
    measure_ten(other);
    cr_assert_neq(memcmp(first, other, sizeof first), 0);
}

static const struct {
    const char *element, *expected;
} refused[] = {
    {"<range_finder name='f' min_range='2' max_range='2'/>",
     "range finder: min_range 2 m is not below max_range 2 m"},
    {"<range_finder name='f' max_range='2' sees='arm'/>", "sees: there is no body 'arm'"},
    {"<contact name='c' with='arm'/>", "with: there is no body 'arm'"},
};

Test(robot_ranges, what_makes_no_sense_is_an_error_of_its_element)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char elements[256];
        snprintf(elements, sizeof elements, POINT "  %s\n", refused[i].element);
        cr_assert_eq(load(elements, ""), -EINVAL, "%s", refused[i].element);
        cr_assert_str_eq(diags.items[0].text, refused[i].expected);
        cr_assert_eq(diags.items[0].place.line, 3, "%s", refused[i].element);
        cr_assert_eq(diags.items[0].place.column, 3, "%s", refused[i].element);
        reading_end();
    }
}
