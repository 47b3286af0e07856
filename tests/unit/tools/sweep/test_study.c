/* SPDX-License-Identifier: Apache-2.0 */
/* Studies from XML: what they vary, what is wrong with them, what is kept of their runs. */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "chunk.h"
#include "over_time.h"
#include "store.h"

#define BEGIN   "<study>\n<name>s</name>\n<application file='patrol.xml' duration='1 s'/>\n"
#define DESIGN  "<design type='random' runs='4000' seed='3'/>\n"
#define MEASURE "<measure name='m' value='world.contacts'/>\n"

static char folder[] = "/tmp/doppel-sweep-XXXXXX";

static void enter(void)
{
    cr_assert(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
}

static void leave(void)
{
    (void)!system("rm -rf s.db.runs s.db calibrated.xml");
    (void)!chdir("/");
    rmdir(folder);
}

/* The place and the text of the only error. */
static void refuses(const char *xml, int line, int column, const char *text)
{
    struct dpl_diags diags = {0};
    struct sweep_study study;
    cr_assert_lt(sweep_study_read("s.xml", xml, strlen(xml), &study, &diags), 0, "%s", text);
    cr_assert_eq(diags.n_errors, 1, "%zu errors: %s", diags.n_errors, diags.items[1].text);
    cr_assert_eq(diags.items[0].place.line, line, "%d: %s", diags.items[0].place.line,
                 diags.items[0].text);
    cr_assert_eq(diags.items[0].place.column, column, "%d: %s", diags.items[0].place.column,
                 diags.items[0].text);
    cr_assert(strstr(diags.items[0].text, text), "%s", diags.items[0].text);
    dpl_diags_finish(&diags);
    sweep_study_finish(&study);
}

Test(study, what_is_wrong_has_its_place)
{
    refuses(BEGIN DESIGN MEASURE "<vary property='A.B' from='2' to='1'/></study>", 6, 28,
            "is more than 'to'");
    refuses(BEGIN DESIGN MEASURE "<vary property='AB' from='1' to='2'/></study>", 6, 17,
            "not of the form OWNER.NAME");
    refuses(BEGIN DESIGN MEASURE "<vary param='N' from='1' to='2'/></study>", 6, 7, "has none");
    refuses(BEGIN DESIGN MEASURE "<vary property='A.B' kind='log' from='0' to='2'/></study>", 6, 39,
            "more than 0");
    refuses(BEGIN DESIGN MEASURE "<accept when='n == 0' rate='1'/></study>", 6, 15, "n");
    refuses(BEGIN DESIGN MEASURE "<stop when='n &gt; 0'/></study>", 6, 13, "n");
    refuses(BEGIN DESIGN MEASURE "<measure name='late' value='x' after='1 ms'/></study>", 6, 39,
            "'after' is of a measure with 'reduce'");
    refuses(BEGIN DESIGN MEASURE "<measure name='l' value='x' reduce='max' after='9 s'/></study>",
            6, 49, "a run ends at");
    refuses(BEGIN DESIGN MEASURE "<accept measure='n' quantile='0.5' max='1'/></study>", 6, 18,
            "did you mean 'm'");
    refuses(BEGIN DESIGN MEASURE "<accept when='m == 0'/></study>", 6, 1, "lacks 'rate'");
    refuses(BEGIN "<design type='grid' runs='3'/>\n" MEASURE "</study>", 4, 21, "as many points");
    refuses(BEGIN "<design type='list'/>\n" MEASURE
                  "<vary property='A.B' from='1' to='2'/>\n<point values='1|2'/></study>",
            7, 16, "found 2, expected 1");
    refuses("<study><name>s</name>" DESIGN MEASURE "</study>", 1, 1, "lacks what it is about");
    refuses(BEGIN DESIGN MEASURE "<vary from='calibrated.xml'/></study>", 6, 13, "calibrated.xml");
    refuses(BEGIN DESIGN "<measure name='seed' value='x'/></study>", 5, 16, "another column");
    refuses("<world/>", 1, 1, "no study");
}

static void make(struct sweep_table *table, const char *xml)
{
    struct dpl_diags diags = {0};
    *table = (struct sweep_table){.study_file = "s.xml"};
    int err = sweep_study_read("s.xml", xml, strlen(xml), &table->study, &diags);
    cr_assert_eq(err, 0, "%s", diags.n > 0 ? diags.items[0].text : "");
    cr_assert_eq(sweep_table_make(table, 1), 0);
    dpl_diags_finish(&diags);
}

/* The covariance of what is drawn is that which the calibration has written. */
Test(study, values_have_the_covariance_that_was_calibrated, .init = enter, .fini = leave)
{
    static const char binding[] =
        "<binding_profile><name>b</name><covariance>"
        "<parameter entry='a' name='x' value='2' sigma='0.5'/>"
        "<parameter entry='a' name='y' value='-1' sigma='2' correlations='-0.7'/>"
        "<parameter entry='a' name='z' value='0' sigma='1' correlations='0.3 0.2'/>"
        "</covariance></binding_profile>";
    static const double mean[] = {2.0, -1.0, 0.0};
    static const double sigma[] = {0.5, 2.0, 1.0};
    static const double r[3][3] = {{1.0, -0.7, 0.3}, {-0.7, 1.0, 0.2}, {0.3, 0.2, 1.0}};
    FILE *file = fopen("calibrated.xml", "w");
    fputs(binding, file);
    fclose(file);
    struct sweep_table table;
    make(&table, BEGIN DESIGN MEASURE "<vary from='calibrated.xml'/></study>");
    cr_assert_eq(table.study.n_varies, 3);
    cr_assert_str_eq(table.study.varies[1].path, "a.y");
    double sum[3][3] = {{0}}, first[3] = {0};
    for (size_t i = 0; i < table.n; i++) {
        for (int a = 0; a < 3; a++) {
            double x = atof(table.rows[i].values[a]) - mean[a];
            first[a] += x;
            for (int b = 0; b < 3; b++) {
                sum[a][b] += x * (atof(table.rows[i].values[b]) - mean[b]);
            }
        }
    }
    for (int a = 0; a < 3; a++) { /* five deviations of what 4000 values show */
        cr_assert_float_eq(first[a] / (double)table.n, 0.0, 5.0 * sigma[a] / sqrt(4000.0));
        for (int b = 0; b < 3; b++) {
            double found = sum[a][b] / (double)table.n / (sigma[a] * sigma[b]);
            cr_assert_float_eq(found, r[a][b], 5.0 * sqrt(2.0 / 4000.0), "%d %d: %g", a, b, found);
        }
    }
    sweep_table_finish(&table);
}

Test(study, replicates_share_their_values_and_differ_in_their_seeds)
{
    struct sweep_table table;
    make(&table, BEGIN "<design type='lhs' runs='5' replicates='3'/>" MEASURE
                       "<vary property='A.B' from='1' to='2'/></study>");
    cr_assert_eq(table.n, 15);
    cr_assert_str_eq(table.rows[3].values[0], table.rows[5].values[0]);
    cr_assert_str_neq(table.rows[3].values[0], table.rows[6].values[0]);
    cr_assert_neq(table.rows[3].seed, table.rows[5].seed);
    cr_assert_neq(table.rows[3].identity, table.rows[5].identity);
    sweep_table_finish(&table);
}

Test(study, what_all_runs_share_is_a_part_of_their_identity)
{
    struct sweep_table one, other;
    make(&one, BEGIN "<design type='lhs' runs='1'/>" MEASURE "</study>");
    make(&other, "<study><name>s</name><application file='patrol.xml' duration='2 s'/>"
                 "<design type='lhs' runs='1'/>" MEASURE "</study>");
    cr_assert_neq(one.rows[0].identity, other.rows[0].identity);
    sweep_table_finish(&one);
    sweep_table_finish(&other);
}

Test(study, an_expression_says_nothing_of_a_measure_that_is_not_there)
{
    struct sweep_table table;
    bool holds;
    make(&table, BEGIN DESIGN MEASURE "<measure name='n' value='x'/>"
                                      "<accept when='1/n != 3' rate='1'/></study>");
    const struct sweep_accept *accept = &table.study.accepts[0];
    const double both[] = {0.0, 2.0}, other[] = {(double)NAN, 2.0}, none[] = {0.0, (double)NAN};
    cr_assert(sweep_accept_holds(&table.study, accept, both, &holds, NULL) == 0 && holds);
    cr_assert(sweep_accept_holds(&table.study, accept, other, &holds, NULL) == 0 && holds);
    cr_assert(sweep_accept_holds(&table.study, accept, none, &holds, NULL) < 0 && !holds);
    sweep_table_finish(&table);
}

/* ---- over time ---- */

static void over_time(struct sweep_table *table, const char *measures)
{
    char text[1024];
    snprintf(text, sizeof text, BEGIN DESIGN "%s</study>", measures);
    make(table, text);
}

Test(study, measures_over_time_are_of_the_samples_that_have_a_number)
{
    static struct sweep_over_time over;
    struct sweep_table table;
    over_time(&table, "<measure name='a' value='x' reduce='min'/>"
                      "<measure name='b' value='x' reduce='max'/>"
                      "<measure name='c' value='x' reduce='mean' after='0.9 s'/>"
                      "<measure name='d' value='x' reduce='rms'/><measure name='e' value='x'/>");
    const double samples[] = {2.0, (double)NAN, 4.0, 8.0};
    double values[] = {0.0, 0.0, 0.0, 0.0, 7.0};
    cr_assert(sweep_over_time_matters(&table.study));
    sweep_over_time_begin(&over, &table.study);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 5; k++) {
            over.now[k] = samples[i];
        }
        cr_expect(!sweep_over_time_take(&over, 0.5 * i));
    }
    sweep_over_time_end(&over, values);
    const double expected[] = {2.0, 8.0, 6.0, sqrt((4.0 + 16.0 + 64.0) / 3.0), 7.0};
    for (int k = 0; k < 5; k++) {
        cr_expect_float_eq(values[k], expected[k], 1e-12, "measure %d: %g", k, values[k]);
    }
    sweep_table_finish(&table);
}

