/* SPDX-License-Identifier: Apache-2.0 */
/* Firmata's messages: parser and writer. */
#include <doppel/protocol/firmata.h>

#include <string.h>

#define TEXT_MAX 120

/* ---- reading ---- */

void dpl_firmata_parser_init(struct dpl_firmata_parser *parser, bool from_board)
{
    memset(parser, 0, sizeof *parser);
    parser->from_board = from_board;
}

/* The low bits of such a command byte are a channel. */
static bool has_channel(uint8_t command)
{
    return command < 0xf0;
}

/* Data bytes of a short message; -1: no message begins with this byte. */
static int data_bytes(const struct dpl_firmata_parser *parser, uint8_t command)
{
    switch (has_channel(command) ? command & 0xf0 : command) {
    case DPL_FIRMATA_DIGITAL:
    case DPL_FIRMATA_ANALOG:
    case DPL_FIRMATA_SET_MODE:
    case DPL_FIRMATA_SET_PIN: return 2;
    case DPL_FIRMATA_REPORT_ANALOG:
    case DPL_FIRMATA_REPORT_DIGITAL: return 1;
    case DPL_FIRMATA_VERSION: return parser->from_board ? 2 : 0;
    case DPL_FIRMATA_RESET:
    case DPL_FIRMATA_SYSEX: return 0;
    default: return -1;
    }
}

static void fill_short(const struct dpl_firmata_parser *parser, struct dpl_firmata_message *message)
{
    const uint8_t *data = parser->buffer;
    switch (message->command) {
    case DPL_FIRMATA_SET_MODE:
    case DPL_FIRMATA_SET_PIN:
        message->channel = data[0];
        message->value = data[1];
        break;
    case DPL_FIRMATA_VERSION:
        message->is_query = parser->wanted == 0;
        if (!message->is_query) {
            message->value = (uint16_t)(data[0] << 8 | data[1]);
        }
        break;
    case DPL_FIRMATA_REPORT_ANALOG:
    case DPL_FIRMATA_REPORT_DIGITAL: message->value = data[0]; break;
    case DPL_FIRMATA_DIGITAL:
    case DPL_FIRMATA_ANALOG: message->value = (uint16_t)(data[0] | data[1] << 7); break;
    default: break;
    }
}

static bool finish_short(struct dpl_firmata_parser *parser, struct dpl_firmata_message *ret_message)
{
    uint8_t command = parser->command;
    struct dpl_firmata_message message = {.command = command};
    if (has_channel(command)) {
        message.command = (enum dpl_firmata_command)(command & 0xf0);
        message.channel = command & 0x0f;
    }
    fill_short(parser, &message);
    parser->command = 0;
    parser->messages++;
    *ret_message = message;
    return true;
}

static void drop_partial(struct dpl_firmata_parser *parser)
{
    if (parser->command != 0) {
        parser->dropped_bytes += 1 + parser->filled;
        parser->command = 0;
    }
}

static bool finish_sysex(struct dpl_firmata_parser *parser, struct dpl_firmata_message *ret_message)
{
    if (parser->command != DPL_FIRMATA_SYSEX || parser->filled == 0 || parser->overlong) {
        drop_partial(parser);
        parser->dropped_bytes++;
        return false;
    }
    parser->command = 0;
    parser->messages++;
    *ret_message = (struct dpl_firmata_message){
        .command = DPL_FIRMATA_SYSEX,
        .sysex = parser->buffer[0],
        .data = parser->buffer + 1,
        .n = parser->filled - 1,
    };
    return true;
}

static bool handle_command(struct dpl_firmata_parser *parser, uint8_t byte,
                           struct dpl_firmata_message *ret_message)
{
    if (byte == DPL_FIRMATA_SYSEX_END) {
        return finish_sysex(parser, ret_message);
    }
    drop_partial(parser);
    int wanted = data_bytes(parser, byte);
    if (wanted < 0) {
        parser->dropped_bytes++;
        return false;
    }
    parser->command = byte;
    parser->wanted = (size_t)wanted;
    parser->filled = 0;
    parser->overlong = false;
    return wanted == 0 && byte != DPL_FIRMATA_SYSEX && finish_short(parser, ret_message);
}

static bool handle_data(struct dpl_firmata_parser *parser, uint8_t byte,
                        struct dpl_firmata_message *ret_message)
{
    if (parser->command == 0) {
        parser->dropped_bytes++;
        return false;
    }
    if (parser->filled == sizeof parser->buffer) {
        parser->overlong = true;
        parser->dropped_bytes++;
        return false;
    }
    parser->buffer[parser->filled++] = byte;
    return parser->command != DPL_FIRMATA_SYSEX && parser->filled == parser->wanted &&
           finish_short(parser, ret_message);
}

bool dpl_firmata_parser_next(struct dpl_firmata_parser *parser, struct dpl_byte_view *input,
                             struct dpl_firmata_message *ret_message)
{
    while (input->size > 0) {
        uint8_t byte = *input->data++;
        input->size--;
        if (byte & 0x80 ? handle_command(parser, byte, ret_message)
                        : handle_data(parser, byte, ret_message)) {
            return true;
        }
    }
    return false;
}

