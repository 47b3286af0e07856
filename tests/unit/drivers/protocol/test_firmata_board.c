/* SPDX-License-Identifier: Apache-2.0 */
/* The board of Firmata: pins 0 (digital, PWM, servo, ping), 1 (digital, servo), 2 (nothing), 3
 * (digital, analog channel 0). */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <doppel/protocol/firmata_board.h>

static struct dpl_firmata_board board;
static uint8_t said[4096];
static size_t n_said;
static int n_edges;
static struct {
    unsigned pin;
    bool level;
    dpl_ns at;
} edges[8];
static char heard[128];

static void on_send(void *user, const uint8_t *bytes, size_t n, dpl_ns now)
{
    cr_assert_leq(n_said + n, sizeof said);
    memcpy(said + n_said, bytes, n);
    n_said += n;
}

static void on_edge(void *user, unsigned pin, bool level, dpl_ns at)
{
    cr_assert_lt(n_edges, 8);
    edges[n_edges].pin = pin;
    edges[n_edges].level = level;
    edges[n_edges++].at = at;
}

static void on_text(void *user, const char *text)
{
    snprintf(heard, sizeof heard, "%s", text);
}

static void begin(void)
{
    const struct dpl_firmata_board_config config = {
        .firmware = "x",
        .major = 2,
        .minor = 5,
        .n_pins = 4,
        .pins =
            {
                {DPL_FIRMATA_CAN_DIGITAL | DPL_FIRMATA_CAN_PWM | DPL_FIRMATA_CAN_SERVO |
                     DPL_FIRMATA_CAN_PING,
                 DPL_FIRMATA_NO_CHANNEL},
                {DPL_FIRMATA_CAN_DIGITAL | DPL_FIRMATA_CAN_SERVO, DPL_FIRMATA_NO_CHANNEL},
                {0, DPL_FIRMATA_NO_CHANNEL},
                {DPL_FIRMATA_CAN_DIGITAL, 0},
            },
        .send = on_send,
        .edge = on_edge,
        .text = on_text,
    };
    dpl_firmata_board_init(&board, &config);
    dpl_firmata_board_connected(&board, 0);
    n_said = 0;
}

TestSuite(firmata_board, .init = begin);

#define HEAR(text, now)                                                                            \
    dpl_firmata_board_receive(&board, (const uint8_t *)(text), sizeof(text) - 1, now)

/* Checks and forgets what the board has said. */
static void expect_bytes(const char *bytes, size_t n)
{
    cr_assert_eq(n_said, n, "%zu bytes said, not %zu", n_said, n);
    cr_assert_arr_eq(said, bytes, n);
    n_said = 0;
}

#define EXPECT(bytes) expect_bytes(bytes, sizeof(bytes) - 1)

Test(firmata_board, says_version_and_firmware_when_a_host_comes)
{
    dpl_firmata_board_connected(&board, 0);
    EXPECT("\xf9\x02\x05\xf0\x79\x02\x05x\0\xf7");
}

Test(firmata_board, answers_what_its_pins_can_do)
{
    HEAR("\xf0\x6b\xf7\xf0\x69\xf7", 0);
    EXPECT("\xf0\x6c"
           "\x00\x01\x0b\x01\x01\x01\x03\x08\x04\x0e\x75\x01\x7f"
           "\x00\x01\x0b\x01\x01\x01\x04\x0e\x7f"
           "\x7f"
           "\x00\x01\x0b\x01\x01\x01\x02\x0a\x7f"
           "\xf7\xf0\x6a\x7f\x7f\x7f\x00\xf7");
}

Test(firmata_board, drives_outputs_by_port_and_by_pin)
{
    HEAR("\xf4\x00\x01\xf4\x01\x01\x90\x03\x00", DPL_MS);
    cr_assert(dpl_firmata_board_output(&board, 0).level);
    cr_assert(dpl_firmata_board_output(&board, 1).level);
    cr_assert_eq(board.pins[1].told_at, DPL_MS);
    HEAR("\xf5\x01\x00", 2 * DPL_MS);
    cr_assert(dpl_firmata_board_output(&board, 0).level);
    cr_assert_not(dpl_firmata_board_output(&board, 1).level);
    cr_assert_eq(n_edges, 3);
    cr_assert(edges[2].pin == 1 && !edges[2].level && edges[2].at == 2 * DPL_MS);
}

