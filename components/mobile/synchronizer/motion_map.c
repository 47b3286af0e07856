/* SPDX-License-Identifier: Apache-2.0 */
/* Motion map and its recursive least squares (Ljung, System Identification, 1999, section 11.2),
 * with clipped residuals and bounded covariance against wind-up. */
#include "motion_map.h"

#include <string.h>

#define FORGETTING_S    4.0
#define MAX_VARIANCE    0.05
#define MAX_CORRELATION 0.95
#define CLIP_SIGMAS     3.0
#define MIN_DETERMINANT 0.3
/* Deviations of what is known: motion that says something gives less than half of these, motion
 * that says nothing the most there can be. */
#define KNOWN_GAIN      0.12
#define KNOWN_M12       0.05 /* m */
#define KNOWN_M21       0.12 /* 1/m */
#define GRID_ERROR      1e-4 /* of each: what the profile's grid leaves of a drive without noise */

const struct dpl_sync_map dpl_sync_map_identity = {.m11 = 1.0, .m22 = 1.0};

struct dpl_twist2 dpl_sync_map_apply(const struct dpl_sync_map *map, struct dpl_twist2 twist)
{
    return (struct dpl_twist2){map->m11 * twist.linear + map->m12 * twist.angular,
                               map->m21 * twist.linear + map->m22 * twist.angular};
}

bool dpl_sync_map_invert(const struct dpl_sync_map *map, struct dpl_twist2 twist,
                         struct dpl_twist2 *ret_twist)
{
    double det = map->m11 * map->m22 - map->m12 * map->m21;
    if (!(fabs(det) >= MIN_DETERMINANT)) {
        return false;
    }
    *ret_twist = (struct dpl_twist2){
        (map->m22 * twist.linear - map->m12 * twist.angular) / det,
        (map->m11 * twist.angular - map->m21 * twist.linear) / det,
    };
    return true;
}

/* m11 = (sL + sR) / 2 and m12 = b (sR - sL) / 4 give the scales; m22 = b (sL + sR) / (2 b'). */
struct dpl_sync_wheels dpl_sync_map_wheels(const struct dpl_sync_map *map, double axle_m)
{
    double axle = map->m22 > 0.0 ? axle_m * map->m11 / map->m22 : 0.0;
    /* m21 sees the asymmetry far better than m12, which is a few mm/s. */
    double difference = map->m21 * axle;
    return (struct dpl_sync_wheels){map->m11 - difference / 2.0, map->m11 + difference / 2.0, axle};
}

struct dpl_twist2 dpl_sync_arc_between(struct dpl_pose2 from, struct dpl_pose2 to)
{
    double turn = dpl_wrap_angle(to.theta - from.theta), half = turn / 2.0;
    double middle = from.theta + half;
    double chord = (to.x - from.x) * cos(middle) + (to.y - from.y) * sin(middle);
    double stretch = fabs(half) < 1e-6 ? 1.0 : half / sin(half);
    return (struct dpl_twist2){chord * stretch, turn};
}

static const struct dpl_sync_covariance nothing_known1 = {0.05, 0.0, 0.02};
static const struct dpl_sync_covariance nothing_known2 = {0.05, 0.0, 0.05};

void dpl_sync_map_estimator_init(struct dpl_sync_map_estimator *estimator,
                                 const struct dpl_sync_map *map, double position_noise,
                                 double heading_noise)
{
    *estimator = (struct dpl_sync_map_estimator){
        .map = *map,
        .position_noise = position_noise,
        .heading_noise = heading_noise,
        .row1 = {nothing_known1.a11, nothing_known1.a12, nothing_known1.a22},
        .row2 = {nothing_known2.a11, nothing_known2.a12, nothing_known2.a22},
    };
    dpl_sync_row_error_init(&estimator->error1, &nothing_known1);
    dpl_sync_row_error_init(&estimator->error2, &nothing_known2);
}

