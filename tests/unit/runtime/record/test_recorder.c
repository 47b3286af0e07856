/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder: which exports become columns, what a row and the summary look like. */
#include <criterion/criterion.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "component.h"
#include "device.h"
#include "executor.h"
#include "log.h"
#include "recorder.h"
#include "runtime.h"
#include "summary.h"

struct fast_state {
    double x_m;
    int64_t count;
    char mode[16];
    bool on;
};

struct slow_state {
    double load;
    double secret;
    int level;
};

struct plant_state {
    double truth_m;
    int64_t frames;
};

#define EVERYWHERE (DPL_FIELD_TRACE | DPL_FIELD_SUMMARY | DPL_FIELD_STATUS)

/* `...`: the flags, and more of the description. */
#define EXPORT(name_, type_, struct_, member_, ...)                                                \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_##type_, DPL_MEMBER(struct struct_, member_),             \
        .flags = __VA_ARGS__                                                                       \
    }

static const struct dpl_field fast_exports[] = {
    EXPORT("x_m", DOUBLE, fast_state, x_m, EVERYWHERE, .unit = "m"),
    EXPORT("count", INT, fast_state, count, DPL_FIELD_TRACE | DPL_FIELD_SUMMARY),
    EXPORT("mode", STRING, fast_state, mode, EVERYWHERE),
    EXPORT("on", BOOL, fast_state, on, DPL_FIELD_TRACE | DPL_FIELD_SUMMARY),
};
static const struct dpl_field slow_exports[] = {
    EXPORT("load", DOUBLE, slow_state, load, EVERYWHERE),
    {.name = "secret", .type = DPL_FIELD_DOUBLE, DPL_MEMBER(struct slow_state, secret)},
    EXPORT("level", CHOICE, slow_state, level, DPL_FIELD_SUMMARY, .choices = "low|high"),
};
static const struct dpl_field plant_exports[] = {
    EXPORT("truth_m", DOUBLE, plant_state, truth_m, DPL_FIELD_TRACE | DPL_FIELD_SUMMARY),
    EXPORT("frames", INT, plant_state, frames, DPL_FIELD_SUMMARY),
};

static const struct dpl_component_class fast_class = {
    .name = "Fast",
    .tag = "sync",
    .exports = fast_exports,
    .n_exports = DPL_COUNT(fast_exports),
};
static const struct dpl_component_class slow_class = {
    .name = "Slow",
    .exports = slow_exports,
    .n_exports = DPL_COUNT(slow_exports),
};
static const struct dpl_driver plant = {
    .name = "plant",
    .backend = DPL_BACKEND_MOCK,
    .exports = plant_exports,
    .n_exports = DPL_COUNT(plant_exports),
    .state_size = sizeof(struct plant_state),
};

static const struct dpl_app app = {.name = "test", .n_components = 2};
static const struct dpl_app_device plant_model = {.name = "Slow.plant", .driver = &plant};
static struct fast_state fast;
static struct slow_state slow;
static struct dpl__component fast_component, slow_component;
static struct dpl__component *components[] = {&slow_component, &fast_component};
static struct dpl__executor fast_executor, slow_executor;
static struct dpl__executor *executors[] = {&slow_executor, &fast_executor};
static struct dpl_runtime runtime;
static struct plant_state *plant_state;
static char folder[] = "/tmp/doppel-recorder-XXXXXX";
static char text[65536];

static void status_seen(void *user, const struct dpl_status *status)
{
}

