/* SPDX-License-Identifier: Apache-2.0 */
/* Device class wheel_controller: a mobile base with odometry. One thread at a time makes the calls
 * (the runtime ensures it); each returns at once: commands store a setpoint, reads return the
 * newest known state. 0, -ENODEV while the device is lost, -EPERM while disabled (drive, move,
 * rotate), -EINVAL for values that are not finite. */
#ifndef DOPPEL_DRV_WHEEL_CONTROLLER_H
#define DOPPEL_DRV_WHEEL_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/device.h>
#include <doppel/math/geometry.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_WHEEL_CONTROLLER_CLASS "wheel_controller"

extern const struct dpl_device_class dpl_wheel_controller_class;

struct dpl_wheel_state {
    bool valid;                 /* false until the device has reported once */
    dpl_ns stamp;               /* time of measurement, on the run's clock */
    struct dpl_pose2 pose;      /* pose by odometry */
    struct dpl_twist2 twist;    /* measured */
    double left_rad, right_rad; /* unwrapped wheel angles */
    /* Way of each wheel since any start, and the distance of the wheels, both by the driver's
     * calibration. A new position does not change them. */
    double left_m, right_m, axle_m;
    bool has_gyro;
    double gyro_rad;          /* turn by a gyro since any start, unwrapped */
    bool has_bumper, pressed; /* in front; pressed: something touches it now */
    bool running;             /* a move or rotate is active, or a drive command other than 0 */
    /* Number of known jumps of the base, e.g. because its world was restarted: the pose is valid,
     * but the base did not drive to it from the pose before. */
    uint32_t restarts;
};

/* The true pose, if the device knows it (simulated and mock bases), in the frame of its world. */
struct dpl_wheel_truth {
    dpl_ns stamp;
    struct dpl_pose2 pose;
    uint32_t restarts; /* changes with a known jump, as in struct dpl_wheel_state */
};

enum dpl_wheel_controller_call {
    DPL_DRV_WHEEL_CONTROLLER_ENABLE,  /* motors on, standing still */
    DPL_DRV_WHEEL_CONTROLLER_DISABLE, /* stop, motors off */
    DPL_DRV_WHEEL_CONTROLLER_DRIVE,
    DPL_DRV_WHEEL_CONTROLLER_MOVE,
    DPL_DRV_WHEEL_CONTROLLER_ROTATE,
    DPL_DRV_WHEEL_CONTROLLER_STOP, /* within the usual limits for driving */
    /* A stop for cause (a device is lost, the commander is silent): with the largest deceleration
     * of the base, not with the usual limits for driving, until the next command. */
    DPL_DRV_WHEEL_CONTROLLER_HALT,
    DPL_DRV_WHEEL_CONTROLLER_EXECUTE, /* once per cycle of the owning component, before read */
    DPL_DRV_WHEEL_CONTROLLER_READ,
    /* The odometry continues from this pose; the robot itself does not move. */
    DPL_DRV_WHEEL_CONTROLLER_SET_POSITION,
    /* Moves the robot itself (simulator, mock) to a pose in the frame of its world, that of
     * `read_truth`. Its odometry continues from where the robot then is in the odometry's frame.
     * -EINPROGRESS: requested, `placing` returns the result later; -EBUSY: an object is at the
     * pose, the robot does not move. */
    DPL_DRV_WHEEL_CONTROLLER_PLACE,
    /* Result of the last place: 0: the robot is at the pose (or no place was requested),
     * -EINPROGRESS: not known yet, otherwise the error. */
    DPL_DRV_WHEEL_CONTROLLER_PLACING,
    DPL_DRV_WHEEL_CONTROLLER_READ_TRUTH, /* -ENOTSUP: the device has no true pose */
    /* HIL only. Its simulation side has one owner. At first the owner is the application: the side
       gets the commands of the base. This call makes the caller the owner, who alone moves the
       side. Then `drive`, `move` and `rotate` of the base do not move it any more; stops still do.
       -EBUSY: there is another owner; -ENODEV: the side is lost. */
    DPL_DRV_WHEEL_CONTROLLER_TAKE_SIMULATION,
    /* The owner calls it before each command to the simulation side. An owner that does not call it
       within the driver's OwnershipTimeout, or whose side is lost, is not the owner any more.
       -EPERM: the caller is not the owner. */
    DPL_DRV_WHEEL_CONTROLLER_KEEP_SIMULATION,
    /* The side follows the application again, at once. -EPERM: the caller is not the owner. */
    DPL_DRV_WHEEL_CONTROLLER_RELEASE_SIMULATION,
    DPL_DRV_WHEEL_CONTROLLER_N_CALLS,
};

