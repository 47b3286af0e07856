/* SPDX-License-Identifier: Apache-2.0 */
/* What the kinematics of the hexaslide cost along a motion sampled at 1.6 kHz: inverse, forward by
 * JFMD and by Newton, each starting at the last pose and at the extrapolated one. The row to beat:
 * the paper's 50 us a solve. Times of single solves include the clock's own; the mean of a whole
 * run does not. Prints, and judges nothing but the answers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <doppel/math/geometry.h>

#include "hexa_fk.h"
#include "hexa_ik.h"

#define N_SOLVES 200000
#define N_ROUNDS 5
#define RATE_HZ  1600.0
#define PAPER_NS 50e3
#define ERROR_M  1e-9

static double poses[N_SOLVES][DPL_SIX];
static double sliders[N_SOLVES][DPL_AXES_N];
static double times[N_SOLVES];

static const struct contender {
    const char *name;
    dpl_hexa_fk_solver *solver; /* NULL: the inverse */
    bool extrapolate;
    double target_ns; /* of p50, clock included; 0: none */
} contenders[] = {
    {"IK", NULL, false, 80.0},
    {"JFMD, warm", dpl_hexa_fk_jfmd, false, 0.0},
    {"JFMD, warm + extrapolation", dpl_hexa_fk_jfmd, true, 1000.0},
    {"Newton, warm", dpl_hexa_fk_newton, false, 0.0},
    {"Newton, warm + extrapolation", dpl_hexa_fk_newton, true, 400.0},
};
#define N_CONTENDERS (sizeof contenders / sizeof contenders[0])

struct figures {
    double mean_ns, p50_ns, p99_ns, iterations, worst_error;
    int most_iterations, failures;
};

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Sines of 1.3 to 3 Hz, half of each half-range. */
static void move(void)
{
    const struct dpl_hexa_geometry *g = &dpl_hexa_reference;
    for (int k = 0; k < N_SOLVES; k++) {
        for (int j = 0; j < DPL_SIX; j++) {
            double hz = 1.3 + 0.34 * j;
            double angle = 2.0 * DPL_PI * hz * k / RATE_HZ + j;
            poses[k][j] = g->home[j] + 0.5 * g->half_range[j] * sin(angle);
        }
        if (dpl_hexa_ik(g, poses[k], sliders[k]) != 0) {
            fprintf(stderr, "bench_hexaslide: the motion leaves the workspace\n");
            exit(1);
        }
    }
}

static struct dpl_hexa_tracker start(const struct contender *contender)
{
    struct dpl_hexa_tracker tracker;
    dpl_hexa_tracker_init(&tracker, &dpl_hexa_reference);
    dpl_hexa_tracker_restart(&tracker, poses[0]);
    tracker.solver = contender->solver;
    tracker.extrapolate = contender->extrapolate;
    return tracker;
}

/* One solve; `ret_answer` is the sliders for the inverse, the pose else. */
static int solve(const struct contender *contender, struct dpl_hexa_tracker *tracker, int k,
                 double *ret_answer)
{
    return contender->solver ? dpl_hexa_tracker_step(tracker, sliders[k], ret_answer)
                             : dpl_hexa_ik(&dpl_hexa_reference, poses[k], ret_answer);
}

static double run_whole(const struct contender *contender, int *failures)
{
    struct dpl_hexa_tracker tracker = start(contender);
    double answer[DPL_SIX];
    double begun = now_ns();
    for (int k = 0; k < N_SOLVES; k++) {
        *failures += solve(contender, &tracker, k, answer) != 0;
    }
    return (now_ns() - begun) / N_SOLVES;
}

/* What two readings of the clock in a row take, which is in each p50 and p99. */
static double clock_cost_ns(void)
{
    double least = 1e99;
    for (int k = 0; k < 10000; k++) {
        double begun = now_ns();
        least = fmin(least, now_ns() - begun);
    }
    return least;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run_single(const struct contender *contender, struct figures *figures)
{
    struct dpl_hexa_tracker tracker = start(contender);
    double iterations = 0.0;
    for (int k = 0; k < N_SOLVES; k++) {
        double answer[DPL_SIX] = {0.0};
        double begun = now_ns();
        figures->failures += solve(contender, &tracker, k, answer) != 0;
        times[k] = now_ns() - begun;
        const double *truth = contender->solver ? poses[k] : sliders[k];
        for (int j = 0; j < DPL_SIX; j++) {
            figures->worst_error = fmax(figures->worst_error, fabs(answer[j] - truth[j]));
        }
        iterations += tracker.report.iterations;
        if (tracker.report.iterations > figures->most_iterations) {
            figures->most_iterations = tracker.report.iterations;
        }
    }
    figures->iterations = iterations / N_SOLVES;
    qsort(times, N_SOLVES, sizeof times[0], by_size);
    figures->p50_ns = fmin(figures->p50_ns, times[N_SOLVES / 2]);
    figures->p99_ns = fmin(figures->p99_ns, times[N_SOLVES / 100 * 99]);
}

static void print_row(const struct contender *contender, const struct figures *f)
{
    printf("%-30s %8.0f %8.0f %8.0f", contender->name, f->mean_ns, f->p50_ns, f->p99_ns);
    printf("   %5.2f %3d", f->iterations, f->most_iterations);
    printf("   %8.1e %9.0f", f->worst_error, PAPER_NS / f->mean_ns);
    if (contender->target_ns > 0.0) {
        bool met = f->p50_ns <= contender->target_ns;
        printf("   target %.0f ns: %s", contender->target_ns, met ? "met" : "not met");
    }
    printf("\n");
}

int main(void)
{
    struct figures figures[N_CONTENDERS];
    move();
    for (size_t i = 0; i < N_CONTENDERS; i++) {
        figures[i] = (struct figures){.mean_ns = 1e99, .p50_ns = 1e99, .p99_ns = 1e99};
    }
    for (int round = 0; round < N_ROUNDS; round++) { /* taking turns: a burst of load hits all */
        for (size_t i = 0; i < N_CONTENDERS; i++) {
            double mean = run_whole(&contenders[i], &figures[i].failures);
            figures[i].mean_ns = fmin(figures[i].mean_ns, mean);
            run_single(&contenders[i], &figures[i]);
        }
    }
    printf(
        "hexaslide, %d solves at 1.6 kHz, best of %d rounds; p50 and p99 hold %.0f ns of clock\n",
        N_SOLVES, N_ROUNDS, clock_cost_ns());
    printf("%-30s %8s %8s %8s   %9s   %8s %9s\n", "", "mean ns", "p50 ns", "p99 ns", "iterations",
           "error", "50us/mean");
    int bad = 0;
    for (size_t i = 0; i < N_CONTENDERS; i++) {
        print_row(&contenders[i], &figures[i]);
        bad += figures[i].failures + !(figures[i].worst_error <= ERROR_M);
    }
    return bad == 0 ? 0 : 1;
}
