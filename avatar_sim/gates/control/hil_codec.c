/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of external controllers as bytes. */
#include "hil_codec.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

int hil_fail(struct hil_error *reterr, enum hil_code code, size_t offset, const char *format, ...)
{
    reterr->code = code;
    reterr->offset = offset;
    va_list args;
    va_start(args, format);
    vsnprintf(reterr->text, sizeof reterr->text, format, args);
    va_end(args);
    return -EINVAL;
}

/* ---- heads ---- */

/* Sizes that a message of this kind can have; 0: a controller sends no such kind. */
static size_t least_size(unsigned kind)
{
    switch (kind) {
    case HIL_HELLO: return HIL_HELLO_NAME;
    case HIL_CHANNELS: return HIL_CHANNELS_FIRST;
    case HIL_COMMAND: return HIL_COMMAND_CELLS;
    case HIL_BYE: return HIL_HEAD;
    default: return 0;
    }
}

int hil_head_read(const uint8_t *bytes, size_t n, enum hil_kind *ret_kind, size_t *ret_size,
                  struct hil_error *reterr)
{
    if (n < HIL_HEAD) {
        return -EAGAIN;
    }
    uint32_t size = hil_u32(bytes);
    unsigned kind = hil_u16(bytes + 4);
    if (least_size(kind) == 0 || hil_u16(bytes + 6) != 0) {
        return hil_fail(reterr, HIL_CODE_GARBAGE, 4, "not a message of this protocol: kind %u",
                        kind);
    }
    if (size < least_size(kind) || size > HIL_MESSAGE_MAX ||
        (kind == HIL_BYE && size != HIL_HEAD)) {
        return hil_fail(reterr, HIL_CODE_GARBAGE, 0, "a message of kind %u cannot have %lu bytes",
                        kind, (unsigned long)size);
    }
    *ret_kind = (enum hil_kind)kind;
    *ret_size = size;
    return 0;
}

/* ---- HELLO ---- */

static int check_hello(const uint8_t *message, struct hil_error *reterr)
{
    unsigned version = hil_u16(message + HIL_HELLO_VERSION);
    unsigned mode = hil_u16(message + HIL_HELLO_MODE);
    uint32_t every = hil_u32(message + HIL_HELLO_EVERY);
    uint32_t timeout = hil_u32(message + HIL_HELLO_TIMEOUT);
    if (memcmp(message + HIL_HEAD, HIL_MAGIC, 8) != 0) {
        return hil_fail(reterr, HIL_CODE_GARBAGE, HIL_HEAD, "a HELLO has other magic bytes");
    }
    if (version != HIL_VERSION) {
        return hil_fail(reterr, HIL_CODE_VERSION, HIL_HELLO_VERSION,
                        "the controller speaks version %u of the protocol, this world version %d",
                        version, HIL_VERSION);
    }
    if (mode > HIL_LOCK_STEP) {
        return hil_fail(reterr, HIL_CODE_GARBAGE, HIL_HELLO_MODE,
                        "found mode %u, expected 0 (free-running) or 1 (lock-step)", mode);
    }
    if (every < 1 || every > HIL_EVERY_MAX) {
        return hil_fail(reterr, HIL_CODE_GARBAGE, HIL_HELLO_EVERY,
                        "a frame every %lu steps, expected 1 to %d", (unsigned long)every,
                        HIL_EVERY_MAX);
    }
    if (timeout < HIL_TIMEOUT_MIN_US || timeout > HIL_TIMEOUT_MAX_US) {
        return hil_fail(reterr, HIL_CODE_GARBAGE, HIL_HELLO_TIMEOUT,
                        "a time-out of %lu us, expected %d to %d", (unsigned long)timeout,
                        HIL_TIMEOUT_MIN_US, HIL_TIMEOUT_MAX_US);
    }
    return 0;
}

int hil_hello_read(const uint8_t *message, size_t size, struct hil_hello *ret_hello,
                   struct hil_error *reterr)
{
    int err = check_hello(message, reterr);
    if (err < 0) {
        return err;
    }
    size_t length = hil_u16(message + HIL_HELLO_NAME_LENGTH);
    if (length < 1 || length > HIL_NAME_MAX || size != HIL_HELLO_NAME + length ||
        hil_u16(message + HIL_HELLO_ZERO) != 0 || memchr(message + HIL_HELLO_NAME, '\0', length)) {
        return hil_fail(reterr, HIL_CODE_GARBAGE, HIL_HELLO_NAME_LENGTH,
                        "the name has %zu of the %zu bytes after it; expected 1 to %d without 0",
                        length, size - HIL_HELLO_NAME, HIL_NAME_MAX);
    }
    ret_hello->mode = (enum hil_mode)hil_u16(message + HIL_HELLO_MODE);
    ret_hello->every = hil_u32(message + HIL_HELLO_EVERY);
    ret_hello->timeout_us = hil_u32(message + HIL_HELLO_TIMEOUT);
    memcpy(ret_hello->name, message + HIL_HELLO_NAME, length);
    ret_hello->name[length] = '\0';
    return 0;
}

