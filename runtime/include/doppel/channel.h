/* SPDX-License-Identifier: Apache-2.0 */
/* Channels: access to the values of a world by name. A channel has a path ("robot/left/speed"), a
 * direction, a type, a unit, a range and a size. The types and descriptions here are const; any
 * thread may use them. doppel/sim/channels.h describes how threads exchange the values. */
#ifndef DOPPEL_CHANNEL_H
#define DOPPEL_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <doppel/diag.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_CHANNEL_TEXT_MAX 32  /* of one printed element, with its end */
#define DPL_CHANNEL_PATH_MAX 256 /* of a path, with its end */

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
    DPL_CHANNEL_IN,       /* written to the world (put), by one owner */
    DPL_CHANNEL_SHARED,   /* written to the world: a flag that is on while any user wants it on */
    DPL_CHANNEL_REQUEST,  /* written to the world: executed once for each put, and answered */
    DPL_CHANNEL_OUT,      /* read from the world (get) */
    DPL_CHANNEL_CONSTANT, /* read from the world; the value never changes */
};

static inline bool dpl_channel_is_input(enum dpl_channel_dir dir)
{
    return dir < DPL_CHANNEL_OUT;
}

/* Whether a put into such a channel makes the user the owner of all inputs of that part. */
static inline bool dpl_channel_is_owned(enum dpl_channel_dir dir)
{
    return dir == DPL_CHANNEL_IN || dir == DPL_CHANNEL_REQUEST;
}

struct dpl_channel_desc {
    const char *path;
    const struct dpl_channel_type *type;
    enum dpl_channel_dir dir;
    const char *unit; /* "": none */
    double min, max;  /* of each element; both 0: any */
    uint32_t size;    /* elements */
    /* Of an input: the world releases it when it is not put again within this time. 0: it holds. */
    dpl_ns silence;
    bool is_derived; /* it is computed from other channels: recorded only if it is named */
    const char *summary;
};

/* The wanted channel. `type` and `unit` NULL: any. */
struct dpl_channel_want {
    const char *path;
    const struct dpl_channel_type *type;
    const char *unit;
    bool put;  /* true: for put; false: for get */
    bool look; /* with get: of an input (no request) as well: what was put last, until released */
    struct dpl_place place; /* where the channel's name was read, for errors */
};

/* Returns the length of the first name of a path, which names the part of the world that the
 * channel belongs to. 0: the channel belongs to the world itself. */
static inline size_t dpl_channel_part(const char *path)
{
    const char *slash = strchr(path, '/');
    return slash ? (size_t)(slash - path) : 0;
}

static inline size_t dpl_channel_bytes(const struct dpl_channel_desc *desc)
{
    return desc->type->element_size * desc->size;
}

/* Returns the index of the wanted channel in `descs`: the channel with exactly that path, otherwise
 * the first channel whose path is equal by dpl_name_equal. -ENOENT with the most similar path;
 * -EINVAL: the channel has another type or unit, or cannot be put. Does not allocate or block. */
int dpl_channel_find(const struct dpl_channel_desc *descs, size_t n,
                     const struct dpl_channel_want *want, struct dpl_diag *reterr);

/* Parses a value from a command line: elements separated by blanks or commas, as many as the
 * channel has, within its range. `ret_value`: dpl_channel_bytes. -EINVAL with reterr. */
int dpl_channel_parse(const struct dpl_channel_desc *desc, const char *text, void *ret_value,
                      struct dpl_diag *reterr);

/* Element `element` of a value as a number: of a number, integer (rounded beyond 2^53), flag (0 or
 * 1), vector or pose. The value is aligned for its type. */
double dpl_channel_element(const struct dpl_channel_desc *desc, const void *value, size_t element);

#ifdef __cplusplus
}
#endif

#endif
