/* SPDX-License-Identifier: Apache-2.0 */
/* A picture of a few curves, in one chart or several arranged vertically, written as an SVG
 * file. */
#ifndef TRANSPARENCY_PICTURE_H
#define TRANSPARENCY_PICTURE_H

#include <doppel/diag.h>

#include "svg.h"

#define PICTURE_CURVES 8 /* maximum */
#define PICTURE_PANELS 2

/* Set folder, name and the charts first; the functions use the other members. All is borrowed. */
struct picture {
    const char *folder, *name; /* of the file, without .svg */
    struct chart chart[PICTURE_PANELS];
    struct series series[PICTURE_CURVES];
    size_t n;
    size_t panel_from[PICTURE_PANELS]; /* its first curve */
    int panel;                         /* the current panel */
};

/* Adds a curve, in the next colour; label NULL: not in the legend. */
void picture_draw(struct picture *picture, const char *label, const double *x, const double *y,
                  size_t n);

/* Draws the newest curve as a dashed line in `color`. */
void picture_dash(struct picture *picture, const char *color);

/* Further curves are drawn in the next panel. */
void picture_next_panel(struct picture *picture);

/* Writes it. 0, or a negative errno with reterr. */
int picture_save(const struct picture *picture, struct dpl_diag *reterr);

#endif
