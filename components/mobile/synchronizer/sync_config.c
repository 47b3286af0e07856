/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults and ranges of the synchronization's parameters. */
#include "sync.h"

#include <errno.h>
#include <stddef.h>

#define DEGREE (DPL_PI / 180.0)

struct dpl_sync_config dpl_sync_config_default(void)
{
    return (struct dpl_sync_config){
        .strategy = DPL_SYNC_ADAPTIVE,
        .period_s = 0.1,
        .axle_m = 0.30,
        .acceleration = 0.5,
        .max_velocity = 0.2,
        .max_angular = 2.0,
        .avatar_headroom = 1.5,
        .real_noise_m = 0.002,
        .real_noise_rad = 0.2 * DEGREE,
        .avatar_noise_m = 0.0003,
        .avatar_noise_rad = 0.0005,
        .safe_radius = 0.3,
        .variance_distance = 0.05,
        .variance_direction = 1.0 * DEGREE,
        .place_on_return = true,
        .on_lost = DPL_SYNC_ON_LOST_CONTINUE,
        .align = DPL_SYNC_ALIGN_FRAMES,
        .align_samples = 10,
        .slow_answer = DPL_SYNC_SLOW_AUTO,
        .velocity_step = 0.01,
        .fig12_accumulate = true,
        .fig12_faster = DPL_SYNC_FASTER_AHEAD,
        .real_map = dpl_sync_map_identity,
        .avatar_map = dpl_sync_map_identity,
    };
}

struct range {
    size_t offset;
    double low, high;
};

#define RANGE(field, low, high)                                                                    \
    {                                                                                              \
        offsetof(struct dpl_sync_config, field), low, high                                         \
    }

static const struct range ranges[] = {
    RANGE(period_s, 0.0005, 2.0),
    RANGE(axle_m, 0.01, 10.0),
    RANGE(acceleration, 0.001, 100.0),
    RANGE(avatar_axle_m, 0.01, 10.0),
    RANGE(avatar_acceleration, 0.001, 100.0),
    RANGE(max_velocity, 0.001, 20.0),
    RANGE(max_angular, 0.001, 50.0),
    RANGE(avatar_headroom, 1.0, 10.0),
    RANGE(real_noise_m, 0.0, 1.0),
    RANGE(real_noise_rad, 0.0, 1.0),
    RANGE(avatar_noise_m, 0.0, 1.0),
    RANGE(avatar_noise_rad, 0.0, 1.0),
    RANGE(real_delay_s, 0.0, 1.0),
    RANGE(safe_radius, 0.001, 100.0),
    RANGE(variance_distance, 1e-4, 10.0),
    RANGE(variance_direction, 1e-4, 3.0),
    RANGE(warp_s, 0.0, DPL_SYNC_MAX_WARP_S),
    RANGE(velocity_step, 0.0, 10.0),
    RANGE(real_map.m11, 0.7, 1.3),
    RANGE(real_map.m12, -0.02, 0.02),
    RANGE(real_map.m21, -0.6, 0.6),
    RANGE(real_map.m22, 0.7, 1.3),
    RANGE(avatar_map.m11, 0.7, 1.3),
    RANGE(avatar_map.m12, -0.02, 0.02),
    RANGE(avatar_map.m21, -0.6, 0.6),
    RANGE(avatar_map.m22, 0.7, 1.3),
};

static bool is_valid(const struct dpl_sync_config *config)
{
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        double value = *(const double *)(const void *)((const char *)config + ranges[i].offset);
        if (!(value >= ranges[i].low && value <= ranges[i].high)) {
            return false;
        }
    }
    return (unsigned)config->strategy <= DPL_SYNC_ADAPTIVE &&
           (unsigned)config->on_lost <= DPL_SYNC_ON_LOST_STOP &&
           (unsigned)config->align <= DPL_SYNC_ALIGN_NONE &&
           (unsigned)config->fig12_faster <= DPL_SYNC_FASTER_SPEED && config->align_samples >= 1 &&
           config->align_samples <= DPL_SYNC_ALIGN_SAMPLES;
}

