/* SPDX-License-Identifier: Apache-2.0 */
#include "run_topics.h"

#include <stdio.h>
#include <string.h>

#include "component.h"
#include "executor.h"
#include "runtime.h"
#include "services.h"
#include "value_topic.h"

enum state { RUNNING, PAUSED, ENDED };
enum clock { REAL, SIM };

struct state_row {
    int state, clock;
    double time_s, rate, real_time_factor;
    bool can_pause, hardware, allow_control;
    char why_not[128], controller[64];
};

static const struct dpl_field state_fields[] = {
    DPL_EXPORT_CHOICE(struct state_row, state, "state", "running|paused|ended", 0, "of the run"),
    DPL_EXPORT_CHOICE(struct state_row, clock, "clock", "real|sim", 0, "of the run"),
    DPL_EXPORT_NUMBER(struct state_row, time_s, "time_s", "s", 0, "of the run"),
    DPL_EXPORT_NUMBER(struct state_row, rate, "rate", NULL, 0,
                      "factor of real time that is asked for; 0: as fast as possible"),
    DPL_EXPORT_BOOL(struct state_row, can_pause, "can_pause", 0, "whether /run/pause is done"),
    DPL_TEXT(struct state_row, why_not, "why_not", "", "the reason, when it is not"),
    DPL_TEXT(struct state_row, controller, "controller", "", "who has the control, or publishes"),
    DPL_EXPORT_BOOL(struct state_row, hardware, "hardware", 0, "whether it moves hardware"),
    DPL_EXPORT_BOOL(struct state_row, allow_control, "allow_control", 0,
                    "whether it does what needs the role control"),
    DPL_EXPORT_NUMBER(struct state_row, real_time_factor, "real_time_factor", NULL, 0,
                      "that the last second had"),
};

struct executor_row {
    int64_t cycles, overruns, missed;
    double p50_ms, p99_ms, max_ms, period_ms;
};

static const struct dpl_field executor_fields[] = {
    DPL_EXPORT_INT(struct executor_row, cycles, "cycles", NULL, 0, "that it has made"),
    DPL_EXPORT_INT(struct executor_row, overruns, "overruns", NULL, 0, "cycles that ended late"),
    DPL_EXPORT_INT(struct executor_row, missed, "missed", NULL, 0, "cycles that were left out"),
    DPL_EXPORT_NUMBER(struct executor_row, p50_ms, "p50_ms", "ms", 0, "duration of a cycle"),
    DPL_EXPORT_NUMBER(struct executor_row, p99_ms, "p99_ms", "ms", 0, "duration of a cycle"),
    DPL_EXPORT_NUMBER(struct executor_row, max_ms, "max_ms", "ms", 0, "duration of a cycle"),
    DPL_EXPORT_NUMBER(struct executor_row, period_ms, "period_ms", "ms", 0, "0: on demand"),
};

struct dpl__run_topics {
    struct dpl_runtime *runtime;
    struct dpl__row_tap *state, *components;
    struct dpl__row_tap **executors; /* [n_executors] */
    struct state_row told;
    enum dpl__state *told_states; /* [n_components] */
    dpl_ns told_at;               /* CLOCK_MONOTONIC; 0: not yet */
    dpl_ns told_now;              /* the run's time at told_at */
};

/* ---- rows ---- */

static struct state_row look_at_state(const struct dpl__run_topics *run,
                                      const struct dpl__run_look *look, dpl_ns now)
{
    const struct dpl_runtime *runtime = run->runtime;
    bool is_simulated = runtime->options.simulated;
    bool paused = atomic_load_explicit(&runtime->pacing.paused, memory_order_acquire);
    const char *why_not = dpl__run_why_no_pause(runtime);
    struct dpl_world_time time = {.paused = is_simulated && paused};
    bool of_world = dpl__run_has_world_time(runtime, &time);
    struct state_row row = {
        .state = look->has_ended ? ENDED
                 : time.paused   ? PAUSED
                                 : RUNNING,
        .clock = is_simulated ? SIM : REAL,
        .time_s = dpl_ns_to_s(now),
        .rate = of_world       ? time.rate
                : is_simulated ? atomic_load_explicit(&runtime->pacing.rate, memory_order_relaxed)
                               : 1.0,
        .can_pause = !why_not,
        .hardware = look->has_hardware,
        .allow_control = look->may_control,
        .real_time_factor = run->told.real_time_factor,
    };
    snprintf(row.why_not, sizeof row.why_not, "%s", why_not ? why_not : "");
    snprintf(row.controller, sizeof row.controller, "%s", look->controller);
    return row;
}

static bool has_changed(const struct state_row *row, const struct state_row *told)
{
    bool moved = row->state == PAUSED && row->clock == SIM && row->time_s != told->time_s;
    return moved || row->state != told->state || row->rate != told->rate ||
           strcmp(row->controller, told->controller) != 0;
}

static void send(struct dpl__row_tap *tap, const void *data, size_t n, dpl_ns now)
{
    struct dpl__row *row = dpl__row_tap_open(tap);
    if (row) {
        memcpy(row->data, data, n);
        dpl__row_tap_send(tap, now);
    }
}

