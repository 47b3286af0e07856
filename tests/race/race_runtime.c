/* SPDX-License-Identifier: Apache-2.0 */
/* A whole run under the real clock: two executors, a device that comes and goes, log, trace and
 * status, and a stop requested from an executor. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <doppel/host/runtime.h>

#include "scratch.h"

#define N_CYCLES 150

struct state {
    int64_t cycles;
};

static struct dpl_runtime *runtime;

static int execute_base(struct dpl_component *c, const struct dpl_tick *tick)
{
    struct state *state = c->state;
    state->cycles++;
    dpl_component_log(c, DPL_LOG_INFO, "cycle %lld", (long long)state->cycles);
    return 0;
}

static int execute_robot(struct dpl_component *c, const struct dpl_tick *tick)
{
    struct state *state = c->state;
    struct dpl_device *device = dpl_component_device(c);
    state->cycles++;
    if (state->cycles % 10 == 0 && state->cycles < N_CYCLES - 20) {
        dpl_device_lost(device, "cycle %lld", (long long)state->cycles);
    }
    if (state->cycles >= N_CYCLES) {
        dpl_runtime_request_stop(runtime);
    }
    return 0;
}

static void on_status(void *user, const struct dpl_status *status)
{
    *(int *)user += status->text != NULL;
}

/* What was lost is found at once: the component recovers in its next cycle. */
static int find_device(struct dpl_component *c, int cause)
{
    dpl_device_found(dpl_component_device(c));
    return 0;
}

static const struct dpl_field exports[] = {
    {.name = "cycles",
     .type = DPL_FIELD_INT,
     .flags = DPL_FIELD_TRACE | DPL_FIELD_STATUS | DPL_FIELD_SUMMARY,
     DPL_MEMBER(struct state, cycles)},
};
static const struct dpl_component_ops base_ops = {.execute = execute_base};
static const struct dpl_component_ops robot_ops = {.execute = execute_robot, .error = find_device};
static const struct dpl_component_class classes[] = {
    {.name = "Base",
     .ops = &base_ops,
     .exports = exports,
     .n_exports = DPL_COUNT(exports),
     .state_size = sizeof(struct state)},
    {.name = "Robot",
     .ops = &robot_ops,
     .exports = exports,
     .n_exports = DPL_COUNT(exports),
     .state_size = sizeof(struct state)},
};
static const struct dpl_driver driver = {.name = "fake", .backend = DPL_BACKEND_MOCK};
static const struct dpl_app_device device = {.name = "Robot", .driver = &driver};
static char no_properties[1];
static const struct dpl_app_component components[] = {
    {.name = "Base",
     .class_ = &classes[0],
     .properties = no_properties,
     .execution = {.type = DPL_EXECUTION_PERIODIC, .period = DPL_MS}},
    {.name = "Robot",
     .class_ = &classes[1],
     .properties = no_properties,
     .device = &device,
     .execution = {.type = DPL_EXECUTION_PERIODIC, .period = 2 * DPL_MS}},
};
static const struct dpl_app app = {
    .name = "race", .file = "race.xml", .components = components, .n_components = 2};

int main(void)
{
    struct scratch scratch;
    int n_status = 0;
    struct dpl_diag diag = {0};
    if (!scratch_make(&scratch)) {
        return 1;
    }
    struct dpl_runtime_options options = {
        .out_dir = scratch.path,
        .log_level = DPL_LOG_DEBUG,
        .log = fopen("/dev/null", "w"),
        .status = on_status,
        .status_user = &n_status,
        .duration = 20 * DPL_S, /* against hanging; the stop request comes long before */
    };
    if (dpl_runtime_create(&app, &options, &runtime, &diag) < 0) {
        dpl_diag_print(stderr, &diag);
        return 1;
    }
    enum dpl_exit result = dpl_runtime_run(runtime, &diag);
    dpl_runtime_destroy(runtime);
    scratch_remove(&scratch);
    fclose(options.log);
    if (result != DPL_EXIT_DONE || n_status == 0) {
        fprintf(stderr, "exit %d, %d times status: %s\n", (int)result, n_status, diag.text);
        return 1;
    }
    return 0;
}
