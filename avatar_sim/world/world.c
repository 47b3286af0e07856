/* SPDX-License-Identifier: Apache-2.0 */
/* A running world: stepped, asked where its robots are. See doppel/sim/world.h. */
#include <doppel/sim/world.h>

#include <errno.h>
#include <math.h>

#include "world_state.h"

/* Bodies closer than this touch: the solver holds them apart by about as much. */
static const double touch_gap_m = 1e-4;

/* Less is the solver's play: touching bodies lie that deep in each other. */
static const double place_depth_m = 1e-3;

enum { CONTACTS_A_STEP = 512 };

const struct dpl_sim_model *dpl_world_model(const struct dpl_world *world)
{
    return world->model;
}

dpl_ns dpl_world_now(const struct dpl_world *world)
{
    return world->now;
}

static struct dpl__robot *robot_of_body(struct dpl_world *world, int body, int *ret_number)
{
    int chassis = body - world->first_chassis;
    if (chassis < 0 || (size_t)chassis >= world->n_chassis) {
        return NULL;
    }
    *ret_number = world->chassis_robot[chassis];
    return &world->robots[*ret_number];
}

static void feel_touch(struct dpl_world *world, int body, const struct dpl_bullet_contact *contact,
                       bool begins)
{
    int number;
    struct dpl__robot *robot = robot_of_body(world, body, &number);
    if (!robot) {
        return;
    }
    struct dpl_pose2 pose = dpl__world_pose(world, number);
    double bearing = atan2(contact->y - pose.y, contact->x - pose.x) - pose.theta;
    double sectors = dpl_wrap_angle(bearing) * DPL_SIM_SECTORS / (2.0 * DPL_PI);
    unsigned sector = (unsigned)floor(sectors + DPL_SIM_SECTORS) % DPL_SIM_SECTORS;
    robot->touched_until[sector] = world->now + DPL_TOUCHES_PAUSE;
    robot->contacts += begins;
}

static void follow_touches(struct dpl_world *world)
{
    struct dpl_bullet_contact contacts[CONTACTS_A_STEP];
    size_t n = dpl__bullet_contacts(world->bullet, touch_gap_m, contacts, CONTACTS_A_STEP);
    for (size_t i = 0; i < n; i++) {
        const struct dpl_bullet_contact *contact = &contacts[i];
        bool begins = dpl__touches_see(&world->touches, contact->a, contact->b, world->now);
        feel_touch(world, contact->a, contact, begins);
        feel_touch(world, contact->b, contact, begins);
    }
    dpl__touches_expire(&world->touches, world->now);
}

/* A world without mobile robots has nothing that the solver could move. */
static void step_bodies(struct dpl_world *world)
{
    dpl__motors_step(world);
    dpl__bullet_step(world->bullet, world->dt);
    dpl__motors_trim(world);
}

void dpl_world_step(struct dpl_world *world, unsigned n)
{
    bool mobile = world->n_chassis > 0;
    for (unsigned i = 0; i < n; i++) {
        if (mobile) {
            step_bodies(world);
        }
        world->now += world->model->step;
        if (mobile) {
            follow_touches(world);
            dpl__ejections_step(world);
            dpl__lasers_step(world);
        }
        dpl__machines_step(world);
    }
}

void dpl_world_run_until(struct dpl_world *world, dpl_ns until)
{
    while (world->now < until) {
        dpl_world_step(world, 1);
    }
}

int dpl_world_find_robot(const struct dpl_world *world, const char *robot)
{
    for (size_t i = 0; i < world->model->n_robots; i++) {
        if (dpl_name_equal(world->model->robots[i].name, robot)) {
            return (int)i;
        }
    }
    return -ENOENT;
}

static int find_laser(const struct dpl_world *world, int robot, const char *name)
{
    for (size_t i = 0; i < world->n_lasers; i++) {
        if (world->lasers[i].robot == robot && dpl_name_equal(world->lasers[i].model->name, name)) {
            return (int)i;
        }
    }
    return -ENOENT;
}

