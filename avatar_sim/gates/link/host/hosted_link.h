/* SPDX-License-Identifier: Apache-2.0 */
/* One link to a hosted world: the data that its user and the thread of the world share.
 * hosted_link.c makes it and moves values between it and the world; link_embedded.c is what its
 * user calls.
 *
 * The layout (found, inputs, outputs, sizes) is fixed before the world's thread sees the link. */
#ifndef DOPPEL_SIM_HOSTED_LINK_H
#define DOPPEL_SIM_HOSTED_LINK_H

#include "hosted_world.h"

/* A triple buffer of values whose size is known at run time. */
struct hosted_slots {
    struct dpl_latest sync;
    size_t size; /* bytes of a slot, a multiple of 8 */
    unsigned char *memory;
};

static inline void *hosted_slots_back(const struct hosted_slots *slots)
{
    return slots->memory + dpl_latest_back(&slots->sync) * slots->size;
}

static inline const void *hosted_slots_front(const struct hosted_slots *slots)
{
    return slots->memory + dpl_latest_front(&slots->sync) * slots->size;
}

/* Zeroed slots of `bytes` each instead of those that there are (zeroed: none). 0 or -ENOMEM. */
int hosted_slots_init(struct hosted_slots *slots, size_t bytes);

/* A value in a slot or in a frame. */
struct hosted_value {
    union {
        dpl_ns stamp;    /* out of the world; HOSTED_NO_VALUE: there is none */
        uint64_t number; /* into the world: of this value, as n_put */
    };
    unsigned char bytes[];
};
#define HOSTED_NO_VALUE INT64_MIN

struct hosted_input {
    size_t channel;
    const struct dpl_channel_desc *desc;
    size_t bytes;
    struct hosted_slots slots; /* user -> world: a struct hosted_value */
    uint64_t n_put;            /* the user's: how many, below the link's n_releases of then << 32 */
    /* the world's */
    bool held;  /* put, and not released since */
    dpl_ns due; /* held: when it is released unless it is put again; INT64_MAX: never */
    uint64_t n_taken;
    int result; /* of the value that was taken last */
};

/* Information about an input for the user, in each frame. */
struct hosted_answer {
    uint64_t number;
    int64_t result;
};

struct hosted_output {
    size_t channel;
    size_t bytes;
    size_t at;     /* of its struct hosted_value in a frame */
    bool is_block; /* not in frames, but in `block` */
    struct hosted_slots block;
    dpl_ns newest; /* the world's: stamp of the block that was given last */
};

enum hosted_kind {
    HOSTED_INPUT,
    HOSTED_OUTPUT,
    HOSTED_CONSTANT,
};

/* A channel of the user, by its number in this list. */
struct hosted_found {
    enum hosted_kind kind;
    size_t index; /* of the input or output; of a constant the channel */
};

struct hosted_link {
    struct dpl_link link; /* first */
    struct hosted_world *owner;
    struct hosted_link *next;
    /* whose commander must be on time; NULL: no device of this run, or closed */
    _Atomic(struct dpl_device *) device;
    int part;          /* of its inputs; -1: it has found none */
    bool many_parts;   /* its inputs may be of several; its user sees to their owners */
    bool is_copy;      /* what it moves is an avatar */
    bool look;         /* inputs are read, too, and none put */
    bool is_hand;      /* its only input is commanded while it is held */
    bool owns;         /* it counts as an owner of the part */
    bool before_start; /* its world does not move yet */
    char under[DPL_SIM_NAME_SIZE];
    dpl_ns silence; /* as configured */
    /* of a hand: how long it holds what it puts next, shared flags, too; 0: for ever */
    _Atomic dpl_ns hold;
    atomic_bool holds; /* of a hand: the world's */

    struct hosted_found *found; /* [n_found] */
    struct hosted_input *inputs;
    struct hosted_output *outputs;
    size_t n_found, n_inputs, n_outputs;
    struct hosted_slots frames; /* world -> user: stamp, answers, values */
    bool has_frame;             /* the user's */

    uint32_t n_releases;  /* the user's */
    atomic_uint released; /* user -> world: number of releases so far */
    uint32_t n_released;  /* the world's: that many are done */
    atomic_bool closed;   /* user -> world: release all and forget the link */
    bool left_alone;      /* of the world: the commander was late, so the inputs are released */
};

/* 0, -ENOENT, -ENOMEM. */
int hosted_link_create(struct hosted_world *world, const struct dpl_link_config *config,
                       struct hosted_link **ret_link, struct dpl_diag *reterr);
void hosted_link_destroy(struct hosted_link *link); /* NULL: nothing */

/* Adds a channel of the world's list, unless it is there: its number in `found`, or -ENOMEM, or
 * -EINVAL with reterr. */
int hosted_link_add(struct hosted_link *link, size_t channel, const struct dpl_channel_want *want,
                    struct dpl_diag *reterr);

/* Any thread: the world takes the link over at its next step or publish. */
void hosted_link_join(struct hosted_link *link);

/* ---- on the thread that owns the world ---- */

/* Reads the values that were put, and then releases them if this is requested. The world takes a
 * hand's value only while nobody else commands the channel: -EBUSY is its result then. */
void hosted_link_take(struct hosted_link *link);
bool hosted_link_is_leaving(struct hosted_link *link); /* it requests a release, or is closed */
void hosted_link_give(
    struct hosted_link *link); /* a frame with the present values, and new blocks */
/* The world has gone back to a snapshot: the values that the link has put are used again, and the
 * values that it reads are sent again. */
void hosted_link_put_again(struct hosted_link *link);
/* Releases what the link has put. */
void hosted_link_let_go(struct hosted_link *link);

/* When the first input that this link holds falls silent; `end` at the latest. World's time. */
dpl_ns hosted_link_next_silence(const struct hosted_link *link, dpl_ns end);

#endif
