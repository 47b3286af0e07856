/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the wheel drivers: the properties of a differential drive, and its host-side state
 * (motion mode, odometry from wheel angles). Pure apart from the field table; no locks: the
 * caller's thread. */
#ifndef WHEEL_CONTROLLER_WHEEL_BASE_H
#define WHEEL_CONTROLLER_WHEEL_BASE_H

#include <doppel/drv/wheel_controller.h>
#include <doppel/field.h>

#include <doppel/drive/diff_drive.h>
#include <doppel/drive/drive_limiter.h>
#include <doppel/drive/drive_motion.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_wheel_base_properties {
    double wheel_diameter_m, axle_m;
    double max_velocity_m_s, max_angular_deg_s, acceleration_m_s2, jerk_m_s3;
    double dead_band_m_s, dead_band_deg_s;
    double move_tolerance_m, rotate_tolerance_deg;
    double start_x_m, start_y_m, start_theta_rad;
    double odometry_scale_left, odometry_scale_right, odometry_axle_scale;
};

#define DPL_WHEEL_BASE_NUMBER(struct_, member_, name_, unit_, fallback_, min_, max_, text_)        \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_DOUBLE, DPL_MEMBER(struct_, member_), .unit = unit_,      \
        .default_text = fallback_, .min = min_, .max = max_, .summary = text_,                     \
    }

/* Rows for a driver's property table; `base` is the struct dpl_wheel_base_properties inside
 * `struct_`. Diameter, axle and velocity have the driver's own defaults. */
#define DPL_WHEEL_BASE_FIELDS(struct_, base, diameter_, axle_, velocity_)                          \
    DPL_WHEEL_BASE_NUMBER(struct_, base.wheel_diameter_m, "WheelDiameter", "m", diameter_, 0.01,   \
                          2, "diameter of a wheel"),                                               \
        DPL_WHEEL_BASE_NUMBER(struct_, base.axle_m, "AxleDistance", "m", axle_, 0.02, 5,           \
                              "distance between the wheels' contact points"),                      \
        DPL_WHEEL_BASE_OTHER_FIELDS(struct_, base, velocity_)

/* The rows but those of diameter and axle, for a driver that may know these by itself. */
#define DPL_WHEEL_BASE_OTHER_FIELDS(struct_, base, velocity_)                                      \
    DPL_WHEEL_BASE_NUMBER(struct_, base.max_velocity_m_s, "MaximumVelocity", "m/s", velocity_,     \
                          0.001, 20, "commands are clamped to it"),                                \
        DPL_WHEEL_BASE_NUMBER(struct_, base.max_angular_deg_s, "MaximumAngularVelocity", "deg/s",  \
                              "120", 0.1, 3600, "commands are clamped to it"),                     \
        DPL_WHEEL_BASE_NUMBER(struct_, base.acceleration_m_s2, "Acceleration", "m/s^2", "0.5",     \
                              0.01, 100, "limit of the linear acceleration"),                      \
        DPL_WHEEL_BASE_NUMBER(struct_, base.jerk_m_s3, "Jerk", "m/s^3", "0", 0.0, 1000,            \
                              "limit of the linear jerk; 0: none (the paper's driver: 1.0)"),      \
        DPL_WHEEL_BASE_NUMBER(struct_, base.dead_band_m_s, "DeadBandVelocity", "m/s", "0", 0.0, 1, \
                              "slower commands are 0 (the paper's driver: 0.01)"),                 \
        DPL_WHEEL_BASE_NUMBER(struct_, base.dead_band_deg_s, "DeadBandAngularVelocity", "deg/s",   \
                              "0", 0.0, 90, "slower commands are 0 (the paper's driver: 0.5)"),    \
        DPL_WHEEL_BASE_NUMBER(struct_, base.move_tolerance_m, "VarianceDistance", "m", "0.05",     \
                              0.0001, 10, "a move has arrived within this distance"),              \
        DPL_WHEEL_BASE_NUMBER(struct_, base.rotate_tolerance_deg, "VarianceDirection", "deg", "1", \
                              0.01, 180, "a rotation has arrived within this angle"),              \
        DPL_WHEEL_BASE_NUMBER(struct_, base.start_x_m, "StartX", "m", "0", -10000.0, 10000,        \
                              "where odometry starts"),                                            \
        DPL_WHEEL_BASE_NUMBER(struct_, base.start_y_m, "StartY", "m", "0", -10000.0, 10000,        \
                              "where odometry starts"),                                            \
        DPL_WHEEL_BASE_NUMBER(struct_, base.start_theta_rad, "StartTheta", "rad", "0", -6.3, 6.3,  \
                              "heading at the start of odometry"),                                 \
        DPL_WHEEL_BASE_NUMBER(struct_, base.odometry_scale_left, "OdometryScaleLeft", NULL, "1",   \
                              0.5, 2, "calibration: true over nominal diameter, left wheel"),      \
        DPL_WHEEL_BASE_NUMBER(struct_, base.odometry_scale_right, "OdometryScaleRight", NULL, "1", \
                              0.5, 2, "calibration: true over nominal diameter, right wheel"),     \
        DPL_WHEEL_BASE_NUMBER(struct_, base.odometry_axle_scale, "OdometryAxleScale", NULL, "1",   \
                              0.5, 2, "calibration: true over nominal axle")

