/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the delay of scans, from headings. */
#include "scan_lag.h"

#include <criterion/criterion.h>
#include <math.h>

#include <doppel/math/geometry.h>
#include <doppel/math/random.h>

static struct scan_lag lag;
static struct dpl_random noise;

static void setup(void)
{
    scan_lag_init(&lag);
    noise = dpl_random_seeded(1, 1);
}

/* Heading of a robot that turns to and fro. */
static double heading(double at_s)
{
    return 0.3 * sin(3.0 * at_s) + 3.0;
}

/* Scans 10 times a second that show the heading of `late_s` before their stamps, and more by
 * `step_rad` after `step_from_s`. Wheels slip by `slip_rad` a step (1 sigma). */
static void drive_with(double from_s, double to_s, double late_s, double step_from_s,
                       double step_rad, double slip_rad)
{
    double slipped_rad = 0.0;
    for (int k = 0; from_s + 0.1 * k < to_s; k++) {
        double stamp_s = from_s + 0.1 * k, turned[SCAN_LAGS];
        for (int i = 0; i < SCAN_LAGS; i++) {
            double back_s = i * SCAN_LAG_STEP_S;
            turned[i] = heading(stamp_s - back_s) - heading(stamp_s - 0.1 - back_s);
        }
        double seen = heading(stamp_s - late_s) + 0.004 * dpl_random_normal(&noise);
        seen += stamp_s > step_from_s ? step_rad : 0.0;
        slipped_rad += slip_rad * dpl_random_normal(&noise);
        seen += slipped_rad;
        scan_lag_add(&lag, stamp_s, dpl_wrap_angle(seen), turned, slip_rad > 0.0);
    }
}

/* With a gyro. */
static void drive(double from_s, double to_s, double late_s, double step_from_s, double step_rad)
{
    drive_with(from_s, to_s, late_s, step_from_s, step_rad, 0.0);
}

TestSuite(scan_lag, .init = setup);

/* After `seconds` of turning, with 0.02 s expected. */
static const struct {
    const char *name;
    double seconds, late_s, step_from_s, step_rad, window_s;
    bool is_judged;
    double least, most; /* evidence for another delay */
} windows[] = {
    {"a delay", 4.0, 0.07, 99.0, 0.0, 4.0, true, 25.0, (double)INFINITY},
    {"a delay of a third of a second", 4.0, 0.31, 99.0, 0.0, 4.0, true, 25.0, (double)INFINITY},
    {"a delay that is as expected", 4.0, 0.02, 99.0, 0.0, 4.0, true, -(double)INFINITY, 10.0},
    {"a window after the laser has turned", 6.0, 0.02, 3.0, 0.05, 2.0, true, -(double)INFINITY,
     10.0},
    {"what is no delay: a step of the heading", 4.0, 0.02, 2.0, 0.5, 4.0, false, 0.0, 0.0},
    {"too few scans", 1.0, 0.02, 99.0, 0.0, 4.0, false, 0.0, 0.0},
};

Test(scan_lag, finds_the_delay_of_scans_in_seconds_of_turning_and_judges_nothing_else)
{
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        struct scan_lag_estimate e;
        const char *name = windows[i].name;
        setup();
        drive(0.0, windows[i].seconds, windows[i].late_s, windows[i].step_from_s,
              windows[i].step_rad);
        bool is_judged = scan_lag_estimate(&lag, windows[i].window_s, 0.02, &e);
        cr_assert_eq(is_judged, windows[i].is_judged, "%s", name);
        if (!is_judged) {
            continue;
        }
        cr_assert(e.evidence > windows[i].least && e.evidence < windows[i].most, "%s: evidence %g",
                  name, e.evidence);
        cr_assert(windows[i].least < 0.0 || fabs(e.lag_s - windows[i].late_s) <= 0.011, "%s: %g s",
                  name, e.lag_s);
    }
}

Test(scan_lag, is_sure_of_a_change_when_two_windows_say_the_same)
{
    double off_s;
    bool sure;
    drive(0.0, 2.0, 0.07, 99.0, 0.0);
    cr_assert(scan_lag_has_changed(&lag, 0.02, &off_s, &sure));
    cr_assert_not(sure);
    drive(2.0, 4.5, 0.07, 99.0, 0.0);
    cr_assert(scan_lag_has_changed(&lag, 0.02, &off_s, &sure));
    cr_assert(sure);
    cr_assert_float_eq(off_s, 0.05, 0.011);
}

/* 3 mm per sqrt(m) at 0.3 m/s with an axle of 230 mm. Taken as a gyro's, the same walk says a wrong
 * delay in a third of the windows. */
#define WALK_RAD 0.0032

Test(scan_lag, takes_the_walk_of_wheels_that_slip_for_no_delay)
{
    struct scan_lag_estimate e;
    int wrong = 0;
    for (int i = 0; i < 200; i++) {
        scan_lag_clear(&lag);
        drive_with(3.0 * i, 3.0 * i + 2.1, 0.02, 1e9, 0.0, WALK_RAD);
        wrong += scan_lag_estimate(&lag, 2.0, 0.02, &e) && e.evidence >= 16.0;
    }
    cr_assert_leq(wrong, 2, "%d", wrong);
}

Test(scan_lag, finds_a_delay_by_wheels_that_slip)
{
    struct scan_lag_estimate e;
    int right = 0;
    for (int i = 0; i < 50; i++) {
        scan_lag_clear(&lag);
        drive_with(3.0 * i, 3.0 * i + 4.1, 0.1, 1e9, 0.0, WALK_RAD);
        right += scan_lag_estimate(&lag, 4.0, 0.02, &e) && e.evidence > 16.0 &&
                 fabs(e.lag_s - 0.1) < 0.021;
    }
    cr_assert_geq(right, 45, "%d", right);
}
