/* SPDX-License-Identifier: Apache-2.0 */
/* transparency_realign: checks whether the planner returns to its reference after an overload. A
 * grid of sines, each with a given part of the acceleration limit, with an impulse, a step, a spike
 * or a gap, as a page. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "frame.h"
#include "realign_run.h"

#define COUNT(array_) (sizeof(array_) / sizeof((array_)[0]))

struct grid {
    const double *hz, *share;
    size_t n_hz, n_share;
    int n_phases; /* of the sine at the start of the event; the worst of them counts */
    bool published;
    int n_run, n_not_met;
};

static const double all_hz[] = {0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 7.0};
static const double all_shares[] = {0.05, 0.1, 0.3, 0.5, 0.7, 0.79};
static const double few_hz[] = {0.2, 2.0, 7.0};
static const double few_shares[] = {0.1, 0.3, 0.79};

static const struct realign_event events[] = {
    {"blow of 1500 N and 20 ms, 3 Hz model", REALIGN_BLOW, 1500.0, 3.0, 8},
    {"blow of 1500 N and 20 ms, 1 Hz model", REALIGN_BLOW, 1500.0, 1.0, 8},
    {"blow of 600 N and 20 ms, 6 Hz model", REALIGN_BLOW, 600.0, 6.0, 8},
    {"step of 50 mm", REALIGN_STEP, 0.05, 0.0, 0},
    {"spike of 50 mm, one sample", REALIGN_SPIKE, 0.05, 0.0, 1},
    {"no reference for 25 ms", REALIGN_DROPOUT, 0.0, 0.0, 10},
    {"no reference for 500 ms", REALIGN_DROPOUT, 0.0, 0.0, 200},
    {"reference 0 for 500 ms", REALIGN_ZERO, 0.0, 0.0, 200},
};

/* The worst of all phases. Returns 0 or a negative errno. */
static int run_cell(struct grid *grid, const struct realign_event *event, double hz, double share,
                    struct realign_result *ret_worst, bool *ret_met)
{
    struct realign_result worst = {0};
    bool met = true;
    for (int p = 0; p < grid->n_phases; p++) {
        struct realign_case what = {hz, share, p / (double)grid->n_phases, event, grid->published};
        struct realign_result one;
        int r = realign_run(&what, &one);
        if (r < 0) {
            return r;
        }
        met &= realign_met(&one);
        grid->n_run++;
        grid->n_not_met += !realign_met(&one);
        realign_worst(&worst, &one);
    }
    *ret_worst = worst;
    *ret_met = met;
    return 0;
}

static void print_head(const struct grid *grid, const struct realign_event *event)
{
    printf("\n## %s\n\n| Hz |", event->name);
    for (size_t s = 0; s < grid->n_share; s++) {
        printf(" %g %% |", 100.0 * grid->share[s]);
    }
    printf(" gain, dB | delay, ms | deviation, mm |\n|---|");
    for (size_t s = 0; s < grid->n_share + 3; s++) {
        printf("---|");
    }
    printf("\n");
}

/* A time, together with the shortest possible time if that is long. */
static void print_cell(const struct realign_result *worst, bool met)
{
    printf(" %.2f%s", worst->aligned_s, met ? "" : " NOT MET");
    if (met && worst->deadline_s > REALIGN_DEADLINE_S) {
        printf(" (possible: %.2f)", worst->least_s);
    }
    printf(" |");
}

static int run_row(struct grid *grid, const struct realign_event *event, double hz)
{
    struct realign_result row = {0};
    printf("| %g |", hz);
    for (size_t s = 0; s < grid->n_share; s++) {
        struct realign_result cell;
        bool met;
        int r = run_cell(grid, event, hz, grid->share[s], &cell, &met);
        if (r < 0) {
            return r;
        }
        print_cell(&cell, met);
        realign_worst(&row, &cell);
    }
    printf(" %.3f | %.3f | %.2f |\n", fabs(row.gain_db), fabs(row.delay_ms), 1e3 * row.deviation);
    return 0;
}

static const char intro[] =
    "# After an overload\n\n"
    "A sine along x takes a part of the acceleration limit; then comes what the planner cannot "
    "follow. How many seconds after the end of that are all\nposes the references again, bit by "
    "bit? The longest of %d phases of the sine.\n\n"
    "- The limit is 10 m/s2. Where such a sine would leave the workspace (up to 1 or 1.5 Hz), its "
    "amplitude is 90 mm, the limit what the share makes\n  of that, and forces and ways of the "
    "event are smaller in proportion.\n"
    "- In time is 2 s, or half as much again as whoever knew the reference beforehand would need, "
    "if that is later; then it stands beside (possible).\n"
    "- Gain and delay: pose over reference from then on, the greatest of the row; in time is %g dB "
    "and %g ms.\n"
    "- Deviation: from the motion that is wanted, the greatest from the begin of the event on.\n\n"
    "    build/tests/experiments/transparency/transparency_realign%s\n";

static int run_grid(struct grid *grid)
{
    printf(intro, grid->n_phases, REALIGN_GAIN_DB, REALIGN_DELAY_MS,
           grid->published ? " --published" : "");
    for (size_t e = 0; e < COUNT(events); e++) {
        print_head(grid, &events[e]);
        for (size_t f = 0; f < grid->n_hz; f++) {
            int r = run_row(grid, &events[e], grid->hz[f]);
            if (r < 0) {
                fprintf(stderr, "transparency_realign: could not compute: %s\n", strerror(-r));
                return r;
            }
        }
    }
    printf("\n%d overloads, %d not in time\n", grid->n_run, grid->n_not_met);
    return 0;
}

struct values {
    struct rows rows;
    bool published;
};

static const struct option options[] = {
    {"quick", NULL, OPTION_FLAG, offsetof(struct rows, quick), 0, 0, "a part of the grid", NULL},
    {"published", NULL, OPTION_FLAG, offsetof(struct values, published), 0, 0,
     "the planner without feed-forward of the reference's acceleration: it does not come back",
     NULL},
};

static const struct command command = {
    .name = "transparency_realign",
    .is_program = true,
    .summary = "checks whether the planner comes back in time after an overload",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
};

int main(int argc, char **argv)
{
    struct values values = {0};
    struct grid grid = {all_hz, all_shares, COUNT(all_hz), COUNT(all_shares), 8, false, 0, 0};
    int code = rows_options(&command, argc, argv, &values);
    if (code >= 0) {
        return code;
    }
    if (asked->quick) {
        grid = (struct grid){few_hz, few_shares, COUNT(few_hz), COUNT(few_shares), 3, false, 0, 0};
    }
    grid.published = values.published;
    int r = run_grid(&grid);
    return r == 0 && grid.n_not_met == 0 ? 0 : 1;
}
