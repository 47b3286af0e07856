/* SPDX-License-Identifier: Apache-2.0 */
/* The magnified view in a corner of a map. */
#include <math.h>
#include <stdlib.h>

#include "svg_frame.h"

#define SIZE          168.0 /* px */
#define MARGIN        8.0
#define MIDDLE        (SIZE / 2.0)
#define OUTSIDE_SHARE 0.03 /* of the points, at most */

static size_t count_points(const struct inset *inset)
{
    size_t n = 0;
    for (size_t i = 0; i < inset->n; i++) {
        n += inset->series[i].n;
    }
    return n;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* How far all points are from the middle, in rising order. Allocates; NULL: no memory. */
static double *sorted_sizes(const struct inset *inset, size_t *ret_n)
{
    double *sizes = malloc((count_points(inset) + 1) * sizeof *sizes);
    size_t n = 0;
    for (size_t i = 0; sizes && i < inset->n; i++) {
        const struct series *s = &inset->series[i];
        for (size_t k = 0; k < s->n; k++) {
            double size = fmax(fabs(s->x[k]), fabs(s->y[k]));
            if (isfinite(s->x[k]) && isfinite(s->y[k])) {
                sizes[n++] = size;
            }
        }
    }
    if (sizes) {
        qsort(sizes, n, sizeof *sizes, compare);
    }
    *ret_n = n;
    return sizes;
}

/* The factor, or the next smaller one of 1, 2, 5, 10, ... with which so much fits. */
static double factor_for(const struct inset *inset, double size, double px)
{
    double fits = MIDDLE * 0.92 / (size * px);
    if (!(fits < inset->factor)) {
        return inset->factor;
    }
    double power = pow(10.0, floor(log10(fits)));
    double part = fits / power;
    return power * (part >= 5.0 ? 5.0 : part >= 2.0 ? 2.0 : 1.0);
}

/* A robot that was carried is metres away until that is noticed; all else would be one dot. */
static double choose_factor(const struct inset *inset, double px, double *ret_outside)
{
    size_t n, n_outside = 0;
    double *sizes = sorted_sizes(inset, &n);
    size_t shown = n - (size_t)(OUTSIDE_SHARE * (double)n);
    double factor = factor_for(inset, sizes && n > 0 ? sizes[shown - 1] : 0.0, px);
    for (size_t i = 0; sizes && i < n; i++) {
        n_outside += sizes[i] * px * factor > MIDDLE;
    }
    *ret_outside = n > 0 ? (double)n_outside / (double)n : 0.0;
    free(sizes);
    return factor;
}

/* How many points of a map's curves are in a corner. */
static size_t points_in(const struct svg_frame *frame, const struct series *series, size_t n,
                        double left, double top)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; !series[i].unscaled && k < series[i].n; k++) {
            double x = svg_frame_x(frame, series[i].x[k]), y = svg_frame_y(frame, series[i].y[k]);
            count +=
                x > left - 6.0 && x < left + SIZE + 6.0 && y > top - 6.0 && y < top + SIZE + 6.0;
        }
    }
    return count;
}

/* The corner with the fewest points. */
static void choose_corner(const struct svg_frame *frame, const struct series *series, size_t n,
                          double *ret_left, double *ret_top)
{
    size_t fewest = (size_t)-1;
    for (int corner = 0; corner < 4; corner++) {
        double left = corner & 1 ? LEFT + MARGIN : frame->chart->width - RIGHT - MARGIN - SIZE;
        double top = corner & 2 ? frame->chart->height - BOTTOM - MARGIN - SIZE : TOP + MARGIN;
        size_t count = points_in(frame, series, n, left, top);
        if (count < fewest) {
            fewest = count;
            *ret_left = left;
            *ret_top = top;
        }
    }
}

static void draw_scale(FILE *out, const struct inset *inset, double px)
{
    double raw = MIDDLE * 0.6 / px / inset->unit; /* about so many units fit */
    double power = pow(10.0, floor(log10(raw)));
    double part = raw / power;
    double length = power * (part >= 5.0 ? 5.0 : part >= 2.0 ? 2.0 : 1.0);
    double end = SIZE - 8.0, begin = end - length * inset->unit * px;
    fprintf(out,
            "<path class=\"scale\" d=\"M%.1f %.1fv-5v5H%.1fv-5\" fill=\"none\" "
            "stroke=\"#3c4043\"/><text class=\"small\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">",
            begin, SIZE - 8.0, end, begin - 4.0, SIZE - 6.0);
    fprintf(out, inset->pattern, length);
    fputs("</text>\n", out);
}

void svg_inset_draw(FILE *out, const struct svg_frame *frame, const struct series *series, size_t n)
{
    const struct inset *inset = frame->chart->inset;
    double px_map = fabs(svg_frame_x(frame, 1.0) - svg_frame_x(frame, 0.0));
    double outside, factor = choose_factor(inset, px_map, &outside), px = px_map * factor;
    double left = 0.0, top = 0.0;
    choose_corner(frame, series, n, &left, &top);
    fprintf(
        out,
        "<g transform=\"translate(%.1f %.1f)\"><rect width=\"%g\" height=\"%g\" fill=\"white\" "
        "fill-opacity=\"0.94\" stroke=\"#3c4043\"/><path class=\"grid\" d=\"M%g 0V%gM0 %gH%g\"/>"
        "\n<svg width=\"%g\" height=\"%g\">\n",
        left, top, SIZE, SIZE, MIDDLE, SIZE, MIDDLE, SIZE, SIZE, SIZE);
    struct chart chart = {.equal_scale = true};
    struct svg_frame inner = {.chart = &chart,
                              .x = {0.0, 1.0, 1.0, MIDDLE, MIDDLE + px},
                              .y = {0.0, 1.0, 1.0, MIDDLE, MIDDLE - px}};
    for (size_t i = 0; i < inset->n; i++) {
        svg_series_draw(out, &inner, &inset->series[i]);
    }
    fputs("</svg>\n", out);
    draw_scale(out, inset, px);
    fprintf(out, "<text class=\"small\" x=\"6\" y=\"15\">");
    fprintf(out, "%g &#215;: ", factor);
    xml_escape(out, inset->text);
    if (outside > 0.0) {
        fprintf(out, "</text><text class=\"small\" x=\"6\" y=\"29\">%.1f %% are outside",
                100.0 * outside);
    }
    fputs("</text></g>\n", out);
}
