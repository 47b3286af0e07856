/* SPDX-License-Identifier: Apache-2.0 */
/* A chart with its name and its explanation: for a page, or for files of its own. */
#ifndef DOPPEL_REPORT_PLOT_H
#define DOPPEL_REPORT_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "svg.h"

struct plot {
    const char *name;    /* of its files, without a suffix: letters, digits, '-' */
    const char *meaning; /* sentences for the reader; "": none */
    struct chart chart;
    const struct series *series; /* [n] */
    size_t n;
};

/* Takes plots one by one; a plot is valid during the call. */
struct plot_sink {
    void (*take)(void *user, const struct plot *plot);
    void *user;
};

void plot_give(const struct plot_sink *sink, const struct plot *plot);

/* As a figure of an HTML page: title, picture, legend, explanation. */
void plot_write_html(FILE *out, const struct plot *plot);

/* Its numbers as CSV: a column for each series if all have the same abscissae, else rows "series,
 * x, y" with an empty line where a series is interrupted. Numbers have the fewest digits that give
 * the same number. */
void plot_write_csv(FILE *out, const struct plot *plot);

/* Writes DIR/NAME.svg and DIR/NAME.csv, and DIR/NAME.png if the program rsvg-convert is installed.
 * *ret_png: whether it is. 0 or -errno with reterr. */
struct dpl_diag;
int plot_write_files(const struct plot *plot, const char *folder, bool *ret_png,
                     struct dpl_diag *reterr);

#endif
