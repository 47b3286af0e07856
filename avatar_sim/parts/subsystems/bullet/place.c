/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms that can be put elsewhere as a whole: where they are, and putting them. */
#include <errno.h>

#include <doppel/math/vector3.h>

#include "bullet_state.h"
#include "disjoint_sets.h"
#include "mechanism_site.h"

static bool holds_to_rest(const struct dpl_sim_mechanism *mechanism,
                          const struct dpl_sim_joint *joint)
{
    return joint->type != DPL_JOINT_FREE && (dpl__stands_still(mechanism, joint->parent) ||
                                             dpl__stands_still(mechanism, joint->child));
}

/* Whether joints connect all bodies with the first. */
static bool is_one_piece(const struct dpl_sim_mechanism *mechanism)
{
    bool reached[DPL_MECHANISM_BODIES_MAX] = {true};
    size_t n = 1, before = 0;
    while (n > before) {
        before = n;
        for (size_t i = 0; i < mechanism->n_joints; i++) {
            const struct dpl_sim_joint *joint = &mechanism->joints[i];
            if (dpl__bullet_constrains(joint) && reached[joint->parent] != reached[joint->child]) {
                reached[joint->parent] = reached[joint->child] = true;
                n++;
            }
        }
    }
    return n == mechanism->n_bodies;
}

bool dpl__bullet_is_loose(const struct dpl_sim_mechanism *mechanism)
{
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        if (dpl__stands_still(mechanism, (int)i)) {
            return false;
        }
    }
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        if (joint->type == DPL_JOINT_BELT || holds_to_rest(mechanism, joint)) {
            return false; /* a belt counts travels in the world */
        }
    }
    return mechanism->n_bodies > 0 && is_one_piece(mechanism);
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
    if (dpl__solver_moved_taken_by(world->solver, first, n, &by, DPL_RIGID_PLACE_M) >= 0) {
        return -EBUSY;
    }
    dpl__solver_move(world->solver, first, n, &by);
    dpl__bullet_publish_bodies(world);
    return 0;
}
