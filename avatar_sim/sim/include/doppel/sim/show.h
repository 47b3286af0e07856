/* SPDX-License-Identifier: Apache-2.0 */
/* The shapes of robots, for pictures and viewers. */
#ifndef DOPPEL_SIM_SHOW_H
#define DOPPEL_SIM_SHOW_H

#include <doppel/sim/model.h>
#include <doppel/sim/solid.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_sim_mechanism;

/* A solid of a robot; `body` is the number of one of its bodies, in whose frame the solid is. The
 * solid is borrowed for the call. */
typedef void dpl_sim_show(void *user, unsigned body, const struct dpl_sim_solid *solid);

/* Calls `show` for each solid of a robot. */
void dpl_sim_robot_show(const struct dpl_sim_robot *robot, dpl_sim_show *show, void *user);

/* The same with the shapes that sensors measure. For bodies with meshes for display (`visuals`)
 * these are the collision shapes, because a ray tests every face. */
void dpl_sim_robot_see(const struct dpl_sim_robot *robot, dpl_sim_show *show, void *user);

/* The mechanism of a robot; NULL: the robot is not a mechanism. */
const struct dpl_sim_mechanism *dpl_sim_robot_mechanism(const struct dpl_sim_robot *robot);

/* Whether one of the robots is a mechanism. */
bool dpl_sim_model_has_mechanisms(const struct dpl_sim_model *model);

/* Converts a shape to a solid, which has no pointers. */
struct dpl_sim_solid dpl_sim_solid_of(const struct dpl_sim_shape *shape);

#ifdef __cplusplus
}
#endif

#endif
