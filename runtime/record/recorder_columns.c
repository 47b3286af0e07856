/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the exports to be sampled during the run. */
#include <math.h>
#include <string.h>

#include <doppel/device.h>

#include "component.h"
#include "executor.h"
#include "recorder_columns.h"
#include "runtime.h"

#define SAMPLED         (DPL_FIELD_TRACE | DPL_FIELD_STATUS)
#define NUMBER_TEXT_MAX 64

const char *dpl__columns_tag(const struct dpl_runtime *runtime, size_t component)
{
    const struct dpl__component *self = runtime->components[component];
    const char *tag = self->self.class_->tag;
    if (!tag) {
        return self->self.name;
    }
    for (size_t i = 0; i < component; i++) {
        const char *earlier = runtime->components[i]->self.class_->tag;
        if (earlier && strcmp(earlier, tag) == 0) {
            return self->self.name;
        }
    }
    return tag;
}

struct source {
    const char *tag, *topic;
    const struct dpl_field *exports;
    size_t n_exports;
    const void *state;
    const struct dpl__executor *executor;
};

bool dpl__columns_is_there(const struct dpl_field *field, const void *state)
{
    double number = dpl_field_number(field, state);
    bool absent = field->type == DPL_FIELD_CHOICE ? number < 0.0 : isnan(number);
    return !(field->flags & DPL_FIELD_IF_THERE) || !absent;
}

/* Counts the exports, and stores them when there is room. */
static void add_exports(struct dpl__columns *columns, const struct source *source)
{
    for (size_t i = 0; i < source->n_exports; i++) {
        const struct dpl_field *field = &source->exports[i];
        if (!(field->flags & SAMPLED) || !dpl__columns_is_there(field, source->state)) {
            continue;
        }
        if (columns->items) {
            columns->items[columns->n] = (struct dpl__column){
                .field = *field,
                .tag = source->tag,
                .topic = source->topic,
                .source = (const uint8_t *)source->state + field->offset,
                .executor = source->executor,
            };
        }
        columns->n++;
    }
}

const char *dpl__columns_topic(struct dpl_arena *arena, const char *component, const char *device)
{
    if (!device) {
        return dpl_arena_printf(arena, "/%s/values", component);
    }
    return dpl_arena_printf(
        arena, strcmp(device, component) == 0 ? "/%s/device/values" : "/%s/values", device);
}

/* What is added, and where. */
struct adding {
    struct dpl__columns *columns;
    struct dpl_arena *arena;
    const char *component;
    const struct dpl__executor *executor;
};

static void add_device(const struct adding *adding, struct dpl_device *device)
{
    const struct dpl_driver *driver = device->driver;
    const char *topic = dpl__columns_topic(adding->arena, adding->component, device->name);
    add_exports(adding->columns,
                &(struct source){device->name, topic, driver->exports, driver->n_exports,
                                 device->state, adding->executor});
    for (size_t i = 0; i < driver->n_sides; i++) {
        add_device(adding, dpl_device_side(device, i));
    }
}

static const struct dpl__executor *sampler(const struct dpl_runtime *runtime,
                                           const struct dpl__component *component)
{
    if (component->executor || component->shared || runtime->n_executors == 0) {
        return component->executor;
    }
    return runtime->executors[0];
}

static void add_all(struct dpl__columns *columns, const struct dpl_runtime *runtime,
                    struct dpl_arena *arena)
{
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        const struct dpl__component *component = runtime->components[i];
        const struct dpl_component_class *class_ = component->self.class_;
        const struct dpl__executor *executor = sampler(runtime, component);
        if (!executor) {
            continue;
        }
        const char *name = component->self.name;
        add_exports(columns,
                    &(struct source){dpl__columns_tag(runtime, i),
                                     dpl__columns_topic(arena, name, NULL), class_->exports,
                                     class_->n_exports, component->self.state, executor});
        if (component->device) {
            add_device(&(struct adding){columns, arena, name, executor}, component->device);
        }
    }
}

void dpl__columns_create(struct dpl__columns *columns, const struct dpl_runtime *runtime,
                         struct dpl_arena *arena)
{
    *columns = (struct dpl__columns){0};
    add_all(columns, runtime, arena);
    columns->items = dpl_arena_alloc(arena, (columns->n + 1) * sizeof *columns->items);
    columns->n = 0;
    add_all(columns, runtime, arena);
}

size_t dpl__columns_place(struct dpl__columns *columns, const struct dpl__executor *executor,
                          size_t first)
{
    size_t size = 0;
    for (size_t i = 0; i < columns->n; i++) {
        struct dpl__column *column = &columns->items[i];
        if (column->executor == executor) {
            column->field.offset = first + size;
            size += (column->field.size + 7u) & ~(size_t)7u; /* aligned for any type */
        }
    }
    return size;
}

static bool traces(const struct dpl__columns *columns, const struct dpl__executor *executor)
{
    for (size_t i = 0; i < columns->n; i++) {
        if (columns->items[i].executor == executor &&
            (columns->items[i].field.flags & DPL_FIELD_TRACE)) {
            return true;
        }
    }
    return false;
}

const struct dpl__executor *dpl__columns_tracer(const struct dpl__columns *columns,
                                                const struct dpl_runtime *runtime)
{
    const struct dpl__executor *best = NULL;
    for (size_t i = 0; i < runtime->n_executors; i++) {
        const struct dpl__executor *executor = runtime->executors[i];
        dpl_ns period = executor->execution.period;
        if (!traces(columns, executor)) {
            continue;
        }
        bool faster =
            best && period > 0 && (best->execution.period <= 0 || period < best->execution.period);
        if (!best || faster) {
            best = executor;
        }
    }
    return best;
}

size_t dpl__columns_text_size(const struct dpl__columns *columns)
{
    size_t size = NUMBER_TEXT_MAX;
    for (size_t i = 0; i < columns->n; i++) {
        const struct dpl_field *field = &columns->items[i].field;
        if (field->type == DPL_FIELD_STRING && field->size > size) {
            size = field->size;
        }
    }
    return size;
}
