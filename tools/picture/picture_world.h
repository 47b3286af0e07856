/* SPDX-License-Identifier: Apache-2.0 */
/* A running world as a picture. */
#ifndef DOPPEL_PICTURE_WORLD_H
#define DOPPEL_PICTURE_WORLD_H

#include <stdint.h>

#include <doppel/sim/world.h>

#include "picture.h"

enum {
    PICTURE_SHAPES = 1 << 0,   /* solids of robots, and obstacles */
    PICTURE_JOINTS = 1 << 1,   /* where bodies are joined */
    PICTURE_CONTACTS = 1 << 2, /* where bodies touch */
    PICTURE_TRACES = 1 << 3,   /* ways of bodies */
    PICTURE_ALL = (1 << 4) - 1,
};

/* The bit of "shapes", "joints", "contacts" or "traces"; -1: none of them. */
int picture_part(const char *word);

/* Adds what the world is now, but no traces. `focus` is the robot that fills the picture; -1: all
 * do. Allocates. */
void picture_add_world(struct picture *picture, const struct dpl_world *world, unsigned parts,
                       int focus);

/* The ways of all bodies of a world: sampled while it runs. */
struct picture_traces;

/* Allocates; ends the process when there is no memory. */
struct picture_traces *picture_traces_create(const struct dpl_world *world);
void picture_traces_destroy(struct picture_traces *traces); /* NULL: nothing */

/* Where the bodies are now. Keeps at most 2000 samples: then every second one goes, and only
 * every second one is taken. */
void picture_traces_take(struct picture_traces *traces);

/* Adds the ways of bodies that have moved, `focus` as above. */
void picture_add_traces(struct picture *picture, const struct picture_traces *traces, int focus);

#endif
