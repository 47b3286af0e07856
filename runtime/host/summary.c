/* SPDX-License-Identifier: Apache-2.0 */
/* Writes summary.json: flat keys for the exports of components, then the counters of the runtime. A
 * number that is not finite becomes null. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <doppel/output.h>

#include "component.h"
#include "device.h"
#include "executor.h"
#include "json_text.h"
#include "recorder.h"
#include "recorder_columns.h"
#include "results.h"
#include "runtime.h"
#include "summary.h"
#include "thread_setup.h"
#include "threads.h"

#define TEXT_MAX 512

static void set_number(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key, isfinite(value) ? json_real(value) : json_null());
}

static void set_count(json_t *object, const char *key, uint64_t value)
{
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, dpl__json_text(text));
}

/* ---- exports ---- */

static void set_export(json_t *object, const char *key, const struct dpl_field *field,
                       const void *state)
{
    const char *member = (const char *)state + field->offset;
    char text[TEXT_MAX];
    int64_t integer;
    switch (field->type) {
    case DPL_FIELD_BOOL:
        json_object_set_new(object, key, json_boolean(*(const bool *)member));
        break;
    case DPL_FIELD_INT:
        memcpy(&integer, member, sizeof integer);
        json_object_set_new(object, key, json_integer(integer));
        break;
    case DPL_FIELD_DOUBLE: set_number(object, key, dpl_field_number(field, state)); break;
    case DPL_FIELD_STRING:
    case DPL_FIELD_CHOICE:
        dpl_field_format(field, state, text, sizeof text);
        set_text(object, key, text);
        break;
    }
}

static void set_component_exports(json_t *root, const struct dpl_runtime *runtime, unsigned flags)
{
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        const struct dpl__component *component = runtime->components[i];
        const struct dpl_component_class *class_ = component->self.class_;
        for (size_t k = 0; k < class_->n_exports; k++) {
            const struct dpl_field *field = &class_->exports[k];
            const void *state = component->self.state;
            char key[TEXT_MAX];
            snprintf(key, sizeof key, "%s.%s", dpl__columns_tag(runtime, i), field->name);
            if ((field->flags & flags) && dpl__columns_is_there(field, state)) {
                set_export(root, key, field, state);
            }
        }
    }
}

/* ---- counters ---- */

static void set_us(json_t *object, const char *key, dpl_ns value)
{
    set_number(object, key, (double)value * 1e-3);
}

/* The components in the order of execution. */
static json_t *describe_members(const struct dpl__executor *executor)
{
    json_t *object = json_object();
    for (size_t i = 0; i < executor->n_components; i++) {
        const struct dpl__component *component = executor->components[i];
        json_t *one = json_object();
        set_number(one, "period_ms", (double)component->period * 1e-6);
        set_count(one, "late", atomic_load(&component->n_late));
        set_count(one, "skipped", atomic_load(&component->n_skipped));
        json_object_set_new(object, component->self.name, one);
    }
    return object;
}

static void set_affinity(json_t *object, uint64_t mask)
{
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, mask);
    set_text(object, "affinity", mask ? text : "any");
}

static json_t *describe_executor(const struct dpl__executor *executor)
{
    json_t *object = json_object();
    const struct dpl__histogram *execution = &executor->execution_time;
    const struct dpl__histogram *jitter = &executor->jitter;
    set_number(object, "period_ms", (double)executor->execution.period * 1e-6);
    set_count(object, "cycles", atomic_load(&executor->n_cycles));
    set_count(object, "overruns", atomic_load(&executor->n_overruns));
    set_count(object, "skipped", atomic_load(&executor->n_skipped));
    set_number(object, "exec_mean_us", dpl__histogram_mean_ns(execution) * 1e-3);
    set_us(object, "exec_p50_us", dpl__histogram_quantile(execution, 0.5));
    set_us(object, "exec_p99_us", dpl__histogram_quantile(execution, 0.99));
    set_us(object, "exec_max_us", (dpl_ns)atomic_load(&execution->max_ns));
    set_us(object, "jitter_p50_us", dpl__histogram_quantile(jitter, 0.5));
    set_us(object, "jitter_p99_us", dpl__histogram_quantile(jitter, 0.99));
    set_us(object, "jitter_max_us", (dpl_ns)atomic_load(&jitter->max_ns));
    set_number(object, "exec_max_at_s", dpl_ns_to_s(atomic_load(&execution->max_at)));
    set_number(object, "jitter_max_at_s", dpl_ns_to_s(atomic_load(&jitter->max_at)));
    set_text(object, "policy", dpl__policy_name(executor->policy));
    set_count(object, "priority", (uint64_t)executor->priority);
    set_affinity(object, executor->affinity);
    json_object_set_new(object, "components", describe_members(executor));
    return object;
}

