/* SPDX-License-Identifier: Apache-2.0 */
/* How fast the springs of a joint swing: dpl_mechanism_spring_rate. */
#include <doppel/sim/mechanism.h>

#include <doppel/math/vector3.h>

/* Stiffness of a joint at one of its bodies: of travel in N/m, of turn in N m/rad. An explicit step
 * of a spring with a damper c is stable while (w dt)^2 + 2 c dt / m < 4; so the damper counts like
 * a spring of 2 c / dt. Dampers of springs and of soft limits are solved with the step, and those
 * of ropes as if each rope were alone: they do not count. The teeth of a play are such a spring
 * while they touch; they do not decide whether a belt is solved with the step, which would not help
 * them. */
struct stiffness {
    double travel, turn;
};

static struct stiffness stiffness_of(const struct dpl_sim_joint *joint, bool at_parent,
                                     bool for_belts, double per_damping)
{
    struct stiffness sum = {0};
    for (int i = 0; i < dpl_sim_joint_freedoms(joint->type); i++) {
        const struct dpl_sim_limit *limit = &joint->limits[i];
        bool is_soft = limit->is_there && limit->stiffness > 0.0;
        const struct dpl_sim_spring *teeth = &joint->teeth[i];
        double k =
            (joint->springs[i].is_there ? joint->springs[i].stiffness : 0.0) +
            (is_soft ? limit->stiffness : 0.0) +
            (teeth->is_there && !for_belts ? teeth->stiffness + per_damping * teeth->damping : 0.0);
        *(dpl_sim_joint_turns(joint->type, i) ? &sum.turn : &sum.travel) += k;
    }
    if (joint->type == DPL_JOINT_ROPE) {
        bool is_other = joint->rope.radius != 0.0 && !at_parent;
        sum.travel +=
            joint->rope.ea / (is_other ? joint->rope.free_length_child : joint->rope.free_length);
    }
    if (joint->type == DPL_JOINT_BELT) {
        double ratio = at_parent ? joint->belt.ratio : 1.0;
        sum.travel += (joint->belt.stiffness + per_damping * joint->belt.damping) * ratio * ratio;
    }
    return sum;
}

static bool may_condense(const struct dpl_sim_joint *joint)
{
    return joint->type == DPL_JOINT_BELT && joint->belt.condense != DPL_CONDENSE_NEVER;
}

/* Of all joints at a body. */
static struct stiffness stiffness_at(const struct dpl_sim_mechanism *mechanism, int body,
                                     bool for_belts, double per_damping)
{
    struct stiffness sum = {0};
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        bool is_here = joint->parent == body || joint->child == body;
        if (is_here && (for_belts || !may_condense(joint))) {
            struct stiffness one =
                stiffness_of(joint, joint->parent == body, for_belts, per_damping);
            sum.travel += one.travel;
            sum.turn += one.turn;
        }
    }
    return sum;
}

/* Adds one end of the joint to the squares of both frequencies. */
static void add_end(const struct dpl_sim_mechanism *mechanism, int number, bool for_belts,
                    double per_damping, const struct dpl_pose3 *frame, double *inout_travel,
                    double *inout_turn)
{
    if (number < 0 || mechanism->bodies[number].is_static) {
        return;
    }
    const struct dpl_sim_body *body = &mechanism->bodies[number];
    struct stiffness k = stiffness_at(mechanism, number, for_belts, per_damping);
    struct dpl_vector3 axis =
        dpl_quaternion_turn(frame->orientation, (struct dpl_vector3){.z = 1.0});
    *inout_travel += k.travel / body->mass.mass;
    *inout_turn += k.turn / dpl_mass_about(&body->mass, frame->position, axis);
}

double dpl_mechanism_spring_rate(const struct dpl_sim_mechanism *mechanism, size_t number,
                                 double step_s)
{
    const struct dpl_sim_joint *joint = &mechanism->joints[number];
    double per_damping = step_s > 0.0 ? 2.0 / step_s : 0.0;
    bool is_belt = joint->type == DPL_JOINT_BELT;
    struct stiffness own = stiffness_of(joint, false, is_belt, per_damping);
    double travel = 0.0, turn = 0.0;
    if (!(own.travel > 0.0 || own.turn > 0.0)) {
        return 0.0;
    }
    add_end(mechanism, joint->parent, is_belt, per_damping, &joint->in_parent, &travel, &turn);
    add_end(mechanism, joint->child, is_belt, per_damping, &joint->in_child, &travel, &turn);
    return sqrt(fmax(own.travel > 0.0 ? travel : 0.0, own.turn > 0.0 ? turn : 0.0));
}

bool dpl_mechanism_is_condensed(const struct dpl_sim_mechanism *mechanism, size_t number,
                                double step_s)
{
    const struct dpl_sim_joint *joint = &mechanism->joints[number];
    return may_condense(joint) &&
           (joint->belt.condense == DPL_CONDENSE_ALWAYS ||
            dpl_mechanism_spring_rate(mechanism, number, step_s) * step_s > 1.0);
}
