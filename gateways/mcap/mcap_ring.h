/* SPDX-License-Identifier: Apache-2.0 */
/* The newest messages in memory, for what was before a trigger: at most so many bytes, the first to
 * come is the first to go. Topics come in turns: a message may be older than those before it.
 * Allocates. */
#ifndef DPL_GATEWAYS_MCAP_RING_H
#define DPL_GATEWAYS_MCAP_RING_H

#include <doppel/host/gateway.h>

struct mcap_kept;

/* Zero-initialise, then `most`. */
struct mcap_ring {
    size_t most; /* bytes */
    struct mcap_kept *first, **last;
    size_t n_bytes;
};

/* Gets a message that leaves the ring; valid during the call. */
typedef void (*mcap_ring_give_fn)(void *user, size_t index, const struct dpl_sample *sample);

/* Adds a copy of a message of the topic of this index; what is too much goes to `give`. 0 or
 * -ENOMEM. */
int mcap_ring_add(struct mcap_ring *ring, size_t index, const struct dpl_sample *sample,
                  mcap_ring_give_fn give, void *user);
/* When the first message was taken; `none` if there is none. */
dpl_ns mcap_ring_first(const struct mcap_ring *ring, dpl_ns none);
/* Gives the first messages up to one that was taken at `before` or later. */
void mcap_ring_drop(struct mcap_ring *ring, dpl_ns before, mcap_ring_give_fn give, void *user);
/* Gives all that were taken in this time, both included. */
void mcap_ring_take(struct mcap_ring *ring, dpl_ns from, dpl_ns to, mcap_ring_give_fn give,
                    void *user);
/* Shows all, the first first; they stay. A sample is valid until it leaves the ring. */
void mcap_ring_show(const struct mcap_ring *ring, mcap_ring_give_fn show, void *user);
void mcap_ring_finish(struct mcap_ring *ring);

#endif
