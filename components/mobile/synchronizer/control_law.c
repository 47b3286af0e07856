/* SPDX-License-Identifier: Apache-2.0 */
/* Tracking law: the gains follow from the delay in the loop, so that one set serves every period.
 */
#include "control_law.h"

#include <stddef.h>

#define DAMPING          0.8
#define LATERAL_GAIN     9.0 /* 1/m */
#define MAX_ALONG        0.10
/* A fast robot misses what its wheels promise by the same part of its speed as a slow one. */
#define SLOW             0.2 /* m/s */
#define MAX_ALONG_PART   0.5 /* of the fastest speed */
#define BIAS_PART        0.1
#define HASTE_FROM       0.1 /* m */
#define MOST_HASTE       2.0
/* A speed that catches up has to be shed while the wheels may already brake as the robot does. */
#define SPARE_PART       0.2 /* of the wheels' acceleration */
#define MAX_LATERAL      0.15
#define MAX_TURN         0.8
/* The loop's delay beyond the period; a slower drive is not made slower still by lower gains. */
#define FREE_DELAY_S     0.15
#define MAX_MORE_DELAY_S 0.15
#define LEAST_ALONG      0.3 /* of what the wheels can do */
#define STANDSTILL_SPEED 0.005
#define STANDSTILL_ERROR 0.003
#define STANDSTILL_SIGMA 2.0 /* a smaller error than this is noise */

static double sinc(double x)
{
    return fabs(x) < 1e-6 ? 1.0 : sin(x) / x;
}

/* Where the follower stands, only an error that is none of the noise is worth a motion. */
static double rest_error(double doubt_m)
{
    return doubt_m > 0.0 ? fmin(STANDSTILL_ERROR, STANDSTILL_SIGMA * doubt_m) : STANDSTILL_ERROR;
}

struct dpl_twist2 dpl_sync_control(const struct dpl_sync_tracking *tracking)
{
    double vr = tracking->reference.linear, wr = tracking->reference.angular;
    double ex = tracking->error.x, ey = tracking->error.y, et = tracking->error.theta;
    double more = tracking->latency_s + tracking->lag_s - FREE_DELAY_S;
    double delay = tracking->loop.period_s + 0.05 + dpl_clamp(more, 0.0, MAX_MORE_DELAY_S);
    double g = LATERAL_GAIN;

    if (fabs(vr) > 1e-6) {
        g = fmin(g, 0.30 / (delay * fabs(vr)));
    }
    if (fabs(vr) < STANDSTILL_SPEED && fabs(ex) < rest_error(tracking->doubt_m)) {
        ex = 0.0;
    }
    double k1 = fmin(2.5, 0.35 / delay);
    double kth = fmax(1.5, 2.0 * DAMPING * sqrt(wr * wr / 4.0 + g * g * vr * vr));
    kth = fmin(kth, 0.45 / delay);
    double lateral = g * g * vr * sinc(et) * dpl_clamp(ey, -MAX_LATERAL, MAX_LATERAL);
    double haste = tracking->checked ? dpl_clamp(fabs(ex) / HASTE_FROM, 1.0, MOST_HASTE) : 1.0;
    double along = fmax(haste * MAX_ALONG, MAX_ALONG_PART * tracking->loop.max_velocity);
    if (tracking->acceleration > 0.0) {
        along = fmin(along, sqrt(2.0 * SPARE_PART * tracking->acceleration * fabs(ex)));
    }
    return (struct dpl_twist2){
        vr * cos(et) + dpl_clamp(k1 * ex, -along, along),
        wr + dpl_clamp(lateral + kth * et, -MAX_TURN, MAX_TURN),
    };
}

struct dpl_twist2 dpl_sync_control_compensate(struct dpl_twist2 wanted, struct dpl_twist2 bias,
                                              const struct dpl_sync_map *map)
{
    double most = BIAS_PART * fmax(SLOW, fabs(wanted.linear));
    struct dpl_twist2 command = {
        wanted.linear - dpl_clamp(bias.linear / 2.0, -most, most),
        wanted.angular - dpl_clamp(bias.angular / 2.0, -0.1, 0.1),
    };
    dpl_sync_map_invert(map, command, &command);
    return command;
}

struct dpl_twist2 dpl_sync_control_allocate(struct dpl_twist2 command,
                                            const struct dpl_sync_wheels_now *wheels,
                                            double horizon_s)
{
    double mean = (wheels->left + wheels->right) / 2.0;
    double half = (wheels->right - wheels->left) / 2.0;
    double reach = wheels->acceleration * horizon_s;
    double turning = fabs(command.angular * wheels->axle_m / 2.0 - half);
    double rest = fmax(reach - turning, fmax(LEAST_ALONG * reach, SLOW));
    command.linear = dpl_clamp(command.linear, mean - rest, mean + rest);
    return command;
}

