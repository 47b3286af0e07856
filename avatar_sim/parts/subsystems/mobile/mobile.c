/* SPDX-License-Identifier: Apache-2.0 */
/* Mobile bases: rigid bodies on wheels, moved by Bullet. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/sim/channel_rows.h>

#include "channels_mobile.h"
#include "mobile_state.h"
#include "mobile_xml.h"

/* The solver iterates, so a wheel under load turns a little faster or slower than asked (some
 * 0.001 rad/s, for ever). A slow integral of that error takes it away; errors above `trim_max` are
 * real (acceleration, a motor at its limit) and left alone. */
static const double trim_gain = 0.1, trim_max = 0.3;

static void count(const struct dpl_sim_robot *robot, struct dpl_sim_span *inout)
{
    const struct dpl_sim_mobile *base = robot->part;
    inout->n_bodies = 1;
    inout->n_joints = (unsigned)base->n_wheels;
}

/* Wheels are spheres for the solver; people see discs. */
void dpl__mobile_show(const struct dpl_sim_robot *robot, dpl_sim_show *show, void *user)
{
    const struct dpl_sim_mobile *base = robot->part;
    for (size_t i = 0; i < base->n_wheels; i++) {
        const struct dpl_sim_wheel *wheel = &base->wheels[i];
        show(user, 0,
             &(struct dpl_sim_solid){
                 .kind = DPL_SOLID_CYLINDER,
                 .pose = {{wheel->x, wheel->y, wheel->radius},
                          dpl_quaternion_from_rpy(0.5 * DPL_PI, 0.0, wheel->heading)},
                 .radius = wheel->radius,
                 .height = 0.4 * wheel->radius,
                 .color = {0.15, 0.15, 0.17, 1.0},
                 .has_color = true,
             });
    }
}

/* ---- building ---- */

/* A chassis' position is that of the point of the ground below its axle. */
static void publish_chassis(const struct dpl_mobile *mobile,
                            const struct dpl_mobile_chassis *chassis)
{
    const struct dpl_sim_bodies *bodies = &mobile->state->bodies;
    struct dpl_solver_point axle;
    dpl__solver_point_of(mobile->solver, chassis->solver_body, chassis->axle, &axle);
    axle.position[2] -= chassis->axle[2];
    memcpy(bodies->position[chassis->body], axle.position, sizeof axle.position);
    memcpy(bodies->rotation[chassis->body], axle.rotation, sizeof axle.rotation);
    memcpy(bodies->velocity[chassis->body], axle.velocity, sizeof axle.velocity);
    memcpy(bodies->angular[chassis->body], axle.angular, sizeof axle.angular);
}

static void publish(const struct dpl_mobile *mobile)
{
    const struct dpl_sim_joints *joints = &mobile->state->joints;
    for (size_t i = 0; i < mobile->n_chassis; i++) {
        publish_chassis(mobile, &mobile->chassis[i]);
    }
    for (size_t i = 0; i < mobile->n_wheels; i++) {
        const struct dpl_mobile_wheel *wheel = &mobile->wheels[i];
        joints->position[wheel->joint] =
            dpl__solver_wheel_angle(mobile->solver, wheel->solver_wheel);
        joints->velocity[wheel->joint] =
            dpl__solver_wheel_speed(mobile->solver, wheel->solver_wheel);
        joints->effort[wheel->joint] = (double)NAN;
    }
}

static int build(void *data, const struct dpl_subsystem_site *site, struct dpl_diag *reterr)
{
    (void)reterr;
    struct dpl_mobile *mobile = data;
    mobile->world = site->world;
    mobile->model = site->model;
    mobile->state = site->state;
    mobile->dt = site->dt;
    mobile->rigid = dpl__rigid_world_of(site);
    if (!mobile->rigid) {
        return -ENOMEM;
    }
    mobile->solver = mobile->rigid->solver;
    int rc = dpl__mobile_add_bodies(mobile, site->world);
    if (rc) {
        return rc;
    }
    publish(mobile);
    dpl__ejections_init(mobile);
    return 0;
}

/* ---- stepping ---- */

static void prepare(void *data, const struct dpl_sim_tick *tick)
{
    (void)tick;
    const struct dpl_mobile *mobile = data;
    const struct dpl_sim_joints *joints = &mobile->state->joints;
    for (size_t i = 0; i < mobile->n_wheels; i++) {
        const struct dpl_mobile_wheel *wheel = &mobile->wheels[i];
        dpl__solver_set_motor(mobile->solver, wheel->solver_wheel,
                              joints->speed[wheel->joint] + wheel->trim,
                              joints->limit[wheel->joint] * mobile->dt);
    }
}

/* Learns what the solver left undone. */
static void trim_wheels(struct dpl_mobile *mobile)
{
    const struct dpl_sim_joints *joints = &mobile->state->joints;
    for (size_t i = 0; i < mobile->n_wheels; i++) {
        struct dpl_mobile_wheel *wheel = &mobile->wheels[i];
        double error = joints->speed[wheel->joint] - joints->velocity[wheel->joint];
        if (fabs(error) < trim_max) {
            wheel->trim = dpl_clamp(wheel->trim + trim_gain * error, -trim_max, trim_max);
        }
    }
}

static void step(void *data, const struct dpl_sim_tick *tick)
{
    struct dpl_mobile *mobile = data;
    dpl__rigid_world_step(mobile->world, tick);
    publish(mobile);
    trim_wheels(mobile);
    dpl__ejections_step(mobile, tick->now);
}

static int place(void *data, int robot, struct dpl_pose2 pose)
{
    struct dpl_mobile *mobile = data;
    struct dpl_mobile_chassis *chassis = dpl__mobile_chassis_of(mobile, robot);
    if (dpl__mobile_taken_by(mobile, chassis, pose) >= 0) {
        return -EBUSY;
    }
    double at[3] = {pose.x, pose.y, pose.theta};
    dpl__solver_place_chassis(mobile->solver, chassis->solver_body, at);
    publish(mobile);
    dpl__ejections_forget(mobile, chassis);
    return 0;
}

const struct dpl_subsystem_class dpl_mobile_subsystem = {
    .name = "mobile",
    .noun = "mobile base",
    .summary = "bases that roll on wheels, moved by Bullet",
    .elements = dpl__mobile_elements,
    .n_elements = DPL_MOBILE_ELEMENTS,
    .draft_size = sizeof(struct dpl__mobile_draft),
    .root = {dpl__mobile_root_fields, DPL_MOBILE_ROOT_FIELDS, sizeof(struct dpl__mobile_root),
             &dpl__mobile_root_unset},
    .finish = dpl__mobile_finish,
    .changes = {dpl__mobile_change_fields, DPL_MOBILE_CHANGE_FIELDS,
                sizeof(struct dpl__mobile_changes), &dpl__mobile_changes_unset},
    .change = dpl__mobile_change,
    .check = dpl__mobile_check,
    .check_starts = dpl__mobile_check_starts,
    .show = dpl__mobile_show,
    .count = count,
    .data_size = sizeof(struct dpl_mobile),
    .build = build,
    .prepare = prepare,
    .step = step,
    .place = place,
    .channels = &dpl__mobile_channels,
    .on_ground = dpl__rigid_world_on_ground,
};
