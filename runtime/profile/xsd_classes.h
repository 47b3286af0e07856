/* SPDX-License-Identifier: Apache-2.0 */
/* What the schemas of profiles share: their first lines, and the names of the properties that a
 * class and the drivers of its device class have. */
#ifndef DOPPEL_PROFILE_XSD_CLASSES_H
#define DOPPEL_PROFILE_XSD_CLASSES_H

#include <stddef.h>
#include <stdio.h>

#include <doppel/host/catalog.h>

#include "arena.h"

/* XML declaration, licence, and the start tag of the schema. */
void dpl__xsd_begin(FILE *stream);

/* One row of a table under one of its names. */
struct dpl__xsd_property {
    const char *name;
    const struct dpl_field *field; /* NULL: a text that names a driver */
    const char *driver;            /* whose table it is in; "": the class's */
    const char *summary;           /* without a field */
};

struct dpl__xsd_properties {
    const struct dpl__xsd_property *list; /* sorted by name, then driver */
    size_t n;
    const char *const *scopes; /* "hardware", "simulation": sides of drivers of the class */
    size_t n_scopes;
};

/* All properties of a class, those of all its drivers included. The arena owns the list. */
void dpl__xsd_properties_make(struct dpl_arena *arena, const struct dpl_catalog *catalog,
                              const struct dpl_component_class *class_,
                              struct dpl__xsd_properties *ret_properties);

/* The classes of the catalogue, sorted by name. */
const struct dpl_component_class **
dpl__xsd_classes(struct dpl_arena *arena, const struct dpl_catalog *catalog, size_t *ret_n);

#endif
