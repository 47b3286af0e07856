/* SPDX-License-Identifier: Apache-2.0 */
/* Traces as runs write them, and such as are not. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment_trace.h"
#include "hexa_ik.h"

#define N_ROWS 12

/* What a written trace has wrong. */
struct fault {
    const char *missing; /* column */
    int skipped_row;     /* from this row on one period late; 0: none */
    int text_row;        /* its first force is a word; 0: none */
};

static const char *const poses[] = {"x", "y", "z", "roll", "pitch", "yaw"};

static void write_header(FILE *out, const struct fault *fault)
{
    static const char *const prefixes[] = {"ForceSensor.applied_", "ForceFilter.filtered_",
                                           "DynamicModel.reference_", "TrajectoryPlanner.pose_",
                                           "Hexaslide."};
    fputs("t,TrajectoryPlanner.acted", out);
    for (int p = 0; p < 5; p++) {
        for (int i = 0; i < 6; i++) {
            char name[64];
            snprintf(name, sizeof name, "%s%s", prefixes[p], poses[i]);
            bool missing = fault->missing && strcmp(name, fault->missing) == 0;
            fprintf(out, ",%s", missing ? "other" : name);
        }
    }
    for (int i = 1; i <= 6; i++) {
        fprintf(out, ",MotionPath.q%d", i);
    }
    fputc('\n', out);
}

/* The machine at home, but for a measured x of 1 mm; a force of 5 N along x. */
static void write_row(FILE *out, int row, const struct fault *fault, const double q[6])
{
    const double *home = dpl_hexa_reference.home;
    int late = fault->skipped_row && row >= fault->skipped_row;
    fprintf(out, "%.6f,0", (row + late) * CHAIN_PERIOD_S);
    for (int block = 0; block < 5; block++) {
        for (int i = 0; i < 6; i++) {
            double value = block < 2 ? (i == 0 ? 5.0 : 0.0) : home[i];
            value += block == 4 && i == 0 ? 1e-3 : 0.0;
            if (fault->text_row && row == fault->text_row && block == 0 && i == 0) {
                fputs(",word", out);
            } else {
                fprintf(out, ",%.17g", value);
            }
        }
    }
    for (int i = 0; i < 6; i++) {
        fprintf(out, ",%.17g", q[i]);
    }
    fputc('\n', out);
}

static char path[] = "/tmp/doppel_trace_XXXXXX";

static void write_trace(const struct fault *fault)
{
    double q[6];
    strcpy(path + strlen(path) - 6, "XXXXXX");
    int fd = mkstemp(path);
    FILE *out = fdopen(fd, "w");
    cr_assert_not_null(out);
    cr_assert_eq(dpl_hexa_ik(&dpl_hexa_reference, dpl_hexa_reference.home, q), 0);
    write_header(out, fault);
    for (int row = 0; row < N_ROWS; row++) {
        write_row(out, row, fault, q);
    }
    cr_assert_eq(fclose(out), 0);
}

static int read_trace(struct experiment_trace *trace, double start_s, size_t n,
                      struct dpl_diag *reterr)
{
    *trace = (struct experiment_trace){.file = path, .natural_hz = 3.0, .start_s = start_s, .n = n};
    int r = experiment_trace_read(trace, false, reterr);
    remove(path);
    return r;
}

static void expect_error(const struct fault *fault, size_t n, const char *words)
{
    struct experiment_trace trace;
    struct dpl_diag error = {0};
    write_trace(fault);
    int r = read_trace(&trace, 0.0, n, &error);
    experiment_trace_finish(&trace);
    cr_assert_lt(r, 0);
    cr_assert_not_null(strstr(error.text, words), "'%s'", error.text);
}

Test(experiment_trace, columns_become_deflections_from_home)
{
    struct experiment_trace trace;
    struct dpl_diag error = {0};
    struct fault none = {0};
    write_trace(&none);
    cr_assert_eq(read_trace(&trace, 2 * CHAIN_PERIOD_S, 8, &error), 0, "%s", error.text);
    cr_assert_eq(trace.signals[SIGNAL_FORCE][0][0], 5.0);
    cr_assert_float_eq(trace.signals[SIGNAL_STAGES + STAGE_SERVO][7][0], 1e-3, 1e-12);
    cr_assert_float_eq(trace.signals[SIGNAL_STAGES + STAGE_SERVO][7][2], 0.0, 1e-12);
    cr_assert_float_eq(trace.signals[SIGNAL_STAGES + STAGE_PATH][7][2], 0.0, 1e-9);
    cr_assert_gt(trace.signals[SIGNAL_IDEAL][7][0], 0.0);
    cr_assert_eq(trace.signals[SIGNAL_IDEAL][7][1], 0.0);
    experiment_trace_finish(&trace);
}

Test(experiment_trace, a_column_that_is_missing_is_named)
{
    struct fault fault = {.missing = "Hexaslide.pitch"};
    expect_error(&fault, 8, "no column Hexaslide.pitch");
}

Test(experiment_trace, a_row_that_is_left_out_is_an_error)
{
    struct fault fault = {.skipped_row = 5};
    expect_error(&fault, 8, "not one row each 0.625 ms");
}

Test(experiment_trace, a_value_that_is_a_word_is_an_error)
{
    struct fault fault = {.text_row = 3};
    expect_error(&fault, 8, "ForceSensor.applied_x is no number");
}

Test(experiment_trace, too_few_rows_are_counted)
{
    struct fault none = {0};
    expect_error(&none, N_ROWS + 1, "13 rows from 0 s on are wanted, 12 are there");
}

Test(experiment_trace, a_file_that_is_not_there_is_an_error)
{
    struct experiment_trace trace = {.file = "/nowhere/trace.csv", .natural_hz = 3.0, .n = 4};
    struct dpl_diag error = {0};
    cr_assert_eq(experiment_trace_read(&trace, false, &error), -ENOENT);
    experiment_trace_finish(&trace);
}
