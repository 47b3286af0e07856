/* SPDX-License-Identifier: Apache-2.0 */
/* Sensors, actuators and signals: a class is a const table. A model has entries, each of a class,
 * with a name and settings; a running world has a state for each. Adding one is a file with a
 * table, and a line in the list (list.c in avatar_sim/sensors, avatar_sim/actuators,
 * avatar_sim/signals). */
#ifndef DOPPEL_SIM_ENTRY_H
#define DOPPEL_SIM_ENTRY_H

#include <stddef.h>

#include <doppel/diag.h>
#include <doppel/field.h>
#include <doppel/math/pose3.h>
#include <doppel/sim/model.h>
#include <doppel/sim/state.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_channel_table;
struct dpl_element_kind;
struct dpl_sim_mechanism;
struct dpl_world;
struct dpl_world_channels;

/* A struct that a field table fills. */
struct dpl_sim_settings {
    const struct dpl_field *fields; /* [n] */
    size_t n, size;
    const void *unset; /* what members are that have no default and are not given; NULL: zeros */
};

/* A step of the world. */
struct dpl_sim_tick {
    dpl_ns now; /* when it ends */
    double dt;  /* s since the last step of the one that is called */
};

enum dpl_sim_phase {
    DPL_SIM_ACTUATOR, /* steps before the subsystems: writes commands of joints */
    DPL_SIM_SENSOR,   /* steps after them: reads the state */
    DPL_SIM_SIGNAL,   /* steps after the sensors, in the order of the file: works on channels */
};

/* Where an entry is in a running world. */
struct dpl_sim_site {
    struct dpl_world *world;
    const struct dpl_sim_model *model;
    struct dpl_sim_state *state;
    const struct dpl_sim_entry *entry;
    int robot, body; /* numbers in the model and in the state */
    int joint;       /* in the state; -1: none */
    int reaction;    /* in the state, of a class that is at a whole joint; else -1 */
    int number;      /* among those of its class in the world, in the order of the model */
    double dt;       /* s from one of its steps to the next */
};

/* Which commands of its joint an actuator writes. Two actuators of one joint write different ones:
 * a motor pushes and a brake holds. */
enum dpl_sim_command {
    DPL_SIM_COMMAND_NONE,
    DPL_SIM_COMMAND_PUSH,  /* `push` */
    DPL_SIM_COMMAND_SPEED, /* `speed` and `limit` */
};

/* What an actuator adds to the joint that it is at, as felt there. */
struct dpl_sim_burden {
    double inertia;  /* kg m^2 of a turn, kg of a travel */
    double friction; /* N m, N: that is always against the motion */
    /* Of the teeth through which it pushes, if it has a play: N m/rad, N m s/rad; N/m, N s/m. They
     * are only checked against the step; 0: it pushes otherwise. */
    double teeth_stiffness, teeth_damping;
};

struct dpl_sim_entry_class {
    const char *name; /* for people; without "s" at its end */
    const char *summary;
    enum dpl_sim_phase phase;
    /* The element of a <robot_model> that adds one to the robot's first body; NULL: another element
     * does. A field "name", a text, is the entry's name. */
    const char *element;
    struct dpl_sim_settings settings; /* that an element gives */
    /* Attributes of a world's <robot> that change the settings of its entries; may be empty. */
    struct dpl_sim_settings changes;
    void (*change)(void *settings, const void *changes);
    /* Makes of what the fields say what else is in the settings. NULL: nothing. */
    void (*complete)(void *settings);
    /* 0, or -EINVAL with reterr. NULL: the ranges of the fields are enough. */
    int (*check)(const void *settings, struct dpl_diag *reterr);
    size_t state_size; /* zeroed when it is built */
    /* Bytes that `build` takes, where they may be more than 100 kB. NULL: they are not. */
    size_t (*reserve)(const void *settings);
    /* 0, -ENOMEM, or -EINVAL with reterr. May take memory by dpl_world_alloc. NULL: nothing to do.
     */
    int (*build)(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr);
    /* Finds the channels that it works with, when all of the world is built; it keeps what
     * dpl__channels_row says, not the list. As `build`. NULL: it needs none. */
    int (*connect)(void *state, const struct dpl_sim_site *site,
                   const struct dpl_world_channels *channels, struct dpl_diag *reterr);
    /* Allocates nothing, does not block, calls no system. NULL: it does not step. */
    void (*step)(void *state, const struct dpl_sim_tick *tick);
    /* For each entry with a name, under ROBOT/NAME; `id` is the number in its site. NULL: none. */
    const struct dpl_channel_table *channels;

    /* The word of the attribute `type` by which the element <Motor> (of an actuator), <Sensor> or
     * <Signal> of a mechanism's file adds one. NULL: none does. */
    const char *type;
    bool is_at_joint; /* of a mechanism; else at a body; a signal is at none */
    /* Then it is there as a whole (struct dpl_sim_reactions): also where no freedom has a value. */
    bool is_at_whole_joint;
    enum dpl_sim_command commands;
    /* What those elements may hold; the reader's target is the settings. May be empty. */
    const struct dpl_element_kind *children;
    size_t n_children;
    /* Looks up what the settings name in the mechanism. 0, or -EINVAL with reterr. NULL: nothing.
     */
    int (*attach)(void *settings, const struct dpl_sim_mechanism *mechanism,
                  struct dpl_diag *reterr);
    /* What it adds to its joint. NULL: nothing. */
    struct dpl_sim_burden (*burden)(const void *settings);
    bool pushes_body; /* its body must be one that moves */
    /* The point of its body where it puts a load, which it commands. NULL: it puts none. */
    struct dpl_vector3 (*load_at)(const void *settings);
};

/* Zeroed memory of the world for n elements, which goes with it and is part of its snapshots: while
 * the world is built. NULL: it is full. */
void *dpl_world_alloc(struct dpl_world *world, size_t n, size_t size);

/* The state of entry `number` of a class; NULL: there is none. Neither allocates nor blocks. */
void *dpl_world_entry(const struct dpl_world *world, const struct dpl_sim_entry_class *class_,
                      int number);

/* Where it is; NULL: there is none. It stays valid as long as the world. */
const struct dpl_sim_site *dpl_world_entry_site(const struct dpl_world *world,
                                                const struct dpl_sim_entry_class *class_,
                                                int number);

/* The number of the named entry of a class on a robot, compared as dpl_name_equal does; -ENOENT. */
int dpl_world_find_entry(const struct dpl_world *world, const struct dpl_sim_entry_class *class_,
                         int robot, const char *name);

#ifdef __cplusplus
}
#endif

#endif
