/* SPDX-License-Identifier: Apache-2.0 */
/* Joint types, and the checks of what connects others: joints, gears, restraints. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "graph_store.h"

static const struct dpl_place nowhere;

static const struct {
    int freedoms;
    bool turns[3];
} types[DPL_MB_JOINT_TYPES] = {
    [DPL_MB_RX] = {1, {true}},
    [DPL_MB_RY] = {1, {true}},
    [DPL_MB_RZ] = {1, {true}},
    [DPL_MB_TX] = {1, {false}},
    [DPL_MB_TY] = {1, {false}},
    [DPL_MB_TZ] = {1, {false}},
    [DPL_MB_RIGID] = {0, {false}},
    [DPL_MB_FLOAT] = {6, {false, false, false}},
    [DPL_MB_CYLINDRICAL] = {2, {false, true}},
    [DPL_MB_UNIVERSAL] = {2, {true, true}},
    [DPL_MB_PLANAR] = {3, {false, false, true}},
    [DPL_MB_SPHERICAL] = {3, {true, true, true}},
    [DPL_MB_SCREW] = {1, {true}},
};

const char *const dpl_mb_joint_words[DPL_MB_JOINT_TYPES] = {
    [DPL_MB_RX] = "Rx",
    [DPL_MB_RY] = "Ry",
    [DPL_MB_RZ] = "Rz",
    [DPL_MB_TX] = "Tx",
    [DPL_MB_TY] = "Ty",
    [DPL_MB_TZ] = "Tz",
    [DPL_MB_RIGID] = "rigid",
    [DPL_MB_FLOAT] = "float",
    [DPL_MB_CYLINDRICAL] = "cylindrical",
    [DPL_MB_UNIVERSAL] = "universal",
    [DPL_MB_PLANAR] = "planar",
    [DPL_MB_SPHERICAL] = "spherical",
    [DPL_MB_SCREW] = "screw",
};

int dpl_mb_joint_freedoms(enum dpl_mb_joint_type type)
{
    return types[type].freedoms;
}

bool dpl_mb_joint_turns(enum dpl_mb_joint_type type, int i)
{
    return i < 3 ? types[type].turns[i] : type == DPL_MB_FLOAT;
}

/* Two frames that are there, of two bodies. */
static int check_frames(const struct dpl_mb_graph *graph, const int frames[2],
                        struct dpl_diag *reterr)
{
    for (int i = 0; i < 2; i++) {
        int err = dpl__mb_check_there(graph, DPL_MB_FRAME, frames[i], reterr);
        if (err) {
            return err;
        }
    }
    int body = graph->frames[frames[0]].body;
    if (body == graph->frames[frames[1]].body) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "both ends are on the body \"%s\", expected two bodies",
                        graph->bodies[body].name);
    }
    return 0;
}

/* ---- joints ---- */

/* Whether limits and a motor know which coordinate is meant. */
static bool has_first_coordinate(enum dpl_mb_joint_type type)
{
    return types[type].freedoms > 0 && type != DPL_MB_FLOAT && type != DPL_MB_SPHERICAL;
}

static int check_limit(const struct dpl_mb_joint *joint, struct dpl_diag *reterr)
{
    const struct dpl_mb_limit *limit = &joint->limit;
    if (!limit->is_there) {
        return 0;
    }
    if (!has_first_coordinate(joint->type)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "a %s joint has no single coordinate for a limit",
                        dpl_mb_joint_words[joint->type]);
    }
    if (!(limit->lower <= limit->upper) || limit->lower == HUGE_VAL || limit->upper == -HUGE_VAL) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "the limits are %g and %g, expected the lower one first", limit->lower,
                        limit->upper);
    }
    if (!(limit->stiffness >= 0.0 && limit->damping >= 0.0) || !isfinite(limit->stiffness) ||
        !isfinite(limit->damping)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "the stiffness of a limit is %g and its damping %g, expected 0 or more",
                        limit->stiffness, limit->damping);
    }
    return 0;
}

static int check_motor(const struct dpl_mb_joint *joint, struct dpl_diag *reterr)
{
    const struct dpl_mb_motor *motor = &joint->motor;
    if (motor->mode == DPL_MB_MOTOR_NONE) {
        return 0;
    }
    if ((int)motor->mode < 0 || motor->mode > DPL_MB_MOTOR_POSITION) {
        return dpl_fail(reterr, -EINVAL, nowhere, "%d is no mode of a motor", (int)motor->mode);
    }
    if (!has_first_coordinate(joint->type)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "a %s joint has no single coordinate for a motor",
                        dpl_mb_joint_words[joint->type]);
    }
    const double numbers[3] = {motor->kp, motor->kd, motor->max};
    if (!dpl__mb_all_finite(numbers, 3) || motor->kp < 0.0 || motor->kd < 0.0 || motor->max < 0.0) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "the motor has kp %g, kd %g and max %g, expected 0 or more", motor->kp,
                        motor->kd, motor->max);
    }
    return 0;
}

