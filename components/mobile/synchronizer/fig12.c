/* SPDX-License-Identifier: Apache-2.0 */
/* Strategy `fig12`. */
#include "fig12.h"

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
