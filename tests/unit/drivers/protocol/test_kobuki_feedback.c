/* SPDX-License-Identifier: Apache-2.0 */
/* Kobuki feedback blocks: layout byte by byte, round trips, refusals. */
#include <doppel/protocol/kobuki_feedback.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

static const uint8_t core_payload[] = {
    0x01, 0x0f, 0x34, 0x12,       /* core, 15 bytes, 0x1234 ms */
    0x05, 0x02, 0x03,             /* bumper right + left, left wheel drop, cliff right + centre */
    0xfe, 0xff, 0x01, 0x80,       /* left encoder 65534, right 0x8001 */
    0xf6, 0x0a, 0x04, 0x16, 0xa7, /* pwm -10, 10; button B2; adapter, charging; 16.7 V */
    0x02,                         /* over-current right */
};

Test(kobuki_feedback, decodes_the_core_block_worked_by_hand)
{
    struct dpl_kobuki_feedback got;
    cr_assert_eq(dpl_kobuki_feedback_decode(core_payload, sizeof core_payload, &got, NULL), 0);
    cr_assert_eq(got.present, DPL_KOBUKI_HAS(DPL_KOBUKI_CORE));
    cr_assert_eq(got.core.time_ms, 0x1234);
    cr_assert_eq(got.core.bumper, DPL_KOBUKI_RIGHT | DPL_KOBUKI_LEFT);
    cr_assert_eq(got.core.wheel_drop, DPL_KOBUKI_DROP_LEFT);
    cr_assert_eq(got.core.cliff, DPL_KOBUKI_RIGHT | DPL_KOBUKI_CENTRE);
    cr_assert_eq(got.core.encoder_left, 65534);
    cr_assert_eq(got.core.encoder_right, 0x8001);
    cr_assert_eq(got.core.pwm_left, -10);
    cr_assert_eq(got.core.pwm_right, 10);
    cr_assert_eq(got.core.buttons, 4);
    cr_assert_eq(got.core.charger, DPL_KOBUKI_CHARGER_ADAPTER | DPL_KOBUKI_CHARGER_CHARGING);
    cr_assert_eq(got.core.battery_decivolt, 167);
    cr_assert_eq(got.core.overcurrent, DPL_KOBUKI_OVERCURRENT_RIGHT);
}

Test(kobuki_feedback, encodes_the_core_block_worked_by_hand)
{
    struct dpl_kobuki_feedback feedback;
    uint8_t payload[255];
    cr_assert_eq(dpl_kobuki_feedback_decode(core_payload, sizeof core_payload, &feedback, NULL), 0);
    cr_assert_eq(dpl_kobuki_feedback_encode(&feedback, payload, sizeof payload),
                 sizeof core_payload);
    cr_assert_arr_eq(payload, core_payload, sizeof core_payload);
}

static struct dpl_kobuki_feedback everything(void)
{
    struct dpl_kobuki_feedback all = {
        .core = {.time_ms = 1, .encoder_left = 2, .encoder_right = 3, .pwm_left = -1},
        .dock_ir = {1, 2, 3},
        .inertia = {.angle_centideg = -18000, .rate_centideg_s = 300, .padding = {7, 8, 9}},
        .cliff = {0x0102, 0x0304, 0x0506},
        .current_10ma = {10, 20},
        .hardware = {.number = 0x010402, .size = 4},
        .firmware = {.number = 123, .size = 2},
        .gyro = {.frame = 200, .count = 6, .values = {1, -2, 3, -4, 5, -32768}},
        .input = {.digital = 0xf00f, .analog = {1, 2, 3, 4095}, .padding = {1, 2, 3}},
        .udid = {0xdeadbeef, 1, 0xffffffff},
        .controller = {.type = 1, .p = 100000, .i = 100, .d = 2000},
    };
    static const enum dpl_kobuki_feedback_id ids[] = {1, 3, 4, 5, 6, 10, 11, 13, 16, 19, 21};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        all.present |= DPL_KOBUKI_HAS(ids[i]);
    }
    return all;
}

Test(kobuki_feedback, carries_every_block_there_and_back)
{
    struct dpl_kobuki_feedback all = everything(), got;
    uint8_t payload[255], again[255];
    int length = dpl_kobuki_feedback_encode(&all, payload, sizeof payload);
    /* data 15+3+7+6+2+14+16+4+2+12+13 and 11 headers of 2 */
    cr_assert_eq(length, 94 + 22);
    cr_assert_eq(dpl_kobuki_feedback_decode(payload, (size_t)length, &got, NULL), 0);
    cr_assert_eq(got.present, all.present);
    cr_assert_eq(got.inertia.angle_centideg, -18000);
    cr_assert_eq(got.firmware.size, 2);
    cr_assert_eq(got.firmware.number, 123);
    cr_assert_eq(got.hardware.number, 0x010402);
    cr_assert_eq(got.gyro.count, 6);
    cr_assert_eq(got.gyro.values[5], -32768);
    cr_assert_eq(got.input.analog[3], 4095);
    cr_assert_eq(got.udid[0], 0xdeadbeef);
    cr_assert_eq(got.controller.p, 100000);
    cr_assert_eq(dpl_kobuki_feedback_encode(&got, again, sizeof again), length);
    cr_assert_arr_eq(again, payload, (size_t)length);
}

