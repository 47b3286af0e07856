/* SPDX-License-Identifier: Apache-2.0 */
/* Mock plant. Each purpose has its own random stream, so that one fault does not change the noise
 * of another. */
#include "mock_plant.h"

#include <errno.h>
#include <string.h>

#define STEP_S      0.001
#define MAX_ADVANCE 3600000 /* one hour in a call; more is an error in the caller's clock */

struct dpl_mock_plant_config dpl_mock_plant_config_default(void)
{
    return (struct dpl_mock_plant_config){
        .wheel_diameter = 0.13,
        .axle_distance = 0.30,
        .maximum_velocity = 0.2,
        .maximum_angular = 2.0,
        .wheel_scale_left = 1.0,
        .wheel_scale_right = 1.0,
        .axle_scale = 1.0,
        .acceleration = 0.5,
        .slip_noise_s = 0.5,
        .jump_at_s = -1.0,
    };
}

static bool is_within(double value, double low, double high)
{
    return value >= low && value <= high;
}

static bool is_body_valid(const struct dpl_mock_plant_config *c)
{
    return is_within(c->wheel_diameter, 0.001, 10.0) && is_within(c->axle_distance, 0.001, 10.0) &&
           is_within(c->maximum_velocity, 0.0, 100.0) &&
           is_within(c->maximum_angular, 0.0, 1000.0) &&
           is_within(c->wheel_scale_left, 0.0, 10.0) &&
           is_within(c->wheel_scale_right, 0.0, 10.0) && is_within(c->axle_scale, 0.01, 100.0) &&
           is_within(c->acceleration, 1e-6, 1e6) && is_within(c->dead_band, 0.0, 100.0) &&
           is_within(c->slip_ratio, -1.0, 1.0) && is_within(c->slip_patch, -1.0, 1.0) &&
           is_within(c->slip_noise, 0.0, 1.0) && is_within(c->slip_noise_s, 0.001, 1e6) &&
           is_within(c->skid, -10.0, 10.0);
}

static bool is_timing_valid(const struct dpl_mock_plant_config *c)
{
    return is_within(c->latency_s, 0.0, 10.0) && is_within(c->latency_jitter_s, 0.0, 10.0) &&
           is_within(c->lag_s, 0.0, 10.0) && is_within(c->pose_noise_m, 0.0, 10.0) &&
           is_within(c->pose_noise_rad, 0.0, 10.0) &&
           is_within(c->pose_delay_s, 0.0, DPL_MOCK_DELAY_MAX_S) &&
           is_within(c->pose_delay_jitter_s, 0.0, DPL_MOCK_DELAY_JITTER_MAX_S) &&
           is_within(c->pose_drop_rate, 0.0, 1.0) && is_within(c->stamp_bias_s, -10.0, 10.0) &&
           isfinite(c->slip_from_s) && isfinite(c->slip_to_s) && isfinite(c->block_from_s) &&
           isfinite(c->block_to_s) && isfinite(c->outage_from_s) && isfinite(c->outage_to_s) &&
           isfinite(c->jump_at_s) && isfinite(c->jump_x) && isfinite(c->jump_y) &&
           isfinite(c->jump_theta) && dpl_pose2_is_finite(c->start);
}

int dpl_mock_plant_init(struct dpl_mock_plant *plant, const struct dpl_mock_plant_config *config)
{
    if (!is_body_valid(config) || !is_timing_valid(config)) {
        return -EINVAL;
    }
    memset(plant, 0, sizeof *plant);
    plant->config = *config;
    plant->latency_noise = dpl_random_seeded(config->seed, 1);
    plant->slip_noise = dpl_random_seeded(config->seed, 2);
    plant->pose_noise = dpl_random_seeded(config->seed, 3);
    plant->lag_gain = config->lag_s > 0.0 ? 1.0 - exp(-STEP_S / config->lag_s) : 1.0;
    plant->slip_keep = exp(-STEP_S / config->slip_noise_s);
    plant->slip_kick = config->slip_noise * sqrt(1.0 - plant->slip_keep * plant->slip_keep);
    plant->pose = config->start;
    for (int i = 0; i < DPL_MOCK_HISTORY; i++) {
        plant->history[i] = plant->pose;
    }
    return 0;
}

static bool is_in(double t, double from_s, double to_s)
{
    return t >= from_s && t < to_s;
}

/* With a tolerance of half a microsecond, because times like 0.3 s are not exact. */
static int64_t step_of(double time_s)
{
    return (int64_t)floor(time_s / STEP_S + 5e-4);
}

