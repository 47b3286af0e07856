/* SPDX-License-Identifier: Apache-2.0 */
/* Channels of mechanisms: of each body its pose and velocity, of each joint its values. */
#include <math.h>
#include <string.h>

#include <doppel/field.h>
#include <doppel/sim/channel_rows.h>

#include "bullet_state.h"
#include "plane_channels.h"

static int get_pose(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct dpl_sim_bodies *bodies = &dpl_world_state(world)->bodies;
    const double *at = bodies->position[id];
    struct dpl_pose3 pose = {
        .position = {at[0], at[1], at[2]},
        .orientation = dpl_quaternion_from_matrix((const double(*)[3])bodies->rotation[id]),
    };
    (void)inout_stamp;
    memcpy(ret_value, &pose, sizeof pose);
    return 0;
}

/* Of a frame of a mechanism; its id has the number of the robot and its own. */
static int get_frame_pose(const struct dpl_world *world, int id, void *ret_value,
                          dpl_ns *inout_stamp)
{
    int robot = id / DPL_MECHANISM_BODIES_MAX, number = id % DPL_MECHANISM_BODIES_MAX;
    const struct dpl_sim_mechanism *mechanism = dpl_world_model(world)->robots[robot].part;
    const struct dpl_sim_frame *frame = &mechanism->frames[number];
    struct dpl_pose3 body;
    get_pose(world, dpl_world_state(world)->robots[robot].first_body + frame->body, &body,
             inout_stamp);
    body = dpl_pose3_compose(body, frame->pose);
    memcpy(ret_value, &body, sizeof body);
    return 0;
}

static int get_body_velocity(const struct dpl_world *world, int id, void *ret_value,
                             dpl_ns *inout_stamp)
{
    const struct dpl_sim_bodies *bodies = &dpl_world_state(world)->bodies;
    double *value = ret_value;
    (void)inout_stamp;
    memcpy(value, bodies->velocity[id], 3 * sizeof *value);
    memcpy(value + 3, bodies->angular[id], 3 * sizeof *value);
    return 0;
}

static const struct dpl_bullet_world *bullet_of(const struct dpl_world *world)
{
    return dpl_world_subsystem(world, &dpl_bullet_subsystem);
}

static int get_kinetic(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    struct dpl_bullet_motion motion;
    (void)inout_stamp;
    dpl__bullet_motion(bullet_of(world), id, &motion);
    *(double *)ret_value = motion.kinetic;
    return 0;
}

static int get_potential(const struct dpl_world *world, int id, void *ret_value,
                         dpl_ns *inout_stamp)
{
    struct dpl_bullet_motion motion;
    (void)inout_stamp;
    dpl__bullet_motion(bullet_of(world), id, &motion);
    *(double *)ret_value = motion.potential;
    return 0;
}

static int get_acceleration(const struct dpl_world *world, int id, void *ret_value,
                            dpl_ns *inout_stamp)
{
    const struct dpl_bullet_world *bullet = bullet_of(world);
    double *value = ret_value;
    get_body_velocity(world, id, ret_value, inout_stamp);
    for (int i = 0; i < 6; i++) {
        value[i] = (value[i] - bullet->before[id][i]) / bullet->dt;
    }
    return 0;
}

static int get_planar(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    struct dpl_pose2 pose = dpl_pose3_to_planar(dpl__bullet_frame(world, id));
    (void)inout_stamp;
    memcpy(ret_value, (double[3]){pose.x, pose.y, pose.theta}, 3 * sizeof(double));
    return 0;
}

/* Of the point of its first body where the robot's frame is. */
static int get_twist(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct dpl_sim_state *state = dpl_world_state(world);
    int body = state->robots[id].first_body;
    struct dpl_pose3 frame = dpl__bullet_frame(world, id);
    const double *at = state->bodies.position[body], *v = state->bodies.velocity[body],
                 *w = state->bodies.angular[body];
    double x = frame.position.x - at[0], y = frame.position.y - at[1], z = frame.position.z - at[2];
    double vx = v[0] + w[1] * z - w[2] * y, vy = v[1] + w[2] * x - w[0] * z;
    double heading = dpl_pose3_to_planar(frame).theta;
    (void)inout_stamp;
    memcpy(ret_value, (double[2]){vx * cos(heading) + vy * sin(heading), w[2]}, 2 * sizeof(double));
    return 0;
}

/* ---- hands ---- */

static int put_grip(struct dpl_world *world, int id, const void *value)
{
    struct dpl_bullet_world *bullet = (struct dpl_bullet_world *)(uintptr_t)bullet_of(world);
    const struct dpl_mass *mass = &bullet->of[id]->mass;
    const struct dpl_grip_mass of = {
        mass->mass, {mass->centre.x, mass->centre.y, mass->centre.z}, mass->inertia};
    return dpl__grip_put(&bullet->grips[id], bullet->state, id, &of, value);
}

static void release_grip(struct dpl_world *world, int id)
{
    const struct dpl_bullet_world *bullet = bullet_of(world);
    dpl__grip_release(&bullet->grips[id], bullet->state);
}

static bool can_be_gripped(const struct dpl_world *world, int id)
{
    return !bullet_of(world)->of[id]->is_static;
}

