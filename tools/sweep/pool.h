/* SPDX-License-Identifier: Apache-2.0 */
/* Runs in processes of their own, forked from this one, so many at a time. What a run does to its
 * process (a crash, an endless loop) is its outcome and nobody else's. */
#ifndef DOPPEL_SWEEP_POOL_H
#define DOPPEL_SWEEP_POOL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "subject.h"

enum { SWEEP_SLOTS_MAX = 256 };

struct sweep_pool {
    size_t n_slots;      /* 1 to SWEEP_SLOTS_MAX */
    double time_limit_s; /* of a run, of real time; 0: none */
    /* The next run to begin; false: there is none. */
    bool (*next)(void *user, size_t *ret_run);
    /* In the process of the run. */
    void (*work)(void *user, size_t run, struct sweep_outcome *ret_outcome);
    /* A run has ended, in any order. 0, or -errno: no more is begun. */
    int (*done)(void *user, size_t run, const struct sweep_outcome *outcome);
    void *user;
    const volatile sig_atomic_t *stop; /* no more is begun, and what runs is killed; NULL: never */
};

/* Begins runs until there is none; returns when none runs any more. The process has one thread.
 * What a run prints is kept apart; of one that crashes the end becomes its text. 0, or -errno: no
 * process could be started, or `done` has failed. */
int sweep_pool_run(const struct sweep_pool *pool);

#endif