static void apply_first_pending(struct dpl_mock_plant *plant)
{
    plant->command = plant->pending[plant->first_pending].command;
    plant->first_pending = (plant->first_pending + 1) % DPL_MOCK_COMMANDS;
    plant->n_pending--;
}

static double move_towards(double from, double to, double most)
{
    return from + dpl_clamp(to - from, -most, most);
}

static double motor(double speed, double setpoint, const struct dpl_mock_plant *plant)
{
    double driven = fabs(setpoint) < plant->config.dead_band ? 0.0 : setpoint;
    return speed + plant->lag_gain * (driven - speed);
}

static void step_motors(struct dpl_mock_plant *plant)
{
    double half = plant->command.angular * plant->config.axle_distance / 2.0;
    double most = plant->config.acceleration * STEP_S;
    plant->setpoint.left = move_towards(plant->setpoint.left, plant->command.linear - half, most);
    plant->setpoint.right = move_towards(plant->setpoint.right, plant->command.linear + half, most);
    plant->speed.left = motor(plant->speed.left, plant->setpoint.left, plant);
    plant->speed.right = motor(plant->speed.right, plant->setpoint.right, plant);
    plant->travel.left += plant->speed.left * STEP_S;
    plant->travel.right += plant->speed.right * STEP_S;
}

static void step_slip(struct dpl_mock_plant *plant)
{
    if (plant->slip_kick > 0.0) {
        plant->slip.left = plant->slip_keep * plant->slip.left +
                           plant->slip_kick * dpl_random_normal(&plant->slip_noise);
        plant->slip.right = plant->slip_keep * plant->slip.right +
                            plant->slip_kick * dpl_random_normal(&plant->slip_noise);
    }
}

static void step_body(struct dpl_mock_plant *plant, double t)
{
    const struct dpl_mock_plant_config *c = &plant->config;
    double slip = c->slip_ratio + (is_in(t, c->slip_from_s, c->slip_to_s) ? c->slip_patch : 0.0);
    double left = plant->speed.left * c->wheel_scale_left * (1.0 - slip - plant->slip.left);
    double right = plant->speed.right * c->wheel_scale_right * (1.0 - slip - plant->slip.right);
    double v = (left + right) / 2.0, w = (right - left) / (c->axle_distance * c->axle_scale);

    if (is_in(t, c->block_from_s, c->block_to_s)) {
        v = w = 0.0;
    }
    double sideways = -c->skid * v * w, middle = plant->pose.theta + w * STEP_S / 2.0;
    plant->twist = (struct dpl_twist2){v, w};
    plant->pose.x += (v * cos(middle) - sideways * sin(middle)) * STEP_S;
    plant->pose.y += (v * sin(middle) + sideways * cos(middle)) * STEP_S;
    plant->pose.theta += w * STEP_S;
}

static void jump_if_due(struct dpl_mock_plant *plant, double t)
{
    const struct dpl_mock_plant_config *c = &plant->config;
    if (plant->jumped || c->jump_at_s < 0.0 || t < c->jump_at_s) {
        return;
    }
    plant->jumped = true;
    plant->pose.x += c->jump_x;
    plant->pose.y += c->jump_y;
    plant->pose.theta += c->jump_theta;
}

static void step_once(struct dpl_mock_plant *plant)
{
    double t = (double)plant->step * STEP_S;
    while (plant->n_pending > 0 && plant->pending[plant->first_pending].at_s <= t + 1e-9) {
        apply_first_pending(plant);
    }
    step_motors(plant);
    step_slip(plant);
    step_body(plant, t);
    plant->step++;
    jump_if_due(plant, t + STEP_S);
    plant->history[plant->step & (DPL_MOCK_HISTORY - 1)] = plant->pose;
}

void dpl_mock_plant_advance(struct dpl_mock_plant *plant, double to_s)
{
    if (!isfinite(to_s) || to_s - (double)plant->step * STEP_S > MAX_ADVANCE * STEP_S) {
        return;
    }
    for (int64_t target = step_of(to_s); plant->step < target;) {
        step_once(plant);
    }
}

