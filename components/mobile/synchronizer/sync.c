/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization: the order of one tick. */
#include "sync.h"

#include "kanayama.h"

#include <stddef.h>

#define MAX_TIME_S        1e12
#define OVERRUN_PERIODS   1.5
#define UNHEALTHY_NIS     10.0
#define UNHEALTHY_END_NIS 6.0
#define UNHEALTHY_S       2.0
#define HEALTHY_S         5.0
#define SHORT_LAG_S       0.2 /* what a lag has beyond it is looked ahead over like a latency */
#define ALLOCATE_PERIODS  1.5
#define ALLOCATE_S        0.15
#define SLIP_SPEED        0.03

enum { REAL, AVATAR };

struct situation {
    double now_s;
    bool ready, missing;
    double real_age_s, avatar_age_s, trust;
    double hidden_delay_s;                 /* the real robot is ahead of its poses by this */
    struct dpl_sync_estimate real, avatar; /* now */
    struct dpl_pose2 found;                /* the real robot, without smoothing */
    struct dpl_pose2 error;
};

static bool note_time(struct dpl_sync *sync, double now_s)
{
    if (!isfinite(now_s) || fabs(now_s) > MAX_TIME_S ||
        (sync->started && now_s <= sync->last_now_s)) {
        return false;
    }
    sync->elapsed_s = sync->started ? now_s - sync->last_now_s : sync->config.period_s;
    sync->overruns += sync->elapsed_s > OVERRUN_PERIODS * sync->config.period_s;
    if (!sync->started) {
        sync->first_s = sync->newest_s[REAL] = sync->newest_s[AVATAR] = now_s;
    }
    sync->last_now_s = now_s;
    sync->started = true;
    return true;
}

static void observe(struct dpl_sync *sync, int side, const struct dpl_sync_stamped_pose *measured)
{
    struct dpl_sync_observer *observer = side == REAL ? &sync->real : &sync->avatar;
    switch (dpl_sync_observer_pose(observer, *measured, sync->last_now_s)) {
    case DPL_SYNC_POSE_REJECTED: sync->rejected[side]++; return;
    case DPL_SYNC_POSE_OUTLIER:
        sync->outliers[side]++;
        if (sync->config.strategy == DPL_SYNC_ADAPTIVE) {
            return; /* its fallback does not follow it either */
        }
        break;
    case DPL_SYNC_POSE_JUMP: sync->jumps[side]++; break;
    case DPL_SYNC_POSE_OLD: return;
    case DPL_SYNC_POSE_USED: break;
    }
    sync->raw[side] = (struct dpl_sync_pose_input){true, measured->pose, measured->stamp_s, 0};
}

static void set_avatar(struct dpl_sync *sync, struct dpl_pose2 pose, double stamp_s)
{
    dpl_sync_observer_set_pose(&sync->avatar, pose, stamp_s);
    sync->raw[AVATAR] = (struct dpl_sync_pose_input){true, pose, stamp_s, 0};
}

/* Until the answer is there both poses are possible. An answer that was not taken for granted says
 * that the estimate is wrong. */
static void take_avatar(struct dpl_sync *sync, const struct dpl_sync_stamped_pose *avatar,
                        enum dpl_sync_placing placing)
{
    bool granted = !sync->placement.doubtful;
    bool surprise = false;
    switch (dpl_sync_placement_settle(&sync->placement, placing)) {
    case DPL_SYNC_SETTLED_NOTHING: break;
    case DPL_SYNC_SETTLED_PENDING: return;
    case DPL_SYNC_SETTLED_REFUSED: surprise = granted; break;
    case DPL_SYNC_SETTLED_PLACED:
        surprise = !granted;
        dpl_sync_monitor_teleported(&sync->monitor);
        break;
    }
    if (avatar && surprise) {
        set_avatar(sync, avatar->pose, avatar->stamp_s);
    } else if (avatar) {
        observe(sync, AVATAR, avatar);
    }
}

static void put_avatar(struct dpl_sync *sync, struct dpl_pose2 pose, struct dpl_sync_output *output)
{
    output->has_set_pose = true;
    output->set_pose = pose;
    dpl_sync_placement_ask(&sync->placement, sync->last_now_s);
    if (!sync->placement.doubtful) {
        set_avatar(sync, pose, sync->last_now_s);
    }
}

static bool is_moving(const struct dpl_sync_input *input)
{
    return input->has_command &&
           (fabs(input->command.linear) > 1e-6 || fabs(input->command.angular) > 1e-6);
}

