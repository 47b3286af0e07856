/* SPDX-License-Identifier: Apache-2.0 */
/* slcan text: parsing and writing. */
#include <doppel/protocol/slcan.h>

#include <errno.h>

#define CR  '\r'
#define BEL '\a'

#define CLOCK 16000000u /* of the adapter's SJA1000, Hz */

static const uint32_t speeds[DPL_SLCAN_SPEEDS] = {
    10000, 20000, 50000, 100000, 125000, 250000, 500000, 800000, 1000000,
};

static const char digits[] = "0123456789ABCDEF";

/* The kinds of lines, by their first letter. */
static const struct {
    char letter;
    enum dpl_slcan_kind kind;
} words[] = {
    {'O', DPL_SLCAN_OPEN},       {'C', DPL_SLCAN_CLOSE},     {'V', DPL_SLCAN_ASK_VERSION},
    {'N', DPL_SLCAN_ASK_SERIAL}, {'F', DPL_SLCAN_ASK_FLAGS},
};
enum { N_WORDS = sizeof words / sizeof words[0] };

uint32_t dpl_slcan_speed(uint32_t n)
{
    return n < DPL_SLCAN_SPEEDS ? speeds[n] : 0;
}

/* A bit has 3 + TSEG1 + TSEG2 quanta, a quantum BRP + 1 half clocks. */
uint32_t dpl_slcan_timing_rate(uint32_t registers)
{
    uint32_t prescaler = (registers >> 8 & 0x3f) + 1;
    uint32_t quanta = 3 + (registers & 0xf) + (registers >> 4 & 7);
    uint32_t rate = CLOCK / 2 / prescaler / quanta;
    return rate <= speeds[DPL_SLCAN_SPEEDS - 1] ? rate : 0;
}

int dpl_slcan_speed_number(uint32_t bit_rate)
{
    for (int i = 0; i < DPL_SLCAN_SPEEDS; i++) {
        if (speeds[i] == bit_rate) {
            return i;
        }
    }
    return -EINVAL;
}

/* ---- reading ---- */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads `n` hexadecimal digits. */
static bool read_hex(const char *text, size_t n, uint32_t *ret_value)
{
    uint32_t value = 0;
    for (size_t i = 0; i < n; i++) {
        int digit = digit_of(text[i]);
        if (digit < 0) {
            return false;
        }
        value = value << 4 | (uint32_t)digit;
    }
    *ret_value = value;
    return true;
}

/* Reads the text after the data: nothing, or a stamp. */
static bool read_stamp(const char *text, size_t n, struct dpl_slcan_message *message)
{
    uint32_t stamp;
    if (n == 0) {
        return true;
    }
    if (n != 4 || !read_hex(text, 4, &stamp) || stamp >= DPL_SLCAN_STAMP_MODULUS) {
        return false;
    }
    message->has_stamp = true;
    message->stamp_ms = (uint16_t)stamp;
    return true;
}

static bool read_frame(const char *text, size_t n, struct dpl_slcan_message *message)
{
    struct dpl_can_frame *frame = &message->frame;
    uint32_t length, byte;
    frame->extended = text[0] == 'T' || text[0] == 'R';
    frame->remote = text[0] == 'r' || text[0] == 'R';
    size_t at = frame->extended ? 9 : 4;
    if (n < at + 1 || !read_hex(text + 1, at - 1, &frame->id) || !read_hex(text + at, 1, &length)) {
        return false;
    }
    at++;
    if (frame->id > (frame->extended ? DPL_CAN_EXTENDED_MAX : DPL_CAN_STANDARD_MAX) ||
        length > DPL_CAN_DATA_MAX || n < at + (frame->remote ? 0 : 2 * length)) {
        return false;
    }
    frame->length = (uint8_t)length;
    for (uint32_t i = 0; i < length && !frame->remote; i++, at += 2) {
        if (!read_hex(text + at, 2, &byte)) {
            return false;
        }
        frame->data[i] = (uint8_t)byte;
    }
    message->kind = DPL_SLCAN_FRAME;
    return read_stamp(text + at, n - at, message);
}

static bool read_word(const char *text, struct dpl_slcan_message *message)
{
    if (text[0] == 'z' || text[0] == 'Z') {
        message->kind = DPL_SLCAN_DONE;
        message->value = (uint8_t)text[0];
        return true;
    }
    for (int i = 0; i < N_WORDS; i++) {
        if (words[i].letter == text[0]) {
            message->kind = words[i].kind;
            return true;
        }
    }
    return false;
}

static bool read_serial(const char *text, uint32_t *ret_value)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        if (text[i] <= ' ' || text[i] > '~') {
            return false;
        }
        value = value << 8 | (uint8_t)text[i];
    }
    *ret_value = value;
    return true;
}

/* Reads lines with a letter and a value. */
static bool read_value(const char *text, size_t n, struct dpl_slcan_message *message)
{
    uint32_t *value = &message->value;
    switch (text[0]) {
    case 'S':
        message->kind = DPL_SLCAN_SPEED;
        return n == 2 && read_hex(text + 1, 1, value) && *value < DPL_SLCAN_SPEEDS;
    case 's': message->kind = DPL_SLCAN_TIMING; return n == 5 && read_hex(text + 1, 4, value);
    case 'Z':
        message->kind = DPL_SLCAN_STAMPS;
        return n == 2 && read_hex(text + 1, 1, value) && *value <= 1;
    case 'V': message->kind = DPL_SLCAN_VERSION; return n == 5 && read_hex(text + 1, 4, value);
    case 'N': message->kind = DPL_SLCAN_SERIAL; return n == 5 && read_serial(text + 1, value);
    case 'F': message->kind = DPL_SLCAN_FLAGS; return n == 3 && read_hex(text + 1, 2, value);
    default: return false;
    }
}

