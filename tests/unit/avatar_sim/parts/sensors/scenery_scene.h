/* SPDX-License-Identifier: Apache-2.0 */
/* A world full of shapes of all kinds, for sensors that look into space, and what they should see
 * by testing every solid. On top of entry_scene.h. */
#ifndef TESTS_SIM_SCENERY_SCENE_H
#define TESTS_SIM_SCENERY_SCENE_H

#include <doppel/math/random.h>
#include <doppel/math/vector3.h>
#include <doppel/sim/show.h>
#include <doppel/sim/world.h>

#include "entry_scene.h"

/* Bodies of all kinds of solids; the arm is the first, the car the second. */
#define SCENERY_BODIES                                                                             \
    "<RigidObject name='dish' density='1'><position x='20'/><HullShape><point x='1'/><point "      \
    "x='-1'/>"                                                                                     \
    "<point y='1'/><point y='-1'/><point z='1'/><point z='-1'/></HullShape></RigidObject>"         \
    "<RigidObject name='rod' mass='1'><position x='25'/><CapsuleShape radius='0.2' height='0.8'>"  \
    "<position x='1.2'/></CapsuleShape><BoxShape x='0.2' y='0.5' z='0.9'>"                         \
    "<orientation roll='0.3' pitch='0.4' yaw='0.5'/></BoxShape></RigidObject>"                     \
    "<RigidObject name='drum' mass='1'><position x='30'/><CylinderShape radius='0.4' "             \
    "height='0.3'/></RigidObject>"                                                                 \
    "<RigidObject name='wedge' density='1'><position x='35'/><MeshShape><point/><point "           \
    "x='1'/><point y='1'/>"                                                                        \
    "<point z='1'/><face a='0' b='2' c='1'/><face a='0' b='1' c='3'/><face a='0' b='3' c='2'/>"    \
    "<face a='1' b='2' c='3'/></MeshShape></RigidObject>"

static inline struct dpl_sim_shape scenery_shape(struct dpl_random *rng, int kind, double half)
{
    struct dpl_sim_shape shape = {
        .kind = (enum dpl_sim_kind)(kind % 4),
        .x = dpl_random_uniform(rng, -half, half),
        .y = dpl_random_uniform(rng, -half, half),
        .z = dpl_random_uniform(rng, 0.2, 4.0),
        .yaw = dpl_random_uniform(rng, -3.0, 3.0),
        .lying = kind % 8 > 3 && kind % 4 == DPL_SIM_CAPSULE,
    };
    if (shape.kind == DPL_SIM_BOX) {
        shape.size_x = dpl_random_uniform(rng, 0.1, 1.5);
        shape.size_y = dpl_random_uniform(rng, 0.1, 1.5);
        shape.size_z = dpl_random_uniform(rng, 0.1, 1.5);
    } else {
        shape.radius = dpl_random_uniform(rng, 0.1, 0.6);
    }
    if (shape.kind == DPL_SIM_CYLINDER || shape.kind == DPL_SIM_CAPSULE) {
        shape.height = dpl_random_uniform(rng, 0.1, 1.5);
    }
    return shape;
}

/* The scene of `text` again, with n obstacles in a square. */
static inline void scenery_make(const char *text, size_t n)
{
    struct dpl_random rng = dpl_random_seeded(7, n);
    scene_make(text);
    dpl_world_channels_destroy(channels);
    dpl_world_destroy(world);
    for (size_t i = 0; i < n; i++) {
        struct dpl_sim_obstacle obstacle = {.shape = scenery_shape(&rng, (int)i, 12.0)};
        cr_assert_eq(dpl_sim_model_add_obstacle(model, &obstacle, NULL), 0);
    }
    cr_assert_eq(dpl_world_create(model, &world, NULL), 0);
    cr_assert_eq(dpl_world_channels_create(world, &channels), 0);
}

static inline void scenery_place(int body, struct dpl_pose3 pose)
{
    const struct dpl_vector3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double at[3] = {pose.position.x, pose.position.y, pose.position.z};
    memcpy(state->bodies.position[body], at, sizeof at);
    for (int k = 0; k < 3; k++) {
        struct dpl_vector3 axis = dpl_quaternion_turn(pose.orientation, units[k]);
        state->bodies.rotation[body][0][k] = axis.x;
        state->bodies.rotation[body][1][k] = axis.y;
        state->bodies.rotation[body][2][k] = axis.z;
    }
}

static inline struct dpl_pose3 scenery_pose(struct dpl_random *rng, double half)
{
    return (struct dpl_pose3){
        {dpl_random_uniform(rng, -half, half), dpl_random_uniform(rng, -half, half),
         dpl_random_uniform(rng, 0.5, 4.0)},
        dpl_quaternion_from_rpy(dpl_random_uniform(rng, -3.0, 3.0),
                                dpl_random_uniform(rng, -1.5, 1.5),
                                dpl_random_uniform(rng, -3.0, 3.0)),
    };
}

/* ---- by testing everything ---- */

struct scenery_ray {
    struct dpl_vector3 from, along;
    const struct dpl_sim_solid *found; /* the nearest */
    double range;
};

static inline struct dpl_pose3 scenery_body(unsigned body)
{
    const double *at = state->bodies.position[body];
    return (struct dpl_pose3){
        {at[0], at[1], at[2]},
        dpl_quaternion_from_matrix((const double(*)[3])state->bodies.rotation[body])};
}

static inline void scenery_try(void *user, unsigned body, const struct dpl_sim_solid *solid)
{
    static unsigned faces[2 * DPL_SOLID_HULL_MAX][3];
    struct scenery_ray *ray = user;
    struct dpl_pose3 at = scenery_body(body);
    struct dpl_quaternion back = dpl_quaternion_conjugate(at.orientation);
    struct dpl_sim_solid seen = *solid;
    if (body == 0) {
        return; /* the arm, which the sensor is on */
    }
    if (solid->kind == DPL_SOLID_HULL) {
        seen.kind = DPL_SOLID_MESH;
        seen.n_faces = (size_t)dpl_hull_faces(solid->points, solid->n_points, faces);
        seen.faces = (const unsigned(*)[3])faces;
    }
    struct dpl_vector3 from = dpl_vector3_minus(ray->from, at.position);
    double range = dpl_sim_solid_ray(&seen, dpl_quaternion_turn(back, from),
                                     dpl_quaternion_turn(back, ray->along));
    if (range < ray->range) {
        ray->range = range;
        ray->found = solid;
    }
}

/* To the nearest of all solids and the ground; INFINITY. */
static inline double scenery_brute(struct dpl_vector3 from, struct dpl_vector3 along)
{
    struct scenery_ray ray = {.from = from, .along = along, .range = (double)INFINITY};
    if (from.z > 0.0 && along.z < 0.0) {
        ray.range = -from.z / along.z;
    }
    for (size_t i = 0; i < model->n_obstacles; i++) {
        struct dpl_sim_solid solid = dpl_sim_solid_of(&model->obstacles[i].shape);
        ray.range = fmin(ray.range, dpl_sim_solid_ray(&solid, from, along));
    }
    for (size_t i = 0; i < objects.mechanism.n_bodies; i++) {
        const struct dpl_sim_body *body = &objects.mechanism.bodies[i];
        for (size_t k = 0; k < body->n_solids; k++) {
            scenery_try(&ray, (unsigned)i, &body->solids[k]);
        }
    }
    return ray.range;
}

#endif
