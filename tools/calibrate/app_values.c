/* SPDX-License-Identifier: Apache-2.0 */
/* Values of properties of a loaded application, by name. */
#include "app_values.h"

#include <string.h>

#include <doppel/field.h>

static bool read_number(const struct dpl_field *fields, size_t n, const void *block,
                        const char *name, const char *unit, double *ret_value)
{
    const struct dpl_field *field = n > 0 ? dpl_field_find(fields, n, name) : NULL;
    if (!field) {
        return false;
    }
    double value = dpl_field_number(field, block);
    *ret_value = value;
    if (field->unit && unit) {
        (void)dpl_unit_convert(value, field->unit, unit, ret_value);
    }
    return true;
}

bool app_class_number(const struct dpl_app_component *component, const char *name, const char *unit,
                      double *ret_value)
{
    const struct dpl_component_class *class = component->class_;
    return read_number(class->properties, class->n_properties, component->properties, name, unit,
                       ret_value);
}

bool app_device_number(const struct dpl_app_device *device, const char *name, const char *unit,
                       double *ret_value)
{
    return read_number(device->driver->properties, device->driver->n_properties, device->properties,
                       name, unit, ret_value);
}

const char *app_device_text(const struct dpl_app_device *device, const char *name)
{
    const struct dpl_driver *driver = device->driver;
    const struct dpl_field *field =
        driver->n_properties > 0 ? dpl_field_find(driver->properties, driver->n_properties, name)
                                 : NULL;
    return field && field->type == DPL_FIELD_STRING
               ? (const char *)device->properties + field->offset
               : "";
}

const struct dpl_app_component *app_connected(const struct dpl_app *app,
                                              const struct dpl_app_component *component,
                                              const char *port)
{
    for (size_t i = 0; i < app->n_connections; i++) {
        const struct dpl_app_connection *c = &app->connections[i];
        const struct dpl_app_component *source = &app->components[c->source];
        const struct dpl_app_component *target = &app->components[c->target];
        if (c->kind == DPL_PORT_SERVICE && source == component &&
            strcmp(source->class_->ports[c->source_port].name, port) == 0) {
            return target;
        }
        if (c->kind != DPL_PORT_SERVICE && target == component &&
            strcmp(target->class_->ports[c->target_port].name, port) == 0) {
            return source;
        }
    }
    return NULL;
}
