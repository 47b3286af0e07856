/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the driver of a device component, and the drivers of its sides; creates their blocks of
 * values. */
#include <stdio.h>
#include <string.h>

#include "build.h"

enum { SIDES_DEPTH_MAX = 4 };

void dpl__build_block(struct dpl__builder *builder, const struct dpl__table *table,
                      struct dpl__field_block *ret)
{
    *ret = (struct dpl__field_block){
        .fields = table->fields,
        .n = table->n,
        .base = dpl_arena_alloc(builder->arena, table->size + 1),
        .assigned = dpl_arena_alloc(builder->arena, table->n + 1),
    };
    dpl_fields_set_defaults(table->fields, table->n, ret->base);
}

/* The last value of the instance for either name (`other` may be NULL); NULL: none. */
static const struct dpl__assignment *last_value(const struct dpl__instance *instance,
                                                const char *name, const char *other)
{
    const struct dpl__assignment *found = NULL;
    for (const struct dpl__assignment *a = instance->assignments; a; a = a->next) {
        bool is_named = dpl_name_equal(a->name, name) || (other && dpl_name_equal(a->name, other));
        if (is_named && a->text.text[0] != '\0') {
            found = a;
        }
    }
    return found;
}

struct choice {
    const char *name; /* of the driver; NULL: not given */
    struct dpl_place place;
};

/* The driver of a side: from a property of the instance (HardwareDriver or hardware.ApiName),
 * otherwise the default of the upper driver. */
static struct choice choose_side(const struct dpl__instance *instance,
                                 const struct dpl_driver *driver,
                                 const struct dpl_driver_side *side, struct dpl_place place)
{
    char scoped[64];
    snprintf(scoped, sizeof(scoped), "%s." DPL__DRIVER_PROPERTY, side->name);
    const struct dpl__assignment *given = last_value(instance, side->driver_property, scoped);
    if (given) {
        return (struct choice){given->text.text, given->text.place};
    }
    const struct dpl_field *field =
        dpl_field_find(driver->properties, driver->n_properties, side->driver_property);
    const char *fallback = field ? field->default_text : NULL;
    return (struct choice){fallback && *fallback != '\0' ? fallback : NULL, place};
}

struct device_request {
    struct dpl__instance *instance;
    const char *name; /* of the device */
    struct choice choice;
    const struct dpl_driver *above; /* NULL: none */
    bool complete;
    int depth;
};

/* Reports a driver that was built when its class had fewer calls than the component knows, and a
 * driver that is a side of itself. */
static bool driver_fits(struct dpl__builder *builder, const struct device_request *request,
                        const struct dpl_driver *driver)
{
    const struct dpl_component_class *component = request->instance->class_;
    size_t n_calls = driver->device_class->n_calls;
    if (driver == request->above) {
        dpl__build_error(builder, request->choice.place, "driver '%s' cannot be a side of itself",
                         driver->name);
        return false;
    }
    if (n_calls < component->n_device_calls) {
        dpl__build_error(builder, request->choice.place,
                         "driver '%s' has %zu calls of device class %s, the component was built "
                         "for %zu: build the driver again",
                         driver->name, n_calls, component->device_class, component->n_device_calls);
        return false;
    }
    return true;
}

static bool resolve_device(struct dpl__builder *builder, const struct device_request *request,
                           struct dpl_app_device *model, struct dpl__device_build *device);

static void resolve_sides(struct dpl__builder *builder, const struct device_request *request,
                          struct dpl__device_build *device)
{
    const struct dpl_driver *driver = device->model->driver;
    size_t n = driver->n_sides;
    struct dpl_app_device *models = dpl_arena_alloc(builder->arena, n * sizeof(*models));
    device->sides = dpl_arena_alloc(builder->arena, n * sizeof(*device->sides));
    device->n_sides = n;
    device->model->sides = models;
    for (size_t i = 0; i < n; i++) {
        const struct dpl_driver_side *side = &driver->sides[i];
        struct device_request below = *request;
        below.name = dpl_arena_printf(builder->arena, "%s.%s", request->name, side->name);
        below.choice = choose_side(request->instance, driver, side, request->choice.place);
        below.above = driver;
        below.depth++;
        if (!below.choice.name && request->complete) {
            dpl__build_error(builder, request->choice.place,
                             "driver '%s' of %s needs the property %s: the driver of its %s side",
                             driver->name, request->name, side->driver_property, side->name);
        }
        if (!resolve_device(builder, &below, &models[i], &device->sides[i])) {
            request->instance->driver_is_absent = true;
        }
    }
}

static bool resolve_device(struct dpl__builder *builder, const struct device_request *request,
                           struct dpl_app_device *model, struct dpl__device_build *device)
{
    const struct choice *choice = &request->choice;
    const struct dpl_driver *driver;
    struct dpl_diag diag;
    if (!choice->name) {
        return false;
    }
    if (request->depth > SIDES_DEPTH_MAX) {
        dpl__build_error(builder, choice->place, "drivers are nested too deeply below %s",
                         request->name);
        return false;
    }
    const char *device_class = request->instance->class_->device_class;
    if (dpl_catalog_driver(builder->catalog, device_class, choice->name, &driver, &diag) != 0) {
        request->instance->driver_is_absent = true;
        dpl__build_absent(builder, choice->place, "%s", diag.text);
        return false;
    }
    if (!driver_fits(builder, request, driver)) {
        request->instance->driver_is_absent = true;
        return false;
    }
    struct dpl__table table = {driver->properties, driver->n_properties, driver->properties_size};
    dpl__build_block(builder, &table, &device->block);
    device->model = model;
    *model = (struct dpl_app_device){.name = request->name,
                                     .driver = driver,
                                     .properties = device->block.base,
                                     .place = choice->place};
    if (driver->n_sides > 0) {
        resolve_sides(builder, request, device);
    }
    return true;
}

void dpl__build_driver(struct dpl__builder *builder, struct dpl__instance *instance, bool complete)
{
    const struct dpl__assignment *given = last_value(instance, DPL__DRIVER_PROPERTY, NULL);
    if (!given) {
        if (complete) {
            const char *device_class = instance->class_->device_class;
            char list[DPL__NAMES_SIZE];
            dpl__catalog_driver_names(builder->catalog, device_class, list);
            dpl__build_error(
                builder, instance->place,
                "%s needs the property " DPL__DRIVER_PROPERTY
                ": its driver of device class %s (there is: %s); choose a binding (--bind NAME), "
                "`doppel list bindings` shows them",
                instance->name, device_class, list);
        }
        return;
    }
    struct device_request request = {
        .instance = instance,
        .name = instance->name,
        .choice = {given->text.text, given->text.place},
        .complete = complete,
    };
    struct dpl__device_build *device = dpl_arena_alloc(builder->arena, sizeof(*device));
    struct dpl_app_device *model = dpl_arena_alloc(builder->arena, sizeof(*model));
    if (resolve_device(builder, &request, model, device)) {
        instance->device = device;
    }
}
