/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of what is published of the pose's error, where time, scale or plan are wrong and where
 * nothing is. The rows of tests/experiments/localization have more drives. */
#include "drives.h"

#include <criterion/criterion.h>

static struct trial_result result;

static void drive(void (*change)(struct trial *trial), uint64_t seed)
{
    struct trial trial;
    trial_init(&trial);
    trial.world = PROFILES "/worlds/office.xml";
    change(&trial);
    trial.faults.n_beams = 341;
    trial.seconds = 60.0;
    trial_run(&trial, seed, &result);
}

static double share_held(void)
{
    return (double)result.n_held / (double)result.n;
}

Test(intervals, scans_that_are_late_from_the_start_are_taken_where_they_were_made)
{
    drive(drive_scans_late, 3);
    cr_assert_lt(result.rms_m, 0.005, "%g m", result.rms_m);
    cr_assert_lt(fabs(result.parameter_error[LOCALIZER_TIME_OFFSET]), 0.005);
    cr_assert_gt(share_held(), 0.95);
    cr_assert_lt(result.nees, 1.0, "%g: also the heading, which is odometry for 0.3 s",
                 result.nees);
}

Test(intervals, a_room_that_is_larger_than_its_plan_is_not_told_from_the_lasers_scale)
{
    drive(drive_larger_room, 2);
    cr_assert_gt(result.rms_m, 0.020, "that of the plan's metre");
    cr_assert_gt(share_held(), 0.95, "%g", share_held());
    drive(drive_range_scale, 2);
    cr_assert_lt(result.rms_m, 0.005);
    cr_assert_gt(share_held(), 0.95);
}

Test(intervals, hold_the_truth_in_a_plan_that_is_exact_and_say_something)
{
    drive(drive_data_sheet, 2);
    cr_assert_gt(share_held(), 0.95);
    cr_assert_lt(result.rms_interval_m, 0.009, "%g m", result.rms_interval_m);
}

Test(intervals, grow_with_the_errors_of_the_plan)
{
    drive(drive_surveyed, 2);
    cr_assert_gt(share_held(), 0.90, "%g", share_held());
    cr_assert(result.rms_interval_m > 0.010 && result.rms_interval_m < 0.030, "%g m",
              result.rms_interval_m);
}

/* One beam of sixty is too long in many scans, and in a copy of the corridor hardly more are too
 * short than what the wall that the plan lacks makes too short at the right place. */
Test(intervals, a_wall_that_the_plan_lacks_makes_no_copy_of_the_corridor_the_better_place)
{
    struct trial trial;
    trial_init(&trial);
    trial.world = PROFILES "/worlds/office.xml";
    drive_unknown_walls(&trial);
    trial.seconds = 40.0;
    trial_run(&trial, 1, &result);
    cr_assert_lt(result.max_m, 0.1, "%g m", result.max_m);
}

/* Places are compared by some beams of each scan: of few beams not by too few of them. */
Test(intervals, lasers_of_few_beams_find_the_robot_again)
{
    static const size_t n_beams[] = {90, 171, 360};
    for (int i = 0; i < 3; i++) {
        struct trial trial;
        trial_init(&trial);
        trial.world = PROFILES "/worlds/office.xml";
        drive_kidnapped(&trial);
        trial.faults.n_beams = n_beams[i];
        trial_run(&trial, 3, &result);
        cr_assert_lt(result.resolved_s, 15.0, "%zu: %g s", n_beams[i], result.resolved_s);
        cr_assert_eq(result.wrong, 0);
    }
}

/* ScanCorrelation 1: the same errors of scans surprise more, in NIS. Limits that were chosen for 5
 * made wheels suspected then, and the mount was still 18 mm uncertain. */
Test(intervals, of_scans_that_count_fully_become_small_as_soon_as_the_robot_drives)
{
    struct trial trial;
    trial_init(&trial);
    trial.world = PROFILES "/worlds/office.xml";
    drive_known_noise(&trial);
    trial_run(&trial, 3, &result);
    cr_assert_lt(result.calibration.sigma[LOCALIZER_MOUNT_X], 0.005, "%g m",
                 result.calibration.sigma[LOCALIZER_MOUNT_X]);
    cr_assert_lt(fabs(result.parameter_error[LOCALIZER_MOUNT_X]), 0.005);
}