static void begin(void)
{
    cr_assert_not_null(mkdtemp(folder));
    runtime.app = &app;
    runtime.options = (struct dpl_runtime_options){.simulated = true,
                                                   .out_dir = folder,
                                                   .seed = 7,
                                                   .status = status_seen,
                                                   .log = fopen("/dev/null", "w")};
    cr_assert_eq(dpl__log_create(&runtime), 0);
    fast_component = (struct dpl__component){.self = {"Fast", &fast_class, NULL, &fast, NULL},
                                             .runtime = &runtime,
                                             .executor = &fast_executor};
    slow_component = (struct dpl__component){.self = {"Slow", &slow_class, NULL, &slow, NULL},
                                             .runtime = &runtime,
                                             .executor = &slow_executor};
    struct dpl__device *device;
    cr_assert_eq(dpl__device_open(&runtime, &plant_model, &device, NULL), 0);
    slow_component.device = &device->self;
    plant_state = device->self.state;
    fast_executor.name = "periodic 10 ms";
    fast_executor.execution.period = 10 * DPL_MS;
    slow_executor.name = "periodic 100 ms";
    slow_executor.execution.period = 100 * DPL_MS;
    runtime.components = components;
    runtime.executors = executors;
    runtime.n_executors = 2;
    strcpy(fast.mode, "go");
}

static void end(void)
{
    char path[128];
    dpl__recorder_destroy(runtime.recorder);
    dpl__log_destroy(runtime.log);
    dpl_arena_finish(&runtime.arena);
    fclose(runtime.options.log);
    snprintf(path, sizeof path, "%s/trace.csv", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/summary.json", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/timing.json", folder);
    unlink(path);
    rmdir(folder);
}

static void create(void)
{
    cr_assert_eq(dpl__recorder_create(&runtime, NULL), 0);
}

static const char *trace(void)
{
    char path[128];
    cr_assert_eq(dpl__recorder_close_trace(runtime.recorder, NULL), 0);
    snprintf(path, sizeof path, "%s/trace.csv", folder);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    fclose(file);
    return text;
}

static json_t *summary(int exit_code)
{
    char path[128];
    struct dpl_diag why = {.place = {"app.xml", 3, 5}, .text = "it failed"};
    const struct dpl_diag *reason = exit_code ? &why : NULL;
    cr_assert_eq(dpl__summary_write(&runtime, exit_code, reason, NULL), 0);
    snprintf(path, sizeof path, "%s/summary.json", folder);
    json_t *root = json_load_file(path, 0, NULL);
    cr_assert_not_null(root);
    return root;
}

TestSuite(recorder, .init = begin, .fini = end);

Test(recorder, writes_a_row_a_cycle_of_the_fastest_executor)
{
    create();
    fast.x_m = 0.1;
    dpl__recorder_cycle(runtime.recorder, &fast_executor, 0);
    slow.load = 0.5;
    plant_state->truth_m = -3;
    dpl__recorder_cycle(runtime.recorder, &slow_executor, 0);
    fast.x_m = 1.0 / 3.0;
    fast.count = -4;
    fast.on = true;
    dpl__recorder_cycle(runtime.recorder, &fast_executor, 10 * DPL_MS);
    cr_assert_str_eq(trace(), "t,Slow.load,Slow.plant.truth_m,sync.x_m,sync.count,sync.mode,"
                              "sync.on\n"
                              "0.000000,0,0,0.1,0,\"go\",false\n"
                              "0.010000,0.5,-3,0.3333333333333333,-4,\"go\",true\n");
}

Test(recorder, keeps_the_last_published_values_of_other_executors)
{
    create();
    slow.load = 0.25;
    dpl__recorder_cycle(runtime.recorder, &slow_executor, 0);
    slow.load = 99; /* not published */
    dpl__recorder_cycle(runtime.recorder, &fast_executor, 0);
    dpl__recorder_cycle(runtime.recorder, &fast_executor, 1);
    const char *rows = strchr(trace(), '\n') + 1;
    cr_assert_str_eq(rows, "0.000000,0.25,0,0,0,\"go\",false\n0.000000,0.25,0,0,0,\"go\",false\n");
}

Test(recorder, doubles_quotes_in_a_string)
{
    create();
    strcpy(fast.mode, "a \"b\", c");
    dpl__recorder_cycle(runtime.recorder, &fast_executor, 0);
    cr_assert_not_null(strstr(trace(), ",\"a \"\"b\"\", c\","));
}

Test(recorder, loses_no_row_under_the_simulated_clock)
{
    create();
    for (int i = 0; i < 20000; i++) {
        dpl__recorder_cycle(runtime.recorder, &fast_executor, i);
    }
    json_t *root = summary(0);
    cr_assert_eq(json_integer_value(json_object_get(root, "trace.dropped_rows")), 0);
    json_decref(root);
}