/* ---- CHANNELS ---- */

static int begin_wants(struct hil_wants *wants, struct hil_error *reterr)
{
    wants->n_sensors = hil_u16(wants->message + HIL_CHANNELS_SENSORS);
    wants->n_commands = hil_u16(wants->message + HIL_CHANNELS_COMMANDS);
    wants->at = HIL_CHANNELS_FIRST;
    if (wants->n_sensors > HIL_CHANNELS_MAX || wants->n_commands > HIL_CHANNELS_MAX ||
        hil_u32(wants->message + HIL_CHANNELS_ZERO) != 0) {
        return hil_fail(reterr, HIL_CODE_GARBAGE, HIL_CHANNELS_SENSORS,
                        "%u sensors and %u commands, expected at most %d of each", wants->n_sensors,
                        wants->n_commands, HIL_CHANNELS_MAX);
    }
    return 0;
}

static int read_text(const uint8_t *bytes, size_t length, size_t most, char *ret_text)
{
    if (length > most || memchr(bytes, '\0', length)) {
        return -EINVAL;
    }
    memcpy(ret_text, bytes, length);
    ret_text[length] = '\0';
    return 0;
}

static int end_wants(const struct hil_wants *wants, struct hil_error *reterr)
{
    return wants->at == wants->size
               ? 0
               : hil_fail(reterr, HIL_CODE_GARBAGE, wants->at,
                          "%zu bytes are left after the last channel", wants->size - wants->at);
}

int hil_wants_next(struct hil_wants *wants, struct hil_want *ret_want, struct hil_error *reterr)
{
    int err = wants->at == 0 ? begin_wants(wants, reterr) : 0;
    if (err < 0) {
        return err;
    }
    if (wants->i == wants->n_sensors + wants->n_commands) {
        return end_wants(wants, reterr);
    }
    const uint8_t *bytes = wants->message + wants->at;
    size_t left = wants->size - wants->at;
    size_t path = left >= HIL_CHANNEL_HEAD ? hil_u16(bytes) : 0;
    size_t unit = left >= HIL_CHANNEL_HEAD ? hil_u16(bytes + 2) : 0;
    if (path == 0 || left < HIL_CHANNEL_HEAD + path + unit ||
        read_text(bytes + HIL_CHANNEL_HEAD, path, HIL_PATH_MAX, ret_want->path) < 0 ||
        read_text(bytes + HIL_CHANNEL_HEAD + path, unit, HIL_UNIT_MAX, ret_want->unit) < 0) {
        return hil_fail(reterr, HIL_CODE_GARBAGE, wants->at,
                        "channel %u is cut short, or a text is empty, too long, or has a 0",
                        wants->i);
    }
    ret_want->command = wants->i >= wants->n_sensors;
    ret_want->offset = wants->at;
    wants->at += HIL_CHANNEL_HEAD + path + unit;
    wants->i++;
    return 1;
}

/* ---- COMMAND ---- */

int hil_command_read(const uint8_t *message, size_t size, size_t n_cells, uint64_t *ret_frame,
                     const uint8_t **ret_cells, struct hil_error *reterr)
{
    if (size != HIL_COMMAND_CELLS + 8 * n_cells) {
        return hil_fail(reterr, HIL_CODE_GARBAGE, 0,
                        "a COMMAND of this controller has %zu bytes, found %zu",
                        HIL_COMMAND_CELLS + 8 * n_cells, size);
    }
    *ret_frame = hil_u64(message + HIL_COMMAND_FRAME);
    *ret_cells = message + HIL_COMMAND_CELLS;
    return 0;
}

/* ---- values ---- */

enum hil_type hil_type_of(const struct dpl_channel_desc *desc)
{
    return desc->type == &dpl_channel_number    ? HIL_NUMBER
           : desc->type == &dpl_channel_integer ? HIL_INTEGER
           : desc->type == &dpl_channel_flag    ? HIL_FLAG
           : desc->type == &dpl_channel_pose    ? HIL_POSE
           : desc->type == &dpl_channel_block   ? HIL_BLOCK
                                                : HIL_VECTOR;
}

void hil_cells_write(const struct dpl_channel_desc *desc, const void *value, uint8_t *ret_cells)
{
    enum hil_type type = hil_type_of(desc);
    for (uint32_t i = 0; i < desc->size; i++, ret_cells += 8) {
        switch (type) {
        case HIL_INTEGER: hil_put(ret_cells, (uint64_t)((const int64_t *)value)[i], 8); break;
        case HIL_FLAG: hil_put(ret_cells, ((const bool *)value)[i] ? 1 : 0, 8); break;
        case HIL_BLOCK: hil_put_f64(ret_cells, (double)((const float *)value)[i]); break;
        default: hil_put_f64(ret_cells, ((const double *)value)[i]);
        }
    }
}

