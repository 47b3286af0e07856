/* SPDX-License-Identifier: Apache-2.0 */
/* Channels: the values of a world by name. A channel has a path ("robot/left/speed"), a direction,
 * a type, a unit, a range and a size. The types and descriptions here are const and may be used
 * from any thread; who holds the values says how they are exchanged (doppel/sim/channels.h). */
#ifndef DOPPEL_CHANNEL_H
#define DOPPEL_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <doppel/diag.h>
#include <doppel/time.h>

#define DPL_CHANNEL_TEXT_MAX 32  /* of one printed element, with its end */
#define DPL_CHANNEL_PATH_MAX 256 /* of a path, with its end */

/* How the elements of a value are stored. A value is `size` elements in a row. */
struct dpl_channel_type {
    const char *name;
    size_t element_size; /* bytes */
    uint32_t size;       /* elements of each channel of this type; 0: the channel says */
    /* One element as text that reads back to the same bits. */
    void (*print)(char ret_text[DPL_CHANNEL_TEXT_MAX], const void *element);
    /* 0, or -EINVAL: the text is none. */
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
    DPL_CHANNEL_IN,       /* into the world: put; of one owner */
    DPL_CHANNEL_SHARED,   /* into the world: a flag that is on as long as anybody wants it */
    DPL_CHANNEL_REQUEST,  /* into the world: done once for each value that is put, and answered */
    DPL_CHANNEL_OUT,      /* out of it: get */
    DPL_CHANNEL_CONSTANT, /* out of it, and never another value */
};

static inline bool dpl_channel_is_input(enum dpl_channel_dir dir)
{
    return dir < DPL_CHANNEL_OUT;
}

/* Who puts into such a channel owns the inputs of its part. */
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
    const char *summary;
};

/* What somebody looks for. `type` and `unit` NULL: any. */
struct dpl_channel_want {
    const char *path;
    const struct dpl_channel_type *type;
    const char *unit;
    bool put;               /* wants to put; else to get */
    struct dpl_place place; /* of what names it, for errors */
};

/* The length of the first name of a path: the part of the world that the channel belongs to. 0: the
 * channel is of the world itself. */
static inline size_t dpl_channel_part(const char *path)
{
    const char *slash = strchr(path, '/');
    return slash ? (size_t)(slash - path) : 0;
}

static inline size_t dpl_channel_bytes(const struct dpl_channel_desc *desc)
{
    return desc->type->element_size * desc->size;
}

/* The number of the wanted channel among n: the one of that path, else the first one whose path
 * dpl_name_equal finds equal. -ENOENT with the nearest path; -EINVAL: it has another
 * type or unit, or cannot be put. Neither allocates nor blocks. */
int dpl_channel_find(const struct dpl_channel_desc *descs, size_t n,
                     const struct dpl_channel_want *want, struct dpl_diag *reterr);

/* Reads a value as it is typed on a command line: elements with blanks or commas between them, as
 * many as the channel has; within its range. `ret_value`: dpl_channel_bytes. -EINVAL with reterr.
 */
int dpl_channel_parse(const struct dpl_channel_desc *desc, const char *text, void *ret_value,
                      struct dpl_diag *reterr);

#endif
