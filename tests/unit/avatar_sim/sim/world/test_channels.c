/* SPDX-License-Identifier: Apache-2.0 */
/* The channels of worlds: what there is, finding them, putting and reading. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/math/pose3.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/devices.h>
#include <doppel/sim/laser.h>
#include <doppel/sim/load.h>

static struct dpl_sim_model *model;
static struct dpl_world *world;
static struct dpl_world_channels *channels;
static struct dpl_diag diag;

static void open_world(const char *file)
{
    cr_assert_eq(dpl_sim_load_world(file, 1, NULL, &model, &diag), 0, "%s", diag.text);
    cr_assert_eq(dpl_world_create(model, &world, &diag), 0, "%s", diag.text);
    cr_assert_eq(dpl_world_channels_create(world, &channels), 0);
}

static void end(void)
{
    dpl_world_channels_destroy(channels);
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
}

TestSuite(channels, .fini = end);

static int find(const char *path, const struct dpl_channel_type *type, const char *unit, bool put)
{
    struct dpl_channel_want want = {.path = path, .type = type, .unit = unit, .put = put};
    return dpl_world_channels_find(channels, &want, &diag);
}

static size_t find_in(const char *path)
{
    int found = find(path, NULL, NULL, true);
    cr_assert_geq(found, 0, "%s", diag.text);
    return (size_t)found;
}

static size_t find_out(const char *path)
{
    int found = find(path, NULL, NULL, false);
    cr_assert_geq(found, 0, "%s", diag.text);
    return (size_t)found;
}

static double number(const char *path)
{
    double value;
    dpl_ns stamp;
    cr_assert_eq(dpl_world_channels_get(channels, find_out(path), &value, &stamp), 0);
    cr_assert_eq(stamp, dpl_world_now(world));
    return value;
}

static void put_number(const char *path, double value)
{
    cr_assert_eq(dpl_world_channels_put(channels, find_in(path), &value), 0);
}

#define OFFICE    PROFILES "/worlds/office.xml"
#define HEXAFLOAT PROFILES "/worlds/hexafloat.xml"

Test(channels, have_paths_of_their_own_and_a_size)
{
    open_world(OFFICE);
    size_t n;
    const struct dpl_channel_desc *descs = dpl_world_channels_describe(channels, &n);
    cr_assert_gt(n, 15);
    for (size_t i = 0; i < n; i++) {
        cr_assert_gt(dpl_channel_bytes(&descs[i]), 0, "%s", descs[i].path);
        cr_assert_leq(descs[i].min, descs[i].max, "%s", descs[i].path);
        cr_assert_eq(
            find(descs[i].path, descs[i].type, descs[i].unit, dpl_channel_is_input(descs[i].dir)),
            (int)i, "%s is there twice", descs[i].path);
    }
}

Test(channels, suggest_the_path_that_was_meant)
{
    open_world(OFFICE);
    cr_assert_eq(find("avatar/LeftWeel/speed", NULL, NULL, true), -ENOENT);
    cr_assert_str_eq(diag.text, "there is no channel 'avatar/LeftWeel/speed', did you mean "
                                "'avatar/LeftWheel/speed'?");
    cr_assert_eq(find("nothing/like/it/at/all", NULL, NULL, true), -ENOENT);
    cr_assert_str_eq(diag.text, "there is no channel 'nothing/like/it/at/all'");
}

Test(channels, refuse_a_wrong_type_unit_or_direction)
{
    open_world(OFFICE);
    cr_assert_eq(find("avatar/LeftWheel/speed", &dpl_channel_flag, NULL, true), -EINVAL);
    cr_assert_str_eq(diag.text, "channel 'avatar/LeftWheel/speed' is a number, expected a flag");
    cr_assert_eq(find("avatar/LeftWheel/speed", NULL, "m/s", true), -EINVAL);
    cr_assert_str_eq(diag.text, "channel 'avatar/LeftWheel/speed' is in 'rad/s', expected 'm/s'");
    cr_assert_eq(find("avatar/LeftWheel/speed", NULL, NULL, false), -EINVAL);
    cr_assert_str_eq(
        diag.text, "channel 'avatar/LeftWheel/speed' is an input of the world: it cannot be read");
    cr_assert_eq(find("avatar/x", NULL, NULL, true), -EINVAL);
    cr_assert_str_eq(diag.text, "channel 'avatar/x' is an output of the world: it cannot be put");
}

Test(channels, drive_a_robot_by_its_motors)
{
    open_world(OFFICE);
    double x = number("avatar/x"), y = number("avatar/y");
    put_number("avatar/LeftWheel/speed", 4.0);
    put_number("avatar/RightWheel/speed", 4.0);
    dpl_world_step(world, 1000);
    double way = hypot(number("avatar/x") - x, number("avatar/y") - y);
    double turned = number("avatar/enc_left/angle");
    double radius = dpl_world_wheel(world, 0)->radius;
    cr_assert_float_eq(turned, 4.0, 0.2, "turned by %g rad", turned);
    cr_assert_float_eq(way, turned * radius, 0.01, "%g m in a second", way);
    cr_assert_float_eq(number("avatar/linear"), 4.0 * radius, 0.01);
    cr_assert_float_eq(number("time"), 1.0, 1e-12);
}

Test(channels, put_a_robot_where_it_fits)
{
    open_world(OFFICE);
    double at[3] = {number("avatar/x") + 0.05, number("avatar/y"), 0.5};
    cr_assert_eq(dpl_world_channels_put(channels, find_in("avatar/place"), at), 0);
    cr_assert_float_eq(number("avatar/heading"), 0.5, 1e-9);
    cr_assert_float_eq(number("avatar/x"), at[0], 1e-9);
    double pose[7];
    dpl_ns stamp;
    cr_assert_eq(dpl_world_channels_get(channels, find_out("avatar/pose"), pose, &stamp), 0);
    struct dpl_pose3 is;
    memcpy(&is, pose, sizeof is);
    cr_assert_float_eq(dpl_pose3_to_planar(is).theta, 0.5, 1e-9);
    double outside[3] = {1e9, 0, 0};
    cr_assert_eq(dpl_world_channels_put(channels, find_in("avatar/place"), outside), -EINVAL);
}

Test(channels, a_laser_measures_when_it_is_on)
{
    open_world(OFFICE);
    size_t ranges = find_out("avatar/laser/ranges"), n;
    float scan[DPL_SIM_BEAMS_MAX];
    dpl_ns stamp;
    cr_assert_eq(dpl_world_channels_get(channels, ranges, scan, &stamp), -EAGAIN);
    const bool on = true;
    cr_assert_eq(dpl_world_channels_put(channels, find_in("avatar/laser/on"), &on), 0);
    dpl_world_step(world, 500);
    cr_assert_eq(dpl_world_channels_get(channels, ranges, scan, &stamp), 0);
    cr_assert_leq(stamp, dpl_world_now(world));
    cr_assert_gt(stamp, 0);
    const struct dpl_channel_desc *desc = &dpl_world_channels_describe(channels, &n)[ranges];
    cr_assert_eq(desc->size, dpl_sim_laser_beams(dpl_world_laser(world, 0)));
    for (uint32_t i = 0; i < desc->size; i++) {
        cr_assert(scan[i] >= 0.0f && (double)scan[i] <= desc->max, "beam %u: %g", i,
                  (double)scan[i]);
    }
    double fan[5];
    cr_assert_eq(dpl_world_channels_get(channels, find_out("avatar/laser/fan"), fan, &stamp), 0);
    cr_assert_float_eq(fan[3], desc->max, 1e-12);
}

Test(channels, an_effort_moves_an_axis_and_the_platform)
{
    open_world(HEXAFLOAT);
    double before = number("avatar/Axis1/position");
    put_number("avatar/Axis1/effort", 200.0);
    dpl_world_step(world, 30);
    cr_assert_gt(fabs(number("avatar/Axis1/position") - before), 1e-5);
    cr_assert_gt(number("avatar/Axis1/force"), 100.0);
    double platform[6];
    dpl_ns stamp;
    cr_assert_eq(dpl_world_channels_get(channels, find_out("avatar/platform"), platform, &stamp),
                 0);
    cr_assert(isfinite(platform[2]));
    cr_assert_leq(stamp, dpl_world_now(world));
}

/* One axis alone leaves what any pose of the platform could explain. */
Test(channels, a_platform_without_a_pose_has_no_value)
{
    open_world(HEXAFLOAT);
    put_number("avatar/Axis1/effort", 300.0);
    dpl_world_run_until(world, DPL_S);
    double platform[6];
    dpl_ns stamp;
    cr_assert_eq(dpl_world_channels_get(channels, find_out("avatar/platform"), platform, &stamp),
                 -EAGAIN);
}

