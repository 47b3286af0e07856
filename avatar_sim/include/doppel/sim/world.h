/* SPDX-License-Identifier: Apache-2.0 */
/* A running world: a const model plus everything that moves. One thread owns a world; different
 * worlds may run in different threads. All memory of a world lies in one mapping of its own: only
 * dpl_world_create and dpl_world_destroy call the system for it. The same model and the same calls
 * give the same values, bit for bit. */
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

/* Builds a world on a model, which is borrowed and must outlive it. Robots stand at their start
 * poses with motors stopped; time is 0. 0, -ENOMEM, or -EINVAL with reterr (NULL allowed). */
int dpl_world_create(const struct dpl_sim_model *model, struct dpl_world **ret_world,
                     struct dpl_diag *reterr);

/* Gives all memory of the world back. NULL is allowed. */
void dpl_world_destroy(struct dpl_world *world);

/* Snapshots. A snapshot is a copy of all memory of a world: time, bodies, joints and contacts, what
 * each subsystem keeps of them, and the state of each sensor and actuator (setpoints, delays,
 * noise, the newest scan). A world that is restored and then gets the same calls gives the same
 * values as the first time, bit for bit. What is not in it: the model, which must not have changed,
 * and whatever its users keep elsewhere, such as links, clocks and numbers of scans they have seen:
 * those do not go back.
 *
 * Pointers that a world has given (ranges of scans) stay valid. A snapshot is good for its own
 * world only, as long as that lives, also in a process forked from this one. To be called by the
 * thread that owns the world, between steps. These calls neither allocate nor block nor call the
 * system; they take as long as copying the bytes does. */

/* Bytes that dpl_world_save writes now. They grow while the world has more to remember than ever
 * before, mostly of contacts. */
size_t dpl_world_snapshot_size(const struct dpl_world *world);

/* Writes a snapshot of now to ret_snapshot, which belongs to the caller and needs no alignment. 0;
 * -ENOSPC: `size`, in bytes, is less than dpl_world_snapshot_size; nothing is written. */
int dpl_world_save(const struct dpl_world *world, void *ret_snapshot, size_t size);

/* Takes the world to where it was when dpl_world_save wrote this snapshot, `size` bytes of it or
 * more; any number of times, forth or back. 0; -EINVAL: it is of another world, or cut short; the
 * world goes on as it was. Bytes that were changed since are not noticed. */
int dpl_world_restore(struct dpl_world *world, const void *snapshot, size_t size);

/* The model that the world was built on. */
const struct dpl_sim_model *dpl_world_model(const struct dpl_world *world);

/* Simulated time since the start: a whole number of steps. */
dpl_ns dpl_world_now(const struct dpl_world *world);

/* Advances by n steps of the model's step. Order in a step: actuators, subsystems, sensors,
 * signals. */
void dpl_world_step(struct dpl_world *world, unsigned n);

/* Advances while now < until. */
void dpl_world_run_until(struct dpl_world *world, dpl_ns until);

/* The number of the named robot, or -ENOENT. */
int dpl_world_find_robot(const struct dpl_world *world, const char *robot);

/* What moves in the world. The arrays stay where they are as long as the world. */
const struct dpl_sim_state *dpl_world_state(const struct dpl_world *world);

/* Puts a robot upright on the ground at a pose. A base keeps its speed as its heading sees it, and
 * the speed of its wheels; encoders do not jump. A mechanism that joints make one piece, and that
 * nothing holds, is moved as it is, so that its first body stands as the model says over that pose;
 * joints and velocities turn with it. -EBUSY: it would reach more than 1 mm into an obstacle,
 * another robot or, a mechanism, the ground; it stays where it is. -EINVAL: not finite, or no such
 * robot, or it cannot be put. May take a little memory of the world. */
int dpl_world_set_pose(struct dpl_world *world, int robot, struct dpl_pose2 pose);

#ifdef __cplusplus
}
#endif

#include <doppel/sim/devices.h>

#endif
