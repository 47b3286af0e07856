/* SPDX-License-Identifier: Apache-2.0 */
/* The channels that bodies, assemblies and the whole of worlds in STAR's format have: see
 * channels_multibody.h. */
#include "channels_multibody.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/field.h>

/* ---- bodies ---- */

static struct dpl_multibody_thing body_of(const struct dpl_world *world, int id)
{
    return dpl__multibody_data(world)->bodies[id];
}

/* Its number in the state of the world. */
static int state_body(const struct dpl_world *world, int id)
{
    const struct dpl_multibody_world *data = dpl__multibody_data(world);
    struct dpl_multibody_thing body = body_of(world, id);
    const struct dpl_multibody_first *first = &data->first[body.robot - data->robots];
    return data->state->robots[body.robot->robot].first_body + id - first->body;
}

static int get_pose(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    struct dpl_pose3 pose =
        dpl_sim_body_pose3(dpl__multibody_data(world)->state, state_body(world, id));
    (void)inout_stamp;
    memcpy(ret_value, &pose, sizeof pose);
    return 0;
}

static int get_twist(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct dpl_sim_bodies *bodies = &dpl__multibody_data(world)->state->bodies;
    int number = state_body(world, id);
    double *value = ret_value;
    (void)inout_stamp;
    memcpy(value, bodies->velocity[number], 3 * sizeof *value);
    memcpy(value + 3, bodies->angular[number], 3 * sizeof *value);
    return 0;
}

/* Into the frame of the robot, in which the system lives. */
static void into(const struct dpl_mb_place *base, const double at[3], double ret[3])
{
    for (int i = 0; i < 3; i++) {
        ret[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            ret[i] += base->rotation[3 * k + i] * (at[k] - base->position[k]);
        }
    }
}

static int put_handle(struct dpl_world *world, int id, const void *value)
{
    static const double origin[3];
    struct dpl_multibody_thing body = body_of(world, id);
    const double *numbers = value;
    double to[3];
    for (int i = 0; i < 5; i++) {
        if (!isfinite(numbers[i])) {
            return -EINVAL;
        }
    }
    into(&body.robot->base, numbers, to);
    return dpl_mb_drag(body.robot->system, body.number, origin, to, numbers[3], numbers[4]);
}

static void release_handle(struct dpl_world *world, int id)
{
    static const double origin[3];
    struct dpl_multibody_thing body = body_of(world, id);
    dpl_mb_drag(body.robot->system, body.number, origin, origin, 0.0, 0.0);
}

/* ---- hands ---- */

void dpl__multibody_push(const struct dpl_multibody_world *data, size_t body)
{
    const struct dpl_grip *grip = &data->grips[body];
    const struct dpl_multibody_thing *of = &data->bodies[body];
    struct dpl_mb_place turn = {.position = {0.0}};
    double force[3], torque[3], about[3], arm[3];
    memcpy(turn.rotation, of->robot->base.rotation, sizeof turn.rotation);
    for (int i = 0; i < 3; i++) {
        arm[i] = 0.0;
        for (int k = 0; k < 3 && grip->is_held; k++) {
            arm[i] += data->state->bodies.rotation[grip->push.body][i][k] * grip->push.point[k];
        }
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        about[i] = arm[j] * grip->push.force[k] - arm[k] * grip->push.force[j];
    }
    into(&turn, grip->push.force, force);
    into(&turn, about, torque);
    dpl_mb_push(of->robot->system, of->number, force, torque);
}

static int put_grip(struct dpl_world *world, int id, const void *value)
{
    const struct dpl_multibody_world *data = dpl__multibody_data(world);
    struct dpl_multibody_thing body = body_of(world, id);
    const struct dpl_mb_body *mass = &body.robot->graph->bodies[body.number];
    struct dpl_grip_mass of = {.mass = mass->mass, .inertia = mass->inertia};
    memcpy(of.centre, mass->centre, sizeof of.centre);
    return dpl__grip_put(&data->grips[id], data->state, state_body(world, id), &of, value);
}

static void release_grip(struct dpl_world *world, int id)
{
    const struct dpl_multibody_world *data = dpl__multibody_data(world);
    dpl__grip_release(&data->grips[id], data->state);
    dpl__multibody_push(data, (size_t)id);
}

/* ---- contact ---- */

static const struct dpl_multibody_felt *felt_of(const struct dpl_world *world, int id)
{
    struct dpl_multibody_thing body = body_of(world, id);
    return dpl__multibody_felt(body.robot->contacts, body.number);
}

static int get_contact(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    (void)inout_stamp;
    *(int64_t *)ret_value = felt_of(world, id)->points;
    return 0;
}

static int get_contact_force(const struct dpl_world *world, int id, void *ret_value,
                             dpl_ns *inout_stamp)
{
    const struct dpl_multibody_felt *felt = felt_of(world, id);
    const double *r = body_of(world, id).robot->base.rotation, *f = felt->force;
    double *value = ret_value;
    (void)inout_stamp;
    for (int i = 0; i < 3; i++) {
        value[i] = r[3 * i] * f[0] + r[3 * i + 1] * f[1] + r[3 * i + 2] * f[2];
    }
    return 0;
}

