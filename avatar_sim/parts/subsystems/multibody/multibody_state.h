/* SPDX-License-Identifier: Apache-2.0 */
/* The insides of the subsystem `multibody`, shared by the files of its folder. All of a running
 * world lives in its heap. */
#ifndef DOPPEL_SIM_MULTIBODY_STATE_H
#define DOPPEL_SIM_MULTIBODY_STATE_H

#include <doppel/sim/subsystem.h>

#include "grip.h"
#include "multibody_contact.h"
#include "multibody_part.h"

struct dpl_world_channels;

/* An input of a joint's motor. */
struct dpl_multibody_command {
    bool is_given, is_released;
    enum dpl_mb_motor_mode mode;
    double setpoint;
};

/* Events of one type so far, and the first of them. */
struct dpl_multibody_told {
    int64_t n;
    double first_s;
    int first_joint;
};

/* A robot in a running world. Numbers are those of its graph. */
struct dpl_multibody_robot {
    const struct dpl_multibody_part *part;
    struct dpl_mb_graph *graph;              /* its own copy: assemblies are switched */
    struct dpl_mb_system *system;            /* of that graph */
    struct dpl_multibody_contacts *contacts; /* NULL: its bodies touch nothing */
    int robot;                               /* number in the model */
    struct dpl_mb_place base;                /* of its frame, in the world */
    bool *wanted;                            /* [n_assemblies] active, as it was put */
    bool is_changed;                         /* one of them is not as the graph has it */
    bool is_refused; /* the newest change could not be made: loops do not close */
    double *effort;  /* [3 n_joints] put, along each coordinate */
    struct dpl_multibody_command *commands; /* [n_joints] */
    struct dpl_multibody_told told[DPL_MB_EVENT_TYPES];
};

/* What a channel is about. */
struct dpl_multibody_thing {
    struct dpl_multibody_robot *robot;
    int number;     /* of a joint, body or assembly in the graph */
    int coordinate; /* of a joint */
};

/* The first things of a robot. */
struct dpl_multibody_first {
    int joint, body, assembly;
};

struct dpl_multibody_world {
    struct dpl_world *world;
    struct dpl_sim_state *state;
    struct dpl_multibody_robot *robots; /* [n_robots] of this subsystem */
    size_t n_robots;
    struct dpl_multibody_thing *joints;     /* [n_joints] one a coordinate of all robots */
    struct dpl_multibody_thing *bodies;     /* [n_bodies] */
    struct dpl_grip *grips;                 /* [n_bodies] */
    struct dpl_multibody_thing *assemblies; /* [n_assemblies] */
    size_t n_joints, n_bodies, n_assemblies;
    struct dpl_multibody_first *first; /* [n_robots] among those */
};

extern const struct dpl_subsystem_class dpl_multibody_subsystem;

static inline struct dpl_multibody_part *dpl__multibody_part_of(const struct dpl_sim_robot *robot)
{
    return robot->subsystem == &dpl_multibody_subsystem ? robot->part : NULL;
}

/* The robot of the model with this number in a world; NULL: the subsystem does not move it. */
struct dpl_multibody_robot *dpl__multibody_robot(const struct dpl_world *world, int number);

/* Lists coordinates, bodies and assemblies of all robots, for channels. 0 or -ENOMEM. */
int dpl__multibody_list(struct dpl_multibody_world *world);

/* Makes the graph as it is wanted, and a system of it that goes on where the old one is. When that
 * is not possible the old ones stay. Takes memory of the world. */
void dpl__multibody_switch(struct dpl_multibody_robot *robot, const struct dpl_mb_memory *memory);

/* Writes the state of the world. */
void dpl__multibody_publish(struct dpl_multibody_world *world);

/* What a grip pulls, in the frame of the robot: into its system. 0 when nothing holds the body. */
void dpl__multibody_push(const struct dpl_multibody_world *data, size_t body);

/* How many coordinates of a joint have channels: of a float or rigid one none. */
int dpl__multibody_coordinates(const struct dpl_mb_joint *joint);

void dpl__multibody_add_channels(const struct dpl_world *world, struct dpl_world_channels *channels,
                                 int robot);

/* PATH/DEVICE/SENSOR: see struct dpl_subsystem_class. */
bool dpl__multibody_entry_path(const struct dpl_sim_robot *robot, size_t entry, char *ret_path,
                               size_t size);

#endif
