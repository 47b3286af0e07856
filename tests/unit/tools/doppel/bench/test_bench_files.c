/* SPDX-License-Identifier: Apache-2.0 */
/* What doppel bench does with a run's folder before and after the run. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <doppel/output.h>
#include <doppel/text.h>

#include "bench_files.h"

#define PATH_BYTES 256

static char folder[] = "/tmp/doppel-bench-files-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static bool is_there(const char *name)
{
    struct stat info;
    return lstat(path_of(name), &info) == 0;
}

static const char *content(const char *name)
{
    static char text[4096];
    FILE *file = fopen(path_of(name), "r");
    cr_assert_not_null(file, "no %s", name);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void open_and_close(const char *result)
{
    struct dpl_output output;
    struct dpl_diag error = {0};
    cr_assert_eq(dpl_results_open(folder, result, &output, &error), 0, "%s", error.text);
    cr_assert_eq(dpl_output_close(&output, &error), 0, "%s", error.text);
}

static void make_folder(void)
{
    cr_assert_not_null(mkdtemp(folder));
}

static void remove_folder(void)
{
    static const char *const names[] = {
        ".doppel-results", "log.csv",      "log.csv.part", "scene.json", "trace.csv",
        "notes.txt",       "summary.json", "timing.json",  "track.svg",
    };
    for (size_t i = 0; i < DPL_COUNT(names); i++) {
        unlink(path_of(names[i]));
    }
    rmdir(folder);
}

TestSuite(bench_files, .init = make_folder, .fini = remove_folder);

static const struct bench_result crashed = {
    .verdict = {.name = "crash", .text = "the run's process died: Killed"}};

Test(bench_files, what_a_run_writes_is_removed_before_it_and_nothing_else)
{
    static const char *const results[] = {"log.csv",      "log.csv.part", "scene.json", "trace.csv",
                                          "summary.json", "timing.json",  "track.svg"};
    for (size_t i = 0; i < DPL_COUNT(results); i++) {
        put(results[i], "old");
    }
    open_and_close("log.csv");
    open_and_close("scene.json");
    open_and_close("track.svg");
    put("log.csv.part", "not finished");
    put("notes.txt", "mine");
    cr_assert_eq(dpl_results_clear(folder, NULL), 0);
    for (size_t i = 0; i < DPL_COUNT(results); i++) {
        cr_assert(!is_there(results[i]), "%s is still there", results[i]);
    }
    cr_assert(is_there("notes.txt"));
    cr_assert(!is_there(".doppel-results"));
    cr_assert_eq(dpl_results_clear(folder, NULL), 0, "an empty folder is clear");
}

Test(bench_files, what_is_of_no_run_stays)
{
    put("log.csv", "mine");
    put("trace.csv", "will be written anew");
    cr_assert_eq(dpl_results_clear(folder, NULL), 0);
    cr_assert(is_there("log.csv"));
    cr_assert(!is_there("trace.csv"));
    unlink(path_of("log.csv"));
}

Test(bench_files, a_result_has_a_name_of_its_own_in_the_folder)
{
    static const char *const names[] = {"",           "../log.csv",     "below/log.csv",
                                        "trace.csv",  "summary.json",   "timing.json",
                                        "two\nnames", ".doppel-results"};
    for (size_t i = 0; i < DPL_COUNT(names); i++) {
        struct dpl_output output;
        struct dpl_diag error = {0};
        cr_assert_eq(dpl_results_open(folder, names[i], &output, &error), -EINVAL, "%s", names[i]);
        char shown[64];
        dpl_text_clean(names[i], shown, sizeof shown);
        cr_assert_not_null(strstr(error.text, shown));
    }
    cr_assert(!is_there(".doppel-results"));
}

Test(bench_files, a_list_that_somebody_wrote_reaches_nothing_outside_of_the_folder)
{
    char list[2 * PATH_BYTES + 32];
    put("notes.txt", "mine");
    snprintf(list, sizeof list, "../%s/notes.txt\n%s\n\n.\n", strrchr(folder, '/') + 1,
             path_of("notes.txt"));
    put(".doppel-results", list);
    cr_assert_eq(dpl_results_clear(folder, NULL), 0);
    cr_assert(is_there("notes.txt"));
}

Test(bench_files, devices_under_a_name_of_a_run_stay)
{
    cr_assert_eq(symlink("/dev/null", path_of("log.csv")), 0);
    open_and_close("log.csv");
    cr_assert_eq(dpl_results_clear(folder, NULL), 0);
    cr_assert(is_there("log.csv"));
}

Test(bench_files, a_run_that_wrote_no_summary_gets_one)
{
    cr_assert_eq(bench_complete_summary(folder, "Race_lane", &crashed), 0);
    cr_assert_str_eq(content("summary.json"),
                     "{\n  \"application\": \"Race_lane\",\n  \"duration_s\": 0.0,\n"
                     "  \"faults\": 1,\n  \"exit\": 3,\n"
                     "  \"verdict\": \"crash\",\n"
                     "  \"verdict.text\": \"the run's process died: Killed\",\n"
                     "  \"verdict.expected\": false\n}");
}

Test(bench_files, a_summary_that_says_otherwise_is_put_right)
{
    put("summary.json", "{\"application\": \"Lane\", \"seed\": 5, \"verdict\": \"finished\", "
                        "\"verdict.text\": \"fine\", \"verdict.expected\": true}");
    struct bench_result spoiled = {.verdict = {.name = "fault", .text = "finished, but"}};
    cr_assert_eq(bench_complete_summary(folder, "Lane", &spoiled), 0);
    const char *text = content("summary.json");
    cr_assert_not_null(strstr(text, "\"seed\": 5"), "%s", text);
    cr_assert_not_null(strstr(text, "\"verdict\": \"fault\""), "%s", text);
    cr_assert_not_null(strstr(text, "\"verdict.expected\": false"), "%s", text);
    cr_assert_null(strstr(text, "fine"), "%s", text);
}

Test(bench_files, a_summary_that_tells_the_verdict_is_left_alone)
{
    const char *text = "{\"verdict\": \"crash\",   \"verdict.text\": \"its own words\"}";
    put("summary.json", text);
    cr_assert_eq(bench_complete_summary(folder, "Lane", &crashed), 0);
    cr_assert_str_eq(content("summary.json"), text);
}

Test(bench_files, a_summary_that_cannot_be_written_is_an_error)
{
    cr_assert_eq(symlink("/dev/full", path_of("summary.json")), 0);
    cr_assert_eq(bench_complete_summary(folder, "Lane", &crashed), -ENOSPC);
}

Test(bench_files, without_a_log_there_is_no_picture)
{
    put("scene.json", "{}");
    cr_assert_eq(bench_draw(folder, "lane", &crashed, 0), 0);
    cr_assert(!is_there("track.svg"));
}

static const char scene[] = "{\"walls\": [[0, 0, 0, 5]], \"finish\": [], \"sensors_deg\": [0], "
                            "\"footprint\": [], \"end\": [0.25, 1.5]}";
static const char log_rows[] = "tick,x,y,vel,dir,s0\n0,500,0,0,90,1000\n1,500,10,0,90,990\n";

static const char *draw(const struct bench_result *result, long tick)
{
    put("scene.json", scene);
    put("log.csv", log_rows);
    cr_assert_eq(bench_draw(folder, "lane", result, tick), 0);
    return content("track.svg");
}

Test(bench_files, the_picture_tells_bench_verdict_and_tick_and_marks_a_hit)
{
    struct bench_result hit = {.verdict = {.name = "hit", .text = "HIT"}};
    const char *text = draw(&hit, 0);
    cr_assert_not_null(strstr(text, ">lane: hit<"), "%s", text);
    cr_assert_not_null(strstr(text, ">rays, tick 0<"), "%s", text);
    cr_assert_not_null(strstr(text, ">hit<"), "%s", text);
    cr_assert_null(strstr(text, ">car<"), "a car without an outline: %s", text);
    cr_assert_null(strstr(text, ">finish<"), "a finish that is not there: %s", text);
    struct bench_result finished = {.verdict = {.name = "finished", .text = "FINISH"}};
    cr_assert_null(strstr(draw(&finished, 0), ">hit<"));
}

Test(bench_files, the_picture_shows_the_last_tick_where_there_is_no_such_tick)
{
    const char *text = draw(&crashed, 77);
    cr_assert_not_null(strstr(text, ">rays, tick 1<"), "%s", text);
}
