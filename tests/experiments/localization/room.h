/* SPDX-License-Identifier: Apache-2.0 */
/* A room of the experiment: the outlines of its objects, as they are and as the plan has them. */
#ifndef LOCALIZATION_ROOM_H
#define LOCALIZATION_ROOM_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/math/geometry.h>
#include <doppel/math/random.h>

#include "raycast.h"

#define ROOM_OBJECTS_MAX 512

struct room_object {
    struct dpl_raycast_outline outlines[4];
    size_t n;
    bool movable; /* not a wall */
};

struct room {
    struct room_object objects[ROOM_OBJECTS_MAX];
    size_t n;
    double x1, y1, x2, y2; /* box around it */
};

struct room_box {
    struct dpl_pose2 at; /* its middle */
    double size_x, size_y;
};

/* Each adds an object. Walls stay where they are, and give the size of the room. */
void room_wall(struct room *room, double x1, double y1, double x2, double y2);
void room_box(struct room *room, const struct room_box *box, bool movable);
void room_post(struct room *room, double x, double y, double radius, bool movable);

/* From a world's file: what stands at the laser's height. Exits with a message if it cannot. */
void room_load(struct room *room, const char *file, double height_m);

/* Two walls of `length` along x, `width` apart, with closed ends. */
void room_corridor(struct room *room, double length_m, double width_m);

/* A normal error of the position of each object, in x and y: what a survey has. */
void room_survey(struct room *room, double sigma_m, struct dpl_random *rng);

/* Makes it larger by a factor, seen from the origin of its frame. */
void room_stretch(struct room *room, double factor);

/* Moves a share of the movable objects by a distance in any direction; moved[room->n] says which.
 */
void room_rearrange(struct room *room, double share, double distance_m, struct dpl_random *rng,
                    bool *moved);

/* A share of the walls, room->n flags: panes of glass, or those that a plan has left out. */
void room_choose_walls(const struct room *room, double share, struct dpl_random *rng, bool *chosen);

/* Takes the outlines of these objects away; the others keep their numbers. */
void room_remove(struct room *room, const bool *objects);

/* All outlines with their objects as owners; returns how many. `most` is enough: 4 an object. */
size_t room_outlines(const struct room *room, struct dpl_raycast_outline *ret, size_t most);

#endif
