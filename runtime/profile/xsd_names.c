/* SPDX-License-Identifier: Apache-2.0 */
/* The names that properties of a class may have. */
#include "xsd_classes.h"

#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "words.h"

static int by_class_name(const void *a, const void *b)
{
    const struct dpl_component_class *const *left = a, *const *right = b;
    return strcmp((*left)->name, (*right)->name);
}

const struct dpl_component_class **
dpl__xsd_classes(struct dpl_arena *arena, const struct dpl_catalog *catalog, size_t *ret_n)
{
    size_t n = dpl_catalog_n_classes(catalog);
    const struct dpl_component_class **classes = dpl_arena_alloc(arena, (n + 1) * sizeof *classes);
    for (size_t i = 0; i < n; i++) {
        classes[i] = dpl_catalog_class_at(catalog, i);
    }
    qsort(classes, n, sizeof *classes, by_class_name);
    *ret_n = n;
    return classes;
}

/* ---- properties ------------------------------------------------------------------------------ */

struct list {
    struct dpl_arena *arena;
    struct dpl__xsd_property *items; /* NULL: they are only counted */
    size_t n;
};

static void add(struct list *list, const struct dpl__xsd_property *property, const char *name)
{
    if (list->items) {
        list->items[list->n] = *property;
        list->items[list->n].name = name;
    }
    list->n++;
}

static void add_fields(struct list *list, const struct dpl_field *fields, size_t n,
                       const char *driver)
{
    char word[DPL__WORD_MAX];
    for (size_t i = 0; i < n; i++) {
        struct dpl__xsd_property property = {.field = &fields[i], .driver = driver};
        add(list, &property, fields[i].name);
        for (const char *rest = fields[i].aliases; (rest = dpl__word_next(rest, word));) {
            add(list, &property, dpl_arena_strdup(list->arena, word));
        }
    }
}

/* The i-th driver of the class; NULL: it is of another class. */
static const struct dpl_driver *driver_of(const struct dpl_catalog *catalog, size_t i,
                                          const struct dpl_component_class *class_)
{
    const struct dpl_driver *driver = dpl_catalog_driver_at(catalog, i);
    bool fits =
        class_->device_class && dpl_name_equal(driver->device_class->name, class_->device_class);
    return fits ? driver : NULL;
}

static void add_all(struct list *list, const struct dpl_catalog *catalog,
                    const struct dpl_component_class *class_)
{
    static const struct dpl__xsd_property driver_name = {.driver = "",
                                                         .summary = "the driver of the device"};
    static const struct dpl__xsd_property side_name = {
        .driver = "", .summary = "the driver of one side of the device"};
    add_fields(list, class_->properties, class_->n_properties, "");
    if (class_->device_class) {
        add(list, &driver_name, DPL__DRIVER_PROPERTY);
    }
    for (size_t i = 0; i < dpl_catalog_n_drivers(catalog); i++) {
        const struct dpl_driver *driver = driver_of(catalog, i, class_);
        if (!driver) {
            continue;
        }
        add_fields(list, driver->properties, driver->n_properties, driver->name);
        for (size_t side = 0; side < driver->n_sides; side++) {
            add(list, &side_name, driver->sides[side].driver_property);
        }
    }
}

static int by_name(const void *a, const void *b)
{
    const struct dpl__xsd_property *left = a, *right = b;
    int order = strcmp(left->name, right->name);
    return order != 0 ? order : strcmp(left->driver, right->driver);
}

static int by_text(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

static void add_scopes(struct dpl_arena *arena, const struct dpl_catalog *catalog,
                       const struct dpl_component_class *class_,
                       struct dpl__xsd_properties *properties)
{
    size_t most = 0, n = 0;
    for (size_t i = 0; i < dpl_catalog_n_drivers(catalog); i++) {
        const struct dpl_driver *driver = driver_of(catalog, i, class_);
        most += driver ? driver->n_sides : 0;
    }
    const char **scopes = dpl_arena_alloc(arena, (most + 1) * sizeof *scopes);
    for (size_t i = 0; i < dpl_catalog_n_drivers(catalog); i++) {
        const struct dpl_driver *driver = driver_of(catalog, i, class_);
        for (size_t side = 0; driver && side < driver->n_sides; side++) {
            bool is_new = true;
            for (size_t k = 0; k < n; k++) {
                is_new = is_new && strcmp(scopes[k], driver->sides[side].name) != 0;
            }
            if (is_new) {
                scopes[n++] = driver->sides[side].name;
            }
        }
    }
    qsort(scopes, n, sizeof *scopes, by_text);
    properties->scopes = scopes;
    properties->n_scopes = n;
}

void dpl__xsd_properties_make(struct dpl_arena *arena, const struct dpl_catalog *catalog,
                              const struct dpl_component_class *class_,
                              struct dpl__xsd_properties *ret_properties)
{
    struct list counted = {.arena = arena};
    add_all(&counted, catalog, class_);
    struct dpl__xsd_property *items = dpl_arena_alloc(arena, (counted.n + 1) * sizeof *items);
    struct list list = {.arena = arena, .items = items};
    add_all(&list, catalog, class_);
    qsort(items, list.n, sizeof *items, by_name);
    *ret_properties = (struct dpl__xsd_properties){.list = items, .n = list.n};
    add_scopes(arena, catalog, class_, ret_properties);
}