void dpl_mock_plant_command(struct dpl_mock_plant *plant, double now_s, double linear,
                            double angular)
{
    const struct dpl_mock_plant_config *c = &plant->config;
    if (!isfinite(now_s) || !isfinite(linear) || !isfinite(angular)) {
        return;
    }
    dpl_mock_plant_advance(plant, now_s);
    double jitter = c->latency_jitter_s * dpl_random_uniform(&plant->latency_noise, 0.0, 1.0);
    plant->last_effect_s = fmax(plant->last_effect_s, now_s + c->latency_s + jitter);
    if (plant->n_pending == DPL_MOCK_COMMANDS) {
        apply_first_pending(plant);
    }
    unsigned free = (plant->first_pending + plant->n_pending++) % DPL_MOCK_COMMANDS;
    plant->pending[free] = (struct dpl_mock_pending){
        .at_s = plant->last_effect_s,
        .command = {dpl_clamp(linear, -c->maximum_velocity, c->maximum_velocity),
                    dpl_clamp(angular, -c->maximum_angular, c->maximum_angular)},
    };
}

struct dpl_pose2 dpl_mock_plant_pose_at(struct dpl_mock_plant *plant, double at_s)
{
    dpl_mock_plant_advance(plant, at_s);
    double position = fmax(at_s / STEP_S, 0.0);
    int64_t oldest = plant->step < DPL_MOCK_HISTORY - 1 ? 0 : plant->step - DPL_MOCK_HISTORY + 2;
    position = dpl_clamp(position, (double)oldest, (double)plant->step);
    int64_t k = (int64_t)floor(position);
    int64_t next = k < plant->step ? k + 1 : k;
    struct dpl_pose2 a = plant->history[k & (DPL_MOCK_HISTORY - 1)];
    struct dpl_pose2 b = plant->history[next & (DPL_MOCK_HISTORY - 1)];
    double part = position - (double)k;
    return (struct dpl_pose2){
        a.x + part * (b.x - a.x),
        a.y + part * (b.y - a.y),
        dpl_wrap_angle(a.theta + part * (b.theta - a.theta)),
    };
}

struct dpl_pose2 dpl_mock_plant_true_pose(const struct dpl_mock_plant *plant)
{
    return (struct dpl_pose2){plant->pose.x, plant->pose.y, dpl_wrap_angle(plant->pose.theta)};
}

struct dpl_twist2 dpl_mock_plant_true_twist(const struct dpl_mock_plant *plant)
{
    return plant->twist;
}

/* Draws the same numbers whether the reading succeeds or not, so that faults do not change the
 * noise. */
static void measure(struct dpl_mock_plant *plant, double now_s)
{
    const struct dpl_mock_plant_config *c = &plant->config;
    struct dpl_random *rng = &plant->pose_noise;
    bool dropped = dpl_random_uniform(rng, 0.0, 1.0) < c->pose_drop_rate;
    double delay = c->pose_delay_s + c->pose_delay_jitter_s * dpl_random_uniform(rng, 0.0, 1.0);
    double nx = dpl_random_normal(rng), ny = dpl_random_normal(rng), nt = dpl_random_normal(rng);

    if (dropped || is_in(now_s, c->outage_from_s, c->outage_to_s)) {
        return;
    }
    double at_s = now_s - delay;
    struct dpl_pose2 pose = dpl_mock_plant_pose_at(plant, at_s);
    plant->reading = (struct dpl_pose2){
        pose.x + c->pose_noise_m * nx,
        pose.y + c->pose_noise_m * ny,
        dpl_wrap_angle(pose.theta + c->pose_noise_rad * nt),
    };
    plant->reading_stamp_s = at_s + c->stamp_bias_s;
    plant->has_reading = true;
}

bool dpl_mock_plant_read(struct dpl_mock_plant *plant, double now_s, struct dpl_pose2 *ret_pose,
                         double *ret_stamp_s)
{
    if (isfinite(now_s)) {
        dpl_mock_plant_advance(plant, now_s);
        measure(plant, now_s);
    }
    if (plant->has_reading) {
        *ret_pose = plant->reading;
        *ret_stamp_s = plant->reading_stamp_s;
    }
    return plant->has_reading;
}

struct dpl_mock_wheels dpl_mock_plant_encoders(const struct dpl_mock_plant *plant)
{
    double radius = plant->config.wheel_diameter / 2.0;
    return (struct dpl_mock_wheels){plant->travel.left / radius, plant->travel.right / radius};
}

void dpl_mock_plant_set_pose(struct dpl_mock_plant *plant, double now_s, struct dpl_pose2 pose)
{
    if (!isfinite(now_s) || !dpl_pose2_is_finite(pose)) {
        return;
    }
    dpl_mock_plant_advance(plant, now_s);
    plant->pose = pose;
    plant->history[plant->step & (DPL_MOCK_HISTORY - 1)] = pose;
}
