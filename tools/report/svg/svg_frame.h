/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of a chart: from numbers to pixels, and its ticks. Private to the charts. */
#ifndef DOPPEL_REPORT_SVG_FRAME_H
#define DOPPEL_REPORT_SVG_FRAME_H

#include "svg.h"

/* px around the area of the curves */
#define LEFT   64.0
#define RIGHT  16.0
#define TOP    40.0
#define BOTTOM 46.0

struct scale {
    double low, high, step; /* of the data; step between ticks */
    double from, to;        /* px */
};

struct svg_frame {
    const struct chart *chart;
    struct scale x, y; /* on a logarithmic axis: of the logarithm */
};

/* The limits for all series that are in the scale. `chart` has a size. */
struct svg_frame svg_frame_make(const struct chart *chart, const struct series *series, size_t n);

/* Where a point is, in px; NaN if it is not drawn. */
double svg_frame_x(const struct svg_frame *frame, double x);
double svg_frame_y(const struct svg_frame *frame, double y);

/* One series. */
void svg_series_draw(FILE *out, const struct svg_frame *frame, const struct series *series);

/* Its sign in a legend, `width` px wide, from x on around y. */
void svg_series_sign(FILE *out, const struct series *series, double x, double y, double width);

/* The inset of the chart, in the corner of the map with the fewest points of these series. */
void svg_inset_draw(FILE *out, const struct svg_frame *frame, const struct series *series,
                    size_t n);

/* Grid lines and numbers. */
void svg_frame_draw(FILE *out, const struct svg_frame *frame);

#endif
