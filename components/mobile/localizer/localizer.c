/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs and outputs of the Localizer. */
#include "localizer_parts.h"

#define WAIT_S         0.1
#define WAIT_MOST_S    0.5
#define ABSENT_S       0.35
#define ABSENT_GAPS    2.0
#define GAP_MOST_S     5.0
#define KEEP_UP_S      0.5 /* filters follow odometry at least this closely */
#define DEGRADED_M     0.05
#define DEGRADED_RAD   0.035
#define LOST_SIGMA_M   5.0
#define LOST_SIGMA_RAD 2.0

/* Of an error that is either 0 or so large, as likely the one as the other. */
#define EITHER 0.7071067811865476

/* Of the last beam. */
static double end_of_scan(const struct localizer *l)
{
    const struct loc_scan *scan = &l->scan;
    double beams = (double)(scan->n - 1) * fabs(scan->step_angle) / (2.0 * DPL_PI);
    return scan->stamp_s - l->track.filter.x[LOC_STATE_OFFSET] +
           0.5 * beams * l->config.revolution_s;
}

/* A scan waits for the odometry of its last beam: without it, the noise of the newest sample would
 * stand for motion. After a while the motion just before stands for it. */
static bool is_ready(const struct localizer *l, double now_s)
{
    double missing_s = end_of_scan(l) - loc_history_newest(&l->history);
    bool late = now_s > l->scan_came_s + WAIT_S;
    return missing_s <= 0.0 || (late && missing_s <= LOC_HISTORY_EXTRAPOLATE_S);
}

/* A robot whose wheels are not heard has moved, nobody knows how far: what a scan says of that time
 * would be added to what the wheels tell afterwards. */
static void drop_scan(struct localizer *l)
{
    l->scan_waits = false;
    localizer__diagnose_unused(l, true);
}

static void use_or_drop(struct localizer *l)
{
    if (loc_history_is_in_gap(&l->history, end_of_scan(l))) {
        drop_scan(l);
    } else {
        localizer__use_scan(l);
    }
}

void localizer_odometry(struct localizer *localizer, const struct localizer_odometry *sample)
{
    struct localizer_odometry used = *sample;
    used.has_gyro = sample->has_gyro && localizer->config.use_gyro;
    loc_history_add(&localizer->history, &used);
}

void localizer_scan(struct localizer *localizer, const struct localizer_scan *scan)
{
    bool equal;
    if (!(scan->stamp_s > localizer->scan_came_s || isnan(localizer->scan_came_s))) {
        return;
    }
    if (localizer->scan_waits && is_ready(localizer, (double)INFINITY)) {
        use_or_drop(localizer);
    } else if (localizer->scan_waits && scan->stamp_s - localizer->scan_came_s < WAIT_MOST_S) {
        localizer__diagnose_unused(localizer, false);
        return; /* the older one goes on waiting, so that late odometry still finds one */
    } else if (localizer->scan_waits) {
        drop_scan(localizer);
    }
    localizer__finish_choice(localizer);
    if (!loc_scan_take(&localizer->scan, scan, &equal)) {
        if (equal) {
            localizer__diagnose_equal(localizer, scan->stamp_s);
        }
        return;
    }
    localizer->scan_came_s = scan->stamp_s;
    localizer->scan_waits = true;
}

/* How long no usable scan is normal: scanners with low rates have longer gaps. */
static double patience(const struct localizer *l)
{
    return fmax(ABSENT_S, ABSENT_GAPS * fmin(l->track.scan_gap_s, GAP_MOST_S));
}

static void keep_up(struct localizer *l, struct loc_filter *filter, double until_s)
{
    struct loc_motion motion = localizer__motion(l);
    bool unbegun = isnan(filter->time_s) && !localizer__is_followed(l);
    if (unbegun || until_s - filter->time_s > (l->coasts ? 0.0 : KEEP_UP_S)) {
        loc_filter_advance(filter, &motion, until_s);
    }
}

static void keep_known_up(struct localizer *l, double until_s)
{
    if (until_s > l->known_s) {
        struct loc_wheels wheels = loc_filter_wheels(&l->expected);
        struct dpl_pose2 way = loc_history_move(&l->history, &wheels, l->known_s, until_s);
        l->known = dpl_pose2_compose(l->known, way);
    }
    l->known_s = isnan(l->known_s) ? until_s : fmax(l->known_s, until_s);
}

