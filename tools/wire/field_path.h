/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of messages by paths, "pose.position.x" and "ranges[3]", and messages as texts. */
#ifndef DOPPEL_WIRE_FIELD_PATH_H
#define DOPPEL_WIRE_FIELD_PATH_H

#include <stdbool.h>

#include <doppel/diag.h>
#include <jansson.h>

#include "bytes.h"

/* The value at a path ("": the message itself), which belongs to the message. NULL with reterr: it
 * is no path, there is no such field, with the nearest name, or the list is shorter. */
json_t *field_path_find(json_t *message, const char *path, struct dpl_diag *reterr);

/* A value as JSON in one line; numbers have their shortest text, and as many items as there are. */
void field_json(json_t *value, struct dpl_bytes *out);

/* A value as YAML, as many know it from ROS 2: a line for each field, indented; numbers of a list
 * in one line. A list has its first `most` items, then "...". */
void field_yaml(json_t *value, size_t most, struct dpl_bytes *out);

#endif
