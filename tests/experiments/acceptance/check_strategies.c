/* SPDX-License-Identifier: Apache-2.0 */
/* Check E: the strategies against each other, in draws that were not used for tuning. Prints for
 * each scenario the median RMS of all, the 95th percentile and the largest error of the two
 * trackers, and in how many draws `adaptive` is better than `kanayama`, as good, and worse. As good
 * (a tie) is an RMS that differs by less than 2 % or by less than 0.2 mm. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

#define FIRST_SEED 90001
#define N_SEEDS    10
#define TIE_PART   0.02
#define TIE_M      0.0002
#define N_WORST    12
#define MOST_WORSE 12.0 /* %; docs/design/synchronizer.md: none are wanted */

static const enum method methods[] = {METHOD_NONE, METHOD_FIG12_ACCUMULATE, METHOD_KANAYAMA,
                                      METHOD_ADAPTIVE};
enum { NONE, FIG12, KANAYAMA, ADAPTIVE, N_COMPARED };

static const enum mismatch_id sets[] = {
    MISMATCH_RAND,      MISMATCH_HARD, MISMATCH_OUTLIERS, MISMATCH_JUMP,        MISMATCH_LATE,
    MISMATCH_LATE_LIES, MISMATCH_FAST, MISMATCH_FOLLOW,   MISMATCH_FOLLOW_FAST,
};

static const enum scenario_id chosen[] = {
    SCENARIO_STRAIGHT, SCENARIO_PROFILE, SCENARIO_ARC,        SCENARIO_SCURVE, SCENARIO_STOPGO,
    SCENARIO_STOPS,    SCENARIO_REVERSE, SCENARIO_SQUARE,     SCENARIO_OFFSET, SCENARIO_SLIP_PATCH,
    SCENARIO_RANDOM,   SCENARIO_OUTAGE,  SCENARIO_REAL_BLOCK, SCENARIO_ROTATE,
};

static const double periods[] = {0.1, 0.02};

enum {
    N_SETS = sizeof sets / sizeof sets[0],
    N_CHOSEN = sizeof chosen / sizeof chosen[0],
    N_PERIODS = sizeof periods / sizeof periods[0],
};

struct draw {
    const struct run_spec *spec; /* of adaptive */
    double rms[N_COMPARED], max[N_COMPARED], seen[N_COMPARED];
    unsigned fallback_ticks, ticks;
};

struct table {
    size_t n_seeds, n; /* draws: by set, period, scenario, seed */
    struct run_spec *specs;
    struct run_result *results;
    struct draw *draws;
    double *values; /* scratch, one a draw */
};

enum comparison { BETTER, TIE, WORSE, N_COMPARISONS };

static const char *const comparison_names[N_COMPARISONS] = {"better", "tie", "worse"};

static enum comparison compare_trackers(const struct draw *draw)
{
    double more = draw->rms[ADAPTIVE] - draw->rms[KANAYAMA];
    if (fabs(more) < TIE_PART * draw->rms[KANAYAMA] || fabs(more) < TIE_M) {
        return TIE;
    }
    return more < 0.0 ? BETTER : WORSE;
}

static void fill(struct table *table)
{
    uint64_t first_seed = acceptance.first_seed > 0 ? (uint64_t)acceptance.first_seed : FIRST_SEED;
    for (size_t i = 0; i < table->n * N_COMPARED; i++) {
        size_t draw = i / N_COMPARED, cell = draw / table->n_seeds;
        table->specs[i] = (struct run_spec){
            .mismatch = sets[cell / N_CHOSEN / N_PERIODS],
            .scenario = chosen[cell % N_CHOSEN],
            .method = methods[i % N_COMPARED],
            .period_s = periods[cell / N_CHOSEN % N_PERIODS],
            .seed = first_seed + draw % table->n_seeds,
            .noise = (uint64_t)acceptance.noise,
        };
    }
}

