/* SPDX-License-Identifier: Apache-2.0 */
/* Sensors, actuators and signals: a class is a const table. A model has entries, each of a class,
 * with a name and settings; a running world has a state for each. To add a class, write a plugin
 * with its table (doppel/part.h), or a file with it in avatar_sim/parts and a line in its list.c.
 */
#ifndef DOPPEL_SIM_ENTRY_H
#define DOPPEL_SIM_ENTRY_H

#include <stddef.h>

#include <doppel/diag.h>
#include <doppel/field.h>
#include <doppel/math/pose3.h>
#include <doppel/sim/element.h>
#include <doppel/sim/limits.h>
#include <doppel/sim/model.h>
#include <doppel/sim/settings.h>
#include <doppel/sim/state.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_channel_table;
struct dpl_sim_mechanism;
struct dpl_world;
struct dpl_world_channels;

/* A step of the world. */
struct dpl_sim_tick {
    dpl_ns now; /* time at the end of the step */
    double dt;  /* s since the last step of this entry */
};

enum dpl_sim_phase {
    DPL_SIM_ACTUATOR, /* runs before the subsystems: writes commands of joints */
    DPL_SIM_SENSOR,   /* runs after them: reads the state */
    DPL_SIM_SIGNAL,   /* runs after the sensors, in the order of the file: reads and writes channels
                       */
};

/* The place of an entry in a running world. */
struct dpl_sim_site {
    struct dpl_world *world;
    const struct dpl_sim_model *model;
    struct dpl_sim_state *state;
    const struct dpl_sim_entry *entry;
    int robot, body; /* numbers in the model and in the state */
    int joint;       /* in the state; -1: none */
    int reaction;    /* in the state, for a class with is_at_whole_joint; otherwise -1 */
    int number;      /* among those of its class in the world, in the order of the model */
    double dt;       /* s between two of its steps */
};

/* The commands of its joint that an actuator writes. Two actuators of one joint must write
 * different commands, such as a motor and a brake. */
enum dpl_sim_command {
    DPL_SIM_COMMAND_NONE,
    DPL_SIM_COMMAND_PUSH,  /* `push` */
    DPL_SIM_COMMAND_SPEED, /* `speed` and `limit` */
};

/* What an actuator adds to its joint, measured at the joint. */
struct dpl_sim_burden {
    double inertia;  /* kg m^2 of a rotation, kg of a translation */
    double friction; /* N m, N: always against the motion */
    /* Its gear has losses: how much of both acts on the joint depends on where the power goes
     * (struct dpl_sim_joints, `share`). */
    bool has_losses;
    /* Of the gear teeth that transmit the effort, if the gear has play: N m/rad, N m s/rad; N/m, N
     * s/m. They are only compared with the step of the world; 0: no such teeth. */
    double teeth_stiffness, teeth_damping;
};

struct dpl_sim_entry_class {
    const char *name; /* for messages; in the singular */
    const char *summary;
    enum dpl_sim_phase phase;
    /* The element of a <robot_model> that adds an entry of this class to the robot's first body;
     * NULL: another element adds it. A text field "name" is the entry's name. */
    const char *element;
    struct dpl_sim_settings settings; /* the attributes of its element */
    /* Attributes of a world's <robot> that change the settings of its entries; may be empty. */
    struct dpl_sim_settings changes;
    void (*change)(void *settings, const void *changes);
    /* Computes the other members of the settings from the fields. NULL: there are none. */
    void (*complete)(void *settings);
    /* 0, or -EINVAL with reterr. NULL: the ranges of the fields are enough. */
    int (*check)(const void *settings, struct dpl_diag *reterr);
    size_t state_size; /* bytes; zeroed before `build` */
    /* Bytes that `build` allocates, if this can be more than 100 kB. NULL: it is less. */
    size_t (*reserve)(const void *settings);
    /* 0, -ENOMEM, or -EINVAL with reterr. May allocate with dpl_world_alloc. NULL: nothing to do.
     */
    int (*build)(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr);
    /* Finds the channels that the entry uses, after the whole world is built. It may keep the
     * results of dpl__channels_row, but not the list. Returns as `build`. NULL: it uses no
     * channels. */
    int (*connect)(void *state, const struct dpl_sim_site *site,
                   const struct dpl_world_channels *channels, struct dpl_diag *reterr);
    /* Does not allocate, block or call the system. NULL: it has no step. */
    void (*step)(void *state, const struct dpl_sim_tick *tick);
    /* The channels of each entry with a name, at ROBOT/NAME; `id` is the number in its site. NULL:
     * none. */
    const struct dpl_channel_table *channels;

    /* The value of the attribute `type` with which an element <Motor> (for an actuator), <Sensor>
     * or <Signal> in a mechanism's file adds an entry of this class. NULL: such elements cannot add
     * one. */
    const char *type;
    bool is_at_joint; /* in a mechanism: it belongs to a joint, otherwise to a body; a signal to
                         neither */
    /* It belongs to the whole joint (struct dpl_sim_reactions), even if no degree of freedom has a
     * value. */
    bool is_at_whole_joint;
    enum dpl_sim_command commands;
    /* Elements inside of these elements; they are read into the settings. May be empty. */
    const struct dpl_element_kind *children;
    size_t n_children;
    /* Finds the parts of the mechanism that the settings name. 0, or -EINVAL with reterr. NULL:
     * there are none. */
    int (*attach)(void *settings, const struct dpl_sim_mechanism *mechanism,
                  struct dpl_diag *reterr);
    /* What the actuator adds to its joint. NULL: nothing. */
    struct dpl_sim_burden (*burden)(const void *settings);
    /* The limits of the actuator, and which of them act in the newest step: how many, always the
     * same ones in the same order. Does not allocate or block. NULL: it has none. */
    size_t (*limits)(const void *state,
                     struct dpl_sim_actuator_limit ret_limits[DPL_SIM_LIMITS_MAX]);
    bool pushes_body; /* its body must be able to move */
    /* The point of its body to which it adds a load that it commands. NULL: it adds none. */
    struct dpl_vector3 (*load_at)(const void *settings);
};

/* Allocates zeroed memory of the world for n elements, while the world is built. It is a part of
 * the world's snapshots and is released with the world. NULL: there is not enough memory. */
void *dpl_world_alloc(struct dpl_world *world, size_t n, size_t size);

/* The state of entry `number` of a class; NULL: there is none. Does not allocate or block. */
void *dpl_world_entry(const struct dpl_world *world, const struct dpl_sim_entry_class *class_,
                      int number);

/* The place of this entry; NULL: there is none. Valid as long as the world. */
const struct dpl_sim_site *dpl_world_entry_site(const struct dpl_world *world,
                                                const struct dpl_sim_entry_class *class_,
                                                int number);

/* The number of the entry with this name, of a class, on a robot. Names are compared by
 * dpl_name_equal. -ENOENT: there is none. */
int dpl_world_find_entry(const struct dpl_world *world, const struct dpl_sim_entry_class *class_,
                         int robot, const char *name);

#ifdef __cplusplus
}
#endif

#endif
