/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds drawn by chance, as they are and as their plans have them. */
#ifndef INTEGRITY_WORLDS_H
#define INTEGRITY_WORLDS_H

#include "room.h"

enum world_kind {
    WORLD_OFFICE,
    WORLD_CLUTTER,
    WORLD_SYMMETRIC, /* equal to itself turned by 180 degrees but for one post */
    WORLD_GLASS,     /* panes that the plan has and the laser does not see */
    WORLD_CORRIDOR,
    WORLD_ROUND,
    WORLD_EQUAL, /* two equal rooms at a corridor */
    WORLD_HALL,  /* larger than the laser's reach */
    WORLD_KINDS,
};

struct world {
    enum world_kind kind;
    struct room room, plan;
    bool glass[ROOM_OBJECTS_MAX];
    bool has_copy; /* of a place: turned around `turn`, or moved by `shift` towards the middle */
    bool copy_turns;
    struct dpl_pose2 middle;
    double shift_m;
    double survey_m; /* of each surface, 1 sigma */
    double moved_share;
};

const char *world_name(enum world_kind kind);

/* Of one seed always the same. */
void world_draw(struct world *world, enum world_kind kind, uint64_t seed);

/* The pose in the copy of its place. */
struct dpl_pose2 world_copy(const struct world *world, struct dpl_pose2 pose);

#endif
