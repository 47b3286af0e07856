/* SPDX-License-Identifier: Apache-2.0 */
/* Subsystems are the solvers of a world; each moves its own robots. A class is a const table. To
 * add a class, write a plugin (doppel/part.h), or a folder in avatar_sim/parts/subsystems and a
 * line in its list.c. */
#ifndef DOPPEL_SIM_SUBSYSTEM_H
#define DOPPEL_SIM_SUBSYSTEM_H

#include <doppel/sim/element.h>
#include <doppel/sim/entry.h>
#include <doppel/sim/show.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_machine;
struct dpl_world_channels;

/* The world for which a subsystem is built. */
struct dpl_subsystem_site {
    struct dpl_world *world;
    const struct dpl_sim_model *model;
    struct dpl_sim_state *state;
    double dt; /* s */
};

/* Reports a robot that cannot start at its place: its number in the model, and the reason; the text
 * has no place. */
typedef void dpl_sim_start_finding(void *user, size_t robot, const struct dpl_diag *diag);

/* A member may be NULL only if its comment describes this. */
struct dpl_subsystem_class {
    const char *name;    /* the name of its folder */
    const char *noun;    /* word for one of its robots; the plural has "s" at its end */
    const char *summary; /* one line for messages and lists */

    /* Another class whose robots this class can move, too, if solver="NAME" of a <robot_model> or
     * of a world's <robot> selects it. NULL: none. */
    const struct dpl_subsystem_class *instead_of;

    /* Elements of a <robot_model>: the first such element of a model selects its subsystem. Their
     * handlers fill a draft of draft_size bytes, which is zeroed first (dpl_reader_draft). */
    const struct dpl_element_kind *elements;
    size_t n_elements, draft_size;
    struct dpl_sim_settings root; /* attributes of the root; may be empty */
    /* Makes the robot from the draft. `root_values`: the struct that `root` describes. Reports
     * errors to the reader. */
    void (*finish)(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                   const void *root_values);
    /* Attributes of a world's <robot> that change it; may be empty. */
    struct dpl_sim_settings changes;
    void (*change)(struct dpl_sim_robot *robot, const void *changes); /* NULL: no changes */

    /* Checks one of its robots. 0, or -EINVAL with reterr. */
    int (*check)(const struct dpl_sim_robot *robot, struct dpl_diag *reterr);
    /* Calls `finding` for each of its robots that has no space at its start. 0 or -ENOMEM. NULL:
     * there is no such check. Allocates. */
    int (*check_starts)(const struct dpl_sim_model *model, dpl_sim_start_finding *finding,
                        void *user);

    bool part_is_mechanism; /* the part of its robots is a struct dpl_sim_mechanism */
    /* Calls `show` for the solids of a robot that are not in its shapes or its mechanism. NULL:
     * there are none. */
    void (*show)(const struct dpl_sim_robot *robot, dpl_sim_show *show, void *user);
    /* Calls `show` for solids, in the world's frame, that are there for viewers only and follow
     * from where its body is: links that hold it. `body` NULL: those that stand still. NULL: there
     * are none. */
    void (*show_around)(const struct dpl_sim_robot *robot, const struct dpl_pose3 *body,
                        dpl_sim_show *show, void *user);
    /* What drivers of such a robot may ask about it (dpl_sim_read_machine). NULL: it is no machine.
     */
    void (*describe)(const struct dpl_sim_robot *robot, struct dpl_machine *ret_machine);

    bool is_fixed; /* the frames of its robots stay at their start; their bodies may move */
    /* Sets the numbers of bodies and joints of a robot. */
    void (*count)(const struct dpl_sim_robot *robot, struct dpl_sim_span *inout);
    size_t data_size; /* bytes, of the subsystem in a world; zeroed before `build` */
    /* 0, -ENOMEM, or -EINVAL with reterr. Must allocate all memory from the world
     * (dpl_world_alloc), so that it is a part of snapshots. Writes the state of its robots. */
    int (*build)(void *data, const struct dpl_subsystem_site *site, struct dpl_diag *reterr);
    /* Called after all subsystems are built; may read the state of the others. 0 or -ENOMEM. Memory
     * as in `build`. NULL: not needed. */
    int (*built)(void *data);
    /* Called before the step of any subsystem: passes commands to a solver that several subsystems
     * share. The rules of `step` apply. NULL: not needed. */
    void (*prepare)(void *data, const struct dpl_sim_tick *tick);
    /* Moves its robots, and writes their state. Must not allocate, block or call the system. */
    void (*step)(void *data, const struct dpl_sim_tick *tick);
    /* The number, in the state, of a body that turned by more than the subsystem can follow in the
     * newest step; -1: there is none. NULL: the subsystem follows any turn. */
    int (*overturned)(const void *data);
    /* Moves a robot to a pose, seen from above, and writes its state. 0; -EBUSY: there is no space.
     * NULL: its robots cannot be moved so. */
    int (*place)(void *data, int robot, struct dpl_pose2 pose);
    /* Channels of each robot, at the path of its name; `id` is the robot's number. NULL: none. */
    const struct dpl_channel_table *channels;
    /* Channels of the parts of a robot, by dpl__channels_add. NULL: none. */
    void (*add_channels)(const struct dpl_world *world, struct dpl_world_channels *channels,
                         int robot);
    /* Writes the path of the channels of a robot's entry. False: the path is too long, and the
     * channels are left out. NULL: all are at ROBOT/NAME. */
    bool (*entry_path)(const struct dpl_sim_robot *robot, size_t entry, char *ret_path,
                       size_t size);
    /* Whether one of `n` bodies of the state, from `first` on, touches the ground in the newest
     * step. NULL: its bodies do not. */
    bool (*on_ground)(const struct dpl_world *world, int first, int n);
};

/* For the handlers of a subsystem's elements and its `finish`, which get this reader: the robot
 * that is being read, its draft, and zeroed memory that lives as long as the robot. */
struct dpl_sim_robot *dpl_reader_robot(const struct dpl_element_reader *reader);
void *dpl_reader_draft(const struct dpl_element_reader *reader);
void *dpl_reader_alloc(const struct dpl_element_reader *reader, size_t size);

/* The data of a subsystem in a world; NULL: the world has no robot of this class. */
void *dpl_world_subsystem(const struct dpl_world *world, const struct dpl_subsystem_class *class_);

#ifdef __cplusplus
}
#endif

#endif
