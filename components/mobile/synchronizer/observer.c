/* SPDX-License-Identifier: Apache-2.0 */
/* Observer of one robot: decides which pose is used for what. */
#include "observer.h"

#include <string.h>

#define MAX_FUTURE_S    0.05
#define MAX_WINDOW_S    1.0  /* across a longer gap the motion is not known well enough to learn */
#define DRIVE_LATENCY_S 0.04 /* what a drive has of it */
#define HIDDEN_FROM_S   0.20 /* no drive has this much */
#define AGE_MEAN_S      2.0
#define PERIOD_PART     0.2 /* of the newest period in their mean, */
#define PERIOD_GROWTH   3.0 /* in which a pause counts as so many at most */
#define HEARD_PERIODS   2.0
/* The speed of a robot that nobody commands changes by its wheels' acceleration, which is alike for
 * about this long (Singer, Estimating optimal tracking filter performance for manned maneuvering
 * targets, IEEE T-AES 6, 1970). Robots of all sizes turn alike. */
#define MANOEUVRE_S     0.045
#define HELD_SPEED      0.03                /* m/s that are promised */
#define HELD_PART       0.5                 /* of them is missed, by a robot that is held back */
#define FREE_PART       0.3                 /* by one that was, at least */
#define HELD_S          0.6                 /* later than the latest answer */
#define FIRST           0                   /* the candidate that answers first */
#define LAST            (DPL_SYNC_LAGS - 1) /* the slowest motor */
#define RAMP_REST       0.1                 /* of the same: what counts as steady */
#define RAMP_SIGMAS     4.0
#define RAMP_PART       0.5 /* ahead by this part of acceleration * time^2, */
#define GAIN_PART       0.2 /* by this of the way, since no gain is known yet, and by the noise */
#define RAMP_LEAST      0.3 /* of what a ramp changes in the window */
#define MOST_QUICK      16.0
#define STILL           0.005 /* m/s or rad/s that are promised */
#define STILL_SIGMAS    2.0
#define STEADY_S        0.15
#define STEADY_LINEAR   0.04
#define STEADY_ANGULAR  0.2
#define STEADY_PART     0.13 /* of the speed of a fast robot */
#define SLOW            0.3  /* m/s: the bank's bounds are those of such robots */
/* The filter's state may not fall behind the command history it is predicted with. */
#define MAX_STATE_AGE_S 1.5
#define MAX_POSE_AGE_S  2.0 /* older than the command history: nothing can be made of it */
#define MAX_POSITION_M  1e7 /* no robot of ours leaves the earth */

void dpl_sync_observer_init(struct dpl_sync_observer *observer,
                            const struct dpl_sync_observer_config *config)
{
    memset(observer, 0, sizeof *observer);
    dpl_sync_profile_init(&observer->profile, config->axle_m, config->acceleration);
    dpl_sync_filter_init(&observer->filter, config->position_noise, config->heading_noise);
    dpl_sync_map_estimator_init(&observer->estimator, &config->map, config->position_noise,
                                config->heading_noise);
    dpl_sync_lag_bank_init(&observer->bank, config->position_noise, config->heading_noise);
    observer->measured = dpl_sync_bias_measured;
    observer->measured.linear_density = MANOEUVRE_S * config->acceleration * config->acceleration;
    observer->window_s = config->window_s;
    observer->commanded = true;
    observer->quickness = 1.0;
}

static struct dpl_sync_motion_model model_of(const struct dpl_sync_observer *observer)
{
    return (struct dpl_sync_motion_model){
        .profile = &observer->profile,
        .map = &observer->estimator.map,
        .lag = observer->bank.chosen,
    };
}

static const struct dpl_sync_bias_model *bias_of(const struct dpl_sync_observer *observer)
{
    if (!observer->commanded) {
        return &observer->measured;
    }
    return observer->held_back ? &dpl_sync_bias_held_back : &dpl_sync_bias_commanded;
}

void dpl_sync_observer_advance(struct dpl_sync_observer *observer, double now_s)
{
    dpl_sync_profile_advance(&observer->profile, now_s);
    if (observer->filter.started && observer->filter.time_s < now_s - MAX_STATE_AGE_S) {
        struct dpl_sync_motion_model model = model_of(observer);
        double to_s = now_s - MAX_STATE_AGE_S;
        /* After a pause of the caller only the last seconds can be integrated. */
        observer->filter.time_s = fmax(observer->filter.time_s, to_s - 2.0);
        dpl_sync_filter_advance(&observer->filter, &model, bias_of(observer), to_s);
    }
}