static void keep_all_up(struct localizer *l)
{
    double newest = loc_history_newest(&l->history);
    keep_known_up(l, newest);
    keep_up(l, &l->track.filter, newest);
    keep_up(l, &l->expected, newest);
    bool compares = l->mode == LOCALIZER__CHOOSES || l->look == LOCALIZER__LOOK_COMPARES;
    for (size_t i = 0; compares && i < l->hypotheses.n; i++) {
        keep_up(l, &l->hypotheses.list[i].track.filter, newest);
    }
}

void localizer_step(struct localizer *localizer, double now_s)
{
    struct localizer *l = localizer;
    if (!isfinite(now_s)) {
        return;
    }
    bool uses = l->scan_waits && is_ready(l, now_s);
    if (uses) {
        use_or_drop(l);
    }
    double used_s = l->mode == LOCALIZER__TRACKS ? l->track.used_stamp_s : l->scan_came_s;
    l->coasts = now_s - used_s > patience(l);
    keep_all_up(l);
    localizer__diagnosis_step(l, now_s);
    if (l->integrity) {
        integrity_step(l->integrity, now_s);
    }
    if (l->mode == LOCALIZER__SEARCHES && !l->search.running && isnan(l->scan_came_s)) {
        return; /* of a search at the start the first scan has not come */
    }
    if (!(uses && l->mode == LOCALIZER__CHOOSES)) { /* else it was a slice already */
        localizer__search_step(l);
    }
}

static enum localizer_state state_of(const struct localizer *l, const struct loc_moment *moment)
{
    double largest = fmax(moment->covariance[0][0], moment->covariance[1][1]);
    if (isnan(l->scan_came_s)) {
        return LOCALIZER_INIT;
    }
    if (l->mode == LOCALIZER__SEARCHES || l->mode == LOCALIZER__REFINES) {
        return LOCALIZER_LOST;
    }
    if (l->mode == LOCALIZER__CHOOSES) {
        return l->hypotheses.n > 0 ? LOCALIZER_AMBIGUOUS : LOCALIZER_LOST;
    }
    if (!l->settled && !l->coasts) {
        return LOCALIZER_INIT;
    }
    if (isnan(l->track.used_stamp_s)) {
        return l->coasts ? LOCALIZER_COASTING : LOCALIZER_INIT;
    }
    if (l->map_wrong) {
        return LOCALIZER_MAP_WRONG;
    }
    if (l->resumed) {
        return LOCALIZER_LOST;
    }
    if (l->coasts || !l->track.update.used) {
        return LOCALIZER_COASTING;
    }
    bool unsure =
        largest > DEGRADED_M * DEGRADED_M || moment->covariance[2][2] > DEGRADED_RAD * DEGRADED_RAD;
    return unsure || l->track.update.unobservable ? LOCALIZER_DEGRADED : LOCALIZER_TRACKING;
}

/* The pose, its covariance, and the update that tells of the newest scan. */
static const struct loc_update *moment_at(const struct localizer *l, double at_s,
                                          struct loc_moment *moment, double *ret_stamp_s)
{
    struct loc_motion motion = localizer__motion(l);
    if (l->mode == LOCALIZER__CHOOSES && l->hypotheses.n > 0) {
        const struct loc_track *best = &l->hypotheses.list[0].track;
        struct loc_filter filter = best->filter;
        loc_filter_advance(&filter, &motion, at_s);
        loc_hypotheses_moment(&l->hypotheses, moment);
        moment->pose = loc_filter_pose(&filter);
        *ret_stamp_s = filter.time_s;
        return &best->update;
    }
    struct loc_filter filter = l->track.filter;
    loc_filter_advance(&filter, &motion, at_s);
    loc_filter_moment(&filter, &l->track.update, moment);
    *ret_stamp_s = filter.time_s;
    bool unconfirmed = (!l->settled || l->resumed) && isfinite(l->track.used_stamp_s);
    unconfirmed |= localizer__is_doubted(l);
    if (l->mode != LOCALIZER__TRACKS || unconfirmed) {
        moment->covariance[0][0] += LOST_SIGMA_M * LOST_SIGMA_M;
        moment->covariance[1][1] += LOST_SIGMA_M * LOST_SIGMA_M;
        moment->covariance[2][2] += LOST_SIGMA_RAD * LOST_SIGMA_RAD;
    }
    return &l->track.update;
}

