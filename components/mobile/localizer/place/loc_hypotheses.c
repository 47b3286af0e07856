/* SPDX-License-Identifier: Apache-2.0 */
#include "loc_hypotheses.h"

#include <string.h>

#define START_SIGMA_M    0.10
#define START_SIGMA_RAD  0.07
#define TURN_SIGMA_RAD   0.07 /* of a turn that is tried */
#define FOUND_M          0.05 /* deviations of what it finds */
#define FOUND_RAD        0.02
#define LEAST_AGREEMENT  0.55
#define SCAN_PENALTY     10.0
#define WORST_SCAN       (-2.0)
#define OWN_VIEW_S       0.2 /* scans that are nearer see the same moved objects: they weigh less */
#define DROP_BELOW       10.0
#define GRACE_S          0.5 /* after the search: each filter finds to its own best pose first */
#define MERGE_M          0.1
#define MERGE_RAD        0.1
#define DECIDE_AFTER_S   1.0
#define DECIDE_AGREEMENT 0.75
#define BAD_AGREEMENT    0.6
#define BAD_SCANS        10
#define NOWHERE_M        5.0 /* nothing is known but one place that did not fit */
#define NOWHERE_RAD      2.0
#define LEAD             10.0 /* log-weight of the pose that was followed */
#define BEHIND_SHARE     0.5  /* of a beam that fits: something may be of glass, or gone */
#define WHOLE_MISFIT     0.03 /* share of beams: two or three of those that are compared */
#define BY_SHORT_MOST    8.0
#define LEAST_JUDGED     10   /* beams of a scan of which each eighth is judged */
#define SLACK            3.0  /* its lead alone drops nothing: one scan must not decide */
#define OUTSIDE_MISFIT   0.05 /* of a scan from where the plan has nothing */

/* Their lasers are at the same place: scans do not tell them apart. `mount`: the nominal one. */
static bool is_same(const struct loc_hypothesis *a, const struct loc_hypothesis *b,
                    struct dpl_pose2 mount)
{
    const struct loc_filter *f = &a->track.filter, *g = &b->track.filter;
    struct dpl_pose2 p = loc_filter_laser(f, loc_filter_pose(f), mount).pose;
    struct dpl_pose2 q = loc_filter_laser(g, loc_filter_pose(g), mount).pose;
    return dpl_pose2_distance(p, q) < MERGE_M &&
           fabs(dpl_wrap_angle(p.theta - q.theta)) < MERGE_RAD;
}

static double agreement_of(const struct loc_hypothesis *h)
{
    return h->track.update.used ? h->track.update.judgement.agreement : 0.0;
}

/* How much of the scan the place explains. A beam that goes through a pane or through something
 * that is gone ends on what is behind it, at the right place. At a wrong one it ends anywhere. */
static double explained_by(const struct loc_hypothesis *h)
{
    double behind = h->track.update.used ? h->track.update.behind : 0.0;
    return agreement_of(h) + BEHIND_SHARE * behind;
}

static void insert(struct loc_hypotheses *hypotheses, const struct loc_hypothesis *new,
                   struct dpl_pose2 mount)
{
    struct loc_hypothesis *list = hypotheses->list;
    for (size_t i = 0; i < hypotheses->n; i++) {
        if (is_same(&list[i], new, mount)) {
            return;
        }
    }
    size_t i = hypotheses->n < LOC_HYPOTHESES_MAX ? hypotheses->n++ : LOC_HYPOTHESES_MAX;
    if (i == LOC_HYPOTHESES_MAX && explained_by(new) <= explained_by(&list[i - 1])) {
        return;
    }
    i -= i == LOC_HYPOTHESES_MAX;
    for (; i > 0 && explained_by(&list[i - 1]) < explained_by(new); i--) {
        list[i] = list[i - 1];
    }
    list[i] = *new;
}

