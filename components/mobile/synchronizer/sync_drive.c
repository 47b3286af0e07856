/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization: the commands of a tick. */
#include "control_law.h"
#include "sync_parts.h"

#define SHORT_LAG_S      0.2 /* what a lag has beyond it is looked ahead over like a latency */
#define ALLOCATE_PERIODS 1.5
#define ALLOCATE_S       0.15
/* The avatar's wheels are asked for more than they do in a period while the real robot's change by
 * more than this part of what they can, wholly above the other. */
#define RAMP_FROM        0.3
#define RAMP_WHOLE       0.7
#define GOAL_S           0.25
/* An avatar that answers sooner by more than this, and is ahead by more than so many deviations and
 * so long a way at the fastest speed, needs no ramp ahead; from twice that on it gets none. */
#define SOONER_S         0.03
#define AHEAD_SIGMA      4.0
#define AHEAD_S          0.006

/* Speed of the real robot without a model: its command, or what its poses say. */
static struct dpl_twist2 model_free_reference(const struct dpl_sync *sync)
{
    return sync->has_command ? sync->command : sync->measured.twist;
}

static struct dpl_sync_loop loop_of(const struct dpl_sync *sync)
{
    return (struct dpl_sync_loop){sync->config.period_s, sync->config.max_velocity};
}

static double answer_s(const struct dpl_sync_observer *observer)
{
    struct dpl_sync_lag lag = dpl_sync_observer_lag(observer);
    return lag.latency_s + lag.lag_s;
}

/* While the real robot changes its speed as fast as wheels can, so does the avatar: the speed that
 * is to be reached is commanded, not the one at the end of the period. Wheels have no speed to
 * spare then, and what noise takes from a command would not come back
 * (docs/design/synchronizer.md). An avatar whose wheels have speed to spare, or that is ahead
 * because it answers sooner, needs none (0085).
 */
static double aim(const struct dpl_sync *sync, double speed, double at_s, double behind)
{
    const struct dpl_sync_observer *real = &sync->real;
    double half_s = sync->config.period_s / 2.0;
    double change = dpl_sync_observer_promise(real, at_s + half_s).linear -
                    dpl_sync_observer_promise(real, at_s - half_s).linear;
    double rest = dpl_sync_observer_promise(real, at_s + GOAL_S).linear -
                  dpl_sync_observer_promise(real, at_s).linear;
    double most = real->profile.acceleration * sync->config.period_s;
    double part = dpl_clamp((fabs(change) / most - RAMP_FROM) / (RAMP_WHOLE - RAMP_FROM), 0.0, 1.0);
    part *= dpl_clamp(2.0 - dpl_sync_observer_quickness(&sync->avatar), 0.0, 1.0);
    double sooner = answer_s(real) - answer_s(&sync->avatar);
    if (sooner > SOONER_S) {
        double doubt = AHEAD_SIGMA * dpl_sync_filter_position_sigma(&real->filter) +
                       AHEAD_S * sync->config.max_velocity;
        part *= dpl_clamp(2.0 + (rest > 0.0 ? behind : -behind) / doubt, 0.0, 1.0);
    }
    return rest * change > 0.0 ? speed + part * rest : speed;
}

static struct dpl_pose2 middle(struct dpl_pose2 a, struct dpl_pose2 b)
{
    struct dpl_pose2 way = dpl_pose2_relative(a, b);
    return dpl_pose2_compose(a, (struct dpl_pose2){way.x / 2.0, way.y / 2.0, way.theta / 2.0});
}

/* How far the reference is trusted, and where it is. A first pose that others contradict is as
 * likely wrong as they are: nothing is followed but the speed. A single pose that does not fit,
 * after none was wrong, is as likely right as the belief until the next one decides; when none
 * comes, the belief is of more poses. */
static double evaluate_reference(const struct dpl_sync *sync, const struct sync_situation *now,
                                 struct dpl_pose2 *inout_pose)
{
    const struct dpl_sync_outlier_gate *gate = &sync->real.filter.gate;
    struct dpl_pose2 rival;
    if (dpl_sync_observer_is_heard(&sync->real, now->now_s) &&
        dpl_sync_outlier_gate_rival(gate, *inout_pose, &rival)) {
        *inout_pose = middle(*inout_pose, rival);
    }
    return dpl_sync_outlier_gate_is_disputed(gate) ? 0.0 : now->trust;
}

static struct dpl_twist2 adaptive(struct dpl_sync *sync, const struct sync_situation *now)
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
    double behind = dpl_pose2_relative(avatar.pose, reference.pose).x;
    reference.twist.linear =
        aim(sync, reference.twist.linear, lead_s + now->hidden_delay_s, behind);
    reference = dpl_sync_warp_step(&sync->warp, reference);
    double trust = evaluate_reference(sync, now, &reference.pose);
    struct dpl_pose2 error = dpl_pose2_relative(avatar.pose, reference.pose);
    struct dpl_sync_tracking tracking = {
        .error = {trust * error.x, trust * error.y, trust * error.theta},
        .reference = reference.twist,
        .loop = loop_of(sync),
        .latency_s = lag.latency_s,
        .lag_s = lag.lag_s,
        .acceleration = sync->avatar.profile.acceleration,
        .doubt_m = dpl_sync_filter_position_sigma(&sync->real.filter),
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

static struct dpl_twist2 kanayama(struct dpl_sync *sync, const struct sync_situation *now)
{
    struct dpl_sync_reference reference = {now->now_s, sync->raw[SYNC_REAL].pose,
                                           model_free_reference(sync)};
    reference = dpl_sync_warp_step(&sync->warp, reference);
    return dpl_sync_kanayama(reference.pose, sync->raw[SYNC_AVATAR].pose, reference.twist,
                             loop_of(sync), now->trust);
}

static void emit(struct dpl_sync_output *output, struct dpl_twist2 command)
{
    output->drive[output->n_drive++] = command;
}

static void emit_fig12(struct dpl_sync *sync, struct dpl_sync_output *output)
{
    struct dpl_sync_fig12_drive step =
        dpl_sync_fig12_step(&sync->fig12, sync->raw[SYNC_REAL].pose, sync->raw[SYNC_AVATAR].pose,
                            model_free_reference(sync));
    for (int i = 0; i < step.n_drive; i++) {
        emit(output, step.drive[i]);
    }
}

static void decide(struct dpl_sync *sync, const struct sync_situation *now,
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

void sync_drive(struct dpl_sync *sync, const struct sync_situation *now,
                struct dpl_sync_output *output)
{
    decide(sync, now, output);
    finish_commands(sync, output);
}
