/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a run: what is there, what may be absent. */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "folder.h"
#include "result.h"

static char folder[64];
static struct result result;

static void begin(void)
{
    strcpy(folder, "/tmp/doppel-result-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    folder_write(folder, "summary.json",
                 "{\"sync.fidelity\": 0.5, \"none\": null, \"sync.strategy\": \"fig12\"}");
    folder_write(folder, "trace.csv", "t,sync.true_mm,sync.distance_mm\n0,,1\n1,,2\n");
}

static void end(void)
{
    folder_remove(folder);
}

TestSuite(result, .init = begin, .fini = end);

static void read_spec(const char *format, const char *label)
{
    char spec[128];
    struct dpl_diag diag = {0};
    snprintf(spec, sizeof spec, format, folder);
    cr_assert_eq(result_read(spec, &result, &diag), 0, "%s", diag.text);
    cr_assert_str_eq(result.label, label);
    result_finish(&result);
}

Test(result, is_labelled_by_its_folder_or_as_told)
{
    read_spec("%s", strrchr(folder, '/') + 1);
    read_spec("%s/", strrchr(folder, '/') + 1);
    read_spec("ours=%s", "ours");
}

/* "a=b" is a folder of its own here, and not the folder "b" labelled "a". */
Test(result, is_a_folder_whose_name_has_an_equals_sign)
{
    char before[64];
    strcpy(before, folder);
    strcat(folder, "-gain=2");
    cr_assert_eq(rename(before, folder), 0);
    read_spec("%s", strrchr(folder, '/') + 1);
    read_spec("ours=%s", "ours");
}

/* calibrate reads the results of its own run: its process has the folder until it ends. */
Test(result, has_ended_with_its_summary_also_while_its_process_goes_on)
{
    int dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cr_assert_eq(flock(dir, LOCK_EX | LOCK_NB), 0);
    cr_assert_eq(result_read(folder, &result, NULL), 0);
    cr_assert_eq(result.end, RESULT_ENDED);
    result_finish(&result);
    char summary[80];
    snprintf(summary, sizeof summary, "%s/summary.json", folder);
    cr_assert_eq(unlink(summary), 0);
    cr_assert_eq(result_read(folder, &result, NULL), 0);
    cr_assert_eq(result.end, RESULT_GOES_ON);
    result_finish(&result);
    close(dir);
}

Test(result, has_numbers_and_texts_of_the_summary)
{
    cr_assert_eq(result_read(folder, &result, NULL), 0);
    cr_assert_eq(result_number(&result, "sync.fidelity"), 0.5);
    cr_assert(isnan(result_number(&result, "none")));
    cr_assert(isnan(result_number(&result, "absent")));
    cr_assert(isnan(result_number(&result, "sync.strategy")));
    cr_assert_str_eq(result_text(&result, "sync.strategy"), "fig12");
    cr_assert_str_eq(result_text(&result, "sync.fidelity"), "");
    result_finish(&result);
}

Test(result, has_the_measured_distance_where_the_true_one_is_unknown)
{
    bool is_true = true;
    cr_assert_eq(result_read(folder, &result, NULL), 0);
    double *distance = result_distance(&result, &is_true);
    cr_assert_not(is_true);
    cr_assert_eq(distance[1], 2.0);
    free(distance);
    cr_assert_null(result_column(&result, "absent"));
    result_finish(&result);
}

/* The base at (1, 2) looks up, the scanner sits 0.5 m before its axle. */
Test(result, places_scans_in_the_frame_of_the_odometry)
{
    folder_write(folder, "scans.csv",
                 "t,x,y,theta,mount_x,mount_y,mount_theta,start_angle,step_angle,ranges...\n"
                 "0,1,2,1.5707963267948966,0.5,0,0,0,1.5707963267948966,3,0,inf\n"
                 "1,1,2\n");
    cr_assert_eq(result_read(folder, &result, NULL), 0);
    double *x, *y;
    size_t n = result_scan_points(&result, &x, &y);
    cr_assert_geq(n, 1);
    cr_assert_float_eq(x[0], 1.0, 1e-9);
    cr_assert_float_eq(y[0], 5.5, 1e-9);
    free(x);
    free(y);
    result_finish(&result);
}

