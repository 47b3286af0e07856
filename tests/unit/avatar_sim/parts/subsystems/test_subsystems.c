/* SPDX-License-Identifier: Apache-2.0 */
/* Subsystems side by side in one world, a sensor from outside on bodies of each, and lasers that do
 * not ask whose body they are on or see. */
#include <errno.h>
#include <stdlib.h>

#include <criterion/criterion.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>
#include <doppel/sim/subsystem.h>

#include "odometer.h"
#include "saved_world.h"
#include "world_reading.h"

static const struct dpl_sim_entry_class *const with_odometer[] = {&odometer_class, NULL};

#define ROBOT(name_, file_, x_)                                                                    \
    "<robot name='" name_ "' model='" UNIT "/avatar_sim/fixtures/" file_ "' x='" x_ "'/>"
#define BOTH                                                                                       \
    "<world name='w'><ground/><wall x1='5' y1='-3' x2='5' y2='3' thickness='0.2'/>" ROBOT(         \
        "base", "roller.xml", "0") ROBOT("point", "integrator.xml", "2") "</world>"

static int load(const char *text, const struct dpl_sim_entry_class *const *entries)
{
    struct dpl_sim_load_options options = {.entries = entries};
    return dpl_sim_read_world_text(&arena, "test.xml", text, strlen(text), &options, &model,
                                   &diags);
}

static void load_both(void)
{
    reading_is_good(load(BOTH, with_odometer));
}

TestSuite(subsystems, .fini = reading_end);

static void drive_both(void)
{
    put("base/left/speed", 4.0);
    put("base/right/speed", 4.0);
    put("point/speed", 0.5);
    put("point/turn", 1.0);
}

Test(subsystems, integrator_moves_as_it_is_told)
{
    load_both();
    reading_make();
    put("point/speed", 0.5);
    dpl_world_step(world, 1000);
    cr_assert_float_eq(number("point/x"), 2.5, 1e-9);
    cr_assert_float_eq(number("point/y"), 0.0, 1e-12);
    put("point/speed", 0.0);
    put("point/turn", 1.0);
    dpl_world_step(world, 2000);
    cr_assert_float_eq(number("point/heading"), 2.0, 1e-9);
    cr_assert_float_eq(number("point/x"), 2.5, 1e-9);
}

Test(subsystems, integrator_keeps_its_limits_and_takes_no_nonsense)
{
    load_both();
    reading_make();
    put("point/speed", 50.0);
    dpl_world_step(world, 1000);
    cr_assert_float_eq(number("point/x"), 2.0 + 2.0, 1e-9);
    put("point/speed", (double)NAN);
    dpl_world_step(world, 1000);
    cr_assert_float_eq(number("point/x"), 2.0 + 2.0, 1e-9);
}

Test(subsystems, integrator_is_put_where_a_pose_says)
{
    load_both();
    reading_make();
    cr_assert_eq(dpl_world_set_pose(world, 1, (struct dpl_pose2){-3.0, 1.0, 0.5}), 0);
    cr_assert_eq(number("point/x"), -3.0);
    cr_assert_eq(number("point/heading"), 0.5);
    struct dpl_pose2 seen = dpl_sim_body_pose2(dpl_world_state(world), 1);
    cr_assert_eq(seen.y, 1.0);
    cr_assert_float_eq(seen.theta, 0.5, 1e-15);
}

Test(subsystems, each_moves_its_own_robots_and_no_other)
{
    load_both();
    reading_make();
    drive_both();
    dpl_world_step(world, 2000);
    double base = number("base/x"), x = number("point/x"), y = number("point/y");
    reading_end();
    cr_assert_eq(load("<world name='w'><ground/>" ROBOT("point", "integrator.xml", "2") "</world>",
                      with_odometer),
                 0);
    reading_make();
    put("point/speed", 0.5);
    put("point/turn", 1.0);
    dpl_world_step(world, 2000);
    cr_assert_eq(number("point/x"), x);
    cr_assert_eq(number("point/y"), y);
    cr_assert_float_eq(base, 2.0 * 4.0 * 0.065, 0.01);
}

Test(subsystems, a_sensor_from_outside_measures_bodies_of_each)
{
    load_both();
    reading_make();
    drive_both();
    dpl_world_step(world, 3000);
    cr_assert_float_eq(number("point/trip/travelled"), 2.0 * 3.0 * 0.5, 1e-4);
    cr_assert_float_eq(number("base/trip/travelled"), number("base/x"), 1e-3);
    cr_assert_gt(number("base/trip/travelled"), 0.7);
}

