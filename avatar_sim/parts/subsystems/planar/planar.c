/* SPDX-License-Identifier: Apache-2.0 */
/* Mobile bases by kinematics alone: for fleets and sweeps. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "channels_mobile.h"
#include "mobile_state.h"
#include "mobile_xml.h"
#include "planar_state.h"
#include "world_state.h"

static const struct dpl_place nowhere;

static void count(const struct dpl_sim_robot *robot, struct dpl_sim_span *inout)
{
    const struct dpl_sim_mobile *base = robot->part;
    inout->n_bodies = 1;
    inout->n_joints = (unsigned)base->n_wheels + base->has_steering;
}

static bool has_steered_wheel(const struct dpl_sim_mobile *base)
{
    for (size_t i = 0; i < base->n_wheels; i++) {
        if (base->wheels[i].steered) {
            return true;
        }
    }
    return false;
}

static int check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    const struct dpl_sim_mobile *base = robot->part;
    struct dpl_planar_twist shares[DPL_PLANAR_WHEELS_MAX];
    struct dpl_planar_steer steer;
    int err = dpl__mobile_check_parts(robot, reterr);
    if (err == 0 && base->n_wheels > DPL_PLANAR_WHEELS_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere, "robot '%s' has %zu wheels, expected at most %d",
                        robot->name, base->n_wheels, DPL_PLANAR_WHEELS_MAX);
    }
    if (err == 0 && base->has_steering) {
        return dpl__planar_steer_of(base, &steer, reterr);
    }
    if (err == 0 && has_steered_wheel(base)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "robot '%s' has a steered wheel, but no <steering>", robot->name);
    }
    if (err == 0 && dpl__planar_shares(base, shares) < 0) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "the wheels of robot '%s' do not hold it in all directions", robot->name);
    }
    return err;
}

/* ---- building ---- */

static void publish(const struct dpl_planar *planar, const struct dpl_planar_robot *robot,
                    const struct dpl_planar_twist *twist)
{
    const struct dpl_sim_bodies *bodies = &planar->state->bodies;
    double c = cos(robot->pose.theta), s = sin(robot->pose.theta);
    const double position[3] = {robot->pose.x, robot->pose.y, 0.0};
    const double rotation[3][3] = {{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}};
    const double velocity[3] = {c * twist->ahead - s * twist->left,
                                s * twist->ahead + c * twist->left, 0.0};
    const double angular[3] = {0.0, 0.0, twist->turn};
    memcpy(bodies->position[robot->body], position, sizeof position);
    memcpy(bodies->rotation[robot->body], rotation, sizeof rotation);
    memcpy(bodies->velocity[robot->body], velocity, sizeof velocity);
    memcpy(bodies->angular[robot->body], angular, sizeof angular);
}

/* Reach, and the stride in which it cannot pass through anything: half of its narrowest shape. */
static void measure(struct dpl_planar_robot *robot)
{
    robot->stride = (double)INFINITY;
    for (size_t i = 0; i < robot->n_shapes; i++) {
        const struct dpl_footprint *shape = &robot->shapes[i];
        double far = hypot(shape->x, shape->y) + dpl__footprint_reach(shape);
        robot->reach = fmax(robot->reach, far);
        robot->stride = fmin(robot->stride, fmin(shape->half_x, shape->half_y) + shape->radius);
    }
}

static int make_robot(struct dpl_planar *planar, struct dpl_world *world, size_t number)
{
    const struct dpl_sim_robot *model = &planar->model->robots[number];
    const struct dpl_sim_span *span = &planar->state->robots[number];
    struct dpl_planar_robot *robot = &planar->robots[planar->n];
    const struct dpl_sim_mobile *base = model->part;
    *robot = (struct dpl_planar_robot){
        .robot = (int)number,
        .body = span->first_body,
        .first_joint = span->first_joint,
        .base = base,
        .shares = dpl_world_alloc(world, base->n_wheels, sizeof *robot->shares),
        .rolls = dpl_world_alloc(world, base->n_wheels, sizeof *robot->rolls),
        .shapes = dpl_world_alloc(world, model->n_shapes, sizeof *robot->shapes),
        .n_shapes = model->n_shapes,
        .pose = model->start,
    };
    if (!robot->shares || !robot->rolls || !robot->shapes) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < model->n_shapes; i++) {
        robot->shapes[i] = dpl__footprint_of(&model->shapes[i]);
    }
    measure(robot);
    planar->widest = fmax(planar->widest, robot->reach);
    planar->by_x[planar->n] = (unsigned)planar->n;
    planar->n++;
    return base->has_steering ? dpl__planar_steer_of(base, &robot->steer, NULL)
                              : dpl__planar_shares(base, robot->shares);
}

static int build(void *data, const struct dpl_subsystem_site *site, struct dpl_diag *reterr)
{
    struct dpl_planar *planar = data;
    size_t n = site->model->n_robots;
    (void)reterr;
    planar->model = site->model;
    planar->state = site->state;
    planar->robots = dpl_world_alloc(site->world, n, sizeof *planar->robots);
    planar->by_x = dpl_world_alloc(site->world, n, sizeof *planar->by_x);
    int err = planar->robots && planar->by_x
                  ? dpl__footprint_tree_build(&planar->tree, site->world, site->model)
                  : -ENOMEM;
    for (size_t i = 0; i < n && err == 0; i++) {
        if (site->model->robots[i].subsystem == &dpl_planar_subsystem) {
            err = make_robot(planar, site->world, i);
        }
    }
    const struct dpl_planar_twist rest = {0};
    for (size_t i = 0; i < planar->n && err == 0; i++) {
        publish(planar, &planar->robots[i], &rest);
        const struct dpl_sim_mobile *base = planar->robots[i].base;
        for (size_t k = 0; k < base->n_wheels + base->has_steering; k++) {
            site->state->joints.effort[planar->robots[i].first_joint + (int)k] = (double)NAN;
        }
    }
    return err;
}

