/* SPDX-License-Identifier: Apache-2.0 */
/* A study: many runs of one thing that differ in some values (docs/guides/sweeps.md). It is read
 * from XML; its names are checked by who can load what it is about (subject.h). */
#ifndef DOPPEL_SWEEP_STUDY_H
#define DOPPEL_SWEEP_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>

#include "arena.h"
#include "design.h"

enum { SWEEP_MEASURES_MAX = 64, SWEEP_ACCEPTS_MAX = 16, SWEEP_RUNS_MAX = 1000000 };
enum { SWEEP_VALUE_SIZE = 256 }; /* of a value as text */

enum sweep_about { SWEEP_APPLICATION, SWEEP_BENCH, SWEEP_WORLD };

/* Where a value goes: a property of a component, an attribute in a world, a parameter of a file. */
enum sweep_target { SWEEP_TO_PROPERTY, SWEEP_TO_WORLD, SWEEP_TO_PARAM };

struct sweep_set {
    enum sweep_target target;
    const char *path, *value;
    struct dpl_place place; /* of the path */
};

enum sweep_kind { SWEEP_UNIFORM, SWEEP_NORMAL, SWEEP_LOG, SWEEP_CHOICE, SWEEP_STEP };

struct sweep_vary {
    enum sweep_target target;
    const char *path; /* what is set, and the name of its column */
    struct dpl_place place;
    enum sweep_kind kind;
    double from, to, step, mean, sigma;
    const char *unit; /* ""; or it follows a number */
    const char *const *choices;
    size_t n_choices; /* of choice; of step: how many numbers */
    size_t levels;    /* of a grid */
    /* Normal and correlated with those before it in its group, which begins at vary `group`: the
     * deviation is the sum of factor[k] times the standard normal value of vary group + k, k up to
     * this one. NULL: it is independent. */
    const double *factor;
    size_t group;
};

/* What of its values over time a measure is. */
enum sweep_reduce { SWEEP_LAST, SWEEP_LEAST, SWEEP_LARGEST, SWEEP_MEAN, SWEEP_RMS };

struct sweep_measure {
    const char *name, *value, *unit;
    struct dpl_place place; /* of the value */
    enum sweep_reduce reduce;
    double after_s; /* of the run: samples before do not count */
};

struct sweep_accept {
    const char *when; /* NULL: it is of a quantile */
    double rate;      /* of `when` */
    size_t measure;   /* number */
    double quantile, min, max, confidence;
    struct dpl_place place;
};

struct sweep_study {
    struct dpl_arena arena; /* owns all */
    const char *name, *description;
    enum sweep_about about;
    const char *file; /* of the application, ...: as the study names it */
    struct dpl_place file_place;
    double duration_s, time_limit_s; /* duration 0: until it ends itself */
    double every_s;                  /* between two samples of its measures over time */
    const char *const *binds;
    size_t n_binds;
    const struct sweep_set *sets;
    size_t n_sets;
    struct sweep_design design; /* its n_points: without replicates */
    uint64_t replicates;
    const struct sweep_vary *varies;
    size_t n_varies;
    const char *const *points; /* of a list: [n_points][n_varies] */
    const struct sweep_measure *measures;
    size_t n_measures;
    const struct sweep_accept *accepts;
    size_t n_accepts;
    const struct sweep_accept *stops; /* conditions that end a run: only `when` */
    size_t n_stops;
};

/* Reads a study from a text. `file` is its name, also to find what it names beside it. All errors
 * and warnings go to diags; their places are in the study, which the caller finishes, whatever is
 * returned. 0, or -EINVAL with an error. Allocates; blocks. */
int sweep_study_read(const char *file, const void *bytes, size_t n, struct sweep_study *ret_study,
                     struct dpl_diags *diags);
void sweep_study_finish(struct sweep_study *study);

/* The value of number `vary` at a point with the coordinates `unit` [n_varies] in (0, 1), as text
 * without a unit. */
void sweep_value(const struct sweep_study *study, size_t vary, const double *unit,
                 char ret_text[SWEEP_VALUE_SIZE]);

/* Whether the expression of an accept or a stop holds for these measures [n_measures]. -EINVAL with
 * reterr: it has no value, as when it names a measure that is NAN; then it does not hold. */
int sweep_accept_holds(const struct sweep_study *study, const struct sweep_accept *accept,
                       const double *measures, bool *ret_holds, struct dpl_diag *reterr);

#endif