static void forget(double p[3], double duration_s)
{
    double grow = exp(duration_s / FORGETTING_S);
    p[0] = fmin(p[0] * grow, MAX_VARIANCE);
    p[2] = fmin(p[2] * grow, MAX_VARIANCE);
    double most = MAX_CORRELATION * sqrt(p[0] * p[2]);
    p[1] = dpl_clamp(p[1] * grow, -most, most);
}

/* F P F' + r k k' with F = I - k u': Joseph's form, a sum of squares. */
static void shrink(double p[3], const double k[2], struct dpl_twist2 u, double r)
{
    double f11 = 1.0 - k[0] * u.linear, f12 = -k[0] * u.angular;
    double f21 = -k[1] * u.linear, f22 = 1.0 - k[1] * u.angular;
    double r11 = f11 * p[0] + f12 * p[1], r12 = f11 * p[1] + f12 * p[2];
    double r21 = f21 * p[0] + f22 * p[1], r22 = f21 * p[1] + f22 * p[2];
    p[0] = r11 * f11 + r12 * f12 + r * k[0] * k[0];
    p[1] = r11 * f21 + r12 * f22 + r * k[0] * k[1];
    p[2] = r21 * f21 + r22 * f22 + r * k[1] * k[1];
}

/* One row: parameters (a, b) of z = a u.linear + b u.angular, noise variance r. Tells what was
 * done. */
static struct dpl_sync_row_step update_row(double *a, double *b, double p[3],
                                           struct dpl_sync_window const *window, double residual,
                                           double r)
{
    struct dpl_twist2 u = window->promised;
    double pu1 = p[0] * u.linear + p[1] * u.angular;
    double pu2 = p[1] * u.linear + p[2] * u.angular;
    double s = r + u.linear * pu1 + u.angular * pu2;
    double most = CLIP_SIGMAS * sqrt(s);
    double clipped = dpl_clamp(residual, -most, most);
    const double gain[2] = {pu1 / s, pu2 / s};
    *a += gain[0] * clipped;
    *b += gain[1] * clipped;
    shrink(p, gain, u, r);
    forget(p, window->duration_s);
    return (struct dpl_sync_row_step){
        .duration_s = window->duration_s,
        .u = {u.linear, u.angular},
        .gain = {gain[0], gain[1]},
        .left = clipped,
    };
}

struct bounds {
    double low, high; /* of the gain */
    double cross;     /* of the magnitude of the cross term */
};

static const struct bounds row1_bounds = {0.7, 1.3, 0.02}, row2_bounds = {0.7, 1.3, 0.6};

/* Moves a parameter pair into its bounds along what the data cannot tell apart: a clamped parameter
 * takes its correlated partner with it, otherwise the pair would no longer explain the motion. */
static void bound_row(double *gain, double *cross, const double p[3], struct bounds bounds)
{
    double inside = dpl_clamp(*cross, -bounds.cross, bounds.cross);
    *gain += p[1] / fmax(p[2], 1e-12) * (inside - *cross);
    *cross = inside;
    inside = dpl_clamp(*gain, bounds.low, bounds.high);
    *cross += p[1] / fmax(p[0], 1e-12) * (inside - *gain);
    *cross = dpl_clamp(*cross, -bounds.cross, bounds.cross);
    *gain = inside;
}

static bool is_informative(const struct dpl_sync_window *window)
{
    return window->steady && (fabs(window->promised.linear) > 0.02 * window->duration_s ||
                              fabs(window->promised.angular) > 0.1 * window->duration_s);
}

static struct dpl_twist2 residual_of(const struct dpl_sync_map *map,
                                     const struct dpl_sync_window *window)
{
    struct dpl_twist2 model = dpl_sync_map_apply(map, window->promised);
    return (struct dpl_twist2){window->distance - model.linear, window->turn - model.angular};
}