static void collect(struct table *table)
{
    for (size_t i = 0; i < table->n; i++) {
        const struct run_result *results = &table->results[i * N_COMPARED];
        struct draw *draw = &table->draws[i];
        for (int m = 0; m < N_COMPARED; m++) {
            draw->rms[m] = results[m].rms;
            draw->max[m] = results[m].max;
            draw->seen[m] = results[m].seen_rms;
        }
        draw->spec = &table->specs[i * N_COMPARED + ADAPTIVE];
        draw->fallback_ticks = results[ADAPTIVE].fallback_ticks;
        draw->ticks = results[ADAPTIVE].ticks;
    }
}

/* Of n draws, in mm. */
static double rms_quantile(struct table *table, const struct draw *draws, size_t n, int method,
                           double part)
{
    for (size_t i = 0; i < n; i++) {
        table->values[i] = 1e3 * draws[i].rms[method];
    }
    return rows_quantile(table->values, n, part);
}

static double largest(const struct draw *draws, size_t n, int method)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, 1e3 * draws[i].max[method]);
    }
    return most;
}

static size_t count(const struct draw *draws, size_t n, enum comparison comparison)
{
    size_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += compare_trackers(&draws[i]) == comparison;
    }
    return sum;
}

static void print_row(struct table *table, const char *name, const struct draw *draws, size_t n)
{
    unsigned fallback = 0, ticks = 0;
    printf("E  %-11s", name);
    for (int m = 0; m < N_COMPARED; m++) {
        printf(" %7.1f", rms_quantile(table, draws, n, m, 0.5));
    }
    printf(" | %7.1f %7.1f", rms_quantile(table, draws, n, KANAYAMA, 0.95),
           rms_quantile(table, draws, n, ADAPTIVE, 0.95));
    printf(" | %7.0f %7.0f", largest(draws, n, KANAYAMA), largest(draws, n, ADAPTIVE));
    for (size_t i = 0; i < n; i++) {
        fallback += draws[i].fallback_ticks;
        ticks += draws[i].ticks;
    }
    printf(" | %4zu %4zu %4zu | %5.1f %%\n", count(draws, n, BETTER), count(draws, n, TIE),
           count(draws, n, WORSE), 100.0 * fallback / ticks);
}

static void print_set(struct table *table, size_t set, size_t period)
{
    size_t of_cell = table->n_seeds, of_set = of_cell * N_CHOSEN;
    const struct draw *draws = &table->draws[(set * N_PERIODS + period) * of_set];
    printf("E  %s, %.0f ms: RMS in mm of none, fig12, kanayama, adaptive | p95 | max of the last "
           "two | adaptive better, tie, worse | fallback\n",
           mismatch_names[sets[set]], 1e3 * periods[period]);
    for (size_t i = 0; i < N_CHOSEN; i++) {
        print_row(table, scenarios[chosen[i]].name, &draws[i * of_cell], of_cell);
    }
    print_row(table, "all", draws, of_set);
}

static int compare_excess(const void *a, const void *b)
{
    const struct draw *left = a, *right = b;
    double x = left->rms[ADAPTIVE] / left->rms[KANAYAMA];
    double y = right->rms[ADAPTIVE] / right->rms[KANAYAMA];
    return (x < y) - (x > y);
}

static void print_draw(const struct draw *draw)
{
    double k = 1e3 * draw->rms[KANAYAMA], a = 1e3 * draw->rms[ADAPTIVE];
    printf("E  %s: %s %s %.0f ms seed %llu: adaptive %.2f, kanayama %.2f mm, %+.2f mm, %+.1f %%\n",
           comparison_names[compare_trackers(draw)], mismatch_names[draw->spec->mismatch],
           scenarios[draw->spec->scenario].name, 1e3 * draw->spec->period_s,
           (unsigned long long)draw->spec->seed, a, k, a - k, 100.0 * (a / k - 1.0));
}