static void align(struct dpl_sync *sync, const struct dpl_sync_stamped_pose *real,
                  const struct dpl_sync_stamped_pose *avatar, const struct dpl_sync_input *input,
                  struct dpl_sync_output *output)
{
    bool became_done = dpl_sync_alignment_offer(&sync->alignment, real, avatar, is_moving(input));
    if (became_done && sync->alignment.mode == DPL_SYNC_ALIGN_SNAP) {
        put_avatar(sync, dpl_sync_pose_mean_get(&sync->alignment.real), output);
    }
}

/* A Localizer gives the real robot's frame: there is nothing to align. While it says nothing yet
 * the odometry waits for it, for a while. */
static bool is_waiting(const struct dpl_sync *sync)
{
    return sync->localization.expected && !sync->correction.started &&
           sync->last_now_s - sync->first_s < DPL_SYNC_LOCALIZATION_S;
}

/* Floors: a pose said to be exact would make the filter blind to everything else. */
static void set_real_noise(struct dpl_sync *sync)
{
    struct dpl_sync_sigma floor = {sync->config.real_noise_m, sync->config.real_noise_rad};
    struct dpl_sync_sigma noise = dpl_sync_localization_noise(&sync->localization, floor);
    noise.position = fmax(noise.position, DPL_SYNC_REAL_FLOOR_M);
    noise.heading = fmax(noise.heading, DPL_SYNC_REAL_FLOOR_RAD);
    sync->real.filter.position_variance = noise.position * noise.position;
    sync->real.filter.heading_variance = noise.heading * noise.heading;
}

/* The frames were aligned until now, if a pose of the real robot was used already. */
static void take_localization(struct dpl_sync *sync, const struct dpl_sync_localization *heard)
{
    sync->localization = *heard;
    sync->localization.valid = heard->valid && dpl_sync_localization_is_credible(heard);
    if (!sync->localization.valid) {
        return;
    }
    set_real_noise(sync);
    if (sync->correction.started) {
        dpl_sync_correction_aim(&sync->correction, heard->correction, heard->relocations);
        return;
    }
    dpl_sync_correction_start(&sync->correction, heard->correction, heard->relocations,
                              sync->real.has_pose ? &sync->alignment.transform : NULL);
    dpl_sync_placement_note_relocation(&sync->placement);
    if (sync->alignment.mode != DPL_SYNC_ALIGN_SNAP) {
        sync->alignment.done = true;
    }
}

/* The real robot is elsewhere and did not drive there: what is known of its drive stays. */
static void relocate(struct dpl_sync *sync, const struct dpl_sync_stamped_pose *real)
{
    dpl_sync_placement_note_relocation(&sync->placement);
    if (!sync->real.has_pose) {
        return;
    }
    dpl_sync_observer_set_pose(&sync->real, real->pose, real->stamp_s);
    sync->raw[REAL] = (struct dpl_sync_pose_input){true, real->pose, real->stamp_s, 0};
    sync->measured.last = real->pose;
    sync->measured.stamp_s = real->stamp_s;
}

/* From the odometry's frame into the avatar's, or as it is before the frames are aligned. */
static void transform_real(struct dpl_sync *sync, struct dpl_sync_stamped_pose *real)
{
    if (!sync->correction.started) {
        return;
    }
    bool jumped = dpl_sync_correction_step(&sync->correction, real->pose, sync->elapsed_s);
    real->pose = dpl_sync_correction_apply(&sync->correction, real->pose);
    if (jumped) {
        relocate(sync, real);
    }
}

static void observe_real(struct dpl_sync *sync, struct dpl_sync_stamped_pose *real)
{
    if (!sync->correction.started) {
        real->pose = dpl_sync_alignment_apply(&sync->alignment, real->pose);
    }
    observe(sync, REAL, real);
    dpl_sync_measured_twist_update(&sync->measured, sync->raw[REAL].pose, sync->raw[REAL].stamp_s);
}

/* Before the frames are aligned there is nowhere to put it: then the alignment begins anew too. */
static void note_restart(struct dpl_sync *sync, const struct dpl_sync_stamped_pose *avatar,
                         uint32_t restarts)
{
    if (!dpl_sync_placement_note_restarts(&sync->placement, restarts, sync->last_now_s)) {
        return;
    }
    if (!sync->alignment.done) {
        sync->placement.astray = false;
        dpl_sync_alignment_init(&sync->alignment, sync->config.align, sync->config.align_samples);
    }
    set_avatar(sync, avatar->pose, avatar->stamp_s);
    sync->avatar.has_pose = true;
}