/* Computed when they are read; a record has them when they are asked for. */
#define DERIVED(name_, type_, unit_, size_, text, get_)                                            \
    {                                                                                              \
        .name = name_, .type = type_, .dir = DPL_CHANNEL_OUT, .unit = unit_, .size = size_,        \
        .summary = text, .get = get_, .is_derived = true,                                          \
    }

static const struct dpl_channel_row body_rows[] = {
    DPL_CHANNEL_READ("pose", &dpl_channel_pose, DPL_CHANNEL_OUT, NULL, 0, "of its frame", get_pose,
                     NULL),
    DPL_CHANNEL_READ("velocity", &dpl_channel_vector, DPL_CHANNEL_OUT, NULL, 6,
                     "of its frame, along x y z (m/s), about x y z (rad/s) of the world",
                     get_body_velocity, NULL),
    DERIVED("acceleration", &dpl_channel_vector, NULL, 6,
            "of its frame, mean of the newest step: as velocity, by s", get_acceleration),
    DERIVED("kinetic_energy", &dpl_channel_number, "J", 0, "with its load, without rotors",
            get_kinetic),
    DERIVED("potential_energy", &dpl_channel_number, "J", 0, "m g z of its centre of mass",
            get_potential),
    {.name = "grip",
     .type = &dpl_channel_vector,
     .dir = DPL_CHANNEL_IN,
     .size = DPL_GRIP_NUMBERS,
     .summary = DPL_GRIP_SUMMARY,
     .put = put_grip,
     .release = release_grip,
     .is_there = can_be_gripped},
};

static const struct dpl_channel_row frame_rows[] = {
    DPL_CHANNEL_READ("pose", &dpl_channel_pose, DPL_CHANNEL_OUT, NULL, 0, "of the frame",
                     get_frame_pose, NULL),
};

#define VALUE(name)                                                                                \
    static int get_##name(const struct dpl_world *world, int id, void *ret_value,                  \
                          dpl_ns *inout_stamp)                                                     \
    {                                                                                              \
        (void)inout_stamp;                                                                         \
        *(double *)ret_value = dpl_world_state(world)->joints.name[id];                            \
        return 0;                                                                                  \
    }
VALUE(position)
VALUE(velocity)
VALUE(effort)

#define ROW(name, unit, text)                                                                      \
    DPL_CHANNEL_READ(#name, &dpl_channel_number, DPL_CHANNEL_OUT, unit, 0, text, get_##name, NULL)

static const struct dpl_channel_row turn_rows[] = {
    ROW(position, "rad", "turn of the child from where both frames agree"),
    ROW(velocity, "rad/s", "its rate"),
    ROW(effort, "N m", "that the drives give"),
};

static const struct dpl_channel_row travel_rows[] = {
    ROW(position, "m", "travel of the child from where both frames agree"),
    ROW(velocity, "m/s", "its rate"),
    ROW(effort, "N", "that the drives give"),
};

/* Of a mechanism that can be put elsewhere, named as those of bases. */
static const struct dpl_channel_row loose_rows[] = {
    DPL__PLANE_ROWS(get_planar, "x, y (m), heading (rad) of its frame", get_twist,
                    "puts it upright at x, y (m), heading (rad), if it fits there"),
};

static const struct dpl_channel_table loose_table = {loose_rows, DPL_COUNT(loose_rows)};
static const struct dpl_channel_table body_table = {body_rows, DPL_COUNT(body_rows)};
static const struct dpl_channel_table frame_table = {frame_rows, DPL_COUNT(frame_rows)};
static const struct dpl_channel_table turn_table = {turn_rows, DPL_COUNT(turn_rows)};
static const struct dpl_channel_table travel_table = {travel_rows, DPL_COUNT(travel_rows)};

void dpl__bullet_add_channels(const struct dpl_world *world, struct dpl_world_channels *channels,
                              int number)
{
    const struct dpl_sim_robot *robot = &dpl_world_model(world)->robots[number];
    const struct dpl_sim_mechanism *mechanism = robot->part;
    const struct dpl_sim_span *span = &dpl_world_state(world)->robots[number];
    if (dpl__bullet_is_loose(mechanism)) {
        dpl__channels_add(channels, &loose_table, number, "%s", robot->name);
    }
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        dpl__channels_add(channels, &body_table, span->first_body + (int)i, "%s/%s", robot->name,
                          mechanism->bodies[i].name);
    }
    for (size_t i = 0; i < mechanism->n_frames; i++) {
        dpl__channels_add(channels, &frame_table, number * DPL_MECHANISM_BODIES_MAX + (int)i,
                          "%s/%s", robot->name, mechanism->frames[i].name);
    }
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        if (joint->type == DPL_JOINT_ROPE) {
            dpl__bullet_add_rope_channels(world, channels, number, joint);
        } else if (joint->type == DPL_JOINT_BELT) {
            dpl__bullet_add_belt_channels(world, channels, number, joint);
        }
        int slot = span->first_joint + dpl_mechanism_slot(mechanism, i);
        for (int k = 0; k < dpl_sim_joint_freedoms(joint->type); k++) {
            dpl__channels_add(channels,
                              dpl_sim_joint_turns(joint->type, k) ? &turn_table : &travel_table,
                              slot + k, k == 0 ? "%s/%s" : "%s/%s/2", robot->name, joint->name);
        }
    }
}
