/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of CARMEN as recordings. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "recording.h"

static int parse(const char *text, struct recording *ret, struct dpl_diag *reterr)
{
    return recording_parse_carmen("a.log", text, strlen(text), ret, reterr);
}

static void refuses(const char *text, int line, int column, const char *words)
{
    struct recording recording = {0};
    struct dpl_diag error = {0};
    cr_assert_eq(parse(text, &recording, &error), -EINVAL, "%s", text);
    cr_assert(strstr(error.text, words), "%s", error.text);
    cr_assert_eq(error.place.line, line, "line %d: %s", error.place.line, error.text);
    cr_assert_eq(error.place.column, column, "column %d: %s", error.place.column, error.text);
}

static bool is_carmen(const char *text)
{
    return recording_is_carmen(text, strlen(text));
}

Test(recording_carmen, flaser_is_half_a_turn_with_odometry)
{
    struct recording recording = {0};
    cr_assert_eq(parse("ODOM 0 0 0 0 0 0 10.0 host 0.0\n"
                       "FLASER 5 1.0 1.1 1.2 1.1 81.91 0 0 0 0 0 0 10.1 host 0.1\n"
                       "FLASER 5 0.9 1.0 1.1 1.0 0.9 0.1 0 0 0.1 0 0.5 10.3 host 0.3\n",
                       &recording, NULL),
                 0);
    cr_assert_eq(recording.n, 2);
    cr_assert_not(recording.is_log);
    const struct recorded_scan *scans = recording.scans;
    cr_assert_eq(scans[0].n, 5);
    cr_assert_float_eq(scans[0].start_angle, -M_PI / 2, 1e-12);
    cr_assert_float_eq(scans[0].step_angle, M_PI / 4, 1e-12);
    cr_assert_float_eq(scans[0].time_s, 10.1, 1e-12);
    cr_assert_float_eq(scans[1].odometry.x, 0.1, 1e-12);
    cr_assert_float_eq(scans[1].odometry.theta, 0.5, 1e-12);
    cr_assert_float_eq((double)recording.ranges[1], 1.1, 1e-6);
    cr_assert_eq(recording.ranges[4], 0.0f, "no return");
    cr_assert_float_eq((double)recording.ranges[scans[1].first], 0.9, 1e-6);
    recording_finish(&recording);
}

Test(recording_carmen, even_numbers_of_beams_end_a_step_before_half_a_turn)
{
    struct recording recording = {0};
    cr_assert_eq(parse("FLASER 4 1 1 1 1 0 0 0 0 0 0 1 h 1\n", &recording, NULL), 0);
    cr_assert_float_eq(recording.scans[0].step_angle, M_PI / 4, 1e-12);
    recording_finish(&recording);
}

Test(recording_carmen, mount_is_that_of_the_first_scan_or_of_the_parameters)
{
    struct recording recording = {0};
    /* The robot looks along y; its laser is 0.2 m ahead. */
    cr_assert_eq(parse("FLASER 1 1 2 3.2 1.5707963267948966 2 3 1.5707963267948966 1 h 1\n"
                       "FLASER 1 1 9 9 0 5 5 0 2 h 2\n",
                       &recording, NULL),
                 0);
    cr_assert_float_eq(recording.scans[0].mount.x, 0.2, 1e-9);
    cr_assert_float_eq(recording.scans[0].mount.y, 0.0, 1e-9);
    cr_assert_float_eq(recording.scans[1].mount.x, 0.2, 1e-9, "a corrected pose is no mount");
    recording_finish(&recording);
    cr_assert_eq(parse("PARAM robot_frontlaser_offset 0.3 nohost 0\nPARAM base pioneer h 0\n"
                       "PARAM robot_front_laser_max 8.1 h 0\n"
                       "FLASER 2 8.1 8 0 0 0 0 0 0 1 h 1\n",
                       &recording, NULL),
                 0);
    cr_assert_float_eq(recording.scans[0].mount.x, 0.3, 1e-12);
    cr_assert_eq(recording.ranges[0], 0.0f);
    cr_assert_eq(recording.ranges[1], 8.0f);
    recording_finish(&recording);
}

Test(recording_carmen, robotlaser_says_its_angles)
{
    struct recording recording = {0};
    cr_assert_eq(parse("ROBOTLASER1 0 -0.9 1.8 0.9 8 0.01 0 3 1 2 8 1 77 0.5 0 0 0.4 0 0 0 0 0 0 0 "
                       "7.5 host 1\n",
                       &recording, NULL),
                 0);
    cr_assert_float_eq(recording.scans[0].start_angle, -0.9, 1e-12);
    cr_assert_float_eq(recording.scans[0].step_angle, 0.9, 1e-12);
    cr_assert_float_eq(recording.scans[0].odometry.x, 0.4, 1e-12);
    cr_assert_float_eq(recording.scans[0].mount.x, 0.1, 1e-12);
    cr_assert_float_eq(recording.scans[0].time_s, 7.5, 1e-12);
    cr_assert_eq(recording.ranges[2], 0.0f);
    recording_finish(&recording);
}

Test(recording_carmen, message_that_is_there_twice_is_one_scan)
{
    struct recording recording = {0};
    cr_assert_eq(parse("FLASER 1 1 0 0 0 0 0 0 1 h 1\nFLASER 1 2 0 0 0 0 0 0 1 h 1\n"
                       "FLASER 1 3 0 0 0 0 0 0 2 h 2\n",
                       &recording, NULL),
                 0);
    cr_assert_eq(recording.n, 2);
    cr_assert_eq(recording.ranges[recording.scans[1].first], 3.0f);
    recording_finish(&recording);
}

Test(recording_carmen, errors_have_a_place)
{
    refuses("FLASER x\n", 1, 8, "found 'x', expected a number of ranges");
    refuses("ODOM 1\nFLASER 3 1 1\n", 2, 13, "expected a range in m");
    refuses("FLASER 1 1 0 0 0 0 0 nan 1 h 1\n", 1, 22, "found 'nan', expected poses");
    refuses("FLASER 99999\n", 1, 7, "at most 8192");
    refuses("ODOM 0 0 0 0 0 0 1 h 1\n", 0, 0, "with no scan");
    refuses("FLASER 1 1 0 0 0 1e5 0 0 1 h 1\n", 1, 18, "within 10000 m");
    refuses("ROBOTLASER1 0 -1.5 3 0 8 0 0 0\n", 1, 1, "a step of 1e-6 to 1 rad");
    refuses("FLASER 1 1 0 0 0 0 0 0", 1, 23, "expected a time");
}

Test(recording_carmen, logs_are_known_by_their_first_message)
{
    cr_assert(is_carmen("# CARMEN Logfile\n\n  ODOM 1 2 3\n"));
    cr_assert(is_carmen("FLASER 1 1"));
    cr_assert(is_carmen("PARAM a b\n"));
    cr_assert_not(is_carmen("0 1 2 3\n"));
    cr_assert_not(is_carmen("# only a comment\n"));
    cr_assert_not(is_carmen("ODOMETRY 1\n"));
    cr_assert_not(is_carmen(""));
}
