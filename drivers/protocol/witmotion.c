/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of WitMotion's inertial sensors: see witmotion.h. */
#include <doppel/protocol/witmotion.h>

#include <math.h>
#include <string.h>

#include <doppel/math/geometry.h>
#include <doppel/math/gravity.h>

enum { HEADER = 0x55, WORDS = 4 };

#define FULL_SCALE 32768.0 /* the word that stands for the end of a range */

static uint8_t check_of(const uint8_t *packet)
{
    uint8_t sum = 0;
    for (size_t i = 0; i + 1 < DPL_WITMOTION_PACKET; i++) {
        sum = (uint8_t)(sum + packet[i]);
    }
    return sum;
}

/* ---- framing ---- */

/* Drops the first byte, and those after it that are no header. */
static void drop_garbage(struct dpl_witmotion_parser *parser)
{
    size_t n = 1;
    while (n < parser->filled && parser->buffer[n] != HEADER) {
        n++;
    }
    memmove(parser->buffer, parser->buffer + n, parser->filled - n);
    parser->filled -= n;
    parser->offset += n;
    parser->dropped_bytes += n;
}

static void extract_packet(struct dpl_witmotion_parser *parser,
                           struct dpl_witmotion_packet *ret_packet)
{
    ret_packet->type = parser->buffer[1];
    ret_packet->offset = parser->offset;
    for (size_t i = 0; i < WORDS; i++) {
        ret_packet->words[i] = dpl_get_i16le(parser->buffer + 2 + 2 * i);
    }
    parser->packets++;
    parser->offset += DPL_WITMOTION_PACKET;
    parser->filled = 0;
}

static void append_byte(struct dpl_witmotion_parser *parser, struct dpl_byte_view *input)
{
    parser->buffer[parser->filled++] = *input->data++;
    input->size--;
}

bool dpl_witmotion_next(struct dpl_witmotion_parser *parser, struct dpl_byte_view *input,
                        struct dpl_witmotion_packet *ret_packet)
{
    while (input->size > 0) {
        append_byte(parser, input);
        if (parser->buffer[0] != HEADER) {
            drop_garbage(parser);
        } else if (parser->filled == DPL_WITMOTION_PACKET) {
            if (check_of(parser->buffer) == parser->buffer[DPL_WITMOTION_PACKET - 1]) {
                extract_packet(parser, ret_packet);
                return true;
            }
            parser->checksum_errors++;
            drop_garbage(parser);
        }
    }
    return false;
}

void dpl_witmotion_write(const struct dpl_witmotion_packet *packet,
                         uint8_t ret_bytes[DPL_WITMOTION_PACKET])
{
    ret_bytes[0] = HEADER;
    ret_bytes[1] = packet->type;
    for (size_t i = 0; i < WORDS; i++) {
        dpl_put_u16le(ret_bytes + 2 + 2 * i, (uint16_t)packet->words[i]);
    }
    ret_bytes[DPL_WITMOTION_PACKET - 1] = check_of(ret_bytes);
}

/* ---- values ---- */

/* The end of a type's range in SI units. */
static double range_of(uint8_t type)
{
    switch (type) {
    case DPL_WITMOTION_ACCELERATION: return 16.0 * DPL_STANDARD_GRAVITY_M_S2;
    case DPL_WITMOTION_RATE: return dpl_deg_to_rad(2000.0);
    default: return DPL_PI;
    }
}

void dpl_witmotion_vector(const struct dpl_witmotion_packet *packet, double ret_vector[3])
{
    for (size_t i = 0; i < 3; i++) {
        ret_vector[i] = packet->words[i] / FULL_SCALE * range_of(packet->type);
    }
}

static int16_t word_of(enum dpl_witmotion_type type, double value)
{
    if (isnan(value)) {
        return 0;
    }
    double angle = type == DPL_WITMOTION_ANGLES ? dpl_wrap_angle(value) : value;
    double word = round(angle / range_of((uint8_t)type) * FULL_SCALE);
    return (int16_t)dpl_clamp(isnan(word) ? 0.0 : word, -FULL_SCALE, FULL_SCALE - 1.0);
}

struct dpl_witmotion_packet dpl_witmotion_of(enum dpl_witmotion_type type, const double vector[3],
                                             int16_t fourth)
{
    return (struct dpl_witmotion_packet){
        .type = (uint8_t)type,
        .words = {word_of(type, vector[0]), word_of(type, vector[1]), word_of(type, vector[2]),
                  fourth},
    };
}
