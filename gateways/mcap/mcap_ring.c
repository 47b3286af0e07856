/* SPDX-License-Identifier: Apache-2.0 */
#include "mcap_ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct mcap_kept {
    struct mcap_kept *next;
    size_t index;
    struct dpl_sample sample; /* its data is behind this struct */
};

static size_t bytes_of(const struct mcap_kept *kept)
{
    return sizeof *kept + kept->sample.n;
}

/* Takes it out of the list and gives it. */
static void take_out(struct mcap_ring *ring, struct mcap_kept **at, mcap_ring_give_fn give,
                     void *user)
{
    struct mcap_kept *kept = *at;
    *at = kept->next;
    ring->last = kept->next ? ring->last : at;
    ring->n_bytes -= bytes_of(kept);
    give(user, kept->index, &kept->sample);
    free(kept);
}

int mcap_ring_add(struct mcap_ring *ring, size_t index, const struct dpl_sample *sample,
                  mcap_ring_give_fn give, void *user)
{
    struct mcap_kept *kept = malloc(sizeof *kept + sample->n);
    if (!kept) {
        return -ENOMEM;
    }
    *kept = (struct mcap_kept){NULL, index, *sample};
    kept->sample.data = kept + 1;
    if (sample->n > 0) {
        memcpy(kept + 1, sample->data, sample->n);
    }
    *(ring->first ? ring->last : &ring->first) = kept;
    ring->last = &kept->next;
    ring->n_bytes += bytes_of(kept);
    while (ring->n_bytes > ring->most) {
        take_out(ring, &ring->first, give, user);
    }
    return 0;
}

dpl_ns mcap_ring_first(const struct mcap_ring *ring, dpl_ns none)
{
    return ring->first ? ring->first->sample.taken : none;
}

void mcap_ring_drop(struct mcap_ring *ring, dpl_ns before, mcap_ring_give_fn give, void *user)
{
    while (ring->first && ring->first->sample.taken < before) {
        take_out(ring, &ring->first, give, user);
    }
}

void mcap_ring_take(struct mcap_ring *ring, dpl_ns from, dpl_ns to, mcap_ring_give_fn give,
                    void *user)
{
    for (struct mcap_kept **at = &ring->first; *at;) {
        dpl_ns taken = (*at)->sample.taken;
        if (from <= taken && taken <= to) {
            take_out(ring, at, give, user);
        } else {
            at = &(*at)->next;
        }
    }
}

void mcap_ring_show(const struct mcap_ring *ring, mcap_ring_give_fn show, void *user)
{
    for (const struct mcap_kept *kept = ring->first; kept; kept = kept->next) {
        show(user, kept->index, &kept->sample);
    }
}

void mcap_ring_finish(struct mcap_ring *ring)
{
    while (ring->first) {
        struct mcap_kept *kept = ring->first;
        ring->first = kept->next;
        free(kept);
    }
}
