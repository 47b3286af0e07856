/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization: what a tick tells. */
#include "sync_parts.h"

#define SLIP_SPEED 0.03

static struct dpl_sync_robot_status robot_status(const struct dpl_sync *sync, int side,
                                                 const struct sync_situation *now)
{
    const struct dpl_sync_observer *observer = side == SYNC_REAL ? &sync->real : &sync->avatar;
    struct dpl_sync_estimate estimate = side == SYNC_REAL ? now->real : now->avatar;
    struct dpl_sync_lag lag = dpl_sync_observer_lag(observer);
    double modelled = estimate.twist.linear - estimate.bias.linear;
    bool blocked = side == SYNC_REAL ? sync->monitor.real_blocked : sync->monitor.avatar_blocked;
    bool moves = observer->commanded && fabs(modelled) > SLIP_SPEED;
    return (struct dpl_sync_robot_status){
        .pose_age_s = side == SYNC_REAL ? now->real_age_s : now->avatar_age_s,
        .latency_s = lag.latency_s,
        .lag_s = lag.lag_s,
        .map = observer->estimator.map,
        .certainty = dpl_sync_map_certainty(&observer->estimator),
        .lag_at_end = dpl_sync_lag_bank_at_end(&observer->bank) && !blocked,
        .wheels = dpl_sync_map_wheels(&observer->estimator.map, observer->profile.axle_m),
        .velocity = estimate.twist,
        .bias = estimate.bias,
        .slip = moves ? -estimate.bias.linear / modelled : 0.0,
        .nis_average = observer->filter.nis_average,
        .blocked = blocked,
        .pressed = sync->pressed[side],
        .rejected = sync->rejected[side],
        .outliers = sync->outliers[side],
        .jumps = sync->jumps[side],
    };
}

void sync_publish(const struct dpl_sync *sync, const struct sync_situation *now,
                  struct dpl_sync_status *status)
{
    const struct dpl_sync_monitor *monitor = &sync->monitor;
    status->time_s = now->now_s;
    status->state = monitor->state;
    status->ready = now->ready;
    status->real_pose = now->found;
    status->avatar_pose = now->avatar.pose;
    status->ex = now->error.x;
    status->ey = now->error.y;
    status->et = now->error.theta;
    status->position_error = hypot(now->error.x, now->error.y);
    status->judged_error = monitor->position_error;
    status->judged_heading = monitor->heading_error;
    status->diverged_by_heading = dpl_sync_monitor_diverged_by_heading(monitor);
    status->seen = monitor->seen && !dpl_sync_placement_is_supposed(&sync->placement);
    status->measured = monitor->measured;
    status->rms_5s = monitor->rms_5s;
    status->rms = dpl_sync_monitor_rms(monitor);
    status->max_position_error = monitor->max_position_error;
    status->max_heading_error = monitor->max_heading_error;
    status->cause = monitor->fidelity.cause;
    status->tracking = monitor->fidelity.tracking;
    status->fidelity = monitor->fidelity.index;
    status->fidelity_covariance = monitor->fidelity.covariance;
    status->fidelity_agreement = monitor->fidelity.agreement;
    status->fidelity_begun = monitor->fidelity.begun;
    status->scan_age_s = monitor->fidelity.scan_age_s;
    status->error_sigma = monitor->fidelity.error_sigma;
    status->error_limit = monitor->fidelity.error_limit;
    status->contact_mismatch = monitor->contact_mismatch;
    status->localized = sync->localization.valid;
    status->silent = monitor->silent;
    status->flaw = sync->flaw;
    status->refused_localizations = sync->refused_localizations;
    status->relocations = sync->correction.relocations;
    status->jump = sync->correction.jump;
    status->strayed = sync->correction.strayed;
    status->warn = monitor->warn;
    status->fallback = sync->fallback && sync->config.strategy == DPL_SYNC_ADAPTIVE;
    status->astray = sync->placement.astray;
    status->teleports = sync->placement.placed;
    status->rejoins = sync->placement.rejoined;
    status->refused_places = sync->placement.refused;
    status->overruns = sync->overruns;
    status->fallback_ticks = sync->fallback_ticks;
    status->real = robot_status(sync, SYNC_REAL, now);
    status->avatar = robot_status(sync, SYNC_AVATAR, now);
}