struct dpl_wheel_base {
    struct dpl_drive_geometry nominal; /* for commands; the geometry for odometry is calibrated */
    struct dpl_odometry_config odometry_config;
    struct dpl_motion_config motion_config;
    struct dpl_odometry odometry;
    struct dpl_motion motion;
    bool enabled;
    bool measured; /* wheel angles are known: `last`, `stamp` */
    struct dpl_drive_wheels last;
    dpl_ns stamp;
};

/* `lead_s`: delay from a command to its effect. -EINVAL with reterr for an invalid geometry. */
int dpl_wheel_base_init(struct dpl_wheel_base *base,
                        const struct dpl_wheel_base_properties *properties, double lead_s,
                        struct dpl_diag *reterr);

/* Another diameter and axle, for a driver that learns them after dpl_wheel_base_init: with the same
 * properties otherwise. Pose and motion go on. -EINVAL with reterr for an invalid geometry; then
 * nothing changes. */
int dpl_wheel_base_set_geometry(struct dpl_wheel_base *base,
                                const struct dpl_wheel_base_properties *properties,
                                struct dpl_diag *reterr);

void dpl_wheel_base_enable(struct dpl_wheel_base *base, bool enable);
/* 0, -EPERM while disabled, -EINVAL. */
int dpl_wheel_base_drive(struct dpl_wheel_base *base, double linear_m_s, double angular_rad_s);
int dpl_wheel_base_move(struct dpl_wheel_base *base, double distance_m, double linear_m_s);
int dpl_wheel_base_rotate(struct dpl_wheel_base *base, double angle_rad, double angular_rad_s);
void dpl_wheel_base_stop(struct dpl_wheel_base *base);

/* New wheel angles (rad, unwrapped), measured at `stamp`. Older or equal stamps are ignored. */
void dpl_wheel_base_feed(struct dpl_wheel_base *base, struct dpl_drive_wheels angles, dpl_ns stamp);
/* The wheels' angles have jumped (a device came back): odometry continues from its pose. */
void dpl_wheel_base_forget(struct dpl_wheel_base *base);

/* The wanted velocity of the base now: from the motion mode, clamped, with dead band; without
 * ramps. */
struct dpl_twist2 dpl_wheel_base_aim(struct dpl_wheel_base *base);

void dpl_wheel_base_read(const struct dpl_wheel_base *base, struct dpl_wheel_state *ret);
void dpl_wheel_base_set_position(struct dpl_wheel_base *base, const struct dpl_pose2 *pose);

#ifdef __cplusplus
}
#endif

#endif
