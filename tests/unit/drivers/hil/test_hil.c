/* SPDX-License-Identifier: Apache-2.0 */
/* HIL drivers that come from the table of their class: what goes to which side. */
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/force_sensor.h>
#include <doppel/drv/pins.h>
#include <doppel/drv/track.h>

#include "bench.h"

#define DEVICE struct dpl_device *device = dpl_component_device(from)
#define SIDES                                                                                      \
    DEVICE;                                                                                        \
    struct dpl_device *hardware = dpl_device_side(device, 0);                                      \
    struct dpl_device *simulation = dpl_device_side(device, 1)

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    bench_run_steps(self, tick);
    return 0;
}

static const struct dpl_component_ops ops = {.execute = execute};

static void run(struct bench bench, const char *device_class)
{
    const struct dpl_component_class class = {
        .name = "HilBench", .ops = &ops, .device_class = device_class};
    bench.instead = &class;
    bench.duration_s = 0.5;
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
}

/* ---- force sensor ---- */

static void measure(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    cr_assert_eq(dpl_force_sensor_execute(device, tick), 0);
}

static double force_of(struct dpl_device *device)
{
    struct dpl_force_sample sample;
    cr_assert_eq(dpl_force_sensor_read(device, &sample), 0);
    return sample.wrench[0];
}

static void tare_both(struct dpl_component *from, const struct dpl_tick *tick)
{
    SIDES;
    cr_assert_eq(force_of(device), 7.0);
    cr_assert_eq(force_of(simulation), 3.0);
    cr_assert_eq(dpl_force_sensor_tare(device), 0);
    cr_assert_eq(force_of(hardware), 0.0);
    cr_assert_eq(force_of(simulation), 0.0);
}

static void lose_simulation(struct dpl_component *from, const struct dpl_tick *tick)
{
    SIDES;
    dpl_device_lost(simulation, "for the test");
    cr_assert_eq(dpl_force_sensor_execute(device, tick), 0);
    cr_assert_eq(dpl_force_sensor_tare(device), 0);
    cr_assert_not(dpl_device_is_lost(device));
    cr_assert_eq(device->n_refused, 0);
    cr_assert_eq(hardware->n_refused, 0);
}

Test(hil, reads_the_hardwares_force_and_sets_both_to_zero)
{
    static const struct bench_step steps[] = {{0.1, tare_both}, {0.2, lose_simulation}};
    run((struct bench){.file = UNIT "/drivers/hil/data/../../force_sensor/data/sensor.xml",
                       .sets = {"ForceSensor.ApiName=hil", "ForceSensor.HardwareDriver=mock",
                                "ForceSensor.SimulationDriver=sim",
                                "ForceSensor.hardware.Source=0 7; 1 7",
                                "ForceSensor.simulation.Source=0 3; 1 3"},
                       BENCH_STEPS(steps),
                       .each_cycle = measure},
        DPL_FORCE_SENSOR_CLASS);
}

/* ---- pins ---- */

static void drive_a(struct dpl_component *from, const struct dpl_tick *tick)
{
    SIDES;
    unsigned a = 9, c = 9;
    bool level = false;
    cr_assert_eq(dpl_pins_find(device, "A", &a), 0);
    cr_assert_eq(a, 0);
    cr_assert_eq(dpl_pins_set_mode(device, a, DPL_PIN_OUTPUT), 0);
    cr_assert_eq(dpl_pins_write(device, a, true, 0), 0);
    cr_assert(dpl_pins_read(hardware, 0, &level) == 0 && level);
    cr_assert(dpl_pins_read(simulation, 2, &level) == 0 && level, "A is its third pin");
    cr_assert(dpl_pins_read(simulation, 0, &level) == 0 && !level, "X is no output");
    cr_assert_eq(dpl_pins_find(device, "C", &c), 0);
    cr_assert_eq(dpl_pins_set_mode(device, c, DPL_PIN_OUTPUT), 0, "the simulation has no C");
    cr_assert_eq(dpl_pins_write(device, c, true, 0), 0);
    cr_assert(dpl_pins_read(simulation, 1, &level) == 0 && !level, "and B stays as it is");
}

/* What the hardware refuses does not reach the simulation. */
static void write_without_mode(struct dpl_component *from, const struct dpl_tick *tick)
{
    SIDES;
    unsigned b = 9;
    bool level = true;
    cr_assert_eq(dpl_pins_find(device, "B", &b), 0);
    cr_assert_eq(dpl_pins_set_mode(simulation, 1, DPL_PIN_OUTPUT), 0);
    cr_assert_eq(dpl_pins_write(device, b, true, 0), -EPERM);
    cr_assert_eq(device->n_refused, 1);
    cr_assert_eq(hardware->n_refused, 1);
    cr_assert(dpl_pins_read(simulation, 1, &level) == 0 && !level);
}

Test(hil, tells_each_board_the_number_that_a_pins_name_has_there)
{
    static const struct bench_step steps[] = {{0.1, drive_a}, {0.2, write_without_mode}};
    run((struct bench){.file = UNIT "/drivers/hil/data/pins.xml", BENCH_STEPS(steps)},
        DPL_PINS_CLASS);
}

/* ---- track ---- */

static void compare_tracks(struct dpl_component *from, const struct dpl_tick *tick)
{
    SIDES;
    static struct dpl_track track, plain, world;
    const struct dpl_pose2 pose = {0.5, 1.0, 0.3};
    cr_assert_eq(dpl_track_get(device, &track), 0);
    cr_assert_eq(dpl_track_get(hardware, &plain), 0);
    cr_assert_eq(dpl_track_get(simulation, &world), 0);
    cr_assert_eq(track.n_walls, 1);
    cr_assert_eq(track.walls[0].x2, plain.walls[0].x2);
    cr_assert_gt(world.n_walls, 1);
    cr_assert_eq(dpl_track_place_car(device, &pose), 0);
}

Test(hil, reads_the_track_that_was_measured)
{
    static const struct bench_step steps[] = {{0.1, compare_tracks}};
    run((struct bench){.file = UNIT "/drivers/hil/data/track.xml", BENCH_STEPS(steps)},
        DPL_TRACK_CLASS);
}
