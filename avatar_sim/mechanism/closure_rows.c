/* SPDX-License-Identifier: Apache-2.0 */
/* Equations of loops, gears and mimics: see closure.h. */
#include <string.h>

#include <doppel/math/vector3.h>

#include "closure.h"

/* One row of derivatives; NULL: not wanted. */
static double *row_at(const struct dpl__closure *closure, double *rows, int number)
{
    return rows ? rows + (long)number * closure->n_unknowns : NULL;
}

/* Adds the speed of a body's point along `along`, and of its turn about `about`. */
static void add_motion(const struct dpl__closure *closure, int body, struct dpl_vector3 along,
                       struct dpl_vector3 point, struct dpl_vector3 about, double *inout_row)
{
    const struct dpl__assembly *assembly = closure->assembly;
    struct dpl_vector3 moment = dpl_vector3_add(about, dpl_vector3_cross(point, along));
    int at = body < 0 ? -1 : assembly->link_of[body];
    for (; at >= 0 && inout_row; at = assembly->links[at].up) {
        const struct dpl__tree_link *link = &assembly->links[at];
        int n = link->first < 0 ? 0 : dpl__link_unknowns(assembly, link);
        for (int i = 0; i < n; i++) {
            struct dpl__motion motion = dpl__link_motion(assembly, link, i);
            inout_row[link->first + i] +=
                dpl_vector3_dot(along, motion.travel) + dpl_vector3_dot(moment, motion.turn);
        }
    }
}

/* ---- loops ---- */

static bool locks_travel(enum dpl_sim_joint_type type, int axis)
{
    bool slides = type == DPL_JOINT_SLIDER || type == DPL_JOINT_CYLINDRICAL;
    return axis == 2 ? !slides : type != DPL_JOINT_PLANAR;
}

static int locked_turns(enum dpl_sim_joint_type type)
{
    switch (type) {
    case DPL_JOINT_FIXED:
    case DPL_JOINT_SLIDER: return 3;
    case DPL_JOINT_HINGE:
    case DPL_JOINT_CYLINDRICAL:
    case DPL_JOINT_PLANAR: return 2;
    case DPL_JOINT_UNIVERSAL: return 1;
    default: return 0;
    }
}

void dpl__equation_size(const struct dpl_sim_mechanism *mechanism, struct dpl__equation *inout)
{
    inout->n = 1;
    inout->n_travel = 0;
    if (inout->kind == DPL_EQUATION_LOOP) {
        enum dpl_sim_joint_type type = mechanism->joints[inout->number].type;
        for (int i = 0; i < 3; i++) {
            inout->n_travel += locks_travel(type, i);
        }
        inout->n = inout->n_travel + locked_turns(type);
    }
}

/* The turn from one direction to another, as a vector; half a turn about `spare` where they are
 * opposite. */
static struct dpl_vector3 turn_between(struct dpl_vector3 a, struct dpl_vector3 b,
                                       struct dpl_vector3 spare)
{
    struct dpl_vector3 cross = dpl_vector3_cross(a, b);
    double sine = dpl_vector3_length(cross), cosine = dpl_vector3_dot(a, b);
    if (sine < 1e-9) {
        return cosine > 0.0 ? cross : dpl_vector3_times(spare, DPL_PI);
    }
    return dpl_vector3_times(cross, atan2(sine, cosine) / sine);
}

/* The turn from one frame to another, in the axes of both frames' outer frame. */
static struct dpl_vector3 turn_of(const struct dpl_pose3 *a, const struct dpl_pose3 *b)
{
    struct dpl_quaternion q =
        dpl_quaternion_multiply(b->orientation, dpl_quaternion_conjugate(a->orientation));
    struct dpl_vector3 half = {q.x, q.y, q.z};
    double sine = dpl_vector3_length(half), sign = q.w < 0.0 ? -1.0 : 1.0;
    double share = sine > 1e-9 ? 2.0 * atan2(sine, fabs(q.w)) / sine : 2.0;
    return dpl_vector3_times(half, sign * share);
}

static void add_relative(const struct dpl__closure *closure, const struct dpl_sim_joint *joint,
                         struct dpl_vector3 along, struct dpl_vector3 point,
                         struct dpl_vector3 about, double *inout_row)
{
    add_motion(closure, joint->child, along, point, about, inout_row);
    add_motion(closure, joint->parent, dpl_vector3_times(along, -1.0), point,
               dpl_vector3_times(about, -1.0), inout_row);
}