void loc_hypotheses_add(struct loc_hypotheses *hypotheses, const struct loc_filter *like,
                        struct dpl_pose2 base, const struct loc_observation *observation)
{
    struct loc_hypothesis new;
    memset(&new, 0, sizeof new);
    new.track.filter = *like;
    new.track.used_stamp_s = observation->scan->stamp_s;
    loc_filter_place(&new.track.filter, base, START_SIGMA_M, START_SIGMA_RAD);
    loc_filter_update(&new.track.filter, observation, &new.track.update);
    if (explained_by(&new) < LEAST_AGREEMENT) {
        return;
    }
    /* The parameters are as before: a wrong place must not teach them. */
    loc_filter_forget(&new.track.filter, like, START_SIGMA_M, START_SIGMA_RAD);
    insert(hypotheses, &new, observation->scan->mount);
}

void loc_hypotheses_add_turned(struct loc_hypotheses *hypotheses, const struct loc_filter *expected,
                               double turned_rad, const struct loc_observation *observation)
{
    struct loc_hypothesis new;
    memset(&new, 0, sizeof new);
    struct loc_filter *filter = &new.track.filter;
    *filter = *expected;
    filter->x[LOC_STATE_MOUNT_YAW] += turned_rad;
    filter->p[LOC_STATE_MOUNT_YAW][LOC_STATE_MOUNT_YAW] += TURN_SIGMA_RAD * TURN_SIGMA_RAD;
    new.track.used_stamp_s = observation->scan->stamp_s;
    new.log_weight = LEAD;
    new.turned = true;
    loc_filter_update(filter, observation, &new.track.update);
    if (explained_by(&new) < LEAST_AGREEMENT) {
        return;
    }
    double yaw = filter->x[LOC_STATE_MOUNT_YAW];
    *filter = *expected; /* the scan has taught the turn alone */
    filter->x[LOC_STATE_MOUNT_YAW] = yaw;
    filter->p[LOC_STATE_X][LOC_STATE_X] += FOUND_M * FOUND_M;
    filter->p[LOC_STATE_Y][LOC_STATE_Y] += FOUND_M * FOUND_M;
    filter->p[LOC_STATE_MOUNT_YAW][LOC_STATE_MOUNT_YAW] += FOUND_RAD * FOUND_RAD;
    insert(hypotheses, &new, observation->scan->mount);
}

void loc_hypotheses_keep(struct loc_hypotheses *hypotheses, const struct loc_track *track)
{
    struct loc_hypothesis *list = hypotheses->list;
    hypotheses->n += hypotheses->n < LOC_HYPOTHESES_MAX;
    for (size_t i = hypotheses->n - 1; i > 0; i--) {
        list[i] = list[i - 1];
    }
    list[0] = (struct loc_hypothesis){
        .track = *track,
        .log_weight = LEAD,
        .tracked = true,
    };
}

/* People may hide nearly everything: then a scan says nothing of a place. */
static bool is_judged(const struct loc_hypothesis *h)
{
    return h->track.update.used && h->track.update.judgement.n_judged >= LEAST_JUDGED;
}

/* The share of beams that speaks against another place than the followed one, if something else may
 * have stopped `stopped` of the beams. */
static double misfit_of_other(const struct loc_hypothesis *h, double stopped)
{
    const struct loc_judgement *judged = &h->track.update.judgement;
    return is_judged(h) ? judged->too_long + fmax(0.0, judged->too_short - stopped) : 1.0;
}

static double penalty(double misfit, double share)
{
    return share * fmax(WORST_SCAN, -SCAN_PENALTY * misfit);
}

/* Whether another place explains the scan without excuse; its share of too short beams, if it is
 * less than *inout_least. */
static bool is_explained(const struct loc_hypotheses *hypotheses, double *inout_least)
{
    bool explained = false;
    for (size_t i = 0; i < hypotheses->n; i++) {
        const struct loc_hypothesis *h = &hypotheses->list[i];
        if (!h->tracked && misfit_of_other(h, 0.0) <= WHOLE_MISFIT) {
            *inout_least = fmin(*inout_least, h->track.update.judgement.too_short);
            explained = true;
        }
    }
    return explained;
}

/* The followed place is doubted. Either things are not where the plan has them, or it is wrong.
 * Beams that are too long speak against it: the two or three that any place has only where another
 * place explains the scan without excuse. So do those that something stopped, and only to some
 * extent: what the plan lacks is lacking in each scan. A copy of a room may fit a little better
 * than the right one where much was changed: another place that does not explain the whole scan is
 * the worse one. */
