/* SPDX-License-Identifier: Apache-2.0 */
/* Runs in processes of their own, forked from this one, so many at a time. What a run does to its
 * process (a crash, an endless loop) is its outcome and nobody else's. */
#ifndef DOPPEL_SWEEP_POOL_H
#define DOPPEL_SWEEP_POOL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum { SWEEP_SLOTS_MAX = 256 };

/* How the process of a run has ended. */
enum sweep_pool_end {
    SWEEP_POOL_GAVE, /* a result */
    SWEEP_POOL_DIED,
    SWEEP_POOL_LATE,    /* it was killed after the limit */
    SWEEP_POOL_STOPPED, /* it gave none because it was stopped */
};

struct sweep_pool_ended {
    enum sweep_pool_end how;
    char text[384]; /* why it died, with the end of what it has printed if that is kept apart */
    double wall_s;
};

struct sweep_pool {
    size_t n_slots;      /* 1 to SWEEP_SLOTS_MAX */
    double time_limit_s; /* of a run, of real time; 0: none */
    size_t result_size;  /* bytes */
    /* Runs belong to the terminal: they print where this process does, and a stop asks them by
     * SIGTERM (blocked until they take it), the third one kills. Otherwise what they print is kept
     * apart, and a stop kills. */
    bool in_front;
    /* Whether two results are equal. With it a process carries out many runs, one after the other.
     * Of each process some runs are carried out again in a new one: as long as one of them differs
     * the results of that process do not count. NULL: each run has a process of its own. */
    bool (*same)(const void *one, const void *other);
    /* The next run to begin; false: there is none. */
    bool (*next)(void *user, size_t *ret_run);
    /* In the process of the run. `ret_result` is zeroed. */
    void (*work)(void *user, size_t run, void *ret_result);
    /* A run has ended, in any order. `result`: NULL if it gave none. 0, or -errno: no more is
     * begun. */
    int (*done)(void *user, size_t run, const void *result, const struct sweep_pool_ended *ended);
    void *user;
    const volatile sig_atomic_t *n_stops; /* from 1 on no more is begun; NULL: never */
};

/* Begins runs until there is none; returns when none runs any more. The process has one thread, and
 * a run ends with it. A run that ends the process of others is carried out again in a process of
 * its own. 1: runs differ after others in the same process, so each got one of its own. 0; -EXDEV:
 * the same, but only after many, so that results that were given may be wrong; or -errno: no
 * process could be started, or `done` has failed. */
int sweep_pool_run(const struct sweep_pool *pool);

#endif