Test(study, a_run_is_stopped_where_a_condition_holds)
{
    static struct sweep_over_time over;
    struct sweep_table table;
    over_time(&table, "<measure name='a' value='x'/><measure name='b' value='x' reduce='max'/>"
                      "<stop when='b > 3'/><stop when='a &lt; 0'/>");
    sweep_over_time_begin(&over, &table.study);
    over.now[0] = over.now[1] = (double)NAN;
    cr_expect(!sweep_over_time_take(&over, 0.0));
    over.now[0] = over.now[1] = 3.0;
    cr_expect(!sweep_over_time_take(&over, 0.1));
    over.now[0] = -1.0;
    cr_expect(sweep_over_time_take(&over, 0.2));
    cr_expect_str_eq(over.stopped, "a < 0");
    sweep_table_finish(&table);
}

/* ---- results on their way ---- */

static void add_line(const struct sweep_table *table, size_t row, double value)
{
    struct sweep_chunk chunk;
    struct dpl_diag error;
    struct sweep_outcome outcome = {.status = SWEEP_DONE, .text = "all is well"};
    outcome.measures[0] = value;
    cr_assert_eq(sweep_chunk_open(&chunk, "s.db", 1, 1, &error), 0, "%s", error.text);
    cr_assert_eq(sweep_chunk_add(&chunk, &table->rows[row], 1, &outcome), 0);
    cr_assert_eq(sweep_chunk_close(&chunk), 0);
}

