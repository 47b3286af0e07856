/* SPDX-License-Identifier: Apache-2.0 */
/* Access to the devices of a running world by number, for tests and tools; others use channels
 * (doppel/sim/channels.h). */
#ifndef DOPPEL_SIM_DEVICES_H
#define DOPPEL_SIM_DEVICES_H

#include <doppel/math/six.h>
#include <doppel/sim/mobile.h>
#include <doppel/sim/world.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dpl_world_device {
    DPL_WORLD_MOTOR,
    DPL_WORLD_ENCODER,
    DPL_WORLD_LASER,
    DPL_WORLD_AXIS,
};

/* The present state of an axis of a machine. */
struct dpl_world_axis {
    double position_m;   /* of the encoder at the motor, rounded to its resolution */
    double velocity_m_s; /* of the motor, exact */
    double effort_n;     /* of the motor, after its lag */
    double load_m;       /* position of the slider, on the load side of the screw: exact */
    double weight_n;     /* the part of the platform's weight on this axis */
    bool braked;         /* no user commands it, and its brake holds it */
};

/* The present reading of an encoder. */
struct dpl_world_encoder {
    double angle_rad;      /* since the start, unwrapped, rounded down to whole counts */
    double velocity_rad_s; /* of the wheel, exact */
};

/* The newest scan of a laser. `ranges_m` is borrowed until the next scan. */
struct dpl_world_scan {
    dpl_ns stamp;      /* when it was measured */
    uint64_t sequence; /* 1 for the first */
    size_t n;
    const float *ranges_m; /* [n], from the laser's first step; 0: no valid measurement */
};

/* Sectors for the direction of a contact, in the robot's frame: sector i begins at the angle i * 2
 * pi / DPL_SIM_SECTORS, counter-clockwise; angle 0 is ahead. Each has 15 degrees, so that 30 and 90
 * degrees, where the parts of a bumper end, are borders of sectors. */
#define DPL_SIM_SECTORS 24

/* The true pose of a robot's frame, and its true velocity in this frame. */
struct dpl_world_robot {
    struct dpl_pose2 pose;
    struct dpl_twist2 twist;
    uint64_t contacts; /* number of contacts of its body that began, without the ground */
    uint32_t touched;  /* bit i: there is a contact in sector i, or was within the last 0.1 s (a
                          solver often breaks a lasting contact for some steps) */
    /* How often the solver moved it faster than any wheel of this world can, because it had
     * penetrated another object. Its pose is not usable after that. */
    uint64_t ejections;
};

/* Contacts of a robot's body with one object: the obstacles, or the robot, of one name. */
struct dpl_world_contact {
    const char *with; /* the name; valid as long as the model */
    uint64_t n;       /* number of contacts that began */
    dpl_ns first;     /* time of the first contact */
};
#define DPL_WORLD_CONTACTS_MAX 32 /* names that are kept apart; what comes later is not told */

/* Writes the contacts of a robot into ret_contacts[most], in the order of the first contacts.
 * Returns the number of entries; 0 if there is no such robot. */
size_t dpl_world_get_contacts(const struct dpl_world *world, int robot,
                              struct dpl_world_contact *ret_contacts, size_t most);

/* The number of a device of a robot, for the calls below. Motors and encoders are numbered
 * separately. -ENOENT: there is no device of that name (compared by dpl_name_equal). */
int dpl_world_find_device(const struct dpl_world *world, int robot, enum dpl_world_device kind,
                          const char *name);

/* The model of a device, such as its limits. NULL: the number is not valid. */
const struct dpl_sim_wheel *dpl_world_wheel(const struct dpl_world *world, int motor_or_encoder);
const struct dpl_sim_laser *dpl_world_laser(const struct dpl_world *world, int laser);
const struct dpl_sim_drive *dpl_world_drive(const struct dpl_world *world, int axis);

/* Sets the setpoint of a motor: the wheel's speed in rad/s; positive is forward. It takes effect
 * after the motor's latency, with its ramp, within its limits of speed and torque. A value that is
 * not finite counts as 0. */
void dpl_world_set_motor(struct dpl_world *world, int motor, double speed_rad_s);

/* Sets the limit of change of the motor loop's setpoint, in rad/s^2, from now on. 0: no limit (as
 * at the start). A value that is negative or not finite counts as 0. */
void dpl_world_set_motor_ramp(struct dpl_world *world, int motor, double ramp_rad_s2);

void dpl_world_get_encoder(const struct dpl_world *world, int encoder,
                           struct dpl_world_encoder *ret_encoder);

/* Sets the effort of an axis' motor in N. It acts from the next step on, within the motor's limit
 * and after its lag. A brake is released. A value that is not finite counts as 0. */
void dpl_world_set_axis(struct dpl_world *world, int axis, double effort_n);

/* No user commands the axis any more, as at the start: no effort, and a brake, if there is one,
 * holds. */
void dpl_world_release_axis(struct dpl_world *world, int axis);

void dpl_world_get_axis(const struct dpl_world *world, int axis, struct dpl_world_axis *ret_axis);

/* The pose of a machine's platform: x y z in m, roll pitch yaw in rad, in the machine's frame, from
 * the sliders by forward kinematics. *ret_stamp is the time of the pose: now, or an earlier time if
 * no pose of the machine fits the present sliders. -ENOTSUP: the robot is not a machine. */
int dpl_world_get_platform(const struct dpl_world *world, int robot, dpl_ns *ret_stamp,
                           double ret_pose[DPL_SIX]);

/* Switches a laser on or off. Lasers are off at the start, because scans cost computing time. A
 * laser that is on measures at each multiple of its period. */
void dpl_world_enable_laser(struct dpl_world *world, int laser, bool enable);

/* For a laser whose model measures all beams at one instant: whether it turns instead, once for
 * each scan. Other lasers always turn. The present turn or interval starts again. */
void dpl_world_turn_laser(struct dpl_world *world, int laser, bool turn);

/* The newest scan: 0, or -EAGAIN: there is none yet. */
int dpl_world_get_scan(const struct dpl_world *world, int laser, struct dpl_world_scan *ret_scan);

/* Writes the exact distances from the present place of a laser into
 * ranges_m[dpl_sim_laser_beams()], without noise, limits or resolution. INFINITY: nothing is within
 * the laser's maximum range. */
void dpl_world_measure_exact(struct dpl_world *world, int laser, double *ranges_m);

/* If the number is not valid, *ret_robot is unchanged. The same holds for the calls above for
 * devices. */
void dpl_world_get_robot(const struct dpl_world *world, int robot,
                         struct dpl_world_robot *ret_robot);

#ifdef __cplusplus
}
#endif

#endif