/* ---- values as text ---- */

static int parse(const char *path, const char *text, void *ret_value)
{
    size_t n;
    return dpl_channel_parse(&dpl_world_channels_describe(channels, &n)[find_in(path)], text,
                             ret_value, &diag);
}

Test(channels, read_values_that_somebody_types)
{
    open_world(OFFICE);
    double speed, place[3];
    bool on;
    cr_assert_eq(parse("avatar/LeftWheel/speed", "-2.5", &speed), 0);
    cr_assert_float_eq(speed, -2.5, 0);
    cr_assert_eq(parse("avatar/place", "1, -2 0.5", place), 0);
    cr_assert_float_eq(place[1], -2, 0);
    cr_assert_eq(parse("avatar/laser/on", "true", &on), 0);
    cr_assert(on);
}

Test(channels, tell_what_is_wrong_with_a_value)
{
    static const struct {
        const char *path, *text, *says;
    } rows[] = {
        {"avatar/LeftWheel/speed", "fast",
         "channel 'avatar/LeftWheel/speed' takes a number, found 'fast'"},
        {"avatar/LeftWheel/speed", "nan",
         "channel 'avatar/LeftWheel/speed' takes a number, found 'nan'"},
        {"avatar/LeftWheel/speed", "1000",
         "channel 'avatar/LeftWheel/speed' takes -22 to 22 rad/s, found '1000'"},
        {"avatar/LeftWheel/speed", "", "channel 'avatar/LeftWheel/speed' takes 1 values, found 0"},
        {"avatar/LeftWheel/speed", "1 2",
         "channel 'avatar/LeftWheel/speed' takes 1 value, found more: '2'"},
        {"avatar/place", "1 2", "channel 'avatar/place' takes 3 values, found 2"},
        {"avatar/laser/on", "2", "channel 'avatar/laser/on' takes a flag, found '2'"},
    };
    open_world(OFFICE);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double value[4];
        cr_assert_eq(parse(rows[i].path, rows[i].text, value), -EINVAL, "%s", rows[i].text);
        cr_assert_str_eq(diag.text, rows[i].says);
    }
}

Test(channels, print_what_reads_back_to_the_same_bits)
{
    open_world(OFFICE);
    char text[DPL_CHANNEL_TEXT_MAX];
    double values[] = {0.1, -1.0 / 3.0, 1e-300, 6.02e23, -0.0}, back;
    for (size_t i = 0; i < 5; i++) {
        dpl_channel_number.print(text, &values[i]);
        cr_assert_eq(dpl_channel_number.parse(text, &back), 0, "%s", text);
        cr_assert_arr_eq(&back, &values[i], sizeof back);
    }
    float beam = 1.0f / 3.0f, beam_back;
    dpl_channel_block.print(text, &beam);
    cr_assert_eq(dpl_channel_block.parse(text, &beam_back), 0);
    cr_assert_arr_eq(&beam_back, &beam, sizeof beam);
}
