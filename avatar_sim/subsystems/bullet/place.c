/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms that can be put elsewhere as a whole: where they are, and putting them. */
#include <errno.h>

#include <doppel/math/vector3.h>

#include "bullet_state.h"
#include "mechanism_site.h"

/* Less is the solver's play: touching bodies lie that deep in each other. */
static const double place_depth_m = 1e-3;

static bool holds_to_rest(const struct dpl_sim_mechanism *mechanism,
                          const struct dpl_sim_joint *joint)
{
    return joint->type != DPL_JOINT_FREE && (dpl__bullet_is_fixed(mechanism, joint->parent) ||
                                             dpl__bullet_is_fixed(mechanism, joint->child));
}

bool dpl__bullet_is_loose(const struct dpl_sim_mechanism *mechanism)
{
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        if (dpl__bullet_is_fixed(mechanism, (int)i)) {
            return false;
        }
    }
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        if (holds_to_rest(mechanism, &mechanism->joints[i])) {
            return false;
        }
    }
    return mechanism->n_bodies > 0;
}

static struct dpl_pose3 inverse(struct dpl_pose3 pose)
{
    return dpl_pose3_relative(pose, (struct dpl_pose3){.orientation.w = 1.0});
}

struct dpl_pose3 dpl__bullet_frame(const struct dpl_world *world, int robot)
{
    const struct dpl_sim_state *state = dpl_world_state(world);
    const struct dpl_sim_mechanism *mechanism =
        dpl__bullet_part(&dpl_world_model(world)->robots[robot]);
    struct dpl_pose3 first = dpl_sim_body_pose3(state, state->robots[robot].first_body);
    return dpl_pose3_compose(first, inverse(mechanism->bodies[0].pose));
}

int dpl__bullet_place(void *data, int robot, struct dpl_pose2 pose)
{
    struct dpl_bullet_world *world = data;
    const struct dpl_sim_span *span = &world->state->robots[robot];
    if (!dpl__bullet_is_loose(dpl__bullet_part(&dpl_world_model(world->world)->robots[robot]))) {
        return -EINVAL;
    }
    struct dpl_pose3 was = dpl__bullet_frame(world->world, robot);
    struct dpl_solver_pose by =
        dpl__site_pose(dpl_pose3_compose(dpl_pose3_from_planar(pose), inverse(was)));
    int first = world->number_of[span->first_body], n = (int)span->n_bodies;
    if (dpl__solver_moved_taken_by(world->solver, first, n, &by, place_depth_m) > 0) {
        return -EBUSY;
    }
    dpl__solver_move(world->solver, first, n, &by);
    dpl__bullet_publish_bodies(world);
    return 0;
}
