/* SPDX-License-Identifier: Apache-2.0 */
/* What a study is about: loaded and checked once, then run in processes that are forked from this
 * one, which has one thread. */
#ifndef DOPPEL_SWEEP_SUBJECT_H
#define DOPPEL_SWEEP_SUBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/host/app.h>
#include <doppel/host/catalog.h>

#include "over_time.h"
#include "pool.h"
#include "study.h"

/* How a run has ended. */
enum sweep_status {
    SWEEP_DONE,      /* it ran to its end; a verdict may be any */
    SWEEP_FAILED,    /* it could not run, or a fault ended it: the text says why */
    SWEEP_CRASHED,   /* its process died */
    SWEEP_TIMED_OUT, /* it was ended after the limit of real time */
};
#define SWEEP_STATUSES "done|failed|crashed|timed out"

/* What a run gives. Flat: it comes from another process. */
struct sweep_outcome {
    enum sweep_status status;
    char verdict[32]; /* "": none */
    char text[384];   /* of the verdict or the failure; of a crash the end of standard error */
    double duration_s, wall_s;
    double measures[SWEEP_MEASURES_MAX]; /* NAN: the run has no such value */
};

/* A run of the plan. */
struct sweep_run {
    uint64_t id, seed;
    const char *const *values; /* [n_varies] without units */
};

struct sweep_subject {
    const struct sweep_study *study;
    struct dpl_catalog *catalog;
    const char *file;     /* as it was found */
    struct dpl_app *app;  /* of an application, a bench; with what all runs have in common */
    bool varies_property; /* runs load the application anew */
    uint64_t closure;     /* hash of all files that were read for it, and of the program */
};

/* Finds and loads what the study is about, with the ends of all ranges, and checks all names. An
 * error of a value has the place of its name in the study. 0, or -EINVAL with errors in diags. The
 * caller closes it in any case, before the study and the catalogue. Blocks, allocates. */
int sweep_subject_open(struct sweep_subject *subject, const struct sweep_study *study,
                       struct dpl_catalog *catalog, struct dpl_diags *diags);
void sweep_subject_close(struct sweep_subject *subject);

/* Carries out a run in this process. */
void sweep_subject_run(const struct sweep_subject *subject, const struct sweep_run *run,
                       struct sweep_outcome *ret_outcome);

/* The same for a moment: measures that the run does not know are NAN, all others 0; the text has a
 * hint for the first of them. In a world they are checked already. */
void sweep_subject_probe(const struct sweep_subject *subject, const struct sweep_run *run,
                         struct sweep_outcome *ret_outcome);

/* The text that sets a value: "PATH=VALUE UNIT", in the arena. */
const char *sweep_set_text(struct dpl_arena *arena, const struct sweep_vary *vary,
                           const char *value);

/* ---- worlds: subject_world.c ---- */

int sweep_world_check(struct sweep_subject *subject, struct dpl_diags *diags);
void sweep_world_run(const struct sweep_subject *subject, const struct sweep_run *run,
                     struct sweep_outcome *ret_outcome);

/* An outcome of a run that has given nothing yet; one that is a failure. */
void sweep_outcome_begin(struct sweep_outcome *ret_outcome);
/* That of a process that has ended: what it gave (NULL: nothing), or why not. */
void sweep_outcome_end(struct sweep_outcome *ret_outcome, const struct sweep_outcome *given,
                       const struct sweep_pool_ended *ended);
/* Two outcomes of a run, without what they cost: equal to the last bit? */
bool sweep_outcome_same(const void *one, const void *other);
/* What its samples say, of a run that is done. */
void sweep_outcome_over_time(struct sweep_outcome *outcome, const struct sweep_over_time *over);
void sweep_outcome_fail(struct sweep_outcome *outcome, const struct dpl_diag *error);

#endif
