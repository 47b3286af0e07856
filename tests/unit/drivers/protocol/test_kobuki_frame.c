/* SPDX-License-Identifier: Apache-2.0 */
/* Kobuki framing: bytes worked by hand, all lengths, all cuts, garbage. */
#include <doppel/protocol/kobuki_frame.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

/* Base command, speed 100 mm/s, radius 0: 06 ^ 01 ^ 04 ^ 64 ^ 00 ^ 00 ^ 00 = 67. */
static const uint8_t drive_frame[] = {0xaa, 0x55, 0x06, 0x01, 0x04, 0x64, 0x00, 0x00, 0x00, 0x67};

static struct dpl_kobuki_parser fresh(void)
{
    struct dpl_kobuki_parser parser;
    dpl_kobuki_parser_init(&parser, 0);
    return parser;
}

Test(kobuki_frame, writes_the_frame_worked_by_hand)
{
    uint8_t frame[DPL_KOBUKI_MAX_FRAME];
    size_t size = dpl_kobuki_frame_write(drive_frame + 3, 6, frame);
    cr_assert_eq(size, sizeof drive_frame);
    cr_assert_arr_eq(frame, drive_frame, sizeof drive_frame);
}

Test(kobuki_frame, writes_and_reads_an_empty_payload)
{
    static const uint8_t expected[] = {0xaa, 0x55, 0x00, 0x00};
    uint8_t frame[4];
    cr_assert_eq(dpl_kobuki_frame_write(NULL, 0, frame), 4);
    cr_assert_arr_eq(frame, expected, 4);
    struct dpl_kobuki_parser parser = fresh();
    struct dpl_byte_view input = {frame, 4};
    struct dpl_kobuki_frame got;
    cr_assert(dpl_kobuki_parser_next(&parser, &input, &got));
    cr_assert_eq(got.length, 0);
}

Test(kobuki_frame, reads_what_it_wrote_for_every_length)
{
    uint8_t payload[DPL_KOBUKI_MAX_PAYLOAD], frame[DPL_KOBUKI_MAX_FRAME];
    struct dpl_kobuki_parser parser = fresh();
    uint64_t offset = 0;
    for (size_t length = 0; length <= DPL_KOBUKI_MAX_PAYLOAD; length++) {
        for (size_t i = 0; i < length; i++) {
            payload[i] = (uint8_t)(i * 37 + length);
        }
        struct dpl_byte_view input = {frame, dpl_kobuki_frame_write(payload, length, frame)};
        size_t size = input.size;
        struct dpl_kobuki_frame got;
        cr_assert(dpl_kobuki_parser_next(&parser, &input, &got));
        cr_assert_eq(got.length, length);
        cr_assert_eq(got.offset, offset);
        cr_assert_eq(memcmp(got.payload, payload, length), 0);
        cr_assert_not(dpl_kobuki_parser_next(&parser, &input, &got));
        offset += size;
    }
    cr_assert_eq(parser.frames, 256);
    cr_assert_eq(parser.dropped_bytes, 0);
}

Test(kobuki_frame, finds_the_frame_when_it_is_cut_at_any_byte)
{
    for (size_t cut = 0; cut <= sizeof drive_frame; cut++) {
        struct dpl_kobuki_parser parser = fresh();
        struct dpl_byte_view first = {drive_frame, cut};
        struct dpl_byte_view rest = {drive_frame + cut, sizeof drive_frame - cut};
        struct dpl_kobuki_frame got;
        bool early = dpl_kobuki_parser_next(&parser, &first, &got);
        cr_assert_eq(early, cut == sizeof drive_frame);
        if (!early) {
            cr_assert(dpl_kobuki_parser_next(&parser, &rest, &got));
        }
        cr_assert_eq(got.length, 6);
        cr_assert_arr_eq(got.payload, drive_frame + 3, 6);
    }
}

