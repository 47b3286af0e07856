/* SPDX-License-Identifier: Apache-2.0 */
/* VelocityScript over a mock base: it drives its table, stops, ends the run, and says what is wrong
 * with a table. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probe.h"

struct outcome {
    enum dpl_exit code;
    double duration_s, way_m, done, refused;
};

static struct outcome run_steps(const char *const sets[4], double duration_s,
                                const struct bench_step *steps, size_t n_steps)
{
    const char *folder = bench_make_folder();
    struct bench bench = {PROBE_BENCH("script.xml"), .duration_s = duration_s, .out_dir = folder,
                          .steps = steps, .n_steps = n_steps};
    memcpy(bench.sets, sets, 4 * sizeof sets[0]);
    struct outcome outcome = {.code = bench_run(&bench)};
    outcome.duration_s = bench_summary(folder, "duration_s");
    outcome.way_m = bench_summary(folder, "WheelController.distance_m");
    outcome.done = bench_summary(folder, "VelocityScript.done");
    outcome.refused = bench_summary(folder, "VelocityScript.refused");
    bench_remove_folder(folder);
    cr_assert_eq(outcome.code, DPL_EXIT_DONE, "%s", bench_error());
    return outcome;
}

static struct outcome run(const char *const sets[4], double duration_s)
{
    return run_steps(sets, duration_s, NULL, 0);
}

Test(velocity_script, ends_the_run_after_its_last_row_and_the_time_it_is_held)
{
    const char *sets[4] = {"VelocityScript.Script=0 0.1 0; 2 0 0", "VelocityScript.EndAfter=0.5"};
    struct outcome outcome = run(sets, 60.0);
    cr_assert_float_eq(outcome.duration_s, 2.5, 0.05, "%g s", outcome.duration_s);
    cr_assert_float_eq(outcome.way_m, 0.2, 0.01, "%g m", outcome.way_m);
    cr_assert_eq(outcome.done, 1.0);
    cr_assert_eq(outcome.refused, 0.0);
}

Test(velocity_script, leaves_the_end_of_the_run_to_others_when_told_so)
{
    const char *sets[4] = {"VelocityScript.Script=0 0.1 0", "VelocityScript.EndRun=false",
                           "VelocityScript.EndAfter=1"};
    struct outcome outcome = run(sets, 3.0);
    cr_assert_float_eq(outcome.duration_s, 3.0, 0.02);
    cr_assert_float_eq(outcome.way_m, 0.1, 0.015, "%g m: the base does not stop", outcome.way_m);
    cr_assert_eq(outcome.done, 1.0);
}

/* Rounds of 0.1 s: in floating point 0.3 s is a little before the third round's end. */
Test(velocity_script, begins_again_for_ever_when_it_loops)
{
    const char *sets[4] = {"VelocityScript.Script=0 0.1 0; 0.1 0.1 0", "VelocityScript.Loop=true",
                           "VelocityScript.EndAfter=0"};
    struct outcome outcome = run(sets, 3.0);
    cr_assert_float_eq(outcome.duration_s, 3.0, 0.02, "%g s", outcome.duration_s);
    cr_assert_float_eq(outcome.way_m, 0.29, 0.015, "%g m", outcome.way_m);
    cr_assert_eq(outcome.done, 0.0);
}

static void disable(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(probe_call(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_DISABLE), 0);
}

Test(velocity_script, counts_the_commands_that_the_base_refuses)
{
    static const struct bench_step steps[] = {{0.5, disable}};
    const char *sets[4] = {"VelocityScript.Script=0 0.1 0", "VelocityScript.EndAfter=100"};
    struct outcome outcome = run_steps(sets, 1.0, steps, DPL_COUNT(steps));
    cr_assert(outcome.refused >= 48.0 && outcome.refused <= 51.0, "%g", outcome.refused);
}

static void refuse(const char *set, const char *set2, const char *expected)
{
    struct bench bench = {
        .file = UNIT "/components/mobile/data/script.xml", .sets = {set, set2}, .duration_s = 1.0};
    cr_assert_lt(bench_create_error(&bench), 0, "%s was taken", set);
    cr_assert_not_null(strstr(bench_error(), expected), "%s", bench_error());
}

Test(velocity_script, says_what_is_wrong_with_its_table)
{
    refuse("VelocityScript.Script=0 1 0; 0 2 0", NULL, "character 8");
    refuse("VelocityScript.Script= ", NULL, "at least one row");
    refuse("VelocityScript.Script=", NULL, "neither Script nor File");
    refuse("VelocityScript.File=/nonexistent/script", NULL,
           "there is no file '/nonexistent/script'");
    refuse("VelocityScript.File=/tmp", NULL, "there is no file");
    refuse("VelocityScript.File=/dev/null", "VelocityScript.Script=0 0 0", "both Script and File");
}

static void write_file(const char *path, const char *text, size_t n)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(text, 1, n, file), n);
    cr_assert_eq(fclose(file), 0);
}

Test(velocity_script, reads_its_table_from_a_file_that_is_text)
{
    const char *folder = bench_make_folder();
    char path[128], set[192];
    snprintf(path, sizeof path, "%s/script", folder);
    snprintf(set, sizeof set, "VelocityScript.File=%s", path);
    struct bench bench = {
        .file = UNIT "/components/mobile/data/script.xml", .sets = {set}, .duration_s = 1.0};
    write_file(path, "# t v w\n0 0.1 0\n", 16);
    cr_assert_eq(bench_create_error(&bench), 0, "%s", bench_error());
    write_file(path, "0 0.1 0\n\0 1 1 1\n", 16);
    refuse(set, NULL, "zero byte");
    write_file(path, "0 0.1 0\n1 1\n", 12);
    refuse(set, NULL, "three numbers");
    bench_remove_folder(folder);
}