static struct dpl_twist2 residual_of(const struct dpl_sync_observer *observer,
                                     const struct dpl_sync_window *window,
                                     struct dpl_twist2 promised)
{
    struct dpl_twist2 model = dpl_sync_map_apply(&observer->estimator.map, promised);
    return (struct dpl_twist2){window->distance - model.linear,
                               dpl_wrap_angle(window->turn - model.angular)};
}

static void learn_lag(struct dpl_sync_observer *observer, const struct dpl_sync_window *window,
                      double to_s)
{
    double pace = fmax(1.0, fabs(window->distance) / window->duration_s / SLOW);
    dpl_sync_lag_bank_age(&observer->bank, window->duration_s);
    for (int i = 0; i < DPL_SYNC_LAGS; i++) {
        struct dpl_twist2 promised =
            dpl_sync_profile_integral(&observer->profile, i, observer->start.stamp_s, to_s);
        struct dpl_twist2 residual = residual_of(observer, window, promised);
        dpl_sync_lag_bank_add(&observer->bank, i,
                              (struct dpl_twist2){residual.linear / pace, residual.angular / pace});
    }
    dpl_sync_lag_bank_choose(&observer->bank);
}

/* The candidate of another lag, the next larger one if there is one, with the latency next to it.
 */
static int lag_beside(int lag)
{
    const struct dpl_sync_lag *own = &dpl_sync_lags[lag];
    int best = -1;
    double least = (double)INFINITY;
    for (int i = 0; i < DPL_SYNC_LAGS; i++) {
        const struct dpl_sync_lag *other = &dpl_sync_lags[i];
        double more = other->lag_s - own->lag_s;
        double far =
            (more > 0.0 ? more : 1.0 - more) + 2.0 * fabs(other->latency_s - own->latency_s);
        if (more != 0.0 && far < least) {
            least = far;
            best = i;
        }
    }
    return best;
}

/* A later command is the same motion, later; what a longer lag does is the difference between two
 * candidates without what their latencies do. */
static void find_sensitivity(const struct dpl_sync_profile *profile, int lag, double from_s,
                             double to_s, struct dpl_sync_window *window)
{
    int beside = lag_beside(lag);
    const struct dpl_sync_lag *own = &dpl_sync_lags[lag], *other = &dpl_sync_lags[beside];
    struct dpl_twist2 from = dpl_sync_profile_at(profile, lag, from_s);
    struct dpl_twist2 to = dpl_sync_profile_at(profile, lag, to_s);
    struct dpl_twist2 there = dpl_sync_profile_integral(profile, beside, from_s, to_s);
    double later = other->latency_s - own->latency_s, longer = other->lag_s - own->lag_s;
    struct dpl_twist2 l = {from.linear - to.linear, from.angular - to.angular};
    window->per_latency = l;
    window->per_lag = (struct dpl_twist2){
        (there.linear - window->promised.linear - later * l.linear) / longer,
        (there.angular - window->promised.angular - later * l.angular) / longer,
    };
}

/* Nothing that ramps is ahead of its ramp without any delay: a robot that is has a shorter one.
 * Only from a steady speed: what a slow motor still does of an earlier command is no answer to
 * this. */
static void learn_ramp(struct dpl_sync_observer *observer, const struct dpl_sync_window *window,
                       double from_s, double to_s)
{
    const struct dpl_sync_profile *profile = &observer->profile;
    double before = dpl_sync_profile_at(profile, FIRST, from_s).linear;
    double change = dpl_sync_profile_at(profile, FIRST, to_s).linear - before;
    struct dpl_twist2 ramp = dpl_sync_profile_integral(profile, FIRST, from_s, to_s);
    double ahead = residual_of(observer, window, ramp).linear * (change > 0.0 ? 1.0 : -1.0);
    double reach = profile->acceleration * window->duration_s;
    double noise = RAMP_SIGMAS * sqrt(2.0) * sqrt(observer->filter.position_variance);
    double least = RAMP_PART * reach * window->duration_s + GAIN_PART * fabs(ramp.linear) + noise;
    double still_on = fabs(dpl_sync_profile_at(profile, LAST, from_s).linear - before);
    if (fabs(change) > RAMP_LEAST * reach && still_on < RAMP_REST * reach && ahead > least &&
        observer->quickness < MOST_QUICK) {
        observer->quickness *= 2.0;
        observer->profile.acceleration *= 2.0;
    }
}

