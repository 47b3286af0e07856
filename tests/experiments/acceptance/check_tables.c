/* SPDX-License-Identifier: Apache-2.0 */
/* Check B: single mismatches, scenario by scenario. Prints the RMS in mm of no synchronization, of
 * fig12, and of the default (its median, its worst seed), and the limit for the worst seed. */
#include "mismatch.h"
#include "report.h"
#include "scenarios.h"

#include <stdio.h>

#define MAX_SEEDS 12

static const enum method methods[] = {METHOD_NONE, METHOD_FIG12_ACCUMULATE, METHOD_ADAPTIVE};
enum { N_COMPARED = sizeof methods / sizeof methods[0] };

/* Worst RMS in mm of one scenario for each set of the tables. */
struct table_limit {
    double period_s;
    enum scenario_id scenario;
    double worst_rms[N_TABLE_MISMATCHES];
};

/* From the specification; they are never changed. Columns: slow8, fast8, asym, lag, mix, rand. */
static const struct table_limit table_limits[] = {
    {0.100, SCENARIO_STRAIGHT, {10, 15, 15, 25, 20, 20}},
    {0.100, SCENARIO_PROFILE, {10, 10, 10, 10, 10, 10}},
    {0.100, SCENARIO_ARC, {15, 15, 15, 15, 20, 15}},
    {0.100, SCENARIO_SCURVE, {10, 10, 10, 15, 15, 15}},
    {0.100, SCENARIO_STOPGO, {15, 10, 15, 30, 20, 30}},
    {0.100, SCENARIO_REVERSE, {10, 10, 10, 20, 15, 15}},
    {0.100, SCENARIO_SQUARE, {15, 15, 15, 25, 15, 15}},
    {0.100, SCENARIO_OFFSET, {10, 10, 10, 15, 10, 10}},
    {0.100, SCENARIO_SLIP_PATCH, {25, 25, 20, 40, 50, 20}},
    {0.100, SCENARIO_RANDOM, {15, 10, 15, 30, 30, 15}},
    {0.100, SCENARIO_OUTAGE, {10, 15, 20, 20, 20, 20}},
    {0.100, SCENARIO_REAL_BLOCK, {25, 20, 20, 35, 30, 30}},
    {0.020, SCENARIO_STRAIGHT, {10, 10, 15, 15, 15, 15}},
    {0.020, SCENARIO_PROFILE, {10, 10, 10, 10, 10, 10}},
    {0.020, SCENARIO_ARC, {10, 10, 10, 15, 15, 20}},
    {0.020, SCENARIO_SCURVE, {10, 10, 10, 10, 10, 10}},
    {0.020, SCENARIO_STOPGO, {15, 10, 10, 25, 20, 20}},
    {0.020, SCENARIO_REVERSE, {10, 10, 10, 15, 10, 10}},
    {0.020, SCENARIO_SQUARE, {10, 10, 10, 20, 15, 15}},
    {0.020, SCENARIO_OFFSET, {10, 10, 10, 15, 10, 15}},
    {0.020, SCENARIO_SLIP_PATCH, {20, 15, 20, 20, 15, 15}},
    {0.020, SCENARIO_RANDOM, {10, 10, 10, 30, 40, 10}},
    {0.020, SCENARIO_OUTAGE, {10, 15, 10, 20, 15, 15}},
    {0.020, SCENARIO_REAL_BLOCK, {15, 15, 15, 30, 20, 20}},
};
enum { N_TABLE_LIMITS = sizeof table_limits / sizeof table_limits[0] };

struct row {
    struct run_spec specs[N_TABLE_MISMATCHES * N_COMPARED * MAX_SEEDS];
    struct run_result results[N_TABLE_MISMATCHES * N_COMPARED * MAX_SEEDS];
};

static size_t place(size_t mismatch, size_t method, size_t seed, size_t n_seeds)
{
    return (mismatch * N_COMPARED + method) * n_seeds + seed;
}

static void fill(struct row *row, const struct table_limit *limit, size_t n_seeds)
{
    for (size_t i = 0; i < N_TABLE_MISMATCHES * N_COMPARED * n_seeds; i++) {
        row->specs[i] = (struct run_spec){
            .mismatch = (enum mismatch_id)(i / n_seeds / N_COMPARED),
            .scenario = limit->scenario,
            .method = methods[i / n_seeds % N_COMPARED],
            .period_s = limit->period_s,
            .seed = 1 + i % n_seeds,
        };
    }
}

static double quantile_mm(const struct row *row, size_t first, size_t n_seeds, double part)
{
    double rms[MAX_SEEDS];
    for (size_t i = 0; i < n_seeds; i++) {
        rms[i] = 1e3 * row->results[first + i].rms;
    }
    return rows_quantile(rms, n_seeds, part);
}

static void print_cell(const struct row *row, const struct table_limit *limit, size_t mismatch,
                       size_t n_seeds)
{
    double none = quantile_mm(row, place(mismatch, 0, 0, n_seeds), n_seeds, 0.5);
    double fig12 = quantile_mm(row, place(mismatch, 1, 0, n_seeds), n_seeds, 0.5);
    double ours = quantile_mm(row, place(mismatch, 2, 0, n_seeds), n_seeds, 0.5);
    double worst = quantile_mm(row, place(mismatch, 2, 0, n_seeds), n_seeds, 1.0);
    const char *verdict = row_count(worst <= limit->worst_rms[mismatch]);
    printf(" | %3.0f /%4.0f /%5.1f (%4.1f) %2.0f %-4s", none, fig12, ours, worst,
           limit->worst_rms[mismatch], verdict);
}

static void check_row(const struct table_limit *limit)
{
    static struct row row;
    int wanted = limit->period_s > 0.05 ? 12 : 6;
    size_t n_seeds = (size_t)report_seeds(wanted, 1);
    n_seeds = n_seeds > MAX_SEEDS ? MAX_SEEDS : n_seeds;
    fill(&row, limit, n_seeds);
    report_run(row.specs, N_TABLE_MISMATCHES * N_COMPARED * n_seeds, row.results);
    printf("  %-10s", scenarios[limit->scenario].name);
    for (size_t m = 0; m < N_TABLE_MISMATCHES; m++) {
        print_cell(&row, limit, m, n_seeds);
    }
    printf("\n");
    fflush(stdout);
}

static void print_head(double period_s)
{
    printf(
        "B  %.0f ms: none / fig12 / adaptive (worst seed), limit of the worst; RMS in mm\n  %10s",
        1e3 * period_s, "");
    for (size_t m = 0; m < N_TABLE_MISMATCHES; m++) {
        printf(" | %-32s", mismatch_names[m]);
    }
    printf("\n");
}

void check_tables()
{
    double period = 0.0;
    for (int i = 0; i < N_TABLE_LIMITS; i++) {
        if (table_limits[i].period_s < period || i == 0) {
            print_head(table_limits[i].period_s);
        }
        period = table_limits[i].period_s;
        check_row(&table_limits[i]);
    }
}
