/* SPDX-License-Identifier: Apache-2.0 */
/* What a lock-step controller in a process of its own costs. argv[1]: the file of a world; argv[2]
 * and argv[3]: a sensor and a command of it. First as fast as possible: time of a step with the
 * controller and without. Then in real time: steps that were late. Times are of the clock and want
 * an idle machine. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "controllers.h"
#include "doppel_hil.h"

enum { N_STEPS = 20000, N_SECONDS = 10 };

extern char **environ;

/* ---- the controller, in a process of its own ---- */

static int control(char **argv)
{
    struct doppel_hil_options options = {
        .port = (uint16_t)atoi(argv[2]), .name = "bench", .lock_step = 1, .timeout_ms = 10000};
    struct doppel_hil *hil = doppel_hil_connect(&options);
    int sensor = doppel_hil_sensor(hil, argv[3], NULL);
    int command = doppel_hil_command(hil, argv[4], NULL);
    doppel_hil_begin(hil);
    while (doppel_hil_wait(hil, -1) > 0) {
        doppel_hil_set(hil, command, 0, 1e-3 * doppel_hil_get(hil, sensor, 0));
        doppel_hil_send(hil);
    }
    int code = doppel_hil_code(hil);
    if (code != DOPPEL_HIL_ENDED) {
        fprintf(stderr, "controller: %s\n", doppel_hil_error(hil));
    }
    doppel_hil_close(hil);
    return code != DOPPEL_HIL_ENDED;
}

/* ---- the world ---- */

struct bench {
    struct hosted_world *world;
    struct controllers *controllers;
    pid_t pid; /* of the controller */
};

static void stop_if(int err, const struct dpl_diag *error)
{
    if (err < 0) {
        dpl_diag_print(stderr, error);
        exit(1);
    }
}

static void begin(struct bench *bench, char **argv, bool controlled)
{
    struct dpl_sim_load_options load = {.has_seed = true, .seed = 1};
    struct controllers_options options = {0};
    struct dpl_diag error = {0};
    char port[8];
    *bench = (struct bench){0};
    stop_if(hosted_world_create(argv[1], &load, &bench->world, &error), &error);
    stop_if(hosted_world_allow_control(bench->world), &error);
    stop_if(controllers_create(bench->world, &options, &bench->controllers, &error), &error);
    if (!controlled) {
        return;
    }
    snprintf(port, sizeof port, "%u", bench->controllers->port);
    char verb[] = "--control";
    char *words[] = {argv[0], verb, port, argv[2], argv[3], NULL};
    if (posix_spawn(&bench->pid, "/proc/self/exe", NULL, NULL, words, environ) != 0) {
        exit(1);
    }
    while (atomic_load(&bench->controllers->counts.joined) == 0) {
        usleep(1000);
    }
}

static int end(struct bench *bench)
{
    int status = 0;
    controllers_destroy(bench->controllers);
    hosted_world_destroy(bench->world);
    if (bench->pid > 0) {
        waitpid(bench->pid, &status, 0);
    }
    return status;
}

static int compare(const void *a, const void *b)
{
    dpl_ns x = *(const dpl_ns *)a, y = *(const dpl_ns *)b;
    return (x > y) - (x < y);
}

/* Median time of a step; prints how they spread. */
static double run_fast(char **argv, bool controlled, int *inout_failed)
{
    static dpl_ns took[N_STEPS];
    struct bench bench;
    double sum = 0.0;
    begin(&bench, argv, controlled);
    dpl_ns step = bench.world->model->step;
    for (int i = 0; i < N_STEPS; i++) {
        dpl_ns start = dpl_monotonic_now();
        hosted_world_advance(bench.world, (i + 1) * step);
        took[i] = dpl_monotonic_now() - start;
        sum += (double)took[i];
    }
    *inout_failed |= end(&bench) != 0;
    qsort(took, N_STEPS, sizeof took[0], compare);
    printf("  %-28s mean %7.2f us, median %7.2f, 99 %% %7.2f, most %8.2f; %.0f steps/s\n",
           controlled ? "step with the controller" : "step without", 1e-3 * sum / N_STEPS,
           1e-3 * (double)took[N_STEPS / 2], 1e-3 * (double)took[N_STEPS * 99 / 100],
           1e-3 * (double)took[N_STEPS - 1], 1e9 * N_STEPS / sum);
    return (double)took[N_STEPS / 2];
}

static void run_real_time(char **argv, bool controlled, int *inout_failed)
{
    struct bench bench;
    struct dpl_diag error = {0};
    begin(&bench, argv, controlled);
    stop_if(hosted_world_start(bench.world, dpl_monotonic_now(), &error), &error);
    sleep(N_SECONDS);
    hosted_world_stop(bench.world);
    struct dpl_sim_loop_status status = *hosted_status(&bench.world->status);
    printf("  in real time at %.0f Hz, %-20s %llu steps, %llu late, by %.3f ms at most; %llu "
           "time-outs\n",
           1e9 / (double)bench.world->model->step,
           controlled ? "with the controller:" : "alone:", (unsigned long long)status.step,
           (unsigned long long)status.late_steps, 1e-6 * (double)status.late_most,
           (unsigned long long)atomic_load(&bench.controllers->counts.time_outs));
    *inout_failed |= end(&bench) != 0;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "--control") == 0) {
        return control(argv);
    }
    if (argc != 4) {
        return 2;
    }
    int failed = 0;
    printf("lock-step controller, world '%s'\n", argv[1]);
    double alone = run_fast(argv, false, &failed), with = run_fast(argv, true, &failed);
    printf("  a round trip takes %.2f us (median)\n", 1e-3 * (with - alone));
    run_real_time(argv, false, &failed);
    run_real_time(argv, true, &failed);
    return failed;
}