/* Closes the window that ends with `end` and learns from it. */
static void learn(struct dpl_sync_observer *observer, const struct dpl_sync_stamped_pose *end)
{
    const struct dpl_sync_profile *profile = &observer->profile;
    int lag = observer->bank.chosen;
    double from_s = observer->start.stamp_s, to_s = end->stamp_s;
    struct dpl_twist2 arc = dpl_sync_arc_between(observer->start.pose, end->pose);
    struct dpl_twist2 range = dpl_sync_profile_range(profile, lag, from_s - STEADY_S, to_s);
    double speed = fabs(arc.linear) / (to_s - from_s);
    struct dpl_sync_window window = {
        .duration_s = to_s - from_s,
        .distance = arc.linear,
        .turn = arc.angular,
        .promised = dpl_sync_profile_integral(profile, lag, from_s, to_s),
        .steady = range.linear <= fmax(STEADY_LINEAR, STEADY_PART * speed) &&
                  range.angular <= STEADY_ANGULAR,
    };
    find_sensitivity(profile, lag, from_s, to_s, &window);
    dpl_sync_map_estimator_update(&observer->estimator, &window);
    learn_lag(observer, &window, to_s);
    if (observer->learns_ramp) {
        learn_ramp(observer, &window, from_s, to_s);
    }
}

static void extend_window(struct dpl_sync_observer *observer,
                          const struct dpl_sync_stamped_pose *measured)
{
    double length = measured->stamp_s - observer->start.stamp_s;
    if (observer->has_window && observer->commanded && length < observer->window_s) {
        return;
    }
    if (observer->has_window && observer->commanded && length <= MAX_WINDOW_S) {
        learn(observer, measured);
    } else {
        dpl_sync_map_estimator_interrupt(&observer->estimator);
    }
    observer->start = *measured;
    observer->has_window = true;
}

bool dpl_sync_pose_is_credible(const struct dpl_sync_stamped_pose *measured, double now_s)
{
    return dpl_pose2_is_finite(measured->pose) && isfinite(measured->stamp_s) &&
           fabs(measured->pose.x) <= MAX_POSITION_M && fabs(measured->pose.y) <= MAX_POSITION_M &&
           measured->stamp_s <= now_s + MAX_FUTURE_S;
}

static enum dpl_sync_observation first_pose(struct dpl_sync_observer *observer,
                                            const struct dpl_sync_stamped_pose *measured,
                                            double now_s)
{
    dpl_sync_filter_reset(&observer->filter, measured->pose, measured->stamp_s);
    observer->shown_age_s = now_s - measured->stamp_s;
    observer->newest_s = measured->stamp_s;
    observer->last = *measured;
    observer->has_pose = true;
    extend_window(observer, measured);
    return DPL_SYNC_POSE_USED;
}

/* Longer than a ramp it does less than half of its commands. */
static void update_held_back(struct dpl_sync_observer *observer, double elapsed_s)
{
    const struct dpl_sync_filter *filter = &observer->filter;
    double promised = fabs(filter->speed);
    double missed = filter->speed > 0.0 ? -filter->bias.linear : filter->bias.linear;
    double part = observer->held_back ? FREE_PART : HELD_PART;
    bool held = observer->commanded && promised > HELD_SPEED && missed > part * promised;
    observer->held_s = held ? observer->held_s + elapsed_s : 0.0;
    observer->held_back = held && observer->held_s >= HELD_S;
}

static void update_period(struct dpl_sync_observer *observer, double stamp_s)
{
    double period_s = stamp_s - observer->newest_s, mean_s = observer->period_s;
    observer->period_s =
        mean_s > 0.0 ? mean_s + PERIOD_PART * (fmin(period_s, PERIOD_GROWTH * mean_s) - mean_s)
                     : period_s;
    observer->newest_s = stamp_s;
}

enum dpl_sync_observation dpl_sync_observer_pose(struct dpl_sync_observer *observer,
                                                 struct dpl_sync_stamped_pose measured,
                                                 double now_s)
{
    if (!dpl_sync_pose_is_credible(&measured, now_s)) {
        return DPL_SYNC_POSE_REJECTED;
    }
    if (measured.stamp_s < now_s - MAX_POSE_AGE_S) {
        return DPL_SYNC_POSE_OLD;
    }
    if (!observer->has_pose) {
        return first_pose(observer, &measured, now_s);
    }
    if (measured.stamp_s <= fmax(observer->filter.time_s, observer->last.stamp_s)) {
        return DPL_SYNC_POSE_OLD;
    }
    update_period(observer, measured.stamp_s);
    struct dpl_sync_motion_model model = model_of(observer);
    const struct dpl_sync_bias_model *bias = bias_of(observer);
    double elapsed = measured.stamp_s - observer->filter.time_s;
    dpl_sync_filter_advance(&observer->filter, &model, bias, measured.stamp_s);
    enum dpl_sync_fix fix = dpl_sync_filter_update(&observer->filter, measured.pose, bias, elapsed);
    if (fix == DPL_SYNC_FIX_OUTLIER) {
        return DPL_SYNC_POSE_OUTLIER;
    }
    observer->shown_age_s +=
        (now_s - measured.stamp_s - observer->shown_age_s) * (1.0 - exp(-elapsed / AGE_MEAN_S));
    observer->last = measured;
    update_held_back(observer, elapsed);
    if (fix == DPL_SYNC_FIX_RESTARTED) {
        observer->has_window = false;
    }
    extend_window(observer, &measured);
    return fix == DPL_SYNC_FIX_RESTARTED ? DPL_SYNC_POSE_JUMP : DPL_SYNC_POSE_USED;
}

