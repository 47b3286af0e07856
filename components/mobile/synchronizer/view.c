/* SPDX-License-Identifier: Apache-2.0 */
/* What the Synchronizer publishes, from the status of the synchronization. */
#include "tables.h"

static double known(bool is_known, double value)
{
    return is_known ? value : (double)NAN;
}

static void view_robot(struct sync_robot_view *view, struct dpl_pose2 pose,
                       const struct dpl_sync_robot_status *status)
{
    const struct dpl_sync_map_certainty *c = &status->certainty;
    *view = (struct sync_robot_view){
        .x = pose.x,
        .y = pose.y,
        .theta = pose.theta,
        .pose_age_s = status->pose_age_s,
        .latency_s = status->latency_s,
        .lag_s = status->lag_s,
        .m11 = known(c->m11, status->map.m11),
        .m12 = known(c->m12, status->map.m12),
        .m21 = known(c->m21, status->map.m21),
        .m22 = known(c->m22, status->map.m22),
        .scale_left = known(c->m11 && c->m21, status->wheels.scale_left),
        .scale_right = known(c->m11 && c->m21, status->wheels.scale_right),
        .axle_m = known(c->m11 && c->m22, status->wheels.axle_m),
        .m11_sigma = known(!c->clamped, c->sigma.m11),
        .m12_sigma = known(!c->clamped, c->sigma.m12),
        .m21_sigma = known(!c->clamped, c->sigma.m21),
        .m22_sigma = known(!c->clamped, c->sigma.m22),
        .clamped = c->clamped || status->lag_at_end,
        .dv = status->bias.linear,
        .dw = status->bias.angular,
        .slip = status->slip,
        .nis = status->nis_average,
        .blocked = status->blocked,
        .pressed = status->pressed,
        .rejected = status->rejected,
        .outliers = status->outliers,
        .jumps = status->jumps,
    };
}

void sync_view_init(struct sync_view *view)
{
    const double none = (double)NAN;
    *view = (struct sync_view){
        .ex = none,
        .ey = none,
        .et_deg = none,
        .distance_mm = none,
        .heading_deg = none,
        .fidelity = none,
        .rms_5s_mm = none,
        .rms_mm = none,
        .max_mm = none,
        .heading_max_deg = none,
        .tracking = none,
        .min_tracking = none,
        .min_fidelity = none,
        .fidelity_covariance = none,
        .fidelity_agreement = none,
        .scan_age_s = none,
        .error_sigma_mm = none,
        .error_limit_mm = none,
        .real = {.x = none, .y = none, .theta = none},
        .avatar = {.x = none, .y = none, .theta = none},
    };
}

/* A lowest value is NaN before the first. */
static void fill_fidelity(struct sync_view *view, const struct dpl_sync_status *status)
{
    view->tracking = known(status->seen, status->tracking);
    view->fidelity = known(status->seen, status->fidelity);
    if (status->measured || status->state != DPL_SYNC_INIT) {
        view->min_tracking = fmin(view->min_tracking, status->tracking);
    }
    if (status->fidelity_begun) {
        view->min_fidelity = fmin(view->min_fidelity, status->fidelity);
    }
    view->fidelity_covariance = status->fidelity_covariance;
    view->fidelity_agreement = status->fidelity_agreement;
    view->scan_age_s = status->scan_age_s;
    view->error_sigma_mm = known(status->seen, status->error_sigma * 1e3);
    view->error_limit_mm = known(status->seen, status->error_limit * 1e3);
    view->contact_mismatch = status->contact_mismatch;
    view->contact_mismatch_ticks += view->contact_mismatch;
}

void sync_view_localizer(struct sync_view *view, const struct dpl_sync_localization *localization)
{
    view->localized = localization->valid;
    view->pose_source = localization->valid ? SYNC_POSE_LOCALIZER : SYNC_POSE_ODOMETRY;
    view->localizer = localization->valid ? 1 + (int)localization->state : SYNC_LOCALIZER_NONE;
}

void sync_view_fill(struct sync_view *view, const struct dpl_sync_status *status)
{
    view->state = (int)status->state;
    view->ex = known(status->seen, status->ex);
    view->ey = known(status->seen, status->ey);
    view->et_deg = known(status->seen, dpl_rad_to_deg(status->et));
    view->distance_mm = known(status->seen, status->position_error * 1e3);
    view->heading_deg = view->et_deg;
    view->rms_5s_mm = status->rms_5s * 1e3;
    view->rms_mm = status->rms * 1e3;
    view->max_mm = status->max_position_error * 1e3;
    view->heading_max_deg = dpl_rad_to_deg(status->max_heading_error);
    view->fidelity_cause = (int)status->cause;
    fill_fidelity(view, status);
    view->warn = status->warn;
    view->saturated = status->saturated;
    view->fallback = status->fallback;
    view->astray = status->astray;
    view->teleports = status->teleports;
    view->rejoins = status->rejoins;
    view->relocations = status->relocations;
    view->strayed = status->strayed;
    view->localizer_refused = status->refused_localizations;
    view->refused_places = status->refused_places;
    view->overruns = status->overruns;
    view->fallback_ticks = status->fallback_ticks;
    view->ticks++;
    view->warn_ticks += status->warn;
    view->diverged_ticks += status->state == DPL_SYNC_DIVERGED;
    view->diverged_heading_ticks += status->diverged_by_heading;
    view->lost_ticks += status->state == DPL_SYNC_LOST;
    view->unknown_ticks += status->state == DPL_SYNC_UNKNOWN;
    view->placing_ticks += status->placing;
    view_robot(&view->real, status->real_pose, &status->real);
    view_robot(&view->avatar, status->avatar_pose, &status->avatar);
}
