/* SPDX-License-Identifier: Apache-2.0 */
#include "score.h"

#include <math.h>

/* Commands that are so near are the same one. */
static const double same_m_s = 0.02, same_rad_s = 0.1;
/* A contact may come so much earlier or later than predicted, and by this share of the time that
 * was looked ahead. */
static const double tolerance_s = 0.5, tolerance_share = 0.25;
/* Predictions of the last moment are of no use and not judged. */
static const double lead_s = 0.3;
/* The bumper of a base that pushes comes and goes. */
static const double flicker_s = 0.5;

void score_init(struct score *score)
{
    *score = (struct score){.pressed_s = -(double)INFINITY};
}

static double tolerance_of(const struct score_prediction *prediction)
{
    return tolerance_s + tolerance_share * (prediction->contact_s - prediction->made_s);
}

/* ---- the list ---- */

typedef bool keeps(const struct score_prediction *prediction, double now_s);

static void sift(struct score *score, keeps *keeps_it, double now_s)
{
    size_t n = 0;
    for (size_t i = 0; i < score->n; i++) {
        if (keeps_it(&score->pending[i], now_s)) {
            score->pending[n++] = score->pending[i];
        }
    }
    score->n = n;
}

static bool is_clear(const struct score_prediction *prediction, double now_s)
{
    return isnan(prediction->contact_s);
}

static bool is_of_now(const struct score_prediction *prediction, double now_s)
{
    return prediction->until_s >= now_s || !isnan(prediction->contact_s);
}

static bool has_contact(const struct score *score)
{
    for (size_t i = 0; i < score->n; i++) {
        if (!isnan(score->pending[i].contact_s)) {
            return true;
        }
    }
    return false;
}

void score_predict(struct score *score, double now_s, struct dpl_twist2 twist, double contact_s,
                   double horizon_s)
{
    bool expects = !isnan(contact_s);
    if (score->pressed) { /* something touches: that it will is no prediction */
        score->expects = false;
        return;
    }
    score->predicted += expects && !score->expects;
    score->expects = expects;
    if (score->n == SCORE_PENDING_MAX) {
        for (size_t i = 1; i < score->n; i++) {
            score->pending[i - 1] = score->pending[i];
        }
        score->n--;
    }
    score->pending[score->n++] = (struct score_prediction){
        .made_s = now_s,
        .contact_s = now_s + contact_s,
        .until_s = now_s + horizon_s,
        .twist = twist,
    };
}

/* ---- judging ---- */

static bool still_holds(const struct score_prediction *prediction, struct dpl_twist2 command)
{
    return fabs(prediction->twist.linear - command.linear) <= same_m_s &&
           fabs(prediction->twist.angular - command.angular) <= same_rad_s;
}

/* Those of another command say nothing any more. */
static void drop_others(struct score *score, struct dpl_twist2 command)
{
    bool lost = false;
    size_t n = 0;
    for (size_t i = 0; i < score->n; i++) {
        if (still_holds(&score->pending[i], command)) {
            score->pending[n++] = score->pending[i];
        } else {
            lost |= !isnan(score->pending[i].contact_s);
        }
    }
    score->n = n;
    score->unjudged += lost && !has_contact(score);
}

static void score_contact(struct score *score, double now_s)
{
    bool judged = false, right = false;
    for (size_t i = 0; i < score->n; i++) {
        const struct score_prediction *prediction = &score->pending[i];
        if (now_s - prediction->made_s >= lead_s) {
            judged = true;
            right |= fabs(prediction->contact_s - now_s) <= tolerance_of(prediction);
        }
    }
    score->right += judged && right;
    score->missed += judged && !right;
    score->unjudged += !judged;
    score->n = 0;
}

static void score_silence(struct score *score, double now_s)
{
    for (size_t i = 0; i < score->n; i++) {
        const struct score_prediction *prediction = &score->pending[i];
        if (now_s > prediction->contact_s + tolerance_of(prediction)) {
            score->false_alarms++;
            sift(score, is_clear, now_s);
            return;
        }
    }
}

void score_see(struct score *score, double now_s, struct dpl_twist2 command, bool pressed)
{
    score->pressed_s = pressed ? now_s : score->pressed_s;
    bool touches = now_s - score->pressed_s < flicker_s, begins = touches && !score->pressed;
    score->pressed = touches;
    if (begins) { /* before the command that answers it */
        score_contact(score, now_s);
        return;
    }
    drop_others(score, command);
    score_silence(score, now_s);
    sift(score, is_of_now, now_s);
}

/* An avatar that settles on its wheels moves less; one that is somewhere else does not move at all.
 */
static const double least_m = 0.005, least_rad = 0.02;
static const double driven_m = 0.3;

bool astray_see(struct astray *astray, struct dpl_pose2 base, struct dpl_pose2 avatar)
{
    if (!astray->seen) {
        *astray = (struct astray){.seen = true, .base = base, .avatar = avatar};
    }
    double turn = dpl_wrap_angle(avatar.theta - astray->avatar.theta);
    astray->moves |= dpl_pose2_distance(avatar, astray->avatar) > least_m || fabs(turn) > least_rad;
    return !astray->moves && dpl_pose2_distance(base, astray->base) > driven_m;
}