Test(kobuki_feedback, puts_answers_to_requests_behind_the_streamed_blocks)
{
    struct dpl_kobuki_feedback feedback = {
        .firmware = {.number = 0x010200, .size = 4},
        .present = DPL_KOBUKI_HAS(DPL_KOBUKI_FIRMWARE) | DPL_KOBUKI_HAS(DPL_KOBUKI_CURRENT),
    };
    static const uint8_t expected[] = {0x06, 0x02, 0, 0, 0x0b, 0x04, 0x00, 0x02, 0x01, 0x00};
    uint8_t payload[16];
    cr_assert_eq(dpl_kobuki_feedback_encode(&feedback, payload, sizeof payload), sizeof expected);
    cr_assert_arr_eq(payload, expected, sizeof expected);
}

Test(kobuki_feedback, skips_and_counts_unknown_blocks)
{
    static const uint8_t payload[] = {0x63, 0x01, 0xff, 0x06, 0x02, 0x0a, 0x14};
    struct dpl_kobuki_feedback got;
    cr_assert_eq(dpl_kobuki_feedback_decode(payload, sizeof payload, &got, NULL), 0);
    cr_assert_eq(got.unknown_blocks, 1);
    cr_assert_eq(got.current_10ma[1], 20);
}

Test(kobuki_feedback, refuses_every_wrong_length_and_names_the_block)
{
    static const uint8_t ids[] = {1, 3, 4, 5, 6, 10, 11, 16, 19, 21};
    static const uint8_t lengths[] = {15, 3, 7, 6, 2, 4, 4, 16, 12, 13};
    for (size_t i = 0; i < sizeof ids; i++) {
        for (unsigned length = 0; length <= 20; length++) {
            uint8_t payload[4 + 22] = {0x06, 0x02, 0, 0, ids[i], (uint8_t)length};
            struct dpl_kobuki_feedback got = {.present = 0x80000000};
            size_t offset = 99;
            int result = dpl_kobuki_feedback_decode(payload, 6 + length, &got, &offset);
            bool is_old_version = (ids[i] == 10 || ids[i] == 11) && length == 2;
            bool is_good = length == lengths[i] || is_old_version;
            cr_assert_eq(result, is_good ? 0 : -EPROTO, "id %u length %u", ids[i], length);
            cr_assert_eq(offset, is_good ? 99 : 4);
            cr_assert_eq(got.present == 0x80000000, !is_good);
        }
    }
}

Test(kobuki_feedback, refuses_a_gyro_block_whose_count_is_not_its_length)
{
    static const uint8_t payload[] = {0x0d, 0x04, 0x00, 0x02, 0x01, 0x00};
    struct dpl_kobuki_feedback got;
    size_t offset = 9;
    cr_assert_eq(dpl_kobuki_feedback_decode(payload, sizeof payload, &got, &offset), -EPROTO);
    cr_assert_eq(offset, 0);
}

Test(kobuki_feedback, refuses_a_payload_cut_at_any_byte_inside_a_block)
{
    struct dpl_kobuki_feedback got;
    for (size_t length = 1; length < sizeof core_payload; length++) {
        cr_assert_eq(dpl_kobuki_feedback_decode(core_payload, length, &got, NULL), -EPROTO);
    }
}

Test(kobuki_feedback, says_when_the_memory_is_too_small_or_a_value_cannot_be_sent)
{
    struct dpl_kobuki_feedback all = everything();
    uint8_t payload[255];
    cr_assert_eq(dpl_kobuki_feedback_encode(&all, payload, 115), -ENOSPC);
    cr_assert_eq(dpl_kobuki_feedback_encode(&all, payload, 116), 116);
    all.gyro.count = DPL_KOBUKI_MAX_GYRO_VALUES + 1;
    cr_assert_eq(dpl_kobuki_feedback_encode(&all, payload, sizeof payload), -EINVAL);
    all.gyro.count = 0;
    all.firmware.number = 0x10000;
    cr_assert_eq(dpl_kobuki_feedback_encode(&all, payload, sizeof payload), -EINVAL);
}