uint32_t dpl_firmata_get_groups(const uint8_t *data, size_t n)
{
    uint32_t value = 0;
    for (size_t i = 0; i < n && i < 5; i++) {
        value |= (uint32_t)(data[i] & 0x7f) << (7 * i);
    }
    return value;
}

size_t dpl_firmata_get_text(const uint8_t *data, size_t n, char *ret_text, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; i + 1 < n && length + 1 < size; i += 2) {
        ret_text[length++] = (char)(uint8_t)(data[i] | data[i + 1] << 7);
    }
    if (size > 0) {
        ret_text[length] = '\0';
    }
    return length;
}

uint32_t dpl_firmata_get_u32be(const uint8_t *data)
{
    uint32_t value = 0;
    for (size_t i = 0; i < 4; i++) {
        value = value << 8 | ((unsigned)(data[2 * i] | data[2 * i + 1] << 7) & 0xff);
    }
    return value;
}

/* ---- writing ---- */

/* Room for `n` bytes, or NULL. */
static uint8_t *reserve(struct dpl_firmata_writer *writer, size_t n)
{
    if (writer->overflowed || n > writer->size - writer->n) {
        writer->overflowed = true;
        return NULL;
    }
    uint8_t *at = writer->data + writer->n;
    writer->n += n;
    return at;
}

void dpl_firmata_put(struct dpl_firmata_writer *writer, uint8_t command, const uint8_t *data,
                     size_t n)
{
    uint8_t *at = reserve(writer, 1 + n);
    if (!at) {
        return;
    }
    *at++ = command;
    for (size_t i = 0; i < n; i++) {
        *at++ = data[i] & 0x7f;
    }
}

void dpl_firmata_put_value(struct dpl_firmata_writer *writer, enum dpl_firmata_command command,
                           uint8_t channel, uint16_t value)
{
    uint8_t data[2] = {(uint8_t)value, (uint8_t)(value >> 7)};
    dpl_firmata_put(writer, (uint8_t)(command | (channel & 0x0f)), data, 2);
}

void dpl_firmata_put_sysex(struct dpl_firmata_writer *writer, enum dpl_firmata_sysex id,
                           const uint8_t *data, size_t n)
{
    uint8_t *at = reserve(writer, n + 3);
    if (!at) {
        return;
    }
    *at++ = DPL_FIRMATA_SYSEX;
    *at++ = (uint8_t)id;
    for (size_t i = 0; i < n; i++) {
        *at++ = data[i] & 0x7f;
    }
    *at = DPL_FIRMATA_SYSEX_END;
}

/* Each byte is sent as its low 7 bits and its high bit. */
static size_t put_text(uint8_t *data, const char *text)
{
    size_t n = 0;
    for (size_t i = 0; text[i] != '\0' && i < TEXT_MAX; i++) {
        uint8_t byte = (uint8_t)text[i];
        data[n++] = byte & 0x7f;
        data[n++] = byte >> 7;
    }
    return n;
}

void dpl_firmata_put_string(struct dpl_firmata_writer *writer, const char *text)
{
    uint8_t data[2 * TEXT_MAX];
    dpl_firmata_put_sysex(writer, DPL_FIRMATA_STRING, data, put_text(data, text));
}

void dpl_firmata_put_firmware(struct dpl_firmata_writer *writer, uint8_t major, uint8_t minor,
                              const char *name)
{
    uint8_t data[2 + 2 * TEXT_MAX] = {major, minor};
    dpl_firmata_put_sysex(writer, DPL_FIRMATA_FIRMWARE, data, 2 + put_text(data + 2, name));
}

size_t dpl_firmata_put_groups(uint8_t *data, uint32_t value, size_t least)
{
    size_t n = 0;
    while (n < 5 && (n < least || value != 0)) {
        data[n++] = value & 0x7f;
        value >>= 7;
    }
    return n;
}

void dpl_firmata_put_pin_value(struct dpl_firmata_writer *writer, uint8_t pin, uint32_t value)
{
    if (pin < DPL_FIRMATA_CHANNELS_MAX && value < 1u << 14) {
        dpl_firmata_put_value(writer, DPL_FIRMATA_ANALOG, pin, (uint16_t)value);
        return;
    }
    uint8_t data[6] = {pin};
    size_t n = dpl_firmata_put_groups(data + 1, value, 2);
    dpl_firmata_put_sysex(writer, DPL_FIRMATA_EXTENDED_ANALOG, data, 1 + n);
}

void dpl_firmata_put_servo_config(struct dpl_firmata_writer *writer, uint8_t pin, uint16_t min_us,
                                  uint16_t max_us)
{
    uint8_t data[5] = {pin, min_us & 0x7f, (uint8_t)(min_us >> 7), max_us & 0x7f,
                       (uint8_t)(max_us >> 7)};
    dpl_firmata_put_sysex(writer, DPL_FIRMATA_SERVO_CONFIG, data, 5);
}

void dpl_firmata_put_u32be(uint8_t *data, uint32_t value)
{
    for (size_t i = 0; i < 4; i++) {
        uint8_t byte = (uint8_t)(value >> (24 - 8 * i));
        data[2 * i] = byte & 0x7f;
        data[2 * i + 1] = byte >> 7;
    }
}
