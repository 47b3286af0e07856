/* SPDX-License-Identifier: Apache-2.0 */
/* Puts a picture on paper, by Cairo. */
#include <cairo.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cairo-svg.h>

#include <doppel/math/vector3.h>
#include <doppel/output.h>

#include "picture_module.h"
#include "picture_parts.h"

static const double margin = 0.06; /* of the picture, on each side */
static const double ink[3] = {0.16, 0.18, 0.22}, faint[3] = {0.80, 0.82, 0.85};

/* The eye, and where on the paper the scene is. */
struct paper {
    cairo_t *cairo;
    struct picture_eye eye;
    double width, height;         /* px */
    double middle_x, middle_y;    /* of what fills the picture, in metres along right and up */
    double span_x, span_y, scale; /* its size in metres; px per metre */
    double low[3], high[3];       /* its corners in the world */
    double nearest;               /* its point that is nearest to the eye, in m along to_eye */
};

static struct paper look(const struct picture_view *view)
{
    double ca = cos(view->azimuth_rad), sa = sin(view->azimuth_rad);
    double ce = cos(view->elevation_rad), se = sin(view->elevation_rad);
    return (struct paper){
        .eye = {{ce * ca, ce * sa, se}, {-sa, ca, 0.0}, {-se * ca, -se * sa, ce}},
        .width = view->width_px,
        .height = view->height_px,
    };
}

static bool has_focus(const struct picture *picture)
{
    const struct picture_face *face = picture->faces;
    while (face && !face->is_focus) {
        face = face->next;
    }
    return face != NULL;
}

