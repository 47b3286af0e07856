/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of channels: each kind of thing in a world (a motor, a laser, a robot) has a const table
 * of the channels that every one of its kind offers. */
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
    uint32_t size;    /* of types that leave it to the channel; 0: `describe` says */
    const char *summary;
    /* `id` is the number of the thing among those of its kind. */
    int (*get)(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp);
    int (*put)(struct dpl_world *world, int id, const void *value);
    /* What differs from one thing to the next: size and range. NULL: nothing. */
    void (*describe)(const struct dpl_world *world, int id, struct dpl_channel_desc *inout);
    /* Of an input: what the world does when nobody answers for its value any more. NULL: nothing.
     */
    void (*release)(struct dpl_world *world, int id);
    dpl_ns silence;  /* of an input: see struct dpl_channel_desc */
    bool is_derived; /* the same */
    /* Whether this thing has the channel at all. NULL: each has it. */
    bool (*is_there)(const struct dpl_world *world, int id);
};

/* A channel without inputs' members. */
#define DPL_CHANNEL_READ(name_, type_, dir_, unit_, size_, summary_, get_, describe_)              \
    {                                                                                              \
        .name = name_, .type = type_, .dir = dir_, .unit = unit_, .size = size_,                   \
        .summary = summary_, .get = get_, .describe = describe_,                                   \
    }

struct dpl_channel_table {
    const struct dpl_channel_row *rows;
    size_t n;
};

/* Adds a table's channels for the thing `id` under a path of printf's form. */
void dpl__channels_add(struct dpl_world_channels *channels, const struct dpl_channel_table *table,
                       int id, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The row and the number of a channel of a list. */
const struct dpl_channel_row *dpl__channels_row(const struct dpl_world_channels *channels,
                                                size_t channel, int *ret_id);

#ifdef __cplusplus
}
#endif

#endif
