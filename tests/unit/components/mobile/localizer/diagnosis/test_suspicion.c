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

/* Of one scan that contradicts: by a turn of 3 deg beyond the prediction, or a small one. */
static const struct {
    const char *name;
    double nis, surprise_m, surprise_rad;
    bool has_gyro;
    double wheels_gyro_rad;
    bool holds;
} turns[] = {
    {"wheels and gyro agree: only the laser turned", 50.0, 0.0, 0.05, true, 0.002, false},
    {"the gyro does not confirm the turn of the wheels", 50.0, 0.0, 0.05, true, -0.04, true},
    {"no gyro can judge the turn", 50.0, 0.0, 0.05, false, 0.0, true},
    {"the pose is off with too small a turn to be the laser's", 9.0, 0.02, 0.01, true, 0.0, true},
};

Test(suspicion, holds_from_a_turn_unless_it_is_the_lasers)
{
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        setup();
        suspicion_add(&suspicion, &(struct suspicion_scan){
                                      .stamp_s = 10.0,
                                      .nis = turns[i].nis,
                                      .surprise = {turns[i].surprise_m, 0.0, turns[i].surprise_rad},
                                      .has_gyro = turns[i].has_gyro,
                                      .wheels_gyro_rad = turns[i].wheels_gyro_rad});
        cr_assert_eq(suspicion_holds(&suspicion, 10.0, PERIOD_S), turns[i].holds, "%s",
                     turns[i].name);
    }
}
