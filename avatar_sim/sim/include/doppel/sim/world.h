/* SPDX-License-Identifier: Apache-2.0 */
/* A running world: a const model and its changing state. One thread owns a world; different worlds
 * may run in different threads. All memory of a world is in one mapping: only dpl_world_create and
 * dpl_world_destroy call the system for memory. The same model and the same calls give the same
 * values, bit for bit. */
#ifndef DOPPEL_SIM_WORLD_H
#define DOPPEL_SIM_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include <doppel/sim/model.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_sim_state;
struct dpl_world;

/* Builds a world on a model, which is borrowed and must outlive it. Robots are at their start poses
 * with motors stopped; time is 0. 0, -ENOMEM, or -EINVAL with reterr (NULL allowed). */
int dpl_world_create(const struct dpl_sim_model *model, struct dpl_world **ret_world,
                     struct dpl_diag *reterr);

/* Releases all memory of the world. NULL is allowed. */
void dpl_world_destroy(struct dpl_world *world);

/* Snapshots. A snapshot is a copy of all memory of a world: time, bodies, joints and contacts, the
 * data of each subsystem, and the state of each sensor and actuator (setpoints, delays, noise, the
 * newest scan). After a restore, the same calls give the same values as the first time, bit for
 * bit. A snapshot does not contain the model, which must not have changed, and the state that users
 * keep outside of the world, such as links, clocks and numbers of scans: a restore does not change
 * these.
 *
 * Pointers into a world (such as ranges of scans) stay valid. A snapshot can only be used for its
 * own world, until this is destroyed, also in a process that was forked from this one. The thread
 * that owns the world makes these calls, between steps. They do not allocate, block or call the
 * system; they take the time to copy the bytes. */

/* The number of bytes that dpl_world_save writes now. It grows when the world needs more memory
 * than before, mostly for contacts. */
size_t dpl_world_snapshot_size(const struct dpl_world *world);

/* Writes a snapshot of the present state to ret_snapshot, which the caller owns; no alignment is
 * needed. 0; -ENOSPC: `size`, in bytes, is less than dpl_world_snapshot_size; nothing is written.
 */
int dpl_world_save(const struct dpl_world *world, void *ret_snapshot, size_t size);

/* Restores the state of the world at the time of this snapshot, any number of times, in any order.
 * `size`: its bytes, or more. 0; -EINVAL: it is a snapshot of another world, or incomplete; the
 * world is unchanged. Changed bytes in the snapshot are not detected. */
int dpl_world_restore(struct dpl_world *world, const void *snapshot, size_t size);

/* The model of the world. */
const struct dpl_sim_model *dpl_world_model(const struct dpl_world *world);

/* Simulated time since the start: a whole number of steps. */
dpl_ns dpl_world_now(const struct dpl_world *world);

/* No solver follows a joint or a body beyond this, rad/s or m/s. */
#define DPL_SIM_SPEED_MAX 1e9

/* Whether all that moves can be trusted after the newest step: positions and speeds are numbers, no
 * speed is at its limit, and nothing turns so fast that its subsystem does not follow. 0; -ERANGE
 * with reterr: robot, body and time. Such a world does not recover. Does not allocate or block. */
int dpl_world_check_motion(const struct dpl_world *world, struct dpl_diag *reterr);

/* Advances by n steps of the model's step. Order in a step: actuators, subsystems, sensors,
 * signals. */
void dpl_world_step(struct dpl_world *world, unsigned n);

/* Advances while now < until. */
void dpl_world_run_until(struct dpl_world *world, dpl_ns until);

/* The number of the named robot, or -ENOENT. */
int dpl_world_find_robot(const struct dpl_world *world, const char *robot);

/* The state of the world. The addresses of its arrays are valid as long as the world. */
const struct dpl_sim_state *dpl_world_state(const struct dpl_world *world);

/* Moves a robot to a pose, upright on the ground. A base keeps its velocity in its own frame, and
 * the speed of its wheels; its encoders do not jump. A mechanism can be moved if its joints connect
 * all of its bodies, and none of them is fixed. It keeps the positions of its joints; its first
 * body gets the height and orientation of the model, at that pose; velocities turn with it. -EBUSY:
 * the robot would penetrate an obstacle, another robot or, for a mechanism, the ground by more than
 * 1 mm; it does not move. -EINVAL: the pose is not finite, there is no such robot, or it cannot be
 * moved. May allocate a little memory of the world. */
int dpl_world_set_pose(struct dpl_world *world, int robot, struct dpl_pose2 pose);

#ifdef __cplusplus
}
#endif

#endif
