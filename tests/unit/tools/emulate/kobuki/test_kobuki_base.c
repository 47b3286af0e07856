/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/emulate/kobuki/kobuki_base.h: bytes in, bytes out, as a host sees them. Frames to
 * the base are written here by hand. */
#include "kobuki_base.h"
#include <doppel/protocol/bumper.h>

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static struct kobuki_base make(void)
{
    struct kobuki_base_config config = kobuki_base_config_default();
    config.patience = 500 * DPL_MS;
    struct kobuki_base base;
    kobuki_base_init(&base, &config);
    return base;
}

/* Sends one frame with this payload. */
static void send_frame(struct kobuki_base *base, const uint8_t *payload, size_t n, dpl_ns now)
{
    uint8_t frame[64] = {0xaa, 0x55, (uint8_t)n};
    uint8_t check = (uint8_t)n;
    for (size_t i = 0; i < n; i++) {
        frame[3 + i] = payload[i];
        check ^= payload[i];
    }
    frame[3 + n] = check;
    kobuki_base_receive(base, frame, n + 4, now);
}

static struct dpl_kobuki_feedback hear(struct kobuki_base *base,
                                       const struct kobuki_sensors *sensors)
{
    uint8_t frame[DPL_KOBUKI_MAX_FRAME];
    struct dpl_kobuki_feedback feedback;
    size_t n = kobuki_base_feedback(base, sensors, frame);
    cr_assert_gt(n, 4);
    cr_assert_eq(frame[0], 0xaa);
    cr_assert_eq(frame[1], 0x55);
    cr_assert_eq(frame[2], n - 4);
    cr_assert_eq(dpl_kobuki_feedback_decode(frame + 3, n - 4, &feedback, NULL), 0);
    return feedback;
}

Test(kobuki_base, straight_command_turns_both_wheels_alike)
{
    struct kobuki_base base = make();
    send_frame(&base, (const uint8_t[]){1, 4, 0xc8, 0, 0, 0}, 6, 0); /* 200 mm/s, radius 0 */
    struct kobuki_wheels wheels = kobuki_base_wheels(&base, DPL_MS);
    cr_assert_float_eq(wheels.left_rad_s, 0.2 / 0.035, 1e-9);
    cr_assert_float_eq(wheels.right_rad_s, 0.2 / 0.035, 1e-9);
}

Test(kobuki_base, spin_command_turns_the_wheels_against_each_other)
{
    struct kobuki_base base = make();
    send_frame(&base, (const uint8_t[]){1, 4, 115, 0, 1, 0}, 6,
               0); /* 115 mm/s, radius 1: 1 rad/s */
    struct kobuki_wheels wheels = kobuki_base_wheels(&base, DPL_MS);
    cr_assert_float_eq(wheels.left_rad_s, -0.115 / 0.035, 1e-9);
    cr_assert_float_eq(wheels.right_rad_s, 0.115 / 0.035, 1e-9);
}

Test(kobuki_base, stops_when_its_host_falls_silent_and_counts_it)
{
    struct kobuki_base base = make();
    send_frame(&base, (const uint8_t[]){1, 4, 0xc8, 0, 0, 0}, 6, 0);
    cr_assert_gt(kobuki_base_wheels(&base, 500 * DPL_MS).left_rad_s, 0.0);
    cr_assert_eq(kobuki_base_wheels(&base, 501 * DPL_MS).left_rad_s, 0.0);
    cr_assert_eq(base.timeouts, 1);
    send_frame(&base, (const uint8_t[]){1, 4, 0xc8, 0, 0, 0}, 6, DPL_S);
    cr_assert_gt(kobuki_base_wheels(&base, DPL_S).left_rad_s, 0.0);
}

/* Its loop may be late, and find a command of the host before it has looked at the clock. */
Test(kobuki_base, counts_a_silence_that_a_late_command_ends)
{
    struct kobuki_base base = make();
    send_frame(&base, (const uint8_t[]){1, 4, 0xc8, 0, 0, 0}, 6, 0);
    send_frame(&base, (const uint8_t[]){1, 4, 0xc8, 0, 0, 0}, 6, 400 * DPL_MS);
    cr_assert_eq(base.timeouts, 0);
    send_frame(&base, (const uint8_t[]){1, 4, 0xc8, 0, 0, 0}, 6, 2 * DPL_S);
    cr_assert_eq(base.timeouts, 1);
    cr_assert_gt(kobuki_base_wheels(&base, 2 * DPL_S).left_rad_s, 0.0);
}

