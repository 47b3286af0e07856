/* SPDX-License-Identifier: Apache-2.0 */
/* A world that others work with over links: embedded ones through link_embedded.c, remote ones
 * through server.c. One thread steps it; links leave setpoints in atomics and read snapshots from
 * triple buffers, so that neither side waits for the other. */
#ifndef DOPPEL_SIM_HOSTED_WORLD_H
#define DOPPEL_SIM_HOSTED_WORLD_H

#include <pthread.h>
#include <stdatomic.h>

#include <doppel/field.h>
#include <doppel/host/catalog.h>
#include <doppel/host/runtime.h>
#include <doppel/latest.h>
#include <doppel/link.h>
#include <doppel/sim/world.h>
#include <doppel/system_clock.h>

#define LINK_DEVICES_MAX 8 /* of each kind, a link */
#define LINK_LASERS_MAX  DPL_SIM_LASERS_MAX

/* A pose that a link asks for; numbers count its wishes. */
struct wanted_place {
    struct dpl_pose2 pose;
    uint32_t number;
    uint32_t world; /* of a remote world: that it was meant for, as n_restarts */
};

struct robot_snapshot {
    uint32_t place_number; /* the last wish that was answered: 0 none */
    int place_result;      /* 0 or -errno */
    struct dpl_link_encoder encoders[LINK_DEVICES_MAX];
    struct dpl_link_robot robot;
    struct dpl_link_axis axes[LINK_DEVICES_MAX];
    dpl_ns platform_stamp; /* of machines, as platform */
    double platform[6];
};

struct scan_exchange {
    struct dpl_latest sync;
    struct dpl_link_scan slot[3];
};

/* One user of one robot. The first part is set up before its world's thread sees the link. */
struct hosted_link {
    struct dpl_link link; /* first: ops of the embedded link */
    struct hosted_world *owner;
    struct hosted_link *next;
    atomic_bool removed; /* the world lets go of it at its next step */
    int robot;
    double motor_ramp_rad_s2;
    bool before_start;         /* it is set up while its world does not move yet */
    struct dpl_device *device; /* whose commander must be on time; NULL: no device of this run */
    bool left_alone;           /* world's: it was not, and the motors were stopped */
    bool drives; /* a motor or an axis of it was found, by a program that has the world */
    int motors[LINK_DEVICES_MAX], encoders[LINK_DEVICES_MAX], lasers[LINK_LASERS_MAX];
    int axes[LINK_DEVICES_MAX];
    unsigned n_motors, n_encoders, n_lasers, n_axes;

    /* user -> world */
    _Atomic double setpoints[LINK_DEVICES_MAX];
    atomic_uint setpoints_changed; /* bit a motor */
    _Atomic double efforts[LINK_DEVICES_MAX];
    atomic_uint efforts_changed; /* bit an axis */
    atomic_uint lasers_wanted;   /* bit a laser */
    uint32_t places_asked;       /* the user's */
    struct {
        struct dpl_latest sync;
        struct wanted_place slot[3];
    } place;

    /* world -> user */
    struct {
        struct dpl_latest sync;
        struct robot_snapshot slot[3];
    } snapshot;
    struct scan_exchange *scans[LINK_LASERS_MAX];
    uint64_t scan_sequence[LINK_LASERS_MAX]; /* world's: published so far */
    unsigned lasers_on;                      /* world's: as it is now */
    dpl_ns efforts_due[LINK_DEVICES_MAX];    /* world's: when an axis falls silent */
    unsigned efforts_on;                     /* world's: bit an axis that has an effort set */
    uint32_t place_number;                   /* world's: the last wish answered, and how */
    int place_result;
};

struct hosted_world {
    char *file;
    struct dpl_sim_model *model;
    struct dpl_world *world;
    struct hosted_link *links;             /* of the thread that owns the world */
    _Atomic(struct hosted_link *) joining; /* from any thread, for the world to take over */
    _Atomic(struct hosted_link *) retired; /* the world is through with them */
    struct hosted_world *next;
    dpl_ns offset; /* stamp = world time + offset */
    pthread_t thread;
    bool running;
    atomic_int stop;
    const struct dpl_run_services *services; /* of the run that it is in; NULL: none */
    _Atomic dpl_ns real_epoch;               /* 0: does not follow the real clock (yet) */
    atomic_ullong contacts;
    atomic_uint n_drivers[DPL_SIM_ROBOTS_MAX]; /* links that drive the robot in this process */
};

/* Loads and builds. -errno with reterr (file, line and column of the first error). */
int hosted_world_create(const char *file, uint64_t seed, struct dpl_catalog *catalog,
                        struct hosted_world **ret_world, struct dpl_diag *reterr);
void hosted_world_destroy(
    struct hosted_world *world); /* stops, frees its links too; NULL: nothing */

/* A link to a robot, without devices yet: -ENOENT with the robots there are. Any thread: the world
 * sees it after hosted_world_join. */
int hosted_world_link(struct hosted_world *world, const struct dpl_link_config *config,
                      struct hosted_link **ret_link, struct dpl_diag *reterr);

/* Hands a link whose devices are known to the world, which takes it over at its next step or
 * publish. Any thread. */
void hosted_world_join(struct hosted_link *link);

/* Lets the world forget a link that joined, once it has taken its last setpoints. The caller must
 * not use it any more; hosted_world_sweep or hosted_world_destroy frees it. */
void hosted_world_remove(struct hosted_link *link);
void hosted_world_sweep(struct hosted_world *world); /* not on the world's thread: frees */

/* The names of a model's robots, "a, b". */
void hosted_world_list_robots(const struct dpl_sim_model *model, char *text, size_t size);

/* Gives every link a snapshot of now. On the thread that owns the world. */
void hosted_world_publish(struct hosted_world *world);

/* Takes setpoints, steps to `to`, gives snapshots. On the thread that owns the world. */
void hosted_world_advance(struct hosted_world *world, dpl_ns to);

/* Real clock: a thread that follows CLOCK_MONOTONIC - real_epoch, a physics step at a time. As a
 * thread of the run, where the world has `services`. */
int hosted_world_start(struct hosted_world *world, dpl_ns real_epoch, struct dpl_diag *reterr);
void hosted_world_stop(struct hosted_world *world);

#endif
