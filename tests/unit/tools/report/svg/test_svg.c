/* SPDX-License-Identifier: Apache-2.0 */
/* Charts are whole whatever the numbers are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <expat.h>

#include "svg.h"

static char *text;
static size_t size;

static void draw(const struct chart *chart, const struct series *series, size_t n)
{
    FILE *out = open_memstream(&text, &size);
    svg_chart(out, chart, series, n, true);
    fclose(out);
    XML_Parser parser = XML_ParserCreate(NULL);
    cr_assert_neq(XML_Parse(parser, text, (int)size, 1), XML_STATUS_ERROR, "%s in\n%s",
                  XML_ErrorString(XML_GetErrorCode(parser)), text);
    XML_ParserFree(parser);
    cr_assert_null(strstr(text, "nan"), "%s", text);
    cr_assert_null(strstr(text, "inf"), "%s", text);
    cr_assert_lt(size, 200000, "%zu bytes", size);
}

static void end(void)
{
    free(text);
}

TestSuite(svg, .fini = end);

static const struct chart usual = {.title = "A & B", .x_label = "x<", .y_label = "\"y\""};

static size_t count(const char *word)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, word)); at++) {
        n++;
    }
    return n;
}

Test(svg, draws_a_curve_with_a_legend)
{
    const double x[] = {0, 1, 2}, y[] = {0, 4, 1};
    struct series series = {.label = "a<b", .color = series_color(0), .x = x, .y = y, .n = 3};
    draw(&usual, &series, 1);
    cr_assert_eq(count("<polyline"), 1);
    cr_assert_eq(count("a&lt;b"), 1);
    cr_assert_eq(count("A &amp; B"), 1);
}

Test(svg, a_long_legend_is_whole)
{
    const double x[] = {0, 1}, y[] = {0, 1};
    struct series series[14];
    for (size_t i = 0; i < 14; i++) {
        series[i] = (struct series){
            .label = "walls and objects", .color = "red", .x = x, .y = y, .n = 2, .dots = true};
    }
    draw(&usual, series, 14);
    cr_assert_eq(count("walls and objects"), 14);
    cr_assert_eq(count("viewBox=\"0 0 820 300\""), 0, "it is below the chart");
    end();
    draw(&usual, series, 4);
    cr_assert_eq(count("viewBox=\"0 0 820 300\""), 1, "it is above the curves");
}

Test(svg, a_long_way_keeps_its_breaks)
{
    enum { N = 9001 };
    static double x[N];
    for (size_t i = 0; i < N; i++) {
        x[i] = (double)i;
    }
    x[4567] = (double)NAN;
    struct series series = {.color = "red", .x = x, .y = x, .n = N};
    struct chart chart = usual;
    chart.equal_scale = true;
    draw(&chart, &series, 1);
    cr_assert_eq(count("<polyline"), 2);
}

Test(svg, an_inset_says_how_much_is_outside)
{
    double x[100] = {0}, y[100] = {0};
    struct series way = {.color = "red", .x = (double[]){0, 8}, .y = (double[]){0, 8}, .n = 2};
    struct series error = {.color = "red", .x = x, .y = y, .n = 100};
    struct inset inset = {.text = "error", .pattern = "%g", .unit = 1, .series = &error, .n = 1};
    inset.factor = 50.0;
    struct chart chart = usual;
    chart.equal_scale = true;
    chart.inset = &inset;
    x[7] = -2.0;
    draw(&chart, &way, 1);
    cr_assert_eq(count(">1.0 % are outside<"), 1, "%s", text);
    end();
    for (size_t i = 0; i < 50; i++) {
        y[i] = 2.0;
    }
    draw(&chart, &way, 1);
    cr_assert_eq(count("outside"), 0);
    cr_assert_eq(count("50 &#215;"), 0, "it is magnified less");
}

Test(svg, breaks_a_curve_where_there_is_no_number)
{
    const double x[] = {0, 1, 2, 3, 4}, y[] = {0, 1, (double)NAN, 1, (double)INFINITY};
    struct series series = {.color = "red", .x = x, .y = y, .n = 5};
    draw(&usual, &series, 1);
    cr_assert_eq(count("<polyline"), 2);
}

Test(svg, draws_axes_without_data)
{
    const double none[] = {(double)NAN};
    struct series series[] = {{.color = "red", .x = none, .y = none, .n = 1},
                              {.label = "nothing", .color = "red", .dots = true}};
    draw(&usual, series, 2);
    cr_assert_gt(count("class=\"tick\""), 4);
}

static void draw_level(double level, double more, struct chart chart)
{
    const double x[] = {level, level + more}, y[] = {level, level + more};
    struct series series = {.color = "red", .x = x, .y = y, .n = 2};
    draw(&chart, &series, 1);
    free(text);
    text = NULL;
}

Test(svg, comes_to_an_end_for_numbers_of_any_size, .timeout = 10)
{
    static const double levels[] = {0, 1, -1e-300, 1e9, -1e15, 1e17, 1e300};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        struct chart map = usual, log = usual;
        map.equal_scale = true;
        log.y_log = true;
        log.y_from_zero = true;
        draw_level(levels[i], 0.0, usual);
        draw_level(levels[i], 1e-3, usual);
        draw_level(levels[i], fabs(levels[i]) * 1e-12, map);
        draw_level(levels[i], 3.0, map);
        draw_level(levels[i], 5.0, log);
    }
}

Test(svg, thins_long_curves)
{
    enum { N = 50000 };
    double *x = malloc(2 * N * sizeof *x);
    cr_assert_not_null(x);
    for (int i = 0; i < N; i++) {
        x[i] = i;
        x[N + i] = sin(i * 1e-3);
    }
    struct series series = {.color = "red", .x = x, .y = x + N, .n = N};
    draw(&usual, &series, 1);
    free(x);
    cr_assert_lt(size, 60000);
}

Test(svg, has_colours_for_any_number_of_curves)
{
    cr_assert_str_neq(series_color(0), series_color(1));
    cr_assert_str_eq(series_color(0), series_color(8));
}

Test(svg, draws_decades_evenly_and_leaves_out_what_has_no_logarithm)
{
    const double x[] = {-1, 0, 0.01, 0.1, 1, 10, 100}, y[] = {5, 5, 0, 1, 2, 3, 4};
    struct chart chart = usual;
    chart.x_log = true;
    struct series series = {.color = "red", .x = x, .y = y, .n = 7};
    draw(&chart, &series, 1);
    cr_assert_not_null(strstr(text, ">0.01</text>"), "%s", text);
    cr_assert_not_null(strstr(text, ">100</text>"), "%s", text);
    const char *points = strstr(text, "points=\"");
    double at[5][2];
    cr_assert_eq(sscanf(points, "points=\"%lf,%lf %lf,%lf %lf,%lf %lf,%lf %lf,%lf \"", &at[0][0],
                        &at[0][1], &at[1][0], &at[1][1], &at[2][0], &at[2][1], &at[3][0], &at[3][1],
                        &at[4][0], &at[4][1]),
                 10, "%s", points);
    for (int i = 1; i < 5; i++) {
        cr_assert_float_eq(at[i][0] - at[i - 1][0], 185.0, 0.11);
    }
}

Test(svg, puts_charts_under_each_other)
{
    const double x[] = {0, 1, 2}, y[] = {0, 4, 1};
    struct series series = {.color = "red", .x = x, .y = y, .n = 3};
    struct panel panels[] = {{usual, &series, 1}, {usual, &series, 1}};
    panels[1].chart.height = 200;
    FILE *out = open_memstream(&text, &size);
    svg_panels(out, panels, 2);
    fclose(out);
    XML_Parser parser = XML_ParserCreate(NULL);
    cr_assert_neq(XML_Parse(parser, text, (int)size, 1), XML_STATUS_ERROR, "%s", text);
    XML_ParserFree(parser);
    cr_assert_eq(count("<polyline"), 2);
    cr_assert_not_null(strstr(text, "viewBox=\"0 0 820 500\""), "%s", text);
    cr_assert_not_null(strstr(text, "translate(0 300)"), "%s", text);
}
