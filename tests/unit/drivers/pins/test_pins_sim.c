/* SPDX-License-Identifier: Apache-2.0 */
/* What a simulated wire does whose other board nobody commands in time; its other rules are tested
 * in whole runs (test_signals). */
#include <criterion/criterion.h>

#include <doppel/drv/pins.h>
#include <doppel/plugin.h>

#include "fake_device.h"

extern const struct dpl_plugin sim_plugin;

enum { BOARD, BENCH };

static struct fake_device fake[2];
static struct dpl_device *const board = &fake[BOARD].device, *const bench = &fake[BENCH].device;

static void begin(void)
{
    for (int side = BOARD; side <= BENCH; side++) {
        fake_device_begin(&fake[side], sim_plugin.driver);
        fake_device_set(&fake[side], "Side", side == BOARD ? "board" : "bench");
        fake_device_set(&fake[side], "Pins", "LEVEL PWM VOLTAGE");
        fake[side].now = DPL_S;
        fake_device_open(&fake[side]);
    }
    static const enum dpl_pin_mode out[] = {DPL_PIN_OUTPUT, DPL_PIN_PWM_OUT, DPL_PIN_ANALOG_OUT};
    static const enum dpl_pin_mode in[] = {DPL_PIN_INPUT, DPL_PIN_PWM_IN, DPL_PIN_ANALOG_IN};
    for (unsigned pin = 0; pin < 3; pin++) {
        cr_assert_eq(dpl_pins_set_mode(board, pin, out[pin]), 0);
        cr_assert_eq(dpl_pins_set_mode(bench, pin, in[pin]), 0);
    }
}

static void end(void)
{
    fake_device_end(&fake[BENCH]);
    fake_device_end(&fake[BOARD]);
}

static void pass(void)
{
    fake[BOARD].now += DPL_MS;
    fake[BENCH].now += DPL_MS;
}

static void write_all(void)
{
    pass();
    cr_assert_eq(dpl_pins_write(board, 0, true, 0), 0);
    cr_assert_eq(dpl_pins_write_pwm(board, 1, 0.5, 1000.0), 0);
    cr_assert_eq(dpl_pins_write_analog(board, 2, 0.25), 0);
}

static void expect(bool level, double duty, double ratio)
{
    bool got_level;
    double got, frequency_hz;
    pass();
    cr_assert_eq(dpl_pins_read(bench, 0, &got_level), 0);
    cr_assert_eq(got_level, level);
    cr_assert_eq(dpl_pins_read_pwm(bench, 1, &got, &frequency_hz), 0);
    cr_assert_eq(got, duty, "%g", got);
    cr_assert_eq(dpl_pins_read_analog(bench, 2, &got), 0);
    cr_assert_eq(got, ratio, "%g", got);
}

Test(pins_sim, wires_of_a_board_that_nobody_commands_in_time_are_let_go, .init = begin, .fini = end)
{
    write_all();
    expect(true, 0.5, 0.25);
    fake[BENCH].is_late = true; /* who reads may be late as it likes */
    expect(true, 0.5, 0.25);
    fake[BENCH].is_late = false;
    fake[BOARD].is_late = true;
    expect(false, 0.0, 0.0);
    fake[BOARD].is_late = false;
    expect(false, 0.0, 0.0); /* not by itself */
    write_all();             /* the same as before */
    expect(true, 0.5, 0.25);
}
