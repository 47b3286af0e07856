/* SPDX-License-Identifier: Apache-2.0 */
/* What drivers of class axes share that close the loop or play the drive themselves: the modes and
 * what leads from one to the other, the reference that the axes follow in a cycle, the ramp that
 * brings them to rest, the watch over the following error. Pure apart from the field table; no
 * locks: the caller's thread.
 *
 *   OFF -enable-> STARTING -StartTime-> ON -stop-> STOPPING -all at rest-> ON
 *   STARTING, ON, STOPPING -disable-> STOPPING -all at rest-> OFF
 *   STARTING, ON, STOPPING -idle-> OFF
 *   any but OFF -axes_motion_fail-> FAULT -reset-> OFF
 *
 * A cycle without a reference is no stop: the axes come to rest on the same ramp, and the mode
 * stays ON, so that the next reference moves them again. */
#ifndef AXES_AXES_MOTION_H
#define AXES_AXES_MOTION_H

#include <doppel/drv/axes.h>
#include <doppel/field.h>

/* Codes of faults: the error codes that drives after CiA 402 have for the same. */
#define AXES_FAULT_GENERIC   0x1000u
#define AXES_FAULT_FOLLOWING 0x8611u

struct axes_motion_properties {
    double stop_deceleration_m_s2;
    double max_following_error_m; /* 0: not watched */
    double start_time_s;
};

/* Rows for a driver's property table; `base` is the struct axes_motion_properties in `struct_`. */
#define AXES_MOTION_FIELDS(struct_, base)                                                          \
    DPL_NUMBER(struct_, base.stop_deceleration_m_s2, "StopDeceleration", "m/s^2", "10", 0.01,      \
               1000.0, "of each axis on its own way to rest"),                                     \
        DPL_NUMBER(struct_, base.max_following_error_m, "MaxFollowingError", "m", "0.005", 0.0,    \
                   1.0,                                                                            \
                   "farther from the reference an axis is faulty and all go torque-free; 0: "      \
                   "not watched"),                                                                 \
        DPL_NUMBER(struct_, base.start_time_s, "StartTime", "s", "0", 0.0, 60.0,                   \
                   "from enable to the first reference that is followed")

/* Where the axes are, as the driver has measured it in this cycle: m, m/s. */
struct axes_motion_measured {
    double position_m[DPL_AXES_N], velocity_m_s[DPL_AXES_N];
};

struct axes_motion {
    enum dpl_axes_mode mode; /* read-only */
    uint32_t fault;          /* read-only, as fault_axis: of the first axis that failed */
    int fault_axis;
    /* Read-only: what the axes follow in this cycle while axes_motion_has_torque; set by
     * axes_motion_step. Before that: of the cycle before, where they should be by now. */
    struct dpl_axes_reference reference;
    /* private */
    struct dpl_axes_reference given;
    bool is_given;
    bool stop_asked; /* since the newest step */
    bool off_at_rest;
    double since_enable_s;
};

void axes_motion_init(struct axes_motion *motion);

/* As the calls of the same names in doppel/drv/axes.h. enable: -EPERM in mode FAULT; others keep
 * the mode where there is nothing to do. follow: -EPERM unless the mode is ON; the newest of a
 * cycle counts. */
int axes_motion_enable(struct axes_motion *motion);
void axes_motion_disable(struct axes_motion *motion);
void axes_motion_stop(struct axes_motion *motion);
void axes_motion_reset(struct axes_motion *motion);
void axes_motion_idle(struct axes_motion *motion);
int axes_motion_follow(struct axes_motion *motion, const struct dpl_axes_reference *reference);

/* An axis (0 to 5; -1: none in particular) has failed: FAULT unless the mode is OFF. The first
 * failure's code and axis stay. */
void axes_motion_fail(struct axes_motion *motion, int axis, uint32_t code);

/* Fails the first axis that is farther from the reference of the cycle before than it may. Call
 * before axes_motion_step, with what was measured in this cycle. */
void axes_motion_watch(struct axes_motion *motion, const struct axes_motion_properties *properties,
                       const struct axes_motion_measured *measured);

/* Once a cycle of `period_s`, after follow: goes on with the modes and sets motion->reference.
 * Where axes come under torque, they go on from where and how fast they were measured. */
void axes_motion_step(struct axes_motion *motion, const struct axes_motion_properties *properties,
                      const struct axes_motion_measured *measured, double period_s);

/* Whether the loops are closed: STARTING has no torque yet. */
static inline bool axes_motion_has_torque(const struct axes_motion *motion)
{
    return motion->mode == DPL_AXES_ON || motion->mode == DPL_AXES_STOPPING;
}

/* Sets mode, fault and fault_axis of a state. */
void axes_motion_read(const struct axes_motion *motion, struct dpl_axes_state *ret);

#endif
