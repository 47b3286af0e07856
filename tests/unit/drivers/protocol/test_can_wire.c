/* SPDX-License-Identifier: Apache-2.0 */
/* CAN frames on both wires: socket records byte by byte, and the same calls over text. */
#include <doppel/protocol/can_wire.h>

#include <criterion/criterion.h>

static const struct dpl_can_frame frame = {
    .id = 0x201, .length = 6, .data = {0x0f, 0x00, 0x10, 0x27, 0x00, 0x00}};

static void put_id(uint8_t *record, uint32_t id)
{
    memcpy(record, &id, sizeof id);
}

Test(can_wire, a_record_is_id_length_three_bytes_of_nothing_and_data)
{
    uint8_t record[DPL_CAN_RECORD_SIZE];
    uint8_t expected[DPL_CAN_RECORD_SIZE] = {[4] = 6, [8] = 0x0f, [10] = 0x10, [11] = 0x27};
    put_id(expected, 0x201);
    dpl_can_record_encode(&frame, record);
    cr_assert_arr_eq(record, expected, sizeof record);
    struct dpl_can_frame back;
    cr_assert(dpl_can_record_decode(record, &back));
    cr_assert(dpl_can_frame_equal(&back, &frame));
}

Test(can_wire, flags_of_a_record_are_above_its_id)
{
    uint8_t record[DPL_CAN_RECORD_SIZE] = {[4] = 2, [8] = 7};
    struct dpl_can_frame got;
    put_id(record, 0x80000000u | 0x1abcdef0u);
    cr_assert(dpl_can_record_decode(record, &got));
    cr_assert(got.extended && !got.remote);
    cr_assert_eq(got.id, 0x1abcdef0);
    put_id(record, 0x40000000u | 0x123u);
    cr_assert(dpl_can_record_decode(record, &got));
    cr_assert(got.remote && !got.extended);
    cr_assert_eq(got.data[0], 0, "a remote frame has no data");
    uint8_t again[DPL_CAN_RECORD_SIZE];
    dpl_can_record_encode(&got, again);
    cr_assert_arr_eq(again, record, 8);
}

Test(can_wire, records_of_errors_and_impossible_lengths_are_skipped_and_counted)
{
    uint8_t bytes[3 * DPL_CAN_RECORD_SIZE] = {0};
    struct dpl_can_wire wire;
    struct dpl_can_frame got;
    put_id(bytes, 0x20000004u);
    bytes[DPL_CAN_RECORD_SIZE + 4] = 9;
    dpl_can_record_encode(&frame, bytes + 2 * DPL_CAN_RECORD_SIZE);
    for (size_t chunk = 1; chunk <= sizeof bytes; chunk++) {
        unsigned n = 0;
        dpl_can_wire_init(&wire, DPL_CAN_WIRE_RECORDS);
        for (size_t at = 0; at < sizeof bytes; at += chunk) {
            size_t left = sizeof bytes - at;
            struct dpl_byte_view input = {bytes + at, left < chunk ? left : chunk};
            while (dpl_can_wire_next(&wire, &input, &got) == DPL_CAN_WIRE_FRAME) {
                n++;
            }
        }
        cr_assert_eq(n, 1, "chunks of %zu", chunk);
        cr_assert(dpl_can_frame_equal(&got, &frame));
        cr_assert_eq(wire.errors, 2);
        cr_assert_eq(wire.dropped_bytes, 2 * DPL_CAN_RECORD_SIZE);
        cr_assert_eq(wire.last_error_offset, DPL_CAN_RECORD_SIZE);
    }
}

Test(can_wire, both_wires_carry_the_same_frame)
{
    for (int kind = DPL_CAN_WIRE_SLCAN; kind <= DPL_CAN_WIRE_RECORDS; kind++) {
        uint8_t bytes[DPL_CAN_WIRE_MAX];
        struct dpl_can_wire wire;
        struct dpl_can_frame got;
        size_t n = dpl_can_wire_encode((enum dpl_can_wire_kind)kind, &frame, bytes);
        struct dpl_byte_view input = {bytes, n};
        dpl_can_wire_init(&wire, (enum dpl_can_wire_kind)kind);
        cr_assert_eq(dpl_can_wire_next(&wire, &input, &got), DPL_CAN_WIRE_FRAME);
        cr_assert(dpl_can_frame_equal(&got, &frame));
        cr_assert_eq(wire.frames, 1);
        cr_assert_eq(dpl_can_wire_next(&wire, &input, &got), DPL_CAN_WIRE_NOTHING);
    }
}

Test(can_wire, an_adapter_says_done_and_refused_between_frames)
{
    static const char text[] = "z\r\at0800\rV1013\r\r";
    struct dpl_byte_view input = {(const uint8_t *)text, sizeof text - 1};
    struct dpl_can_wire wire;
    struct dpl_can_frame got;
    dpl_can_wire_init(&wire, DPL_CAN_WIRE_SLCAN);
    cr_assert_eq(dpl_can_wire_next(&wire, &input, &got), DPL_CAN_WIRE_DONE);
    cr_assert_eq(dpl_can_wire_next(&wire, &input, &got), DPL_CAN_WIRE_REFUSED);
    cr_assert_eq(dpl_can_wire_next(&wire, &input, &got), DPL_CAN_WIRE_FRAME);
    cr_assert_eq(dpl_can_wire_next(&wire, &input, &got), DPL_CAN_WIRE_DONE);
    cr_assert_eq(dpl_can_wire_next(&wire, &input, &got), DPL_CAN_WIRE_NOTHING);
}

Test(can_wire, a_frame_of_n_bytes_takes_47_and_8n_bits_and_a_fifth_to_a_quarter_for_stuffing)
{
    cr_assert_eq(dpl_can_frame_bits(0, false), 47);
    cr_assert_eq(dpl_can_frame_bits(6, false), 95);
    cr_assert_eq(dpl_can_frame_bits(8, false), 111);
    cr_assert_eq(dpl_can_frame_bits(0, true), 55);
    cr_assert_eq(dpl_can_frame_bits(6, true), 115);
    cr_assert_eq(dpl_can_frame_bits(8, true), 135);
}
