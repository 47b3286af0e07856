/* SPDX-License-Identifier: Apache-2.0 */
/* Gravity and restraints, as forces and torques on bodies. */
#include <math.h>
#include <string.h>

#include <doppel/math/linear.h>

#include "oracle_rows.h"

/* Against x (spring) or its rate. */
static double effort_of(const struct dpl_mb_restraint *it, double x, double rate)
{
    switch (it->type) {
    case DPL_MB_SPRING: return -dpl_mb_law(&it->law, x, NULL);
    case DPL_MB_DAMPER: return -dpl_mb_law(&it->law, rate, NULL);
    case DPL_MB_FRICTION: break;
    }
    return -dpl_mb_law(&it->law, fabs(rate), NULL) * tanh(rate / it->regularization);
}

static void restrain_joint(const struct dpl_mb_graph *graph, const struct oracle_body *bodies,
                           const struct dpl_mb_restraint *it, double *inout_forces)
{
    const struct dpl_mb_joint *joint = &graph->joints[it->joint];
    struct pair pair;
    struct motion motion;
    double x[3];
    oracle_pair(graph, bodies, joint->frames, &pair);
    oracle_motion(joint, &pair, &motion);
    oracle_displacement(joint, &pair.place, x);
    double effort = effort_of(it, x[0], motion.velocity[0]);
    const double *s = motion.columns[0]; /* whose power is that of the effort */
    oracle_add_row(&pair, s, effort / dpl_dot(s, s, 6), inout_forces);
}

static void restrain_frames(const struct dpl_mb_graph *graph, const struct oracle_body *bodies,
                            const struct dpl_mb_restraint *it, double *inout_forces)
{
    struct pair pair;
    double along[6] = {0.0}, x; /* a force on the second body, at its frame */
    oracle_pair(graph, bodies, it->frames, &pair);
    const double *p = pair.place.position;
    if (it->distance == DPL_MB_DISTANCE) {
        x = sqrt(dpl_dot(p, p, 3));
        for (int i = 0; x > 1e-9 && i < 3; i++) { /* nearer, there is no direction: no force */
            along[3 + i] = p[i] / x;
        }
    } else {
        int axis = (int)(it->distance - DPL_MB_DISTANCE_X);
        x = p[axis];
        along[3 + axis] = 1.0;
    }
    double effort = effort_of(it, x, dpl_dot(along, pair.twist, 6));
    oracle_add_row(&pair, along, effort, inout_forces);
}

void oracle_forces(const struct dpl_mb_graph *graph, const struct oracle_body *bodies,
                   double *ret_forces)
{
    memset(ret_forces, 0, 6 * (graph->n_bodies - 1) * sizeof *ret_forces);
    for (size_t i = 1; i < graph->n_bodies; i++) {
        const struct dpl_mb_body *body = &graph->bodies[i];
        double *at = &ret_forces[6 * (i - 1)], arm[3];
        oracle_turn(bodies[i].place.rotation, body->centre, arm);
        for (int k = 0; k < 3; k++) {
            at[k] = body->mass * graph->gravity[k];
        }
        oracle_cross(arm, at, &at[3]);
    }
    for (size_t i = 0; i < graph->n_restraints; i++) {
        const struct dpl_mb_restraint *it = &graph->restraints[i];
        if (!dpl_mb_is_active(graph, DPL_MB_RESTRAINT, (int)i)) {
            continue;
        }
        if (it->joint >= 0) {
            restrain_joint(graph, bodies, it, ret_forces);
        } else {
            restrain_frames(graph, bodies, it, ret_forces);
        }
    }
}
