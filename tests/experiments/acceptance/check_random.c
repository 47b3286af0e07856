/* SPDX-License-Identifier: Apache-2.0 */
/* Check A: random mismatches that were not used for tuning, in all regular scenarios. */
#include "mismatch.h"
#include "report.h"
#include "scenarios.h"

#include <stdio.h>
#include <stdlib.h>

#define FIRST_SEED 5001 /* far from the seeds of the tables, which were used for tuning */
#define N_SEEDS    30

static const enum method methods[] = {METHOD_ADAPTIVE, METHOD_NONE, METHOD_FIG12_ACCUMULATE,
                                      METHOD_FIG12_RESET};
enum { N_COMPARED = sizeof methods / sizeof methods[0] };

/* Over all runs of one set at one period: mm, degrees, and ratios of pooled RMS. */
struct random_limit {
    enum mismatch_id mismatch;
    double period_s;
    double median_rms, p95_rms, worst_rms, worst_max, worst_heading_rms, over_none, over_fig12;
};

/* From the specification; they are never changed. */
static const struct random_limit random_limits[] = {
    {MISMATCH_RAND, 0.100, 8, 16, 25, 90, 4, 0.06, 0.12},
    {MISMATCH_RAND, 0.020, 6, 13, 20, 75, 4, 0.05, 0.10},
    {MISMATCH_RAND, 0.010, 6, 13, 20, 75, 4, 0.05, 0.10}, /* as for 20 ms */
    {MISMATCH_HARD, 0.100, 14, 30, 60, 200, 12, 0.08, 0.25},
    {MISMATCH_HARD, 0.020, 10, 25, 50, 200, 12, 0.06, 0.20},
    {MISMATCH_HARD, 0.010, 10, 25, 50, 200, 12, 0.06, 0.20},
};
enum { N_RANDOM_LIMITS = sizeof random_limits / sizeof random_limits[0] };

struct cell {
    size_t n;
    struct run_spec *specs;     /* n x N_COMPARED, the methods of a run are adjacent */
    struct run_result *results; /* the same order */
    double *rms;
};

struct cell_summary {
    double worst_rms, worst_max, worst_heading, square, square_none, square_fig12;
    int worse_than_fig12, worse_than_none;
    unsigned fallback_ticks, ticks;
};

static void fill(struct cell *cell, const struct random_limit *limit)
{
    for (size_t i = 0; i < cell->n * N_COMPARED; i++) {
        size_t run = i / N_COMPARED;
        cell->specs[i] = (struct run_spec){
            .mismatch = limit->mismatch,
            .scenario = (enum scenario_id)(run % N_REGULAR_SCENARIOS),
            .method = methods[i % N_COMPARED],
            .period_s = limit->period_s,
            .seed = FIRST_SEED + run / N_REGULAR_SCENARIOS,
        };
    }
}

static void add_run(struct cell_summary *sum, const struct run_result *results)
{
    const struct run_result *ours = &results[0];
    double fig12 = fmin(results[2].rms, results[3].rms), none = results[1].rms;
    sum->worst_rms = fmax(sum->worst_rms, ours->rms);
    sum->worst_max = fmax(sum->worst_max, ours->max);
    sum->worst_heading = fmax(sum->worst_heading, ours->heading_rms);
    sum->square += ours->rms * ours->rms;
    sum->square_none += none * none;
    sum->square_fig12 += fig12 * fig12;
    sum->worse_than_fig12 += ours->rms > fig12;
    sum->worse_than_none += none > 0.030 && ours->rms > none;
    sum->fallback_ticks += ours->fallback_ticks;
    sum->ticks += ours->ticks;
}

static void check_sums(const struct random_limit *limit, struct cell *cell,
                       const struct cell_summary *sum)
{
    row_at_most("median RMS", 1e3 * rows_quantile(cell->rms, cell->n, 0.5), limit->median_rms,
                "mm");
    row_at_most("95th percentile of RMS", 1e3 * rows_quantile(cell->rms, cell->n, 0.95),
                limit->p95_rms, "mm");
    row_at_most("worst RMS", 1e3 * sum->worst_rms, limit->worst_rms, "mm");
    row_at_most("worst maximum", 1e3 * sum->worst_max, limit->worst_max, "mm");
    row_at_most("worst heading RMS", dpl_rad_to_deg(sum->worst_heading), limit->worst_heading_rms,
                "deg");
    row_at_most("pooled RMS over no synchronization", sqrt(sum->square / sum->square_none),
                limit->over_none, "");
    row_at_most("pooled RMS over the better fig12", sqrt(sum->square / sum->square_fig12),
                limit->over_fig12, "");
    row_at_most("runs worse than the better fig12", sum->worse_than_fig12, 0.0, "");
    row_at_most("runs worse than no synchronization above 30 mm", sum->worse_than_none, 0.0, "");
}

static void check_cell(const struct random_limit *limit)
{
    int seeds = report_seeds(N_SEEDS, 2);
    struct cell cell = {.n = (size_t)seeds * N_REGULAR_SCENARIOS};
    cell.specs = calloc(cell.n * N_COMPARED, sizeof *cell.specs);
    cell.results = calloc(cell.n * N_COMPARED, sizeof *cell.results);
    cell.rms = calloc(cell.n, sizeof *cell.rms);
    if (cell.specs && cell.results && cell.rms) {
        struct cell_summary sum = {0};
        fill(&cell, limit);
        report_run(cell.specs, cell.n * N_COMPARED, cell.results);
        for (size_t i = 0; i < cell.n; i++) {
            cell.rms[i] = cell.results[i * N_COMPARED].rms;
            add_run(&sum, &cell.results[i * N_COMPARED]);
        }
        printf("A  %s, %.0f ms: %zu runs (%.2f %% of the ticks on the fallback)\n",
               mismatch_names[limit->mismatch], 1e3 * limit->period_s, cell.n,
               100.0 * sum.fallback_ticks / sum.ticks);
        check_sums(limit, &cell, &sum);
    } else {
        row_count(false);
        fprintf(stderr, "sync_acceptance: out of memory\n");
    }
    free(cell.specs);
    free(cell.results);
    free(cell.rms);
}

void check_random()
{
    for (int i = 0; i < N_RANDOM_LIMITS; i++) {
        check_cell(&random_limits[i]);
        fflush(stdout);
    }
}