static json_t *describe_executors(const struct dpl_runtime *runtime)
{
    json_t *object = json_object();
    for (size_t i = 0; i < runtime->n_executors; i++) {
        json_object_set_new(object, runtime->executors[i]->name,
                            describe_executor(runtime->executors[i]));
    }
    return object;
}

static json_t *describe_thread(const struct dpl_run_thread *thread)
{
    json_t *object = json_object();
    set_text(object, "policy", dpl__policy_name(thread->policy));
    set_count(object, "priority", (uint64_t)thread->priority);
    set_affinity(object, 0);
    set_number(object, "period_ms", (double)thread->period * 1e-6);
    set_count(object, "wakes", atomic_load(&thread->late.count));
    set_count(object, "late", dpl__thread_times_late(thread));
    set_us(object, "late_p50_us", dpl__histogram_quantile(&thread->late, 0.5));
    set_us(object, "late_p99_us", dpl__histogram_quantile(&thread->late, 0.99));
    set_us(object, "late_max_us", (dpl_ns)atomic_load(&thread->late.max_ns));
    set_number(object, "late_max_at_s", dpl_ns_to_s(atomic_load(&thread->late.max_at)));
    return object;
}

/* The threads other than executors. */
static json_t *describe_threads(const struct dpl_runtime *runtime)
{
    json_t *object = json_object();
    for (unsigned i = 0; i < dpl__threads_count(runtime); i++) {
        const struct dpl_run_thread *thread = dpl__thread_at(runtime, i);
        json_object_set_new(object, thread->name, describe_thread(thread));
    }
    return object;
}

static json_t *describe_port(const struct dpl__component *component, unsigned port)
{
    struct dpl__port_counters counters = {0};
    dpl__port_read_counters(component, port, &counters);
    json_t *object = json_object();
    if (component->self.class_->ports[port].dir == DPL_PORT_OUT) {
        set_count(object, "published", counters.published);
        set_count(object, "dropped_pool", counters.dropped_pool);
    } else {
        set_count(object, "received", counters.received);
        set_count(object, "taken", counters.taken);
        set_count(object, "dropped_queue", counters.dropped_queue);
        set_count(object, "dropped_ring", counters.dropped_ring);
    }
    set_count(object, "dropped",
              counters.dropped_pool + counters.dropped_queue + counters.dropped_ring);
    return object;
}

static json_t *describe_ports(const struct dpl_runtime *runtime)
{
    json_t *object = json_object();
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        const struct dpl__component *component = runtime->components[i];
        const struct dpl_component_class *class_ = component->self.class_;
        for (unsigned port = 0; port < class_->n_ports; port++) {
            if (class_->ports[port].kind == DPL_PORT_SERVICE) {
                continue;
            }
            char key[TEXT_MAX];
            snprintf(key, sizeof key, "%s.%s", component->self.name, class_->ports[port].name);
            json_object_set_new(object, key, describe_port(component, port));
        }
    }
    return object;
}

static json_t *describe_components(const struct dpl_runtime *runtime)
{
    json_t *object = json_object();
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        const struct dpl__component *component = runtime->components[i];
        json_t *one = json_object();
        set_text(one, "class", component->self.class_->name);
        set_text(one, "state", dpl__state_name(atomic_load(&component->state)));
        set_count(one, "executes", atomic_load(&component->n_execute));
        set_count(one, "errors", atomic_load(&component->n_errors));
        json_object_set_new(object, component->self.name, one);
    }
    return object;
}