/* Not a comparison the other way round: a residual that is no number is contact, too. */
static bool is_contact(const struct dpl_sync_map_estimator *estimator,
                       const struct dpl_sync_window *window)
{
    struct dpl_twist2 residual = residual_of(&estimator->map, window);
    double d = fabs(window->promised.linear), t = fabs(window->promised.angular);
    double sp = estimator->position_noise, sth = estimator->heading_noise;
    return !(fabs(residual.linear) <= 0.35 * d + 4.0 * sp + 0.003) ||
           !(fabs(residual.angular) <= 0.35 * t + 0.1 * d + 4.0 * sth + 0.02);
}

static bool gain_at_end(double gain, const struct bounds *bounds)
{
    return gain <= bounds->low || gain >= bounds->high;
}

/* A gain that is held at its end may be off by anything. */
static void step_error(struct dpl_sync_map_estimator *estimator, struct dpl_sync_row_error *error,
                       struct dpl_sync_row_step *step,
                       const struct dpl_sync_covariance *nothing_known, bool at_end)
{
    step->joined = estimator->joined;
    dpl_sync_row_error_step(error, &estimator->slowness, step);
    if (at_end) {
        dpl_sync_row_error_restart(error, nothing_known);
    }
}

/* What drives with 1 s more latency, lag would leave of a window, by row. */
static void if_slower(const struct dpl_sync_map *map, const struct dpl_sync_window *window,
                      double ret_row1[2], double ret_row2[2])
{
    struct dpl_twist2 latency = dpl_sync_map_apply(map, window->per_latency);
    struct dpl_twist2 lag = dpl_sync_map_apply(map, window->per_lag);
    ret_row1[0] = latency.linear;
    ret_row1[1] = lag.linear;
    ret_row2[0] = latency.angular;
    ret_row2[1] = lag.angular;
}

static void learn(struct dpl_sync_map_estimator *estimator, const struct dpl_sync_window *window)
{
    struct dpl_sync_map *m = &estimator->map;
    struct dpl_twist2 residual = residual_of(m, window);
    double sp = estimator->position_noise, sth = estimator->heading_noise;
    double d = 0.04 * window->promised.linear, t = 0.05 * window->promised.angular;
    double *p = estimator->row2;
    double slower1[2], slower2[2];
    if_slower(m, window, slower1, slower2);

    struct dpl_sync_row_step step1 = update_row(&m->m11, &m->m12, estimator->row1, window,
                                                residual.linear, 2.0 * sp * sp + d * d + 5e-6);
    struct dpl_sync_row_step step2 =
        update_row(&m->m21, &m->m22, p, window, residual.angular, 2.0 * sth * sth + t * t + 3.5e-5);
    memcpy(step1.slower, slower1, sizeof slower1);
    memcpy(step2.slower, slower2, sizeof slower2);
    bound_row(&m->m11, &m->m12, estimator->row1, row1_bounds);
    bound_row(&m->m22, &m->m21, (const double[3]){p[2], p[1], p[0]}, row2_bounds);
    step_error(estimator, &estimator->error1, &step1, &nothing_known1,
               gain_at_end(m->m11, &row1_bounds));
    step_error(estimator, &estimator->error2, &step2, &nothing_known2,
               gain_at_end(m->m22, &row2_bounds));
}

/* What is not known, or not long enough, has the deviation of the noise that is assumed. */
static double deviation(bool known, bool has_error, double error_variance, double variance)
{
    return sqrt(known && has_error ? error_variance + GRID_ERROR * GRID_ERROR : variance);
}

static void find_sigmas(const struct dpl_sync_map_estimator *estimator,
                        struct dpl_sync_map_certainty *c)
{
    const double *p1 = estimator->row1, *p2 = estimator->row2;
    double e1[2], e2[2];
    bool has1 = dpl_sync_row_error_get(&estimator->error1, &estimator->slowness, e1);
    bool has2 = dpl_sync_row_error_get(&estimator->error2, &estimator->slowness, e2);
    c->sigma = (struct dpl_sync_map){
        .m11 = deviation(c->m11, has1, e1[0], p1[0]),
        .m12 = deviation(c->m12, has1, e1[1], p1[2]),
        .m21 = deviation(c->m21, has2, e2[0], p2[0]),
        .m22 = deviation(c->m22, has2, e2[1], p2[2]),
    };
}