static void weigh_doubted(struct loc_hypotheses *hypotheses, size_t of_followed, double share)
{
    struct loc_hypothesis *followed = &hypotheses->list[of_followed];
    const struct loc_judgement *judged = &followed->track.update.judgement;
    double stopped = judged->too_short, least = stopped;
    double usual = is_explained(hypotheses, &least) ? 0.0 : WHOLE_MISFIT;
    double by_long = penalty(fmax(0.0, judged->too_long - usual), share);
    for (size_t i = 0; i < hypotheses->n; i++) {
        struct loc_hypothesis *h = &hypotheses->list[i];
        double misfit = misfit_of_other(h, stopped);
        if (h != followed) {
            bool is_whole = misfit <= WHOLE_MISFIT;
            h->log_weight += is_whole ? penalty(misfit, share) : by_long + share * WORST_SCAN;
        }
    }
    double by_short = -penalty(stopped - least, share);
    by_short = fmin(by_short, BY_SHORT_MOST - hypotheses->by_short);
    hypotheses->by_short += by_short;
    followed->log_weight += by_long - by_short;
}

static const struct loc_hypothesis *find_followed(const struct loc_hypotheses *hypotheses)
{
    for (size_t i = 0; i < hypotheses->n; i++) {
        if (hypotheses->list[i].tracked) {
            return &hypotheses->list[i];
        }
    }
    return NULL;
}

const struct loc_track *loc_hypotheses_tracked(const struct loc_hypotheses *hypotheses)
{
    const struct loc_hypothesis *followed = find_followed(hypotheses);
    return followed ? &followed->track : NULL;
}

double loc_hypotheses_against(const struct loc_hypotheses *hypotheses)
{
    const struct loc_hypothesis *followed = find_followed(hypotheses);
    double other = -(double)INFINITY;
    for (size_t i = 0; i < hypotheses->n; i++) {
        const struct loc_hypothesis *h = &hypotheses->list[i];
        other = h == followed ? other : fmax(other, h->log_weight);
    }
    return followed ? other - (followed->log_weight + hypotheses->by_short - LEAD) : other;
}

/* The followed place is outside of what the plan has. It cannot explain what the robot sees there,
 * and a scan says little against it: some place inside always fits a few walls by chance. */
static bool has_left(const struct loc_hypothesis *followed, const struct dpl_raycast_index *plan)
{
    struct dpl_pose2 at =
        followed ? loc_filter_pose(&followed->track.filter) : (struct dpl_pose2){0};
    return followed && loc_search_is_outside(plan, at.x, at.y);
}

/* Where one place explains the scan without excuse, none needs glass. A robot that is where it was
 * expected and whose turned laser explains scan after scan needs no copy of the room. */
static void weigh(struct loc_hypotheses *hypotheses, const struct dpl_raycast_index *plan,
                  double since_s)
{
    double most = 0.0, share = fmin(since_s / OWN_VIEW_S, 1.0), least_short = 1.0;
    const struct loc_hypothesis *followed = find_followed(hypotheses);
    bool left = has_left(followed, plan), doubts = hypotheses->doubts && followed && !left;
    bool excused = !is_explained(hypotheses, &least_short);
    if (doubts && is_judged(followed)) {
        weigh_doubted(hypotheses, (size_t)(followed - hypotheses->list), share);
    }
    for (size_t i = 0; i < hypotheses->n; i++) {
        struct loc_hypothesis *h = &hypotheses->list[i];
        double explained = excused ? explained_by(h) : agreement_of(h);
        double misfit = left && h == followed ? OUTSIDE_MISFIT : 1.0 - explained;
        bool holds = h->turned && misfit <= WHOLE_MISFIT;
        h->log_weight += doubts ? 0.0 : penalty(misfit, share);
        h->log_weight = holds ? fmin(h->log_weight + share, LEAD + SLACK) : h->log_weight;
        most = fmax(most, explained);
    }
    hypotheses->bad = most < BAD_AGREEMENT ? hypotheses->bad + 1 : 0;
}

