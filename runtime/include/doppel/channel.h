/* SPDX-License-Identifier: Apache-2.0 */
/* Channels: access to the values of a world by name. A channel has a path ("robot/left/speed"), a
 * direction, a type, a unit, a range and a size. The types and descriptions here are const; any
 * thread may use them. doppel/sim/channels.h describes how threads exchange the values. */
#ifndef DOPPEL_CHANNEL_H
#define DOPPEL_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>

#define DPL_CHANNEL_TEXT_MAX 32 /* of one printed element, with its terminating NUL */

/* How the elements of a value are stored. A value is `size` elements in a row. */
struct dpl_channel_type {
    const char *name;
    size_t element_size; /* bytes */
    uint32_t size; /* elements of each channel of this type; 0: each channel has its own size */
    /* Writes one element as text. Parsing the text gives the same bits. */
    void (*print)(char ret_text[DPL_CHANNEL_TEXT_MAX], const void *element);
    /* 0, or -EINVAL: not a valid text. */
    int (*parse)(const char *text, void *ret_element);
    const char *summary;
};

extern const struct dpl_channel_type dpl_channel_number;  /* double */
extern const struct dpl_channel_type dpl_channel_integer; /* int64_t */
extern const struct dpl_channel_type dpl_channel_flag;    /* bool */
extern const struct dpl_channel_type dpl_channel_vector;  /* double[size] */
extern const struct dpl_channel_type dpl_channel_pose;    /* double[7]: struct dpl_pose3 */
extern const struct dpl_channel_type dpl_channel_block;   /* float[size], such as a scan */

enum dpl_channel_dir {
    DPL_CHANNEL_IN,       /* written to the world: put */
    DPL_CHANNEL_OUT,      /* read from the world: get */
    DPL_CHANNEL_CONSTANT, /* read from the world; the value never changes */
};

struct dpl_channel_desc {
    const char *path;
    const struct dpl_channel_type *type;
    enum dpl_channel_dir dir;
    const char *unit; /* "": none */
    double min, max;  /* of each element; both 0: any */
    uint32_t size;    /* elements */
    const char *summary;
};

/* The wanted channel. `type` and `unit` NULL: any. */
struct dpl_channel_want {
    const char *path;
    const struct dpl_channel_type *type;
    const char *unit;
    bool put;               /* true: for put; false: for get */
    struct dpl_place place; /* where the channel's name was read, for errors */
};

static inline size_t dpl_channel_bytes(const struct dpl_channel_desc *desc)
{
    return desc->type->element_size * desc->size;
}

/* Returns the index of the wanted channel in `descs`. -ENOENT with the most similar path; -EINVAL:
 * the channel has another type or unit, or cannot be put. Does not allocate or block. */
int dpl_channel_find(const struct dpl_channel_desc *descs, size_t n,
                     const struct dpl_channel_want *want, struct dpl_diag *reterr);

/* Parses a value from a command line: elements separated by blanks or commas, as many as the
 * channel has, within its range. `ret_value`: dpl_channel_bytes. -EINVAL with reterr. */
int dpl_channel_parse(const struct dpl_channel_desc *desc, const char *text, void *ret_value,
                      struct dpl_diag *reterr);

#endif