static json_t *describe_devices(const struct dpl_runtime *runtime)
{
    json_t *object = json_object();
    for (const struct dpl__device *d = runtime->devices; d; d = d->next) {
        const struct dpl_driver *driver = d->self.driver;
        json_t *one = json_object();
        set_text(one, "driver", driver->name);
        set_count(one, "losses", atomic_load(&d->n_losses));
        set_count(one, "late_stops", atomic_load(&d->n_late_stops));
        json_object_set_new(one, "lost", json_boolean(dpl_device_is_lost(&d->self)));
        for (size_t i = 0; i < driver->n_exports; i++) {
            if (driver->exports[i].flags & DPL_FIELD_SUMMARY) {
                set_export(one, driver->exports[i].name, &driver->exports[i], d->self.state);
            }
        }
        json_object_set_new(object, d->self.name, one);
    }
    return object;
}

/* ---- the run ---- */

static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static double first_cycle_ms(const struct dpl_runtime *runtime)
{
    long long at = atomic_load(&runtime->first_cycle);
    if (at == 0 || runtime->options.process_start == 0) {
        return (double)NAN;
    }
    return (double)(at - runtime->options.process_start) * 1e-6;
}

static void set_world_contacts(json_t *root, const struct dpl_runtime *runtime)
{
    const struct dpl_world_host *world = &runtime->options.world;
    set_count(root, "world.contacts",
              world->ops && world->ops->contacts ? world->ops->contacts(world->self) : 0);
}

static void set_run(json_t *root, const struct dpl_runtime *runtime, int exit_code)
{
    set_text(root, "application", runtime->app->name);
    set_text(root, "clock", runtime->options.simulated ? "simulated" : "real");
    set_count(root, "seed", runtime->options.seed);
    set_number(root, "duration_s", dpl_ns_to_s(runtime->ended));
    json_object_set_new(root, "interrupted", json_boolean(atomic_load(&runtime->interrupted)));
    set_number(root, "wall_s", dpl_ns_to_s(dpl_monotonic_now() - runtime->real_epoch));
    set_number(root, "cpu_s", cpu_seconds());
    set_number(root, "first_cycle_ms", first_cycle_ms(runtime));
    set_world_contacts(root, runtime);
    uint64_t faults = atomic_load(&runtime->faults);
    set_count(root, "faults", faults > 0 || exit_code == DPL_EXIT_DONE ? faults : 1);
    set_count(root, "exit", (uint64_t)exit_code);
    set_count(root, "trace.dropped_rows",
              runtime->recorder ? dpl__recorder_dropped_rows(runtime->recorder) : 0);
}

/* {"world/robot": {"what touched": {"n": 2, "first_s": 3.5}}} */
static json_t *object_in(json_t *object, const char *key)
{
    json_t *found = json_object_get(object, key);
    if (!found) {
        found = json_object();
        json_object_set_new(object, key, found);
    }
    return found;
}

/* Two worlds of one name are one. */
static void add_contact(void *user, const struct dpl_world_host_contact *contact)
{
    char key[TEXT_MAX];
    snprintf(key, sizeof key, "%s/%s", contact->world, contact->robot);
    json_t *one = object_in(object_in(user, key), contact->with);
    json_t *n = json_object_get(one, "n"), *first = json_object_get(one, "first_s");
    double first_s = dpl_ns_to_s(contact->first);
    set_count(one, "n", contact->n + (uint64_t)json_integer_value(n));
    set_number(one, "first_s", first ? fmin(first_s, json_real_value(first)) : first_s);
}

static json_t *describe_contacts(const struct dpl_runtime *runtime)
{
    const struct dpl_world_host *world = &runtime->options.world;
    json_t *object = json_object();
    if (world->ops && world->ops->tell_contacts) {
        world->ops->tell_contacts(world->self, add_contact, object);
    }
    return object;
}

