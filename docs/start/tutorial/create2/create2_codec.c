/* SPDX-License-Identifier: Apache-2.0 */
/* Frames, packets and commands of the Open Interface. */
#include "create2_codec.h"

#include <math.h>
#include <string.h>

#define HEADER   19
#define OVERHEAD 3 /* header, length, check */

/* ---- base to host ---- */

size_t create2_packet_size(unsigned packet)
{
    static const uint8_t sizes[] = {
        [7] = 1,  [8] = 1,  [9] = 1,  [10] = 1, [11] = 1, [12] = 1, [13] = 1, [14] = 1, [15] = 1,
        [16] = 1, [17] = 1, [18] = 1, [19] = 2, [20] = 2, [21] = 1, [22] = 2, [23] = 2, [24] = 1,
        [25] = 2, [26] = 2, [27] = 2, [28] = 2, [29] = 2, [30] = 2, [31] = 2, [32] = 1, [33] = 2,
        [34] = 1, [35] = 1, [36] = 1, [37] = 1, [38] = 1, [39] = 2, [40] = 2, [41] = 2, [42] = 2,
        [43] = 2, [44] = 2, [45] = 1, [46] = 2, [47] = 2, [48] = 2, [49] = 2, [50] = 2, [51] = 2,
        [52] = 1, [53] = 1, [54] = 2, [55] = 2, [56] = 2, [57] = 2, [58] = 1,
    };
    return packet < sizeof sizes ? sizes[packet] : 0;
}

static uint8_t sum_of(const uint8_t *bytes, size_t n)
{
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += bytes[i];
    }
    return (uint8_t)sum;
}

static void drop_first(struct create2_parser *parser)
{
    parser->n--;
    parser->dropped++;
    memmove(parser->buffer, parser->buffer + 1, parser->n);
}

/* The length of the frame at the front of the buffer; 0: not known yet. Drops what cannot be the
 * front of a frame. */
static size_t frame_length(struct create2_parser *parser)
{
    while (parser->n > 0 && parser->buffer[0] != HEADER) {
        drop_first(parser);
    }
    return parser->n < 2 ? 0 : parser->buffer[1] + (size_t)OVERHEAD;
}

/* Takes the complete frame at the front out of the buffer. */
static bool take_frame(struct create2_parser *parser, struct create2_frame *ret)
{
    size_t length = frame_length(parser);
    while (length > 0 && parser->n >= length) {
        if (sum_of(parser->buffer, length) != 0) {
            drop_first(parser);
            length = frame_length(parser);
            continue;
        }
        ret->length = parser->buffer[1];
        memcpy(ret->data, parser->buffer + 2, ret->length);
        parser->n -= length;
        memmove(parser->buffer, parser->buffer + length, parser->n);
        return true;
    }
    return false;
}

bool create2_parser_next(struct create2_parser *parser, struct dpl_byte_view *input,
                         struct create2_frame *ret)
{
    while (!take_frame(parser, ret)) {
        if (input->size == 0) {
            return false;
        }
        parser->buffer[parser->n++] = *input->data++;
        input->size--;
    }
    return true;
}

bool create2_frame_find(const struct create2_frame *frame, unsigned packet, unsigned *ret)
{
    size_t at = 0;
    while (at < frame->length) {
        unsigned id = frame->data[at++];
        size_t size = create2_packet_size(id);
        if (size == 0 || at + size > frame->length) {
            return false;
        }
        if (id == packet) {
            const uint8_t *p = frame->data + at;
            *ret = size == 1 ? p[0] : (uint16_t)create2_i16(p);
            return true;
        }
        at += size;
    }
    return false;
}

size_t create2_frame_write(const uint8_t *ids, const unsigned *values, size_t n,
                           uint8_t ret[CREATE2_MAX_FRAME])
{
    size_t at = 2;
    for (size_t i = 0; i < n; i++) {
        size_t size = create2_packet_size(ids[i]);
        if (size == 0 || at + 1 + size > CREATE2_MAX_FRAME - 1) {
            return 0;
        }
        ret[at++] = ids[i];
        if (size == 2) {
            ret[at++] = (uint8_t)(values[i] >> 8);
        }
        ret[at++] = (uint8_t)values[i];
    }
    ret[0] = HEADER;
    ret[1] = (uint8_t)(at - 2);
    ret[at] = (uint8_t)-sum_of(ret, at);
    return at + 1;
}

/* ---- host to base ---- */

static void put_speed(double m_s, uint8_t *p)
{
    double mm_s = fmin(fmax(m_s * 1000.0, -CREATE2_SPEED_MAX), CREATE2_SPEED_MAX);
    uint16_t value = (uint16_t)(int16_t)lround(mm_s);
    p[0] = (uint8_t)(value >> 8);
    p[1] = (uint8_t)value;
}

size_t create2_direct_write(double left_m_s, double right_m_s, uint8_t ret[5])
{
    ret[0] = CREATE2_DIRECT;
    put_speed(right_m_s, ret + 1);
    put_speed(left_m_s, ret + 3);
    return 5;
}

/* Bytes of data of the command at the front of the buffer, as far as they are known; -1: no
 * opcode. */
static int data_size(const struct create2_commands *commands)
{
    switch (commands->buffer[0]) {
    case CREATE2_START:
    case CREATE2_SAFE:
    case CREATE2_FULL:
    case CREATE2_STOP: return 0;
    case CREATE2_SENSORS:
    case CREATE2_PAUSE: return 1;
    case CREATE2_DRIVE:
    case CREATE2_DIRECT: return 4;
    case CREATE2_STREAM:
    case CREATE2_QUERY: return commands->n < 2 ? 1 : 1 + commands->buffer[1];
    default: return -1;
    }
}

/* Takes the complete command at the front out of the buffer. */
static bool take_command(struct create2_commands *commands, struct create2_command *ret)
{
    int size = commands->n > 0 ? data_size(commands) : 0;
    if (size < 0) {
        commands->unknown++;
        commands->n = 0;
    }
    if (commands->n == 0 || commands->n < (size_t)size + 1) {
        return false;
    }
    ret->opcode = commands->buffer[0];
    ret->n = (size_t)size;
    memcpy(ret->data, commands->buffer + 1, ret->n);
    commands->n = 0;
    return true;
}

bool create2_commands_next(struct create2_commands *commands, struct dpl_byte_view *input,
                           struct create2_command *ret)
{
    while (input->size > 0) {
        commands->buffer[commands->n++] = *input->data++;
        input->size--;
        if (take_command(commands, ret)) {
            return true;
        }
    }
    return false;
}
