/* SPDX-License-Identifier: Apache-2.0 */
/* The table of topics of a run. A topic has a source: a const table with the calls by which the
 * observer gets its messages. The table belongs to the observer's thread once that runs. */
#ifndef DOPPEL_OBSERVE_TOPICS_H
#define DOPPEL_OBSERVE_TOPICS_H

#include <doppel/host/gateway.h>

#include "arena.h"

#define DPL__TOPICS_MAX 4096

/* All on the observer's thread; they do not block. */
struct dpl__source_ops {
    /* Whether messages are wanted. They begin and end a little later. */
    void (*listen)(void *source, bool on);
    /* The next message: true. `ret_sample->data` is valid until the next call. Also continues what
     * `listen` began: called often, with and without listeners. */
    bool (*take)(void *source, struct dpl_sample *ret_sample);
    /* Messages that were lost on their way to the observer. */
    uint64_t (*dropped)(void *source);
    /* One more comes to listen, who wants what is there now. NULL: he gets what comes. */
    void (*welcome)(void *source);
};

struct dpl__derived;

struct dpl__topic {
    struct dpl_topic self; /* must be first */
    const struct dpl__source_ops *ops;
    void *source;
    struct dpl__derived *derived; /* what is made from its messages; NULL: nothing */
    bool is_hidden;               /* only what is made from its messages is for gateways */
    unsigned n_listeners;
    uint64_t n_taken;
};

/* Zero-initialise. */
struct dpl__topics {
    struct dpl_arena arena; /* of topics, and for their sources */
    struct dpl__topic **items;
    size_t n, capacity;
};

/* Copies the description with its texts and schema, and gives it an id. NULL with reterr: the name
 * is taken (-EEXIST), or there are too many (-E2BIG). */
struct dpl__topic *dpl__topics_add(struct dpl__topics *topics, const struct dpl_topic *described,
                                   const struct dpl__source_ops *ops, void *source,
                                   struct dpl_diag *reterr);
struct dpl__topic *dpl__topics_find(const struct dpl__topics *topics, const char *name);
void dpl__topics_finish(struct dpl__topics *topics);

/* One more (1) or one less (-1) listens. */
void dpl__topic_listen(struct dpl__topic *topic, int by);

/* Gives all messages that are there to `give`, topic by topic, each in its order; at most `most` of
 * one topic, so that a fast one does not keep the others. Returns their number. */
size_t dpl__topics_drain(struct dpl__topics *topics, size_t most,
                         void (*give)(void *user, const struct dpl__topic *topic,
                                      const struct dpl_sample *sample),
                         void *user);

#endif
