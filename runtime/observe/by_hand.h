/* SPDX-License-Identifier: Apache-2.0 */
/* What those outside have done to a run, for who wants to do it again at the same times. On the
 * observer's thread. */
#ifndef DOPPEL_OBSERVE_BY_HAND_H
#define DOPPEL_OBSERVE_BY_HAND_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/time.h>

#define DPL__BY_HAND_MAX 64

enum dpl__by_hand_kind {
    DPL__BY_HAND_SET,   /* a property: "Component.Property", its value as a text */
    DPL__BY_HAND_PUT,   /* a channel of a world, its value as dpl_channel_parse reads it */
    DPL__BY_HAND_OTHER, /* a call, a message, a start: its name only */
};

struct dpl__by_hand_item {
    dpl_ns at; /* of the run's time */
    enum dpl__by_hand_kind kind;
    char *name, *value;
    dpl_ns hold; /* of a put: then it lets go; 0: it stays */
};

/* Zero-initialise. */
struct dpl__by_hand {
    struct dpl__by_hand_item items[DPL__BY_HAND_MAX];
    size_t n;
    bool is_more; /* than can be kept */
};

/* Copies the texts. */
void dpl__by_hand_add(struct dpl__by_hand *by_hand, const struct dpl__by_hand_item *item);
void dpl__by_hand_finish(struct dpl__by_hand *by_hand);

#endif