struct dpl_wheel_move {
    double distance_m, linear_m_s;
};

struct dpl_wheel_rotate {
    double angle_rad, angular_rad_s;
};

/* The caller: a number that is unique among the callers. */
struct dpl_wheel_owner {
    int64_t number;
};

static inline int dpl_wheel_enable(struct dpl_device *d)
{
    return dpl_device_call(d, DPL_DRV_WHEEL_CONTROLLER_ENABLE, NULL, NULL);
}

static inline int dpl_wheel_disable(struct dpl_device *d)
{
    return dpl_device_call(d, DPL_DRV_WHEEL_CONTROLLER_DISABLE, NULL, NULL);
}

static inline int dpl_wheel_drive(struct dpl_device *d, double linear_m_s, double angular_rad_s)
{
    const struct dpl_twist2 in = {linear_m_s, angular_rad_s};
    return dpl_device_call(d, DPL_DRV_WHEEL_CONTROLLER_DRIVE, &in, NULL);
}

static inline int dpl_wheel_move(struct dpl_device *d, double distance_m, double linear_m_s)
{
    const struct dpl_wheel_move in = {distance_m, linear_m_s};
    return dpl_device_call(d, DPL_DRV_WHEEL_CONTROLLER_MOVE, &in, NULL);
}

static inline int dpl_wheel_rotate(struct dpl_device *d, double angle_rad, double angular_rad_s)
{
    const struct dpl_wheel_rotate in = {angle_rad, angular_rad_s};
    return dpl_device_call(d, DPL_DRV_WHEEL_CONTROLLER_ROTATE, &in, NULL);
}

static inline int dpl_wheel_stop(struct dpl_device *d)
{
    return dpl_device_call(d, DPL_DRV_WHEEL_CONTROLLER_STOP, NULL, NULL);
}

static inline int dpl_wheel_halt(struct dpl_device *d)
{
    return dpl_device_call(d, DPL_DRV_WHEEL_CONTROLLER_HALT, NULL, NULL);
}

static inline int dpl_wheel_execute(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_device_call(d, DPL_DRV_WHEEL_CONTROLLER_EXECUTE, tick, NULL);
}

static inline int dpl_wheel_read(struct dpl_device *d, struct dpl_wheel_state *ret)
{
    return dpl_device_call(d, DPL_DRV_WHEEL_CONTROLLER_READ, NULL, ret);
}

static inline int dpl_wheel_set_position(struct dpl_device *d, const struct dpl_pose2 *pose)
{
    return dpl_device_call(d, DPL_DRV_WHEEL_CONTROLLER_SET_POSITION, pose, NULL);
}

static inline int dpl_wheel_place(struct dpl_device *d, const struct dpl_pose2 *pose)
{
    return dpl_device_call(d, DPL_DRV_WHEEL_CONTROLLER_PLACE, pose, NULL);
}

static inline int dpl_wheel_placing(struct dpl_device *d)
{
    return dpl_device_call(d, DPL_DRV_WHEEL_CONTROLLER_PLACING, NULL, NULL);
}

static inline int dpl_wheel_read_truth(struct dpl_device *d, struct dpl_wheel_truth *ret)
{
    return dpl_device_call(d, DPL_DRV_WHEEL_CONTROLLER_READ_TRUTH, NULL, ret);
}

static inline int dpl_wheel_take_simulation(struct dpl_device *d, int64_t owner)
{
    const struct dpl_wheel_owner in = {owner};
    return dpl_device_call(d, DPL_DRV_WHEEL_CONTROLLER_TAKE_SIMULATION, &in, NULL);
}

static inline int dpl_wheel_keep_simulation(struct dpl_device *d, int64_t owner)
{
    const struct dpl_wheel_owner in = {owner};
    return dpl_device_call(d, DPL_DRV_WHEEL_CONTROLLER_KEEP_SIMULATION, &in, NULL);
}

static inline int dpl_wheel_release_simulation(struct dpl_device *d, int64_t owner)
{
    const struct dpl_wheel_owner in = {owner};
    return dpl_device_call(d, DPL_DRV_WHEEL_CONTROLLER_RELEASE_SIMULATION, &in, NULL);
}

#ifdef __cplusplus
}
#endif

#endif