Test(study, a_torn_line_does_not_count_and_the_next_one_begins_anew, .init = enter, .fini = leave)
{
    struct sweep_table table;
    struct dpl_diag error;
    struct stat status;
    make(&table, BEGIN "<design type='random' runs='3'/>" MEASURE "</study>");
    add_line(&table, 0, 1.5);
    add_line(&table, 1, 2.5);
    cr_assert_eq(stat("s.db.runs/1-of-1.lines", &status), 0);
    cr_assert_eq(truncate("s.db.runs/1-of-1.lines", status.st_size - 3), 0);
    cr_assert_eq(sweep_chunks_read("s.db", &table, &error), 0);
    cr_assert(table.rows[0].result && !table.rows[1].result);
    cr_assert_eq(table.rows[0].result->measures[0], 1.5);
    cr_assert_str_eq(table.rows[0].result->text, "all is well");
    add_line(&table, 2, 3.5);
    cr_assert_eq(sweep_chunks_read("s.db", &table, &error), 0);
    cr_assert(!table.rows[1].result && table.rows[2].result);
    cr_assert_eq(table.rows[2].result->measures[0], 3.5);
    sweep_table_finish(&table);
}

Test(study, results_of_another_plan_are_stale, .init = enter, .fini = leave)
{
    struct sweep_table table;
    struct dpl_diag error;
    make(&table, BEGIN "<design type='random' runs='3'/>" MEASURE "</study>");
    add_line(&table, 0, 1.5);
    table.rows[0].identity++;
    cr_assert_eq(sweep_chunks_read("s.db", &table, &error), 1);
    cr_assert(!table.rows[0].result);
    sweep_table_finish(&table);
}

Test(study, a_plan_that_is_read_is_the_one_that_was_written, .init = enter, .fini = leave)
{
    static const char xml[] = BEGIN "<design type='sobol' runs='20'/>" MEASURE
                                    "<vary property='A.B' kind='choice' values='a|b, \"c\"'/>"
                                    "<vary world='r.x' kind='normal' mean='1' sigma='2'/></study>";
    struct sweep_table table, again;
    struct dpl_diags diags = {0};
    struct dpl_diag error;
    make(&table, xml);
    cr_assert_eq(sweep_store_write(&table, xml, strlen(xml), "s.db", &error), 0, "%s", error.text);
    cr_assert_eq(sweep_store_read("s.db", &again, &diags), 0);
    cr_assert_eq(again.n, 20);
    for (size_t i = 0; i < 20; i++) {
        cr_assert_eq(again.rows[i].identity, table.rows[i].identity);
        cr_assert_eq(again.rows[i].seed, table.rows[i].seed);
        cr_assert_str_eq(again.rows[i].values[1], table.rows[i].values[1]);
    }
    add_line(&again, 4, 7.0);
    cr_assert_eq(sweep_chunks_read("s.db", &again, &error), 0);
    cr_assert_eq(sweep_store_collect(&again, "s.db", &error), 0, "%s", error.text);
    dpl_diags_finish(&diags);
    sweep_table_finish(&table);
    sweep_table_finish(&again);
}

Test(study, one_process_at_a_time_runs_a_chunk, .init = enter, .fini = leave)
{
    struct sweep_chunk one, other;
    struct dpl_diag error;
    cr_assert_eq(sweep_chunk_open(&one, "s.db", 1, 2, &error), 0);
    cr_assert_lt(sweep_chunk_open(&other, "s.db", 1, 2, &error), 0);
    cr_assert(strstr(error.text, "another process"));
    sweep_chunk_close(&one);
}