struct dpl_sync_map_certainty dpl_sync_map_certainty(const struct dpl_sync_map_estimator *estimator)
{
    const struct dpl_sync_map *m = &estimator->map;
    const double *p1 = estimator->row1, *p2 = estimator->row2;
    struct dpl_sync_map_certainty c = {
        .m11 = sqrt(p1[0]) <= KNOWN_GAIN,
        .m12 = sqrt(p1[2]) <= KNOWN_M12,
        .m21 = sqrt(p2[0]) <= KNOWN_M21,
        .m22 = sqrt(p2[2]) <= KNOWN_GAIN,
    };
    find_sigmas(estimator, &c);
    c.clamped = (c.m11 && gain_at_end(m->m11, &row1_bounds)) ||
                (c.m22 && gain_at_end(m->m22, &row2_bounds)) ||
                (c.m12 && fabs(m->m12) >= row1_bounds.cross) ||
                (c.m21 && fabs(m->m21) >= row2_bounds.cross);
    return c;
}

void dpl_sync_map_estimator_interrupt(struct dpl_sync_map_estimator *estimator)
{
    estimator->has_pending = false;
}

static void learn_slowness(struct dpl_sync_map_estimator *estimator,
                           const struct dpl_sync_window *window)
{
    struct dpl_twist2 left = residual_of(&estimator->map, window);
    double slower1[2], slower2[2];
    if_slower(&estimator->map, window, slower1, slower2);
    struct dpl_sync_row_step step = {
        .duration_s = window->duration_s,
        .u = {window->promised.linear, window->promised.angular},
        .slower = {slower1[0], slower1[1]},
        .left = left.linear,
    };
    dpl_sync_slowness_age(&estimator->slowness, window->duration_s);
    dpl_sync_slowness_add(&estimator->slowness, &estimator->error1, &step);
    memcpy(step.slower, slower2, sizeof slower2);
    step.left = left.angular;
    dpl_sync_slowness_add(&estimator->slowness, &estimator->error2, &step);
}

enum dpl_sync_learning dpl_sync_map_estimator_update(struct dpl_sync_map_estimator *estimator,
                                                     const struct dpl_sync_window *window)
{
    if (is_contact(estimator, window)) {
        estimator->has_pending = false;
        estimator->after_contact = true;
        return DPL_SYNC_CONTACT;
    }
    learn_slowness(estimator, window);
    bool learned = estimator->has_pending;
    if (learned) {
        learn(estimator, &estimator->pending);
    }
    estimator->joined = learned;
    bool usable = is_informative(window);
    estimator->has_pending = usable && !estimator->after_contact;
    estimator->after_contact = false;
    estimator->pending = *window;
    return usable ? DPL_SYNC_LEARNED : DPL_SYNC_NOT_INFORMATIVE;
}

/* ---- velocity from poses ---- */

#define SMOOTHING_S 0.1
#define MAX_GAP_S   0.5

void dpl_sync_measured_twist_update(struct dpl_sync_measured_twist *measured, struct dpl_pose2 pose,
                                    double stamp_s)
{
    double dt = stamp_s - measured->stamp_s;
    if (measured->started && dt <= 0.0) {
        return;
    }
    if (measured->started && dt <= MAX_GAP_S) {
        struct dpl_twist2 arc = dpl_sync_arc_between(measured->last, pose);
        double gain = 1.0 - exp(-dt / SMOOTHING_S);
        measured->twist.linear += gain * (arc.linear / dt - measured->twist.linear);
        measured->twist.angular += gain * (arc.angular / dt - measured->twist.angular);
    } else {
        measured->twist = (struct dpl_twist2){0.0, 0.0};
    }
    measured->started = true;
    measured->last = pose;
    measured->stamp_s = stamp_s;
}