void hil_cells_read(const struct dpl_channel_desc *desc, const uint8_t *cells, void *ret_value)
{
    enum hil_type type = hil_type_of(desc);
    for (uint32_t i = 0; i < desc->size; i++, cells += 8) {
        switch (type) {
        case HIL_INTEGER: ((int64_t *)ret_value)[i] = (int64_t)hil_u64(cells); break;
        case HIL_FLAG: ((bool *)ret_value)[i] = hil_u64(cells) != 0; break;
        case HIL_BLOCK: ((float *)ret_value)[i] = (float)hil_f64(cells); break;
        default: ((double *)ret_value)[i] = hil_f64(cells);
        }
    }
}

void hil_cells_clear(const struct dpl_channel_desc *desc, uint8_t *ret_cells)
{
    bool whole = hil_is_whole(hil_type_of(desc));
    for (uint32_t i = 0; i < desc->size; i++, ret_cells += 8) {
        if (whole) {
            hil_put(ret_cells, (uint64_t)INT64_MIN, 8);
        } else {
            hil_put_f64(ret_cells, (double)NAN);
        }
    }
}

/* ---- what the world says ---- */

size_t hil_welcome_write(uint8_t ret_message[HIL_MESSAGE_MAX], const char *world, uint64_t step_ns)
{
    size_t length = strnlen(world, HIL_PATH_MAX);
    size_t size = HIL_WELCOME_NAME + length;
    hil_put_head(ret_message, size, HIL_WELCOME);
    hil_put(ret_message + HIL_WELCOME_VERSION, HIL_VERSION, 2);
    hil_put(ret_message + HIL_WELCOME_NAME_LENGTH, length, 2);
    hil_put(ret_message + HIL_WELCOME_ZERO, 0, 4);
    hil_put(ret_message + HIL_WELCOME_STEP, step_ns, 8);
    memcpy(ret_message + HIL_WELCOME_NAME, world, length);
    return size;
}

size_t hil_resolved_begin(uint8_t ret_message[HIL_MESSAGE_MAX], unsigned n_sensors,
                          unsigned n_commands)
{
    hil_put(ret_message + HIL_CHANNELS_SENSORS, n_sensors, 2);
    hil_put(ret_message + HIL_CHANNELS_COMMANDS, n_commands, 2);
    hil_put(ret_message + HIL_CHANNELS_ZERO, 0, 4);
    return HIL_CHANNELS_FIRST;
}

_Static_assert(HIL_CHANNELS_FIRST + 2 * HIL_CHANNELS_MAX * (HIL_RESOLVED_HEAD + HIL_UNIT_MAX) <=
                   HIL_MESSAGE_MAX,
               "a RESOLVED of as many channels as there may be");

size_t hil_resolved_add(uint8_t *message, size_t at, const struct dpl_channel_desc *desc)
{
    uint8_t *bytes = message + at;
    size_t unit = strnlen(desc->unit, HIL_UNIT_MAX);
    hil_put(bytes + HIL_RESOLVED_TYPE, (uint64_t)hil_type_of(desc), 2);
    hil_put(bytes + HIL_RESOLVED_UNIT, unit, 2);
    hil_put(bytes + HIL_RESOLVED_ELEMENTS, desc->size, 4);
    hil_put_f64(bytes + HIL_RESOLVED_MIN, desc->min);
    hil_put_f64(bytes + HIL_RESOLVED_MAX, desc->max);
    memcpy(bytes + HIL_RESOLVED_HEAD, desc->unit, unit);
    return at + HIL_RESOLVED_HEAD + unit;
}

size_t hil_resolved_end(uint8_t *message, size_t at)
{
    hil_put_head(message, at, HIL_RESOLVED);
    return at;
}

size_t hil_error_write(uint8_t ret_message[HIL_ERROR_SIZE_MAX], const struct hil_error *error,
                       uint64_t offset)
{
    size_t length = strnlen(error->text, HIL_ERROR_TEXT_MAX);
    size_t size = HIL_ERROR_TEXT + length;
    hil_put_head(ret_message, size, HIL_ERROR);
    hil_put(ret_message + HIL_ERROR_CODE, (uint64_t)error->code, 2);
    hil_put(ret_message + HIL_ERROR_LENGTH, length, 2);
    hil_put(ret_message + HIL_ERROR_ZERO, 0, 4);
    hil_put(ret_message + HIL_ERROR_OFFSET, offset, 8);
    memcpy(ret_message + HIL_ERROR_TEXT, error->text, length);
    return size;
}