Test(firmata_board, reports_inputs_at_once_and_then_their_changes)
{
    dpl_firmata_board_drive(&board, 1, true, 0);
    HEAR("\xf4\x01\x00\xd0\x01", 0);
    EXPECT("\x90\x02\x00");
    dpl_firmata_board_drive(&board, 1, true, 0);
    cr_assert_eq(n_said, 0, "nothing has changed");
    dpl_firmata_board_drive(&board, 1, false, 0);
    EXPECT("\x90\x00\x00");
    HEAR("\xd0\x00", 0);
    dpl_firmata_board_drive(&board, 1, true, 0);
    cr_assert_eq(n_said, 0, "reports are off");
}

Test(firmata_board, pulls_an_input_up_by_mode_or_by_value)
{
    HEAR("\xf4\x01\x0b\xd0\x01", 0);
    EXPECT("\x90\x02\x00");
    dpl_firmata_board_drive(&board, 1, false, 0);
    EXPECT("\x90\x00\x00");
    dpl_firmata_board_release(&board, 1, 0);
    EXPECT("\x90\x02\x00");
    HEAR("\xf4\x00\x00\x90\x01\x00\xf0\x6d\x00\xf7", 0);
    EXPECT("\x90\x03\x00\xf0\x6e\x00\x0b\x01\xf7");
}

Test(firmata_board, gives_pwm_and_servo_pulses)
{
    HEAR("\xf4\x00\x03\xe0\x33\x00", 0); /* 51 of 255 */
    struct dpl_firmata_output output = dpl_firmata_board_output(&board, 0);
    cr_assert_eq(output.kind, DPL_FIRMATA_PULSES);
    cr_assert_float_eq(output.duty, 0.2, 1e-12);
    HEAR("\xf4\x01\x04\xe1\x5a\x00", 0); /* 90 degrees between 544 and 2400 us */
    output = dpl_firmata_board_output(&board, 1);
    cr_assert_float_eq(output.duty, 1472e-6 * 50.0, 1e-9);
    HEAR("\xf0\x70\x01\x68\x07\x50\x0f\xf7\xe1\x5a\x00", 0); /* 1000 to 2000 us */
    cr_assert_float_eq(dpl_firmata_board_output(&board, 1).duty, 0.075, 1e-9);
    HEAR("\xe1\x62\x09", 0); /* 1250 us */
    cr_assert_float_eq(dpl_firmata_board_output(&board, 1).duty, 0.0625, 1e-9);
    HEAR("\xe1\x7f\x7f", 0); /* no longer than configured */
    cr_assert_float_eq(dpl_firmata_board_output(&board, 1).duty, 0.1, 1e-9);
}

Test(firmata_board, samples_analog_inputs_at_the_interval_the_host_sets)
{
    dpl_firmata_board_drive_ratio(&board, 3, 0.5, 0);
    HEAR("\xc0\x01", 0);
    EXPECT("\xe0\x00\x04"); /* at once: 512 */
    cr_assert_eq(dpl_firmata_board_tick(&board, 18 * DPL_MS), 19 * DPL_MS);
    cr_assert_eq(n_said, 0);
    cr_assert_eq(dpl_firmata_board_tick(&board, 19 * DPL_MS), 38 * DPL_MS);
    EXPECT("\xe0\x00\x04");
    HEAR("\xf0\x7a\x64\x00\xf7", 20 * DPL_MS); /* 100 ms */
    dpl_firmata_board_tick(&board, 119 * DPL_MS);
    cr_assert_eq(n_said, 0);
    cr_assert_eq(dpl_firmata_board_tick(&board, 330 * DPL_MS), 420 * DPL_MS,
                 "late: none is made up");
    EXPECT("\xe0\x00\x04");
    HEAR("\xc0\x00", 0);
    dpl_firmata_board_tick(&board, DPL_S);
    cr_assert_eq(n_said, 0);
}