static uint64_t read(const atomic_ullong *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static struct executor_row look_at_executor(const struct dpl__executor *executor)
{
    const struct dpl__histogram *time = &executor->execution_time;
    return (struct executor_row){
        .cycles = (int64_t)read(&executor->n_cycles),
        .overruns = (int64_t)read(&executor->n_overruns),
        .missed = (int64_t)read(&executor->n_skipped),
        .p50_ms = dpl_ns_to_s(dpl__histogram_quantile(time, 0.5)) * 1e3,
        .p99_ms = dpl_ns_to_s(dpl__histogram_quantile(time, 0.99)) * 1e3,
        .max_ms = dpl_ns_to_s((dpl_ns)read(&time->max_ns)) * 1e3,
        .period_ms = dpl_ns_to_s(executor->execution.period) * 1e3,
    };
}

/* ---- turns ---- */

static bool have_states_changed(struct dpl__run_topics *run)
{
    bool changed = false;
    for (size_t i = 0; i < run->runtime->app->n_components; i++) {
        enum dpl__state state =
            atomic_load_explicit(&run->runtime->components[i]->state, memory_order_acquire);
        changed |= run->told_states[i] != state;
        run->told_states[i] = state;
    }
    return changed;
}

static void tell_executors(const struct dpl__run_topics *run, dpl_ns now)
{
    for (size_t i = 0; i < run->runtime->n_executors; i++) {
        struct executor_row row = look_at_executor(run->runtime->executors[i]);
        send(run->executors[i], &row, sizeof row, now);
    }
}

void dpl__run_topics_turn(struct dpl__run_topics *run, const struct dpl__run_look *look)
{
    dpl_ns monotonic = dpl_monotonic_now(), now = dpl__runtime_now(run->runtime);
    struct state_row row = look_at_state(run, look, now);
    bool is_first = run->told_at == 0, is_time = is_first || monotonic - run->told_at >= DPL_S;
    if (is_time && !is_first) {
        row.real_time_factor = (double)(now - run->told_now) / (double)(monotonic - run->told_at);
    }
    if (is_time) {
        run->told_at = monotonic;
        run->told_now = now;
        tell_executors(run, now);
    }
    if (is_time || has_changed(&row, &run->told)) {
        run->told = row;
        send(run->state, &row, sizeof row, now);
    }
    if (have_states_changed(run) || is_first) {
        send(run->components, "", 0, now);
    }
}

/* ---- topics ---- */

static void encode_components(const void *user, const struct dpl__row *row, struct dpl_bytes *out)
{
    const struct dpl__run_topics *run = user;
    (void)row;
    for (size_t i = 0; i < run->runtime->app->n_components; i++) {
        const struct dpl__component *component = run->runtime->components[i];
        dpl_bytes_text(out, i > 0 ? ",{\"name\":" : "[{\"name\":");
        dpl_bytes_json(out, component->self.name);
        dpl_bytes_text(out, ",\"class\":");
        dpl_bytes_json(out, component->self.class_->name);
        dpl_bytes_text(out, ",\"state\":");
        dpl_bytes_json(out, dpl__state_name(run->told_states[i]));
        dpl_bytes_text(out, ",\"executor\":");
        dpl_bytes_json(out, component->executor ? component->executor->name : "");
        dpl_bytes_printf(out, ",\"period_s\":%.9g}", dpl_ns_to_s(component->period));
    }
    dpl_bytes_text(out, run->runtime->app->n_components > 0 ? "]" : "[]");
}

static int add_components(struct dpl__topics *topics, struct dpl__run_topics *run,
                          struct dpl_diag *reterr)
{
    static const char schema[] =
        "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":"
        "\"string\"},\"class\":{\"type\":\"string\"},\"state\":{\"type\":\"string\"},\"executor\":"
        "{\"type\":\"string\"},\"period_s\":{\"type\":\"number\"}}}}";
    const struct dpl_topic described = {.name = "/run/components",
                                        .encoding = "json",
                                        .schema_name = "/run/components",
                                        .schema_encoding = "jsonschema",
                                        .schema = schema,
                                        .n_schema = sizeof schema - 1,
                                        .summary = "components and their states",
                                        .source = DPL_TOPIC_PRESENT,
                                        .latched = true};
    const struct dpl__row_topic rows = {0, 16, encode_components, run};
    return dpl__row_topic_add(topics, &described, &rows, &run->components, reterr);
}

static int add_values(struct dpl__topics *topics, const char *name, const char *summary,
                      const struct dpl_field *fields, size_t n, size_t size,
                      struct dpl__row_tap **ret_tap, struct dpl_diag *reterr)
{
    struct dpl__value_topic described = {.name = name,
                                         .summary = summary,
                                         .fields = fields,
                                         .n_fields = n,
                                         .size = size,
                                         .is_present = true};
    return dpl__value_topic_add(topics, &described, ret_tap, reterr);
}

int dpl__run_topics_add(struct dpl__topics *topics, struct dpl_runtime *runtime,
                        struct dpl__run_topics **ret, struct dpl_diag *reterr)
{
    struct dpl_arena *arena = &topics->arena;
    struct dpl__run_topics *run = dpl_arena_alloc(arena, sizeof *run);
    run->runtime = runtime;
    run->told_states =
        dpl_arena_alloc(arena, (runtime->app->n_components + 1) * sizeof *run->told_states);
    run->executors = dpl_arena_alloc(arena, (runtime->n_executors + 1) * sizeof *run->executors);
    int r = add_values(topics, "/run/state", "how the run goes", state_fields,
                       DPL_COUNT(state_fields), sizeof(struct state_row), &run->state, reterr);
    r = r < 0 ? r : add_components(topics, run, reterr);
    for (size_t i = 0; i < runtime->n_executors && r == 0; i++) {
        const char *name = dpl_arena_printf(arena, "/executors/%s", runtime->executors[i]->name);
        r = add_values(topics, name, "its cycles", executor_fields, DPL_COUNT(executor_fields),
                       sizeof(struct executor_row), &run->executors[i], reterr);
    }
    *ret = run;
    return r;
}