struct dpl_twist2 dpl_sync_saturate(struct dpl_twist2 command, const struct dpl_sync_limits *limits,
                                    bool *ret_saturated)
{
    struct dpl_twist2 cut = {
        dpl_clamp(command.linear, -limits->linear, limits->linear),
        dpl_clamp(command.angular, -limits->angular, limits->angular),
    };
    if (ret_saturated) {
        *ret_saturated = cut.linear < command.linear || cut.linear > command.linear ||
                         cut.angular < command.angular || cut.angular > command.angular;
    }
    return cut;
}

/* ---- strategy `kanayama` ---- */

struct dpl_twist2 dpl_sync_kanayama(struct dpl_pose2 real, struct dpl_pose2 avatar,
                                    struct dpl_twist2 reference, struct dpl_sync_loop loop,
                                    double trust)
{
    struct dpl_pose2 error = dpl_pose2_relative(avatar, real);
    struct dpl_sync_tracking tracking = {
        .error = {trust * error.x, trust * error.y, trust * error.theta},
        .reference = reference,
        .loop = loop,
    };
    return dpl_sync_control(&tracking);
}

/* ---- strategy `fig12` ---- */

void dpl_sync_fig12_init(struct dpl_sync_fig12 *fig12, const struct dpl_sync_fig12_config *config)
{
    *fig12 = (struct dpl_sync_fig12){.config = *config};
}

static struct dpl_sync_fig12_drive drive_once(double linear, double angular)
{
    return (struct dpl_sync_fig12_drive){.n_drive = 1, .drive = {{linear, angular}}};
}

static bool is_same(struct dpl_twist2 a, struct dpl_twist2 b)
{
    return !(a.linear < b.linear || a.linear > b.linear || a.angular < b.angular ||
             a.angular > b.angular);
}

static bool is_avatar_faster(const struct dpl_sync_fig12 *fig12, struct dpl_pose2 error,
                             double real_step, double avatar_step)
{
    switch (fig12->config.faster) {
    case DPL_SYNC_FASTER_TRAVELLED: return fig12->avatar_path > fig12->real_path;
    case DPL_SYNC_FASTER_SPEED: return avatar_step > real_step;
    case DPL_SYNC_FASTER_AHEAD: break;
    }
    return error.x < 0.0;
}

static struct dpl_sync_fig12_drive first_step(struct dpl_sync_fig12 *fig12,
                                              struct dpl_twist2 command)
{
    fig12->started = true;
    fig12->speed = command.linear;
    return drive_once(command.linear, command.angular);
}

static struct dpl_sync_fig12_drive next_step(struct dpl_sync_fig12 *fig12, struct dpl_pose2 error,
                                             bool faster, struct dpl_twist2 command)
{
    if (!fig12->config.accumulate || !is_same(command, fig12->last_command)) {
        fig12->speed = command.linear;
    }
    if (faster) {
        struct dpl_sync_fig12_drive stop = drive_once(0.0, 0.0);
        if (error.theta < 0.0 || error.theta > 0.0) {
            stop.drive[stop.n_drive++] = (struct dpl_twist2){0.0, error.theta};
        }
        return stop;
    }
    double distance = hypot(error.x, error.y);
    fig12->speed += distance > fig12->pre_distance ? fig12->config.velocity_step_m_s
                                                   : -fig12->config.velocity_step_m_s;
    return drive_once(fig12->speed, error.theta);
}

struct dpl_sync_fig12_drive dpl_sync_fig12_step(struct dpl_sync_fig12 *fig12, struct dpl_pose2 real,
                                                struct dpl_pose2 avatar, struct dpl_twist2 command)
{
    struct dpl_pose2 error = dpl_pose2_relative(avatar, real);
    struct dpl_sync_fig12_drive result;
    if (!fig12->started) {
        result = first_step(fig12, command);
    } else {
        double real_step = dpl_pose2_distance(real, fig12->last_real);
        double avatar_step = dpl_pose2_distance(avatar, fig12->last_avatar);
        fig12->real_path += real_step;
        fig12->avatar_path += avatar_step;
        bool faster = is_avatar_faster(fig12, error, real_step, avatar_step);
        result = next_step(fig12, error, faster, command);
    }
    fig12->pre_distance = hypot(error.x, error.y);
    fig12->last_command = command;
    fig12->last_real = real;
    fig12->last_avatar = avatar;
    return result;
}