/* The displacement, the velocity, the pitch. What the type does not use becomes 0. */
static int check_start(struct dpl_mb_joint *inout_joint, struct dpl_diag *reterr)
{
    int n = types[inout_joint->type].freedoms;
    for (int i = inout_joint->type == DPL_MB_FLOAT ? 0 : n; i < 3; i++) {
        inout_joint->displacement[i] = 0.0;
    }
    for (int i = n; i < 6; i++) {
        inout_joint->velocity[i] = 0.0;
    }
    if (inout_joint->type != DPL_MB_SCREW) {
        inout_joint->pitch = 0.0;
    }
    if (!dpl__mb_all_finite(inout_joint->displacement, 3)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the displacement is not finite");
    }
    if (!dpl__mb_all_finite(inout_joint->velocity, 6)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the velocity is not finite");
    }
    if (!isfinite(inout_joint->pitch)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the pitch is not finite");
    }
    if (inout_joint->type == DPL_MB_RIGID || inout_joint->type == DPL_MB_FLOAT) {
        return dpl__mb_check_place(&inout_joint->place, reterr);
    }
    inout_joint->place = dpl_mb_place_identity;
    return 0;
}

int dpl__mb_check_joint(const struct dpl_mb_graph *graph, struct dpl_mb_joint *inout_joint,
                        struct dpl_diag *reterr)
{
    int err =
        dpl__mb_check_new(graph, DPL_MB_JOINT, inout_joint->assembly, inout_joint->name, reterr);
    if (err) {
        return err;
    }
    if ((int)inout_joint->type < 0 || inout_joint->type >= DPL_MB_JOINT_TYPES) {
        return dpl_fail(reterr, -EINVAL, nowhere, "%d is no type of a joint",
                        (int)inout_joint->type);
    }
    err = check_frames(graph, inout_joint->frames, reterr);
    err = err ? err : check_start(inout_joint, reterr);
    err = err ? err : check_limit(inout_joint, reterr);
    return err ? err : check_motor(inout_joint, reterr);
}

/* ---- gears and restraints ---- */

/* A joint that is there, with one coordinate. */
static int check_single(const struct dpl_mb_graph *graph, int number, struct dpl_diag *reterr)
{
    int err = dpl__mb_check_there(graph, DPL_MB_JOINT, number, reterr);
    if (err) {
        return err;
    }
    const struct dpl_mb_joint *joint = &graph->joints[number];
    int n = types[joint->type].freedoms;
    return n == 1 ? 0
                  : dpl_fail(reterr, -EINVAL, nowhere,
                             "the %s joint \"%s\" has %d coordinates, expected 1",
                             dpl_mb_joint_words[joint->type], joint->name, n);
}

int dpl__mb_check_gear(const struct dpl_mb_graph *graph, const struct dpl_mb_gear *gear,
                       struct dpl_diag *reterr)
{
    int err = dpl__mb_check_new(graph, DPL_MB_GEAR, gear->assembly, gear->name, reterr);
    err = err ? err : check_single(graph, gear->joints[0], reterr);
    err = err ? err : check_single(graph, gear->joints[1], reterr);
    if (err) {
        return err;
    }
    if (gear->joints[0] == gear->joints[1]) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "both joints are the joint \"%s\", expected two joints",
                        graph->joints[gear->joints[0]].name);
    }
    if (!isfinite(gear->ratio) || gear->ratio == 0.0) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the ratio is %g, expected a number other than 0",
                        gear->ratio);
    }
    return 0;
}

int dpl__mb_check_restraint(const struct dpl_mb_graph *graph,
                            const struct dpl_mb_restraint *restraint, struct dpl_diag *reterr)
{
    int err =
        dpl__mb_check_new(graph, DPL_MB_RESTRAINT, restraint->assembly, restraint->name, reterr);
    if (err) {
        return err;
    }
    if ((int)restraint->type < 0 || restraint->type > DPL_MB_FRICTION) {
        return dpl_fail(reterr, -EINVAL, nowhere, "%d is no type of a restraint",
                        (int)restraint->type);
    }
    err = restraint->joint == -1 ? check_frames(graph, restraint->frames, reterr)
                                 : check_single(graph, restraint->joint, reterr);
    if (err) {
        return err;
    }
    if (restraint->joint == -1 &&
        ((int)restraint->distance < 0 || restraint->distance > DPL_MB_DISTANCE_Z)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "%d is no type of a distance",
                        (int)restraint->distance);
    }
    double v0 = restraint->regularization;
    if (restraint->type == DPL_MB_FRICTION && !(v0 > 0.0 && isfinite(v0))) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "the regularization of friction is %g, expected more than 0", v0);
    }
    return dpl__mb_check_law(&restraint->law, reterr);
}