static const struct dpl_channel_row contact_rows[] = {
    DPL_CHANNEL_READ("contact", &dpl_channel_integer, DPL_CHANNEL_OUT, NULL, 0,
                     "points in which it touches what stands still", get_contact, NULL),
    DPL_CHANNEL_READ("contact_force", &dpl_channel_vector, DPL_CHANNEL_OUT, "N", 3,
                     "of all of them on it, along x y z of the world", get_contact_force, NULL),
};
const struct dpl_channel_table dpl__multibody_contact_table = DPL__MULTIBODY_TABLE(contact_rows);

static const struct dpl_channel_row body_rows[] = {
    DPL_CHANNEL_READ("pose", &dpl_channel_pose, DPL_CHANNEL_OUT, NULL, 0, "of its frame", get_pose,
                     NULL),
    DPL_CHANNEL_READ("twist", &dpl_channel_vector, DPL_CHANNEL_OUT, NULL, 6,
                     "of its frame, along x y z (m/s), about x y z (rad/s) of the world", get_twist,
                     NULL),
    {
        .name = "handle",
        .type = &dpl_channel_vector,
        .dir = DPL_CHANNEL_IN,
        .size = 5,
        .summary = "pulls its origin to x, y, z (m) with so many N/m and N s/m",
        .put = put_handle,
        .release = release_handle,
    },
    {
        .name = "grip",
        .type = &dpl_channel_vector,
        .dir = DPL_CHANNEL_IN,
        .size = DPL_GRIP_NUMBERS,
        .summary = DPL_GRIP_SUMMARY,
        .put = put_grip,
        .release = release_grip,
    },
};
const struct dpl_channel_table dpl__multibody_body_table = DPL__MULTIBODY_TABLE(body_rows);

/* ---- assemblies ---- */

static int get_active(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    struct dpl_multibody_thing assembly = dpl__multibody_data(world)->assemblies[id];
    (void)inout_stamp;
    *(bool *)ret_value = dpl_mb_is_active(assembly.robot->graph, DPL_MB_ASSEMBLY, assembly.number);
    return 0;
}

static int put_active(struct dpl_world *world, int id, const void *value)
{
    struct dpl_multibody_thing assembly = dpl__multibody_data(world)->assemblies[id];
    struct dpl_multibody_robot *robot = assembly.robot;
    robot->wanted[assembly.number] = *(const bool *)value;
    robot->is_changed |=
        robot->wanted[assembly.number] != robot->graph->assemblies[assembly.number].is_active;
    return 0;
}

static const struct dpl_channel_row assembly_rows[] = {
    DPL_CHANNEL_READ("active", &dpl_channel_flag, DPL_CHANNEL_OUT, NULL, 0,
                     "whether it takes part: it and all around it are switched on", get_active,
                     NULL),
    {
        .name = "switch",
        .type = &dpl_channel_flag,
        .dir = DPL_CHANNEL_REQUEST,
        .summary = "lets it take part, or not, from the next step on",
        .put = put_active,
    },
};
const struct dpl_channel_table dpl__multibody_assembly_table = DPL__MULTIBODY_TABLE(assembly_rows);

/* ---- the whole ---- */

static const struct dpl_multibody_robot *robot_of(const struct dpl_world *world, int id)
{
    return &dpl__multibody_data(world)->robots[id];
}

#define ROBOT_VALUE(name, type, expression)                                                        \
    static int get_##name(const struct dpl_world *world, int id, void *ret_value,                  \
                          dpl_ns *inout_stamp)                                                     \
    {                                                                                              \
        const struct dpl_multibody_robot *robot = robot_of(world, id);                             \
        (void)inout_stamp;                                                                         \
        *(type *)ret_value = expression;                                                           \
        return 0;                                                                                  \
    }
ROBOT_VALUE(kinetic, double, dpl_mb_kinetic(robot->system))
ROBOT_VALUE(potential, double, dpl_mb_potential(robot->system))
ROBOT_VALUE(residual, double, dpl_mb_residual(robot->system))
ROBOT_VALUE(stops, int64_t, robot->told[DPL_MB_EVENT_SINGULAR].n)
ROBOT_VALUE(refused, bool, robot->is_refused)

static const struct dpl_channel_row robot_rows[] = {
    {.name = "kinetic_energy",
     .type = &dpl_channel_number,
     .dir = DPL_CHANNEL_OUT,
     .unit = "J",
     .summary = "of all bodies",
     .get = get_kinetic,
     .is_derived = true},
    {.name = "potential_energy",
     .type = &dpl_channel_number,
     .dir = DPL_CHANNEL_OUT,
     .unit = "J",
     .summary = "of weight and springs",
     .get = get_potential,
     .is_derived = true},
    {.name = "loop_residual",
     .type = &dpl_channel_number,
     .dir = DPL_CHANNEL_OUT,
     .summary = "largest of all loops, in m or rad",
     .get = get_residual,
     .is_derived = true},
    DPL_CHANNEL_READ("stops", &dpl_channel_integer, DPL_CHANNEL_OUT, NULL, 0,
                     "how often a loop stopped in a singular pose", get_stops, NULL),
    DPL_CHANNEL_READ("switch_refused", &dpl_channel_flag, DPL_CHANNEL_OUT, NULL, 0,
                     "the newest switch could not be made", get_refused, NULL),
};
const struct dpl_channel_table dpl__multibody_robot_table = DPL__MULTIBODY_TABLE(robot_rows);
