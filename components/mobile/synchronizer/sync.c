/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization: the order of one tick. */
#include "sync.h"

#include <stddef.h>

#include "sync_parts.h"

#define MAX_TIME_S        1e12
#define OVERRUN_PERIODS   1.5
#define UNHEALTHY_NIS     10.0
#define UNHEALTHY_END_NIS 6.0
#define UNHEALTHY_S       2.0
#define HEALTHY_S         5.0

static bool advance_time(struct dpl_sync *sync, double now_s)
{
    if (!isfinite(now_s) || fabs(now_s) > MAX_TIME_S ||
        (sync->started && now_s <= sync->last_now_s)) {
        return false;
    }
    sync->elapsed_s = sync->started ? now_s - sync->last_now_s : sync->config.period_s;
    sync->overruns += sync->elapsed_s > OVERRUN_PERIODS * sync->config.period_s;
    if (!sync->started) {
        sync->first_s = sync->newest_s[SYNC_REAL] = sync->newest_s[SYNC_AVATAR] = now_s;
    }
    sync->last_now_s = now_s;
    sync->started = true;
    return true;
}

static void hear_command(struct dpl_sync *sync, bool has_command, struct dpl_twist2 command)
{
    if (!has_command || !isfinite(command.linear) || !isfinite(command.angular)) {
        command = (struct dpl_twist2){0.0, 0.0};
    }
    sync->has_command = has_command;
    sync->command = dpl_sync_saturate(command, &sync->real_limits, NULL);
    dpl_sync_observer_command(&sync->real, sync->has_command ? &sync->command : NULL);
}

static void apply_command(struct dpl_sync *sync, const struct dpl_sync_input *input)
{
    hear_command(sync, input->has_command, input->command);
    dpl_sync_observer_forecast(&sync->real);
    dpl_sync_observer_forecast(&sync->avatar);
}

/* Of the newest pose that the observer used. While it has none, of the newest that came (for the
 * alignment), and while none came, since the start. */
static double age_of(const struct dpl_sync *sync, int side)
{
    const struct dpl_sync_observer *observer = side == SYNC_REAL ? &sync->real : &sync->avatar;
    return observer->has_pose ? dpl_sync_observer_age(observer, sync->last_now_s)
                              : fmax(0.0, sync->last_now_s - sync->newest_s[side]);
}

static bool are_poses_late(const struct dpl_sync *sync)
{
    enum dpl_sync_slow_answer answer = sync->config.slow_answer;
    return answer == DPL_SYNC_SLOW_POSES ||
           (answer == DPL_SYNC_SLOW_AUTO && !sync->correction.started);
}

/* Where nobody said which of the two is late, the other one is as likely. */
static double doubt(const struct dpl_sync *sync, const struct sync_situation *now)
{
    double other_s = dpl_sync_observer_hidden_delay(&sync->real) - now->hidden_delay_s;
    if (sync->config.slow_answer != DPL_SYNC_SLOW_AUTO || !(other_s > 0.0)) {
        return 0.0;
    }
    struct dpl_sync_estimate other = dpl_sync_observer_predict(&sync->real, now->now_s + other_s);
    return DPL_SYNC_EITHER * dpl_pose2_distance(now->real.pose, other.pose);
}

/* Of both robots, since their newest poses. */
static struct dpl_sync_sigma growth(const struct dpl_sync *sync, const struct sync_situation *now)
{
    struct dpl_sync_sigma real =
        dpl_sync_observer_growth(&sync->real, now->now_s, now->now_s + now->hidden_delay_s);
    struct dpl_sync_sigma avatar = dpl_sync_observer_growth(&sync->avatar, now->now_s, now->now_s);
    return (struct dpl_sync_sigma){hypot(real.position, avatar.position),
                                   hypot(real.heading, avatar.heading)};
}

struct sync_situation sync_situation_of(const struct dpl_sync *sync)
{
    struct sync_situation now = {
        .now_s = sync->last_now_s,
        .missing = sync->missing,
        .ready = sync->alignment.done && sync->real.has_pose && sync->avatar.has_pose,
        .real_age_s = age_of(sync, SYNC_REAL),
        .avatar_age_s = age_of(sync, SYNC_AVATAR),
        .real = {.pose = {(double)NAN, (double)NAN, (double)NAN}},
        .avatar = {.pose = {(double)NAN, (double)NAN, (double)NAN}},
        .found = {(double)NAN, (double)NAN, (double)NAN},
        .error = {(double)NAN, (double)NAN, (double)NAN},
    };
    now.hidden_delay_s = are_poses_late(sync) ? dpl_sync_observer_hidden_delay(&sync->real) : 0.0;
    now.trust = dpl_sync_trust(fmax(now.real_age_s, now.avatar_age_s));
    if (now.ready) {
        now.real = dpl_sync_observer_predict(&sync->real, now.now_s + now.hidden_delay_s);
        now.avatar = dpl_sync_observer_predict(&sync->avatar, now.now_s);
        now.doubt_m = doubt(sync, &now);
        now.growth = growth(sync, &now);
        now.found = sync->correction.started
                        ? dpl_sync_correction_unsmoothed(&sync->correction, now.real.pose)
                        : now.real.pose;
        now.error = dpl_pose2_relative(now.avatar.pose, now.found);
    }
    return now;
}

