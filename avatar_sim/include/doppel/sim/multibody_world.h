/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds in STAR's format within a world: what tools ask of them. */
#ifndef DOPPEL_SIM_MULTIBODY_WORLD_H
#define DOPPEL_SIM_MULTIBODY_WORLD_H

#include <doppel/sim/star.h>
#include <doppel/sim/world.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_arena;

/* The file's world that a robot of a model is, as it was read; NULL: it is none. Borrowed; SI units
 * (doppel/sim/star.h). */
const struct dpl_star_world *dpl_sim_robot_star(const struct dpl_sim_robot *robot);

/* The system that moves a robot of a running world, and its graph; NULL: it is none. They change
 * when an assembly is switched. `graph` may be NULL. Of the thread that owns the world. */
struct dpl_mb_system *dpl_world_multibody(const struct dpl_world *world, int robot,
                                          const struct dpl_mb_graph **ret_graph);

/* Whether a loop of a robot has stopped: in a singular pose, or because it could not be closed any
 * more. *ret_time: when, s; ret_path: a joint of it ("cell:arm:elbow"). */
bool dpl_world_multibody_stopped(const struct dpl_world *world, int robot, double *ret_time,
                                 char *ret_path, size_t size);

/* Its structure for people, in the arena: sums, a line a loop with its rows, rank and freedoms, a
 * line a joint: its part, whether its coordinate is independent, its share of the mobility.
 * Allocates. */
const char *dpl_sim_describe_multibody(struct dpl_arena *arena, const struct dpl_mb_graph *graph,
                                       const struct dpl_mb_system *system);

/* As dpl_mb_equilibrium, of a robot of a running world, whose state is that pose then. -EINVAL:
 * it is none. Takes memory of the world for the time of the call. */
int dpl_world_settle(struct dpl_world *world, int robot, struct dpl_diag *reterr);

/* Writes the robot with its displacements and velocities of now into a file of its own dialect (B
 * as A). 0, or -errno with reterr. Allocates; blocks. */
int dpl_world_save_star(const struct dpl_world *world, int robot, const char *file,
                        struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