void dpl_sync_observer_command(struct dpl_sync_observer *observer, const struct dpl_twist2 *command)
{
    observer->commanded = command != NULL;
    dpl_sync_profile_command(&observer->profile,
                             command ? *command : (struct dpl_twist2){0.0, 0.0});
}

void dpl_sync_observer_set_pose(struct dpl_sync_observer *observer, struct dpl_pose2 pose,
                                double now_s)
{
    dpl_sync_filter_reset(&observer->filter, pose, now_s);
    observer->last = (struct dpl_sync_stamped_pose){pose, now_s};
    observer->has_window = false;
    dpl_sync_map_estimator_interrupt(&observer->estimator);
}

void dpl_sync_observer_forecast(struct dpl_sync_observer *observer)
{
    dpl_sync_profile_forecast(&observer->profile, observer->bank.chosen);
}

struct dpl_sync_estimate dpl_sync_observer_predict(const struct dpl_sync_observer *observer,
                                                   double to_s)
{
    struct dpl_sync_motion_model model = model_of(observer);
    return dpl_sync_filter_predict(&observer->filter, &model, bias_of(observer), to_s);
}

struct dpl_sync_sigma dpl_sync_observer_growth(const struct dpl_sync_observer *observer,
                                               double now_s, double to_s)
{
    struct dpl_sync_motion_model model = model_of(observer);
    struct dpl_pose2 then;
    struct dpl_sync_sigma growth =
        dpl_sync_filter_growth(&observer->filter, &model, bias_of(observer), to_s, &then);
    if (!dpl_sync_observer_is_heard(observer, now_s)) {
        struct dpl_pose2 way = dpl_pose2_relative(observer->filter.pose, then);
        growth.position = hypot(growth.position, DPL_SYNC_EITHER * hypot(way.x, way.y));
        growth.heading = hypot(growth.heading, DPL_SYNC_EITHER * way.theta);
    }
    return growth;
}

static double unless_noise(double speed, double bias, double promised, double variance)
{
    bool moves = fabs(promised) > STILL || bias * bias > STILL_SIGMAS * STILL_SIGMAS * variance;
    return moves ? speed : 0.0;
}

struct dpl_twist2 dpl_sync_observer_speed(const struct dpl_sync_observer *observer, double at_s)
{
    struct dpl_sync_estimate e = dpl_sync_observer_predict(observer, at_s);
    double v = e.twist.linear - e.bias.linear, w = e.twist.angular - e.bias.angular;
    if (!observer->commanded) {
        return e.twist;
    }
    return (struct dpl_twist2){
        unless_noise(e.twist.linear, observer->filter.bias.linear, v, observer->filter.p[3][3]),
        unless_noise(e.twist.angular, observer->filter.bias.angular, fabs(v) + fabs(w),
                     observer->filter.p[4][4]),
    };
}

struct dpl_twist2 dpl_sync_observer_promise(const struct dpl_sync_observer *observer, double at_s)
{
    struct dpl_twist2 promised =
        dpl_sync_profile_at(&observer->profile, observer->bank.chosen, at_s);
    return dpl_sync_map_apply(&observer->estimator.map, promised);
}

double dpl_sync_observer_age(const struct dpl_sync_observer *observer, double now_s)
{
    return observer->has_pose ? fmax(0.0, now_s - observer->last.stamp_s) : (double)INFINITY;
}

bool dpl_sync_observer_is_heard(const struct dpl_sync_observer *observer, double now_s)
{
    double silent_s = now_s - observer->newest_s - observer->shown_age_s;
    return silent_s < HEARD_PERIODS * observer->period_s;
}

double dpl_sync_observer_hidden_delay(const struct dpl_sync_observer *observer)
{
    double latency_s = dpl_sync_lags[observer->bank.chosen].latency_s;
    if (!observer->commanded || latency_s < HIDDEN_FROM_S) {
        return 0.0;
    }
    return fmax(0.0, latency_s - DRIVE_LATENCY_S - observer->shown_age_s);
}

double dpl_sync_observer_quickness(const struct dpl_sync_observer *observer)
{
    return observer->quickness;
}

struct dpl_sync_lag dpl_sync_observer_lag(const struct dpl_sync_observer *observer)
{
    return dpl_sync_lags[observer->bank.chosen];
}
