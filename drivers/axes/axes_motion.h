/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the drivers of class axes that close the loop or emulate the drive: the modes and their
 * transitions, the reference that the axes follow in a cycle, the ramp to rest, and the check of
 * the following error. Pure apart from the field table; no
 * locks: the caller's thread.
 *
 *   OFF -enable-> STARTING -StartTime-> ON -stop-> STOPPING -all at rest-> ON
 *   STARTING, ON, STOPPING -disable-> STOPPING -all at rest-> OFF
 *   STARTING, ON, STOPPING -idle-> OFF
 *   any but OFF -axes_motion_fail-> FAULT -reset-> OFF
 *
 * A cycle without a reference is not a stop: the axes come to rest on the same ramp, but the mode
 * stays ON, so that the next reference moves them again. */
#ifndef AXES_AXES_MOTION_H
#define AXES_AXES_MOTION_H

#include <doppel/drv/axes.h>
#include <doppel/field.h>

/* Fault codes: the error codes of drives with CiA 402 for the same faults. */
#define AXES_FAULT_GENERIC   0x1000u
#define AXES_FAULT_FOLLOWING 0x8611u

struct axes_motion_properties {
    double stop_deceleration_m_s2;
    double max_following_error_m; /* 0: not checked */
    double start_time_s;
};

/* Rows for a driver's property table; `base` is the struct axes_motion_properties in `struct_`. */
#define AXES_MOTION_FIELDS(struct_, base)                                                          \
    DPL_NUMBER(struct_, base.stop_deceleration_m_s2, "StopDeceleration", "m/s^2", "10", 0.01,      \
               1000.0, "deceleration of each axis when it stops by itself"),                       \
        DPL_NUMBER(struct_, base.max_following_error_m, "MaxFollowingError", "m", "0.005", 0.0,    \
                   1.0,                                                                            \
                   "farther from the reference an axis is faulty and all go torque-free; 0: "      \
                   "not watched"),                                                                 \
        DPL_NUMBER(struct_, base.start_time_s, "StartTime", "s", "0", 0.0, 60.0,                   \
                   "from enable to the first reference that is followed")

/* Position and speed of the axes, measured by the driver in this cycle: m, m/s. */
struct axes_motion_measured {
    double position_m[DPL_AXES_N], velocity_m_s[DPL_AXES_N];
};

struct axes_motion {
    enum dpl_axes_mode mode; /* read-only */
    uint32_t fault;          /* read-only, as fault_axis: of the first axis that failed */
    int fault_axis;
    /* Read-only: the axes follow it in this cycle while axes_motion_has_torque; axes_motion_step
     * sets it. Before that: the reference of the previous cycle, which the axes should have
     * reached. */
    struct dpl_axes_reference reference;
    /* private */
    struct dpl_axes_reference given;
    bool is_given;
    bool stop_asked; /* since the newest step */
    bool off_at_rest;
    double since_enable_s;
};

void axes_motion_init(struct axes_motion *motion);

/* For the calls of the same names in doppel/drv/axes.h. enable: -EPERM in mode FAULT; others keep
 * the mode when there is nothing to do. follow: -EPERM unless the mode is ON; the newest one of a
 * cycle is used. */
int axes_motion_enable(struct axes_motion *motion);
void axes_motion_disable(struct axes_motion *motion);
void axes_motion_stop(struct axes_motion *motion);
void axes_motion_reset(struct axes_motion *motion);
void axes_motion_idle(struct axes_motion *motion);
int axes_motion_follow(struct axes_motion *motion, const struct dpl_axes_reference *reference);

/* An axis (0 to 5; -1: no particular axis) has failed: FAULT unless the mode is OFF. Code and axis
 * of the first failure are kept. */
void axes_motion_fail(struct axes_motion *motion, int axis, uint32_t code);

/* Fails the first axis whose distance from the previous cycle's reference is above the limit. Call
 * before axes_motion_step, with the measurements of this cycle. */
void axes_motion_watch(struct axes_motion *motion, const struct axes_motion_properties *properties,
                       const struct axes_motion_measured *measured);

/* Call it once per cycle of `period_s`, after follow: performs the transitions of modes and sets
 * motion->reference. Axes that get torque continue from their measured position and speed. */
void axes_motion_step(struct axes_motion *motion, const struct axes_motion_properties *properties,
                      const struct axes_motion_measured *measured, double period_s);

/* Whether the loops are closed: in STARTING there is no torque yet. */
static inline bool axes_motion_has_torque(const struct axes_motion *motion)
{
    return motion->mode == DPL_AXES_ON || motion->mode == DPL_AXES_STOPPING;
}

/* Sets mode, fault and fault_axis of a state. */
void axes_motion_read(const struct axes_motion *motion, struct dpl_axes_state *ret);

#endif
