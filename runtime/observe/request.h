/* SPDX-License-Identifier: Apache-2.0 */
/* Requests from outside: who asks for what, with which value, until when. A request is posted to
 * the thread that owns what it changes, which does it between two cycles; it is answered exactly
 * once: done, refused in words, or not in time. What was not begun in time is not done at all. */
#ifndef DOPPEL_OBSERVE_REQUEST_H
#define DOPPEL_OBSERVE_REQUEST_H

#include <doppel/host/gateway.h>

#include "mailbox.h"

#define DPL__WHO_MAX 64

struct dpl__request;

/* A kind of request. */
struct dpl__request_kind {
    const char *name; /* "set parameter", for refusals */
    enum dpl_role role;
    /* On the owner's thread: does it. 0, or -errno with reterr. It neither blocks nor allocates. */
    int (*run)(struct dpl__request *request, struct dpl_diag *reterr);
};

enum dpl__request_state {
    DPL__REQUEST_FREE,    /* the asker's: not posted, or over */
    DPL__REQUEST_WAITS,   /* posted */
    DPL__REQUEST_RUNS,    /* the owner does it */
    DPL__REQUEST_DONE,    /* the owner has answered: `result`, `why` */
    DPL__REQUEST_EXPIRED, /* the asker gave up before it was begun; the owner still has the memory
                           */
    DPL__REQUEST_GONE,    /* the same, and the owner has given the memory back */
};

/* The asker's memory, zero-initialised. The pointers are borrowed until it is free again. */
struct dpl__request {
    struct dpl__task task; /* must be first */
    const struct dpl__request_kind *kind;
    char who[DPL__WHO_MAX];
    void *target; /* what `run` changes */
    const void *value;
    size_t n_value;
    void *answer;    /* for what `run` answers */
    dpl_ns deadline; /* CLOCK_MONOTONIC */
    uint64_t tag;    /* the asker's */
    int result;
    struct dpl_diag why;
    _Atomic enum dpl__request_state state; /* private */
};

/* Asker: posts a free request to the owner's mailbox. `role` is the asker's: -EACCES with
 * request->why when it is not enough. Afterwards the owner may have to be woken. */
int dpl__request_post(struct dpl__request *request, struct dpl__mailbox *owner, enum dpl_role role);

/* Asker, until it is true: whether the answer is there. True once for each post; then `result` is
 * 0, -errno of `run`, or -ETIMEDOUT with `why`. */
bool dpl__request_is_answered(struct dpl__request *request, dpl_ns monotonic);

/* Asker: whether the memory may be used again. After -ETIMEDOUT the owner has it for longer. */
bool dpl__request_is_free(const struct dpl__request *request);

#endif
