/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/map/delay.h in a simulated room. */
#include "delay.h"

#include "room.h"

static double estimate(double delay_s, size_t n)
{
    const struct room_case room = {.n = n, .odometry_scale = 1.0, .delay_s = delay_s};
    const struct scan_points_options options = {0};
    struct recording recording = room_record(&room);
    double found = (double)NAN;
    cr_assert_eq(delay_estimate(&recording, &options, &found), 0);
    recording_finish(&recording);
    return found;
}

Test(delay, of_late_stamps_is_found)
{
    cr_assert_float_eq(estimate(0.15, 200), 0.15, 0.02);
    cr_assert_float_eq(estimate(0.0, 200), 0.0, 0.02);
}

Test(delay, is_nought_when_too_little_was_recorded)
{
    cr_assert_eq(estimate(0.15, 10), 0.0);
}

Test(delay, gives_a_scan_the_odometry_of_earlier)
{
    const struct room_case room = {.n = 50, .odometry_scale = 1.0};
    struct recording recording = room_record(&room);
    struct dpl_pose2 before = recording.scans[20].odometry, after = recording.scans[21].odometry;
    cr_assert_eq(delay_apply(&recording, 0.05), 0);
    struct dpl_pose2 got = recording.scans[21].odometry;
    cr_assert_float_eq(got.x, 0.5 * (before.x + after.x), 1e-9);
    cr_assert_float_eq(got.y, 0.5 * (before.y + after.y), 1e-9);
    cr_assert_float_eq(got.theta, 0.5 * (before.theta + after.theta), 1e-6);
    recording_finish(&recording);
}
