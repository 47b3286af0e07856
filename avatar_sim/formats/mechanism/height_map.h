/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of heights: portable graymaps (PGM), as text (P2) or as bytes (P5). */
#ifndef DOPPEL_SIM_HEIGHT_MAP_H
#define DOPPEL_SIM_HEIGHT_MAP_H

#include <stddef.h>

#include <doppel/diag.h>

struct dpl_arena;

/* Values from 0 (black) to 1 (white). */
struct dpl__height_map {
    unsigned columns, rows;
    double *values; /* [rows][columns]; the first row is the lowest of the picture */
};

/* Reads a graymap from memory: P2 or P5, at least 2 x 2 pixels, as many as a height field may have
 * (doppel/sim/solid.h), values to 65535, those above 255 in two bytes with the higher one first.
 * One picture; what follows it is an error, but for blanks. 0 with the values in the arena; or
 * -EINVAL with reterr, whose place has the line and column of the text (of P5: of its header). */
int dpl__height_map_parse(struct dpl_arena *arena, const void *bytes, size_t n,
                          struct dpl__height_map *ret_map, struct dpl_diag *reterr);

/* The same from a file. Also -errno of reading it, -EFBIG. Place: as above, with the file. */
int dpl__height_map_read(struct dpl_arena *arena, const char *path, struct dpl__height_map *ret_map,
                         struct dpl_diag *reterr);

#endif
