/* SPDX-License-Identifier: Apache-2.0 */
/* What the Localizer costs a scan in the office: microseconds of this thread from the call with a
 * scan to the end of the step that used it, over a drive; what diagnosis and the integrity monitor
 * add to it; and the longest step of a global search. Argument: the world. Prints, and judges
 * nothing. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "trial.h"

#define COMPARED 10

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print(const char *name, const struct trial *trial)
{
    struct trial_result r;
    trial_run(trial, 1, &r);
    printf("%-32s mean %6.0f us, worst step %6.0f us\n", name, r.scan_us, r.worst_us);
}

/* With diagnosis and without, in turn: the least of each is what the machine's other work changed
 * least. */
static void print_diagnosis(const char *name, struct trial trial)
{
    trial.commands = true;
    double with_us = (double)INFINITY, without_us = (double)INFINITY;
    struct trial_result r;
    for (int i = 0; i < COMPARED; i++) {
        trial.no_diagnosis = false;
        trial_run(&trial, 1, &r);
        with_us = fmin(with_us, r.scan_us);
        trial.no_diagnosis = true;
        trial_run(&trial, 1, &r);
        without_us = fmin(without_us, r.scan_us);
    }
    printf("%-32s mean %6.0f us with diagnosis, %6.0f us without, ratio %.3f\n", name, with_us,
           without_us, with_us / without_us);
}

int main(int argc, char **argv)
{
    struct trial trial;
    if (argc != 2) {
        fprintf(stderr, "usage: bench_localizer WORLD\n");
        return 2;
    }
    trial_init(&trial);
    trial.world = argv[1];
    trial.cpu_now = cpu_now;
    trial.seconds = 30.0;
    print("682 beams, one instant", &trial);
    print_diagnosis("682 beams, one instant", trial);
    trial.judged = true;
    print("the same with integrity monitor", &trial);
    trial.judged = false;
    trial.faults.n_beams = 171;
    print("171 beams, one instant", &trial);
    print_diagnosis("171 beams, one instant", trial);
    trial.faults.n_beams = ROBOT_BEAMS_MAX;
    trial.faults.revolution_s = trial.known_revolution_s = 0.1;
    print("682 beams, turning laser", &trial);
    trial.search_at_start = true;
    trial.seconds = 10.0;
    print("682 beams, search at the start", &trial);
    return 0;
}