Test(recorder, drops_and_counts_rows_under_the_real_clock)
{
    runtime.options.simulated = false;
    create();
    for (int i = 0; i < 8192 + 5; i++) {
        dpl__recorder_cycle(runtime.recorder, &fast_executor, i);
    }
    cr_assert_eq(dpl__recorder_dropped_rows(runtime.recorder), 5);
    dpl__recorder_drain(runtime.recorder);
    dpl__recorder_cycle(runtime.recorder, &fast_executor, 0);
    cr_assert_eq(dpl__recorder_dropped_rows(runtime.recorder), 5);
}

Test(recorder, tells_the_status_of_every_executor)
{
    create();
    fast.x_m = 1.23456789;
    slow.load = 0.5;
    dpl__recorder_cycle(runtime.recorder, &fast_executor, 0);
    dpl__recorder_cycle(runtime.recorder, &slow_executor, 0);
    cr_assert_str_eq(dpl__recorder_status(runtime.recorder),
                     "Slow load   0.500 | sync x   1.235 m, go");
    fast.x_m = (double)NAN; /* nothing measured yet */
    dpl__recorder_cycle(runtime.recorder, &fast_executor, 0);
    cr_assert_str_eq(dpl__recorder_status(runtime.recorder),
                     "Slow load   0.500 | sync x       -, go");
}

Test(recorder, writes_exports_as_flat_keys)
{
    create();
    fast.x_m = 0.1;
    fast.count = 12;
    slow.level = 1;
    json_t *root = summary(3);
    cr_assert_eq(json_real_value(json_object_get(root, "sync.x_m")), 0.1);
    cr_assert_eq(json_integer_value(json_object_get(root, "sync.count")), 12);
    cr_assert_str_eq(json_string_value(json_object_get(root, "sync.mode")), "go");
    cr_assert(json_is_false(json_object_get(root, "sync.on")));
    cr_assert_str_eq(json_string_value(json_object_get(root, "Slow.level")), "high");
    cr_assert_null(json_object_get(root, "Slow.secret"));
    cr_assert_eq(json_integer_value(json_object_get(root, "exit")), 3);
    cr_assert_str_eq(json_string_value(json_object_get(root, "error")),
                     "app.xml:3:5: error: it failed");
    json_decref(root);
}

Test(recorder, writes_null_for_what_is_not_a_number)
{
    create();
    fast.x_m = (double)NAN;
    slow.load = (double)INFINITY;
    json_t *root = summary(0);
    cr_assert(json_is_null(json_object_get(root, "sync.x_m")));
    cr_assert(json_is_null(json_object_get(root, "Slow.load")));
    cr_assert(json_is_null(json_object_get(root, "first_cycle_ms")));
    cr_assert_null(json_object_get(root, "error"));
    json_decref(root);
}

Test(recorder, counts_losses_and_executors_in_the_summary)
{
    create();
    plant_state->frames = 42;
    dpl_device_lost(slow_component.device, "silence");
    atomic_store(&fast_executor.n_cycles, 9);
    runtime.ended = 1500 * DPL_MS;
    json_t *root = summary(0);
    json_t *device = json_object_get(json_object_get(root, "devices"), "Slow.plant");
    cr_assert_str_eq(json_string_value(json_object_get(device, "driver")), "plant");
    cr_assert_eq(json_integer_value(json_object_get(device, "losses")), 1);
    cr_assert_eq(json_integer_value(json_object_get(device, "frames")), 42);
    cr_assert_eq(json_integer_value(json_object_get(root, "faults")), 1);
    cr_assert_eq(json_real_value(json_object_get(root, "duration_s")), 1.5);
    json_t *executor = json_object_get(json_object_get(root, "executors"), "periodic 10 ms");
    cr_assert_eq(json_integer_value(json_object_get(executor, "cycles")), 9);
    json_decref(root);
}

