/* SPDX-License-Identifier: Apache-2.0 */
/* Draws charts: axes, series, labels, legend. */
#include "svg.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <doppel/text.h>

#include "svg_frame.h"

#define LETTER_PX 6.4 /* about, of a legend */
#define SIGN_PX   26.0
#define LEGEND_PX 18 /* a row of a legend below the chart */

const char *series_color(size_t n)
{
    static const char *const palette[] = {"#1a73e8", "#d93025", "#188038", "#f29900",
                                          "#9334e6", "#12858d", "#5f6368", "#b80672"};
    return palette[n % (sizeof palette / sizeof palette[0])];
}

static void draw_axis_labels(FILE *out, const struct chart *c)
{
    fprintf(out, "<text class=\"label\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">",
            (LEFT + c->width - RIGHT) / 2.0, c->height - 8);
    xml_escape(out, c->x_label);
    if (c->bare) { /* above the axis: there is room for larger letters */
        fprintf(out, "</text>\n<text class=\"label\" x=\"4\" y=\"24\">");
    } else {
        fprintf(out,
                "</text>\n<text class=\"label\" transform=\"translate(14 %.1f) rotate(-90)\" "
                "text-anchor=\"middle\">",
                (TOP + c->height - BOTTOM) / 2.0);
    }
    xml_print(out, "%s</text>\n", c->y_label);
}

static void draw_title(FILE *out, const struct chart *c)
{
    fprintf(out, "<text class=\"title\" x=\"%.1f\" y=\"18\">", LEFT);
    xml_print(out, "%s</text>\n", c->title);
}

/* ---- legend ---- */

static double legend_width(const struct series *series)
{
    return series->label ? SIGN_PX + LETTER_PX * (double)strlen(series->label) : 0.0;
}

/* Rows below the chart; 0: all has room above it, or there is none to draw. */
static int legend_rows(const struct chart *c, const struct series *series, size_t n)
{
    double whole = 0.0, x = LEFT;
    int rows = 1;
    for (size_t i = 0; i < n; i++) {
        double width = legend_width(&series[i]);
        whole += width;
        if (x > LEFT && x + width > c->width - RIGHT) {
            x = LEFT;
            rows++;
        }
        x += width;
    }
    return c->bare || whole <= c->width - RIGHT ? 0 : rows;
}

static void draw_item(FILE *out, const struct series *series, double x, double y)
{
    svg_series_sign(out, series, x, y, 14.0);
    fprintf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%g\">", x + 18.0, y + 4.0);
    xml_print(out, "%s</text>\n", series->label);
}

/* From right to left, in the line under the title. */
static void draw_legend_above(FILE *out, const struct chart *c, const struct series *series,
                              size_t n)
{
    double x = c->width - RIGHT;
    for (size_t i = n; i-- > 0;) {
        if (series[i].label) {
            x -= legend_width(&series[i]);
            draw_item(out, &series[i], x, 30.0);
        }
    }
}

static void draw_legend_below(FILE *out, const struct chart *c, const struct series *series,
                              size_t n)
{
    double x = LEFT, y = c->height + 6.0;
    for (size_t i = 0; i < n; i++) {
        double width = legend_width(&series[i]);
        if (x > LEFT && x + width > c->width - RIGHT) {
            x = LEFT;
            y += LEGEND_PX;
        }
        if (series[i].label) {
            draw_item(out, &series[i], x, y);
        }
        x += width;
    }
}

static const char style[] =
    "<style>.grid{stroke:#e3e6ea;stroke-width:1}.tick{font:11px sans-serif;fill:#5f6368}"
    ".small,.word{font:11px sans-serif;fill:#3c4043}.label{font:12px "
    "sans-serif;fill:#3c4043}.title{font:600 14px sans-serif;fill:#202124}"
    "</style>\n";

/* Without the legend. */
static struct chart sized(const struct chart *chart)
{
    struct chart with = *chart;
    with.width = chart->width ? chart->width : 820;
    with.height = chart->height ? chart->height : 300;
    return with;
}

/* With it. */
static int full_height(const struct chart *chart, const struct series *series, size_t n)
{
    struct chart with = sized(chart);
    return with.height + LEGEND_PX * legend_rows(&with, series, n);
}

void svg_panels(FILE *out, const struct panel *panels, size_t n)
{
    int width = n > 0 ? sized(&panels[0].chart).width : 0, height = 0;
    for (size_t i = 0; i < n; i++) {
        height += full_height(&panels[i].chart, panels[i].series, panels[i].n);
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
        top += full_height(&panels[i].chart, panels[i].series, panels[i].n);
    }
    fputs("</svg>\n", out);
}

/* An <svg> inside cuts off what is out of the limits. */
static void draw_area(FILE *out, const struct svg_frame *frame, const struct series *series,
                      size_t n)
{
    double width = frame->chart->width - LEFT - RIGHT, height = frame->chart->height - TOP - BOTTOM;
    fprintf(out, "<svg x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" viewBox=\"%g %g %g %g\">\n",
            LEFT, TOP, width, height, LEFT, TOP, width, height);
    for (size_t i = 0; i < n; i++) {
        svg_series_draw(out, frame, &series[i]);
    }
    fputs("</svg>\n", out);
}

void svg_chart(FILE *out, const struct chart *chart, const struct series *series, size_t n,
               bool standalone)
{
    struct chart with = sized(chart);
    struct svg_frame frame = svg_frame_make(&with, series, n);
    int height = full_height(chart, series, n);
    fprintf(out, "<svg%s viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n",
            standalone ? " xmlns=\"http://www.w3.org/2000/svg\"" : "", with.width, height,
            with.width, height);
    fputs(with.bare ? "" : style, out);
    fprintf(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n");
    svg_frame_draw(out, &frame);
    draw_area(out, &frame, series, n);
    if (with.inset) {
        svg_inset_draw(out, &frame, series, n);
    }
    draw_axis_labels(out, &with);
    if (!with.bare) {
        draw_title(out, &with);
        (height > with.height ? draw_legend_below : draw_legend_above)(out, &with, series, n);
    }
    fputs("</svg>\n", out);
}

static bool is_kept(uint32_t code)
{
    return code == '\t' || code == '\n' || code == '\r' || !dpl_text_is_control(code);
}

static void write_clean(FILE *out, const char *text, size_t n)
{
    char one[8] = "", clean[DPL_TEXT_CLEAN_SIZE(4)];
    memcpy(one, text, n);
    dpl_text_clean(one, clean, sizeof clean);
    fputs(clean, out);
}

void xml_escape(FILE *out, const char *text)
{
    for (size_t n; *text; text += n) {
        uint32_t code;
        size_t found = dpl_text_next(text, &code);
        n = found > 0 ? found : 1;
        if (found == 0 || !is_kept(code)) {
            write_clean(out, text, n);
            continue;
        }
        switch (code) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fwrite(text, 1, n, out);
        }
    }
}

void xml_print(FILE *out, const char *format, ...)
{
    va_list texts;
    va_start(texts, format);
    for (const char *c = format; *c; c++) {
        if (*c != '%') {
            fputc(*c, out);
        } else if (*++c == 's') {
            xml_escape(out, va_arg(texts, const char *));
        } else {
            fputc(*c, out);
        }
    }
    va_end(texts);
}
