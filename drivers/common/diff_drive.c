/* SPDX-License-Identifier: Apache-2.0 */
/* Differential-drive kinematics and odometry. */
#include <doppel/drive/diff_drive.h>

#include <errno.h>

static bool is_length(double value)
{
    return isfinite(value) && value > 0.0;
}

bool dpl_drive_geometry_is_valid(const struct dpl_drive_geometry *geometry)
{
    return is_length(geometry->wheel_radius_left_m) && is_length(geometry->wheel_radius_right_m) &&
           is_length(geometry->axle_m);
}

struct dpl_drive_wheels dpl_drive_wheels_from_twist(const struct dpl_drive_geometry *geometry,
                                                    struct dpl_twist2 twist)
{
    double around = twist.angular * geometry->axle_m / 2.0;
    return (struct dpl_drive_wheels){
        .left = (twist.linear - around) / geometry->wheel_radius_left_m,
        .right = (twist.linear + around) / geometry->wheel_radius_right_m,
    };
}

struct dpl_twist2 dpl_drive_twist_from_wheels(const struct dpl_drive_geometry *geometry,
                                              struct dpl_drive_wheels wheels)
{
    double left = wheels.left * geometry->wheel_radius_left_m;
    double right = wheels.right * geometry->wheel_radius_right_m;
    return (struct dpl_twist2){
        .linear = (left + right) / 2.0,
        .angular = (right - left) / geometry->axle_m,
    };
}

struct dpl_odometry_config dpl_odometry_default(struct dpl_drive_geometry geometry)
{
    return (struct dpl_odometry_config){
        .geometry = geometry,
        .max_step_m = 1.0,
        .max_turn_rad = DPL_PI / 2.0,
    };
}

void dpl_odometry_init(struct dpl_odometry *odometry)
{
    *odometry = (struct dpl_odometry){.samples = 0};
}

/* First-order low-pass with time constant `filter_s`, sampled at `dt_s`. */
static double low_pass(double before, double now, double dt_s, double filter_s)
{
    return filter_s > 0.0 ? before + (now - before) * dt_s / (filter_s + dt_s) : now;
}

int dpl_odometry_update(struct dpl_odometry *odometry, const struct dpl_odometry_config *config,
                        struct dpl_drive_wheels turned, double dt_s)
{
    struct dpl_twist2 step = dpl_drive_twist_from_wheels(&config->geometry, turned);
    if (!isfinite(step.linear) || !isfinite(step.angular) || !(dt_s > 0.0) || !isfinite(dt_s)) {
        odometry->rejected++;
        return -EINVAL;
    }
    if (fabs(step.linear) > config->max_step_m || fabs(step.angular) > config->max_turn_rad) {
        odometry->rejected++;
        return -ERANGE;
    }
    double middle = odometry->pose.theta + step.angular / 2.0;
    odometry->pose.x += step.linear * cos(middle);
    odometry->pose.y += step.linear * sin(middle);
    odometry->pose.theta = dpl_wrap_angle(odometry->pose.theta + step.angular);
    odometry->travelled_m += step.linear;
    odometry->turned_rad += step.angular;
    odometry->rolled_m.left += turned.left * config->geometry.wheel_radius_left_m;
    odometry->rolled_m.right += turned.right * config->geometry.wheel_radius_right_m;
    odometry->twist.linear =
        low_pass(odometry->twist.linear, step.linear / dt_s, dt_s, config->twist_filter_s);
    odometry->twist.angular =
        low_pass(odometry->twist.angular, step.angular / dt_s, dt_s, config->twist_filter_s);
    odometry->samples++;
    return 0;
}
