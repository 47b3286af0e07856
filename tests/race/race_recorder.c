/* SPDX-License-Identifier: Apache-2.0 */
/* Two executors record while the control thread writes and asks for the status: each row holds
 * values that belong together, and rows are written or counted as dropped. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "component.h"
#include "executor.h"
#include "log.h"
#include "recorder.h"
#include "runtime.h"
#include "scratch.h"

#define N_CYCLES 20000

struct state {
    int64_t a, b; /* equal at the end of each cycle */
};

static const struct dpl_field exports[] = {
    {.name = "a",
     .type = DPL_FIELD_INT,
     .flags = DPL_FIELD_TRACE | DPL_FIELD_STATUS,
     DPL_MEMBER(struct state, a)},
    {.name = "b",
     .type = DPL_FIELD_INT,
     .flags = DPL_FIELD_TRACE | DPL_FIELD_STATUS,
     DPL_MEMBER(struct state, b)},
};
static const struct dpl_component_class class_ = {
    .name = "Counter", .exports = exports, .n_exports = DPL_COUNT(exports)};
static const struct dpl_app app = {.name = "race", .n_components = 2};

static struct dpl_runtime runtime;
static struct state states[2];
static struct dpl__component components[2];
static struct dpl__executor executors[2];
static struct dpl__component *component_list[] = {&components[0], &components[1]};
static struct dpl__executor *executor_list[] = {&executors[0], &executors[1]};
static atomic_int n_finished;

static void on_status(void *user, const struct dpl_status *status)
{
}

static void *run_cycles(void *argument)
{
    struct dpl__executor *executor = argument;
    struct state *state = &states[executor - executors];
    for (int i = 0; i < N_CYCLES; i++) {
        state->a = i;
        state->b = i;
        dpl__recorder_cycle(runtime.recorder, executor, i * DPL_MS);
    }
    atomic_fetch_add(&n_finished, 1);
    return NULL;
}

static int create(const char *folder)
{
    runtime.app = &app;
    runtime.options.out_dir = folder;
    runtime.options.status = on_status;
    runtime.options.log = fopen("/dev/null", "w");
    runtime.components = component_list;
    runtime.executors = executor_list;
    runtime.n_executors = 2;
    for (int i = 0; i < 2; i++) {
        executors[i].name = "executor";
        executors[i].execution.period = (i + 1) * DPL_MS;
        components[i].self = (struct dpl_component){
            .name = i == 0 ? "A" : "B", .class_ = &class_, .state = &states[i]};
        components[i].runtime = &runtime;
        components[i].executor = &executors[i];
    }
    int r = dpl__log_create(&runtime);
    return r < 0 ? r : dpl__recorder_create(&runtime, NULL);
}

/* The number of rows, or -1 for a torn or misplaced one. */
static long check(const char *path)
{
    char line[200];
    long n = 0;
    long long last = -1;
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file)) {
        return -1;
    }
    while (fgets(line, sizeof line, file)) {
        double t;
        long long a, b, c, d;
        if (sscanf(line, "%lf,%lld,%lld,%lld,%lld", &t, &a, &b, &c, &d) != 5 || a != b || c != d ||
            a <= last) {
            fprintf(stderr, "unexpected row: %s", line);
            fclose(file);
            return -1;
        }
        last = a;
        n++;
    }
    fclose(file);
    return n;
}

int main(void)
{
    struct scratch scratch;
    char path[300];
    if (!scratch_make(&scratch) || create(scratch.path) < 0) {
        return 1;
    }
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, run_cycles, &executors[i]);
    }
    while (atomic_load(&n_finished) < 2) {
        dpl__recorder_drain(runtime.recorder);
        dpl__recorder_status(runtime.recorder);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    long n_dropped = (long)dpl__recorder_dropped_rows(runtime.recorder);
    dpl__recorder_destroy(runtime.recorder);
    snprintf(path, sizeof path, "%s/trace.csv", scratch.path);
    long n = check(path);
    scratch_remove(&scratch);
    dpl__log_destroy(runtime.log);
    dpl_arena_finish(&runtime.arena);
    fclose(runtime.options.log);
    if (n < 0 || n + n_dropped != N_CYCLES) {
        fprintf(stderr, "rows %ld, dropped %ld of %d\n", n, n_dropped, N_CYCLES);
        return 1;
    }
    return 0;
}
