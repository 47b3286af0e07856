/* SPDX-License-Identifier: Apache-2.0 */
/* Model of an axis. A rigid axis is computed in closed form with the lagging effort. Motor and load
 * on an elastic screw are integrated with the leapfrog scheme: positions by half a substep, speeds
 * by a whole one, positions again. Friction is linearised and implicit, so that it stops a mass but
 * never reverses it. */
#include "axis_plant.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define PLANT_RESOLUTION   0.1 /* fraction of the shortest time constant, per substep */
#define PLANT_SUBSTEPS_MAX 4096

/* Constants of all substeps of one step. */
struct plant_substep {
    double h;         /* s */
    double command_n; /* clamped */
    double settled;   /* fraction of the way to the command that the effort covers in h */
};

static bool plant_rigid(const struct dpl_axis_plant_config *config)
{
    return config->screw_n_m == 0.0;
}

/* 1/s: the largest rate of friction near standstill, of the screw's vibration and of its
 * damping. */
static double plant_rate(const struct dpl_axis_plant_config *config)
{
    double moved = config->motor_kg + (plant_rigid(config) ? config->load_kg : 0.0);
    double slope = config->viscous_n_s_m;
    if (config->coulomb_n > 0.0) {
        slope += config->coulomb_n / config->friction_speed_m_s;
    }
    double rate = slope / moved;
    if (!plant_rigid(config)) {
        double inverse = 1.0 / config->motor_kg + 1.0 / config->load_kg;
        rate = fmax(rate, sqrt(config->screw_n_m * inverse));
        rate = fmax(rate, config->screw_n_s_m * inverse);
    }
    return rate;
}

int dpl_axis_plant_check(const struct dpl_axis_plant_config *config, double step_s)
{
    const double numbers[] = {
        config->motor_kg,
        config->load_kg,
        config->lag_s,
        config->coulomb_n,
        config->screw_n_m,
        config->viscous_n_s_m,
        config->friction_speed_m_s,
        config->screw_n_s_m,
        config->effort_max_n,
        step_s,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!isfinite(numbers[i]) || numbers[i] < 0.0) {
            return -EINVAL;
        }
    }
    bool stops =
        isfinite(config->low_m) && isfinite(config->high_m) &&
        (config->low_m < config->high_m || (config->low_m == 0.0 && config->high_m == 0.0));
    bool friction = config->coulomb_n == 0.0 || config->friction_speed_m_s > 0.0;
    bool load = plant_rigid(config) || config->load_kg > 0.0;
    if (!stops || !friction || !load || config->motor_kg == 0.0) {
        return -EINVAL;
    }
    double substeps = step_s * plant_rate(config) / PLANT_RESOLUTION;
    return substeps <= PLANT_SUBSTEPS_MAX ? 0 : -EINVAL;
}

void dpl_axis_plant_reset(struct dpl_axis_plant *plant, double position_m)
{
    *plant = (struct dpl_axis_plant){
        .motor_position_m = position_m,
        .load_position_m = position_m,
    };
}

/* N s/m: friction over speed, at the speed of the motor. */
static double friction_slope(const struct dpl_axis_plant_config *config, double speed)
{
    if (config->coulomb_n == 0.0) {
        return config->viscous_n_s_m;
    }
    double x = fabs(speed) / config->friction_speed_m_s;
    double share = x > 1e-9 ? tanh(x) / x : 1.0;
    return config->viscous_n_s_m + config->coulomb_n / config->friction_speed_m_s * share;
}

/* Advances the effort. Returns its integral over the substep, N s, and the double integral, N
 * s2. */
static double effort_impulse(const struct dpl_axis_plant_config *config,
                             struct dpl_axis_plant *plant, const struct plant_substep *sub,
                             double *ret_twice)
{
    double excess = plant->effort_n - sub->command_n, spent = config->lag_s * sub->settled;
    *ret_twice = 0.5 * sub->command_n * sub->h * sub->h + excess * config->lag_s * (sub->h - spent);
    plant->effort_n -= excess * sub->settled;
    return sub->command_n * sub->h + excess * spent;
}

