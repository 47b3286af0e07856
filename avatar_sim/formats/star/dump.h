/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as text for people: what is short is in one line, numbers are as short as they can be
 * without being others. */
#ifndef DOPPEL_STAR_DUMP_H
#define DOPPEL_STAR_DUMP_H

#include <stddef.h>

#include <jansson.h>

/* The text ends with a line end and 0; free() it. 0 or -ENOMEM. */
int dpl__star_dump(const json_t *json, char **ret_text, size_t *ret_n);

#endif
