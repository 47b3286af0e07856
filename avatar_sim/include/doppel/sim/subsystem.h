/* SPDX-License-Identifier: Apache-2.0 */
/* Subsystems: a world is made of solvers, each of which moves the robots that are its own. A class
 * is a const table; adding one is a folder in avatar_sim/subsystems and a line in its list.c. */
#ifndef DOPPEL_SIM_SUBSYSTEM_H
#define DOPPEL_SIM_SUBSYSTEM_H

#include <doppel/sim/entry.h>
#include <doppel/sim/show.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_element_kind;
struct dpl_world_channels;
struct dpl_element_reader;
struct dpl_xml_node;

/* What a subsystem is built on. */
struct dpl_subsystem_site {
    struct dpl_world *world;
    const struct dpl_sim_model *model;
    struct dpl_sim_state *state;
    double dt; /* s */
};

/* A robot, by its number in the model, and why it cannot start there; the text has no place. */
typedef void dpl_sim_start_finding(void *user, size_t robot, const struct dpl_diag *diag);

/* A member may be NULL where its comment says so. */
struct dpl_subsystem_class {
    const char *name;    /* the name of its folder */
    const char *noun;    /* what one of its robots is called; with "s" at its end in the plural */
    const char *summary; /* one line for people */

    /* The class whose robots this one moves, too, where solver="NAME" of a <robot_model> or of a
     * world's <robot> says so. NULL: none. */
    const struct dpl_subsystem_class *instead_of;

    /* Elements of a <robot_model>: the first that a model has says which subsystem the model is of.
     * Their handlers fill a draft of draft_size bytes, zeroed before (world/robot_xml.h). */
    const struct dpl_element_kind *elements;
    size_t n_elements, draft_size;
    struct dpl_sim_settings root; /* attributes of the root; may be empty */
    /* Makes the robot from the draft. `root_values` is the struct that `root` describes. Errors go
     * to the reader. */
    void (*finish)(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                   const void *root_values);
    /* Attributes of a world's <robot> that change it; may be empty. */
    struct dpl_sim_settings changes;
    void (*change)(struct dpl_sim_robot *robot, const void *changes); /* NULL: no changes */

    /* Checks one of its robots. 0, or -EINVAL with reterr. */
    int (*check)(const struct dpl_sim_robot *robot, struct dpl_diag *reterr);
    /* Calls `finding` for each of its robots that does not fit where it starts. 0 or -ENOMEM. NULL:
     * all of them fit anywhere. Allocates. */
    int (*check_starts)(const struct dpl_sim_model *model, dpl_sim_start_finding *finding,
                        void *user);

    bool part_is_mechanism; /* the part of its robots is a struct dpl_sim_mechanism */
    /* Calls `show` for what a robot has besides its shapes and its mechanism. NULL: nothing. */
    void (*show)(const struct dpl_sim_robot *robot, dpl_sim_show *show, void *user);

    bool is_fixed; /* the frames of its robots stay at their start; their bodies may move */
    /* How many bodies and joints a robot has. */
    void (*count)(const struct dpl_sim_robot *robot, struct dpl_sim_span *inout);
    size_t data_size; /* of the subsystem in a world, zeroed when it is built */
    /* 0, -ENOMEM, or -EINVAL with reterr. All memory comes from the world (dpl_world_alloc), so
     * that snapshots have it. Writes the state of its robots. */
    int (*build)(void *data, const struct dpl_subsystem_site *site, struct dpl_diag *reterr);
    /* Before any subsystem steps: hands over what a solver that several subsystems share is to do.
     * As `step`. NULL: nothing. */
    void (*prepare)(void *data, const struct dpl_sim_tick *tick);
    /* Moves its robots, and writes their state. Allocates nothing, does not block, calls no system.
     */
    void (*step)(void *data, const struct dpl_sim_tick *tick);
    /* Puts a robot at a pose as seen from above, and writes its state. 0, -EBUSY: it does not fit
     * there. NULL: its robots cannot be put. */
    int (*place)(void *data, int robot, struct dpl_pose2 pose);
    /* Channels of each robot, under its name; `id` is the robot's number. NULL: none. */
    const struct dpl_channel_table *channels;
    /* Channels of the parts of a robot, by dpl__channels_add. NULL: none. */
    void (*add_channels)(const struct dpl_world *world, struct dpl_world_channels *channels,
                         int robot);
    /* Writes where the channels of a robot's entry are; false: it does not fit, they are left out.
     * NULL: all are at ROBOT/NAME. */
    bool (*entry_path)(const struct dpl_sim_robot *robot, size_t entry, char *ret_path,
                       size_t size);
};

/* The data of a subsystem in a world; NULL: the world has no robot of this class. */
void *dpl_world_subsystem(const struct dpl_world *world, const struct dpl_subsystem_class *class_);

#ifdef __cplusplus
}
#endif

#endif
