/* SPDX-License-Identifier: Apache-2.0 */
/* The newest value from one thread to another: a triple buffer. One writer, one reader at a time;
 * both are wait-free and never use a half-written value. The caller owns three slots of its own
 * type:
 *
 *     struct { struct dpl_latest sync; struct sample slot[3]; } samples;
 *     dpl_latest_init(&samples.sync);
 *
 *     samples.slot[dpl_latest_back(&samples.sync)] = value;
 *     dpl_latest_publish(&samples.sync);
 *
 *     if (dpl_latest_update(&samples.sync)) {
 *         use(&samples.slot[dpl_latest_front(&samples.sync)]);
 *     } */
#ifndef DOPPEL_LATEST_H
#define DOPPEL_LATEST_H

#include <stdbool.h>
#ifdef __cplusplus
#include <atomic>
#else
#include <stdatomic.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The same in C and in C++, which finds the functions of an atomic argument in its namespace std.
 */
#ifdef __cplusplus
#define DPL_LATEST_ORDER(name) std::memory_order_##name
typedef std::atomic_uint dpl_latest_index;
#else
#define DPL_LATEST_ORDER(name) memory_order_##name
typedef atomic_uint dpl_latest_index;
#endif

struct dpl_latest {
    dpl_latest_index middle; /* slot index, plus FRESH when the writer has published a new value */
    unsigned back;           /* writer's */
    unsigned front;          /* reader's */
};

#define DPL_LATEST_FRESH 4u

static inline void dpl_latest_init(struct dpl_latest *l)
{
    atomic_init(&l->middle, 1u);
    l->back = 2u;
    l->front = 0u;
}

/* Writer: the slot to fill. */
static inline unsigned dpl_latest_back(const struct dpl_latest *l)
{
    return l->back;
}

/* Writer: makes the filled slot the newest. Release pairs with the reader's acquire. */
static inline void dpl_latest_publish(struct dpl_latest *l)
{
    unsigned old =
        atomic_exchange_explicit(&l->middle, l->back | DPL_LATEST_FRESH, DPL_LATEST_ORDER(acq_rel));
    l->back = old & 3u;
}

/* Reader: moves to the newest slot; false when nothing was published since the last call. */
static inline bool dpl_latest_update(struct dpl_latest *l)
{
    if (!(atomic_load_explicit(&l->middle, DPL_LATEST_ORDER(relaxed)) & DPL_LATEST_FRESH)) {
        return false;
    }
    l->front = atomic_exchange_explicit(&l->middle, l->front, DPL_LATEST_ORDER(acq_rel)) & 3u;
    return true;
}

/* Reader: the slot to read. */
static inline unsigned dpl_latest_front(const struct dpl_latest *l)
{
    return l->front;
}

#ifdef __cplusplus
}
#endif

#endif