static void load_stop(const struct dpl_axis_plant_config *config, struct dpl_axis_plant *plant)
{
    if (config->low_m == config->high_m) {
        return;
    }
    if (plant->load_position_m < config->low_m) {
        plant->load_position_m = config->low_m;
        plant->load_velocity_m_s = fmax(plant->load_velocity_m_s, 0.0);
    } else if (plant->load_position_m > config->high_m) {
        plant->load_position_m = config->high_m;
        plant->load_velocity_m_s = fmin(plant->load_velocity_m_s, 0.0);
    }
}

/* Exact except for friction, which is computed from the speed at the end of the substep. */
static void step_rigid(const struct dpl_axis_plant_config *config, struct dpl_axis_plant *plant,
                       const struct plant_substep *sub)
{
    double mass = config->motor_kg + config->load_kg, v = plant->load_velocity_m_s, twice;
    double free_v = v + effort_impulse(config, plant, sub, &twice) / mass;
    double new_v = free_v / (1.0 + sub->h * friction_slope(config, v) / mass);
    plant->load_position_m += sub->h * v + twice / mass + 0.5 * sub->h * (new_v - free_v);
    plant->load_velocity_m_s = new_v;
    load_stop(config, plant);
    plant->motor_position_m = plant->load_position_m;
    plant->motor_velocity_m_s = plant->load_velocity_m_s;
}

static void drift(struct dpl_axis_plant *plant, double h)
{
    plant->motor_position_m += h * plant->motor_velocity_m_s;
    plant->load_position_m += h * plant->load_velocity_m_s;
}

/* The screw's damping uses the mean of the speeds before and after. */
static void step_screw(const struct dpl_axis_plant_config *config, struct dpl_axis_plant *plant,
                       const struct plant_substep *sub)
{
    double h = sub->h, m = config->motor_kg, l = config->load_kg, unused;
    drift(plant, 0.5 * h);
    double motor_v = plant->motor_velocity_m_s, load_v = plant->load_velocity_m_s;
    double spring = config->screw_n_m * (plant->motor_position_m - plant->load_position_m);
    double motor_change = (effort_impulse(config, plant, sub, &unused) - h * spring) / m;
    double load_change = h * spring / l;
    double speed = motor_v - load_v + 0.5 * (motor_change - load_change);
    double damping =
        config->screw_n_s_m * speed / (1.0 + 0.5 * h * config->screw_n_s_m * (1.0 / m + 1.0 / l));
    plant->motor_velocity_m_s = (motor_v + motor_change - h * damping / m) /
                                (1.0 + h * friction_slope(config, motor_v) / m);
    plant->load_velocity_m_s = load_v + load_change + h * damping / l;
    drift(plant, 0.5 * h);
    load_stop(config, plant);
}

static double plant_command(const struct dpl_axis_plant_config *config, double effort_n)
{
    if (!isfinite(effort_n)) {
        return 0.0;
    }
    if (config->effort_max_n == 0.0) {
        return effort_n;
    }
    return fmax(-config->effort_max_n, fmin(config->effort_max_n, effort_n));
}

void dpl_axis_plant_step(const struct dpl_axis_plant_config *config, struct dpl_axis_plant *plant,
                         double effort_command_n, double step_s)
{
    double wanted = ceil(step_s * plant_rate(config) / PLANT_RESOLUTION);
    int n = (int)fmax(1.0, fmin(wanted, PLANT_SUBSTEPS_MAX));
    struct plant_substep sub = {
        .h = step_s / n,
        .command_n = plant_command(config, effort_command_n),
    };
    sub.settled = config->lag_s > 0.0 ? -expm1(-sub.h / config->lag_s) : 1.0;
    for (int i = 0; i < n; i++) {
        if (plant_rigid(config)) {
            step_rigid(config, plant, &sub);
        } else {
            step_screw(config, plant, &sub);
        }
    }
}
