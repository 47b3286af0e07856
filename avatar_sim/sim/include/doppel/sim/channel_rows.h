/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of channels: each kind of part of a world (motor, laser, robot) has a const table of its
 * channels. */
#ifndef DOPPEL_SIM_CHANNEL_ROWS_H
#define DOPPEL_SIM_CHANNEL_ROWS_H

#include <doppel/sim/channels.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_channel_row {
    const char *name; /* the last part of the path */
    const struct dpl_channel_type *type;
    enum dpl_channel_dir dir;
    const char *unit; /* NULL: none */
    uint32_t size;    /* elements, for types without a fixed size; 0: `describe` sets it */
    const char *summary;
    /* `id`: number of the part among those of its kind. */
    int (*get)(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp);
    int (*put)(struct dpl_world *world, int id, const void *value);
    /* Sets what differs between parts of a kind: size and range. NULL: nothing differs. */
    void (*describe)(const struct dpl_world *world, int id, struct dpl_channel_desc *inout);
    /* Of an input: what the world does when the input has no owner any more. NULL: nothing. */
    void (*release)(struct dpl_world *world, int id);
    dpl_ns silence;  /* of an input: see struct dpl_channel_desc */
    bool is_derived; /* the same */
    /* Whether this part has the channel. NULL: every part has it. */
    bool (*is_there)(const struct dpl_world *world, int id);
};

/* A channel without the members of inputs. */
#define DPL_CHANNEL_READ(name_, type_, dir_, unit_, size_, summary_, get_, describe_)              \
    {                                                                                              \
        .name = name_, .type = type_, .dir = dir_, .unit = unit_, .size = size_,                   \
        .summary = summary_, .get = get_, .describe = describe_,                                   \
    }

struct dpl_channel_table {
    const struct dpl_channel_row *rows;
    size_t n;
};

/* Adds the channels of a table for the part `id`. Their paths begin with a text as of printf. */
void dpl__channels_add(struct dpl_world_channels *channels, const struct dpl_channel_table *table,
                       int id, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The row of a channel of a list, and the number of its part. */
const struct dpl_channel_row *dpl__channels_row(const struct dpl_world_channels *channels,
                                                size_t channel, int *ret_id);

#ifdef __cplusplus
}
#endif

#endif
