/* SPDX-License-Identifier: Apache-2.0 */
/* Errands: what a gateway asks for, that one thread of the run does between two cycles. The
 * observer's thread makes, posts, answers and frees them. */
#ifndef DOPPEL_RUNTIME_ERRAND_H
#define DOPPEL_RUNTIME_ERRAND_H

#include "bytes.h"
#include "request.h"

struct dpl__errand;
struct dpl__executor;

/* A gateway that asks, with the role of its client. */
struct dpl__asker {
    const struct dpl_gateway *gateway;
    void *self;
    enum dpl_role role;
};

struct dpl__errand_ops {
    struct dpl__request_kind kind;
    /* Once it is done: 1: it may be answered; 0: not yet; -errno with reterr: it came to nothing.
     * NULL: at once. */
    int (*look)(struct dpl__errand *errand, struct dpl_diag *reterr);
    /* Adds what it is answered with. NULL: nothing. */
    void (*add_answer)(struct dpl__errand *errand, struct dpl_bytes *out);
    /* Gives back what it holds, but not itself. NULL: nothing. */
    void (*finish)(struct dpl__errand *errand);
};

struct dpl__errand {
    struct dpl__request request; /* must be first */
    const struct dpl__errand_ops *ops;
    struct dpl__errand *next;
    struct dpl__asker asker;
    bool is_done, is_answered;
};

/* Those on their way. Zero-initialise. */
struct dpl__errands {
    struct dpl__errand *first;
    size_t n;
};

/* An errand of `size` bytes, zeroed but for what is known; NULL: there are too many, or no memory,
 * and the asker was told. */
struct dpl__errand *dpl__errand_create(struct dpl__errands *errands, struct dpl__asker asker,
                                       const struct dpl_asked *asked,
                                       const struct dpl__errand_ops *ops, size_t size);
/* Frees one that was not posted. */
void dpl__errand_destroy(struct dpl__errand *errand);
/* As dpl__errand_post, to a thread that serves this mailbox anyway. */
void dpl__errand_post_to(struct dpl__errands *errands, struct dpl__errand *errand,
                         struct dpl__mailbox *mailbox, enum dpl_role role);
/* Posts it to the owner: it is answered from dpl__errands_turn, or now when the role is not enough.
 * It belongs to `errands` then. `owner` NULL: refused. */
void dpl__errand_post(struct dpl__errands *errands, struct dpl__errand *errand,
                      struct dpl__executor *owner, enum dpl_role role);
/* Answers those that are done. `all`: what is not done yet is refused. */
void dpl__errands_turn(struct dpl__errands *errands, bool all);
/* After the end of the run. */
void dpl__errands_finish(struct dpl__errands *errands);

/* Answers what is not worth an errand. `err` 0: done, with `value`, a text. */
void dpl__asker_tell(struct dpl__asker asker, uint64_t tag, int err, const char *text);

#endif
