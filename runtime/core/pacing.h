/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a simulated run, as those outside steer it: how fast it goes, and where it pauses.
 * The scheduler's thread owns it, and changes it between two cycles only; any thread may look. A
 * pause costs the cycles nothing: it is the same comparison as the end of the duration. */
#ifndef DOPPEL_RUNTIME_PACING_H
#define DOPPEL_RUNTIME_PACING_H

#include <stdatomic.h>
#include <stdbool.h>

#include <doppel/time.h>

#define DPL__NO_HOLD (INT64_MAX - 1)

struct dpl__pacing {
    dpl_ns end;          /* of the run; 0: it goes on */
    dpl_ns until;        /* what is due from then on waits: for a pause, or for ever at the end */
    atomic_llong hold;   /* pauses when all that is due until then is done; DPL__NO_HOLD */
    _Atomic double rate; /* factor of real time; 0: as fast as possible */
    atomic_bool paused;  /* it has come to `hold` */
    bool changed;        /* since the scheduler has looked */
    dpl_ns from_sim, from_real; /* the rate holds since then */
};

/* At time 0, which is now. */
void dpl__pacing_begin(struct dpl__pacing *pacing, double rate, dpl_ns end);
/* Counts the rate from here on. */
void dpl__pacing_rebase(struct dpl__pacing *pacing, dpl_ns sim_now, dpl_ns monotonic);
/* To go on until then and pause; DPL__NO_HOLD: to go on. */
void dpl__pacing_hold(struct dpl__pacing *pacing, dpl_ns hold);
void dpl__pacing_set_rate(struct dpl__pacing *pacing, double rate);
/* How far time may go without the leave of others: to the pause or the end, whatever is first. */
dpl_ns dpl__pacing_limit(const struct dpl__pacing *pacing);
/* When simulated time `to` may be reached (CLOCK_MONOTONIC); 0: at once. */
dpl_ns dpl__pacing_target(const struct dpl__pacing *pacing, dpl_ns to);

#endif
