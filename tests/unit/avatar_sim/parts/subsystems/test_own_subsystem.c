/* SPDX-License-Identifier: Apache-2.0 */
/* A subsystem of a program's own: the example of `doppel new`, tanks of water. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/gravity.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>
#include <doppel/sim/world.h>

#include "saved_world.h"
#include "world_reading.h"

extern const struct dpl_subsystem_class template_name_class;
static const struct dpl_subsystem_class *const own[] = {&template_name_class, NULL};
static const struct dpl_sim_load_options options = {.subsystems = own};

static int read(const char *file, const struct dpl_sim_load_options *with)
{
    return dpl_sim_read_world(&arena, file, with, &model, &diags);
}

TestSuite(own_subsystem, .fini = reading_end);

static void make(void)
{
    reading_is_good(read(UNIT "/avatar_sim/fixtures/tanks_world.xml", &options));
    reading_make();
}

/* A radius of 0.5 m, a hole of 1e-4 m^2, 1 m of water. */
static const double area = DPL_PI * 0.25, hole = 1e-4;

Test(own_subsystem, a_tank_runs_empty_when_torricelli_says)
{
    make();
    double t = area / hole * sqrt(2.0 / DPL_STANDARD_GRAVITY_M_S2); /* some 3547 s */
    dpl_world_step(world, (unsigned)(0.5 * t / 0.1));
    cr_assert_float_eq(number("boiler/level"), 0.25, 1e-4); /* (1 - 1/2)^2 */
    dpl_world_step(world, (unsigned)(0.5 * t / 0.1) + 2);
    cr_assert_eq(number("boiler/level"), 0.0);
}

Test(own_subsystem, the_pump_and_the_hole_come_to_a_balance)
{
    make();
    double speed = sqrt(2.0 * DPL_STANDARD_GRAVITY_M_S2 * 0.6);
    put("boiler/inflow", hole * speed);
    dpl_world_step(world, 600000);
    cr_assert_float_eq(number("boiler/level"), 0.6, 2e-4);
}

Test(own_subsystem, no_water_is_lost)
{
    make();
    double volume[3];
    put("boiler/inflow", 1.0); /* more than its pump has */
    put("boiler/hole", 0.5);
    dpl_world_step(world, 20000);
    cr_assert_eq(get("boiler/volume", volume, NULL), 0);
    cr_assert_float_eq(volume[0], 2000.0 * 0.002, 1e-6);
    cr_assert_eq(number("boiler/level"), 1.5); /* full */
    cr_assert_gt(volume[2], 0.1);
    cr_assert_float_eq(volume[0] - volume[1] - volume[2], area * (1.5 - 1.0), 1e-9);
}

Test(own_subsystem, tanks_do_not_share_their_water)
{
    make();
    put("boiler/hole", 0.0);
    dpl_world_step(world, 1000);
    cr_assert_float_eq(number("boiler/level"), 1.0, 1e-12);
    cr_assert_lt(number("buffer/level"), 0.5);
}

Test(own_subsystem, the_pump_stops_when_nobody_answers_for_it)
{
    make();
    put("boiler/hole", 0.0);
    put("boiler/inflow", 0.001);
    dpl_world_step(world, 100);
    dpl_world_channels_release(channels, channel_of("boiler/inflow", true));
    double before = number("boiler/level");
    dpl_world_step(world, 100);
    cr_assert_float_eq(number("boiler/level"), before, 1e-12);
    cr_assert_gt(before, 1.01);
}

Test(own_subsystem, a_snapshot_brings_the_water_back)
{
    make();
    put("boiler/inflow", 0.001);
    dpl_world_step(world, 500);
    struct saved_world saved = world_saved(world);
    dpl_world_step(world, 700);
    double first[3], second[3], then = number("boiler/level");
    cr_assert_eq(get("boiler/volume", first, NULL), 0);
    world_back(world, &saved);
    cr_assert_neq(number("boiler/level"), then);
    dpl_world_step(world, 700);
    cr_assert_eq(get("boiler/volume", second, NULL), 0);
    cr_assert_eq(number("boiler/level"), then);
    cr_assert_arr_eq(first, second, sizeof first);
    free(saved.bytes);
}

/* A sensor is on its body, and a laser of another robot sees it. */
Test(own_subsystem, it_is_seen)
{
    make();
    float ranges[360];
    cr_assert_eq(dpl_world_channels_put(channels, channel_of("watch/scan/on", true), &(bool){true}),
                 0);
    dpl_world_step(world, 10);
    cr_assert_eq(get("watch/scan/ranges", ranges, NULL), 0);
    cr_assert_float_eq((double)ranges[180], 3.0 - 0.5, 1e-6);
}

static void expect_error(const char *text, const struct dpl_sim_load_options *with, int line,
                         int column, const char *said)
{
    cr_assert_eq(dpl_sim_read_world_text(&arena, UNIT "/avatar_sim/fixtures/x.xml", text,
                                         strlen(text), with, &model, &diags),
                 -EINVAL);
    const struct dpl_diag *diag = &diags.items[0];
    cr_assert_eq(diag->place.line, line);
    cr_assert_eq(diag->place.column, column);
    cr_assert_not_null(strstr(diag->text, said), "%s", diag->text);
}

Test(own_subsystem, more_water_than_fits_is_refused_at_its_place)
{
    expect_error("<world name='w'>\n<robot name='t' model='tank.xml' START='1.6'/></world>",
                 &options, 2, 1, "the water starts at 1.6 m, the tank is 1.5 m high");
}

Test(own_subsystem, a_program_without_it_does_not_know_its_element)
{
    expect_error("<world name='w'>\n<robot name='t' model='tank.xml'/></world>", NULL, 4, 3,
                 "unknown element 'template_name'");
}
