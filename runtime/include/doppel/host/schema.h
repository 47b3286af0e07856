/* SPDX-License-Identifier: Apache-2.0 */
/* XML schemas of profiles and state machines, for editors. */
#ifndef DOPPEL_HOST_SCHEMA_H
#define DOPPEL_HOST_SCHEMA_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kind of file number i, "component", "binding", ..., "state_machine"; NULL when there is no
 * such number. */
const char *dpl_schema_kind(size_t i);

/* Writes the schema of a kind: 0; -EINVAL for an unknown kind; -EIO. Blocks. */
int dpl_schema_write(FILE *stream, const char *kind);

#ifdef __cplusplus
}
#endif

#endif
