/* SPDX-License-Identifier: Apache-2.0 */
/* The desk around the emulated Firmata board. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "firmata_kit.h"

static struct firmata_kit kit;
static uint8_t said[4096];
static size_t n_said;

static void on_send(void *user, const uint8_t *bytes, size_t n, dpl_ns now)
{
    cr_assert_leq(n_said + n, sizeof said);
    memcpy(said + n_said, bytes, n);
    n_said += n;
}

static void begin(const char *model)
{
    cr_assert_eq(firmata_kit_init(&kit, model, NULL), 0);
    kit.send = on_send;
}

static void start(void)
{
    firmata_kit_start(&kit);
    firmata_kit_connected(&kit, 0);
    n_said = 0;
}

static void expect_bytes(const char *bytes, size_t n)
{
    cr_assert_eq(n_said, n, "%zu bytes said, not %zu", n_said, n);
    cr_assert_arr_eq(said, bytes, n);
    n_said = 0;
}

#define HEAR(text)    firmata_kit_receive(&kit, (const uint8_t *)(text), sizeof(text) - 1, 0)
#define EXPECT(bytes) expect_bytes(bytes, sizeof(bytes) - 1)

Test(firmata_kit, a_wire_carries_levels_both_ways)
{
    begin("uno");
    cr_assert_eq(firmata_kit_add_wire(&kit, "8=7", NULL), 0);
    start();
    HEAR("\xf4\x08\x01\xf4\x07\x00\xd0\x01\xf5\x08\x01");
    EXPECT("\x90\x00\x00\x90\x00\x01");
    HEAR("\xf4\x08\x00\xf4\x07\x01\xd1\x01\xf5\x07\x01"); /* the other way round */
    EXPECT("\x90\x00\x00\x91\x00\x00\x91\x01\x00");
}

Test(firmata_kit, a_short_pulse_on_a_wire_is_not_swallowed)
{
    begin("uno");
    cr_assert_eq(firmata_kit_add_wire(&kit, "8=7", NULL), 0);
    start();
    HEAR("\xf4\x08\x01\xf4\x07\x00\xd0\x01\xf5\x08\x01\xf5\x08\x00");
    EXPECT("\x90\x00\x00\x90\x00\x01\x90\x00\x00");
}

Test(firmata_kit, an_input_is_a_fixed_voltage_until_a_wire_drives_the_pin)
{
    begin("uno");
    cr_assert_eq(firmata_kit_add_input(&kit, "A1=1", NULL), 0);
    cr_assert_eq(firmata_kit_add_wire(&kit, "A1=9", NULL), 0);
    start();
    HEAR("\xf4\x09\x00\xc1\x01");
    HEAR("\xc1\x01"); /* pin 9 is an input now */
    cr_assert_arr_eq(said + n_said - 3, "\xe1\x7f\x07", 3);
    HEAR("\xf4\x09\x01");
    n_said = 0;
    HEAR("\xc1\x01");
    EXPECT("\xe1\x00\x00");
}

Test(firmata_kit, a_sensor_answers_a_ping_with_its_length)
{
    begin("uno");
    cr_assert_eq(firmata_kit_add_echo(&kit, "6=5800", NULL), 0);
    start();
    HEAR("\xf0\x75\x06\x01\0\0\0\0\0\0\x05\0\0\0\x0f\0\x42\0\x40\0\xf7");
    EXPECT("\xf0\x75\x06\x00\0\0\0\0\x16\0\x28\x01\xf7");
}

Test(firmata_kit, knows_the_pins_of_its_boards)
{
    struct dpl_diag diag;
    begin("uno");
    cr_assert_eq(kit.config.n_pins, 20);
    cr_assert_eq(kit.config.pins[14].channel, 0);
    cr_assert(kit.config.pins[11].abilities & DPL_FIRMATA_CAN_PWM);
    cr_assert_not(kit.config.pins[12].abilities & DPL_FIRMATA_CAN_PWM);
    begin("mega");
    cr_assert_eq(kit.config.n_pins, 70);
    cr_assert_eq(kit.config.pins[69].channel, 15);
    cr_assert(kit.config.pins[46].abilities & DPL_FIRMATA_CAN_PWM);
    cr_assert_not(kit.config.pins[47].abilities & DPL_FIRMATA_CAN_PWM);
    cr_assert_eq(firmata_kit_init(&kit, "nano", &diag), -EINVAL);
    cr_assert_str_eq(diag.text, "--board: found 'nano', expected uno or mega");
}

Test(firmata_kit, refuses_what_is_no_pin_or_value)
{
    static const char *const wires[] = {"",     "8",   "8=",   "=8",   "8=8",   "8=20",
                                        "8=A6", "0=8", "8=7x", "a0=8", "8=A0=1"};
    static const char *const inputs[] = {"A0",     "A0=",  "A0=1.1", "A0=-1",
                                         "A0=nan", "A9=0", "A0=0.5x"};
    static const char *const echoes[] = {"6=0", "6=1e9", "6=x", "1=100"};
    struct dpl_diag diag;
    begin("uno");
    for (size_t i = 0; i < sizeof wires / sizeof wires[0]; i++) {
        cr_assert_eq(firmata_kit_add_wire(&kit, wires[i], &diag), -EINVAL, "%s", wires[i]);
        cr_assert_not_null(strstr(diag.text, "--wire: found '"));
    }
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        cr_assert_eq(firmata_kit_add_input(&kit, inputs[i], &diag), -EINVAL, "%s", inputs[i]);
    }
    for (size_t i = 0; i < sizeof echoes / sizeof echoes[0]; i++) {
        cr_assert_eq(firmata_kit_add_echo(&kit, echoes[i], &diag), -EINVAL, "%s", echoes[i]);
    }
}
