/* SPDX-License-Identifier: Apache-2.0 */
/* Device class wheel_controller: a mobile base with odometry. One call table, thin wrappers. Every
 * call is made by one thread at a time (the runtime serialises) and returns at once: commands leave
 * a setpoint, reads return the newest known state. 0, -ENODEV while the device is lost, -EPERM
 * while disabled (drive, move, rotate), -EINVAL for values that are not finite. */
#ifndef DOPPEL_DRV_WHEEL_CONTROLLER_H
#define DOPPEL_DRV_WHEEL_CONTROLLER_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include <doppel/device.h>
#include <doppel/math/geometry.h>
#include <doppel/time.h>

#define DPL_WHEEL_CONTROLLER_CLASS "wheel_controller"

struct dpl_wheel_state {
    bool valid;                 /* false until the device has reported once */
    dpl_ns stamp;               /* acquisition, on the run's clock */
    struct dpl_pose2 pose;      /* odometry: where the base believes it is */
    struct dpl_twist2 twist;    /* measured */
    double left_rad, right_rad; /* unwrapped wheel angles */
    bool running; /* a move or rotate is under way, or a drive command other than 0 is in force */
    /* Times that the base was put elsewhere by something that it knows of, e.g. because its world
     * was started anew: the pose is right, but no way leads to it from the pose before. */
    uint32_t restarts;
};

/* Ground truth, where the device knows it (simulated and mock bases). */
struct dpl_wheel_truth {
    dpl_ns stamp;
    struct dpl_pose2 pose;
};

struct dpl_wheel_controller_api {
    int (*enable)(struct dpl_device *);  /* motors on, standing still */
    int (*disable)(struct dpl_device *); /* stop, motors off */
    int (*drive)(struct dpl_device *, double linear_m_s, double angular_rad_s);
    int (*move)(struct dpl_device *, double distance_m, double linear_m_s);
    int (*rotate)(struct dpl_device *, double angle_rad, double angular_rad_s);
    int (*stop)(struct dpl_device *); /* within the limits that hold for driving */
    /* Once a cycle of the owning component, before read. NULL: nothing to do. */
    int (*execute)(struct dpl_device *, const struct dpl_tick *);
    int (*read)(struct dpl_device *, struct dpl_wheel_state *ret);
    /* The odometry goes on from this pose; the robot itself does not move. */
    int (*set_position)(struct dpl_device *, const struct dpl_pose2 *pose);
    /* Moves the robot itself (simulator, mock); NULL: cannot. -EINPROGRESS: it is asked for, and
     * `placing` will tell; -EBUSY: something stands there, the robot does not move. */
    int (*place)(struct dpl_device *, const struct dpl_pose2 *pose);
    /* What came of the last place: 0 it stands there (or none was asked for), -EINPROGRESS not
     * known yet, else why it was not put there. NULL: place itself tells. */
    int (*placing)(struct dpl_device *);
    int (*read_truth)(struct dpl_device *, struct dpl_wheel_truth *ret); /* NULL: does not know */
    /* HIL only: drives one side (0 hardware, 1 simulation), which from then on no longer follows
     * `drive` until it has not been driven on its own for the driver's OwnershipTimeout. */
    int (*drive_side)(struct dpl_device *, size_t side, double linear_m_s, double angular_rad_s);
    /* A stop for cause (a device is lost, the commander is silent): as hard as the base allows,
     * whatever limits hold for driving, until the next command. NULL: stop does that. */
    int (*halt)(struct dpl_device *);
};

static inline const struct dpl_wheel_controller_api *dpl_wheel_api(const struct dpl_device *d)
{
    return (const struct dpl_wheel_controller_api *)d->driver->api;
}

static inline int dpl_wheel_enable(struct dpl_device *d)
{
    return dpl_wheel_api(d)->enable(d);
}

static inline int dpl_wheel_disable(struct dpl_device *d)
{
    return dpl_wheel_api(d)->disable(d);
}

static inline int dpl_wheel_drive(struct dpl_device *d, double linear_m_s, double angular_rad_s)
{
    if (!isfinite(linear_m_s) || !isfinite(angular_rad_s)) {
        return -EINVAL;
    }
    return dpl_wheel_api(d)->drive(d, linear_m_s, angular_rad_s);
}

static inline int dpl_wheel_move(struct dpl_device *d, double distance_m, double linear_m_s)
{
    if (!isfinite(distance_m) || !isfinite(linear_m_s) || linear_m_s <= 0.0) {
        return -EINVAL;
    }
    return dpl_wheel_api(d)->move(d, distance_m, linear_m_s);
}

static inline int dpl_wheel_rotate(struct dpl_device *d, double angle_rad, double angular_rad_s)
{
    if (!isfinite(angle_rad) || !isfinite(angular_rad_s) || angular_rad_s <= 0.0) {
        return -EINVAL;
    }
    return dpl_wheel_api(d)->rotate(d, angle_rad, angular_rad_s);
}

static inline int dpl_wheel_stop(struct dpl_device *d)
{
    return dpl_wheel_api(d)->stop(d);
}

static inline int dpl_wheel_halt(struct dpl_device *d)
{
    return dpl_wheel_api(d)->halt ? dpl_wheel_api(d)->halt(d) : dpl_wheel_api(d)->stop(d);
}

static inline int dpl_wheel_execute(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_wheel_api(d)->execute ? dpl_wheel_api(d)->execute(d, tick) : 0;
}

static inline int dpl_wheel_read(struct dpl_device *d, struct dpl_wheel_state *ret)
{
    return dpl_wheel_api(d)->read(d, ret);
}

static inline int dpl_wheel_set_position(struct dpl_device *d, const struct dpl_pose2 *pose)
{
    return dpl_pose2_is_finite(*pose) ? dpl_wheel_api(d)->set_position(d, pose) : -EINVAL;
}

static inline int dpl_wheel_place(struct dpl_device *d, const struct dpl_pose2 *pose)
{
    if (!dpl_pose2_is_finite(*pose)) {
        return -EINVAL;
    }
    return dpl_wheel_api(d)->place ? dpl_wheel_api(d)->place(d, pose) : -ENOTSUP;
}

static inline int dpl_wheel_placing(struct dpl_device *d)
{
    return dpl_wheel_api(d)->placing ? dpl_wheel_api(d)->placing(d) : 0;
}

static inline int dpl_wheel_read_truth(struct dpl_device *d, struct dpl_wheel_truth *ret)
{
    return dpl_wheel_api(d)->read_truth ? dpl_wheel_api(d)->read_truth(d, ret) : -ENOTSUP;
}

#endif
