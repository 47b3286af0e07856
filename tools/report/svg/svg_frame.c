/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of axes, and their ticks. */
#include "svg_frame.h"

#include <math.h>

#define LOG_FLOOR 0.1

static double y_value(const struct chart *chart, double value)
{
    return chart->y_log ? log10(fmax(value, LOG_FLOOR)) : value;
}

static double x_value(const struct chart *chart, double value)
{
    return !chart->x_log ? value : value > 0.0 ? log10(value) : (double)NAN;
}

static void widen(struct scale *scale, const double *values, size_t n, bool positive)
{
    for (size_t i = 0; i < n; i++) {
        if (isfinite(values[i]) && (!positive || values[i] > 0.0)) {
            scale->low = fmin(scale->low, values[i]);
            scale->high = fmax(scale->high, values[i]);
        }
    }
}

/* A step of 1, 2 or 5 times a power of ten, about `ticks` of them. */
static double nice_step(double range, double ticks)
{
    double raw = range / ticks;
    double power = pow(10.0, floor(log10(raw)));
    double part = raw / power;
    return power * (part <= 1.0 ? 1.0 : part <= 2.0 ? 2.0 : part <= 5.0 ? 5.0 : 10.0);
}

static void settle(struct scale *scale, double ticks, bool round_ends)
{
    if (!(scale->low <= scale->high)) {
        scale->low = 0.0;
        scale->high = 1.0;
    }
    /* Ticks with a distance near the rounding error would need an endless loop. */
    double size = fmax(fabs(scale->low), fabs(scale->high));
    double least = fmax(1e-9, size * 1e-9);
    if (scale->high - scale->low < least) {
        scale->low -= fmax(0.5, least);
        scale->high += fmax(0.5, least);
    }
    scale->step = nice_step(scale->high - scale->low, ticks);
    if (round_ends) {
        scale->low = floor(scale->low / scale->step) * scale->step;
        scale->high = ceil(scale->high / scale->step) * scale->step;
    }
}

static double place(const struct scale *scale, double value)
{
    return scale->from +
           (value - scale->low) / (scale->high - scale->low) * (scale->to - scale->from);
}

double svg_frame_x(const struct svg_frame *frame, double x)
{
    return place(&frame->x, x_value(frame->chart, x));
}

double svg_frame_y(const struct svg_frame *frame, double y)
{
    return isfinite(y) ? place(&frame->y, y_value(frame->chart, y)) : (double)NAN;
}

/* A metre has the same length on both axes: the axis with more room shows a larger range. */
static void equalize(struct scale *x, struct scale *y)
{
    double per_x = (x->high - x->low) / fabs(x->to - x->from);
    double per_y = (y->high - y->low) / fabs(y->to - y->from);
    struct scale *wide = per_x < per_y ? x : y;
    double grow =
        (fmax(per_x, per_y) * fabs(wide->to - wide->from) - (wide->high - wide->low)) / 2.0;
    wide->low -= grow;
    wide->high += grow;
    x->step = y->step = fmax(x->step, y->step);
}

struct svg_frame svg_frame_make(const struct chart *chart, const struct series *series, size_t n)
{
    struct svg_frame frame = {.chart = chart};
    frame.x = (struct scale){(double)INFINITY, -(double)INFINITY, 1.0, LEFT, chart->width - RIGHT};
    frame.y = (struct scale){(double)INFINITY, -(double)INFINITY, 1.0, chart->height - BOTTOM, TOP};
    for (size_t i = 0; i < n; i++) {
        if (series[i].unscaled) {
            continue;
        }
        widen(&frame.x, series[i].x, series[i].n, chart->x_log);
        widen(&frame.y, series[i].y, series[i].n, false);
    }
    if (chart->x_log && frame.x.low <= frame.x.high) {
        frame.x.low = x_value(chart, frame.x.low);
        frame.x.high = x_value(chart, frame.x.high);
    }
    if (chart->y_log && frame.y.low <= frame.y.high) {
        frame.y.low = floor(y_value(chart, frame.y.low));
        frame.y.high = ceil(y_value(chart, frame.y.high));
    }
    if (chart->y_from_zero && frame.y.low > 0.0) {
        frame.y.low = 0.0;
    }
    settle(&frame.x, 9.0, chart->equal_scale);
    settle(&frame.y, 6.0, true);
    frame.y.step = chart->y_log ? 1.0 : frame.y.step;
    frame.x.step = chart->x_log ? 1.0 : frame.x.step;
    if (chart->levels) {
        frame.y.low = -0.4;
        frame.y.high = (double)chart->n_levels - 0.3;
        frame.y.step = 1.0;
    }
    if (chart->equal_scale) {
        equalize(&frame.x, &frame.y);
    }
    return frame;
}

static void draw_x_ticks(FILE *out, const struct svg_frame *f)
{
    int height = f->chart->height;
    for (double v = ceil(f->x.low / f->x.step) * f->x.step; v <= f->x.high + f->x.step * 1e-6;
         v += f->x.step) {
        double x = place(&f->x, v);
        fprintf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>", x, x,
                TOP, height - BOTTOM);
        fprintf(out,
                "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g</text>\n", x,
                height - BOTTOM + 16,
                f->chart->x_log              ? pow(10.0, v)
                : fabs(v) < f->x.step * 1e-6 ? 0.0
                                             : v);
    }
}

/* A word in place of a number. */
static void draw_level(FILE *out, const struct svg_frame *f, size_t level)
{
    double y = place(&f->y, (double)level);
    fprintf(out,
            "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/><text "
            "class=\"word\" x=\"4\" y=\"%.1f\">",
            LEFT, f->chart->width - RIGHT, y, y, y + 4.0);
    xml_print(out, "%s</text>\n", f->chart->levels[level]);
}

static void draw_y_ticks(FILE *out, const struct svg_frame *f)
{
    for (double v = ceil(f->y.low / f->y.step) * f->y.step; v <= f->y.high + f->y.step * 1e-6;
         v += f->y.step) {
        double y = place(&f->y, v);
        fprintf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT,
                f->chart->width - RIGHT, y, y);
        fprintf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                LEFT - 6, y + 4,
                f->chart->y_log              ? pow(10.0, v)
                : fabs(v) < f->y.step * 1e-6 ? 0.0
                                             : v);
    }
}

void svg_frame_draw(FILE *out, const struct svg_frame *f)
{
    draw_x_ticks(out, f);
    for (size_t i = 0; f->chart->levels && i < f->chart->n_levels; i++) {
        draw_level(out, f, i);
    }
    if (!f->chart->levels) {
        draw_y_ticks(out, f);
    }
}
