/* SPDX-License-Identifier: Apache-2.0 */
/* Calls for devices of a running world, by number: what avatar links use. They go when links use
 * channels only (doppel/sim/channels.h). Included by doppel/sim/world.h. */
#ifndef DOPPEL_SIM_DEVICES_H
#define DOPPEL_SIM_DEVICES_H

#include <doppel/math/six.h>
#include <doppel/sim/mobile.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_world;

enum dpl_world_device {
    DPL_WORLD_MOTOR,
    DPL_WORLD_ENCODER,
    DPL_WORLD_LASER,
    DPL_WORLD_AXIS,
};

/* What an axis of a machine does now. */
struct dpl_world_axis {
    double position_m;   /* of the encoder at the motor, rounded to its resolution */
    double velocity_m_s; /* of the motor, exact */
    double effort_n;     /* that the motor gives, after its lag */
    double load_m;       /* where the slider is, beyond the screw: exact */
    double weight_n;     /* the share of the platform's weight that pushes it */
    bool braked;         /* nobody drives it, and its brake holds it */
};

/* What an encoder reads now. */
struct dpl_world_encoder {
    double angle_rad;      /* since the start, unwrapped, rounded down to whole counts */
    double velocity_rad_s; /* of the wheel, exact */
};

/* The newest scan of a laser. `ranges_m` is borrowed until the next scan. */
struct dpl_world_scan {
    dpl_ns stamp;      /* when it was measured */
    uint64_t sequence; /* 1 for the first */
    size_t n;
    const float *ranges_m; /* [n], from the laser's first step on; 0: no valid measurement */
};

/* Directions in which a body can be touched, as seen from the robot's frame: sector i goes from
 * i * 2 pi / DPL_SIM_SECTORS to the next one's beginning, counter-clockwise from ahead. 15 degrees
 * each, so that 30 and 90 degrees, where the parts of a bumper end, are borders. */
#define DPL_SIM_SECTORS 24

/* The truth about a robot: the pose of its frame and its velocity, as its own heading sees it. */
struct dpl_world_robot {
    struct dpl_pose2 pose;
    struct dpl_twist2 twist;
    uint64_t contacts; /* how often its body began to touch anything but the ground */
    uint32_t touched;  /* bit i: something touches it in sector i, or did within the last 0.1 s:
                          a solver makes and breaks the contact of a body that pushes */
    /* How often the solver moved it faster than any wheel of this world can: out of something that
     * it was in. Its pose is of no use then. */
    uint64_t ejections;
};

/* What began to touch the body of a robot: the obstacles, or the robot, of one name. */
struct dpl_world_contact {
    const char *with; /* the name; it lives as long as the model */
    uint64_t n;       /* how often it began to touch */
    dpl_ns first;     /* when it did for the first time */
};
#define DPL_WORLD_CONTACTS_MAX 32 /* names that are kept apart; what comes later is not told */

/* What has touched a robot, in the order of the first touches, into ret_contacts[most]. Returns how
 * many names it wrote; 0 also where there is no such robot. */
size_t dpl_world_get_contacts(const struct dpl_world *world, int robot,
                              struct dpl_world_contact *ret_contacts, size_t most);

/* The number of a device of a robot, for the calls below; a wheel's motor and encoder have numbers
 * of their own kind. -ENOENT if there is none of that name (compared as dpl_name_equal does). */
int dpl_world_find_device(const struct dpl_world *world, int robot, enum dpl_world_device kind,
                          const char *name);

/* The model of a numbered device, to ask for its limits: NULL for a number that is not one. */
const struct dpl_sim_wheel *dpl_world_wheel(const struct dpl_world *world, int motor_or_encoder);
const struct dpl_sim_laser *dpl_world_laser(const struct dpl_world *world, int laser);
const struct dpl_sim_drive *dpl_world_drive(const struct dpl_world *world, int axis);

/* Leaves a setpoint for a motor: the wheel's speed in rad/s, positive rolls forward. It takes
 * effect after the motor's latency, along its ramp, within its speed and torque. What is not finite
 * is taken as 0. */
void dpl_world_set_motor(struct dpl_world *world, int motor, double speed_rad_s);

/* How fast the speed that a motor's loop aims at may change, rad/s^2: from now on, 0 at once (as at
 * the start). What is negative or not finite is taken as 0. */
void dpl_world_set_motor_ramp(struct dpl_world *world, int motor, double ramp_rad_s2);

void dpl_world_get_encoder(const struct dpl_world *world, int encoder,
                           struct dpl_world_encoder *ret_encoder);

/* Leaves the effort of an axis' motor, N: it acts from the next step on, within the motor's limit
 * and after its lag; a brake comes off. What is not finite is taken as 0. */
void dpl_world_set_axis(struct dpl_world *world, int axis, double effort_n);

/* Nobody drives the axis, as at the start: no effort, and the brake falls in if it has one. */
void dpl_world_release_axis(struct dpl_world *world, int axis);

void dpl_world_get_axis(const struct dpl_world *world, int axis, struct dpl_world_axis *ret_axis);

/* Where a machine's platform is: x y z in m, roll pitch yaw in rad, in the machine's frame, from
 * the sliders by forward kinematics. *ret_stamp is now, or an earlier time when the sliders have
 * left what any pose of the machine could explain: the pose is then of that time. -ENOTSUP: the
 * robot is no machine. */
int dpl_world_get_platform(const struct dpl_world *world, int robot, dpl_ns *ret_stamp,
                           double ret_pose[DPL_SIX]);

/* Lasers are off at the start, because scans cost time. When on, one measures at each multiple of
 * its period. */
void dpl_world_enable_laser(struct dpl_world *world, int laser, bool enable);

/* Whether a laser whose model measures at one instant turns instead, once from scan to scan; others
 * turn anyway. The sweep or the interval that runs begins anew. */
void dpl_world_turn_laser(struct dpl_world *world, int laser, bool turn);

/* The newest scan: 0, or -EAGAIN while there is none. */
int dpl_world_get_scan(const struct dpl_world *world, int laser, struct dpl_world_scan *ret_scan);

/* Exact distances from a laser where it is now, without noise, limits or resolution, into
 * ranges_m[dpl_sim_laser_beams()]; INFINITY where nothing is within the laser's maximum. */
void dpl_world_measure_exact(struct dpl_world *world, int laser, double *ranges_m);

/* A number that is not a robot's leaves *ret_robot as it was; so do the calls above for devices. */
void dpl_world_get_robot(const struct dpl_world *world, int robot,
                         struct dpl_world_robot *ret_robot);

#ifdef __cplusplus
}
#endif

#endif
