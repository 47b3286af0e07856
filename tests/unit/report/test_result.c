/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a run: what is there, what may be absent. */
#include <math.h>
#include <string.h>

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
