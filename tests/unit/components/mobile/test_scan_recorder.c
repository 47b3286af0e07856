/* SPDX-License-Identifier: Apache-2.0 */
/* ScanRecorder writes the scans it kept, and nothing without a folder. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"

static char *read_scans(const char *folder)
{
    static char text[1 << 20];
    char path[256];
    snprintf(path, sizeof path, "%s/scans.csv", folder);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "no %s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static size_t count(const char *text, char wanted)
{
    size_t n = 0;
    for (; *text; text++) {
        n += *text == wanted;
    }
    return n;
}

Test(scan_recorder, writes_a_row_for_each_scan_that_it_kept)
{
    const char *folder = bench_make_folder();
    struct bench bench = {.file = UNIT "/components/mobile/data/recorder.xml",
                          .sets = {"ScanRecorder.Interval=0.5", "LaserScanner.Beams=5",
                                   "LaserScanner.X=0.25", "WheelController.StartX=3"},
                          .duration_s = 2.9,
                          .out_dir = folder};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
    const char *text = read_scans(folder);
    double kept = bench_summary(folder, "ScanRecorder.kept");
    bench_remove_folder(folder);
    cr_assert(kept >= 5.0 && kept <= 6.0, "%g", kept);
    cr_assert_eq(count(text, '\n'), (size_t)kept + 1);
    cr_assert_eq(strncmp(text, "t,x,y,theta,mount_x,", 20), 0);
    const char *row = strchr(text, '\n') + 1;
    double t, x, y, theta, mount_x;
    cr_assert_eq(sscanf(row, "%lf,%lf,%lf,%lf,%lf", &t, &x, &y, &theta, &mount_x), 5);
    cr_assert_float_eq(x, 3.0, 1e-9);
    cr_assert_float_eq(mount_x, 0.25, 1e-9);
    char *first = strndup(row, strcspn(row, "\n"));
    size_t n_commas = count(first, ',');
    free(first);
    cr_assert_eq(n_commas, 8 + 5, "%zu", n_commas);
}

Test(scan_recorder, keeps_no_more_than_it_may_and_counts_the_rest)
{
    const char *folder = bench_make_folder();
    struct bench bench = {.file = UNIT "/components/mobile/data/recorder.xml",
                          .sets = {"ScanRecorder.Interval=0", "ScanRecorder.MaximumScans=3",
                                   "ScanRecorder.Keep=first"},
                          .duration_s = 2.0,
                          .out_dir = folder};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
    size_t n_lines = count(read_scans(folder), '\n');
    double kept = bench_summary(folder, "ScanRecorder.kept");
    double skipped = bench_summary(folder, "ScanRecorder.skipped");
    bench_remove_folder(folder);
    cr_assert_eq(kept, 3.0);
    cr_assert_eq(n_lines, 4);
    cr_assert_geq(skipped, 10.0, "%g", skipped);
}

Test(scan_recorder, keeps_every_scan_if_told_to)
{
    const char *folder = bench_make_folder();
    struct bench bench = {
        .file = UNIT "/components/mobile/data/recorder.xml",
        .sets = {"ScanRecorder.Interval=0", "ScanRecorder.MaximumScans=0", "LaserScanner.Beams=3"},
        .duration_s = 30.0,
        .out_dir = folder};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
    size_t n_lines = count(read_scans(folder), '\n');
    double kept = bench_summary(folder, "ScanRecorder.kept");
    double skipped = bench_summary(folder, "ScanRecorder.skipped");
    bench_remove_folder(folder);
    cr_assert_geq(kept, 257.0, "more than it keeps by default: %g", kept);
    cr_assert_eq(skipped, 0.0);
    cr_assert_eq(n_lines, (size_t)kept + 1);
}

Test(scan_recorder, keeps_what_its_memory_has_room_for)
{
    const char *folder = bench_make_folder();
    struct bench bench = {.file = UNIT "/components/mobile/data/recorder.xml",
                          .sets = {"ScanRecorder.Interval=0", "ScanRecorder.MaximumScans=0",
                                   "ScanRecorder.MemoryMiB=0.01", "ScanRecorder.Keep=first",
                                   "LaserScanner.Beams=400"},
                          .duration_s = 3.0,
                          .out_dir = folder};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
    double kept = bench_summary(folder, "ScanRecorder.kept");
    double skipped = bench_summary(folder, "ScanRecorder.skipped");
    bench_remove_folder(folder);
    /* 10486 bytes: a quarter for records, the rest for 4 scans of 1600 bytes and a part of another
     */
    cr_assert_eq(kept, 4.0, "%g", kept);
    cr_assert_geq(skipped, 20.0, "%g", skipped);
}

/* Rows with their numbers of ranges; times increase by a scan's period, up to the end of the run.
 */
static void expect_newest(const char *text, double end_s, size_t beams, size_t wanted)
{
    double last = (double)NAN;
    size_t n = 0;
    for (const char *row = strchr(text, '\n') + 1; *row; row = strchr(row, '\n') + 1, n++) {
        size_t commas = 0;
        for (const char *at = row; *at != '\n'; at++) {
            commas += *at == ',';
        }
        cr_expect_eq(commas, 8 + beams, "row %zu: %zu", n, commas);
        cr_expect(isnan(last) || fabs(atof(row) - last - 0.1) < 1e-6, "row %zu: %g", n, atof(row));
        last = atof(row);
    }
    cr_expect_eq(n, wanted, "%zu", n);
    cr_expect_gt(last, end_s - 0.25, "%g", last);
}

Test(scan_recorder, keeps_the_newest)
{
    const struct {
        const char *most, *memory, *beams;
        size_t n, n_beams;
    } rows[] = {
        {"ScanRecorder.MaximumScans=7", "ScanRecorder.MemoryMiB=16", "LaserScanner.Beams=5", 7, 5},
        /* room for 4.9 scans of 400 beams */
        {"ScanRecorder.MaximumScans=0", "ScanRecorder.MemoryMiB=0.01", "LaserScanner.Beams=400", 4,
         400},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *folder = bench_make_folder();
        struct bench bench = {
            .file = UNIT "/components/mobile/data/recorder.xml",
            .sets = {"ScanRecorder.Interval=0", rows[i].most, rows[i].memory, rows[i].beams},
            .duration_s = 6.0,
            .out_dir = folder};
        cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
        expect_newest(read_scans(folder), 6.0, rows[i].n_beams, rows[i].n);
        cr_expect_eq(bench_summary(folder, "ScanRecorder.kept"), (double)rows[i].n);
        cr_expect_geq(bench_summary(folder, "ScanRecorder.skipped"), 40.0);
        bench_remove_folder(folder);
    }
}

Test(scan_recorder, keeps_nothing_without_a_folder)
{
    struct bench bench = {.file = UNIT "/components/mobile/data/recorder.xml", .duration_s = 1.0};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
}
