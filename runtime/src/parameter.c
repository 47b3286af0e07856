/* SPDX-License-Identifier: Apache-2.0 */
/* Properties at run time: reading and setting them by name, for GetParameter and SetParameter. */
#include <errno.h>
#include <string.h>

#include "component.h"
#include "control.h"
#include "device.h"
#include "runtime.h"

/* A field of a table with the block it describes. */
struct found {
    const struct dpl_field *field;
    const void *block;
};

static bool look(const struct dpl_field *fields, size_t n, const void *block, const char *name,
                 struct found *ret_found)
{
    const struct dpl_field *field = n > 0 ? dpl_field_find(fields, n, name) : NULL;
    if (field) {
        *ret_found = (struct found){field, block};
    }
    return field != NULL;
}

/* The side of a device that "side.name" means, and behind the dot; NULL: the name has no such
 * scope. */
static struct dpl__device *scoped_side(const struct dpl__device *device, const char **name)
{
    const struct dpl_driver *driver = device->self.driver;
    for (size_t i = 0; i < driver->n_sides; i++) {
        size_t length = strlen(driver->sides[i].name);
        if (strncmp(*name, driver->sides[i].name, length) == 0 && (*name)[length] == '.') {
            *name += length + 1;
            return device->sides[i];
        }
    }
    return NULL;
}

static bool look_in_device(const struct dpl__device *device, const char *name,
                           struct found *ret_found)
{
    const struct dpl_driver *driver = device->self.driver;
    struct dpl__device *side = scoped_side(device, &name);
    if (side) {
        return look_in_device(side, name, ret_found);
    }
    if (look(driver->properties, driver->n_properties, device->self.properties, name, ret_found)) {
        return true;
    }
    for (size_t i = 0; i < driver->n_sides; i++) {
        if (look_in_device(device->sides[i], name, ret_found)) {
            return true;
        }
    }
    return false;
}

static bool find(const struct dpl_component *component, const char *name, struct found *ret_found)
{
    const struct dpl__component *self = component->runtime;
    const struct dpl_component_class *class = component->class_;
    if (look(class->properties, class->n_properties, component->properties, name, ret_found)) {
        return true;
    }
    return self->device && look_in_device(self->device->runtime, name, ret_found);
}

int dpl_component_get_property(const struct dpl_component *component, const char *name,
                               char *ret_text, size_t size)
{
    struct found found;
    if (!name || !find(component, name, &found)) {
        return -ENOENT;
    }
    dpl_field_format(found.field, found.block, ret_text, size);
    return 0;
}

int dpl_component_set_property(struct dpl_component *component, const char *name, const char *text,
                               struct dpl_diag *reterr)
{
    struct dpl_place nowhere = {0};
    struct found found;
    if (!name || !text || !find(component, name, &found)) {
        return dpl_fail(reterr, -ENOENT, nowhere, "%s has no property '%s'", component->name,
                        name ? name : "");
    }
    if (!(found.field->flags & DPL_FIELD_LIVE)) {
        return dpl_fail(reterr, -EPERM, nowhere, "property '%s' of %s is fixed once it runs",
                        found.field->name, component->name);
    }
    struct dpl_field_text value = {.text = text};
    return dpl_field_parse(found.field, &value, (void *)(uintptr_t)found.block, reterr);
}

void dpl_component_finish_run(struct dpl_component *component)
{
    struct dpl__component *self = component->runtime;
    int none = 0; /* a second request would mean: at once */
    if (atomic_compare_exchange_strong(&self->runtime->stop_requested, &none, 1)) {
        dpl__control_wake(self->runtime->control);
    }
}