Test(kobuki_base, other_commands_do_not_keep_it_going)
{
    struct kobuki_base base = make();
    send_frame(&base, (const uint8_t[]){1, 4, 0xc8, 0, 0, 0}, 6, 0);
    send_frame(&base, (const uint8_t[]){4, 1, 0}, 3, 490 * DPL_MS);
    cr_assert_eq(kobuki_base_wheels(&base, 600 * DPL_MS).left_rad_s, 0.0);
}

Test(kobuki_base, streams_all_blocks_and_the_values_of_its_sensors)
{
    struct kobuki_base base = make();
    struct kobuki_sensors sensors = {
        .stamp = 70 * DPL_S, /* beyond the wrap of 65.536 s */
        .left_rad = 1000.5 * DPL_KOBUKI_TICK_RAD,
        .right_rad = -0.5 * DPL_KOBUKI_TICK_RAD,
        .heading_rad = DPL_PI / 2,
        .rate_rad_s = 0.1,
        .bumper = DPL_KOBUKI_CENTRE,
    };
    struct dpl_kobuki_feedback feedback = hear(&base, &sensors);
    static const int streamed[] = {1, 3, 4, 5, 6, 13, 16};
    for (size_t i = 0; i < sizeof streamed / sizeof streamed[0]; i++) {
        cr_assert(feedback.present & DPL_KOBUKI_HAS(streamed[i]), "block %d", streamed[i]);
    }
    cr_assert_eq(feedback.present & DPL_KOBUKI_HAS(DPL_KOBUKI_FIRMWARE), 0);
    cr_assert_eq(feedback.core.time_ms, 70000 - 65536);
    cr_assert_eq(feedback.core.encoder_left, 1000);
    cr_assert_eq(feedback.core.encoder_right, 65535);
    cr_assert_eq(feedback.core.bumper, 2);
    cr_assert_eq(feedback.inertia.angle_centideg, 9000);
    cr_assert_eq(feedback.core.battery_decivolt, 164);
}

Test(kobuki_base, answers_requests_once_behind_the_streamed_blocks)
{
    struct kobuki_base base = make();
    struct kobuki_sensors sensors = {0};
    send_frame(&base, (const uint8_t[]){9, 2, 0x0b, 0, 14, 1, 0}, 7, 0);
    struct dpl_kobuki_feedback feedback = hear(&base, &sensors);
    cr_assert(feedback.present & DPL_KOBUKI_HAS(DPL_KOBUKI_HARDWARE));
    cr_assert(feedback.present & DPL_KOBUKI_HAS(DPL_KOBUKI_UDID));
    cr_assert(feedback.present & DPL_KOBUKI_HAS(DPL_KOBUKI_CONTROLLER));
    cr_assert_eq(dpl_kobuki_version_major(feedback.firmware), 1);
    cr_assert_eq(dpl_kobuki_version_minor(feedback.firmware), 2);
    cr_assert_eq(dpl_kobuki_version_patch(feedback.firmware), 0);
    feedback = hear(&base, &sensors);
    cr_assert_eq(feedback.present & DPL_KOBUKI_HAS(DPL_KOBUKI_FIRMWARE), 0);
}

Test(kobuki_base, gains_are_set_and_told)
{
    struct kobuki_base base = make();
    struct kobuki_sensors sensors = {0};
    send_frame(&base, (const uint8_t[]){13, 13, 1, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 14, 1, 0},
               18, 0);
    struct dpl_kobuki_feedback feedback = hear(&base, &sensors);
    cr_assert_eq(feedback.controller.type, 1);
    cr_assert_eq(feedback.controller.p, 1);
    cr_assert_eq(feedback.controller.i, 2);
    cr_assert_eq(feedback.controller.d, 3);
    send_frame(&base, (const uint8_t[]){13, 13, 0, 9, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 14, 1, 0},
               18, 0);
    feedback = hear(&base, &sensors);
    cr_assert_eq(feedback.controller.p, 100000, "type 0 means the factory's");
}

