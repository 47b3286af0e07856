/* SPDX-License-Identifier: Apache-2.0 */
/* StateMachine in whole runs: the barrier of docs/guides/state-machines.md. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "bench.h"

static const char *folder;

static void begin(void)
{
    folder = bench_make_folder();
}

static void end(void)
{
    bench_remove_folder(folder);
}

TestSuite(state_machine_runs, .init = begin, .fini = end, .timeout = 120);

static struct bench gate(const char *set)
{
    return (struct bench){.file = DOCS "/guides/state-machines/app.xml",
                          .sets = {set},
                          .duration_s = 16,
                          .out_dir = folder};
}

static char *read_trace(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s/trace.csv", folder);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    char *text = calloc(1, 1 << 20);
    cr_assert_lt(fread(text, 1, (1 << 20) - 1, file), (1 << 20) - 1);
    fclose(file);
    return text;
}

Test(state_machine_runs, opens_a_barrier_and_yields_to_who_is_under_it)
{
    struct bench bench = gate(NULL);
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
    static const char *const states[] = {"closed",  "opening", "open",    "closing", "waiting",
                                         "opening", "open",    "closing", "closed"};
    char *trace = read_trace(), *at = trace;
    for (size_t i = 0; i < DPL_COUNT(states); i++) {
        char cell[64];
        snprintf(cell, sizeof cell, ",\"%s\",", states[i]);
        at = strstr(at, cell);
        cr_assert_not_null(at, "state %zu, %s, does not follow", i, states[i]);
    }
    free(trace);
    cr_assert_eq(bench_summary(folder, "Control.transitions"), 8.0);
    cr_assert_eq(bench_summary(folder, "Control.interruptions"), 0.0);
}

Test(state_machine_runs, is_the_same_each_time)
{
    struct bench bench = gate(NULL);
    bench_run(&bench);
    char *first = read_trace();
    bench_run(&bench);
    char *second = read_trace();
    cr_assert_eq(strcmp(first, second), 0);
    free(first);
    free(second);
}

Test(state_machine_runs, names_the_nearest_channel_before_the_run)
{
    char path[256], set[300];
    snprintf(path, sizeof path, "%s/machine.xml", folder);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs("<state_machine name='m'>\n"
          "<state name='a'><transition to='a' when='[hinge/positon] > 1'/></state>\n"
          "</state_machine>\n",
          file);
    fclose(file);
    snprintf(set, sizeof set, "Control.File=%s", path);
    struct bench bench = gate(set);
    cr_assert_neq(bench_create_error(&bench), 0);
    cr_assert_not_null(strstr(bench_error(), "there is no channel 'hinge/positon'"), "%s",
                       bench_error());
    cr_assert_not_null(strstr(bench_error(), "hinge/position'"), "%s", bench_error());
}
