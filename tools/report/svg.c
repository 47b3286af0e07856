/* SPDX-License-Identifier: Apache-2.0 */
/* Draws charts: limits, ticks, curves, legend. */
#include "svg.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define LEFT       64.0
#define RIGHT      16.0
#define TOP        40.0
#define BOTTOM     46.0
#define POINTS_MAX 2000 /* points of a curve; more would not be visible */

struct scale {
    double low, high, step; /* of the data; step between ticks */
    double from, to;        /* px */
};

struct frame {
    const struct chart *chart;
    struct scale x, y; /* on a logarithmic axis: of the logarithm */
};

#define LOG_FLOOR 0.1

static double y_value(const struct chart *chart, double value)
{
    return chart->y_log ? log10(fmax(value, LOG_FLOOR)) : value;
}

static double x_value(const struct chart *chart, double value)
{
    return !chart->x_log ? value : value > 0.0 ? log10(value) : (double)NAN;
}

const char *series_color(size_t n)
{
    static const char *const palette[] = {"#1a73e8", "#d93025", "#188038", "#f29900",
                                          "#9334e6", "#12858d", "#5f6368", "#b80672"};
    return palette[n % (sizeof palette / sizeof palette[0])];
}

/* The length in bytes of the XML 1.0 character in UTF-8 that begins here; 0: not a valid one. */
static size_t character_length(const unsigned char *c)
{
    if (c[0] < 0x80) {
        return c[0] >= 0x20 || c[0] == '\t' || c[0] == '\n' || c[0] == '\r' ? 1 : 0;
    }
    size_t n = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    uint32_t code = c[0] & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((c[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (c[i] & 0x3fu);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    bool is_character = c[0] >= 0xc0 && c[0] < 0xf8 && code >= least[n] && code <= 0x10ffff &&
                        !(code >= 0xd800 && code <= 0xdfff) && code != 0xfffe && code != 0xffff;
    return is_character ? n : 0;
}

void xml_escape(FILE *out, const char *text)
{
    for (size_t n; *text; text += n) {
        n = character_length((const unsigned char *)text);
        if (n != 1) {
            fwrite(n ? text : "?", 1, n ? n : 1, out);
            n = n ? n : 1;
            continue;
        }
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out);
        }
    }
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

static struct frame make_frame(const struct chart *chart, const struct series *series, size_t n)
{
    struct frame frame = {.chart = chart};
    frame.x = (struct scale){(double)INFINITY, -(double)INFINITY, 1.0, LEFT, chart->width - RIGHT};
    frame.y = (struct scale){(double)INFINITY, -(double)INFINITY, 1.0, chart->height - BOTTOM, TOP};
    for (size_t i = 0; i < n; i++) {
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
    if (chart->equal_scale) {
        equalize(&frame.x, &frame.y);
    }
    return frame;
}

static void draw_ticks(FILE *out, const struct frame *f)
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

static void draw_labels(FILE *out, const struct frame *f)
{
    const struct chart *c = f->chart;
    fprintf(out, "<text class=\"title\" x=\"%.1f\" y=\"18\">", LEFT);
    xml_escape(out, c->title);
    fprintf(out, "</text>\n<text class=\"label\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">",
            (LEFT + c->width - RIGHT) / 2.0, c->height - 8);
    xml_escape(out, c->x_label);
    fprintf(out,
            "</text>\n<text class=\"label\" transform=\"translate(14 %.1f) rotate(-90)\" "
            "text-anchor=\"middle\">",
            (TOP + c->height - BOTTOM) / 2.0);
    xml_escape(out, c->y_label);
    fprintf(out, "</text>\n");
}

static void draw_curve(FILE *out, const struct frame *f, const struct series *s)
{
    size_t step = s->n / POINTS_MAX + 1;
    bool open = false;
    for (size_t i = 0; i < s->n; i += step) {
        double x = x_value(f->chart, s->x[i]);
        if (!isfinite(x) || !isfinite(s->y[i])) {
            fputs(open ? "\"/>\n" : "", out);
            open = false;
            continue;
        }
        if (!open) {
            fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\"%s points=\"",
                    s->color, s->width > 0.0 ? s->width : 1.6,
                    s->dashed ? " stroke-dasharray=\"6 4\"" : "");
            open = true;
        }
        fprintf(out, "%.1f,%.1f ", place(&f->x, x), place(&f->y, y_value(f->chart, s->y[i])));
    }
    fputs(open ? "\"/>\n" : "", out);
}

static void draw_dots(FILE *out, const struct frame *f, const struct series *s)
{
    double r = s->width > 0.0 ? s->width : 1.6;
    fprintf(out,
            "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" stroke-linecap=\"round\" d=\"",
            s->color, r);
    for (size_t i = 0; i < s->n; i++) {
        double x = x_value(f->chart, s->x[i]);
        if (isfinite(x) && isfinite(s->y[i])) {
            fprintf(out, "M%.1f %.1fh0", place(&f->x, x), place(&f->y, s->y[i]));
        }
    }
    fputs("\"/>\n", out);
}

static void draw_legend(FILE *out, const struct frame *f, const struct series *series, size_t n)
{
    double x = f->chart->width - RIGHT;
    for (size_t i = n; i-- > 0;) {
        if (!series[i].label) {
            continue;
        }
        x -= 26.0 + 6.4 * (double)strlen(series[i].label);
        fprintf(out,
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"30\" y2=\"30\" stroke=\"%s\" "
                "stroke-width=\"3\"%s/><text class=\"tick\" x=\"%.1f\" y=\"34\">",
                x, x + 14, series[i].color, series[i].dashed ? " stroke-dasharray=\"4 3\"" : "",
                x + 18);
        xml_escape(out, series[i].label);
        fprintf(out, "</text>\n");
    }
}

static const char style[] =
    "<style>.grid{stroke:#e3e6ea;stroke-width:1}.tick{font:11px sans-serif;fill:#5f6368}"
    ".label{font:12px sans-serif;fill:#3c4043}.title{font:600 14px sans-serif;fill:#202124}"
    "</style>\n";

static struct chart sized(const struct chart *chart)
{
    struct chart with = *chart;
    with.width = chart->width ? chart->width : 820;
    with.height = chart->height ? chart->height : 300;
    return with;
}

void svg_panels(FILE *out, const struct panel *panels, size_t n)
{
    int width = n > 0 ? sized(&panels[0].chart).width : 0, height = 0;
    for (size_t i = 0; i < n; i++) {
        height += sized(&panels[i].chart).height;
    }
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" role=\"img\">\n",
            width, height, width, height);
    int top = 0;
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "<g transform=\"translate(0 %d)\">\n", top);
        svg_chart(out, &panels[i].chart, panels[i].series, panels[i].n, false);
        fputs("</g>\n", out);
        top += sized(&panels[i].chart).height;
    }
    fputs("</svg>\n", out);
}

void svg_chart(FILE *out, const struct chart *chart, const struct series *series, size_t n,
               bool standalone)
{
    struct chart with = sized(chart);
    struct frame frame = make_frame(&with, series, n);
    fprintf(out, "<svg%s viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n%s",
            standalone ? " xmlns=\"http://www.w3.org/2000/svg\"" : "", with.width, with.height,
            with.width, with.height, style);
    fprintf(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n");
    draw_ticks(out, &frame);
    fprintf(out,
            "<clipPath id=\"p%d\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
            "</clipPath><g clip-path=\"url(#p%d)\">\n",
            with.height, LEFT, TOP, with.width - LEFT - RIGHT, with.height - TOP - BOTTOM,
            with.height);
    for (size_t i = 0; i < n; i++) {
        if (series[i].dots) {
            draw_dots(out, &frame, &series[i]);
        } else {
            draw_curve(out, &frame, &series[i]);
        }
    }
    fputs("</g>\n", out);
    draw_labels(out, &frame);
    draw_legend(out, &frame, series, n);
    fputs("</svg>\n", out);
}
