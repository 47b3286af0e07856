/* SPDX-License-Identifier: Apache-2.0 */
#include "loc_sure.h"

#define LEAST_AGREEMENT 0.7
#define MEAN_S          10.0
#define SURE_S          60.0 /* in rooms that are copies of each other wrong ones agreed for 40 s */
#define TRY_S           10.0 /* what agrees teaches what is right, nearly always */
#define HOLD_S          10.0 /* a robot that was carried away is missed within this */
#define GAP_S           5.0  /* meanwhile it may have been */
#define BACK_SIGMA_M    0.10
#define BACK_SIGMA_RAD  0.07

/* doubt */
#define DOUBT_MEAN_S     1.0
#define SLIGHT_AGREEMENT 0.96
#define STRONG_OPENNESS  0.75
#define WAIT_S           5.0
#define WAIT_MOST_S      320.0

/* As in a place that nothing is known of. */
static void begin_place(struct loc_sure *sure)
{
    sure->since_s = sure->next_s = sure->newest_s = (double)NAN;
    sure->agreement_mean = 0.0;
}

void loc_sure_init(struct loc_sure *sure, const struct loc_filter *filter)
{
    *sure = (struct loc_sure){
        .kept = *filter,
        .tried = *filter,
        .kept_s = (double)NAN,
        .forgot_from_s = (double)NAN,
        .forgot_until_s = (double)NAN,
    };
    begin_place(sure);
}

static void take_mean(struct loc_sure *sure, double stamp_s, double agreement)
{
    double gap_s = stamp_s - sure->newest_s;
    bool begins = !(gap_s <= GAP_S); /* also the first */
    double share = begins ? 1.0 : dpl_clamp(gap_s / MEAN_S, 0.0, 1.0);
    if (begins) {
        begin_place(sure);
    }
    sure->agreement_mean += share * (agreement - sure->agreement_mean);
    sure->newest_s = stamp_s;
}

/* Kept is always what was learnt some time before: the scans just before a loss are the doubtful
 * ones. */
static void keep(struct loc_sure *sure, double stamp_s, const struct loc_filter *filter)
{
    if (isnan(sure->next_s)) {
        sure->next = *filter;
        sure->next_s = stamp_s;
    } else if (stamp_s - sure->next_s >= HOLD_S) {
        sure->kept = sure->next;
        sure->kept_s = sure->next_s;
        sure->next = *filter;
        sure->next_s = stamp_s;
    }
}

bool loc_sure_holds(const struct loc_sure *sure)
{
    return sure->newest_s - sure->since_s >= SURE_S; /* false for NAN */
}

void loc_sure_scan(struct loc_sure *sure, double stamp_s, double agreement,
                   const struct loc_filter *filter)
{
    take_mean(sure, stamp_s, agreement);
    if (sure->agreement_mean < LEAST_AGREEMENT) {
        sure->since_s = sure->next_s = (double)NAN;
    } else if (isnan(sure->since_s)) {
        sure->since_s = stamp_s;
    }
    if (sure->newest_s - sure->since_s >= TRY_S) { /* false for NAN */
        sure->tried = *filter;
    }
    if (loc_sure_holds(sure)) {
        keep(sure, stamp_s, filter);
    }
}

void loc_sure_lose(struct loc_sure *sure, const struct loc_filter *before)
{
    if (!sure->is_lost) {
        sure->lost = *before;
        sure->is_lost = true;
    }
    begin_place(sure);
}

/* Nothing says that the pose is off by more than it was, but for a laser that was elsewhere on the
 * robot: where much was moved, a pose that is free goes to what does not stand where it should. */
void loc_sure_resume(struct loc_sure *sure, struct loc_filter *filter)
{
    if (sure->is_lost) {
        struct dpl_pose2 none = {0}, now = loc_filter_mount(filter, none);
        struct dpl_pose2 was = loc_filter_mount(&sure->lost, none);
        double sigma_m =
            sqrt(fmax(filter->p[LOC_STATE_X][LOC_STATE_X], filter->p[LOC_STATE_Y][LOC_STATE_Y]));
        double sigma_rad = sqrt(filter->p[LOC_STATE_THETA][LOC_STATE_THETA]);
        loc_filter_forget(filter, &sure->lost, hypot(sigma_m, dpl_pose2_distance(now, was)),
                          hypot(sigma_rad, now.theta - was.theta));
        sure->is_lost = false;
    }
}

void loc_sure_settle(struct loc_sure *sure)
{
    sure->is_lost = false;
}

void loc_sure_forget(struct loc_sure *sure, double stamp_s, struct loc_filter *filter)
{
    loc_filter_forget(filter, &sure->kept, BACK_SIGMA_M, BACK_SIGMA_RAD);
    sure->tried = sure->kept;
    sure->is_lost = false;
    sure->forgot++;
    sure->forgot_from_s = sure->kept_s;
    sure->forgot_until_s = stamp_s;
    begin_place(sure);
}

/* ---- doubt ---- */

void loc_doubt_init(struct loc_doubt *doubt)
{
    *doubt = (struct loc_doubt){
        .newest_s = (double)NAN,
        .due_s = (double)NAN,
        .wait_s = WAIT_S,
    };
}

bool loc_doubt_scan(struct loc_doubt *doubt, const struct loc_judgement *judged, double stamp_s)
{
    bool first = isnan(doubt->newest_s);
    double share = first ? 1.0 : dpl_clamp((stamp_s - doubt->newest_s) / DOUBT_MEAN_S, 0.0, 1.0);
    doubt->agreement += share * (judged->agreement - doubt->agreement);
    doubt->openness += share * (judged->openness - doubt->openness);
    doubt->newest_s = stamp_s;
    return !(stamp_s < doubt->due_s) && doubt->agreement < SLIGHT_AGREEMENT;
}

bool loc_doubt_is_strong(const struct loc_doubt *doubt)
{
    return isfinite(doubt->newest_s) && doubt->openness < STRONG_OPENNESS;
}

void loc_doubt_allay(struct loc_doubt *doubt)
{
    doubt->due_s = doubt->newest_s + doubt->wait_s;
    doubt->wait_s = fmin(2.0 * doubt->wait_s, WAIT_MOST_S);
}
