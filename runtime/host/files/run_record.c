/* SPDX-License-Identifier: Apache-2.0 */
/* Writes run.json from the tables of classes and drivers. */
#include "run_record.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <doppel/device.h>
#include <doppel/device_class.h>
#include <doppel/output.h>
#include <doppel/system_clock.h>

#include "component.h"
#include "json_text.h"
#include "port.h"
#include "recorder_columns.h"
#include "runtime.h"

#define FORMAT   1
#define TEXT_MAX 4096

static void set_text(json_t *object, const char *key, const char *text)
{
    if (text) {
        json_object_set_new(object, key, dpl__json_text(text));
    }
}

/* ---- where the run comes from ---- */

static void set_date(json_t *root)
{
    time_t now = (time_t)(dpl_calendar_now() / DPL_S);
    struct tm utc;
    char text[32];
    if (gmtime_r(&now, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0) {
        set_text(root, "date", text);
    }
}

static void set_host(json_t *root)
{
    char name[HOST_NAME_MAX + 1] = "";
    if (gethostname(name, sizeof name - 1) == 0) {
        set_text(root, "host", name);
    }
}

static void set_texts(json_t *root, const char *key, const char *const *texts, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(list, dpl__json_text(texts[i]));
    }
    json_object_set_new(root, key, list);
}

/* The complete path, so that the file is found from any folder. */
static void set_path(json_t *object, const char *key, const char *path)
{
    char *whole = path ? realpath(path, NULL) : NULL;
    set_text(object, key, whole ? whole : path);
    free(whole);
}

static void set_origin(json_t *root, const struct dpl_runtime *runtime)
{
    const struct dpl_app *app = runtime->app;
    json_t *changes = json_array();
    json_object_set_new(root, "format", json_integer(FORMAT));
    set_text(root, "application", app->name);
    set_path(root, "file", app->file);
    set_text(root, "version", runtime->options.program.version);
    set_texts(root, "command", runtime->options.program.words, runtime->options.program.n_words);
    set_date(root);
    set_host(root);
    set_text(root, "clock", runtime->options.simulated ? "simulated" : "real");
    json_object_set_new(root, "seed", json_integer((json_int_t)runtime->options.seed));
    set_texts(root, "bindings", app->bindings, app->n_bindings);
    set_texts(root, "sets", app->sets, app->n_sets);
    set_path(root, "world", app->world);
    for (size_t i = 0; i < app->n_world_properties; i++) {
        json_array_append_new(changes, dpl__json_text(app->world_properties[i].text));
    }
    json_object_set_new(root, "world_properties", changes);
}

/* ---- components ---- */

/* What a person needs who sets it. */
static void describe_rule(json_t *one, const struct dpl_field *field)
{
    set_text(one, "summary", field->summary);
    if (field->choices) {
        set_text(one, "choices", field->choices);
    } else if (field->min < 0.0 || field->max > 0.0) {
        json_object_set_new(one, "min", json_real(field->min));
        json_object_set_new(one, "max", json_real(field->max));
    }
    if (field->flags & DPL_FIELD_LIVE) {
        json_object_set_new(one, "live", json_true());
    }
}

/* As texts with a unit each, as a profile has them. */
static json_t *describe_properties(const struct dpl_field *fields, size_t n, const void *values)
{
    json_t *object = json_object();
    for (size_t i = 0; i < n && values; i++) {
        char text[TEXT_MAX];
        json_t *one = json_object();
        dpl_field_format(&fields[i], values, text, sizeof text);
        set_text(one, "value", text);
        set_text(one, "unit", fields[i].unit);
        describe_rule(one, &fields[i]);
        json_object_set_new(object, fields[i].name, one);
    }
    return object;
}

static json_t *describe_device(const struct dpl_app_device *device)
{
    const struct dpl_driver *driver = device->driver;
    json_t *object = json_object(), *sides = json_array();
    set_text(object, "name", device->name);
    set_text(object, "class", driver->device_class ? driver->device_class->name : NULL);
    set_text(object, "driver", driver->name);
    json_object_set_new(
        object, "properties",
        describe_properties(driver->properties, driver->n_properties, device->properties));
    for (size_t i = 0; i < driver->n_sides; i++) {
        json_t *side = describe_device(&device->sides[i]);
        set_text(side, "side", driver->sides[i].name);
        json_array_append_new(sides, side);
    }
    json_object_set_new(object, "sides", sides);
    return object;
}

static json_t *describe_port(const struct dpl_port_desc *port)
{
    static const char *const kinds[] = {"data", "event", "service"};
    json_t *object = json_object();
    set_text(object, "name", port->name);
    set_text(object, "kind", kinds[port->kind]);
    set_text(object, "direction", port->dir == DPL_PORT_OUT ? "out" : "in");
    set_text(object, "type", dpl__port_type(port));
    return object;
}

