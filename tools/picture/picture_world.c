/* SPDX-License-Identifier: Apache-2.0 */
/* What of a world is drawn, and how. */
#include "picture_world.h"

#include <math.h>
#include <string.h>

#include <doppel/math/vector3.h>
#include <doppel/sim/mechanism.h>
#include <doppel/sim/show.h>
#include <doppel/sim/state.h>

static const struct picture_color obstacle_color = {0.83, 0.82, 0.79, 1.0};
static const struct picture_color robot_color = {0.30, 0.50, 0.75, 1.0};
static const struct picture_color rope_color = {0.20, 0.20, 0.22, 1.0};
static const struct picture_color joint_color = {0.80, 0.10, 0.45, 0.9};
static const struct picture_color contact_color = {0.90, 0.10, 0.10, 0.95};

int picture_part(const char *word)
{
    static const char *const words[] = {"shapes", "joints", "contacts", "traces"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(word, words[i]) == 0) {
            return 1 << i;
        }
    }
    return -1;
}

static struct dpl_vector3 vector_of(const double *p)
{
    return (struct dpl_vector3){p[0], p[1], p[2]};
}

static struct dpl_pose3 pose_of(const struct dpl_sim_state *state, int body)
{
    return (struct dpl_pose3){
        vector_of(state->bodies.position[body]),
        dpl_quaternion_from_matrix((const double(*)[3])state->bodies.rotation[body]),
    };
}

/* ---- shapes ---- */

struct robot {
    struct picture *picture;
    const struct dpl_sim_state *state;
    int first_body;
};

static void add_solid(void *user, unsigned body, const struct dpl_sim_solid *solid)
{
    const struct robot *robot = user;
    struct picture_color color = {solid->color[0], solid->color[1], solid->color[2],
                                  solid->color[3]};
    picture_add_solid(robot->picture, pose_of(robot->state, robot->first_body + (int)body), solid,
                      solid->has_color ? color : robot_color);
}

static void add_obstacles(struct picture *picture, const struct dpl_sim_model *model)
{
    for (size_t i = 0; i < model->n_obstacles; i++) {
        struct dpl_sim_solid solid = dpl_sim_solid_of(&model->obstacles[i].shape);
        picture_add_solid(picture, (struct dpl_pose3){.orientation = {.w = 1.0}}, &solid,
                          obstacle_color);
    }
}

/* ---- ropes ---- */

/* Where the frame of a joint in one of its ends is now; below 0 the end is the world, as in the
 * mechanism. */
static struct dpl_pose3 end_of(const struct robot *robot, int body, struct dpl_pose3 frame)
{
    return body < 0 ? frame
                    : dpl_pose3_compose(pose_of(robot->state, robot->first_body + body), frame);
}

/* Its legs go straight up to the top of its sheave. */
static void add_rope(const struct robot *robot, const struct dpl_sim_mechanism *mechanism,
                     const struct dpl_sim_joint *joint)
{
    struct dpl_vector3 a = end_of(robot, joint->parent, joint->in_parent).position;
    struct dpl_vector3 b = end_of(robot, joint->child, joint->in_child).position;
    if (joint->rope.radius == 0.0) {
        picture_add_line(robot->picture, a, b, rope_color, 1.2);
        return;
    }
    const struct dpl_sim_joint *sheave = &mechanism->joints[joint->rope.sheave];
    double axle = end_of(robot, sheave->child, sheave->in_child).position.z;
    double top = axle + fabs(joint->rope.radius);
    struct dpl_vector3 above_a = {a.x, a.y, top}, above_b = {b.x, b.y, top};
    picture_add_line(robot->picture, a, above_a, rope_color, 1.2);
    picture_add_line(robot->picture, b, above_b, rope_color, 1.2);
    picture_add_line(robot->picture, above_a, above_b, rope_color, 1.2);
}

static void add_ropes(const struct robot *robot, const struct dpl_sim_mechanism *mechanism)
{
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        if (mechanism->joints[i].type == DPL_JOINT_ROPE) {
            add_rope(robot, mechanism, &mechanism->joints[i]);
        }
    }
}

/* ---- joints ---- */

static void add_joints(struct picture *picture, const struct dpl_sim_mechanism *mechanism,
                       const struct robot *robot)
{
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        struct dpl_pose3 at = joint->child < 0 ? end_of(robot, joint->parent, joint->in_parent)
                                               : end_of(robot, joint->child, joint->in_child);
        struct dpl_vector3 half =
            dpl_quaternion_turn(at.orientation, (struct dpl_vector3){0.0, 0.0, 0.02});
        picture_add_dot(picture, at.position, joint_color, 3.0);
        if (dpl_sim_joint_freedoms(joint->type) > 0) {
            picture_add_line(picture, dpl_vector3_minus(at.position, half),
                             dpl_vector3_add(at.position, half), joint_color, 1.6);
        }
    }
}

static void add_robots(struct picture *picture, const struct dpl_world *world, unsigned parts,
                       int focus)
{
    const struct dpl_sim_model *model = dpl_world_model(world);
    const struct dpl_sim_state *state = dpl_world_state(world);
    for (size_t i = 0; i < model->n_robots; i++) {
        struct robot robot = {picture, state, state->robots[i].first_body};
        const struct dpl_sim_mechanism *mechanism = dpl_sim_robot_mechanism(&model->robots[i]);
        picture_set_focus(picture, focus < 0 || focus == (int)i);
        picture_set_subject(picture, focus < 0 || focus == (int)i);
        if (parts & PICTURE_SHAPES) {
            dpl_sim_robot_show(&model->robots[i], add_solid, &robot);
        }
        if (mechanism && (parts & PICTURE_SHAPES)) {
            add_ropes(&robot, mechanism);
        }
        if (mechanism && (parts & PICTURE_JOINTS)) {
            add_joints(picture, mechanism, &robot);
        }
    }
    picture_set_subject(picture, false);
}

void picture_add_world(struct picture *picture, const struct dpl_world *world, unsigned parts,
                       int focus)
{
    const struct dpl_sim_contacts *contacts = &dpl_world_state(world)->contacts;
    picture_set_focus(picture, focus < 0);
    if (parts & PICTURE_SHAPES) {
        add_obstacles(picture, dpl_world_model(world));
    }
    add_robots(picture, world, parts, focus);
    for (size_t i = 0; i < contacts->n && (parts & PICTURE_CONTACTS); i++) {
        picture_add_dot(picture, vector_of(contacts->items[i].point), contact_color, 4.0);
    }
}
