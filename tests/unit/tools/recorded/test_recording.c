/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/recorded/recording.h: what is taken, and where an error is. */
#include "recording.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#define HEADER "t,x,y,theta,mount_x,mount_y,mount_theta,start_angle,step_angle,ranges...\n"

static int parse(const char *text, bool is_part, struct recording *ret, struct dpl_diag *reterr)
{
    return recording_parse_csv("scans.csv", text, strlen(text), is_part, ret, reterr);
}

static void refuses(const char *text, int line, int column, const char *words)
{
    struct recording recording = {0};
    struct dpl_diag error = {0};
    cr_assert_eq(parse(text, false, &recording, &error), -EINVAL, "%s", text);
    cr_assert(strstr(error.text, words), "%s", error.text);
    cr_assert_eq(error.place.line, line, "line %d: %s", error.place.line, error.text);
    cr_assert_eq(error.place.column, column, "column %d: %s", error.place.column, error.text);
}

Test(recording, takes_scans_of_different_lengths)
{
    struct recording recording = {0};
    cr_assert_eq(
        parse(HEADER
              "0.1,1,2,0.5,0.1,0,0,-2,0.006,1.5,nan,inf,-1,0\n\n0.2,1,2,0.5,0,0,0,-2,0.006\n",
              false, &recording, NULL),
        0);
    cr_assert_eq(recording.n, 2);
    cr_assert_eq(recording.scans[0].n, 5);
    cr_assert_float_eq(recording.scans[0].mount.x, 0.1, 1e-12);
    cr_assert_float_eq((double)recording.ranges[0], 1.5, 1e-6);
    for (size_t i = 1; i < 5; i++) { /* neither numbers nor returns */
        cr_assert_eq(recording.ranges[i], 0.0f);
    }
    cr_assert_eq(recording.scans[1].n, 0);
    recording_finish(&recording);
}

Test(recording, says_the_line_and_the_byte_of_an_error)
{
    refuses("", 1, 1, "header");
    refuses("time,x\n1,2\n", 1, 1, "header");
    refuses(HEADER, 2, 0, "no scan");
    refuses(HEADER "0.1,1,2\n", 2, 8, "too early");
    refuses(HEADER "0.1,nan,0,0,0,0,0,-2,0.006,1\n", 2, 5, "found 'nan', expected a finite pose");
    refuses(HEADER "0.1,0,1e300,0,0,0,0,-2,0.006,1\n", 2, 7, "found '1e300', expected a finite");
    refuses(HEADER "0.1,0,0,0,0,0,11,-2,inf,1\n", 2, 21, "found 'inf'");
    refuses("\x01\x80,x\n", 1, 1, "found '\\x01\\x80'");
    refuses(HEADER "0.1,0,0,0,0,0,0,-2,0.006,1,1x,2\n", 2, 28, "found '1x'");
    refuses(HEADER "0.1,0,0,0,0,0,0,-2,0.006,2000\n", 2, 26, "1000 m");
    refuses(HEADER "0.1,0,0,0,0,0,0,-2,0,1\n", 2, 20, "step");
    refuses(HEADER "0.1,0,0,0,0,0,0,-2,0.006,1\n0.1,0,0,0,0,0,0,-2,0.006,1\n", 3, 1, "later");
    refuses(HEADER "0.1,0,0,0,0,0,0,-2,0.006,1\n0.2,0,0", 3, 8, "cut short");
}

Test(recording, of_zero_bytes_is_told_as_such)
{
    struct recording recording = {0};
    struct dpl_diag error = {0};
    static const char zeros[100];
    cr_assert_eq(recording_parse_csv("x", zeros, sizeof zeros, false, &recording, &error), -EINVAL);
    cr_assert(strstr(error.text, "found '\\x00\\x00"), "%s", error.text);
}

Test(recording, takes_the_whole_rows_of_a_part)
{
    struct recording recording = {0};
    cr_assert_eq(parse(HEADER "0.1,0,0,0,0,0,0,-2,0.006,1\n0.2,0,0", true, &recording, NULL), 0);
    cr_assert_eq(recording.n, 1);
    recording_finish(&recording);
}

Test(recording, of_a_folder_without_scans_is_refused)
{
    struct recording recording = {0};
    struct dpl_diag error = {0};
    char file[256];
    cr_assert_eq(recording_read("/", file, sizeof file, &recording, &error), -ENOENT);
    cr_assert(strstr(error.text, "ScanRecorder"), "%s", error.text);
}
