/* SPDX-License-Identifier: Apache-2.0 */
/* What a world shows to those who observe a run: its things, and how they move. Whoever owns a
 * world offers a const table and the state that goes with it; the runtime makes messages of it
 * (runtime/observe/scene_topic.h). SI units; frames are right-handed, z up. */
#ifndef DOPPEL_HOST_SCENE_H
#define DOPPEL_HOST_SCENE_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/channel.h>
#include <doppel/field.h>
#include <doppel/math/pose3.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_SCENE_ROOT          "map"         /* the frame of all worlds of a run */
#define DPL_SCENE_PERIOD        (20 * DPL_MS) /* of a world's time, between two rows */
#define DPL_SCENE_VALUES_PERIOD (50 * DPL_MS)

enum dpl_scene_kind {
    DPL_SCENE_BOX,      /* `size`: edges */
    DPL_SCENE_SPHERE,   /* `size`: diameters */
    DPL_SCENE_CYLINDER, /* along z; `size`: diameters, height */
    DPL_SCENE_MESH,     /* `points`, and `faces` of them, counter-clockwise as seen from outside */
    DPL_SCENE_LINE,     /* through `points`; size[0]: thickness in pixels */
    DPL_SCENE_TEXT,     /* `text`, towards who looks; size[0]: height in pixels */
};

/* A shape, in the frame of its thing. */
struct dpl_scene_shape {
    enum dpl_scene_kind kind;
    struct dpl_pose3 pose;
    double size[3];
    double color[4]; /* red, green, blue, opacity: 0 to 1 */
    const struct dpl_vector3 *points;
    const unsigned (*faces)[3];
    size_t n_points, n_faces;
    const char *text;
};

/* A thing. It replaces an earlier one with its id. */
struct dpl_scene_thing {
    const char *id;    /* its path: "office/12 desk"; unique in a run */
    const char *frame; /* in which its shapes are */
    const char *layer; /* visual, collision, wall, object, joint, contact, trace, force */
    const char *role;  /* robot, avatar, world */
    const char *world; /* its name */
    dpl_ns lifetime;   /* 0: until it is replaced */
    const struct dpl_scene_shape *shapes; /* [n_shapes]; 0: nothing is to be seen any more */
    size_t n_shapes;
};

/* Gets a thing, which is borrowed for the call. */
typedef void dpl_scene_add(void *user, const struct dpl_scene_thing *thing);

/* Where the owner of a world puts rows. They do not wait on the real clock, do not allocate, and
 * cost a load while nobody listens. */
struct dpl_scene_tap {
    void *self;
    /* A row of row_bytes to fill, which `send` sends; NULL: nobody listens, or there is no room. */
    void *(*open)(void *self);
    void (*send)(void *self, dpl_ns stamp); /* on the run's clock */
    /* 0: nobody listens. Otherwise another number when somebody more has come, who gets the value
     * of this time once, changed or not. */
    unsigned (*wants)(void *self);
};

/* Values of a robot: fields of a row of `bytes`. */
struct dpl_scene_values {
    const char *name; /* of the robot */
    const struct dpl_field *fields;
    size_t n_fields, bytes;
};

struct dpl_scene;

struct dpl_scene_ops {
    /* Calls `add` for each thing that is always there. Observer's thread. */
    void (*describe)(const struct dpl_scene *scene, dpl_scene_add *add, void *user);
    /* From now on rows go into the tap, at most one each DPL_SCENE_PERIOD. Before the world moves;
     * fills the row of its start. */
    void (*watch)(struct dpl_scene *scene, const struct dpl_scene_tap *tap, void *ret_row);
    /* The pose, in DPL_SCENE_ROOT, of frame `i` in a row. Observer's thread. */
    struct dpl_pose3 (*pose)(const struct dpl_scene *scene, const void *row, size_t i);
    /* Calls `add` for each thing that depends on more than one frame: ropes, contacts. Observer's
     * thread. */
    void (*live)(const struct dpl_scene *scene, const void *row, dpl_scene_add *add, void *user);
    /* From now on rows of values `i` go into the tap, at most one each DPL_SCENE_VALUES_PERIOD.
     * Before the world moves. NULL: there are no values. */
    void (*watch_values)(struct dpl_scene *scene, size_t i, const struct dpl_scene_tap *tap);
    /* From now on values of channel `i` go into the tap, as doppel/channel.h stores them: at most
     * one each DPL_SCENE_PERIOD, when it has changed or a second has passed; of a constant the only
     * one. Before the world moves. */
    void (*watch_channel)(struct dpl_scene *scene, size_t i, const struct dpl_scene_tap *tap);
    /* Whether `live` shows something that changes while nothing moves. Observer's thread. NULL:
     * never. */
    bool (*is_pushed)(const struct dpl_scene *scene, const void *row);
};

/* Valid until the end of the run. */
struct dpl_scene {
    const struct dpl_scene_ops *ops;
    const char *world;         /* its name */
    const char *const *frames; /* [n_frames] names: "office/robot", "avatar/office/robot" */
    const char *const *roles;  /* [n_frames] as of things */
    size_t n_frames, row_bytes;
    const struct dpl_scene_values *values; /* [n_values] */
    size_t n_values;
    const struct dpl_channel_desc *channels; /* [n_channels]; inputs have no values to show */
    size_t n_channels;
    bool is_own; /* it is the world of the run; others are named in topics of their channels */
};

#ifdef __cplusplus
}
#endif

#endif
