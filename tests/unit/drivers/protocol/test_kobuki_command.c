/* SPDX-License-Identifier: Apache-2.0 */
/* Kobuki commands: bytes worked by hand, round trips, refusals. */
#include <doppel/protocol/kobuki_command.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

struct example {
    struct dpl_kobuki_command command;
    uint8_t bytes[DPL_KOBUKI_MAX_COMMAND];
    int size;
};

static const struct example examples[] = {
    {{.id = DPL_KOBUKI_BASE, .base = {-100, 32767}}, {1, 4, 0x9c, 0xff, 0xff, 0x7f}, 6},
    {{.id = DPL_KOBUKI_SOUND, .sound = {0x0389, 200}}, {3, 3, 0x89, 0x03, 0xc8}, 5},
    {{.id = DPL_KOBUKI_SEQUENCE, .sequence = 6}, {4, 1, 6}, 3},
    {{.id = DPL_KOBUKI_REQUEST, .request = 0x0b}, {9, 2, 0x0b, 0}, 4},
    {{.id = DPL_KOBUKI_OUTPUT, .output = 0x09f3}, {12, 2, 0xf3, 0x09}, 4},
    {{.id = DPL_KOBUKI_SET_GAINS, .gains = {1, 100000, 100, 2000}},
     {13, 13, 1, 0xa0, 0x86, 0x01, 0, 0x64, 0, 0, 0, 0xd0, 0x07, 0, 0},
     15},
    {{.id = DPL_KOBUKI_GET_GAINS, .unused = 0}, {14, 1, 0}, 3},
};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

Test(kobuki_command, encodes_each_command_worked_by_hand)
{
    for (size_t i = 0; i < EXAMPLES; i++) {
        uint8_t bytes[DPL_KOBUKI_MAX_COMMAND];
        int size = dpl_kobuki_command_encode(&examples[i].command, bytes, sizeof bytes);
        cr_assert_eq(size, examples[i].size);
        cr_assert_arr_eq(bytes, examples[i].bytes, (size_t)size);
        cr_assert_eq(dpl_kobuki_command_encode(&examples[i].command, bytes, (size_t)size - 1),
                     -ENOSPC);
    }
}

Test(kobuki_command, decodes_all_commands_from_one_payload)
{
    uint8_t payload[EXAMPLES * DPL_KOBUKI_MAX_COMMAND];
    size_t length = 0;
    for (size_t i = 0; i < EXAMPLES; i++) {
        memcpy(payload + length, examples[i].bytes, (size_t)examples[i].size);
        length += (size_t)examples[i].size;
    }
    struct dpl_byte_view rest = {payload, length};
    struct dpl_kobuki_command got;
    for (size_t i = 0; i < EXAMPLES; i++) {
        uint8_t bytes[DPL_KOBUKI_MAX_COMMAND];
        cr_assert_eq(dpl_kobuki_command_next(&rest, &got), 1);
        cr_assert_eq(got.id, examples[i].command.id);
        cr_assert_eq(dpl_kobuki_command_encode(&got, bytes, sizeof bytes), examples[i].size);
        cr_assert_arr_eq(bytes, examples[i].bytes, (size_t)examples[i].size);
    }
    cr_assert_eq(dpl_kobuki_command_next(&rest, &got), 0);
}

Test(kobuki_command, decodes_the_base_command_to_its_values)
{
    struct dpl_byte_view rest = {examples[0].bytes, 6};
    struct dpl_kobuki_command got;
    cr_assert_eq(dpl_kobuki_command_next(&rest, &got), 1);
    cr_assert_eq(got.base.speed_mm_s, -100);
    cr_assert_eq(got.base.radius_mm, 32767);
}

Test(kobuki_command, skips_unknown_commands_and_wrong_lengths_so_that_the_rest_is_heard)
{
    static const uint8_t payload[] = {2, 1, 0, 1, 3, 0, 0, 0, 4, 1, 5};
    struct dpl_byte_view rest = {payload, sizeof payload};
    struct dpl_kobuki_command got;
    cr_assert_eq(dpl_kobuki_command_next(&rest, &got), -ENOTSUP);
    cr_assert_eq(dpl_kobuki_command_next(&rest, &got), -ENOTSUP);
    cr_assert_eq(dpl_kobuki_command_next(&rest, &got), 1);
    cr_assert_eq(got.sequence, 5);
}

Test(kobuki_command, stops_at_a_block_that_is_cut_short)
{
    static const uint8_t payload[] = {1, 4, 0};
    struct dpl_byte_view rest = {payload, sizeof payload};
    struct dpl_kobuki_command got;
    cr_assert_eq(dpl_kobuki_command_next(&rest, &got), -EPROTO);
    cr_assert_eq(rest.size, 3);
}

Test(kobuki_command, refuses_to_encode_an_unknown_id)
{
    struct dpl_kobuki_command command = {.id = (enum dpl_kobuki_command_id)7};
    uint8_t bytes[DPL_KOBUKI_MAX_COMMAND];
    cr_assert_eq(dpl_kobuki_command_encode(&command, bytes, sizeof bytes), -EINVAL);
}