Test(subsystems, a_sensor_may_be_added_to_a_model_in_code_and_step_less_often)
{
    struct {
        char name[DPL_SIM_NAME_SIZE];
        double scale;
    } settings = {"seldom", 1.0};
    struct dpl_sim_entry entry = {.class_ = &odometer_class,
                                  .name = "seldom",
                                  .settings = &settings,
                                  .joint = -1,
                                  .every = 10,
                                  .phase = 3};
    load_both();
    cr_assert_eq(dpl_sim_model_add_entry(model, 1, &entry, NULL), 0);
    reading_make();
    put("point/speed", 1.0);
    dpl_world_step(world, 3);
    cr_assert_eq(number("point/seldom/travelled"), 0.0);
    dpl_world_step(world, 1);
    cr_assert_float_eq(number("point/seldom/travelled"), 0.004, 1e-12);
    dpl_world_step(world, 9);
    cr_assert_float_eq(number("point/seldom/travelled"), 0.004, 1e-12);
    dpl_world_step(world, 1);
    cr_assert_float_eq(number("point/seldom/travelled"), 0.014, 1e-12);
    cr_assert_float_eq(number("point/trip/travelled"), 2.0 * 0.014, 1e-12);
}

Test(subsystems, a_name_that_is_taken_or_a_joint_that_is_not_there_is_refused)
{
    struct dpl_sim_entry entry = {.class_ = &odometer_class, .name = "Trip", .joint = -1};
    struct dpl_diag diag = {0};
    load_both();
    cr_assert_eq(dpl_sim_model_add_entry(model, 0, &entry, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "two odometers are called 'Trip'"), "%s", diag.text);
    cr_assert_eq(model->robots[0].n_entries, 6);
    snprintf(entry.name, sizeof entry.name, "other");
    entry.joint = 2;
    cr_assert_eq(dpl_sim_model_add_entry(model, 0, &entry, &diag), 0);
    cr_assert_eq(dpl_world_create(model, &world, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "odometer 'other' is at body 0 and joint 2"), "%s",
                       diag.text);
}

Test(subsystems, an_element_of_no_class_is_a_warning)
{
    cr_assert_eq(load(BOTH, NULL), 0);
    cr_assert_eq(diags.n, 2);
    cr_assert_eq(diags.items[0].severity, DPL_SEVERITY_WARNING);
    cr_assert_not_null(strstr(diags.items[0].text, "unknown element 'odometer'"), "%s",
                       diags.items[0].text);
}

/* Step 180 + degrees of the scan that looks there. */
static double range_at(int degrees)
{
    float ranges[360] = {0};
    dpl_ns stamp;
    cr_assert_eq(get("point/scan/ranges", ranges, &stamp), 0);
    return (double)ranges[180 + degrees];
}

Test(subsystems, a_laser_sees_from_any_body_the_bodies_of_all)
{
    load_both();
    reading_make();
    cr_assert_eq(dpl_world_channels_put(channels, channel_of("point/scan/on", true), &(bool){true}),
                 0);
    dpl_world_step(world, 150);
    cr_assert_float_eq(range_at(0), 5.0 - 0.1 - 2.0, 1e-6);
    cr_assert_float_eq(range_at(-180), 2.0 - 0.2, 1e-3);
    cr_assert_eq(range_at(-90), 0.0);
}

Test(subsystems, a_snapshot_holds_all_subsystems_and_sensors)
{
    load_both();
    reading_make();
    drive_both();
    dpl_world_step(world, 700);
    struct saved_world saved = world_saved(world);
    dpl_world_step(world, 900);
    double first[] = {number("base/x"), number("base/trip/travelled"), number("point/x"),
                      number("point/trip/travelled")};
    world_back(world, &saved);
    cr_assert_float_eq(number("point/trip/travelled"), 2.0 * 0.7 * 0.5, 1e-4);
    dpl_world_step(world, 900);
    double second[] = {number("base/x"), number("base/trip/travelled"), number("point/x"),
                       number("point/trip/travelled")};
    cr_assert_arr_eq(first, second, sizeof first);
    free(saved.bytes);
}
