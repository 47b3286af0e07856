/* SPDX-License-Identifier: Apache-2.0 */
/* What names of recorded values tell: "position_1" and "reference_1" are of one joint, "force_x"
 * and "force_y" of one force. */
#ifndef DOPPEL_REPORT_CURVE_NAMES_H
#define DOPPEL_REPORT_CURVE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* The length of "position" in "position_1", of "q" in "q1", of "pose" in "pose[3]": what stands
 * before an index; of another name all. */
size_t curve_stem(const char *name);
bool curve_same_stem(const char *a, const char *b);

bool curve_has_index(const char *name);
/* "_1", "[3]"; of a name without an index all of it. */
const char *curve_index(const char *name);

/* Appends letters and digits of a text to a name of a file; others become one '-'. */
void curve_add_to_name(char *name, size_t size, const char *text);

#endif
