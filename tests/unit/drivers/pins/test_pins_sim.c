/* SPDX-License-Identifier: Apache-2.0 */
/* What a simulated wire does whose other board nobody commands in time; its other rules are tested
 * in whole runs (test_signals). */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/pins.h>
#include <doppel/plugin.h>

enum { BOARD, BENCH };

static struct {
    char key[64];
    void *block;
} shared[8];
static struct dpl_device device[2];
static bool is_commanded[2] = {true, true};
static dpl_ns now = DPL_S;

/* ---- the runtime, as far as the driver meets it ---- */

dpl_ns dpl_device_now(const struct dpl_device *d)
{
    (void)d;
    return now += DPL_MS;
}

uint64_t dpl_device_seed(const struct dpl_device *d)
{
    (void)d;
    return 1;
}

bool dpl_device_clock_is_simulated(const struct dpl_device *d)
{
    (void)d;
    return false;
}

bool dpl_device_is_commanded(const struct dpl_device *d)
{
    return is_commanded[d == &device[BENCH]];
}

void *dpl_device_share(struct dpl_device *d, const char *key, size_t size)
{
    (void)d;
    size_t i = 0;
    while (shared[i].block && strcmp(shared[i].key, key) != 0) {
        i++;
    }
    if (!shared[i].block) {
        strcpy(shared[i].key, key);
        shared[i].block = calloc(1, size);
    }
    return shared[i].block;
}

/* ---- two boards ---- */

static void set(void *properties, const char *name, const char *value)
{
    const struct dpl_driver *driver = dpl_plugin.driver;
    const struct dpl_field *field = dpl_field_find(driver->properties, driver->n_properties, name);
    struct dpl_field_text text = {.text = value};
    cr_assert_eq(dpl_field_parse(field, &text, properties, NULL), 0, "%s", name);
}

static void begin(void)
{
    const struct dpl_driver *driver = dpl_plugin.driver;
    for (int side = BOARD; side <= BENCH; side++) {
        void *properties = calloc(1, driver->properties_size);
        dpl_fields_set_defaults(driver->properties, driver->n_properties, properties);
        set(properties, "Side", side == BOARD ? "board" : "bench");
        set(properties, "Pins", "LEVEL PWM VOLTAGE");
        device[side] = (struct dpl_device){.name = "Pins",
                                           .driver = driver,
                                           .properties = properties,
                                           .state = calloc(1, driver->state_size)};
        struct dpl_diag error = {0};
        cr_assert_eq(driver->open(&device[side], &error), 0, "%s", error.text);
    }
    static const enum dpl_pin_mode out[] = {DPL_PIN_OUTPUT, DPL_PIN_PWM_OUT, DPL_PIN_ANALOG_OUT};
    static const enum dpl_pin_mode in[] = {DPL_PIN_INPUT, DPL_PIN_PWM_IN, DPL_PIN_ANALOG_IN};
    for (unsigned pin = 0; pin < 3; pin++) {
        cr_assert_eq(dpl_pins_set_mode(&device[BOARD], pin, out[pin]), 0);
        cr_assert_eq(dpl_pins_set_mode(&device[BENCH], pin, in[pin]), 0);
    }
}

static void write_all(void)
{
    cr_assert_eq(dpl_pins_write(&device[BOARD], 0, true, 0), 0);
    cr_assert_eq(dpl_pins_write_pwm(&device[BOARD], 1, 0.5, 1000.0), 0);
    cr_assert_eq(dpl_pins_write_analog(&device[BOARD], 2, 0.25), 0);
}

static void expect(bool level, double duty, double ratio)
{
    bool got_level;
    double got, frequency_hz;
    cr_assert_eq(dpl_pins_read(&device[BENCH], 0, &got_level), 0);
    cr_assert_eq(got_level, level);
    cr_assert_eq(dpl_pins_read_pwm(&device[BENCH], 1, &got, &frequency_hz), 0);
    cr_assert_eq(got, duty, "%g", got);
    cr_assert_eq(dpl_pins_read_analog(&device[BENCH], 2, &got), 0);
    cr_assert_eq(got, ratio, "%g", got);
}

Test(pins_sim, wires_of_a_board_that_nobody_commands_in_time_are_let_go, .init = begin)
{
    write_all();
    expect(true, 0.5, 0.25);
    is_commanded[BENCH] = false; /* who reads may be late as it likes */
    expect(true, 0.5, 0.25);
    is_commanded[BENCH] = true;
    is_commanded[BOARD] = false;
    expect(false, 0.0, 0.0);
    is_commanded[BOARD] = true;
    expect(false, 0.0, 0.0); /* not by itself */
    write_all();             /* the same as before */
    expect(true, 0.5, 0.25);
}
