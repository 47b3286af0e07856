/* SPDX-License-Identifier: Apache-2.0 */
/* See sight.h. */
#include "sight.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/math/vector3.h>

#include "arena.h"

/* ---- what there is to see -------------------------------------------------------------------- */

/* A hull as a mesh, because a ray needs faces. */
static int face_hull(struct dpl_arena *memory, struct dpl_sim_solid *solid)
{
    unsigned(*faces)[3] = dpl_arena_alloc(memory, 2 * solid->n_points * sizeof *faces);
    int n = dpl_hull_faces(solid->points, solid->n_points, faces);
    if (n < 0) {
        return n;
    }
    solid->kind = DPL_SOLID_MESH;
    solid->faces = (const unsigned(*)[3])faces;
    solid->n_faces = (size_t)n;
    return 0;
}

static int add_body(struct dpl__sight_settings *settings, const struct dpl_sim_mechanism *mechanism,
                    size_t number)
{
    const struct dpl_sim_body *body = &mechanism->bodies[number];
    int err = 0;
    for (size_t i = 0; i < body->n_solids && err == 0; i++) {
        struct dpl__sight_solid *seen = &settings->solids[settings->n_solids++];
        *seen = (struct dpl__sight_solid){(unsigned)number, body->solids[i]};
        if (seen->solid.kind == DPL_SOLID_HULL) {
            err = face_hull(mechanism->memory, &seen->solid);
        }
    }
    return err;
}

int dpl__sight_attach(struct dpl__sight_settings *settings,
                      const struct dpl_sim_mechanism *mechanism, struct dpl_diag *reterr)
{
    bool all = settings->sees[0] == '\0';
    size_t n = 0;
    int err = 0;
    settings->only = all ? -1 : dpl_mechanism_find_body(mechanism, settings->sees);
    if (!all && settings->only < 0) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "sees: there is no body '%s'",
                        settings->sees);
    }
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        n += mechanism->bodies[i].n_solids;
    }
    settings->solids = dpl_arena_alloc(mechanism->memory, (n + 1) * sizeof *settings->solids);
    for (size_t i = 0; i < mechanism->n_bodies && err == 0; i++) {
        err = all || (int)i == settings->only ? add_body(settings, mechanism, i) : 0;
    }
    return err ? dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "a hull that it sees is flat")
               : 0;
}

/* ---- a ray ----------------------------------------------------------------------------------- */

struct ray {
    struct dpl_vector3 from, along;
};

/* R v; or R^T v. */
static struct dpl_vector3 turn(const double r[3][3], struct dpl_vector3 v, bool back)
{
    const double in[3] = {v.x, v.y, v.z};
    double out[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            out[i] += (back ? r[k][i] : r[i][k]) * in[k];
        }
    }
    return (struct dpl_vector3){out[0], out[1], out[2]};
}

static struct dpl_vector3 position_of(const struct dpl_sim_bodies *bodies, int body)
{
    const double *at = bodies->position[body];
    return (struct dpl_vector3){at[0], at[1], at[2]};
}

static const double (*rotation_of(const struct dpl_sim_bodies *bodies, int body))[3]
{
    return (const double(*)[3])bodies->rotation[body];
}

static struct ray in_world(const struct dpl__sight_settings *settings,
                           const struct dpl_sim_site *site, struct dpl_vector3 along)
{
    const struct dpl_sim_bodies *bodies = &site->state->bodies;
    const double(*rotation)[3] = rotation_of(bodies, site->body);
    struct dpl_quaternion mount = dpl_quaternion_from_rpy(0.0, settings->pitch, settings->yaw);
    return (struct ray){
        .from = dpl_vector3_add(position_of(bodies, site->body),
                                turn(rotation, settings->mount, false)),
        .along = turn(rotation, dpl_quaternion_turn(mount, along), false),
    };
}

static double to_bodies(const struct dpl__sight_settings *settings, const struct dpl_sim_site *site,
                        const struct ray *ray)
{
    const struct dpl_sim_bodies *bodies = &site->state->bodies;
    int first = site->state->robots[site->robot].first_body;
    double nearest = (double)INFINITY;
    for (size_t i = 0; i < settings->n_solids; i++) {
        const struct dpl__sight_solid *seen = &settings->solids[i];
        int body = first + (int)seen->body;
        if (body == site->body) {
            continue;
        }
        const double(*rotation)[3] = rotation_of(bodies, body);
        struct dpl_vector3 from =
            turn(rotation, dpl_vector3_minus(ray->from, position_of(bodies, body)), true);
        nearest =
            fmin(nearest, dpl_sim_solid_ray(&seen->solid, from, turn(rotation, ray->along, true)));
    }
    return nearest;
}

static struct dpl_sim_solid solid_of(const struct dpl_sim_shape *shape)
{
    static const enum dpl_sim_solid_kind kinds[] = {
        [DPL_SIM_BOX] = DPL_SOLID_BOX,
        [DPL_SIM_SPHERE] = DPL_SOLID_SPHERE,
        [DPL_SIM_CYLINDER] = DPL_SOLID_CYLINDER,
        [DPL_SIM_CAPSULE] = DPL_SOLID_CAPSULE,
    };
    double lying = shape->kind == DPL_SIM_CAPSULE && shape->lying ? 0.5 * DPL_PI : 0.0;
    return (struct dpl_sim_solid){
        .kind = kinds[shape->kind],
        .pose = {.position = {shape->x, shape->y, shape->z},
                 .orientation = dpl_quaternion_from_rpy(0.0, lying, shape->yaw)},
        .size = {shape->size_x, shape->size_y, shape->size_z},
        .radius = shape->radius,
        .height = shape->height,
    };
}

/* Whether the line of the ray passes through a sphere around the shape: to leave out the rest. */
static bool passes_near(const struct dpl_sim_shape *shape, const struct ray *ray, double most)
{
    struct dpl_vector3 to = {shape->x - ray->from.x, shape->y - ray->from.y,
                             shape->z - ray->from.z};
    double reach =
        0.5 * (shape->size_x + shape->size_y + shape->size_z) + shape->radius + 0.5 * shape->height;
    double t = dpl_clamp(dpl_vector3_dot(to, ray->along), 0.0, most);
    struct dpl_vector3 gap = dpl_vector3_minus(to, dpl_vector3_times(ray->along, t));
    return dpl_vector3_dot(gap, gap) <= reach * reach;
}

static double to_rest(const struct dpl_sim_model *model, const struct ray *ray, double most)
{
    bool falls = ray->from.z > 0.0 && ray->along.z < 0.0;
    double nearest = falls ? -ray->from.z / ray->along.z : (double)INFINITY;
    for (size_t i = 0; i < model->n_obstacles; i++) {
        const struct dpl_sim_shape *shape = &model->obstacles[i].shape;
        if (passes_near(shape, ray, most)) {
            struct dpl_sim_solid solid = solid_of(shape);
            nearest = fmin(nearest, dpl_sim_solid_ray(&solid, ray->from, ray->along));
        }
    }
    return nearest;
}

double dpl__sight_cast(const struct dpl__sight_settings *settings, const struct dpl_sim_site *site,
                       struct dpl_vector3 along, double most)
{
    struct ray ray = in_world(settings, site, along);
    double nearest = to_bodies(settings, site, &ray);
    if (settings->only < 0) {
        nearest = fmin(nearest, to_rest(site->model, &ray, most));
    }
    return nearest <= most ? nearest : (double)INFINITY;
}