int dpl_world_find_device(const struct dpl_world *world, int robot, enum dpl_world_device kind,
                          const char *name)
{
    if (kind == DPL_WORLD_LASER) {
        return find_laser(world, robot, name);
    }
    if (kind == DPL_WORLD_AXIS) {
        return dpl__machines_find(world, robot, name);
    }
    for (size_t i = 0; i < world->n_motors; i++) {
        const struct dpl_sim_wheel *wheel = world->motors[i].wheel;
        const char *own = kind == DPL_WORLD_MOTOR ? wheel->motor : wheel->encoder;
        if (world->motors[i].robot == robot && *own && dpl_name_equal(own, name)) {
            return (int)i;
        }
    }
    return -ENOENT;
}

static bool has_robot(const struct dpl_world *world, int robot)
{
    return robot >= 0 && (size_t)robot < world->model->n_robots;
}

static void get_axle(const struct dpl_world *world, int robot, struct dpl_bullet_point *ret_point)
{
    const struct dpl__robot *state = &world->robots[robot];
    dpl__bullet_get_point(world->bullet, state->body, state->axle, ret_point);
}

static bool is_mobile(const struct dpl_world *world, int robot)
{
    return has_robot(world, robot) && world->robots[robot].body >= 0;
}

struct dpl_pose2 dpl__world_pose(const struct dpl_world *world, int robot)
{
    struct dpl_bullet_point axle;
    if (!is_mobile(world, robot)) {
        return world->model->robots[robot].start;
    }
    get_axle(world, robot, &axle);
    return (struct dpl_pose2){axle.position[0], axle.position[1],
                              atan2(axle.axis_x[1], axle.axis_x[0])};
}

static uint32_t touched_sectors(const struct dpl_world *world, int robot)
{
    uint32_t touched = 0;
    for (unsigned i = 0; i < DPL_SIM_SECTORS; i++) {
        touched |= (uint32_t)(world->robots[robot].touched_until[i] > world->now) << i;
    }
    return touched;
}

void dpl_world_get_robot(const struct dpl_world *world, int robot,
                         struct dpl_world_robot *ret_robot)
{
    struct dpl_bullet_point axle;
    if (!has_robot(world, robot)) {
        return;
    }
    if (!is_mobile(world, robot)) {
        *ret_robot = (struct dpl_world_robot){.pose = world->model->robots[robot].start};
        return;
    }
    get_axle(world, robot, &axle);
    struct dpl_pose2 pose = {axle.position[0], axle.position[1],
                             atan2(axle.axis_x[1], axle.axis_x[0])};
    *ret_robot = (struct dpl_world_robot){
        .pose = pose,
        .twist = {axle.velocity[0] * cos(pose.theta) + axle.velocity[1] * sin(pose.theta),
                  axle.angular[2]},
        .contacts = world->robots[robot].contacts,
        .touched = touched_sectors(world, robot),
        .ejections = world->robots[robot].ejections,
    };
}

int dpl__world_taken_by(const struct dpl_world *world, int robot, struct dpl_pose2 pose)
{
    double at[3] = {pose.x, pose.y, pose.theta};
    return dpl__bullet_taken_by(world->bullet, world->robots[robot].body, at, place_depth_m);
}

int dpl_world_set_pose(struct dpl_world *world, int robot, struct dpl_pose2 pose)
{
    if (!is_mobile(world, robot) || !dpl_pose2_is_finite(pose) || fabs(pose.x) > DPL_SIM_EXTENT ||
        fabs(pose.y) > DPL_SIM_EXTENT) {
        return -EINVAL;
    }
    if (dpl__world_taken_by(world, robot, pose) > 0) {
        return -EBUSY;
    }
    double at[3] = {pose.x, pose.y, pose.theta};
    dpl__bullet_place(world->bullet, world->robots[robot].body, at);
    dpl__ejections_forget(world, robot);
    return 0;
}