static void loop_rows(const struct dpl__closure *closure, const struct dpl__equation *equation,
                      double *ret_errors, double *inout_rows)
{
    const struct dpl_sim_joint *joint = &closure->assembly->mechanism->joints[equation->number];
    struct dpl_pose3 a = dpl__assembly_frame(closure->assembly, joint->parent, &joint->in_parent);
    struct dpl_pose3 b = dpl__assembly_frame(closure->assembly, joint->child, &joint->in_child);
    struct dpl_vector3 apart = dpl_vector3_minus(b.position, a.position), none = {0};
    double share = 1.0 / closure->assembly->length;
    int at = equation->first;
    for (int i = 0; i < 3; i++) {
        if (locks_travel(joint->type, i)) {
            struct dpl_vector3 along = dpl_vector3_times(dpl__axis(&a, i), share);
            ret_errors[at] = dpl_vector3_dot(along, apart);
            add_relative(closure, joint, along, b.position, none, row_at(closure, inout_rows, at));
            at++;
        }
    }
    struct dpl_vector3 za = dpl__axis(&a, 2), xb = dpl__axis(&b, 0);
    struct dpl_vector3 turn = locked_turns(joint->type) == 3
                                  ? turn_of(&a, &b)
                                  : turn_between(za, dpl__axis(&b, 2), dpl__axis(&a, 0));
    for (int i = 0; i < locked_turns(joint->type); i++) {
        bool is_universal = joint->type == DPL_JOINT_UNIVERSAL;
        struct dpl_vector3 about = is_universal ? dpl_vector3_cross(xb, za) : dpl__axis(&a, i);
        ret_errors[at] = is_universal ? dpl_vector3_dot(za, xb) : dpl_vector3_dot(about, turn);
        add_relative(closure, joint, none, b.position, about, row_at(closure, inout_rows, at));
        at++;
    }
}

/* ---- couplings ---- */

static double norm_of_gear(const struct dpl_sim_joint *gear)
{
    return hypot(1.0, gear->gear_ratio);
}

static bool gear_speed(const struct dpl__closure *closure, const struct dpl_sim_joint *gear,
                       bool of_child, double factor, double *inout_row)
{
    int body = of_child ? gear->child : gear->parent;
    struct dpl_pose3 frame =
        dpl__assembly_frame(closure->assembly, body, of_child ? &gear->in_child : &gear->in_parent);
    struct dpl_vector3 none = {0};
    add_motion(closure, body, none, none, dpl_vector3_times(dpl__axis(&frame, 2), factor),
               inout_row);
    return body >= 0 && closure->assembly->link_of[body] >= 0;
}

static const struct dpl__tree_link *link_of(const struct dpl__closure *closure, int joint)
{
    return &closure->assembly->links[closure->assembly->link_by[joint]];
}

static bool is_slider(const struct dpl__closure *closure, int joint)
{
    return closure->assembly->mechanism->joints[joint].type == DPL_JOINT_SLIDER;
}

/* As a share of the assembly's length, or rad. */
static double scale_of(const struct dpl__closure *closure, int joint)
{
    return is_slider(closure, joint) ? 1.0 / closure->assembly->length : 1.0;
}

static void mimic_row(const struct dpl__closure *closure, const struct dpl__equation *equation,
                      double *ret_errors, double *inout_rows)
{
    const struct dpl_sim_mimic *mimic = &closure->assembly->mechanism->mimics[equation->number];
    const struct dpl__tree_link *leader = link_of(closure, mimic->leader);
    const struct dpl__tree_link *follower = link_of(closure, mimic->follower);
    double of_leader = scale_of(closure, mimic->leader);
    double of_follower = scale_of(closure, mimic->follower);
    double *row = row_at(closure, inout_rows, equation->first);
    double norm = hypot(1.0, mimic->ratio * of_follower / of_leader);
    ret_errors[equation->first] =
        of_follower * (follower->value - mimic->ratio * leader->value - mimic->offset) / norm;
    if (row) {
        row[follower->first] += 1.0 / norm;
        row[leader->first] -= mimic->ratio * of_follower / (of_leader * norm);
    }
}

bool dpl__equation_speed(const struct dpl__closure *closure, const struct dpl__equation *equation,
                         bool of_child, double *ret_row)
{
    const struct dpl_sim_mechanism *mechanism = closure->assembly->mechanism;
    memset(ret_row, 0, (size_t)closure->n_unknowns * sizeof *ret_row);
    if (equation->kind == DPL_EQUATION_GEAR) {
        return gear_speed(closure, &mechanism->joints[equation->number], of_child, 1.0, ret_row);
    }
    const struct dpl_sim_mimic *mimic = &mechanism->mimics[equation->number];
    ret_row[link_of(closure, of_child ? mimic->follower : mimic->leader)->first] = 1.0;
    return true;
}

void dpl__closure_rows(const struct dpl__closure *closure, double *ret_errors, double *ret_rows)
{
    if (ret_rows) {
        memset(ret_rows, 0,
               (size_t)closure->n_rows * (size_t)closure->n_unknowns * sizeof *ret_rows);
    }
    for (int i = 0; i < closure->n_equations; i++) {
        const struct dpl__equation *equation = &closure->equations[i];
        const struct dpl_sim_joint *joint = &closure->assembly->mechanism->joints[equation->number];
        double *row = row_at(closure, ret_rows, equation->first);
        switch (equation->kind) {
        case DPL_EQUATION_LOOP: loop_rows(closure, equation, ret_errors, ret_rows); break;
        case DPL_EQUATION_GEAR:
            gear_speed(closure, joint, false, 1.0 / norm_of_gear(joint), row);
            gear_speed(closure, joint, true, joint->gear_ratio / norm_of_gear(joint), row);
            ret_errors[equation->first] = equation->drift;
            break;
        case DPL_EQUATION_MIMIC: mimic_row(closure, equation, ret_errors, ret_rows); break;
        }
    }
}
