/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a field table as JSON, and the JSON schema of such values (json-schema.org, draft 7).
 * A number that is not finite is null. */
#ifndef DOPPEL_OBSERVE_FIELD_JSON_H
#define DOPPEL_OBSERVE_FIELD_JSON_H

#include <doppel/field.h>

#include "bytes.h"

/* The schema of an object with a member for each field. */
void dpl__field_schema(const char *title, const struct dpl_field *fields, size_t n,
                       struct dpl_bytes *bytes);
/* The value of one field. */
void dpl__field_json(const struct dpl_field *field, const void *base, struct dpl_bytes *bytes);
/* The object. */
void dpl__fields_json(const struct dpl_field *fields, size_t n, const void *base,
                      struct dpl_bytes *bytes);

#endif
