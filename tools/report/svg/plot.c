/* SPDX-License-Identifier: Apache-2.0 */
#include "plot.h"

#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doppel/output.h>

extern char **environ;

void plot_give(const struct plot_sink *sink, const struct plot *plot)
{
    sink->take(sink->user, plot);
}

/* ---- HTML ---- */

void plot_write_html(FILE *out, const struct plot *plot)
{
    struct chart chart = plot->chart;
    chart.bare = true;
    fprintf(out, "<figure id=\"%s\">\n<h3>", plot->name);
    xml_print(out, "%s</h3>\n", chart.title);
    svg_chart(out, &chart, plot->series, plot->n, false);
    fprintf(out, "<p class=\"legend\">");
    for (size_t i = 0; i < plot->n; i++) {
        if (plot->series[i].label) {
            fprintf(out, "<span class=\"item\">");
            svg_key(out, &plot->series[i]);
            xml_print(out, "<span>%s</span></span> ", plot->series[i].label);
        }
    }
    xml_print(out, "</p>\n<figcaption>%s</figcaption></figure>\n", plot->meaning);
}

/* ---- CSV ---- */

static void print_number(FILE *out, double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    fputs(isfinite(value) ? text : "", out);
}

static void print_word(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        fputs(*text == '"' ? "\"" : "", out);
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, out);
    }
    fputc('"', out);
}

/* A number, or what it means. */
static void print_value(FILE *out, const struct chart *chart, double value)
{
    if (chart->levels && value >= 0.0 && value < (double)chart->n_levels) {
        print_word(out, chart->levels[(size_t)value]);
    } else {
        print_number(out, value);
    }
}

/* Charts over one time. */
static bool has_one_abscissa(const struct plot *plot)
{
    bool one = !plot->chart.equal_scale;
    for (size_t i = 1; i < plot->n; i++) {
        const struct series *first = &plot->series[0], *s = &plot->series[i];
        one = one && s->n == first->n &&
              (s->x == first->x || memcmp(s->x, first->x, s->n * sizeof *s->x) == 0);
    }
    return one;
}

static void write_columns(FILE *out, const struct plot *plot)
{
    print_word(out, plot->chart.x_label);
    for (size_t i = 0; i < plot->n; i++) {
        fputc(',', out);
        print_word(out, plot->series[i].label ? plot->series[i].label : "");
    }
    fputc('\n', out);
    for (size_t row = 0; plot->n > 0 && row < plot->series[0].n; row++) {
        print_number(out, plot->series[0].x[row]);
        for (size_t i = 0; i < plot->n; i++) {
            fputc(',', out);
            print_value(out, &plot->chart, plot->series[i].y[row]);
        }
        fputc('\n', out);
    }
}

static void write_rows(FILE *out, const struct series *series, size_t n, const char *without_label)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t row = 0; row < series[i].n; row++) {
            if (isfinite(series[i].x[row]) && isfinite(series[i].y[row])) {
                print_word(out, series[i].label ? series[i].label : without_label);
                fputc(',', out);
                print_number(out, series[i].x[row]);
                fputc(',', out);
                print_number(out, series[i].y[row]);
            }
            fputc('\n', out);
        }
    }
}

void plot_write_csv(FILE *out, const struct plot *plot)
{
    if (has_one_abscissa(plot)) {
        write_columns(out, plot);
        return;
    }
    fputs("\"series\",", out);
    print_word(out, plot->chart.x_label);
    fputc(',', out);
    print_word(out, plot->chart.y_label);
    fputc('\n', out);
    write_rows(out, plot->series, plot->n, "");
    if (plot->chart.inset) {
        write_rows(out, plot->chart.inset->series, plot->chart.inset->n, plot->chart.inset->text);
    }
}

/* ---- files ---- */

static int write_file(const struct plot *plot, const char *path, bool is_csv,
                      struct dpl_diag *reterr)
{
    struct dpl_output output;
    int err = dpl_output_open(&output, path, reterr);
    if (err < 0) {
        return err;
    }
    if (is_csv) {
        plot_write_csv(output.stream, plot);
    } else {
        svg_chart(output.stream, &plot->chart, plot->series, plot->n, true);
    }
    return dpl_output_close(&output, reterr);
}

/* 0; -ENOENT: the program is not installed; -EIO: it failed. */
static int convert(const char *svg, const char *png)
{
    const char *const words[] = {"rsvg-convert", "--zoom=2", "--output", png, svg, NULL};
    pid_t pid;
    int status = 0;
    int err = posix_spawnp(&pid, words[0], NULL, NULL, (char *const *)(uintptr_t)words, environ);
    if (err != 0) {
        return -err;
    }
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) {
            return -errno;
        }
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0     ? 0
           : WIFEXITED(status) && WEXITSTATUS(status) == 127 ? -ENOENT
                                                             : -EIO;
}

int plot_write_files(const struct plot *plot, const char *folder, bool *ret_png,
                     struct dpl_diag *reterr)
{
    char svg[4096], csv[4096], png[4096];
    int n = snprintf(svg, sizeof svg, "%s/%s.svg", folder, plot->name);
    snprintf(csv, sizeof csv, "%s/%s.csv", folder, plot->name);
    snprintf(png, sizeof png, "%s/%s.png", folder, plot->name);
    if (n < 0 || (size_t)n >= sizeof svg) {
        return dpl_fail(reterr, -ENAMETOOLONG, (struct dpl_place){0},
                        "the name of the folder for charts is too long");
    }
    int err = write_file(plot, svg, false, reterr);
    err = err < 0 ? err : write_file(plot, csv, true, reterr);
    if (err < 0) {
        return err;
    }
    err = convert(svg, png);
    *ret_png = err == 0;
    return err == 0 || err == -ENOENT ? 0
                                      : dpl_fail(reterr, err, (struct dpl_place){0},
                                                 "rsvg-convert cannot write '%s'", png);
}
