/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the suspicion against the wheels, from surprises of single scans. */
#include "suspicion.h"

#include <criterion/criterion.h>

#define PERIOD_S 0.1
#define FIRST    20 /* scans that say nothing of the wheels */

static struct suspicion suspicion;

/* A scan that contradicts the prediction by 20 mm along x, times `along`. */
static void scan(double stamp_s, double nis, double along)
{
    suspicion_add(&suspicion, &(struct suspicion_scan){.stamp_s = stamp_s,
                                                       .nis = nis,
                                                       .surprise = {0.02 * along, 0.0, 0.0},
                                                       .has_gyro = true});
}

/* A scan that shows a turn of 3 deg beyond the prediction. */
static void turned_scan(double stamp_s, bool has_gyro, double wheels_gyro_rad)
{
    suspicion_add(&suspicion, &(struct suspicion_scan){.stamp_s = stamp_s,
                                                       .nis = 50.0,
                                                       .surprise = {0.0, 0.0, 0.05},
                                                       .has_gyro = has_gyro,
                                                       .wheels_gyro_rad = wheels_gyro_rad});
}

static void setup(void)
{
    suspicion_init(&suspicion);
    for (int i = 0; i < FIRST; i++) {
        scan(1.0 + 0.1 * i, 0.1, 1.0);
    }
}

TestSuite(suspicion, .init = setup);

Test(suspicion, does_not_blame_the_wheels_for_a_start_that_was_wrong)
{
    suspicion_init(&suspicion);
    for (int i = 0; i < FIRST; i++) {
        scan(10.0 + 0.1 * i, 8.0, 1.0);
        cr_assert_not(suspicion_holds(&suspicion, 10.0 + 0.1 * i, PERIOD_S));
    }
    scan(12.0, 8.0, 1.0);
    cr_assert(suspicion_holds(&suspicion, 12.0, PERIOD_S));
}

Test(suspicion, does_not_hold_before_the_first_scan)
{
    cr_assert_not(suspicion_holds(&suspicion, 0.0, PERIOD_S));
    cr_assert_not(suspicion_holds(&suspicion, 0.0, 10.0));
}

Test(suspicion, holds_from_one_scan_that_contradicts_much)
{
    scan(10.0, 6.5, 1.0);
    cr_assert(suspicion_holds(&suspicion, 10.0, PERIOD_S));
}

Test(suspicion, does_not_hold_from_scans_within_their_noise)
{
    for (int i = 0; i < 50; i++) {
        scan(10.0 + 0.1 * i, 2.9, 1.0);
        cr_assert_not(suspicion_holds(&suspicion, 10.0 + 0.1 * i, PERIOD_S));
    }
}

Test(suspicion, needs_two_scans_that_contradict_a_little)
{
    scan(10.0, 3.5, 1.0);
    cr_assert_not(suspicion_holds(&suspicion, 10.0, PERIOD_S));
    scan(10.1, 3.5, 1.0);
    cr_assert(suspicion_holds(&suspicion, 10.1, PERIOD_S));
}

Test(suspicion, does_not_hold_from_two_scans_that_contradict_to_opposite_sides)
{
    for (int i = 0; i < 20; i++) {
        scan(10.0 + 0.1 * i, 5.0, i % 2 ? 1.0 : -1.0);
    }
    cr_assert_not(suspicion_holds(&suspicion, 11.9, PERIOD_S));
}

Test(suspicion, does_not_count_a_scan_from_before_it_was_cleared)
{
    scan(10.0, 3.5, 1.0);
    suspicion_clear(&suspicion);
    scan(10.1, 3.5, 1.0);
    cr_assert_not(suspicion_holds(&suspicion, 10.1, PERIOD_S));
}

Test(suspicion, still_holds_after_it_was_cleared)
{
    scan(10.0, 6.5, 1.0);
    suspicion_clear(&suspicion);
    cr_assert(suspicion_holds(&suspicion, 10.3, PERIOD_S));
}

Test(suspicion, ends_half_a_second_after_the_last_scan_that_spoke_for_it)
{
    scan(10.0, 6.5, 1.0);
    scan(10.4, 6.5, 1.0);
    cr_assert(suspicion_holds(&suspicion, 10.85, PERIOD_S));
    cr_assert_not(suspicion_holds(&suspicion, 10.95, PERIOD_S));
}

Test(suspicion, outlasts_two_periods_of_a_slow_laser)
{
    scan(10.0, 6.5, 1.0);
    cr_assert(suspicion_holds(&suspicion, 11.9, 1.0));
    cr_assert_not(suspicion_holds(&suspicion, 12.1, 1.0));
}

Test(suspicion, does_not_hold_when_wheels_and_gyro_agree_and_only_the_laser_turned)
{
    turned_scan(10.0, true, 0.002);
    cr_assert_not(suspicion_holds(&suspicion, 10.0, PERIOD_S));
}

Test(suspicion, holds_when_the_gyro_does_not_confirm_the_turn_of_the_wheels)
{
    turned_scan(10.0, true, -0.04);
    cr_assert(suspicion_holds(&suspicion, 10.0, PERIOD_S));
}

Test(suspicion, holds_from_a_turn_that_no_gyro_can_judge)
{
    turned_scan(10.0, false, 0.0);
    cr_assert(suspicion_holds(&suspicion, 10.0, PERIOD_S));
}

Test(suspicion, holds_when_the_pose_is_off_with_too_small_a_turn_to_be_the_lasers)
{
    suspicion_add(&suspicion, &(struct suspicion_scan){.stamp_s = 10.0,
                                                       .nis = 9.0,
                                                       .surprise = {0.02, 0.0, 0.01},
                                                       .has_gyro = true});
    cr_assert(suspicion_holds(&suspicion, 10.0, PERIOD_S));
}