/* A group of both components on the fast executor. */
static void group_components(void)
{
    static struct dpl__component *members[] = {&fast_component, &slow_component};
    fast_executor.components = members;
    fast_executor.n_components = 2;
    fast_component.period = 625 * DPL_US;
    slow_component.period = 2500 * DPL_US;
    atomic_store(&slow_component.n_late, 3);
    atomic_store(&slow_component.n_skipped, 2);
}

Test(recorder, names_each_components_own_period_in_the_summary)
{
    group_components();
    fast_executor.policy = DPL_POLICY_FIFO;
    create();
    json_t *root = summary(0);
    json_t *executor = json_object_get(json_object_get(root, "executors"), "periodic 10 ms");
    cr_assert_str_eq(json_string_value(json_object_get(executor, "policy")), "SCHED_FIFO");
    json_t *members = json_object_get(executor, "components");
    json_t *fast_member = json_object_get(members, "Fast");
    cr_assert_eq(json_number_value(json_object_get(fast_member, "period_ms")), 0.625);
    json_t *slow_member = json_object_get(members, "Slow");
    cr_assert_eq(json_number_value(json_object_get(slow_member, "period_ms")), 2.5);
    cr_assert_eq(json_integer_value(json_object_get(slow_member, "late")), 3);
    cr_assert_eq(json_integer_value(json_object_get(slow_member, "skipped")), 2);
    json_decref(root);
}

static json_t *timing(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/timing.json", folder);
    return json_load_file(path, 0, NULL);
}

Test(recorder, writes_histograms_of_a_run_on_the_real_clock)
{
    runtime.options.simulated = false;
    dpl__histogram_add(&fast_executor.jitter, 1024, 5 * DPL_S);
    dpl__histogram_add(&fast_executor.jitter, 1025, 6 * DPL_S);
    dpl__histogram_add(&fast_executor.jitter, 7 * DPL_S, 8 * DPL_S);
    create();
    json_decref(summary(0));
    json_t *root = timing();
    json_t *executor = json_object_get(json_object_get(root, "executors"), "periodic 10 ms");
    cr_assert_eq(json_integer_value(json_object_get(executor, "period")), 10 * DPL_MS);
    json_t *wake_up = json_object_get(executor, "wake_up");
    cr_assert_eq(json_integer_value(json_object_get(wake_up, "max")), 7 * DPL_S);
    cr_assert_eq(json_integer_value(json_object_get(wake_up, "max_at")), 8 * DPL_S);
    char *bins = json_dumps(json_object_get(wake_up, "bins"), JSON_COMPACT);
    cr_assert_str_eq(bins, "[[1024,1088,2],[4160749568,7000000001,1]]");
    free(bins);
    json_decref(root);
}

Test(recorder, writes_no_histograms_of_a_simulated_run)
{
    create();
    json_decref(summary(0));
    cr_assert_null(timing());
}

Test(recorder, measures_the_first_cycle_from_the_start_of_the_process)
{
    runtime.options.process_start = 1000 * DPL_MS;
    atomic_store(&runtime.first_cycle, 1042 * DPL_MS);
    create();
    json_t *root = summary(0);
    cr_assert_float_eq(json_real_value(json_object_get(root, "first_cycle_ms")), 42.0, 1e-9);
    json_decref(root);
}

Test(recorder, gives_the_tag_to_the_first_component_that_has_it)
{
    static struct dpl__component *twins[] = {&slow_component, &fast_component};
    runtime.components = twins;
    slow_component.self.class_ = &fast_class;
    slow_component.self.state = &fast;
    create();
    cr_assert_not_null(strstr(trace(), ",sync.x_m,"));
    cr_assert_not_null(strstr(text, ",Fast.x_m,"));
}

Test(recorder, says_where_it_cannot_write)
{
    struct dpl_diag diag;
    runtime.options.out_dir = "/nowhere";
    cr_assert_eq(dpl__recorder_create(&runtime, &diag), -ENOENT);
    cr_assert_str_eq(diag.text, "cannot write '/nowhere/trace.csv': No such file or directory");
}

Test(recorder, is_absent_when_nobody_asks_for_it)
{
    runtime.options.out_dir = NULL;
    runtime.options.status = NULL;
    create();
    cr_assert_null(runtime.recorder);
}
