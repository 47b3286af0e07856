/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the series of a chart. */
#include <math.h>

#include "svg_frame.h"

#define POINTS_MAX 2000 /* points of a curve; more would not be visible */

static double width_of(const struct series *s)
{
    return s->width > 0.0 ? s->width : 1.6;
}

/* A polyline that is written point by point. */
struct line {
    FILE *out;
    const struct svg_frame *frame;
    const struct series *series;
    bool open;
};

static void end_line(struct line *line)
{
    fputs(line->open ? "\"/>\n" : "", line->out);
    line->open = false;
}

static void add_point(struct line *line, size_t i)
{
    const struct series *s = line->series;
    double x = svg_frame_x(line->frame, s->x[i]), y = svg_frame_y(line->frame, s->y[i]);
    if (!isfinite(x) || !isfinite(y)) {
        end_line(line);
        return;
    }
    if (!line->open) {
        fprintf(line->out,
                "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" "
                "stroke-linejoin=\"round\"%s points=\"",
                s->color, width_of(s), s->dashed ? " stroke-dasharray=\"6 4\"" : "");
        line->open = true;
    }
    fprintf(line->out, "%.1f,%.1f ", x, y);
}

/* Of many points the lowest and the highest, in their order, so that no peak is lost. */
static void add_points(struct line *line, size_t first, size_t end)
{
    const struct series *s = line->series;
    size_t low = first, high = first;
    for (size_t i = first; i < end; i++) {
        if (!isfinite(s->y[i]) || !isfinite(s->x[i])) {
            end_line(line);
            return;
        }
        low = s->y[i] < s->y[low] ? i : low;
        high = s->y[i] > s->y[high] ? i : high;
    }
    add_point(line, low < high ? low : high);
    if (low != high) {
        add_point(line, low < high ? high : low);
    }
}

/* A way has no lowest point; but it has breaks, which must not be among those left out. */
static void add_point_of_way(struct line *line, size_t first, size_t end)
{
    const struct series *s = line->series;
    for (size_t i = first; i < end; i++) {
        if (!isfinite(s->x[i]) || !isfinite(s->y[i])) {
            end_line(line);
            return;
        }
    }
    add_point(line, first);
}

static void draw_curve(FILE *out, const struct svg_frame *frame, const struct series *s)
{
    struct line line = {out, frame, s, false};
    size_t most = frame->chart->points ? frame->chart->points : POINTS_MAX;
    size_t step = s->n > most ? 2 * s->n / most + 1 : 1;
    for (size_t i = 0; i < s->n; i += step) {
        size_t end = i + step < s->n ? i + step : s->n;
        (frame->chart->equal_scale ? add_point_of_way : add_points)(&line, i, end);
    }
    end_line(&line);
}

static void draw_dots(FILE *out, const struct svg_frame *frame, const struct series *s)
{
    fprintf(out,
            "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" stroke-linecap=\"round\" d=\"",
            s->color, width_of(s));
    for (size_t i = 0; i < s->n; i++) {
        double x = svg_frame_x(frame, s->x[i]), y = svg_frame_y(frame, s->y[i]);
        if (isfinite(x) && isfinite(y)) {
            fprintf(out, "M%.1f %.1fh0", x, y);
        }
    }
    fputs("\"/>\n", out);
}

static void draw_areas(FILE *out, const struct svg_frame *frame, const struct series *s)
{
    bool open = false;
    fprintf(out,
            "<path fill=\"%s\" fill-opacity=\"%.2f\" stroke=\"%s\" stroke-width=\"%.1f\"%s d=\"",
            s->fill, s->fill_opacity, s->color, width_of(s),
            s->dashed ? " stroke-dasharray=\"4 3\"" : "");
    for (size_t i = 0; i < s->n; i++) {
        double x = svg_frame_x(frame, s->x[i]), y = svg_frame_y(frame, s->y[i]);
        bool is_point = isfinite(x) && isfinite(y);
        if (is_point) {
            fprintf(out, "%c%.1f %.1f", open ? 'L' : 'M', x, y);
        } else if (open) {
            fputc('Z', out);
        }
        open = is_point;
    }
    fputs(open ? "Z\"/>\n" : "\"/>\n", out);
}

static void draw_mark(FILE *out, const struct series *s, double x, double y)
{
    if (s->mark == SERIES_START) {
        fprintf(out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"white\" stroke=\"%s\" "
                "stroke-width=\"2.5\"/>\n",
                x, y, s->color);
    } else {
        fprintf(out,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"11\" height=\"11\" fill=\"%s\" "
                "stroke=\"white\" stroke-width=\"1.5\"/>\n",
                x - 5.5, y - 5.5, s->color);
    }
}

void svg_series_draw(FILE *out, const struct svg_frame *frame, const struct series *s)
{
    if (s->mark == SERIES_LINE) {
        (s->fill ? draw_areas : s->dots ? draw_dots : draw_curve)(out, frame, s);
        return;
    }
    for (size_t i = 0; i < s->n; i++) {
        double x = svg_frame_x(frame, s->x[i]), y = svg_frame_y(frame, s->y[i]);
        if (isfinite(x) && isfinite(y)) {
            draw_mark(out, s, x, y);
        }
    }
}

void svg_series_sign(FILE *out, const struct series *s, double x, double y, double width)
{
    if (s->mark != SERIES_LINE) {
        draw_mark(out, s, x + width / 2.0, y);
    } else if (s->fill) {
        fprintf(out,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"9\" fill=\"%s\" "
                "fill-opacity=\"%.2f\" stroke=\"%s\"%s/>",
                x, y - 4.5, width, s->fill, s->fill_opacity, s->color,
                s->dashed ? " stroke-dasharray=\"4 3\"" : "");
    } else if (s->dots) {
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>", x + width / 2.0, y,
                s->color);
    } else {
        fprintf(out,
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                "stroke-width=\"3\"%s/>",
                x, x + width, y, y, s->color, s->dashed ? " stroke-dasharray=\"6 4\"" : "");
    }
}

void svg_key(FILE *out, const struct series *s)
{
    fputs("<svg class=\"key\" viewBox=\"0 0 30 16\" width=\"30\" height=\"16\">", out);
    svg_series_sign(out, s, 2.0, 8.0, 26.0);
    fputs("</svg>", out);
}
