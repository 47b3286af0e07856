/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of a world's bodies, and the rows with their poses. */
#include "world_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/sim/mechanism.h>
#include <doppel/sim/show.h>

/* ---- rows ---- */

static void fill_pushes(const struct dpl_sim_state *state, struct scene_row *row)
{
    row->n_pushes = 0;
    for (const struct dpl_sim_push *push = state->pushes; push && row->n_pushes < SCENE_PUSHES_MAX;
         push = push->next) {
        double(*to)[3] = row->pushes[row->n_pushes], torque[3];
        dpl_sim_push_turned(state, push, to[1], torque);
        for (int i = 0; i < 3; i++) {
            const double *r = state->bodies.rotation[push->body][i], *p = push->point;
            to[0][i] =
                state->bodies.position[push->body][i] + r[0] * p[0] + r[1] * p[1] + r[2] * p[2];
        }
        row->n_pushes += fabs(to[1][0]) + fabs(to[1][1]) + fabs(to[1][2]) > 0.0;
    }
}

static void fill(const struct world_scene *scene, struct scene_row *row)
{
    const struct dpl_sim_contacts *contacts = &scene->live.state->contacts;
    const struct dpl_sim_bodies *bodies = &scene->live.state->bodies;
    row->n_contacts = contacts->n < SCENE_CONTACTS_MAX ? contacts->n : SCENE_CONTACTS_MAX;
    for (size_t i = 0; i < row->n_contacts; i++) {
        memcpy(row->contacts[i], contacts->items[i].point, sizeof row->contacts[i]);
    }
    fill_pushes(scene->live.state, row);
    if (bodies->n > 0) {
        memcpy(row->bodies, bodies->position, 3 * bodies->n * sizeof *row->bodies);
        memcpy(row->bodies + 3 * bodies->n, bodies->rotation, 9 * bodies->n * sizeof *row->bodies);
    }
}

struct dpl_pose3 scene_pose(const struct dpl_scene *scene, const void *row, size_t body)
{
    const struct scene_row *from = row;
    const double *at = from->bodies + 3 * body;
    double rotation[3][3];
    memcpy(rotation, from->bodies + 3 * scene->n_frames + 9 * body, sizeof rotation);
    return (struct dpl_pose3){{at[0], at[1], at[2]},
                              dpl_quaternion_from_matrix((const double(*)[3])rotation)};
}

static void watch(struct dpl_scene *scene, const struct dpl_scene_tap *tap, void *ret_row)
{
    struct world_scene *self = scene_of(scene);
    fill(self, ret_row);
    self->tap = *tap;
}

static dpl_ns next_row(dpl_ns now)
{
    return (now / DPL_SCENE_PERIOD + 1) * DPL_SCENE_PERIOD;
}

void world_scene_follow(struct world_scene *scene, const struct dpl_world *world,
                        const struct dpl_world_channels *channels)
{
    scene->live.world = world;
    scene->live.state = dpl_world_state(world);
    scene->live.channels = channels;
}

void world_scene_look(void *user)
{
    struct world_scene *scene = user;
    dpl_ns now = dpl_world_now(scene->live.world);
    bool is_due = now >= scene->due || now < scene->last;
    struct scene_row *row = is_due && scene->tap.open ? scene->tap.open(scene->tap.self) : NULL;
    if (row) {
        fill(scene, row);
        scene->last = now;
        scene->due = next_row(now);
        scene->tap.send(scene->tap.self, scene_stamp(scene, now));
    }
    if (now >= scene->channels_due || now < scene->channels_last) {
        scene->channels_last = now;
        scene->channels_due = next_row(now);
        scene_look_at_channels(scene, now, false);
    }
    scene_look_at_values(scene, now);
}

void world_scene_touch(struct world_scene *scene)
{
    dpl_ns now = dpl_world_now(scene->live.world);
    scene->due = now;
    scene->channels_due = now;
    scene->values_due = now;
}

void world_scene_look_while_time_stands(void *user)
{
    struct world_scene *scene = user;
    dpl_ns now = dpl_world_now(scene->live.world);
    if (now == scene->boundary) {
        world_scene_look(scene);
        scene_look_at_channels(scene, now, true);
        scene_welcome_to_values(scene, now);
    }
    scene->boundary = now;
}

/* ---- frames ---- */

static const char *frame_of(struct world_scene *scene, size_t robot, size_t body, bool is_avatar)
{
    const struct dpl_sim_robot *model = &scene->model->robots[robot];
    const struct dpl_sim_mechanism *mechanism = dpl_sim_robot_mechanism(model);
    const char *before = is_avatar ? "avatar/" : "";
    if (mechanism && body < mechanism->n_bodies) {
        return dpl_arena_printf(&scene->arena, "%s%s/%s/%s", before, scene->model->name,
                                model->name, mechanism->bodies[body].name);
    }
    return body == 0
               ? dpl_arena_printf(&scene->arena, "%s%s/%s", before, scene->model->name, model->name)
               : dpl_arena_printf(&scene->arena, "%s%s/%s/%zu", before, scene->model->name,
                                  model->name, body);
}

static void name_frames(struct world_scene *scene, const bool *is_avatar)
{
    size_t n = scene->state->bodies.n;
    const char **frames = dpl_arena_alloc(&scene->arena, (n + 1) * sizeof *frames);
    const char **roles = dpl_arena_alloc(&scene->arena, (n + 1) * sizeof *roles);
    for (size_t i = 0; i < scene->state->n_robots; i++) {
        const struct dpl_sim_span *span = &scene->state->robots[i];
        bool avatar = is_avatar && is_avatar[i];
        for (size_t k = 0; k < span->n_bodies; k++) {
            frames[(size_t)span->first_body + k] = frame_of(scene, i, k, avatar);
            roles[(size_t)span->first_body + k] = avatar ? "avatar" : "robot";
        }
    }
    scene->self.frames = frames;
    scene->self.roles = roles;
    scene->self.n_frames = n;
    scene->self.row_bytes = sizeof(struct scene_row) + 12 * n * sizeof(double);
}

const char *scene_role(const struct world_scene *scene, size_t robot)
{
    const struct dpl_sim_span *span = &scene->state->robots[robot];
    return span->n_bodies > 0 ? scene->self.roles[span->first_body] : "robot";
}

/* ---- life ---- */

static const struct dpl_scene_ops ops = {
    scene_describe,      watch,          scene_pose, scene_live, scene_watch_values,
    scene_watch_channel, scene_is_pushed};

struct world_scene *world_scene_create(const struct world_scene_options *options)
{
    struct world_scene *scene = calloc(1, sizeof *scene);
    if (scene) {
        scene->world = options->world;
        scene->model = dpl_world_model(options->world);
        scene->state = dpl_world_state(options->world);
        scene->offset = options->offset;
        scene->shows_real = options->shows_real;
        scene->self.ops = &ops;
        scene->self.world = scene->model->name;
        world_scene_follow(scene, options->world, options->channels);
        scene->boundary = -1;
        name_frames(scene, options->is_avatar);
        scene_list_channels(scene);
        scene_list_values(scene);
    }
    return scene;
}

void world_scene_destroy(struct world_scene *scene)
{
    if (scene) {
        dpl_arena_finish(&scene->arena);
        free(scene);
    }
}

struct dpl_scene *world_scene_interface(struct world_scene *scene)
{
    return &scene->self;
}
