/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of Modbus/TCP masters from bytes. Any bytes may come. Nothing here allocates. */
#ifndef DOPPEL_SIM_MODBUS_REQUEST_H
#define DOPPEL_SIM_MODBUS_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include <doppel/sim/modbus.h>

enum {
    REQUEST_HEAD = 7,     /* bytes before the function code: transaction, 0, length, unit */
    REQUEST_MAX = 260,    /* bytes of a whole request */
    REQUEST_WORDS = 1968, /* that one writes: coils */
};

/* Codes of exceptions. */
enum request_exception {
    REQUEST_GOOD = 0,
    REQUEST_BAD_FUNCTION = 1,
    REQUEST_BAD_ADDRESS = 2,
    REQUEST_BAD_VALUE = 3,
    REQUEST_BUSY = 6,
    REQUEST_NO_UNIT = 11, /* gateway: the target does not answer */
};

struct request {
    uint8_t unit, function;
    enum dpl_sim_modbus_table table; /* that is read or written */
    uint16_t read_first, write_first;
    unsigned n_read, n_written;    /* addresses; both only of function 23 */
    uint16_t words[REQUEST_WORDS]; /* [n_written] */
};

/* Bytes of the request that `n` bytes begin with: it may be more than there are. 0: not known yet;
 * -EPROTO: this is not Modbus/TCP, and nobody knows where the next request begins. */
int request_size(const uint8_t *bytes, size_t n);

/* Reads a request of exactly `size` bytes. The unit and the function are always given, the rest if
 * it is good. */
enum request_exception request_read(const uint8_t *bytes, size_t size, struct request *ret_request);

#endif