Test(kobuki_base, garbage_and_unknown_commands_are_skipped)
{
    struct kobuki_base base = make();
    kobuki_base_receive(&base, (const uint8_t *)"\xaa\x55\x06\x01\x04 not a frame", 17, 0);
    send_frame(&base, (const uint8_t[]){77, 1, 0, 1, 4, 0xc8, 0, 0, 0}, 9, 0);
    cr_assert_gt(kobuki_base_wheels(&base, DPL_MS).left_rad_s, 0.0);
    cr_assert_eq(base.unknown_commands, 1);
}

Test(kobuki_base, a_command_beyond_what_motors_can_do_is_saturated)
{
    struct kobuki_base base = make();
    send_frame(&base, (const uint8_t[]){1, 4, 0xff, 0x7f, 0, 0}, 6, 0);
    cr_assert_float_eq(kobuki_base_wheels(&base, 0).left_rad_s, 0.8 / 0.035, 1e-9);
}

Test(kobuki_base, bumper_has_three_segments_in_front)
{
    static const struct {
        unsigned sector;
        uint8_t bumper;
    } rows[] = {
        {0, DPL_KOBUKI_CENTRE},
        {1, DPL_KOBUKI_CENTRE},
        {2, DPL_KOBUKI_LEFT},
        {5, DPL_KOBUKI_LEFT},
        {6, 0},
        {12, 0},
        {17, 0},
        {18, DPL_KOBUKI_RIGHT},
        {21, DPL_KOBUKI_RIGHT},
        {22, DPL_KOBUKI_CENTRE},
        {23, DPL_KOBUKI_CENTRE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert_eq(dpl_bumper_of(1u << rows[i].sector), rows[i].bumper, "sector %u",
                     rows[i].sector);
    }
    cr_assert_eq(dpl_bumper_of(0), 0);
    cr_assert_eq(dpl_bumper_of(UINT32_MAX), 7);
}

Test(kobuki_base, sensors_of_a_moment_ago_are_followed_to_the_stamp)
{
    struct kobuki_sensors sensors = {
        .stamp = DPL_S,
        .left_rad = 1.0,
        .right_rad = 2.0,
        .left_rad_s = 10.0,
        .right_rad_s = -10.0,
        .heading_rad = 0.5,
        .rate_rad_s = 1.0,
        .bumper = 2,
    };
    struct kobuki_sensors then = kobuki_sensors_at(&sensors, DPL_S - 5 * DPL_MS);
    cr_assert_eq(then.stamp, DPL_S - 5 * DPL_MS);
    cr_assert_float_eq(then.left_rad, 0.95, 1e-9);
    cr_assert_float_eq(then.right_rad, 2.05, 1e-9);
    cr_assert_float_eq(then.heading_rad, 0.495, 1e-9);
    cr_assert_eq(then.bumper, 2);
    struct kobuki_sensors late = kobuki_sensors_at(&sensors, 20 * DPL_S);
    cr_assert_eq(late.stamp, 20 * DPL_S);
    cr_assert_float_eq(late.left_rad, 1.3, 1e-9, "a world that is gone turns no wheels");
}

Test(kobuki_base, buttons_and_cliffs_are_told_with_the_voltage_of_the_cliff_sensor)
{
    struct kobuki_base base = make();
    struct kobuki_sensors sensors = {.cliff = DPL_KOBUKI_LEFT, .buttons = 5, .wheel_drop = 2};
    struct dpl_kobuki_feedback feedback = hear(&base, &sensors);
    cr_assert_eq(feedback.core.cliff, DPL_KOBUKI_LEFT);
    cr_assert_eq(feedback.core.buttons, 5);
    cr_assert_eq(feedback.core.wheel_drop, 2);
    cr_assert_eq(feedback.cliff[0], feedback.cliff[1]);
    cr_assert_lt(feedback.cliff[2], feedback.cliff[1], "right, centre, left");
}