static json_t *describe_component(const struct dpl_runtime *runtime, size_t i)
{
    const struct dpl_app_component *component = &runtime->app->components[i];
    const struct dpl_component_class *class_ = component->class_;
    json_t *object = json_object(), *ports = json_array();
    set_text(object, "name", component->name);
    set_text(object, "tag", dpl__columns_tag(runtime, i));
    set_text(object, "class", class_->name);
    set_text(object, "device_class", class_->device_class);
    for (size_t k = 0; k < class_->n_ports; k++) {
        json_array_append_new(ports, describe_port(&class_->ports[k]));
    }
    json_object_set_new(object, "ports", ports);
    json_object_set_new(
        object, "properties",
        describe_properties(class_->properties, class_->n_properties, component->properties));
    if (component->device) {
        json_object_set_new(object, "device", describe_device(component->device));
    }
    return object;
}

static json_t *describe_end(const struct dpl_app *app, size_t component, unsigned port)
{
    const struct dpl_app_component *of = &app->components[component];
    json_t *end = json_object();
    set_text(end, "component", of->name);
    set_text(end, "port", of->class_->ports[port].name);
    return end;
}

static void set_components(json_t *root, const struct dpl_runtime *runtime)
{
    const struct dpl_app *app = runtime->app;
    json_t *components = json_array(), *connections = json_array();
    for (size_t i = 0; i < app->n_components; i++) {
        json_array_append_new(components, describe_component(runtime, i));
    }
    for (size_t i = 0; i < app->n_connections; i++) {
        const struct dpl_app_connection *from = &app->connections[i];
        json_t *one = json_object();
        json_object_set_new(one, "source", describe_end(app, from->source, from->source_port));
        json_object_set_new(one, "target", describe_end(app, from->target, from->target_port));
        json_array_append_new(connections, one);
    }
    json_object_set_new(root, "components", components);
    json_object_set_new(root, "connections", connections);
}

/* ---- exports ---- */

static json_t *add_export(json_t *list, const char *tag, const struct dpl_field *field)
{
    char name[TEXT_MAX];
    json_t *one = json_object();
    snprintf(name, sizeof name, "%s.%s", tag, field->name);
    set_text(one, "name", name);
    set_text(one, "unit", field->unit);
    set_text(one, "summary", field->summary);
    json_array_append_new(list, one);
    return one;
}

/* Of summary.json. */
static void set_values(json_t *root, const struct dpl_runtime *runtime)
{
    json_t *list = json_array();
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        const struct dpl_component_class *class_ = runtime->app->components[i].class_;
        const void *state = runtime->components[i]->self.state;
        for (size_t k = 0; k < class_->n_exports; k++) {
            const struct dpl_field *field = &class_->exports[k];
            if ((field->flags & DPL_FIELD_SUMMARY) && dpl__columns_is_there(field, state)) {
                add_export(list, dpl__columns_tag(runtime, i), field);
            }
        }
    }
    json_object_set_new(root, "values", list);
}

static void set_executor(json_t *object, const struct dpl_runtime *runtime,
                         const struct dpl__executor *executor)
{
    for (size_t i = 0; i < runtime->n_executors; i++) {
        if (runtime->executors[i] == executor) {
            json_object_set_new(object, "executor", json_integer((json_int_t)i));
        }
    }
}

/* Of trace.csv, with the topics that have the same values; its rows are the cycles of "executor".
 */
static void set_columns(json_t *root, const struct dpl_runtime *runtime)
{
    struct dpl_arena arena = {0};
    struct dpl__columns columns;
    json_t *list = json_array();
    dpl__columns_create(&columns, runtime, &arena);
    for (size_t i = 0; i < columns.n; i++) {
        const struct dpl__column *column = &columns.items[i];
        if (column->field.flags & DPL_FIELD_TRACE) {
            json_t *one = add_export(list, column->tag, &column->field);
            set_text(one, "topic", column->topic);
            set_text(one, "field", column->field.name);
            set_executor(one, runtime, column->executor);
        }
    }
    set_executor(root, runtime, dpl__columns_tracer(&columns, runtime));
    json_object_set_new(root, "columns", list);
    dpl_arena_finish(&arena);
}

static json_t *describe(const struct dpl_runtime *runtime)
{
    json_t *root = json_object();
    set_origin(root, runtime);
    set_components(root, runtime);
    set_columns(root, runtime);
    set_values(root, runtime);
    return root;
}

char *dpl__run_record_text(const struct dpl_runtime *runtime)
{
    json_t *root = describe(runtime);
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    json_decref(root);
    return text;
}

int dpl__run_record_write(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    if (!runtime->options.out_dir || runtime->is_rehearsal) {
        return 0;
    }
    char *text = dpl__run_record_text(runtime);
    if (!text) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "no memory for run.json");
    }
    const char *path = dpl_arena_printf(&runtime->arena, "%s/run.json", runtime->options.out_dir);
    struct dpl_output output;
    int err = dpl_output_open(&output, path, reterr);
    if (err == 0) {
        fprintf(output.stream, "%s\n", text);
        err = dpl_output_close(&output, reterr);
    }
    free(text);
    return err;
}
