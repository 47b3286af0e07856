/* SPDX-License-Identifier: Apache-2.0 */
#include "log_stamps.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW    20
#define LEAST     (3 * WINDOW)
#define SKIP      0.6 /* turns: arrivals that are all late by more have missed a turn */
#define LATE      0.7 /* turns */
#define LATE_PART 0.9

static int compare(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* The time of a turn: the median over spans of WINDOW arrivals, so that missed turns and late
 * arrivals do not count. */
static double turn_of(const dpl_ns *arrivals, size_t n, double *scratch)
{
    for (size_t i = 0; i + WINDOW < n; i++) {
        scratch[i] = (double)(arrivals[i + WINDOW] - arrivals[i]) / WINDOW;
    }
    qsort(scratch, n - WINDOW, sizeof *scratch, compare);
    return scratch[(n - WINDOW) / 2];
}

static double least(const double *values, size_t from, size_t end)
{
    double found = (double)INFINITY;
    for (size_t i = from; i < end; i++) {
        found = fmin(found, values[i]);
    }
    return found;
}

static size_t window_from(size_t i)
{
    return i > WINDOW ? i - WINDOW : 0;
}

static size_t window_end(size_t i, size_t n)
{
    return i + WINDOW < n ? i + WINDOW : n;
}

/* late[i]: of arrival i behind turn i. Where all that follow are later by a turn or more, turns
 * were missed: they are taken out. */
static void remove_missed(double *late, size_t n, double turn)
{
    double missed = 0.0;
    for (size_t i = 0; i < n; i++) {
        late[i] -= missed * turn; /* the rest of the window still has the turns missed here */
        double before = i > 0 ? least(late, window_from(i), i) : late[i];
        double from_here = fmin(late[i], least(late, i + 1, window_end(i, n)) - missed * turn);
        double skipped = i > 0 && from_here - before > SKIP * turn
                             ? fmax(1.0, round((from_here - before) / turn))
                             : 0.0;
        late[i] -= skipped * turn;
        missed += skipped;
    }
}

/* Whether an even turning explains the arrivals; `scratch` is overwritten. */
static bool is_even(const dpl_ns *arrivals, const dpl_ns *stamps, size_t n, double turn,
                    double *scratch)
{
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && stamps[i] <= stamps[i - 1]) {
            return false;
        }
        scratch[i] = (double)(arrivals[i] - stamps[i]);
    }
    qsort(scratch, n, sizeof *scratch, compare);
    return scratch[(size_t)(LATE_PART * (double)(n - 1))] <= LATE * turn;
}

static void place(const dpl_ns *arrivals, size_t n, double *late, double *scratch,
                  dpl_ns *ret_stamps)
{
    double turn = turn_of(arrivals, n, scratch);
    for (size_t i = 0; i < n; i++) {
        late[i] = (double)(arrivals[i] - arrivals[0]) - turn * (double)i;
    }
    remove_missed(late, n, turn);
    for (size_t i = 0; i < n; i++) {
        double earliest = least(late, window_from(i), window_end(i, n));
        ret_stamps[i] = arrivals[i] - (dpl_ns)llround(late[i] - earliest);
    }
    if (!is_even(arrivals, ret_stamps, n, turn, scratch)) {
        memcpy(ret_stamps, arrivals, n * sizeof *arrivals);
    }
}

int log_stamps_even(const dpl_ns *arrivals, size_t n, dpl_ns *ret_stamps)
{
    if (n < LEAST) {
        memcpy(ret_stamps, arrivals, n * sizeof *arrivals);
        return 0;
    }
    double *late = calloc(n, sizeof *late), *scratch = calloc(n, sizeof *scratch);
    if (late && scratch) {
        place(arrivals, n, late, scratch, ret_stamps);
    }
    int err = late && scratch ? 0 : -ENOMEM;
    free(late);
    free(scratch);
    return err;
}