Test(result, says_which_file_is_missing_or_broken)
{
    struct dpl_diag diag = {0};
    char nowhere[] = "/nonexistent";
    cr_assert_lt(result_read(nowhere, &result, &diag), 0);
    cr_assert_not_null(strstr(diag.text, "summary.json"), "%s", diag.text);
    folder_write(folder, "summary.json", "{");
    cr_assert_lt(result_read(folder, &result, &diag), 0);
    folder_write(folder, "summary.json", "[1]");
    cr_assert_eq(result_read(folder, &result, &diag), 0);
    cr_assert(isnan(result_number(&result, "sync.fidelity")));
    result_finish(&result);
}

static void cut_short(const char *part)
{
    folder_remove(folder);
    cr_assert_eq(mkdir(folder, 0777), 0);
    folder_write(folder, "trace.csv.part", part);
}

/* sync: 3, 4 and 5 mm; the last row was not finished. */
static const char part[] = "t,sync.true_mm,sync.distance_mm,sync.fidelity\n"
                           "0,3,,1\n0.05,4,6,0.5\n0.1,5,8,0.25\n0.15,99,99";

Test(result, of_a_run_that_was_killed_has_the_whole_rows_of_its_part)
{
    char text[256];
    struct dpl_diag diag = {0};
    cut_short(part);
    cr_assert_eq(result_read(folder, &result, &diag), 0, "%s", diag.text);
    cr_assert_eq(result.trace.n_rows, 3);
    cr_assert_eq(result.end, RESULT_CUT_SHORT);
    cr_assert_eq(result_number(&result, "duration_s"), 0.1);
    cr_assert_float_eq(result_number(&result, "sync.true_rms_mm"), sqrt(50.0 / 3.0), 1e-12);
    cr_assert_eq(result_number(&result, "sync.true_max_mm"), 5.0);
    cr_assert_eq(result_number(&result, "sync.true_final_mm"), 5.0);
    cr_assert_float_eq(result_number(&result, "sync.measured_rms_mm"), sqrt(50.0), 1e-12);
    cr_assert_eq(result_number(&result, "sync.fidelity"), 0.25);
    cr_assert(isnan(result_number(&result, "sync.true_heading_rms_deg")));
    cr_assert_str_eq(result_trouble(&result, text, sizeof text),
                     "the run did not end properly; shown are the 3 complete rows of "
                     "trace.csv.part");
    result_finish(&result);
}

Test(result, a_distance_to_a_guess_does_not_count_in_the_measured_one)
{
    cut_short("t,sync.state,sync.distance_mm\n0,OK,6\n0.05,UNKNOWN,4000\n0.1,OK,8\n");
    cr_assert_eq(result_read(folder, &result, NULL), 0);
    cr_assert_float_eq(result_number(&result, "sync.measured_rms_mm"), sqrt(50.0), 1e-12);
    result_finish(&result);
}

Test(result, of_a_run_that_a_component_ended_says_so)
{
    char text[256];
    cut_short(part);
    folder_write(folder, "summary.json", "{\"exit\": 3, \"error\": \"Trouble has ended\"}");
    cr_assert_eq(result_read(folder, &result, NULL), 0);
    cr_assert_not_null(
        strstr(result_trouble(&result, text, sizeof text),
               "did not end properly: Trouble has ended; shown are the 3 complete rows"),
        "%s", text);
    result_finish(&result);
}

Test(result, of_a_run_that_failed_at_its_end_is_whole)
{
    char text[256];
    folder_write(folder, "summary.json", "{\"exit\": 3, \"error\": \"its device is lost\"}");
    cr_assert_eq(result_read(folder, &result, NULL), 0);
    cr_assert_eq(result.end, RESULT_FAILED);
    cr_assert_eq(result.trace.n_rows, 2);
    cr_assert_str_eq(result_trouble(&result, text, sizeof text),
                     "the run failed: its device is lost");
    cr_assert(isnan(result_number(&result, "sync.true_rms_mm")));
    result_finish(&result);
}

Test(result, of_a_part_without_a_whole_header_has_no_rows)
{
    cut_short("t,sync.tr");
    cr_assert_eq(result_read(folder, &result, NULL), 0);
    cr_assert_eq(result.trace.n_rows, 0);
    cr_assert(isnan(result_number(&result, "duration_s")));
    result_finish(&result);
}

Test(result, of_a_run_that_never_began_says_why)
{
    struct dpl_diag diag = {0};
    folder_remove(folder);
    cr_assert_eq(mkdir(folder, 0777), 0);
    folder_write(folder, "summary.json", "{\"exit\": 1, \"error\": \"no such driver\"}");
    cr_assert_lt(result_read(folder, &result, &diag), 0);
    cr_assert_not_null(strstr(diag.text, "no trace.csv; it failed: no such driver"), "%s",
                       diag.text);
}
