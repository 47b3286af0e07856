/* SPDX-License-Identifier: Apache-2.0 */
/* How predictions are judged by what comes. */
#include <math.h>

#include <criterion/criterion.h>

#include "score.h"

static struct score score;
static double now;
static const struct dpl_twist2 ahead = {0.2, 0.0}, turning = {0.1, 0.6};

static void begin(void)
{
    score_init(&score);
    now = 10.0;
}

TestSuite(score, .init = begin);

/* A look at 10 Hz with a command, for so long; the contact is predicted at a time of the clock. */
static void predict(double seconds, struct dpl_twist2 command, double contact_at)
{
    for (double end = now + seconds - 1e-9; now < end; now += 0.1) {
        score_predict(&score, now, command, contact_at - now, 3.0);
        score_see(&score, now + 0.05, command, false);
    }
}

static void expect(int64_t predicted, int64_t right, int64_t missed, int64_t false_alarms)
{
    cr_assert_eq(score.predicted, predicted, "predicted %d", (int)score.predicted);
    cr_assert_eq(score.right, right, "right %d", (int)score.right);
    cr_assert_eq(score.missed, missed, "missed %d", (int)score.missed);
    cr_assert_eq(score.false_alarms, false_alarms, "false %d", (int)score.false_alarms);
}

Test(score, a_contact_that_comes_as_predicted_is_right_once)
{
    predict(2.0, ahead, 12.1);
    for (int i = 0; i < 20; i++) {
        score_see(&score, 12.1 + 0.1 * i, ahead, true);
    }
    expect(1, 1, 0, 0);
}

Test(score, a_contact_that_nobody_predicted_is_missed)
{
    predict(2.0, ahead, (double)NAN);
    score_see(&score, now, ahead, true);
    expect(0, 0, 1, 0);
}

Test(score, a_contact_much_earlier_than_predicted_is_missed)
{
    predict(1.0, ahead, 13.0);
    score_see(&score, now, ahead, true);
    expect(1, 0, 1, 0);
}

Test(score, a_contact_that_does_not_come_is_one_false_alarm)
{
    predict(2.0, ahead, 12.0);
    predict(3.0, ahead, (double)NAN);
    expect(1, 0, 0, 1);
    cr_assert_eq(score.unjudged, 0);
}

Test(score, a_prediction_whose_command_is_changed_is_not_judged)
{
    predict(1.0, ahead, 12.5);
    predict(4.0, turning, (double)NAN);
    expect(1, 0, 0, 0);
    cr_assert_eq(score.unjudged, 1);
}

Test(score, a_contact_right_after_a_change_is_not_judged)
{
    predict(2.0, ahead, (double)NAN);
    predict(0.1, turning, (double)NAN);
    score_see(&score, now, turning, true);
    expect(0, 0, 0, 0);
    cr_assert_eq(score.unjudged, 1);
}

Test(score, two_contacts_in_a_row_are_two)
{
    predict(2.0, ahead, 12.0);
    score_see(&score, 12.0, ahead, true);
    predict(1.0, ahead, (double)NAN);
    predict(2.0, ahead, 15.0);
    score_see(&score, 15.0, ahead, true);
    expect(2, 2, 0, 0);
}

/* The base pushes: its bumper is not felt for 0.1 s now and then, and the world of the avatar,
 * whose bench stands 10 mm off, says that it will touch soon, or that it does not touch anything
 * new. */
Test(score, a_bumper_that_flickers_is_one_contact)
{
    predict(2.0, ahead, 12.1);
    for (int i = 0; i < 40; i++) {
        double at = 12.1 + 0.1 * i;
        score_predict(&score, at, ahead, i % 8 < 4 ? 0.2 : (double)NAN, 3.0);
        score_see(&score, at, ahead, i % 5 != 4);
    }
    now = 16.1;
    predict(6.0, ahead, (double)NAN);
    expect(1, 1, 0, 0);
    cr_assert_eq(score.unjudged, 0);
    predict(1.0, ahead, 23.1);
    score_see(&score, 23.1, ahead, true);
    expect(2, 2, 0, 0);
}

Test(score, a_list_that_is_full_forgets_the_oldest)
{
    for (int i = 0; i < 3 * SCORE_PENDING_MAX; i++) {
        score_predict(&score, now, ahead, (double)NAN, 1e6);
    }
    cr_assert_eq(score.n, SCORE_PENDING_MAX);
}
