/* SPDX-License-Identifier: Apache-2.0 */
/* Mobile bases: rigid bodies on wheels, moved by Bullet. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/sim/channel_rows.h>

#include "channels_mobile.h"
#include "mobile_state.h"
#include "mobile_xml.h"
#include "world_state.h"

/* Bodies closer than this touch: the solver holds them apart by about as much. */
static const double touch_gap_m = 1e-4;

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
static void show(const struct dpl_sim_robot *robot, dpl_sim_show *show_solid, void *user)
{
    const struct dpl_sim_mobile *base = robot->part;
    for (size_t i = 0; i < base->n_wheels; i++) {
        const struct dpl_sim_wheel *wheel = &base->wheels[i];
        show_solid(user, 0,
                   &(struct dpl_sim_solid){
                       .kind = DPL_SOLID_CYLINDER,
                       .pose = {{wheel->x, wheel->y, wheel->radius},
                                dpl_quaternion_from_rpy(0.5 * DPL_PI, 0.0, 0.0)},
                       .radius = wheel->radius,
                       .height = 0.4 * wheel->radius,
                       .color = {0.15, 0.15, 0.17, 1.0},
                       .has_color = true,
                   });
    }
}

/* ---- building ---- */

static int add_wheel(struct dpl_mobile *mobile, const struct dpl_mobile_chassis *chassis,
                     const struct dpl_sim_wheel *wheel, int joint)
{
    struct dpl_mobile_wheel *made = &mobile->wheels[mobile->n_wheels++];
    made->joint = joint;
    made->solver_wheel = dpl__bullet_add_wheel(mobile->bullet, chassis->solver_body,
                                               &(struct dpl_bullet_wheel){
                                                   .x = wheel->x,
                                                   .y = wheel->y,
                                                   .radius = wheel->radius,
                                                   .mass = wheel->mass,
                                                   .friction = wheel->friction,
                                               });
    return made->solver_wheel < 0 ? made->solver_wheel : 0;
}

static int add_wheels(struct dpl_mobile *mobile)
{
    for (size_t c = 0; c < mobile->n_chassis; c++) {
        struct dpl_mobile_chassis *chassis = &mobile->chassis[c];
        const struct dpl_sim_span *span = &mobile->state->robots[chassis->robot];
        const struct dpl_sim_mobile *base = mobile->model->robots[chassis->robot].part;
        chassis->body = span->first_body;
        for (size_t i = 0; i < base->n_wheels; i++) {
            int rc = add_wheel(mobile, chassis, &base->wheels[i], span->first_joint + (int)i);
            if (rc) {
                return rc;
            }
        }
    }
    return 0;
}

/* A chassis' position is that of the point of the ground below its axle. */
static void publish_chassis(const struct dpl_mobile *mobile,
                            const struct dpl_mobile_chassis *chassis)
{
    const struct dpl_sim_bodies *bodies = &mobile->state->bodies;
    struct dpl_bullet_point axle;
    dpl__bullet_get_point(mobile->bullet, chassis->solver_body, chassis->axle, &axle);
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
            dpl__bullet_wheel_angle(mobile->bullet, wheel->solver_wheel);
        joints->velocity[wheel->joint] =
            dpl__bullet_wheel_speed(mobile->bullet, wheel->solver_wheel);
        joints->effort[wheel->joint] = (double)NAN;
    }
}

static int build(void *data, const struct dpl_subsystem_site *site, struct dpl_diag *reterr)
{
    (void)reterr;
    struct dpl_mobile *mobile = data;
    mobile->state = site->state;
    mobile->dt = site->dt;
    int rc = dpl__mobile_add_bodies(mobile, site->world->heap, site->model);
    rc = rc ? rc : add_wheels(mobile);
    if (rc) {
        return rc;
    }
    publish(mobile);
    dpl__ejections_init(mobile);
    return 0;
}

/* ---- stepping ---- */

static void drive_wheels(struct dpl_mobile *mobile)
{
    const struct dpl_sim_joints *joints = &mobile->state->joints;
    for (size_t i = 0; i < mobile->n_wheels; i++) {
        const struct dpl_mobile_wheel *wheel = &mobile->wheels[i];
        dpl__bullet_set_motor(mobile->bullet, wheel->solver_wheel,
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

/* The number that the state gives a body of the solver, which is not the ground. */
static int body_of(const struct dpl_mobile *mobile, int solver_body)
{
    const struct dpl_mobile_chassis *chassis = dpl__mobile_chassis_at(mobile, solver_body);
    return chassis ? chassis->body : -solver_body; /* body 1 is obstacle 0 */
}

static void publish_contact(void *user, const struct dpl_bullet_contact *from)
{
    const struct dpl_mobile *mobile = user;
    struct dpl_sim_contacts *contacts = &mobile->state->contacts;
    if (contacts->n < contacts->capacity) {
        struct dpl_sim_contact *to = &contacts->items[contacts->n++];
        to->a = body_of(mobile, from->a);
        to->b = body_of(mobile, from->b);
        memcpy(to->point, from->point, sizeof to->point);
    }
}

static void step(void *data, const struct dpl_sim_tick *tick)
{
    struct dpl_mobile *mobile = data;
    drive_wheels(mobile);
    dpl__bullet_step(mobile->bullet, tick->dt);
    publish(mobile);
    trim_wheels(mobile);
    dpl__bullet_contacts(mobile->bullet, touch_gap_m, publish_contact, mobile);
    dpl__ejections_step(mobile, tick->now);
}

static int place(void *data, int robot, struct dpl_pose2 pose)
{
    struct dpl_mobile *mobile = data;
    struct dpl_mobile_chassis *chassis = dpl__mobile_chassis_of(mobile, robot);
    if (dpl__mobile_taken_by(mobile, chassis, pose) > 0) {
        return -EBUSY;
    }
    double at[3] = {pose.x, pose.y, pose.theta};
    dpl__bullet_place(mobile->bullet, chassis->solver_body, at);
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
    .show = show,
    .count = count,
    .data_size = sizeof(struct dpl_mobile),
    .build = build,
    .step = step,
    .place = place,
    .channels = &dpl__mobile_channels,
};