/* Ranges that are too long in proportion may be the laser's scale, which the filter takes them for,
 * or a room that is larger than its plan. Then the robot is further from the plan's origin. */
static double by_scale(const struct localizer *l, struct dpl_pose2 pose)
{
    const struct loc_filter *filter = &l->track.filter;
    double variance = filter->p[LOC_STATE_SCALE][LOC_STATE_SCALE];
    double off = filter->x[LOC_STATE_SCALE] - l->config.initial[LOCALIZER_RANGE_SCALE];
    if (!(variance > 0.0)) { /* given as exact */
        return 0.0;
    }
    return EITHER * sqrt(fmax(off * off - variance, 0.0)) * hypot(pose.x, pose.y);
}

/* One window of headings says that the scans are later than they are taken for; a second one will
 * tell. */
static double by_delay(const struct localizer *l, double at_s)
{
    struct loc_wheels wheels = loc_filter_wheels(&l->track.filter);
    struct dpl_twist2 twist = loc_history_twist(&l->history, &wheels, at_s);
    double late_s = l->config.diagnose ? l->diagnosis.maybe_late_s : 0.0;
    return EITHER * fabs(late_s * twist.linear);
}

/* What no covariance of the filter says: two explanations of the same scans, of which it follows
 * one. m, 1 sigma, in any direction. */
static double doubt_m(const struct localizer *l, struct dpl_pose2 pose, double at_s)
{
    return hypot(by_scale(l, pose), by_delay(l, at_s));
}

static unsigned count_hypotheses(const struct localizer *l)
{
    return l->mode == LOCALIZER__TRACKS    ? 1u
           : l->mode == LOCALIZER__CHOOSES ? (unsigned)l->hypotheses.n
                                           : 0u;
}

void localizer_estimate(const struct localizer *localizer, double at_s,
                        struct localizer_estimate *ret_estimate)
{
    struct loc_moment moment;
    double stamp_s;
    const struct loc_update *update = moment_at(localizer, at_s, &moment, &stamp_s);
    const double(*c)[3] = (const double(*)[3])moment.covariance;
    *ret_estimate = (struct localizer_estimate){
        .state = localizer__judged(localizer, state_of(localizer, &moment)),
        .stamp_s = stamp_s,
        .scan_stamp_s = localizer->track.used_stamp_s,
        .pose = moment.pose,
        .covariance = {c[0][0], c[0][1], c[1][1], c[0][2], c[1][2], c[2][2]},
        .doubt_m = doubt_m(localizer, moment.pose, stamp_s),
        .agreement = update->judgement.agreement,
        .too_short = update->judgement.too_short,
        .too_long = update->judgement.too_long,
        .nis = update->nis,
        .map_error_m = localizer->match.told_error_m,
        .unobservable = update->unobservable,
        .unobservable_rad = update->unobservable_rad,
        .hypotheses = count_hypotheses(localizer),
        .relocations = localizer->relocations,
        .jump = localizer->jump,
    };
}

void localizer_calibration(const struct localizer *localizer,
                           struct localizer_calibration *ret_calibration)
{
    const struct loc_filter *filter = &localizer->track.filter;
    for (int i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        int k = LOC_STATE_PARAMETERS + i;
        double by_plan = loc_influence_variance(&localizer->influence, k);
        double sigma = sqrt(fmax(filter->p[k][k], 0.0) + by_plan);
        bool logarithm = i <= LOCALIZER_AXLE_SCALE;
        double value = logarithm ? exp(filter->x[k]) : filter->x[k];
        ret_calibration->value[i] = value;
        ret_calibration->sigma[i] = logarithm ? value * sigma : sigma;
        ret_calibration->identified[i] = 3.0 * sigma <= localizer->config.initial_sigma[i];
    }
}

void localizer_forgetting(const struct localizer *localizer,
                          struct localizer_forgetting *ret_forgetting)
{
    const struct loc_sure *sure = &localizer->sure;
    *ret_forgetting =
        (struct localizer_forgetting){sure->forgot, sure->forgot_from_s, sure->forgot_until_s};
}

double localizer_scan_time(const struct localizer *localizer)
{
    return localizer->scan_came_s - localizer->track.filter.x[LOC_STATE_OFFSET];
}

void localizer_object(const struct localizer *localizer, size_t object,
                      struct localizer_object *ret_object)
{
    bool known = object < localizer->match.n_objects;
    ret_object->reliability = known ? localizer->match.reliability[object] : 1.0;
}