static void init_parts(struct dpl_sync *sync, const struct dpl_sync_config *config)
{
    struct dpl_sync_observer_config real = {
        .axle_m = config->axle_m,
        .acceleration = config->acceleration,
        .position_noise = fmax(config->real_noise_m, DPL_SYNC_REAL_FLOOR_M),
        .heading_noise = fmax(config->real_noise_rad, DPL_SYNC_REAL_FLOOR_RAD),
        .window_s = 0.2,
        .map = config->real_map,
    };
    struct dpl_sync_observer_config avatar = {
        .axle_m = config->avatar_axle_m,
        .acceleration = config->avatar_acceleration,
        .position_noise = fmax(config->avatar_noise_m, 0.0003),
        .heading_noise = fmax(config->avatar_noise_rad, 0.0005),
        .window_s = 0.1,
        .map = config->avatar_map,
    };
    struct dpl_sync_fig12_config fig12 = {
        .velocity_step_m_s = config->velocity_step,
        .accumulate = config->fig12_accumulate,
        .faster = config->fig12_faster,
    };
    struct dpl_sync_monitor_config monitor = {
        .safe_radius = config->safe_radius,
        .variance_distance = config->variance_distance,
        .variance_direction = config->variance_direction,
    };
    dpl_sync_observer_init(&sync->real, &real);
    dpl_sync_observer_init(&sync->avatar, &avatar);
    sync->avatar.learns_ramp = true;
    /* The avatar cannot follow a faster robot. */
    sync->real.filter.gate.most_speed = sync->avatar_limits.linear;
    dpl_sync_alignment_init(&sync->alignment, config->align, config->align_samples);
    dpl_sync_correction_init(&sync->correction, config->safe_radius);
    sync->localization = (struct dpl_sync_localization){0};
    dpl_sync_fig12_init(&sync->fig12, &fig12);
    dpl_sync_monitor_init(&sync->monitor, &monitor);
    bool tracks = config->strategy == DPL_SYNC_KANAYAMA || config->strategy == DPL_SYNC_ADAPTIVE;
    dpl_sync_placement_init(&sync->placement, config->teleport, config->place_on_return && tracks);
}

/* What is not said of the avatar's drive is as the real robot's. */
static struct dpl_sync_config complete(struct dpl_sync_config config)
{
    config.avatar_axle_m = config.avatar_axle_m > 0.0 ? config.avatar_axle_m : config.axle_m;
    config.avatar_acceleration =
        config.avatar_acceleration > 0.0 ? config.avatar_acceleration : config.acceleration;
    return config;
}

int dpl_sync_init(struct dpl_sync *sync, const struct dpl_sync_config *given)
{
    struct dpl_sync_config completed = complete(*given);
    const struct dpl_sync_config *config = &completed;
    if (!is_valid(config)) {
        return -EINVAL;
    }
    sync->config = completed;
    sync->real_limits = (struct dpl_sync_limits){config->max_velocity, config->max_angular};
    sync->avatar_limits = (struct dpl_sync_limits){config->max_velocity * config->avatar_headroom,
                                                   config->max_angular};
    init_parts(sync, config);
    sync->measured = (struct dpl_sync_measured_twist){0};
    sync->command = (struct dpl_twist2){0.0, 0.0};
    sync->has_command = sync->missing = sync->has_bumpers = false;
    sync->started = sync->fallback = false;
    sync->first_s = sync->last_now_s = sync->elapsed_s = sync->unhealthy_s = sync->healthy_s = 0.0;
    sync->overruns = sync->fallback_ticks = 0;
    for (int i = 0; i < 2; i++) {
        sync->raw[i] = (struct dpl_sync_pose_input){0};
        sync->pressed[i] = false;
        sync->rejected[i] = sync->outliers[i] = sync->jumps[i] = 0;
    }
    dpl_sync_warp_init(&sync->warp, config->warp_s);
    return 0;
}
