/* SPDX-License-Identifier: Apache-2.0 */
/* Charts as files: their numbers are those of the trace; groups and words of recorded values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve_names.h"
#include "folder.h"
#include "plot.h"
#include "result.h"
#include "values.h"
#include "words.h"

static char folder[64];

static void begin(void)
{
    strcpy(folder, "/tmp/doppel-plot-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static void end(void)
{
    folder_remove(folder);
}

TestSuite(plot, .init = begin, .fini = end);

static struct result read_run(const char *record, const char *trace)
{
    struct result result;
    struct dpl_diag diag = {0};
    folder_write(folder, "summary.json", "{}");
    folder_write(folder, "run.json", record);
    folder_write(folder, "trace.csv", trace);
    cr_assert_eq(result_read(folder, &result, &diag), 0, "%s", diag.text);
    return result;
}

static char csv[4][4096], titles[4][128], meanings[4][256], units[4][32];
static size_t n_plots;

static void keep_plot(void *user, const struct plot *plot)
{
    (void)user;
    FILE *out = fmemopen(csv[n_plots], sizeof csv[0], "w");
    plot_write_csv(out, plot);
    fclose(out);
    snprintf(titles[n_plots], sizeof titles[0], "%s", plot->chart.title);
    snprintf(meanings[n_plots], sizeof meanings[0], "%s", plot->meaning);
    snprintf(units[n_plots], sizeof units[0], "%s", plot->chart.y_label);
    n_plots++;
}

static const struct values_sink sink = {{keep_plot, NULL}, NULL};

Test(plot, csv_has_the_numbers_of_the_trace)
{
    struct result run = read_run("{}", "t,Servo.q1,Servo.q2\n0,0.1,-1e-300\n0.000625,"
                                       "0.30000000000000004,nan\n0.00125,1,12345678.901234567\n");
    values_give(&sink, &run);
    cr_assert_eq(n_plots, 1);
    cr_assert_str_eq(csv[0], "\"time, s\",\"q1\",\"q2\"\n0,0.1,-1e-300\n"
                             "0.000625,0.30000000000000004,\n0.00125,1,12345678.901234567\n");
    result_finish(&run);
}

Test(plot, groups_by_component_and_unit_and_explains)
{
    static const char record[] =
        "{\"columns\": [{\"name\": \"A.f_x\", \"unit\": \"N\", \"summary\": \"a force\"}, "
        "{\"name\": \"A.f_y\", \"unit\": \"N\", \"summary\": \"a force\"}, {\"name\": \"A.v\", "
        "\"unit\": \"m/s\", \"summary\": \"a speed\"}]}";
    struct result run =
        read_run(record, "t,A.f_x,A.v,A.f_y,A.constant,B.f_x\n0,1,2,3,4,5\n1,2,3,4,4,6\n");
    values_give(&sink, &run);
    cr_assert_eq(n_plots, 3, "what never changes is in no chart");
    cr_assert_str_eq(titles[0], "A: f");
    cr_assert_str_eq(units[0], "N");
    cr_assert_str_eq(meanings[0], "f: a force. ");
    cr_assert_str_eq(csv[0], "\"time, s\",\"f_x\",\"f_y\"\n0,1,3\n1,2,4\n");
    cr_assert_str_eq(titles[1], "A: v");
    cr_assert_str_eq(titles[2], "B: f");
    cr_assert_str_eq(units[2], "", "a run without units");
    result_finish(&run);
}

Test(plot, places_are_apart_from_other_lengths)
{
    static const char record[] = "{\"columns\": [{\"name\": \"S.real_x\", \"unit\": \"m\"}, "
                                 "{\"name\": \"S.m12\", \"unit\": \"m\"}, "
                                 "{\"name\": \"S.avatar_x\", \"unit\": \"m\"}]}";
    struct result run = read_run(record, "t,S.real_x,S.m12,S.avatar_x\n0,8,0.01,9\n1,9,0.02,8\n");
    values_give(&sink, &run);
    cr_assert_eq(n_plots, 2);
    cr_assert_str_eq(csv[0], "\"time, s\",\"real_x\",\"avatar_x\"\n0,8,9\n1,9,8\n");
    cr_assert_str_eq(csv[1], "\"time, s\",\"m12\"\n0,0.01\n1,0.02\n");
    result_finish(&run);
}

Test(plot, shows_words_as_levels)
{
    struct result run =
        read_run("{}", "t,M.phase,M.name\n0,\"idle\",\"one\"\n1,\"run\",\"one\"\n2,,\"one\"\n"
                       "3,\"idle\",\"one\"\n");
    cr_assert(values_any(&run));
    values_give(&sink, &run);
    cr_assert_eq(n_plots, 1, "a word that stays is no chart");
    cr_assert_str_eq(csv[0], "\"time, s\",\"phase\"\n0,\"idle\"\n1,\"run\"\n2,\n3,\"idle\"\n");
    result_finish(&run);
}

Test(plot, refuses_words_that_are_too_many)
{
    char text[1024] = "t,a\n";
    for (int i = 0; i < WORDS_MAX + 1; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,word%c\n", i, 'a' + i);
    }
    struct table table;
    struct words words;
    folder_write(folder, "trace.csv", text);
    char path[96];
    snprintf(path, sizeof path, "%s/trace.csv", folder);
    cr_assert_eq(table_read(path, &table, NULL), 0);
    cr_assert_not(words_read(&table, 1, &words));
    cr_assert_not(words_read(&table, 0, &words), "numbers");
    table_finish(&table);
}

Test(plot, maps_are_rows_of_series)
{
    double x[] = {1, (double)NAN, 2}, y[] = {3, (double)NAN, 4};
    struct series series = {.label = "a \"way\"", .color = "red", .x = x, .y = y, .n = 3};
    struct plot plot = {
        .name = "map",
        .meaning = "",
        .chart = {.title = "", .x_label = "x, m", .y_label = "y, m", .equal_scale = true},
        .series = &series,
        .n = 1};
    keep_plot(NULL, &plot);
    cr_assert_str_eq(csv[0], "\"series\",\"x, m\",\"y, m\"\n\"a \"\"way\"\"\",1,3\n\n"
                             "\"a \"\"way\"\"\",2,4\n");
}

Test(plot, names_tell_what_belongs_together)
{
    cr_assert(curve_same_stem("position_1", "position_12"));
    cr_assert_not(curve_same_stem("position_1", "reference_1"));
    cr_assert_str_eq(curve_index("reference_1"), curve_index("position_1"));
    cr_assert_not(curve_has_index("distance_mm"), "a unit is no index");
    cr_assert_str_eq(curve_index("x"), "x");
    cr_assert(curve_same_stem("pose[0]", "pose[6]"));
    char name[8] = "";
    curve_add_to_name(name, sizeof name, "../é/Base.X\n");
    cr_assert_str_eq(name, "Base-X");
}
