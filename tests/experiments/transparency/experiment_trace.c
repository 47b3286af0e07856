/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a trace: selects columns and rows, and computes further signals. */
#include "experiment_trace.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/math/six_axes.h>

#include "hexa_fk.h"
#include "spring_mass_damper.h"
#include "table.h"

/* Columns of the trace: "<prefix><name of the degree of freedom>". */
struct source {
    enum experiment_signal signal;
    const char *prefix;
    const char *const *names;
};

static const char *const axes[DPL_AXES_N] = {"q1", "q2", "q3", "q4", "q5", "q6"};

static const struct source sources[] = {
    {SIGNAL_FORCE, "ForceSensor.applied_", dpl_six_names},
    {SIGNAL_STAGES + STAGE_FILTER, "ForceFilter.filtered_", dpl_six_names},
    {SIGNAL_STAGES + STAGE_MODEL, "DynamicModel.reference_", dpl_six_names},
    {SIGNAL_STAGES + STAGE_PLANNER, "TrajectoryPlanner.pose_", dpl_six_names},
    {SIGNAL_STAGES + STAGE_PATH, "MotionPath.", axes},
    {SIGNAL_STAGES + STAGE_SERVO, "Hexaslide.", dpl_six_names},
};

static int find_column(const struct experiment_trace *trace, const struct table *table,
                       const char *name, struct dpl_diag *reterr)
{
    int column = table_column(table, name);
    struct dpl_place place = {.file = trace->file};
    return column >= 0 ? column : dpl_fail(reterr, -ENOENT, place, "no column %s", name);
}

static int read_source(struct experiment_trace *trace, const struct table *table, size_t first,
                       const struct source *source, struct dpl_diag *reterr)
{
    for (int i = 0; i < DPL_SIX; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", source->prefix, source->names[i]);
        int column = find_column(trace, table, name, reterr);
        if (column < 0) {
            return column;
        }
        for (size_t row = 0; row < trace->n; row++) {
            double value = table_at(table, first + row, column);
            if (!isfinite(value)) {
                struct dpl_place place = {.file = trace->file, .line = (int)(first + row) + 2};
                return dpl_fail(reterr, -EINVAL, place, "%s is no number", name);
            }
            trace->signals[source->signal][row][i] = value;
        }
    }
    return 0;
}

static int read_acted(struct experiment_trace *trace, const struct table *table, size_t first,
                      struct dpl_diag *reterr)
{
    int column = find_column(trace, table, "TrajectoryPlanner.acted", reterr);
    for (size_t row = 0; column >= 0 && row < trace->n; row++) {
        trace->acted[row] = table_at(table, first + row, column);
    }
    return column < 0 ? column : 0;
}

/* The first row; each following row must be one servo period after the one before. */
static int find_rows(const struct experiment_trace *trace, const struct table *table,
                     size_t *ret_first, struct dpl_diag *reterr)
{
    int column = find_column(trace, table, "t", reterr);
    if (column < 0) {
        return column;
    }
    struct dpl_place place = {.file = trace->file};
    int64_t start = llround(trace->start_s / CHAIN_PERIOD_S);
    size_t row = 0;
    while (row < table->n_rows && llround(table_at(table, row, column) / CHAIN_PERIOD_S) < start) {
        row++;
    }
    *ret_first = row;
    if (row + trace->n > table->n_rows) {
        return dpl_fail(reterr, -EINVAL, place, "%zu rows from %g s on are wanted, %zu are there",
                        trace->n, trace->start_s, table->n_rows - row);
    }
    for (size_t i = 0; i < trace->n; i++) {
        if (llround(table_at(table, row + i, column) / CHAIN_PERIOD_S) != start + (int64_t)i) {
            place.line = (int)(row + i) + 2;
            return dpl_fail(reterr, -EINVAL, place, "not one row each 0.625 ms");
        }
    }
    return 0;
}

/* Deflections: each signal relative to its value at the start of its window. */
static void centre_windows(experiment_six *signal, size_t n)
{
    for (size_t window = 0; window < n; window += CHAIN_WINDOW) {
        experiment_six rest;
        memcpy(rest, signal[window], sizeof rest);
        for (size_t row = window; row < window + CHAIN_WINDOW; row++) {
            for (int i = 0; i < DPL_SIX; i++) {
                signal[row][i] -= rest[i];
            }
        }
    }
}

