/* SPDX-License-Identifier: Apache-2.0 */
/* Requests from bytes: see request.h. "MODBUS Application Protocol Specification V1.1b3", sections
 * 6.1 to 6.17; "MODBUS Messaging on TCP/IP Implementation Guide V1.0b", section 3.1.3. */
#include "request.h"

#include <errno.h>
#include <string.h>

enum {
    READ_BITS_MAX = 2000,
    READ_WORDS_MAX = 125,
    WRITE_BITS_MAX = 1968,
    WRITE_WORDS_MAX = 123,
    WRITE_WORDS_23_MAX = 121,
};

static unsigned word_at(const uint8_t *bytes)
{
    return (unsigned)bytes[0] << 8 | bytes[1];
}

int request_size(const uint8_t *bytes, size_t n)
{
    if (n < REQUEST_HEAD - 1) {
        return 0;
    }
    unsigned length = word_at(bytes + 4); /* of the unit and what follows */
    bool is_modbus = word_at(bytes + 2) == 0;
    if (!is_modbus || length < 2 || length > REQUEST_MAX - (REQUEST_HEAD - 1)) {
        return -EPROTO;
    }
    return (int)length + REQUEST_HEAD - 1;
}

/* What follows the function code. */
struct body {
    const uint8_t *bytes;
    size_t n;
};

static enum request_exception read_range(const struct body *body, unsigned most,
                                         struct request *request)
{
    if (body->n != 4) {
        return REQUEST_BAD_VALUE;
    }
    request->read_first = (uint16_t)word_at(body->bytes);
    request->n_read = word_at(body->bytes + 2);
    return request->n_read >= 1 && request->n_read <= most ? REQUEST_GOOD : REQUEST_BAD_VALUE;
}

static enum request_exception write_one(const struct body *body, struct request *request)
{
    if (body->n != 4) {
        return REQUEST_BAD_VALUE;
    }
    unsigned value = word_at(body->bytes + 2);
    bool is_coil = request->table == DPL_MODBUS_COIL;
    request->write_first = (uint16_t)word_at(body->bytes);
    request->n_written = 1;
    request->words[0] = (uint16_t)(is_coil ? value == 0xFF00 : value);
    return !is_coil || value == 0 || value == 0xFF00 ? REQUEST_GOOD : REQUEST_BAD_VALUE;
}

/* `body` begins with the address. */
static enum request_exception write_words(const struct body *body, unsigned most,
                                          struct request *request)
{
    if (body->n < 5) {
        return REQUEST_BAD_VALUE;
    }
    unsigned n = word_at(body->bytes + 2);
    if (n < 1 || n > most || body->bytes[4] != 2 * n || body->n != 5 + 2 * n) {
        return REQUEST_BAD_VALUE;
    }
    request->write_first = (uint16_t)word_at(body->bytes);
    request->n_written = n;
    for (unsigned i = 0; i < n; i++) {
        request->words[i] = (uint16_t)word_at(body->bytes + 5 + 2 * i);
    }
    return REQUEST_GOOD;
}

static enum request_exception write_bits(const struct body *body, struct request *request)
{
    if (body->n < 5) {
        return REQUEST_BAD_VALUE;
    }
    unsigned n = word_at(body->bytes + 2), bytes = (n + 7) / 8;
    if (n < 1 || n > WRITE_BITS_MAX || body->bytes[4] != bytes || body->n != 5 + bytes) {
        return REQUEST_BAD_VALUE;
    }
    request->write_first = (uint16_t)word_at(body->bytes);
    request->n_written = n;
    for (unsigned i = 0; i < n; i++) {
        request->words[i] = body->bytes[5 + i / 8] >> (i % 8) & 1;
    }
    return REQUEST_GOOD;
}

static enum request_exception read_and_write(const struct body *body, struct request *request)
{
    const struct body reads = {body->bytes, 4};
    if (body->n < 9) {
        return REQUEST_BAD_VALUE;
    }
    const struct body writes = {body->bytes + 4, body->n - 4};
    enum request_exception bad = read_range(&reads, READ_WORDS_MAX, request);
    return bad ? bad : write_words(&writes, WRITE_WORDS_23_MAX, request);
}

enum request_exception request_read(const uint8_t *bytes, size_t size, struct request *ret_request)
{
    struct body body = {bytes + REQUEST_HEAD + 1, size - REQUEST_HEAD - 1};
    memset(ret_request, 0, offsetof(struct request, words));
    ret_request->unit = bytes[REQUEST_HEAD - 1];
    ret_request->function = bytes[REQUEST_HEAD];
    switch (ret_request->function) {
    case 1: ret_request->table = DPL_MODBUS_COIL; break;
    case 2: ret_request->table = DPL_MODBUS_DISCRETE; break;
    case 4: ret_request->table = DPL_MODBUS_INPUT; break;
    case 5:
    case 15: ret_request->table = DPL_MODBUS_COIL; break;
    default: ret_request->table = DPL_MODBUS_HOLDING; break;
    }
    switch (ret_request->function) {
    case 1:
    case 2: return read_range(&body, READ_BITS_MAX, ret_request);
    case 3:
    case 4: return read_range(&body, READ_WORDS_MAX, ret_request);
    case 5:
    case 6: return write_one(&body, ret_request);
    case 15: return write_bits(&body, ret_request);
    case 16: return write_words(&body, WRITE_WORDS_MAX, ret_request);
    case 23: return read_and_write(&body, ret_request);
    default: return REQUEST_BAD_FUNCTION;
    }
}
