/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs and outputs of the Localizer. */
#include "localizer_parts.h"

#define WAIT_S 0.1

struct loc_observation localizer__observation(struct localizer *l, size_t every)
{
    return (struct loc_observation){
        .match = &l->match,
        .scan = &l->scan,
        .history = &l->history,
        .revolution_s = l->config.revolution_s,
        .correlation = l->config.scan_correlation,
        .every = every,
    };
}

/* A scan waits for the odometry of its last beam: without it, the noise of the newest sample would
 * stand for motion. */
static bool has_odometry(const struct localizer *l)
{
    const struct loc_scan *scan = &l->scan;
    double beams = (double)(scan->n - 1) * fabs(scan->step_angle) / (2.0 * DPL_PI);
    double end = scan->stamp_s - l->track.filter.x[LOC_STATE_OFFSET] +
                 0.5 * beams * l->config.revolution_s;
    return loc_history_newest(&l->history) >= end;
}

static void use_scan(struct localizer *l)
{
    struct loc_observation observation = localizer__observation(l, 1);
    struct loc_motion motion = {&l->history, diagnosis_doubts_wheels(&l->diagnosis)};
    l->scan_waits = false;
    l->track.doubts_wheels = motion.by_gyro;
    loc_track_scan(&l->track, &observation, &motion, true);
    l->state = LOCALIZER_TRACKING;
    localizer__diagnose_scan(l, l->track.update.used);
}

void localizer_odometry(struct localizer *localizer, const struct localizer_odometry *sample)
{
    loc_history_add(&localizer->history, sample);
}

void localizer_scan(struct localizer *localizer, const struct localizer_scan *scan)
{
    bool equal;
    if (!(scan->stamp_s > localizer->scan_came_s || isnan(localizer->scan_came_s))) {
        return;
    }
    if (localizer->scan_waits) {
        use_scan(localizer);
    }
    if (!loc_scan_take(&localizer->scan, scan, &equal)) {
        if (equal) {
            localizer__diagnose_equal(localizer, scan->stamp_s);
        }
        return;
    }
    localizer->scan_came_s = scan->stamp_s;
    localizer->scan_waits = true;
}

void localizer_step(struct localizer *localizer, double now_s)
{
    bool late = now_s > localizer->scan_came_s + WAIT_S;
    if (localizer->scan_waits && (late || has_odometry(localizer))) {
        use_scan(localizer);
    }
    if (localizer->config.diagnose) {
        diagnosis_step(&localizer->diagnosis, now_s);
    }
}

void localizer_estimate(const struct localizer *localizer, double at_s,
                        struct localizer_estimate *ret_estimate)
{
    const struct loc_update *update = &localizer->track.update;
    struct loc_filter filter = localizer->track.filter;
    struct loc_motion motion = {&localizer->history,
                                localizer->state == LOCALIZER_COASTING ||
                                    diagnosis_doubts_wheels(&localizer->diagnosis)};
    struct loc_moment moment;
    loc_filter_advance(&filter, &motion, at_s);
    loc_filter_moment(&filter, update, &moment);
    const double(*c)[3] = (const double(*)[3])moment.covariance;
    *ret_estimate = (struct localizer_estimate){
        .state = localizer->state,
        .stamp_s = filter.time_s,
        .scan_stamp_s = localizer->track.used_stamp_s,
        .pose = moment.pose,
        .covariance = {c[0][0], c[0][1], c[1][1], c[0][2], c[1][2], c[2][2]},
        .agreement = update->judgement.agreement,
        .too_short = update->judgement.too_short,
        .too_long = update->judgement.too_long,
        .nis = update->nis,
        .map_error_m = localizer->match.map_error_m,
        .unobservable = update->unobservable,
        .unobservable_rad = update->unobservable_rad,
        .hypotheses = 1,
        .relocations = localizer->relocations,
    };
}

void localizer_calibration(const struct localizer *localizer,
                           struct localizer_calibration *ret_calibration)
{
    const struct loc_filter *filter = &localizer->track.filter;
    for (int i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        int k = LOC_STATE_PARAMETERS + i;
        double sigma = sqrt(fmax(filter->p[k][k], 0.0));
        bool logarithm = i <= LOCALIZER_AXLE_SCALE;
        double value = logarithm ? exp(filter->x[k]) : filter->x[k];
        ret_calibration->value[i] = value;
        ret_calibration->sigma[i] = logarithm ? value * sigma : sigma;
        ret_calibration->identified[i] = 3.0 * sigma <= localizer->config.initial_sigma[i];
    }
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