/* A Localizer that answers a base that was silent takes some time for it. */
#define ANSWER_S 0.25

/* While no pose of the real robot comes, no message of the Localizer can: that is told by ages. */
static bool is_silent(const struct dpl_sync *sync, const struct sync_situation *now)
{
    bool unheard = sync->localization.expected && !sync->localization.valid &&
                   (sync->flaw || sync->unheard_s > ANSWER_S);
    return unheard && !sync_is_waiting(sync) && now->real_age_s <= DPL_SYNC_STALE_S;
}

static double promised_speed(const struct dpl_sync_observer *observer, double now_s)
{
    return dpl_sync_profile_at(&observer->profile, observer->bank.chosen, now_s).linear;
}

static void watch(struct dpl_sync *sync, const struct sync_situation *now)
{
    struct dpl_sync_sighting sighting = {
        .now_s = now->now_s,
        .elapsed_s = sync->elapsed_s,
        .ready = now->ready,
        .error = now->error,
        .doubt_m = now->doubt_m,
        .growth = now->growth,
        .real_age_s = now->real_age_s,
        .avatar_age_s = now->avatar_age_s,
        .astray = sync->placement.astray,
        .missing = now->missing,
        .real_promised = promised_speed(&sync->real, now->now_s),
        .real_speed = now->real.twist.linear,
        .avatar_promised = promised_speed(&sync->avatar, now->now_s),
        .avatar_speed = now->avatar.twist.linear,
        .real_pressed = sync->has_bumpers && sync->pressed[SYNC_REAL],
        .avatar_pressed = sync->has_bumpers && sync->pressed[SYNC_AVATAR],
        .localization = sync->localization.valid ? &sync->localization : NULL,
        .silent = is_silent(sync, now),
    };
    dpl_sync_monitor_step(&sync->monitor, &sighting);
}

static void update_health(struct dpl_sync *sync)
{
    double nis = fmax(sync->real.filter.nis_average, sync->avatar.filter.nis_average);
    bool at_end =
        dpl_sync_lag_bank_at_end(&sync->real.bank) || dpl_sync_lag_bank_at_end(&sync->avatar.bank);
    bool healthy = nis <= (at_end ? UNHEALTHY_END_NIS : UNHEALTHY_NIS);

    sync->unhealthy_s = healthy ? 0.0 : sync->unhealthy_s + sync->elapsed_s;
    sync->healthy_s = healthy ? sync->healthy_s + sync->elapsed_s : 0.0;
    if (sync->unhealthy_s >= UNHEALTHY_S) {
        sync->fallback = true;
    } else if (sync->healthy_s >= HEALTHY_S) {
        sync->fallback = false;
    }
}

static void place_if_due(struct dpl_sync *sync, struct sync_situation *now,
                         struct dpl_sync_output *output)
{
    double age_s = fmax(now->real_age_s, now->avatar_age_s);
    if (now->ready) {
        /* a Localizer that falls silent has found nothing by that */
        bool decided = sync->localization.valid
                           ? dpl_sync_localization_is_decided(&sync->localization)
                           : sync->placement.decided;
        dpl_sync_placement_update(&sync->placement, decided,
                                  dpl_sync_monitor_is_near(&sync->monitor));
    }
    if (now->ready &&
        dpl_sync_placement_is_due(&sync->placement, &sync->monitor, now->now_s, age_s)) {
        sync_put_avatar(sync, now->real.pose, output);
        *now = sync_situation_of(sync);
    }
}

/* After it is known whether the avatar is put somewhere else. */
static void count(struct dpl_sync *sync, const struct sync_situation *now,
                  struct dpl_sync_output *output)
{
    bool placing = dpl_sync_placement_is_placing(&sync->placement, &sync->monitor, now->now_s);
    dpl_sync_monitor_count(&sync->monitor, now->now_s, sync->elapsed_s, placing);
    output->status.placing = placing;
}

void dpl_sync_hear(struct dpl_sync *sync, double now_s, bool has_command, struct dpl_twist2 command)
{
    if (!sync->started || !isfinite(now_s) || fabs(now_s) > MAX_TIME_S ||
        now_s <= sync->last_now_s) {
        return;
    }
    dpl_sync_observer_advance(&sync->real, now_s);
    hear_command(sync, has_command, command);
}

void dpl_sync_step(struct dpl_sync *sync, const struct dpl_sync_input *input,
                   struct dpl_sync_output *ret_output)
{
    *ret_output = (struct dpl_sync_output){0};
    if (!advance_time(sync, input->now_s)) {
        struct sync_situation same = sync_situation_of(sync);
        sync_publish(sync, &same, &ret_output->status);
        return;
    }
    dpl_sync_observer_advance(&sync->real, sync->last_now_s);
    dpl_sync_observer_advance(&sync->avatar, sync->last_now_s);
    sync_update_poses(sync, input, ret_output);
    apply_command(sync, input);
    struct sync_situation now = sync_situation_of(sync);
    watch(sync, &now);
    update_health(sync);
    place_if_due(sync, &now, ret_output);
    count(sync, &now, ret_output);
    sync_drive(sync, &now, ret_output);
    sync_publish(sync, &now, &ret_output->status);
}

/* ---- status ---- */

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
