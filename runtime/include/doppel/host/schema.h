/* SPDX-License-Identifier: Apache-2.0 */
/* XML schemas of profiles, state machines and studies, for editors. They are the same, byte for
 * byte, for the same tables. Blocks. */
#ifndef DOPPEL_HOST_SCHEMA_H
#define DOPPEL_HOST_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <doppel/host/catalog.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kind of file number i, "component", "binding", ..., "state_machine"; NULL when there is no
 * such number. */
const char *dpl_schema_kind(size_t i);

/* Writes the schema of a kind: 0; -EINVAL for an unknown kind; -EIO. Properties have any name and
 * value: it is for profiles whose classes are not known. */
int dpl_schema_write(FILE *stream, const char *kind);

/* Checks the structure of a file of a kind that is no profile ("state_machine", "study"): unknown
 * elements and attributes are warnings, missing and malformed ones errors. 0, or -EINVAL with
 * errors; -EINVAL without: an unknown kind. */
struct dpl_xml_node;
struct dpl_diags;
int dpl_schema_check(const char *kind, const struct dpl_xml_node *root, struct dpl_diags *diags);

/* Whether files of this kind have properties of components. */
bool dpl_schema_has_properties(const char *kind);

/* The schema of a kind that has them: their names are those of the classes in the catalogue, in
 * "properties.xsd" beside it. -EINVAL for another kind; -EIO. */
int dpl_schema_write_known(FILE *stream, const char *kind);

/* The types of "properties.xsd", for all classes and drivers that are loaded
 * (dpl_catalog_load_all). 0; -EIO. */
int dpl_schema_write_properties(FILE *stream, const struct dpl_catalog *catalog);

/* The schema of component profiles of one class. It needs "component.xsd" of
 * dpl_schema_write_known beside it. 0; -EIO. */
int dpl_schema_write_class(FILE *stream, const struct dpl_component_class *class_);

#ifdef __cplusplus
}
#endif

#endif
