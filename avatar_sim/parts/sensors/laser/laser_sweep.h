/* SPDX-License-Identifier: Apache-2.0 */
/* A laser that turns: each of its beams has an instant of its own, and is cast from where the robot
 * was then. Beam i of n is (i - n / 2) T / steps after the middle of the sweep, where T is the time
 * of a whole turn of `steps`. Pure. */
#ifndef DOPPEL_SIM_LASER_SWEEP_H
#define DOPPEL_SIM_LASER_SWEEP_H

#include <stddef.h>

#include <doppel/math/geometry.h>
#include <doppel/sim/laser.h>
#include <doppel/time.h>

/* How far the running sweep is, and where the robot was at the end of the step before. */
struct dpl__laser_sweep {
    size_t beam; /* the next one */
    dpl_ns from_time;
    struct dpl_pose2 from;
};

/* When a beam of the sweep around `middle` is measured; scan_time: s of a whole turn. */
dpl_ns dpl__laser_beam_time(const struct dpl_sim_laser *laser, double scan_time, dpl_ns middle,
                            size_t beam);

/* Where the robot was at `at`, between the ends of two steps: on a straight line, turning evenly by
 * less than half a turn. */
struct dpl_pose2 dpl__laser_pose_at(const struct dpl__laser_sweep *sweep, dpl_ns now,
                                    struct dpl_pose2 pose, dpl_ns at);

#endif
