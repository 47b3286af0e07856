/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of external controllers as the world reads and writes them (docs/guides/controllers.md).
 * Any bytes may come; what is wrong is said with its place in the message. Nothing here allocates.
 */
#ifndef DOPPEL_SIM_HIL_CODEC_H
#define DOPPEL_SIM_HIL_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/channel.h>

#include "doppel_hil_wire.h"

struct hil_error {
    enum hil_code code;
    size_t offset; /* in the message */
    char text[HIL_ERROR_TEXT_MAX + 1];
};

/* Fills the error; returns -EINVAL. */
int hil_fail(struct hil_error *reterr, enum hil_code code, size_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Looks at `n` bytes at the beginning of a message: 0 with its kind and size; -EAGAIN: more bytes
 * must come; -EINVAL: no message of a controller begins like this. */
int hil_head_read(const uint8_t *bytes, size_t n, enum hil_kind *ret_kind, size_t *ret_size,
                  struct hil_error *reterr);

struct hil_hello {
    enum hil_mode mode;
    uint32_t every; /* steps from frame to frame */
    uint32_t timeout_us;
    char name[HIL_NAME_MAX + 1];
};

/* A whole HELLO of `size` bytes: 0 or -EINVAL. */
int hil_hello_read(const uint8_t *message, size_t size, struct hil_hello *ret_hello,
                   struct hil_error *reterr);

/* A channel that is asked for. */
struct hil_want {
    bool command; /* to be put; else to be read */
    size_t offset;
    char path[HIL_PATH_MAX + 1];
    char unit[HIL_UNIT_MAX + 1]; /* "": any */
};

/* Reads a whole CHANNELS one after the other: zeroed but for `message` and `size`. */
struct hil_wants {
    const uint8_t *message;
    size_t size;
    size_t at; /* of the next one; 0: the heads were not read */
    unsigned i, n_sensors, n_commands;
};

/* 1 with the next one; 0: that was the last one; -EINVAL. */
int hil_wants_next(struct hil_wants *wants, struct hil_want *ret_want, struct hil_error *reterr);

/* The cells of a COMMAND of `n_cells` cells, and the frame that it answers: 0 or -EINVAL. */
int hil_command_read(const uint8_t *message, size_t size, size_t n_cells, uint64_t *ret_frame,
                     const uint8_t **ret_cells, struct hil_error *reterr);

/* ---- values ---- */

enum hil_type hil_type_of(const struct dpl_channel_desc *desc);

/* Bytes of the cells of a channel. */
static inline size_t hil_cells_bytes(const struct dpl_channel_desc *desc)
{
    return (size_t)8 * desc->size;
}

/* Copies a value between a channel and its cells. */
void hil_cells_write(const struct dpl_channel_desc *desc, const void *value, uint8_t *ret_cells);
void hil_cells_read(const struct dpl_channel_desc *desc, const uint8_t *cells, void *ret_value);

/* Writes that there is no value: NaN, and the smallest of whole numbers. */
void hil_cells_clear(const struct dpl_channel_desc *desc, uint8_t *ret_cells);

/* ---- what the world says; each returns the size of the message ---- */

size_t hil_welcome_write(uint8_t ret_message[HIL_MESSAGE_MAX], const char *world, uint64_t step_ns);

/* Begins a RESOLVED; hil_resolved_add for each channel in the order of the request;
 * hil_resolved_end. */
size_t hil_resolved_begin(uint8_t ret_message[HIL_MESSAGE_MAX], unsigned n_sensors,
                          unsigned n_commands);
size_t hil_resolved_add(uint8_t *message, size_t at, const struct dpl_channel_desc *desc);
size_t hil_resolved_end(uint8_t *message, size_t at);

/* `offset`: in all that the controller has sent. */
#define HIL_ERROR_SIZE_MAX (HIL_ERROR_TEXT + HIL_ERROR_TEXT_MAX)
size_t hil_error_write(uint8_t ret_message[HIL_ERROR_SIZE_MAX], const struct hil_error *error,
                       uint64_t offset);

#endif
