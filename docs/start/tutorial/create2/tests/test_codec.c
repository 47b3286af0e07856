/* SPDX-License-Identifier: Apache-2.0 */
/* The codec: the example of the specification, frames in pieces and behind noise, commands. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../create2_codec.h"

static void check(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "FAILED: %s\n", what);
        exit(1);
    }
}

/* "19 5 29 2 25 13 0 163": packets 29 (cliff front left signal, 537) and 13 (virtual wall, 0). */
static void the_example_of_the_specification_is_a_frame(void)
{
    static const uint8_t bytes[] = {19, 5, 29, 2, 25, 13, 0, 163};
    struct create2_parser parser = {0};
    struct create2_frame frame;
    unsigned value = 1;
    for (size_t i = 0; i < sizeof bytes; i++) {
        struct dpl_byte_view one = {bytes + i, 1};
        bool complete = create2_parser_next(&parser, &one, &frame);
        check(complete == (i + 1 == sizeof bytes), "a frame at its last byte");
    }
    check(create2_frame_find(&frame, 29, &value) && value == 537, "packet 29");
    check(create2_frame_find(&frame, 13, &value) && value == 0, "packet 13");
    check(!create2_frame_find(&frame, CREATE2_LEFT, &value), "no packet 43");
}

static void what_is_written_is_read_behind_noise(void)
{
    static const uint8_t ids[] = {CREATE2_BUMPS, CREATE2_LEFT, CREATE2_RIGHT};
    static const unsigned values[] = {2, 65535, 19};
    uint8_t bytes[3 + CREATE2_MAX_FRAME] = {19, 2, 7};
    size_t n = 3 + create2_frame_write(ids, values, 3, bytes + 3);
    struct create2_parser parser = {0};
    struct dpl_byte_view input = {bytes, n};
    struct create2_frame frame;
    unsigned value;
    check(create2_parser_next(&parser, &input, &frame), "a frame behind noise");
    for (size_t i = 0; i < 3; i++) {
        check(create2_frame_find(&frame, ids[i], &value) && value == values[i], "its value");
    }
    check(parser.dropped == 3, "the noise is counted");
}

static void an_unknown_packet_cannot_be_written(void)
{
    static const uint8_t ids[] = {200};
    static const unsigned values[] = {0};
    uint8_t bytes[CREATE2_MAX_FRAME];
    check(create2_frame_write(ids, values, 1, bytes) == 0, "no packet 200");
}

static void speeds_are_big_endian_right_first_and_clamped(void)
{
    uint8_t bytes[5];
    check(create2_direct_write(0.2, -9.0, bytes) == 5, "five bytes");
    check(memcmp(bytes, (uint8_t[]){145, 0xFE, 0x0C, 0, 200}, 5) == 0, "right -500, left 200");
}

static void commands_are_found_in_a_stream_of_bytes(void)
{
    static const uint8_t bytes[] = {128, 131, 255, 148, 2, 43, 44, 137, 0, 200, 0, 1};
    static const uint8_t opcodes[] = {128, 131, 148, 137}, sizes[] = {0, 0, 3, 4};
    struct create2_commands commands = {0};
    struct dpl_byte_view input = {bytes, sizeof bytes};
    struct create2_command command;
    for (size_t i = 0; i < 4; i++) {
        check(create2_commands_next(&commands, &input, &command), "a command");
        check(command.opcode == opcodes[i] && command.n == sizes[i], "its opcode and data");
    }
    check(!create2_commands_next(&commands, &input, &command), "no more");
    check(commands.unknown == 1, "255 is no opcode");
}

int main(void)
{
    the_example_of_the_specification_is_a_frame();
    what_is_written_is_read_behind_noise();
    an_unknown_packet_cannot_be_written();
    speeds_are_big_endian_right_first_and_clamped();
    commands_are_found_in_a_stream_of_bytes();
    puts("codec: 5 tests passed");
    return 0;
}
