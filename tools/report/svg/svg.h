/* SPDX-License-Identifier: Apache-2.0 */
/* Charts as SVG: lines over an axis, and maps with equal scales. */
#ifndef DOPPEL_REPORT_SVG_H
#define DOPPEL_REPORT_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum series_mark {
    SERIES_LINE,  /* a curve, or dots, or areas */
    SERIES_START, /* a ring at each point */
    SERIES_END,   /* a square at each point */
};

/* A curve or a set of points; NaN interrupts a curve. Borrowed arrays of n. */
struct series {
    const char *label; /* NULL: not in the legend */
    const char *color;
    const double *x, *y;
    size_t n;
    bool dots;
    bool dashed;
    double width;        /* of the line or dot, px; 0: 1.6 */
    const char *fill;    /* areas of this colour, one from break to break; NULL: curves */
    double fill_opacity; /* 0 to 1 */
    bool unscaled;       /* the limits of the axes do not depend on it; it may be cut off */
    enum series_mark mark;
};

/* A magnified view in a corner of a map. Borrowed series, in the units of the map around 0, 0. */
struct inset {
    const char *text;    /* what it shows; the factor stands before it */
    const char *pattern; /* of the numbers at its edge, such as "%g mm" */
    double unit;         /* of the map in one of these: 0.001 for mm in a map in m */
    const struct series *series;
    size_t n;
    double factor; /* at most: it is less where the curves would not fit */
};

struct chart {
    const char *title, *x_label, *y_label;
    size_t points;     /* of a curve, about; 0: 2000 */
    int width, height; /* px; 0: 820 x 300 */
    bool equal_scale;  /* a map */
    bool y_from_zero;
    bool y_log;                /* values below 0.1 are drawn at 0.1 */
    bool x_log;                /* values at or below 0 are not drawn */
    bool bare;                 /* no title and no legend: they stand beside it */
    const char *const *levels; /* [n_levels] what the numbers 0, 1, ... of y mean; NULL: numbers */
    size_t n_levels;
    const struct inset *inset; /* of a map; NULL: none */
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

/* The sign of a series in a legend, as a small <svg> element for HTML. */
void svg_key(FILE *out, const struct series *series);

/* Text with &, <, > and " replaced. */
void xml_escape(FILE *out, const char *text);
/* Writes the format with each text escaped; the only conversions are %s and %%. */
__attribute__((format(printf, 2, 3))) void xml_print(FILE *out, const char *format, ...);

#endif
