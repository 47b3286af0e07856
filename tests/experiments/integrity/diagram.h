/* SPDX-License-Identifier: Apache-2.0 */
/* The Stanford diagram: rows by true error and protection level. */
#ifndef INTEGRITY_DIAGRAM_H
#define INTEGRITY_DIAGRAM_H

#include "tally.h"

#define DIAGRAM_CELLS 44 /* ten a decade, from 2.5 mm on */

struct diagram {
    size_t cell[DIAGRAM_CELLS][DIAGRAM_CELLS]; /* by level, by error */
    size_t n;
};

void diagram_add(struct diagram *diagram, const struct tally_row *row);

/* Side by side, as an SVG file. 0 or a negative errno. */
int diagram_write(const char *file, const struct diagram *diagrams, const char *const *titles,
                  size_t n);

#endif