/* Best first: few, and nearly sorted. */
static void sort(struct loc_hypotheses *hypotheses)
{
    struct loc_hypothesis *list = hypotheses->list;
    for (size_t i = 1; i < hypotheses->n; i++) {
        struct loc_hypothesis moved = list[i];
        size_t j = i;
        for (; j > 0 && list[j - 1].log_weight < moved.log_weight; j--) {
            list[j] = list[j - 1];
        }
        list[j] = moved;
    }
}

/* How far the others are from the best. */
static void widen(const struct loc_hypotheses *hypotheses, double spread[3])
{
    struct dpl_pose2 best = loc_filter_pose(&hypotheses->list[0].track.filter);
    for (size_t k = 1; k < hypotheses->n; k++) {
        struct dpl_pose2 other = loc_filter_pose(&hypotheses->list[k].track.filter);
        spread[0] = fmax(spread[0], fabs(other.x - best.x));
        spread[1] = fmax(spread[1], fabs(other.y - best.y));
        spread[2] = fmax(spread[2], fabs(dpl_wrap_angle(other.theta - best.theta)));
    }
}

static void drop(struct loc_hypotheses *hypotheses, struct dpl_pose2 mount)
{
    struct loc_hypothesis *list = hypotheses->list;
    bool leads = hypotheses->doubts && list[0].tracked;
    double least = list[0].log_weight - DROP_BELOW - (leads ? SLACK : 0.0);
    size_t kept = 0;
    for (size_t i = 0; i < hypotheses->n; i++) {
        bool doubled = list[i].log_weight < least;
        for (size_t j = 0; j < kept && !doubled; j++) {
            doubled = is_same(&list[i], &list[j], mount);
            list[j].tracked = list[j].tracked || (doubled && list[i].tracked);
        }
        if (!doubled) {
            list[kept++] = list[i];
        }
    }
    hypotheses->n = kept;
}

enum loc_verdict loc_hypotheses_scan(struct loc_hypotheses *hypotheses,
                                     const struct loc_observation *observation,
                                     const struct loc_motion *motion, size_t most)
{
    double stamp = observation->scan->stamp_s;
    if (hypotheses->n == 0) {
        return LOC_NONE;
    }
    for (size_t i = 0; i < most && hypotheses->next < hypotheses->n; i++) {
        struct loc_track *track = &hypotheses->list[hypotheses->next++].track;
        loc_track_scan(track, observation, motion, false);
    }
    if (hypotheses->next < hypotheses->n) {
        return LOC_GOES_ON;
    }
    hypotheses->next = 0;
    if (isnan(hypotheses->born_s)) {
        hypotheses->born_s = hypotheses->newest_s = stamp;
    }
    if (stamp - hypotheses->born_s >= GRACE_S) {
        weigh(hypotheses, observation->match->plan, stamp - hypotheses->newest_s);
    }
    hypotheses->newest_s = stamp;
    sort(hypotheses);
    widen(hypotheses, hypotheses->spread);
    drop(hypotheses, observation->scan->mount);
    if (hypotheses->bad >= BAD_SCANS) {
        return LOC_NONE;
    }
    const struct loc_hypothesis *best = &hypotheses->list[0];
    bool decided = hypotheses->n == 1 && stamp - hypotheses->born_s >= DECIDE_AFTER_S &&
                   explained_by(best) > (best->tracked ? BAD_AGREEMENT : DECIDE_AGREEMENT);
    return decided ? LOC_DECIDED : LOC_OPEN;
}

void loc_hypotheses_moment(const struct loc_hypotheses *hypotheses, struct loc_moment *ret_moment)
{
    const struct loc_track *best = &hypotheses->list[0].track;
    double spread[3];
    memcpy(spread, hypotheses->spread, sizeof spread);
    widen(hypotheses, spread);
    loc_filter_moment(&best->filter, &best->update, ret_moment);
    for (int i = 0; i < 3; i++) {
        double off = spread[0] > 0.0 ? spread[i] : i < 2 ? NOWHERE_M : NOWHERE_RAD;
        ret_moment->covariance[i][i] += off * off;
    }
}
