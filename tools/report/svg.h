/* SPDX-License-Identifier: Apache-2.0 */
/* Charts as SVG: lines over an axis, and maps with equal scales. */
#ifndef DOPPEL_REPORT_SVG_H
#define DOPPEL_REPORT_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A curve or a set of points; NaN interrupts a curve. Borrowed arrays of n. */
struct series {
    const char *label; /* NULL: not in the legend */
    const char *color;
    const double *x, *y;
    size_t n;
    bool dots;
    bool dashed;
    double width; /* of the line or dot, px; 0: 1.6 */
};

struct chart {
    const char *title, *x_label, *y_label;
    int width, height; /* px; 0: 820 x 300 */
    bool equal_scale;  /* a map */
    bool y_from_zero;
    bool y_log; /* values below 0.1 are drawn at 0.1 */
    bool x_log; /* values at or below 0 are not drawn */
};

/* One of several charts, arranged vertically. Borrowed series. */
struct panel {
    struct chart chart;
    const struct series *series;
    size_t n;
};

/* The n-th colour of the palette. */
const char *series_color(size_t n);

/* A complete <svg> element; `standalone` adds the parts for a separate file. */
void svg_chart(FILE *out, const struct chart *chart, const struct series *series, size_t n,
               bool standalone);

/* The same for charts arranged vertically, as a separate file; as wide as the first. */
void svg_panels(FILE *out, const struct panel *panels, size_t n);

/* Text with &, <, > and " replaced. */
void xml_escape(FILE *out, const char *text);

#endif
