/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of gears, belts and ropes: dpl__coupling_check. */
#include "coupling.h"

#include <errno.h>
#include <math.h>

#include "disjoint_sets.h"

static const struct dpl_place nowhere;

static int check_at_least_0(double value, const char *what, struct dpl_diag *reterr)
{
    return value >= 0.0 && isfinite(value)
               ? 0
               : dpl_fail(reterr, -EINVAL, nowhere, "%s is %g, expected at least 0", what, value);
}

static bool is_positive(double value)
{
    return value > 0.0 && isfinite(value);
}

static int check_sheave(const struct dpl_sim_mechanism *mechanism,
                        const struct dpl_sim_joint *joint, struct dpl_diag *reterr)
{
    const struct dpl_sim_rope *rope = &joint->rope;
    if (rope->radius == 0.0) {
        return rope->slip > 0.0 || rope->wrap > 0.0
                   ? dpl_fail(reterr, -EINVAL, nowhere, "slip and wrap are of ropes over a sheave")
                   : 0;
    }
    const struct dpl_sim_joint *sheave =
        rope->sheave < mechanism->n_joints ? &mechanism->joints[rope->sheave] : NULL;
    if (!sheave || sheave->type != DPL_JOINT_HINGE ||
        (!dpl__stands_still(mechanism, sheave->parent) &&
         !dpl__stands_still(mechanism, sheave->child))) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "the sheave of a rope is a hinge between a body and what stands still");
    }
    if (!isfinite(rope->radius) || !is_positive(rope->free_length_child) || !rope->tension_only) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "a rope over a sheave has a radius that is not 0 (%g m), a free length at "
                        "its child (%g m), and does not push",
                        rope->radius, rope->free_length_child);
    }
    if ((rope->slip > 0.0) != (rope->wrap > 0.0)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "slip and wrap go together: one of them is 0");
    }
    return 0;
}

int dpl__coupling_check(const struct dpl_sim_mechanism *mechanism,
                        const struct dpl_sim_joint *joint, struct dpl_diag *reterr)
{
    double ratio = joint->type == DPL_JOINT_GEAR ? joint->gear_ratio : joint->belt.ratio;
    bool has_ratio = joint->type == DPL_JOINT_GEAR || joint->type == DPL_JOINT_BELT;
    if (has_ratio && !is_positive(fabs(ratio))) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the ratio of a %s is %g, expected not 0",
                        dpl_sim_joint_words[joint->type], ratio);
    }
    if (joint->type == DPL_JOINT_BELT && !is_positive(joint->belt.stiffness)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "the stiffness of a belt is %g N/m, expected more than 0",
                        joint->belt.stiffness);
    }
    if (joint->type == DPL_JOINT_BELT) {
        return check_at_least_0(joint->belt.damping, "the belt's damping", reterr);
    }
    if (joint->type != DPL_JOINT_ROPE) {
        return 0;
    }
    const struct dpl_sim_rope *rope = &joint->rope;
    if (!is_positive(rope->ea) || !is_positive(rope->free_length)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "a rope has ea %g N and a free length of %g m, expected more than 0",
                        rope->ea, rope->free_length);
    }
    int err = check_at_least_0(rope->damping, "the rope's damping", reterr);
    err = err ? err : check_at_least_0(rope->slip, "the rope's slip", reterr);
    err = err ? err : check_at_least_0(rope->wrap, "the rope's wrap", reterr);
    return err ? err : check_sheave(mechanism, joint, reterr);
}