static void centre_home(experiment_six *signal, size_t n)
{
    for (size_t row = 0; row < n; row++) {
        for (int i = 0; i < DPL_SIX; i++) {
            signal[row][i] -= dpl_hexa_reference.home[i];
        }
    }
}

/* The exact answer of the model to `force`; both may be the same array. */
static int answer(double natural_hz, const experiment_six *force, size_t n,
                  experiment_six *ret_deflection)
{
    struct dpl_smd model;
    struct dpl_smd_state state = {0};
    struct dpl_smd_config config = dpl_smd_paper_config(natural_hz, CHAIN_PERIOD_S, DPL_HOLD_FIRST);
    int r = dpl_smd_init(&model, &config);
    for (size_t row = 0; r == 0 && row < n; row++) {
        dpl_smd_step(&model, &state, force[row]);
        for (int i = 0; i < DPL_SIX; i++) {
            ret_deflection[row][i] = state.x[i][0];
        }
    }
    return r;
}

/* Converts axis positions to poses, in place. */
static int solve(experiment_six *signal, size_t n)
{
    struct dpl_hexa_tracker tracker;
    dpl_hexa_tracker_init(&tracker, &dpl_hexa_reference);
    for (size_t row = 0; row < n; row++) {
        double pose[DPL_SIX];
        int r = dpl_hexa_tracker_step(&tracker, signal[row], pose);
        if (r < 0) {
            return r;
        }
        memcpy(signal[row], pose, sizeof pose);
    }
    return 0;
}

static int derive(struct experiment_trace *trace, bool by_windows, struct dpl_diag *reterr)
{
    experiment_six **s = trace->signals;
    experiment_six *filtered = s[SIGNAL_STAGES + STAGE_FILTER];
    struct dpl_place place = {.file = trace->file};
    int r = solve(s[SIGNAL_STAGES + STAGE_PATH], trace->n);
    if (r < 0) {
        return dpl_fail(reterr, r, place, "axis references without a pose");
    }
    r = answer(trace->natural_hz, (const experiment_six *)s[SIGNAL_FORCE], trace->n,
               s[SIGNAL_IDEAL]);
    r = r == 0 ? answer(trace->natural_hz, (const experiment_six *)filtered, trace->n, filtered)
               : r;
    for (int i = SIGNAL_STAGES; i < N_SIGNALS; i++) {
        if (by_windows) {
            centre_windows(s[i], trace->n);
        } else if (i != SIGNAL_STAGES + STAGE_FILTER) {
            centre_home(s[i], trace->n);
        }
    }
    return r < 0 ? dpl_fail(reterr, r, place, "no model of %g Hz", trace->natural_hz) : 0;
}

static int read_all(struct experiment_trace *trace, const struct table *table,
                    struct dpl_diag *reterr)
{
    size_t first;
    int r = find_rows(trace, table, &first, reterr);
    for (size_t i = 0; r == 0 && i < sizeof sources / sizeof sources[0]; i++) {
        r = read_source(trace, table, first, &sources[i], reterr);
    }
    return r == 0 ? read_acted(trace, table, first, reterr) : r;
}

static bool prepare(struct experiment_trace *trace)
{
    bool good = true;
    for (int i = 0; i < N_SIGNALS; i++) {
        trace->signals[i] = calloc(trace->n, sizeof *trace->signals[i]);
        good &= trace->signals[i] != NULL;
    }
    trace->acted = calloc(trace->n, sizeof *trace->acted);
    return good && trace->acted;
}

int experiment_trace_read(struct experiment_trace *trace, bool by_windows, struct dpl_diag *reterr)
{
    struct table table;
    struct dpl_place place = {.file = trace->file};
    if (!prepare(trace)) {
        return dpl_fail(reterr, -ENOMEM, place, "no memory");
    }
    int r = table_read(trace->file, &table, reterr);
    if (r < 0) {
        return r;
    }
    r = read_all(trace, &table, reterr);
    table_finish(&table);
    return r == 0 ? derive(trace, by_windows, reterr) : r;
}

void experiment_trace_finish(struct experiment_trace *trace)
{
    for (int i = 0; i < N_SIGNALS; i++) {
        free(trace->signals[i]);
        trace->signals[i] = NULL;
    }
    free(trace->acted);
    trace->acted = NULL;
}