/* How much worse the draws are that are worse: they come first in `draws`, sorted. */
static void print_excess(struct table *table, size_t worse)
{
    if (worse == 0) {
        return;
    }
    for (size_t i = 0; i < worse; i++) {
        table->values[i] = 1e3 * (table->draws[i].rms[ADAPTIVE] - table->draws[i].rms[KANAYAMA]);
    }
    double mm = rows_quantile(table->values, worse, 0.5);
    double most_mm = rows_quantile(table->values, worse, 1.0);
    for (size_t i = 0; i < worse; i++) {
        table->values[i] =
            100.0 * (table->draws[i].rms[ADAPTIVE] / table->draws[i].rms[KANAYAMA] - 1.0);
    }
    printf("E  worse by: median %.2f mm, %.1f %%; 95th percentile %.1f %%; most %.2f mm, %.1f %%\n",
           mm, rows_quantile(table->values, worse, 0.5), rows_quantile(table->values, worse, 0.95),
           most_mm, rows_quantile(table->values, worse, 1.0));
}

/* Whether a choice of the tracker by what the poses say, with the whole run known, would choose the
 * one that is truly better: no comparison within a run can know more. */
static void print_oracle(const struct draw *draws, size_t n)
{
    size_t right[N_COMPARISONS] = {0}, all[N_COMPARISONS] = {0};
    for (size_t i = 0; i < n; i++) {
        enum comparison truth = compare_trackers(&draws[i]);
        bool kanayama = draws[i].seen[KANAYAMA] < draws[i].seen[ADAPTIVE];
        all[truth]++;
        right[truth] += kanayama == (truth == WORSE);
    }
    printf("E  the poses know: kanayama in %zu of the %zu worse draws, adaptive in %zu of the %zu "
           "better ones\n",
           right[WORSE], all[WORSE], right[BETTER], all[BETTER]);
}

/* Sorts the draws, the worst first: the last thing that is done with them. */
static void print_verdict(struct table *table, bool all)
{
    size_t n = table->n, worse = 0, shown = all ? n : N_WORST;
    printf("E  of %zu draws: adaptive better in %zu, a tie in %zu, worse in %zu\n", n,
           count(table->draws, n, BETTER), count(table->draws, n, TIE),
           count(table->draws, n, WORSE));
    print_oracle(table->draws, n);
    qsort(table->draws, n, sizeof *table->draws, compare_excess);
    /* The order is that of the ratio, in which ties may be among the worse. */
    for (size_t i = 0; i < n; i++) {
        if (compare_trackers(&table->draws[i]) == WORSE) {
            struct draw one = table->draws[i];
            table->draws[i] = table->draws[worse];
            table->draws[worse++] = one;
        }
    }
    for (size_t i = 0; i < n && i < shown && (all || i < worse); i++) {
        print_draw(&table->draws[i]);
    }
    print_excess(table, worse);
}

static void compare(struct table *table)
{
    fill(table);
    report_run(table->specs, table->n * N_COMPARED, table->results);
    collect(table);
    for (size_t set = 0; set < N_SETS; set++) {
        for (size_t period = 0; period < N_PERIODS; period++) {
            print_set(table, set, period);
        }
    }
    double worse = (double)count(table->draws, table->n, WORSE) / (double)table->n;
    print_verdict(table, acceptance.list);
    row_at_most("draws in which adaptive is worse than kanayama", 100.0 * worse, MOST_WORSE, "%");
}

void check_strategies()
{
    struct table table = {.n_seeds = (size_t)report_seeds(N_SEEDS, 1)};
    table.n = table.n_seeds * N_CHOSEN * N_PERIODS * N_SETS;
    table.specs = calloc(table.n * N_COMPARED, sizeof *table.specs);
    table.results = calloc(table.n * N_COMPARED, sizeof *table.results);
    table.draws = calloc(table.n, sizeof *table.draws);
    table.values = calloc(table.n, sizeof *table.values);
    if (table.specs && table.results && table.draws && table.values) {
        compare(&table);
    } else {
        row_count(false);
        fprintf(stderr, "sync_acceptance: out of memory\n");
    }
    free(table.specs);
    free(table.results);
    free(table.draws);
    free(table.values);
}