/* ---- stepping ---- */

/* The motion with a steering, if it has one, at `angle`; notes how the wheels turn. */
static struct dpl_planar_twist twist_of(const struct dpl_planar *planar,
                                        const struct dpl_planar_robot *robot, double angle)
{
    const double *speeds = &planar->state->joints.speed[robot->first_joint];
    struct dpl_planar_twist twist = {0};
    if (robot->base->has_steering) {
        return dpl__planar_steered(robot->base, &robot->steer, angle, speeds, robot->rolls);
    }
    for (size_t i = 0; i < robot->base->n_wheels; i++) {
        robot->rolls[i] = speeds[i];
        twist.ahead += robot->shares[i].ahead * speeds[i];
        twist.left += robot->shares[i].left * speeds[i];
        twist.turn += robot->shares[i].turn * speeds[i];
    }
    return twist;
}

/* Turns the steering, also of a robot that something stops. Returns its angle in the middle of the
 * step: the arc of that angle differs from the way of all of them by the third power of the step.
 */
static double turn_steering(const struct dpl_planar *planar, const struct dpl_planar_robot *robot,
                            double dt)
{
    const struct dpl_sim_joints *joints = &planar->state->joints;
    int joint = robot->first_joint + (int)robot->base->n_wheels;
    if (!robot->base->has_steering) {
        return 0.0;
    }
    double way = joints->speed[joint] * dt, middle = joints->position[joint] + 0.5 * way;
    joints->velocity[joint] = joints->speed[joint];
    joints->position[joint] += way;
    return middle;
}

/* A robot that something stops has wheels that stand still: they do not slip. */
static void turn_wheels(const struct dpl_planar *planar, const struct dpl_planar_robot *robot,
                        double share, double dt)
{
    const struct dpl_sim_joints *joints = &planar->state->joints;
    for (size_t i = 0; i < robot->base->n_wheels; i++) {
        int joint = robot->first_joint + (int)i;
        joints->velocity[joint] = share * robot->rolls[i];
        joints->position[joint] += joints->velocity[joint] * dt;
    }
}

static void add_contact(const struct dpl_planar *planar, const struct dpl_planar_robot *robot,
                        const struct dpl_planar_hit *hit)
{
    struct dpl_sim_contacts *contacts = &planar->state->contacts;
    if (contacts->n < contacts->capacity) {
        const double height = 0.5 * (robot->shapes[0].low + robot->shapes[0].high);
        contacts->items[contacts->n++] = (struct dpl_sim_contact){
            .a = robot->body,
            .b = hit->contact,
            .point = {hit->point[0], hit->point[1], height},
        };
    }
}

static void step_robot(struct dpl_planar *planar, struct dpl_planar_robot *robot, double dt)
{
    struct dpl_planar_twist twist = twist_of(planar, robot, turn_steering(planar, robot, dt));
    struct dpl_planar_hit hit;
    double share = dpl__planar_free(planar, robot, &twist, dt, &hit);
    robot->pose = dpl__planar_along(robot->pose, &twist, share * dt);
    turn_wheels(planar, robot, share, dt);
    if (share < 1.0) {
        twist =
            (struct dpl_planar_twist){share * twist.ahead, share * twist.left, share * twist.turn};
        add_contact(planar, robot, &hit);
    }
    publish(planar, robot, &twist);
}

/* One after another, in the order of the world's file. */
static void step(void *data, const struct dpl_sim_tick *tick)
{
    struct dpl_planar *planar = data;
    planar->is_sorted = false;
    planar->longest = 0.0;
    for (size_t i = 0; i < planar->n; i++) {
        step_robot(planar, &planar->robots[i], tick->dt);
    }
}

static int place(void *data, int robot, struct dpl_pose2 pose)
{
    struct dpl_planar *planar = data;
    struct dpl_planar_robot *placed = planar->robots;
    while (placed->robot != robot) {
        placed++; /* only robots of this subsystem are asked for */
    }
    if (dpl__planar_is_taken(planar, placed, pose)) {
        return -EBUSY;
    }
    placed->pose = pose;
    for (size_t i = 0; i < planar->n; i++) { /* it may be next to any of them now */
        planar->robots[i].clear_robots = 0.0;
    }
    placed->clear = 0.0;
    int joint = placed->first_joint + (int)placed->base->n_wheels;
    double angle = placed->base->has_steering ? planar->state->joints.position[joint] : 0.0;
    struct dpl_planar_twist twist = twist_of(planar, placed, angle);
    publish(planar, placed, &twist);
    return 0;
}

const struct dpl_subsystem_class dpl_planar_subsystem = {
    .name = "planar",
    .noun = "mobile base",
    .summary = "bases that roll exactly as their wheels say, and stop where something is",
    .instead_of = &dpl_mobile_subsystem,
    .changes = {dpl__mobile_change_fields, DPL_MOBILE_CHANGE_FIELDS,
                sizeof(struct dpl__mobile_changes), &dpl__mobile_changes_unset},
    .change = dpl__mobile_change,
    .check = check,
    .check_starts = dpl__planar_check_starts,
    .show = dpl__mobile_show,
    .count = count,
    .data_size = sizeof(struct dpl_planar),
    .build = build,
    .step = step,
    .place = place,
    .channels = &dpl__mobile_channels,
};
