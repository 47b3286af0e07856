/* SPDX-License-Identifier: Apache-2.0 */
/* A world as observers see it: doppel/host/scene.h. */
#ifndef DOPPEL_SIM_WORLD_SCENE_H
#define DOPPEL_SIM_WORLD_SCENE_H

#include <doppel/host/scene.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/state.h>
#include <doppel/sim/world.h>

#include "arena.h"

struct world_scene;

struct world_scene_options {
    const struct dpl_world *world; /* borrowed */
    const bool *is_avatar;         /* [robots] borrowed for the call; NULL: none is */
    const dpl_ns *offset;          /* run's time - world's time, the owner's; NULL: 0 */
    bool shows_real;               /* avatars are shown as their robots, too, in "base_link" */
    const struct dpl_world_channels *channels; /* borrowed; NULL: no values are shown */
};

/* Before the world moves. NULL: no memory. */
struct world_scene *world_scene_create(const struct world_scene_options *options);
void world_scene_destroy(struct world_scene *scene); /* NULL: nothing */

struct dpl_scene *world_scene_interface(struct world_scene *scene);

/* From now on the rows are of another world of the same model, and of its channels (NULL: none):
 * both are borrowed. On the thread that moves it. */
void world_scene_follow(struct world_scene *scene, const struct dpl_world *world,
                        const struct dpl_world_channels *channels);

/* Between two steps, on the thread that owns the world: puts the rows that are due and that
 * somebody listens to. Does not allocate, lock or call the system. */
void world_scene_look(void *scene);

/* Somebody has changed the world at this time: all rows are due at the next look. On that thread.
 */
void world_scene_touch(struct world_scene *scene);

/* The same as world_scene_look at a boundary of a loop: only where time stands. Where it goes on,
 * users still have to put what belongs to this time. */
void world_scene_look_while_time_stands(void *scene);

/* ---- between the files of this folder ---- */

#define SCENE_CONTACTS_MAX 64
#define SCENE_PUSHES_MAX   8

/* What is copied of a state: points of contacts, forces on bodies, then positions, then rotations
 * of all bodies. */
struct scene_row {
    size_t n_contacts;
    double contacts[SCENE_CONTACTS_MAX][3];
    size_t n_pushes;
    double pushes[SCENE_PUSHES_MAX][2][3]; /* where, m; force, N */
    double bodies[];
};

/* A channel, and what was sent of it. */
struct scene_channel {
    struct dpl_scene_tap tap; /* wants NULL: nobody watches */
    void *last;               /* value */
    dpl_ns sent, stamp;       /* world's time: when, and of the value */
    bool is_sent;
    unsigned wanted; /* what tap.wants said then */
};

/* What is read of the channels of a mechanism: channel[i] is field i. */
struct scene_robot {
    size_t *channel;
    struct dpl_scene_tap tap; /* open NULL: nobody watches */
    unsigned wanted;          /* as in scene_channel */
};

struct world_scene {
    struct dpl_scene self;      /* must be first */
    struct scene_robot *robots; /* [self.n_values] */
    dpl_ns values_due;          /* of the next rows of values: world's time */
    struct {
        const struct dpl_world *world;
        const struct dpl_sim_state *state;
        const struct dpl_world_channels *channels;
    } live;                            /* what rows are of */
    struct scene_channel *of_channels; /* [n_channels] */
    void *value;                       /* room for one of any channel */
    const struct dpl_world *world;     /* what is described */
    const struct dpl_sim_model *model;
    const struct dpl_sim_state *state;
    const dpl_ns *offset;
    bool shows_real;
    struct dpl_arena arena;
    struct dpl_scene_tap tap; /* open NULL: nobody watches */
    dpl_ns last, due;         /* of the last row, and of the next one: world's time */
    dpl_ns channels_last, channels_due;
    dpl_ns boundary;          /* the newest one, of this world's time */
    size_t n_shown, n_forces; /* contacts, forces; observer's thread */
};

static inline struct world_scene *scene_of(const struct dpl_scene *scene)
{
    return (struct world_scene *)(uintptr_t)scene;
}

static inline dpl_ns scene_stamp(const struct world_scene *scene, dpl_ns of_world)
{
    return of_world + (scene->offset ? *scene->offset : 0);
}

/* The role of a robot's things: that of its frames. */
const char *scene_role(const struct world_scene *scene, size_t robot);
struct dpl_pose3 scene_pose(const struct dpl_scene *scene, const void *row, size_t body);
void scene_describe(const struct dpl_scene *scene, dpl_scene_add *add, void *user);
bool scene_is_pushed(const struct dpl_scene *scene, const void *row);
void scene_live(const struct dpl_scene *scene, const void *row, dpl_scene_add *add, void *user);
/* world_values.c: the values of mechanisms, and their rows at world time `now`. */
void scene_list_values(struct world_scene *scene);
void scene_watch_values(struct dpl_scene *scene, size_t i, const struct dpl_scene_tap *tap);
void scene_look_at_values(struct world_scene *scene, dpl_ns now);
/* For those alone who have come since. */
void scene_welcome_to_values(struct world_scene *scene, dpl_ns now);
/* scene_channels.c */
void scene_list_channels(struct world_scene *scene);
void scene_watch_channel(struct dpl_scene *scene, size_t i, const struct dpl_scene_tap *tap);
/* Puts the values that are wanted and not known yet; `now`: world's time. */
void scene_look_at_channels(struct world_scene *scene, dpl_ns now, bool only_to_welcome);

#endif
