/* SPDX-License-Identifier: Apache-2.0 */
/* Properties at run time: reading and setting them by name, for GetParameter and SetParameter. A
 * value for a device is set in all of its sides that have the property. */
#include <errno.h>
#include <string.h>

#include "component.h"
#include "device.h"
#include "runtime.h"

/* A field of a table, and the block with its value. */
struct found {
    const struct dpl_field *field;
    const void *block;
};

#define VALUE_MAX 8192 /* bytes of a property that can be set during the run */
#define FOUND_MAX 16   /* for nested drivers: four levels, two sides each */

struct found_list {
    struct found items[FOUND_MAX];
    size_t n;
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

/* The side of a device for a name "side.name", and the part after the dot; NULL: the name has no
 * such scope. */
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

/* Searches the device and its sides; if the device itself has the property, only there. */
static void look_in_device(const struct dpl__device *device, const char *name,
                           struct found_list *inout_found)
{
    const struct dpl_driver *driver = device->self.driver;
    struct dpl__device *side = scoped_side(device, &name);
    if (side) {
        look_in_device(side, name, inout_found);
        return;
    }
    struct found found;
    if (look(driver->properties, driver->n_properties, device->self.properties, name, &found)) {
        if (inout_found->n < FOUND_MAX) {
            inout_found->items[inout_found->n++] = found;
        }
        return;
    }
    for (size_t i = 0; i < driver->n_sides; i++) {
        look_in_device(device->sides[i], name, inout_found);
    }
}

static struct found_list find(const struct dpl_component *component, const char *name)
{
    const struct dpl__component *self = component->runtime;
    const struct dpl_component_class *class = component->class_;
    struct found_list list = {0};
    if (!name) {
        return list;
    }
    if (look(class->properties, class->n_properties, component->properties, name, &list.items[0])) {
        list.n = 1;
    } else if (self->device) {
        look_in_device(self->device->runtime, name, &list);
    }
    return list;
}

int dpl_component_get_property(const struct dpl_component *component, const char *name,
                               char *ret_text, size_t size)
{
    struct found_list list = find(component, name);
    if (list.n == 0) {
        return -ENOENT;
    }
    const struct found *found = &list.items[0];
    int length = dpl_field_format(found->field, found->block, NULL, 0);
    if (length < 0 || (size_t)length >= size) {
        return -ENOSPC;
    }
    dpl_field_format(found->field, found->block, ret_text, size);
    return 0;
}

/* Whether every place accepts the value; either all or none of them are set. */
static int check_all(const struct dpl_component *component, const struct found_list *list,
                     const struct dpl_field_text *value, struct dpl_diag *reterr)
{
    struct dpl_place nowhere = {0};
    for (size_t i = 0; i < list->n; i++) {
        struct dpl_field field = *list->items[i].field;
        if (!(field.flags & DPL_FIELD_LIVE)) {
            return dpl_fail(reterr, -EPERM, nowhere,
                            "property '%s' of %s cannot be changed during the run", field.name,
                            component->name);
        }
        union {
            max_align_t align;
            char bytes[VALUE_MAX];
        } tried;
        field.offset = 0;
        if (field.size > sizeof tried) {
            return dpl_fail(reterr, -ENOSPC, nowhere, "property '%s' of %s is too long to be set",
                            field.name, component->name);
        }
        int r = dpl_field_parse(&field, value, &tried, reterr);
        if (r < 0) {
            return r;
        }
    }
    return 0;
}

int dpl_component_set_property(struct dpl_component *component, const char *name, const char *text,
                               struct dpl_diag *reterr)
{
    struct dpl_place nowhere = {0};
    struct found_list list = find(component, name);
    if (!text || list.n == 0) {
        return dpl_fail(reterr, -ENOENT, nowhere, "%s has no property '%s'", component->name,
                        name ? name : "");
    }
    struct dpl_field_text value = {.text = text};
    int r = check_all(component, &list, &value, reterr);
    for (size_t i = 0; i < list.n && r == 0; i++) {
        r = dpl_field_parse(list.items[i].field, &value, (void *)(uintptr_t)list.items[i].block,
                            reterr);
    }
    return r;
}
