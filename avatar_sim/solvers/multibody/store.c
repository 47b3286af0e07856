/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a system as the start of a graph. */
#include <string.h>

#include <doppel/sim/multibody.h>

void dpl_mb_store(const struct dpl_mb_system *system, struct dpl_mb_graph *graph)
{
    for (size_t i = 0; i < graph->n_joints; i++) {
        struct dpl_mb_joint *joint = &graph->joints[i];
        struct dpl_mb_joint_state state;
        if (joint->is_removed || joint->type == DPL_MB_RIGID ||
            dpl_mb_joint(system, (int)i, &state) != 0) {
            continue;
        }
        if (joint->type == DPL_MB_FLOAT) {
            joint->place = state.place;
        } else {
            memcpy(joint->displacement, state.displacement, sizeof joint->displacement);
        }
        memcpy(joint->velocity, state.velocity, sizeof joint->velocity);
    }
}
