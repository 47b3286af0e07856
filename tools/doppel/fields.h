/* SPDX-License-Identifier: Apache-2.0 */
/* Prints rows of field tables, and texts of plugins and files. */
#ifndef DOPPEL_CLI_FIELDS_H
#define DOPPEL_CLI_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/field.h>

/* The text by dpl_text_clean: itself where it is clean already, else a copy that lasts until the
 * end of the process. NULL: "". Allocates; one thread at a time. */
const char *cli_clean(const char *text);

/* Prints the title and a line for each row: name, type, unit, default, range, summary. Nothing if
 * there are none. `are_exports`: a row without a default is not required. */
void fields_print(const char *title, const struct dpl_field *fields, size_t n, bool are_exports);

#endif