Test(kobuki_frame, skips_garbage_and_says_where_it_was)
{
    static const uint8_t garbage[] = {0x00, 0xaa, 0xaa, 0x12};
    uint8_t stream[2 * sizeof drive_frame + sizeof garbage];
    memcpy(stream, drive_frame, sizeof drive_frame);
    memcpy(stream + sizeof drive_frame, garbage, sizeof garbage);
    memcpy(stream + sizeof drive_frame + sizeof garbage, drive_frame, sizeof drive_frame);
    struct dpl_kobuki_parser parser = fresh();
    struct dpl_byte_view input = {stream, sizeof stream};
    struct dpl_kobuki_frame got;
    cr_assert(dpl_kobuki_parser_next(&parser, &input, &got));
    cr_assert_eq(got.offset, 0);
    cr_assert(dpl_kobuki_parser_next(&parser, &input, &got));
    cr_assert_eq(got.offset, sizeof drive_frame + sizeof garbage);
    cr_assert_eq(parser.dropped_bytes, sizeof garbage);
    cr_assert_eq(parser.last_error_offset, sizeof drive_frame);
    cr_assert_eq(parser.checksum_errors, 0);
}

Test(kobuki_frame, never_delivers_a_frame_with_one_bit_wrong)
{
    for (size_t bit = 24; bit < 8 * sizeof drive_frame; bit++) {
        uint8_t broken[sizeof drive_frame];
        memcpy(broken, drive_frame, sizeof broken);
        broken[bit / 8] ^= (uint8_t)(1u << bit % 8);
        struct dpl_kobuki_parser parser = fresh();
        struct dpl_byte_view input = {broken, sizeof broken};
        struct dpl_kobuki_frame got;
        cr_assert_not(dpl_kobuki_parser_next(&parser, &input, &got));
        cr_assert_eq(parser.checksum_errors, 1);
        cr_assert_eq(parser.dropped_bytes, sizeof broken);
    }
}

Test(kobuki_frame, finds_a_frame_inside_what_a_false_header_claimed)
{
    /* The false header claims 12 bytes; the real frame begins right behind it. */
    uint8_t stream[3 + 2 * sizeof drive_frame] = {0xaa, 0x55, 0x0c};
    memcpy(stream + 3, drive_frame, sizeof drive_frame);
    memcpy(stream + 3 + sizeof drive_frame, drive_frame, sizeof drive_frame);
    struct dpl_kobuki_parser parser = fresh();
    struct dpl_byte_view input = {stream, sizeof stream};
    struct dpl_kobuki_frame got;
    cr_assert(dpl_kobuki_parser_next(&parser, &input, &got));
    cr_assert_eq(got.offset, 3);
    cr_assert(dpl_kobuki_parser_next(&parser, &input, &got));
    cr_assert_eq(got.offset, 3 + sizeof drive_frame);
    cr_assert_eq(parser.checksum_errors, 1);
    cr_assert_eq(parser.dropped_bytes, 3);
}

Test(kobuki_frame, takes_a_length_above_the_limit_for_garbage_at_once)
{
    uint8_t stream[3 + sizeof drive_frame] = {0xaa, 0x55, 0xff};
    memcpy(stream + 3, drive_frame, sizeof drive_frame);
    struct dpl_kobuki_parser parser;
    dpl_kobuki_parser_init(&parser, 100);
    struct dpl_byte_view input = {stream, sizeof stream};
    struct dpl_kobuki_frame got;
    cr_assert(dpl_kobuki_parser_next(&parser, &input, &got));
    cr_assert_eq(got.offset, 3);
    cr_assert_eq(parser.checksum_errors, 0);
}

Test(kobuki_frame, walks_the_blocks_and_stops_at_one_that_is_cut_short)
{
    static const uint8_t payload[] = {0x06, 0x02, 0x11, 0x22, 0x63, 0x00, 0x05, 0x06, 0x00};
    struct dpl_byte_view rest = {payload, sizeof payload};
    struct dpl_kobuki_block block;
    cr_assert_eq(dpl_kobuki_block_next(&rest, &block), 1);
    cr_assert_eq(block.id, 6);
    cr_assert_eq(block.data[1], 0x22);
    cr_assert_eq(dpl_kobuki_block_next(&rest, &block), 1);
    cr_assert_eq(block.id, 0x63);
    cr_assert_eq(block.length, 0);
    cr_assert_eq(dpl_kobuki_block_next(&rest, &block), -EPROTO);
    cr_assert_eq(rest.size, 3);
    struct dpl_byte_view end = {payload, 0};
    cr_assert_eq(dpl_kobuki_block_next(&end, &block), 0);
}