static bool read_line(const char *text, size_t n, struct dpl_slcan_message *message)
{
    *message = (struct dpl_slcan_message){.kind = DPL_SLCAN_DONE};
    if (n == 0) {
        return true;
    }
    if (text[0] == 't' || text[0] == 'T' || text[0] == 'r' || text[0] == 'R') {
        return read_frame(text, n, message);
    }
    return n == 1 ? read_word(text, message) : read_value(text, n, message);
}

void dpl_slcan_parser_init(struct dpl_slcan_parser *parser)
{
    *parser = (struct dpl_slcan_parser){0};
}

static void refuse_line(struct dpl_slcan_parser *parser)
{
    parser->errors++;
    parser->dropped_bytes += parser->offset - parser->line_offset;
    parser->last_error_offset = parser->line_offset;
}

/* Evaluates a line that is complete up to CR or BEL. */
static bool finish_line(struct dpl_slcan_parser *parser, bool refused,
                        struct dpl_slcan_message *ret_message)
{
    struct dpl_slcan_message message = {.kind = DPL_SLCAN_REFUSED};
    bool is_good = refused ? parser->filled == 0 && !parser->too_long
                           : !parser->too_long && read_line(parser->line, parser->filled, &message);
    if (is_good) {
        parser->messages++;
        message.offset = parser->line_offset;
        *ret_message = message;
    } else {
        refuse_line(parser);
    }
    parser->filled = 0;
    parser->too_long = false;
    return is_good;
}

bool dpl_slcan_parser_next(struct dpl_slcan_parser *parser, struct dpl_byte_view *input,
                           struct dpl_slcan_message *ret_message)
{
    while (input->size > 0) {
        char c = (char)*input->data++;
        input->size--;
        bool is_start = parser->filled == 0 && !parser->too_long;
        if (is_start) {
            parser->line_offset = parser->offset;
        }
        parser->offset++;
        if (c == CR || c == BEL) {
            if (finish_line(parser, c == BEL, ret_message)) {
                return true;
            }
        } else if (c == '\n' && is_start) {
            continue;
        } else if (parser->filled < sizeof parser->line) {
            parser->line[parser->filled++] = c;
        } else {
            parser->too_long = true;
        }
    }
    return false;
}

/* ---- writing ---- */

static char *put_hex(char *at, uint32_t value, int n)
{
    for (int i = n - 1; i >= 0; i--) {
        *at++ = digits[value >> (4 * i) & 15u];
    }
    return at;
}

static char *put_frame(char *at, const struct dpl_slcan_message *message)
{
    const struct dpl_can_frame *frame = &message->frame;
    *at++ = frame->extended ? (frame->remote ? 'R' : 'T') : (frame->remote ? 'r' : 't');
    at = put_hex(at, frame->id, frame->extended ? 8 : 3);
    at = put_hex(at, frame->length, 1);
    for (int i = 0; i < frame->length && !frame->remote; i++) {
        at = put_hex(at, frame->data[i], 2);
    }
    return message->has_stamp ? put_hex(at, message->stamp_ms, 4) : at;
}

static char *put_serial(char *at, uint32_t value)
{
    for (int i = 3; i >= 0; i--) {
        *at++ = (char)(value >> (8 * i));
    }
    return at;
}

static char *put_value(char *at, char letter, uint32_t value, int n)
{
    *at++ = letter;
    return put_hex(at, value, n);
}

static char *put_message(char *at, const struct dpl_slcan_message *message)
{
    switch (message->kind) {
    case DPL_SLCAN_DONE:
        if (message->value != 0) {
            *at++ = (char)message->value;
        }
        return at;
    case DPL_SLCAN_REFUSED: return at;
    case DPL_SLCAN_FRAME: return put_frame(at, message);
    case DPL_SLCAN_SPEED: return put_value(at, 'S', message->value, 1);
    case DPL_SLCAN_TIMING: return put_value(at, 's', message->value, 4);
    case DPL_SLCAN_OPEN: *at++ = 'O'; return at;
    case DPL_SLCAN_CLOSE: *at++ = 'C'; return at;
    case DPL_SLCAN_STAMPS: return put_value(at, 'Z', message->value, 1);
    case DPL_SLCAN_ASK_VERSION: *at++ = 'V'; return at;
    case DPL_SLCAN_ASK_SERIAL: *at++ = 'N'; return at;
    case DPL_SLCAN_ASK_FLAGS: *at++ = 'F'; return at;
    case DPL_SLCAN_VERSION: return put_value(at, 'V', message->value, 4);
    case DPL_SLCAN_SERIAL: *at++ = 'N'; return put_serial(at, message->value);
    case DPL_SLCAN_FLAGS: return put_value(at, 'F', message->value, 2);
    }
    return at;
}

size_t dpl_slcan_encode(const struct dpl_slcan_message *message, char text[DPL_SLCAN_LINE_MAX])
{
    char *at = put_message(text, message);
    *at++ = message->kind == DPL_SLCAN_REFUSED ? BEL : CR;
    return (size_t)(at - text);
}
