/* SPDX-License-Identifier: Apache-2.0 */
/* Fidelity. */
#include "fidelity.h"

#define SMOOTHING_S      1.0
#define DIRECTION_FACTOR 5.0
#define DEVIATIONS       3.72 /* beyond so many, in the plane: 1 in 1000 */

static void forget_localization(struct dpl_sync_fidelity *fidelity)
{
    const double none = (double)NAN;
    fidelity->index = fidelity->covariance = fidelity->agreement = fidelity->held = none;
    fidelity->scan_age_s = fidelity->error_sigma = fidelity->error_limit = none;
    fidelity->begun = false;
    fidelity->init_s = 0.0;
}

void dpl_sync_fidelity_init(struct dpl_sync_fidelity *fidelity,
                            const struct dpl_sync_fidelity_config *config)
{
    *fidelity = (struct dpl_sync_fidelity){.config = *config};
    forget_localization(fidelity);
}

static double bell(const struct dpl_sync_fidelity *fidelity, double distance, double heading)
{
    double p = distance / fidelity->config.variance_distance;
    double h = heading / (DIRECTION_FACTOR * fidelity->config.variance_direction);
    return exp(-p * p / 2.0 - h * h / 2.0);
}

static double smoothed(double before, double now, double elapsed_s)
{
    return before + (now - before) * (1.0 - exp(-elapsed_s / SMOOTHING_S));
}

/* NaN: this scan does not tell. A world that is wrong explains no scan, at the avatar or else. */
static double agreement_of(const struct dpl_sync_localization *now)
{
    bool known = now->scan_age_s <= DPL_SYNC_SCAN_S && now->agreement > 0.0 &&
                 now->avatar_agreement >= 0.0 && now->state != DPL_SYNC_LOCALIZER_MAP_WRONG;
    return known ? fmin(1.0, now->avatar_agreement / now->agreement) : (double)NAN;
}

/* What no scan tells any more is what the last one told, for a while. */
static void update_agreement(struct dpl_sync_fidelity *fidelity,
                             const struct dpl_sync_fidelity_input *input)
{
    double now = agreement_of(input->localization);
    if (!isnan(now)) {
        fidelity->held = now;
        fidelity->held_s = 0.0;
    } else {
        fidelity->held_s += input->elapsed_s;
    }
    fidelity->agreement = fidelity->held_s <= DPL_SYNC_HELD_S ? fidelity->held : (double)NAN;
}

/* A scan comes within a second after the start; then the Localizer knows where the robot is, or
 * that it does not. True when this is the first value. */
static bool begin(struct dpl_sync_fidelity *fidelity, const struct dpl_sync_fidelity_input *input)
{
    bool was_begun = fidelity->begun;
    if (input->localization->state == DPL_SYNC_LOCALIZER_INIT) {
        fidelity->init_s += input->elapsed_s;
        fidelity->begun = was_begun || fidelity->init_s > DPL_SYNC_BEGIN_S;
    } else {
        fidelity->begun = true;
    }
    return fidelity->begun && !was_begun;
}

static void update_interval(struct dpl_sync_fidelity *fidelity,
                            const struct dpl_sync_fidelity_input *input, bool decided)
{
    double sigma = dpl_sync_localization_sigma(input->localization).position;
    sigma = hypot(sigma, hypot(input->localization->doubt_m, input->doubt_m));
    sigma = hypot(sigma, input->growth.position);
    fidelity->error_sigma = decided ? sigma : (double)NAN;
    double since = DEVIATIONS * hypot(input->doubt_m, input->growth.position);
    double limit = input->position_error + input->localization->level_m + since;
    fidelity->error_limit = decided ? limit : (double)NAN;
}

#define LEAST_CAUSE 0.01

/* By the exponents of the parts. */
static enum dpl_sync_fidelity_cause find_cause(const struct dpl_sync_fidelity *fidelity,
                                               const struct dpl_sync_fidelity_input *input)
{
    const struct dpl_sync_localization *localization = input->localization;
    const double nothing[6] = {0.0}, *p = localization ? localization->covariance : nothing;
    double agreement = isnan(fidelity->agreement) ? 1.0 : fidelity->agreement;
    double of[] = {
        [DPL_SYNC_CAUSE_NONE] = LEAST_CAUSE,
        [DPL_SYNC_CAUSE_DISTANCE] = -log(bell(fidelity, input->position_error, 0.0)),
        [DPL_SYNC_CAUSE_HEADING] = -log(bell(fidelity, 0.0, input->heading_error)),
        [DPL_SYNC_CAUSE_UNSURE_POSITION] =
            -log(bell(fidelity, hypot(sqrt(p[0] + p[2]), input->growth.position), 0.0)),
        [DPL_SYNC_CAUSE_UNSURE_HEADING] =
            -log(bell(fidelity, 0.0, hypot(sqrt(p[5]), input->growth.heading))),
        [DPL_SYNC_CAUSE_SCAN] = -log(agreement),
    };
    enum dpl_sync_fidelity_cause cause = DPL_SYNC_CAUSE_NONE;
    for (int i = 1; i < (int)(sizeof of / sizeof of[0]); i++) {
        bool counts = localization || i <= DPL_SYNC_CAUSE_HEADING;
        cause = counts && of[i] > of[cause] ? (enum dpl_sync_fidelity_cause)i : cause;
    }
    return cause;
}

static void update_index(struct dpl_sync_fidelity *fidelity,
                         const struct dpl_sync_fidelity_input *input, double tracking)
{
    const struct dpl_sync_localization *localization = input->localization;
    const double *p = localization->covariance;
    bool decided = dpl_sync_localization_is_decided(localization);
    bool first = begin(fidelity, input);
    update_agreement(fidelity, input);
    fidelity->scan_age_s = localization->scan_age_s;
    fidelity->covariance = bell(fidelity, hypot(sqrt(p[0] + p[2]), input->growth.position),
                                hypot(sqrt(p[5]), input->growth.heading));
    update_interval(fidelity, input, decided);
    double agreement = isnan(fidelity->agreement) ? 1.0 : fidelity->agreement;
    double now = input->lost ? 0.0 : tracking * fidelity->covariance * agreement;
    double before = first ? now : fidelity->index;
    fidelity->index = decided ? smoothed(before, now, input->elapsed_s) : 0.0;
}

void dpl_sync_fidelity_step(struct dpl_sync_fidelity *fidelity,
                            const struct dpl_sync_fidelity_input *input)
{
    double tracking = bell(fidelity, input->position_error, input->heading_error);
    double before = fidelity->started ? fidelity->tracking : 1.0;
    fidelity->tracking = smoothed(before, input->lost ? 0.0 : tracking, input->elapsed_s);
    fidelity->started = true;
    if (input->localization) {
        update_index(fidelity, input, tracking);
    } else {
        forget_localization(fidelity);
        fidelity->index = input->silent ? 0.0 : fidelity->index;
        fidelity->begun = input->silent;
    }
    fidelity->cause = find_cause(fidelity, input);
}

double dpl_sync_fidelity_known(const struct dpl_sync_fidelity *fidelity)
{
    return isnan(fidelity->index) ? fidelity->tracking : fidelity->index;
}
