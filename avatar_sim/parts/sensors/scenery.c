/* SPDX-License-Identifier: Apache-2.0 */
/* What there is to see in a world, and where it is now: see scenery.h. */
#include "scenery.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/sim/mechanism.h>
#include <doppel/sim/show.h>

#include "world_state.h"

/* ---- what there is --------------------------------------------------------------------------- */

struct gathering {
    struct dpl__scenery_tree *tree; /* NULL: only counted */
    struct dpl_world *world;
    size_t n;
    int robot, first_body;
    int err;
};

/* A hull as a mesh, because a ray needs faces; they are in the world's memory. */
static int face_hull(struct dpl_world *world, struct dpl_sim_solid *solid)
{
    unsigned(*faces)[3] = dpl_world_alloc(world, 2 * solid->n_points, sizeof *faces);
    if (!faces) {
        return -ENOMEM;
    }
    int n = dpl_hull_faces(solid->points, solid->n_points, faces);
    if (n < 0) {
        return n;
    }
    solid->kind = DPL_SOLID_MESH;
    solid->faces = (const unsigned(*)[3])faces;
    solid->n_faces = (size_t)n;
    return 0;
}

static void add_thing(void *user, unsigned body, const struct dpl_sim_solid *solid)
{
    struct gathering *gathering = user;
    size_t n = gathering->n++;
    if (!gathering->tree || gathering->err) {
        return;
    }
    struct dpl__scenery_thing *thing = &gathering->tree->things[n];
    bool stands = gathering->robot < 0;
    thing->solid = *solid;
    thing->robot = gathering->robot;
    thing->body = stands ? -1 : gathering->first_body + (int)body;
    if (solid->kind == DPL_SOLID_HULL) {
        gathering->err = face_hull(gathering->world, &thing->solid);
    }
}

static void gather_obstacles(struct gathering *gathering, const struct dpl_sim_model *model)
{
    gathering->robot = -1;
    for (size_t i = 0; i < model->n_obstacles; i++) {
        struct dpl_sim_solid solid = dpl_sim_solid_of(&model->obstacles[i].shape);
        if (!model->obstacles[i].transparent) {
            add_thing(gathering, 0, &solid);
        }
    }
}

static void gather_robots(struct gathering *gathering, const struct dpl_sim_model *model,
                          const struct dpl_sim_state *state)
{
    for (size_t i = 0; i < model->n_robots; i++) {
        gathering->robot = (int)i;
        gathering->first_body = state ? state->robots[i].first_body : 0;
        dpl_sim_robot_see(&model->robots[i], add_thing, gathering);
    }
}

/* ---- where it is ----------------------------------------------------------------------------- */

static void matrix_of(struct dpl_quaternion q, double ret_matrix[3][3])
{
    const struct dpl_vector3 axes[3] = {
        dpl_quaternion_turn(q, (struct dpl_vector3){1.0, 0.0, 0.0}),
        dpl_quaternion_turn(q, (struct dpl_vector3){0.0, 1.0, 0.0}),
        dpl_quaternion_turn(q, (struct dpl_vector3){0.0, 0.0, 1.0}),
    };
    for (int k = 0; k < 3; k++) {
        ret_matrix[0][k] = axes[k].x;
        ret_matrix[1][k] = axes[k].y;
        ret_matrix[2][k] = axes[k].z;
    }
}

/* Its body's frame is at `at`, with axes `rotation`. */
static void put(struct dpl__scenery_thing *thing, const double at[3], const double rotation[3][3])
{
    const struct dpl_pose3 *own = &thing->solid.pose;
    const double p[3] = {own->position.x, own->position.y, own->position.z};
    double turned[3][3];
    matrix_of(own->orientation, turned);
    for (int i = 0; i < 3; i++) {
        const double *row = rotation[i];
        thing->at[i] = at[i] + row[0] * p[0] + row[1] * p[1] + row[2] * p[2];
        for (int k = 0; k < 3; k++) {
            thing->axes[i][k] =
                row[0] * turned[0][k] + row[1] * turned[1][k] + row[2] * turned[2][k];
        }
    }
}

void dpl__scenery_refresh(struct dpl__scenery *scenery)
{
    const struct dpl_sim_bodies *bodies = &scenery->state->bodies;
    for (size_t i = 0; i < scenery->moving.n; i++) {
        struct dpl__scenery_thing *thing = &scenery->moving.things[i];
        put(thing, bodies->position[thing->body],
            (const double(*)[3])bodies->rotation[thing->body]);
    }
    dpl__scenery_tree_fit(&scenery->moving);
}

void dpl__scenery_refresh_at(struct dpl__scenery *scenery, dpl_ns now)
{
    if (scenery->fresh_at != now) {
        dpl__scenery_refresh(scenery);
        scenery->fresh_at = now;
    }
}

/* ---- making it ------------------------------------------------------------------------------- */

static size_t count_standing(const struct dpl_sim_model *model)
{
    struct gathering counted = {.n = 0};
    gather_obstacles(&counted, model);
    return counted.n;
}

static int fill_standing(struct dpl__scenery_tree *tree, struct gathering *gathering)
{
    static const double origin[3], as_world[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    gathering->tree = tree;
    gather_obstacles(gathering, gathering->world->model);
    for (size_t i = 0; i < tree->n && gathering->err == 0; i++) {
        put(&tree->things[i], origin, as_world);
    }
    if (gathering->err || dpl__scenery_tree_sort(tree)) {
        return -ENOMEM;
    }
    dpl__scenery_tree_fit(tree);
    return 0;
}

static struct dpl__scenery *make(struct dpl_world *world)
{
    const struct dpl_sim_model *model = world->model;
    struct dpl__scenery *scenery = dpl_world_alloc(world, 1, sizeof *scenery);
    if (!scenery) {
        return NULL;
    }
    scenery->state = &world->state;
    scenery->fresh_at = -1;
    struct gathering counted = {.world = world}, standing = {.world = world};
    gather_robots(&counted, model, NULL);
    if (dpl__scenery_tree_make(&scenery->standing, world, count_standing(model)) ||
        dpl__scenery_tree_make(&scenery->moving, world, counted.n) ||
        fill_standing(&scenery->standing, &standing)) {
        return NULL;
    }
    struct gathering moving = {.world = world, .tree = &scenery->moving};
    gather_robots(&moving, model, &world->state);
    return moving.err ? NULL : scenery;
}

struct dpl__scenery *dpl__scenery_of(const struct dpl_sim_site *site)
{
    if (!site->world->scenery) {
        site->world->scenery = make(site->world);
    }
    return site->world->scenery;
}

int dpl__scenery_own_robot(const struct dpl_sim_site *site)
{
    const struct dpl_sim_robot *robot = &site->model->robots[site->robot];
    return robot->n_shapes > 0 || !robot->subsystem->part_is_mechanism ? site->robot : -1;
}