static void widen(double *low, double *high, double value)
{
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

/* What fills the picture: the faces in focus, or all. A scene without faces is 1 m wide. */
static void fit(struct paper *paper, const struct picture *picture)
{
    double x[2] = {(double)INFINITY, -(double)INFINITY};
    double y[2] = {(double)INFINITY, -(double)INFINITY};
    bool focus = has_focus(picture);
    paper->nearest = -(double)INFINITY;
    for (int k = 0; k < 3; k++) {
        paper->low[k] = picture->faces ? (double)INFINITY : -0.5;
        paper->high[k] = picture->faces ? -(double)INFINITY : 0.5;
    }
    for (const struct picture_face *face = picture->faces; face; face = face->next) {
        for (size_t i = 0; i < face->n && (face->is_focus || !focus); i++) {
            const struct dpl_vector3 *at = &face->corners[i];
            const double c[3] = {at->x, at->y, at->z};
            widen(&x[0], &x[1], dpl_vector3_dot(paper->eye.right, *at));
            widen(&y[0], &y[1], dpl_vector3_dot(paper->eye.up, *at));
            paper->nearest = fmax(paper->nearest, dpl_vector3_dot(paper->eye.to_eye, *at));
            for (int k = 0; k < 3; k++) {
                widen(&paper->low[k], &paper->high[k], c[k]);
            }
        }
    }
    bool is_empty = !picture->faces;
    paper->middle_x = is_empty ? 0.0 : 0.5 * (x[0] + x[1]);
    paper->middle_y = is_empty ? 0.0 : 0.5 * (y[0] + y[1]);
    paper->span_x = is_empty ? 1.0 : fmax(x[1] - x[0], 1e-3);
    paper->span_y = is_empty ? 1.0 : fmax(y[1] - y[0], 1e-3);
    paper->scale = fmin(paper->width * (1.0 - 2.0 * margin) / paper->span_x,
                        paper->height * (1.0 - 2.0 * margin) / paper->span_y);
}

/* What is drawn of the paper when nothing else is left of it than what fills the picture; but it is
 * no strip. */
static double cut(double size, double other, double span, double scale)
{
    return floor(fmin(size, fmax(0.5 * other, span * scale / (1.0 - 2.0 * margin)) + 0.5));
}

static void cut_paper(struct paper *paper)
{
    double width = paper->width;
    paper->width = cut(width, paper->height, paper->span_x, paper->scale);
    paper->height = cut(paper->height, width, paper->span_y, paper->scale);
}

static void place(const struct paper *paper, struct dpl_vector3 at, double *ret_x, double *ret_y)
{
    *ret_x = 0.5 * paper->width +
             paper->scale * (dpl_vector3_dot(paper->eye.right, at) - paper->middle_x);
    *ret_y =
        0.5 * paper->height - paper->scale * (dpl_vector3_dot(paper->eye.up, at) - paper->middle_y);
}

static void go(const struct paper *paper, struct dpl_vector3 at, bool draws)
{
    double x, y;
    place(paper, at, &x, &y);
    draws ? cairo_line_to(paper->cairo, x, y) : cairo_move_to(paper->cairo, x, y);
}

/* The power of ten that fits at most `n` times into a length. */
static double round_length(double length, double n)
{
    return pow(10.0, ceil(log10(length / n) - 1e-9));
}

/* Lines on the ground, if the eye is above it. */
static void draw_ground(const struct paper *paper)
{
    double low_x = paper->low[0], high_x = paper->high[0];
    double low_y = paper->low[1], high_y = paper->high[1];
    double grid = round_length(fmax(high_x - low_x, fmax(high_y - low_y, 1e-3)), 12.0);
    if (paper->eye.to_eye.z <= 0.05 || paper->low[2] > 3.0 * (paper->high[2] - paper->low[2])) {
        return;
    }
    low_x = grid * (floor(low_x / grid) - 1.0), high_x = grid * (ceil(high_x / grid) + 1.0);
    low_y = grid * (floor(low_y / grid) - 1.0), high_y = grid * (ceil(high_y / grid) + 1.0);
    for (double x = low_x; x < high_x + 0.5 * grid; x += grid) {
        go(paper, (struct dpl_vector3){x, low_y, 0.0}, false);
        go(paper, (struct dpl_vector3){x, high_y, 0.0}, true);
    }
    for (double y = low_y; y < high_y + 0.5 * grid; y += grid) {
        go(paper, (struct dpl_vector3){low_x, y, 0.0}, false);
        go(paper, (struct dpl_vector3){high_x, y, 0.0}, true);
    }
    cairo_set_source_rgb(paper->cairo, faint[0], faint[1], faint[2]);
    cairo_set_line_width(paper->cairo, 0.8);
    cairo_stroke(paper->cairo);
}

/* Light comes over the left shoulder of the eye. */
static double light_on(const struct paper *paper, struct dpl_vector3 normal)
{
    struct dpl_vector3 light = dpl_vector3_add(
        paper->eye.to_eye, dpl_vector3_add(dpl_vector3_times(paper->eye.right, -0.6),
                                           dpl_vector3_times(paper->eye.up, 0.9)));
    double length = dpl_vector3_length(light);
    return 0.5 + 0.5 * fmax(0.0, dpl_vector3_dot(normal, light) / length);
}

static void draw_face(const struct paper *paper, const struct picture_face *face)
{
    double light = light_on(paper, face->normal);
    const struct picture_color *color = &face->color;
    for (size_t i = 0; i < face->n; i++) {
        go(paper, face->corners[i], i > 0);
    }
    cairo_close_path(paper->cairo);
    cairo_set_source_rgba(paper->cairo, light * color->red, light * color->green,
                          light * color->blue, color->opacity);
    cairo_fill_preserve(paper->cairo);
    cairo_set_line_width(paper->cairo, 0.6); /* closes the gaps between neighbours */
    cairo_stroke(paper->cairo);
    for (size_t i = 0; i < face->n; i++) {
        if (face->edges >> i & 1) {
            go(paper, face->corners[i], false);
            go(paper, face->corners[(i + 1) % face->n], true);
        }
    }
    cairo_set_source_rgba(paper->cairo, ink[0], ink[1], ink[2], 0.55 * color->opacity);
    cairo_set_line_width(paper->cairo, 0.8);
    cairo_stroke(paper->cairo);
}

static void draw_mark(const struct paper *paper, const struct picture_line *line)
{
    const struct picture_color *color = &line->color;
    cairo_set_source_rgba(paper->cairo, color->red, color->green, color->blue, color->opacity);
    if (line->is_dot) {
        double x, y;
        place(paper, line->from, &x, &y);
        cairo_arc(paper->cairo, x, y, line->width_px, 0.0, 2.0 * DPL_PI);
        cairo_fill(paper->cairo);
        return;
    }
    go(paper, line->from, false);
    go(paper, line->to, true);
    cairo_set_line_width(paper->cairo, line->width_px);
    cairo_stroke(paper->cairo);
}

/* The characters that a label of the scale may have, as strokes: a picture does not depend on the
 * fonts of a machine. Points are x (0 to 4) and y (0 to 6, upwards); after '/' a new stroke begins.
 */
static const struct glyph {
    char character;
    double width;
    const char *strokes;
} glyphs[] = {
    {'0', 5.5, "01 05 16 36 45 41 30 10 01"},        {'1', 4.5, "14 26 20"},
    {'5', 5.5, "46 06 03 33 42 41 30 10 01"},        {'.', 3.0, "10 11"},
    {'m', 6.0, "00 04 / 03 14 23 20 / 23 34 43 40"}, {' ', 3.0, ""},
};

static double draw_glyph(const struct paper *paper, const struct glyph *glyph, double x, double y)
{
    const double unit = 1.6; /* px */
    bool draws = false;
    for (const char *at = glyph->strokes; *at; at++) {
        if (*at == '/') {
            draws = false;
        } else if (*at != ' ') {
            double to_x = x + unit * (at[0] - '0'), to_y = y - unit * (at[1] - '0');
            draws ? cairo_line_to(paper->cairo, to_x, to_y)
                  : cairo_move_to(paper->cairo, to_x, to_y);
            draws = true;
            at++;
        }
    }
    return unit * glyph->width;
}

static void draw_label(const struct paper *paper, const char *text, double x, double y)
{
    for (; *text; text++) {
        for (size_t i = 0; i < sizeof glyphs / sizeof glyphs[0]; i++) {
            x += glyphs[i].character == *text ? draw_glyph(paper, &glyphs[i], x, y) : 0.0;
        }
    }
    cairo_set_line_width(paper->cairo, 1.3);
    cairo_stroke(paper->cairo);
}

/* Of 1 or 5 times a power of ten. */
static void draw_scale(const struct paper *paper)
{
    double length = round_length(paper->width / paper->scale, 40.0);
    char text[32];
    length *= length * paper->scale < 40.0 ? 5.0 : 1.0;
    bool is_small = length < 0.999;
    snprintf(text, sizeof text, is_small && length < 0.999e-3 ? "%.4f %s" : "%.0f %s",
             is_small ? 1e3 * length : length, is_small ? "mm" : "m");
    cairo_set_source_rgb(paper->cairo, ink[0], ink[1], ink[2]);
    cairo_set_line_width(paper->cairo, 2.0);
    cairo_move_to(paper->cairo, 16.0, paper->height - 16.0);
    cairo_line_to(paper->cairo, 16.0 + length * paper->scale, paper->height - 16.0);
    cairo_stroke(paper->cairo);
    draw_label(paper, text, 16.0, paper->height - 23.0);
}

static void draw(const struct picture *picture, struct paper *paper)
{
    struct dpl_arena memory = {0};
    cairo_set_line_join(paper->cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(paper->cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_source_rgb(paper->cairo, 1.0, 1.0, 1.0);
    cairo_paint(paper->cairo);
    draw_ground(paper);
    const struct picture_face *ordered =
        picture_order(&memory, picture, &paper->eye, paper->nearest);
    for (const struct picture_face *face = ordered; face; face = face->next) {
        draw_face(paper, face);
    }
    for (const struct picture_line *line = picture->lines; line; line = line->next) {
        draw_mark(paper, line);
    }
    draw_scale(paper);
    dpl_arena_finish(&memory);
}

/* ---- files ---- */

static cairo_status_t write_bytes(void *user, const unsigned char *bytes, unsigned n)
{
    FILE *stream = user;
    return fwrite(bytes, 1, n, stream) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *make_surface(const char *path, const struct paper *paper, FILE *stream)
{
    return picture_ends_in(path, ".svg")
               ? cairo_svg_surface_create_for_stream(write_bytes, stream, paper->width,
                                                     paper->height)
               : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)paper->width,
                                            (int)paper->height);
}

static cairo_status_t draw_to(const struct picture *picture, const struct picture_view *view,
                              const char *path, FILE *stream)
{
    struct paper paper = look(view);
    fit(&paper, picture);
    cut_paper(&paper);
    cairo_surface_t *surface = make_surface(path, &paper, stream);
    paper.cairo = cairo_create(surface);
    draw(picture, &paper);
    cairo_status_t status = cairo_status(paper.cairo);
    if (status == CAIRO_STATUS_SUCCESS && !picture_ends_in(path, ".svg")) {
        status = cairo_surface_write_to_png_stream(surface, write_bytes, stream);
    }
    cairo_destroy(paper.cairo);
    cairo_surface_finish(surface);
    status = status ? status : cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status;
}

int picture_draw(const struct picture *picture, const struct picture_view *view, const char *path,
                 struct dpl_diag *reterr)
{
    struct dpl_output out = {0};
    int err = dpl_output_open(&out, path, reterr);
    if (err < 0) {
        return err;
    }
    cairo_status_t status = draw_to(picture, view, path, out.stream);
    if (status == CAIRO_STATUS_NO_MEMORY || status == CAIRO_STATUS_INVALID_SIZE) {
        dpl_output_abandon(&out);
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){.file = path}, "the picture: %s",
                        cairo_status_to_string(status));
    }
    return dpl_output_close(&out, reterr);
}

extern const struct picture_module dpl_module;

const struct picture_module dpl_module = {sizeof dpl_module, picture_draw, picture_draw_image};