static void set_error(json_t *root, const struct dpl_diag *why)
{
    if (why) {
        char text[DPL_DIAG_TEXT_MAX + TEXT_MAX];
        dpl_diag_format_cause(why, text, sizeof text);
        set_text(root, "error", text);
    }
}

static void set_verdict(json_t *root, const struct dpl_verdict *verdict)
{
    if (verdict) {
        set_text(root, "verdict", verdict->name);
        set_text(root, "verdict.text", verdict->text);
        json_object_set_new(root, "verdict.expected", json_boolean(verdict->expected));
    }
}

static int dump(const json_t *root, const char *path, struct dpl_diag *reterr)
{
    struct dpl_output output;
    int r = dpl_output_open(&output, path, reterr);
    if (r == 0) {
        json_dumpf(root, output.stream, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
        r = dpl_output_close(&output, reterr);
    }
    return r;
}

/* `why`: reason of a failure; NULL: none, or it is told elsewhere. */
static json_t *describe(struct dpl_runtime *runtime, int exit_code, const struct dpl_diag *why)
{
    json_t *root = json_object();
    set_run(root, runtime, exit_code);
    set_error(root, why);
    set_verdict(root, dpl_runtime_verdict(runtime));
    set_component_exports(root, runtime, DPL_FIELD_SUMMARY);
    json_object_set_new(root, "contacts", describe_contacts(runtime));
    json_object_set_new(root, "components", describe_components(runtime));
    json_object_set_new(root, "executors", describe_executors(runtime));
    if (!runtime->options.simulated) {
        json_object_set_new(root, "threads", describe_threads(runtime));
    }
    json_object_set_new(root, "ports", describe_ports(runtime));
    json_object_set_new(root, "devices", describe_devices(runtime));
    return root;
}

char *dpl__summary_text(struct dpl_runtime *runtime, int exit_code, const struct dpl_diag *why)
{
    json_t *root = runtime->observer ? describe(runtime, exit_code, why) : NULL;
    char *text = root ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) : NULL;
    json_decref(root);
    return text;
}

char *dpl_runtime_values(const struct dpl_runtime *runtime)
{
    json_t *root = json_object();
    set_component_exports(root, runtime, DPL_FIELD_SUMMARY | DPL_FIELD_TRACE);
    set_world_contacts(root, runtime);
    const struct dpl_verdict *verdict = dpl_runtime_verdict(runtime);
    if (verdict) {
        set_text(root, "verdict", verdict->name);
    }
    char *text = json_dumps(root, JSON_REAL_PRECISION(15));
    json_decref(root);
    return text;
}

char *dpl_runtime_summary(struct dpl_runtime *runtime, enum dpl_exit code)
{
    json_t *root = describe(runtime, (int)code, NULL);
    char *text = json_dumps(root, JSON_REAL_PRECISION(15));
    json_decref(root);
    return text;
}

int dpl__summary_write(struct dpl_runtime *runtime, int exit_code, const struct dpl_diag *why,
                       struct dpl_diag *reterr)
{
    struct dpl_diag of_trace = {0};
    int closed = dpl__recorder_close_trace(runtime->recorder, &of_trace);
    if (closed < 0 && reterr) {
        *reterr = of_trace;
    }
    bool cut = closed < 0 && exit_code == DPL_EXIT_DONE;
    json_t *root =
        describe(runtime, cut ? DPL_EXIT_FAULT : exit_code, closed < 0 && !why ? &of_trace : why);
    const char *path =
        dpl_arena_printf(&runtime->arena, "%s/summary.json", runtime->options.out_dir);
    dpl__results_use_room(runtime->options.out_dir);
    int dumped = dump(root, path, closed < 0 ? NULL : reterr);
    json_decref(root);
    if (dumped >= 0 && !runtime->options.simulated) {
        dumped = dpl__timing_write(runtime, closed < 0 ? NULL : reterr);
    }
    return closed < 0 ? closed : dumped;
}