Test(firmata_board, refuses_what_its_pins_cannot_do)
{
    HEAR("\xf4\x01\x03\xf4\x02\x01\xf4\x09\x01\xe9\x01\x00\xf5\x00\x02\xc5\x01\xf0\x6f\x01\xf7", 0);
    cr_assert_eq(board.refused, 7);
    cr_assert_eq(board.pins[1].mode, DPL_FIRMATA_MODE_OUTPUT);
    cr_assert_eq(n_said, 0);
    HEAR("\xf4\x01\x10", 0);
    EXPECT("\xf0\x71U\0n\0k\0n\0o\0w\0n\0 \0p\0i\0n\0 \0m\0o\0d\0e\0\xf7");
    HEAR("\xf0\x6d\x09\xf7", 0);
    EXPECT("\xf0\x6e\x09\xf7");
    cr_assert_eq(dpl_firmata_board_drive(&board, 4, true, 0), -EINVAL);
    cr_assert_eq(dpl_firmata_board_drive_ratio(&board, 3, 1.5, 0), -EINVAL);
}

Test(firmata_board, measures_the_answer_to_a_ping_exactly)
{
    /* a high pulse of 5 us, at most 1 s for the answer */
    HEAR("\xf0\x75\x00\x01\0\0\0\0\0\0\x05\0\0\0\x0f\0\x42\0\x40\0\xf7", DPL_MS);
    cr_assert_eq(n_edges, 2);
    cr_assert(edges[0].level && edges[0].at == DPL_MS);
    cr_assert(!edges[1].level && edges[1].at == DPL_MS + 5 * DPL_US);
    dpl_firmata_board_drive(&board, 0, true, 2 * DPL_MS);
    cr_assert_eq(n_said, 0);
    dpl_firmata_board_drive(&board, 0, false, 2 * DPL_MS + 5800 * DPL_US);
    EXPECT("\xf0\x75\x00\x00\0\0\0\0\x16\0\x28\x01\xf7");
}

Test(firmata_board, gives_up_a_ping_without_an_answer)
{
    HEAR("\xf0\x75\x00\x01\0\0\0\0\0\0\x05\0\0\0\x0f\0\x42\0\x40\0\xf7", 0);
    dpl_firmata_board_tick(&board, DPL_S);
    cr_assert_eq(n_said, 0);
    dpl_firmata_board_tick(&board, DPL_S + 5 * DPL_US);
    EXPECT("\xf0\x75\x00\x00\0\0\0\0\0\0\0\0\xf7");
}

Test(firmata_board, hears_texts_and_skips_garbage)
{
    HEAR("\x01\x02\xf7\xf0\x71h\0i\0\xf7\xf9\xe1", 0);
    cr_assert_str_eq(heard, "hi");
    EXPECT("\xf9\x02\x05");
    cr_assert_eq(board.parser.dropped_bytes, 3);
}

Test(firmata_board, a_reset_or_a_host_that_goes_turns_everything_off)
{
    static const char busy[] = "\xf4\x00\x01\xf5\x00\x01\xc0\x01\xd0\x01\xf4\x01\x0b";
    for (int i = 0; i < 2; i++) {
        HEAR(busy, 0);
        n_said = n_edges = 0;
        if (i == 0) {
            HEAR("\xff", DPL_MS);
        } else {
            dpl_firmata_board_disconnected(&board, DPL_MS);
        }
        cr_assert_not(dpl_firmata_board_output(&board, 0).level);
        cr_assert_eq(n_edges, 2, "the output and the pull-up fall");
        dpl_firmata_board_drive(&board, 1, true, 0);
        dpl_firmata_board_tick(&board, DPL_S);
        cr_assert_eq(n_said, 0, "no reports");
        cr_assert_eq(board.pins[3].mode, DPL_FIRMATA_MODE_ANALOG);
    }
}