static void note_newest(struct dpl_sync *sync, int side, const struct dpl_sync_stamped_pose *pose)
{
    if (pose) {
        sync->newest_s[side] = fmax(sync->newest_s[side], pose->stamp_s);
    }
}

static void take_poses(struct dpl_sync *sync, const struct dpl_sync_input *input,
                       struct dpl_sync_output *output)
{
    struct dpl_sync_stamped_pose real = {input->real.pose,
                                         input->real.stamp_s - sync->config.real_delay_s};
    struct dpl_sync_stamped_pose avatar = {input->avatar.pose, input->avatar.stamp_s};
    take_localization(sync, &input->localization);
    bool has_real = input->real.valid && dpl_sync_pose_is_credible(&real, sync->last_now_s);
    bool has_avatar = input->avatar.valid && dpl_sync_pose_is_credible(&avatar, sync->last_now_s);

    sync->missing = !input->real.valid || !input->avatar.valid;
    sync->rejected[REAL] += input->real.valid && !has_real;
    sync->rejected[AVATAR] += input->avatar.valid && !has_avatar;
    note_newest(sync, REAL, has_real ? &real : NULL);
    note_newest(sync, AVATAR, has_avatar ? &avatar : NULL);
    if (has_avatar) {
        note_restart(sync, &avatar, input->avatar.restarts);
    }
    take_avatar(sync, has_avatar ? &avatar : NULL, input->placing);
    if (is_waiting(sync)) {
        return;
    }
    if (has_real) {
        transform_real(sync, &real);
    }
    align(sync, has_real ? &real : NULL, has_avatar ? &avatar : NULL, input, output);
    if (has_real && sync->alignment.done) {
        observe_real(sync, &real);
    }
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

static void take_command(struct dpl_sync *sync, const struct dpl_sync_input *input)
{
    hear_command(sync, input->has_command, input->command);
    dpl_sync_observer_forecast(&sync->real);
    dpl_sync_observer_forecast(&sync->avatar);
}

/* Of the newest pose that the observer used. While it has none, of the newest that came (for the
 * alignment), and while none came, since the start. */
static double age_of(const struct dpl_sync *sync, int side)
{
    const struct dpl_sync_observer *observer = side == REAL ? &sync->real : &sync->avatar;
    return observer->has_pose ? dpl_sync_observer_age(observer, sync->last_now_s)
                              : fmax(0.0, sync->last_now_s - sync->newest_s[side]);
}

static struct situation look(const struct dpl_sync *sync)
{
    struct situation now = {
        .now_s = sync->last_now_s,
        .missing = sync->missing,
        .ready = sync->alignment.done && sync->real.has_pose && sync->avatar.has_pose,
        .real_age_s = age_of(sync, REAL),
        .avatar_age_s = age_of(sync, AVATAR),
        .real = {.pose = {(double)NAN, (double)NAN, (double)NAN}},
        .avatar = {.pose = {(double)NAN, (double)NAN, (double)NAN}},
        .found = {(double)NAN, (double)NAN, (double)NAN},
        .error = {(double)NAN, (double)NAN, (double)NAN},
    };
    now.hidden_delay_s = dpl_sync_observer_hidden_delay(&sync->real);
    now.trust = dpl_sync_trust(fmax(now.real_age_s, now.avatar_age_s));
    if (now.ready) {
        now.real = dpl_sync_observer_predict(&sync->real, now.now_s + now.hidden_delay_s);
        now.avatar = dpl_sync_observer_predict(&sync->avatar, now.now_s);
        now.found = sync->correction.started
                        ? dpl_sync_correction_unsmoothed(&sync->correction, now.real.pose)
                        : now.real.pose;
        now.error = dpl_pose2_relative(now.avatar.pose, now.found);
    }
    return now;
}

static double promised_speed(const struct dpl_sync_observer *observer, double now_s)
{
    return dpl_sync_profile_at(&observer->profile, observer->bank.chosen, now_s).linear;
}

static void watch(struct dpl_sync *sync, const struct situation *now)
{
    struct dpl_sync_sighting sighting = {
        .now_s = now->now_s,
        .elapsed_s = sync->elapsed_s,
        .ready = now->ready,
        .error = now->error,
        .real_age_s = now->real_age_s,
        .avatar_age_s = now->avatar_age_s,
        .astray = sync->placement.astray,
        .missing = now->missing,
        .real_promised = promised_speed(&sync->real, now->now_s),
        .real_speed = now->real.twist.linear,
        .avatar_promised = promised_speed(&sync->avatar, now->now_s),
        .avatar_speed = now->avatar.twist.linear,
        .localization = sync->localization.valid ? &sync->localization : NULL,
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

static void place_if_due(struct dpl_sync *sync, struct situation *now,
                         struct dpl_sync_output *output)
{
    double age_s = fmax(now->real_age_s, now->avatar_age_s);
    if (now->ready && sync->localization.valid) {
        dpl_sync_placement_note_place(&sync->placement,
                                      dpl_sync_localization_is_decided(&sync->localization),
                                      dpl_sync_monitor_is_near(&sync->monitor));
    }
    if (now->ready &&
        dpl_sync_placement_is_due(&sync->placement, &sync->monitor, now->now_s, age_s)) {
        put_avatar(sync, now->real.pose, output);
        *now = look(sync);
    }
}

/* After it is known whether the avatar is put somewhere else. */
static void count(struct dpl_sync *sync, const struct situation *now,
                  struct dpl_sync_output *output)
{
    bool placing = dpl_sync_placement_is_placing(&sync->placement, &sync->monitor, now->now_s);
    dpl_sync_monitor_count(&sync->monitor, now->now_s, sync->elapsed_s, placing);
    output->status.placing = placing;
}

/* Speed of the real robot without a model: its command, or what its poses say. */
static struct dpl_twist2 model_free_reference(const struct dpl_sync *sync)
{
    return sync->has_command ? sync->command : sync->measured.twist;
}

static struct dpl_sync_loop loop_of(const struct dpl_sync *sync)
{
    return (struct dpl_sync_loop){sync->config.period_s, sync->config.max_velocity};
}

static struct dpl_twist2 adaptive(struct dpl_sync *sync, const struct situation *now)
{
    struct dpl_sync_lag lag = dpl_sync_observer_lag(&sync->avatar);
    double act_s = now->now_s + lag.latency_s + fmax(0.0, lag.lag_s - SHORT_LAG_S);
    double lead_s = act_s + lag.lag_s + sync->config.period_s / 2.0;
    struct dpl_sync_estimate avatar = dpl_sync_observer_predict(&sync->avatar, act_s);
    struct dpl_sync_reference reference = {
        .time_s = now->now_s,
        .pose = dpl_sync_observer_predict(&sync->real, act_s + now->hidden_delay_s).pose,
        .twist = dpl_sync_observer_speed(&sync->real, lead_s + now->hidden_delay_s),
    };
    reference = dpl_sync_warp_step(&sync->warp, reference);
    struct dpl_pose2 error = dpl_pose2_relative(avatar.pose, reference.pose);
    struct dpl_sync_tracking tracking = {
        .error = {now->trust * error.x, now->trust * error.y, now->trust * error.theta},
        .reference = reference.twist,
        .loop = loop_of(sync),
        .latency_s = lag.latency_s,
        .lag_s = lag.lag_s,
        .checked = true,
    };
    struct dpl_twist2 command = dpl_sync_control_compensate(
        dpl_sync_control(&tracking), avatar.bias, &sync->avatar.estimator.map);
    const struct dpl_sync_profile *profile = &sync->avatar.profile;
    const struct dpl_sync_wheels_now wheels = {profile->left, profile->right, profile->axle_m,
                                               profile->acceleration};
    return dpl_sync_control_allocate(command, &wheels,
                                     fmax(ALLOCATE_S, ALLOCATE_PERIODS * sync->config.period_s));
}

static struct dpl_twist2 kanayama(struct dpl_sync *sync, const struct situation *now)
{
    struct dpl_sync_reference reference = {now->now_s, sync->raw[REAL].pose,
                                           model_free_reference(sync)};
    reference = dpl_sync_warp_step(&sync->warp, reference);
    return dpl_sync_kanayama(reference.pose, sync->raw[AVATAR].pose, reference.twist, loop_of(sync),
                             now->trust);
}

static void emit(struct dpl_sync_output *output, struct dpl_twist2 command)
{
    output->drive[output->n_drive++] = command;
}

static void emit_fig12(struct dpl_sync *sync, struct dpl_sync_output *output)
{
    struct dpl_sync_fig12_drive step = dpl_sync_fig12_step(
        &sync->fig12, sync->raw[REAL].pose, sync->raw[AVATAR].pose, model_free_reference(sync));
    for (int i = 0; i < step.n_drive; i++) {
        emit(output, step.drive[i]);
    }
}

static void decide(struct dpl_sync *sync, const struct situation *now,
                   struct dpl_sync_output *output)
{
    bool lost = sync->monitor.state == DPL_SYNC_LOST;
    if (sync->placement.astray || (lost && sync->config.on_lost == DPL_SYNC_ON_LOST_STOP)) {
        emit(output, (struct dpl_twist2){0.0, 0.0});
        output->stops = true;
        return;
    }
    enum dpl_sync_strategy strategy = now->ready ? sync->config.strategy : DPL_SYNC_NONE;
    if (strategy == DPL_SYNC_ADAPTIVE && sync->fallback) {
        strategy = DPL_SYNC_KANAYAMA;
        sync->fallback_ticks++;
    }
    switch (strategy) {
    case DPL_SYNC_NONE: emit(output, model_free_reference(sync)); break;
    case DPL_SYNC_FIG12: emit_fig12(sync, output); break;
    case DPL_SYNC_KANAYAMA: emit(output, kanayama(sync, now)); break;
    case DPL_SYNC_ADAPTIVE: emit(output, adaptive(sync, now)); break;
    }
}

/* The last command is the one that acts: it is what the avatar's observer learns of. */
static void finish_commands(struct dpl_sync *sync, struct dpl_sync_output *output)
{
    bool any = false;
    for (int i = 0; i < output->n_drive; i++) {
        bool cut = false;
        output->drive[i] = dpl_sync_saturate(output->drive[i], &sync->avatar_limits, &cut);
        any = any || cut;
    }
    dpl_sync_observer_command(&sync->avatar, &output->drive[output->n_drive - 1]);
    output->status.saturated = any;
}

static struct dpl_sync_robot_status robot_status(const struct dpl_sync *sync, int side,
                                                 const struct situation *now)
{
    const struct dpl_sync_observer *observer = side == REAL ? &sync->real : &sync->avatar;
    struct dpl_sync_estimate estimate = side == REAL ? now->real : now->avatar;
    struct dpl_sync_lag lag = dpl_sync_observer_lag(observer);
    double modelled = estimate.twist.linear - estimate.bias.linear;
    bool blocked = side == REAL ? sync->monitor.real_blocked : sync->monitor.avatar_blocked;
    bool moves = observer->commanded && fabs(modelled) > SLIP_SPEED;
    return (struct dpl_sync_robot_status){
        .pose_age_s = side == REAL ? now->real_age_s : now->avatar_age_s,
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
        .rejected = sync->rejected[side],
        .outliers = sync->outliers[side],
        .jumps = sync->jumps[side],
    };
}

static void publish(const struct dpl_sync *sync, const struct situation *now,
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
    status->heading_error = fabs(now->error.theta);
    status->judged_error = monitor->position_error;
    status->seen = monitor->seen && !dpl_sync_placement_is_supposed(&sync->placement);
    status->measured = monitor->measured;
    status->rms_5s = monitor->rms_5s;
    status->rms = dpl_sync_monitor_rms(monitor);
    status->max_position_error = monitor->max_position_error;
    status->tracking = monitor->fidelity.tracking;
    status->fidelity = monitor->fidelity.index;
    status->fidelity_covariance = monitor->fidelity.covariance;
    status->fidelity_agreement = monitor->fidelity.agreement;
    status->scan_age_s = monitor->fidelity.scan_age_s;
    status->error_sigma = monitor->fidelity.error_sigma;
    status->error_limit = monitor->fidelity.error_limit;
    status->localized = sync->localization.valid;
    status->relocations = sync->correction.relocations;
    status->warn = monitor->warn;
    status->fallback = sync->fallback && sync->config.strategy == DPL_SYNC_ADAPTIVE;
    status->astray = sync->placement.astray;
    status->teleports = sync->placement.placed;
    status->rejoins = sync->placement.rejoined;
    status->refused_places = sync->placement.refused;
    status->overruns = sync->overruns;
    status->fallback_ticks = sync->fallback_ticks;
    status->real = robot_status(sync, REAL, now);
    status->avatar = robot_status(sync, AVATAR, now);
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
    if (!note_time(sync, input->now_s)) {
        struct situation same = look(sync);
        publish(sync, &same, &ret_output->status);
        return;
    }
    dpl_sync_observer_advance(&sync->real, sync->last_now_s);
    dpl_sync_observer_advance(&sync->avatar, sync->last_now_s);
    take_poses(sync, input, ret_output);
    take_command(sync, input);
    struct situation now = look(sync);
    watch(sync, &now);
    update_health(sync);
    place_if_due(sync, &now, ret_output);
    count(sync, &now, ret_output);
    decide(sync, &now, ret_output);
    finish_commands(sync, ret_output);
    publish(sync, &now, &ret_output->status);
}
