/* SPDX-License-Identifier: Apache-2.0 */
/* Host-side state of a differential-drive base. */
#include <doppel/drive/wheel_base.h>

#include <errno.h>

static struct dpl_drive_limits limits_from(const struct dpl_wheel_base_properties *p)
{
    return (struct dpl_drive_limits){
        .linear = {.velocity = p->max_velocity_m_s,
                   .acceleration = p->acceleration_m_s2,
                   .jerk = p->jerk_m_s3,
                   .dead_band = p->dead_band_m_s},
        .angular = {.velocity = dpl_deg_to_rad(p->max_angular_deg_s),
                    .acceleration = 2.0 * p->acceleration_m_s2 / p->axle_m,
                    .dead_band = dpl_deg_to_rad(p->dead_band_deg_s)},
    };
}

int dpl_wheel_base_set_geometry(struct dpl_wheel_base *base,
                                const struct dpl_wheel_base_properties *properties,
                                struct dpl_diag *reterr)
{
    struct dpl_drive_geometry geometry = {
        .wheel_radius_left_m = properties->wheel_diameter_m / 2.0,
        .wheel_radius_right_m = properties->wheel_diameter_m / 2.0,
        .axle_m = properties->axle_m,
    };
    if (!dpl_drive_geometry_is_valid(&geometry)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "WheelDiameter and AxleDistance must be positive");
    }
    struct dpl_drive_geometry calibrated = {
        .wheel_radius_left_m = geometry.wheel_radius_left_m * properties->odometry_scale_left,
        .wheel_radius_right_m = geometry.wheel_radius_right_m * properties->odometry_scale_right,
        .axle_m = geometry.axle_m * properties->odometry_axle_scale,
    };
    base->nominal = geometry;
    base->odometry_config = dpl_odometry_default(calibrated);
    base->motion_config.limits = limits_from(properties);
    return 0;
}

int dpl_wheel_base_init(struct dpl_wheel_base *base,
                        const struct dpl_wheel_base_properties *properties, double lead_s,
                        struct dpl_diag *reterr)
{
    struct dpl_wheel_base made = {.motion_config =
                                      dpl_motion_default(limits_from(properties), lead_s)};
    int err = dpl_wheel_base_set_geometry(&made, properties, reterr);
    if (err < 0) {
        return err;
    }
    *base = made;
    base->motion_config.move_tolerance_m = properties->move_tolerance_m;
    base->motion_config.rotate_tolerance_rad = dpl_deg_to_rad(properties->rotate_tolerance_deg);
    dpl_odometry_init(&base->odometry);
    dpl_motion_init(&base->motion);
    dpl_wheel_base_set_position(base,
                                &(struct dpl_pose2){properties->start_x_m, properties->start_y_m,
                                                    properties->start_theta_rad});
    return 0;
}

void dpl_wheel_base_enable(struct dpl_wheel_base *base, bool enable)
{
    base->enabled = enable;
    dpl_motion_stop(&base->motion);
}

int dpl_wheel_base_drive(struct dpl_wheel_base *base, double linear_m_s, double angular_rad_s)
{
    struct dpl_twist2 aim = {linear_m_s, angular_rad_s};
    return base->enabled ? dpl_motion_drive(&base->motion, aim) : -EPERM;
}

int dpl_wheel_base_move(struct dpl_wheel_base *base, double distance_m, double linear_m_s)
{
    return base->enabled ? dpl_motion_move(&base->motion, &base->odometry, distance_m, linear_m_s)
                         : -EPERM;
}

int dpl_wheel_base_rotate(struct dpl_wheel_base *base, double angle_rad, double angular_rad_s)
{
    return base->enabled
               ? dpl_motion_rotate(&base->motion, &base->odometry, angle_rad, angular_rad_s)
               : -EPERM;
}

void dpl_wheel_base_stop(struct dpl_wheel_base *base)
{
    dpl_motion_stop(&base->motion);
}

void dpl_wheel_base_feed(struct dpl_wheel_base *base, struct dpl_drive_wheels angles, dpl_ns stamp)
{
    if (base->measured && stamp <= base->stamp) {
        return;
    }
    if (base->measured) {
        struct dpl_drive_wheels turned = {angles.left - base->last.left,
                                          angles.right - base->last.right};
        dpl_odometry_update(&base->odometry, &base->odometry_config, turned,
                            dpl_ns_to_s(stamp - base->stamp));
    }
    base->measured = true;
    base->last = angles;
    base->stamp = stamp;
}

void dpl_wheel_base_forget(struct dpl_wheel_base *base)
{
    base->measured = false;
}

struct dpl_twist2 dpl_wheel_base_aim(struct dpl_wheel_base *base)
{
    const struct dpl_drive_limits *limits = &base->motion_config.limits;
    if (!base->enabled) {
        return (struct dpl_twist2){0};
    }
    struct dpl_twist2 aim = dpl_motion_step(&base->motion, &base->motion_config, &base->odometry);
    aim.linear = dpl_clamp(aim.linear, -limits->linear.velocity, limits->linear.velocity);
    aim.angular = dpl_clamp(aim.angular, -limits->angular.velocity, limits->angular.velocity);
    if (fabs(aim.linear) < limits->linear.dead_band) {
        aim.linear = 0.0;
    }
    if (fabs(aim.angular) < limits->angular.dead_band) {
        aim.angular = 0.0;
    }
    return aim;
}

void dpl_wheel_base_read(const struct dpl_wheel_base *base, struct dpl_wheel_state *ret)
{
    *ret = (struct dpl_wheel_state){
        .valid = base->measured,
        .stamp = base->stamp,
        .pose = base->odometry.pose,
        .twist = base->odometry.twist,
        .left_rad = base->last.left,
        .right_rad = base->last.right,
        .left_m = base->odometry.rolled_m.left,
        .right_m = base->odometry.rolled_m.right,
        .axle_m = base->odometry_config.geometry.axle_m,
        .running = dpl_motion_is_running(&base->motion),
    };
}

void dpl_wheel_base_set_position(struct dpl_wheel_base *base, const struct dpl_pose2 *pose)
{
    base->odometry.pose = (struct dpl_pose2){pose->x, pose->y, dpl_wrap_angle(pose->theta)};
}
