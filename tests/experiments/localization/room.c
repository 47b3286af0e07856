/* SPDX-License-Identifier: Apache-2.0 */
#include "room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/sim/load.h>

static void add_segment(struct room_object *object, const double a[2], const double b[2])
{
    object->outlines[object->n++] =
        (struct dpl_raycast_outline){a[0], a[1], b[0] - a[0], b[1] - a[1], 0.0, 0};
}

static void add_box(struct room_object *object, const struct room_box *box)
{
    static const double sides[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    double c = cos(box->at.theta), s = sin(box->at.theta), corners[4][2];
    for (int i = 0; i < 4; i++) {
        double x = 0.5 * sides[i][0] * box->size_x, y = 0.5 * sides[i][1] * box->size_y;
        corners[i][0] = box->at.x + c * x - s * y;
        corners[i][1] = box->at.y + s * x + c * y;
    }
    for (int i = 0; i < 4; i++) {
        add_segment(object, corners[i], corners[(i + 1) % 4]);
    }
}

static void grow(struct room *room, double x, double y)
{
    room->x1 = fmin(room->x1, x);
    room->y1 = fmin(room->y1, y);
    room->x2 = fmax(room->x2, x);
    room->y2 = fmax(room->y2, y);
}

static void measure(struct room *room)
{
    room->x1 = room->y1 = (double)INFINITY;
    room->x2 = room->y2 = -(double)INFINITY;
    for (size_t i = 0; i < room->n; i++) {
        for (size_t k = 0; k < room->objects[i].n; k++) {
            const struct dpl_raycast_outline *o = &room->objects[i].outlines[k];
            grow(room, o->x, o->y);
            grow(room, o->x + o->dx, o->y + o->dy);
        }
    }
}

/* A wall without a name of its own is "wall 3". Walls stay where they are. */
static bool is_wall(const char *name)
{
    return strncmp(name, "wall ", 5) == 0;
}

void room_load(struct room *room, const char *file, double height_m)
{
    struct dpl_sim_model *model;
    struct dpl_diag error = {0};
    if (dpl_sim_load_world(file, 1, NULL, &model, &error) < 0) {
        fprintf(stderr, "localization: %s: %s\n", file, error.text);
        exit(2);
    }
    memset(room, 0, sizeof *room);
    for (size_t i = 0; i < model->n_obstacles && room->n < ROOM_OBJECTS_MAX; i++) {
        const struct dpl_sim_shape *shape = &model->obstacles[i].shape;
        bool box = shape->kind == DPL_SIM_BOX;
        if (fabs(shape->z - height_m) > 0.5 * (box ? shape->size_z : shape->height)) {
            continue;
        }
        struct room_object *object = &room->objects[room->n++];
        object->movable = !is_wall(model->obstacles[i].name);
        if (box) {
            add_box(object, &(struct room_box){
                                {shape->x, shape->y, shape->yaw}, shape->size_x, shape->size_y});
        } else {
            object->outlines[object->n++] =
                (struct dpl_raycast_outline){shape->x, shape->y, 0.0, 0.0, shape->radius, 0};
        }
    }
    dpl_sim_model_destroy(model);
    measure(room);
}

static struct room_object *add_object(struct room *room, bool movable)
{
    struct room_object *object = &room->objects[room->n < ROOM_OBJECTS_MAX ? room->n++ : 0];
    *object = (struct room_object){.movable = movable};
    return object;
}

void room_wall(struct room *room, double x1, double y1, double x2, double y2)
{
    add_segment(add_object(room, false), (double[]){x1, y1}, (double[]){x2, y2});
    measure(room);
}

void room_box(struct room *room, const struct room_box *box, bool movable)
{
    add_box(add_object(room, movable), box);
}

void room_post(struct room *room, double x, double y, double radius, bool movable)
{
    struct room_object *object = add_object(room, movable);
    object->outlines[object->n++] = (struct dpl_raycast_outline){x, y, 0.0, 0.0, radius, 0};
}

void room_corridor(struct room *room, double length_m, double width_m)
{
    double x = 0.5 * length_m, y = 0.5 * width_m;
    double corners[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
    memset(room, 0, sizeof *room);
    for (int i = 0; i < 4; i++) {
        add_segment(&room->objects[room->n++], corners[i], corners[(i + 1) % 4]);
    }
    measure(room);
}

static void move(struct room *room, size_t object, double dx, double dy)
{
    for (size_t k = 0; k < room->objects[object].n; k++) {
        room->objects[object].outlines[k].x += dx;
        room->objects[object].outlines[k].y += dy;
    }
}

void room_survey(struct room *room, double sigma_m, struct dpl_random *rng)
{
    for (size_t i = 0; sigma_m > 0.0 && i < room->n; i++) {
        double dx = sigma_m * dpl_random_normal(rng), dy = sigma_m * dpl_random_normal(rng);
        move(room, i, dx, dy);
    }
}

void room_stretch(struct room *room, double factor)
{
    for (size_t i = 0; i < room->n; i++) {
        for (size_t k = 0; k < room->objects[i].n; k++) {
            struct dpl_raycast_outline *o = &room->objects[i].outlines[k];
            o->x *= factor;
            o->y *= factor;
            o->dx *= factor;
            o->dy *= factor;
            o->radius *= factor;
        }
    }
    room->x1 *= factor;
    room->y1 *= factor;
    room->x2 *= factor;
    room->y2 *= factor;
}

void room_rearrange(struct room *room, double share, double distance_m, struct dpl_random *rng,
                    bool *moved)
{
    for (size_t i = 0; i < room->n; i++) {
        double angle = dpl_random_uniform(rng, -DPL_PI, DPL_PI);
        bool chosen = dpl_random_uniform(rng, 0.0, 1.0) < share;
        moved[i] = room->objects[i].movable && chosen;
        if (moved[i]) {
            move(room, i, distance_m * cos(angle), distance_m * sin(angle));
        }
    }
}

void room_choose_walls(const struct room *room, double share, struct dpl_random *rng, bool *chosen)
{
    for (size_t i = 0; i < room->n; i++) {
        bool is_chosen = dpl_random_uniform(rng, 0.0, 1.0) < share;
        chosen[i] = !room->objects[i].movable && is_chosen;
    }
}

void room_remove(struct room *room, const bool *objects)
{
    for (size_t i = 0; i < room->n; i++) {
        room->objects[i].n = objects[i] ? 0 : room->objects[i].n;
    }
}

size_t room_outlines(const struct room *room, struct dpl_raycast_outline *ret, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < room->n; i++) {
        for (size_t k = 0; k < room->objects[i].n && n < most; k++) {
            ret[n] = room->objects[i].outlines[k];
            ret[n++].owner = (int)i;
        }
    }
    return n;
}
