/* SPDX-License-Identifier: Apache-2.0 */
/* Robots of a world that are in STAR's format: calls for tools. */
#ifndef DOPPEL_SIM_MULTIBODY_WORLD_H
#define DOPPEL_SIM_MULTIBODY_WORLD_H

#include <doppel/sim/star_world.h>
#include <doppel/sim/world.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_arena;

/* Reports joints of a model in STAR's format that are too stiff for its step (dpl_mb_check_step).
 * `warn` gets warnings with file, line and column; the model owns the file's name. Allocates. */
void dpl_sim_check_steps(const struct dpl_sim_model *model,
                         void (*warn)(void *user, const struct dpl_diag *diag), void *user);

/* The world in STAR's format that a robot of a model was read from; NULL: the robot has another
 * format. Borrowed; SI units (doppel/sim/star.h). */
const struct dpl_star_world *dpl_sim_robot_star(const struct dpl_sim_robot *robot);

/* The system that moves a robot of a running world, and its graph; NULL: the robot has none. Both
 * change when an assembly is switched. `ret_graph` may be NULL. Call it on the thread that owns the
 * world. */
struct dpl_mb_system *dpl_world_multibody(const struct dpl_world *world, int robot,
                                          const struct dpl_mb_graph **ret_graph);

/* Whether a loop of a robot has stopped: in a singular pose, or because it could not be closed any
 * more. *ret_time: the time of this, s; ret_path: a joint of the loop ("cell:arm:elbow");
 * *ret_place: the place of this joint in its file. The model owns the file's name. */
bool dpl_world_multibody_stopped(const struct dpl_world *world, int robot, double *ret_time,
                                 struct dpl_place *ret_place, char *ret_path, size_t size);

/* How often an event happened to a robot so far; the others as in dpl_world_multibody_stopped, of
 * the first one. 0: then they stay as they are. */
int64_t dpl_world_multibody_told(const struct dpl_world *world, int robot,
                                 enum dpl_mb_event_type type, double *ret_time,
                                 struct dpl_place *ret_place, char *ret_path, size_t size);

/* Describes the structure of a system as text, in the arena: sums; a line for each loop with its
 * rows, rank and degrees of freedom; a line for each joint with its role, whether its coordinate is
 * independent, and its share of the mobility. Allocates. */
const char *dpl_sim_describe_multibody(struct dpl_arena *arena, const struct dpl_mb_graph *graph,
                                       const struct dpl_mb_system *system);

/* As dpl_mb_equilibrium, for a robot of a running world; it gets this pose. -EINVAL: it is no such
 * robot. Uses memory of the world during the call. */
int dpl_world_settle(struct dpl_world *world, int robot, struct dpl_diag *reterr);

/* Writes the robot with its present displacements and velocities into a file of the same dialect (B
 * is written as A). 0, or -errno with reterr. Allocates; blocks. */
int dpl_world_save_star(const struct dpl_world *world, int robot, const char *file,
                        struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
