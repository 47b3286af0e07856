/* SPDX-License-Identifier: Apache-2.0 */
/* An inertial measurement unit on a body: angular velocity, specific force (acceleration minus
 * gravity) and orientation of its frame, which is the body's, turned about z by the mount's yaw. It
 * reads the state of bodies, so any subsystem may move its body.
 *
 * The acceleration is the mean since the measurement before, of the point where it is mounted. Its
 * noise is white, its bias is constant; the angles come from a filter in the unit that does not
 * drift, so the biases are not in them. */
#ifndef DOPPEL_SIM_IMU_H
#define DOPPEL_SIM_IMU_H

#include <doppel/sim/entry.h>

extern const struct dpl_sim_entry_class dpl_imu;

#endif
