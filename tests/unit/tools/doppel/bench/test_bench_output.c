/* SPDX-License-Identifier: Apache-2.0 */
/* What doppel bench tells of many runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "bench_output.h"

Test(bench_output, junit_has_what_was_measured_but_what_is_no_number)
{
    struct bench_result result = {.verdict = {.expected = true, .name = "finished"}};
    result.verdict.n_measures = 3;
    result.verdict.measures[0] = (struct dpl_measure){"path", "m", 6.7007};
    result.verdict.measures[1] = (struct dpl_measure){"clearance", "m", (double)INFINITY};
    result.verdict.measures[2] = (struct dpl_measure){"refused", "", 3};
    struct bench_group group = {"lane", 1, &result, 1};
    char file[] = "/tmp/doppel-junit-XXXXXX", text[2048] = "";
    close(mkstemp(file));
    cr_assert_eq(bench_write_junit(file, &group, 1), 0);
    FILE *in = fopen(file, "r");
    cr_assert_not_null(in);
    cr_assert_gt(fread(text, 1, sizeof text - 1, in), 0);
    fclose(in);
    unlink(file);
    cr_assert_not_null(strstr(text, "      <properties>\n"
                                    "        <property name=\"path [m]\" value=\"6.7007\"/>\n"
                                    "        <property name=\"refused\" value=\"3\"/>\n"
                                    "      </properties>\n"),
                       "%s", text);
}

Test(bench_output, junit_has_a_case_a_run_and_escapes_what_it_says)
{
    struct bench_result results[2] = {
        {.verdict = {.expected = true, .name = "finished", .text = "fine"}, .duration_s = 1.5},
        {.verdict = {.name = "hit", .text = "at <here> & \"there\""}},
    };
    struct bench_group group = {"lane", 7, results, 2};
    char file[] = "/tmp/doppel-junit-XXXXXX";
    int fd = mkstemp(file);
    cr_assert_geq(fd, 0);
    close(fd);
    cr_assert_eq(bench_count_expected(&group), 1);
    cr_assert_eq(bench_write_junit(file, &group, 1), 0);
    char text[2048] = "";
    FILE *in = fopen(file, "r");
    cr_assert_not_null(in);
    cr_assert_gt(fread(text, 1, sizeof text - 1, in), 0);
    fclose(in);
    unlink(file);
    cr_assert_not_null(strstr(text, "<testsuite name=\"lane\" tests=\"2\" failures=\"1\">"), "%s",
                       text);
    cr_assert_not_null(strstr(text, "name=\"seed 7\" time=\"1.500\">\n"
                                    "      <system-out>fine</system-out>\n    </testcase>"),
                       "%s", text);
    cr_assert_not_null(
        strstr(text, "<failure type=\"hit\" message=\"at &lt;here&gt; &amp; &quot;there&quot;\"/>"),
        "%s", text);
}

/* Of three runs one failed and one was interrupted; the second bench never began. */
Test(bench_output, interrupted_runs_are_skipped_and_count_for_nothing)
{
    struct bench_result results[3] = {
        {.verdict = {.expected = true, .name = "finished", .text = "fine"}},
        {.verdict = {.name = "hit", .text = "a wall"}},
        {.verdict = {.name = "interrupted", .text = "before its verdict"}, .interrupted = true},
    };
    struct bench_group groups[2] = {{"lane", 1, results, 3}, {"never", 1, NULL, 0}};
    cr_assert_eq(bench_count_expected(&groups[0]), 1);
    cr_assert_eq(bench_count_judged(&groups[0]), 2);
    char file[] = "/tmp/doppel-junit-XXXXXX", text[2048] = "";
    close(mkstemp(file));
    cr_assert_eq(bench_write_junit(file, groups, 2), 0);
    FILE *in = fopen(file, "r");
    cr_assert_not_null(in);
    cr_assert_gt(fread(text, 1, sizeof text - 1, in), 0);
    fclose(in);
    unlink(file);
    cr_assert_not_null(
        strstr(text, "<testsuite name=\"lane\" tests=\"3\" failures=\"1\" skipped=\"1\">"), "%s",
        text);
    cr_assert_not_null(strstr(text, "name=\"seed 3\" time=\"0.000\">\n      <skipped/>"), "%s",
                       text);
    cr_assert_null(strstr(text, "before its verdict"), "%s", text);
    cr_assert_null(strstr(text, "never"), "%s", text);
}

/* Texts quote what the user wrote, and may end in the middle of a character. */
Test(bench_output, junit_is_xml_whatever_the_verdict_quotes)
{
    struct bench_result result = {.verdict = {.name = "fault",
                                              .text =
                                                  "\x01 \xc3\xa4\xe2\x82\xac\xf0\x9f\x9a\x97 \xff "
                                                  "\xc0\x80 \xed\xa0\x80 \xef\xbf\xbf <\xc3"}};
    struct bench_group group = {"lane", 1, &result, 1};
    char file[] = "/tmp/doppel-junit-XXXXXX", text[1024] = "";
    close(mkstemp(file));
    cr_assert_eq(bench_write_junit(file, &group, 1), 0);
    FILE *in = fopen(file, "r");
    cr_assert_not_null(in);
    cr_assert_gt(fread(text, 1, sizeof text - 1, in), 0);
    fclose(in);
    unlink(file);
    cr_assert_not_null(strstr(text, "message=\"\\x01 \xc3\xa4\xe2\x82\xac\xf0\x9f\x9a\x97 \\xff "
                                    "\\xc0\\x80 \\xed\\xa0\\x80 \\uffff &lt;\\xc3\"/>"),
                       "%s", text);
}

Test(bench_output, junit_that_cannot_be_written_is_an_error)
{
    cr_assert_eq(bench_write_junit("/nonexistent/x.xml", NULL, 0), -1);
    struct bench_result results[200] = {{.verdict = {.name = "hit", .text = "a wall"}}};
    struct bench_group group = {"lane", 1, results, 200};
    cr_assert_eq(bench_write_junit("/dev/full", &group, 1), -1);
}

Test(bench_output, the_exit_code_is_that_of_the_worst_run)
{
    struct bench_result results[] = {
        {.verdict = {.expected = true}},
        {.failure = DPL_EXIT_BAD_INPUT},
        {.failure = DPL_EXIT_FAULT},
        {.verdict = {.name = "hit"}},
    };
    static const int expected[] = {DPL_EXIT_DONE, DPL_EXIT_BAD_INPUT, DPL_EXIT_FAULT,
                                   DPL_EXIT_VERDICT};
    for (size_t n = 1; n <= 4; n++) {
        struct bench_group group = {"bench", 1, results, n};
        cr_assert_eq(bench_exit_code(&group, 1, n), expected[n - 1], "%zu runs", n);
        cr_assert_eq(bench_exit_code(&group, 1, n + 1), DPL_EXIT_VERDICT, "one was not run");
    }
    results[1] = (struct bench_result){.interrupted = true, .failure = DPL_EXIT_FAULT};
    struct bench_group group = {"bench", 1, results, 2};
    cr_assert_eq(bench_exit_code(&group, 1, 2), DPL_EXIT_VERDICT);
}
