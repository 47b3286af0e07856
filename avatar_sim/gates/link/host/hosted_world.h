/* SPDX-License-Identifier: Apache-2.0 */
/* A world that users work with over links: those in this process through link_embedded.c, those of
 * other processes through server.c. One thread steps the world. Links leave values in mailboxes and
 * read frames from triple buffers, so that neither side waits for the other. */
#ifndef DOPPEL_SIM_HOSTED_WORLD_H
#define DOPPEL_SIM_HOSTED_WORLD_H

#include <pthread.h>
#include <stdatomic.h>

#include <doppel/ahead.h>
#include <doppel/host/catalog.h>
#include <doppel/host/runtime.h>
#include <doppel/latest.h>
#include <doppel/link.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>
#include <doppel/sim/loop.h>
#include <doppel/sim/world.h>
#include <doppel/system_clock.h>

/* A part of the world: the channels whose paths begin with its name. */
struct hosted_part {
    char *name;
    /* The users that put its inputs: a number of links of this process, or HOSTED_SERVED */
    atomic_int users;
};
#define HOSTED_SERVED (-1) /* a client of a server */

struct hosted_link;

/* A command for the loop, from the thread of a server or observer to the world's and back. */
struct hosted_request {
    atomic_int state; /* HOSTED_FREE: nobody's; HOSTED_SENT: the world's; HOSTED_ANSWERED: the
                         asker's */
    struct hosted_world *world;
    struct dpl_sim_event_answer answer;
    struct dpl_sim_loop_status status; /* when it was answered */
};
enum { HOSTED_FREE, HOSTED_SENT, HOSTED_ANSWERED, HOSTED_REQUESTS_MAX = 32 };

/* The loop's, from the world's thread to another one's. */
struct hosted_status {
    struct dpl_latest sync;
    struct dpl_sim_loop_status slot[3];
};

/* Counters of external controllers (avatar_sim/gates/control), as in dpl_sim_controllers. */
struct hosted_controllers {
    atomic_uint joined;
    atomic_ullong frames, late, missed, dropped, time_outs;
};

/* Who else works with the world on its thread. NULL: nothing. */
struct hosted_attendant {
    void (*boundary)(void *user); /* at the end of each boundary */
    void (*jumped)(void *user);   /* after a reset or a restore */
    bool (*holds)(void *user);    /* as in struct dpl_sim_loop_options */
    void *user;
};
enum { HOSTED_ATTENDANTS_MAX = 16 };

struct dpl_sim_modbus_server;
struct hosted_ahead;
struct world_scene;

struct hosted_world {
    char *file;
    struct dpl_sim_model *model;
    struct dpl_world *world;
    struct dpl_world_channels *channels;
    struct dpl_sim_loop *loop;
    bool can_be_controlled;
    struct hosted_request requests[HOSTED_REQUESTS_MAX];
    struct hosted_status status, shown; /* to a server's thread; to an observer's */
    struct hosted_part *parts;          /* [n_parts] in the order of the channels */
    size_t n_parts;
    /* [channels] who commands each: 0: nobody; else the kind, and how many of it (hosted_parts.c)
     */
    atomic_uint *commanders;
    struct hosted_link *links;             /* of the thread that owns the world */
    _Atomic(struct hosted_link *) joining; /* from any thread, for the world to take over */
    _Atomic(struct hosted_link *) retired; /* the world does not use them any more */
    struct hosted_world *next;
    dpl_ns due;    /* world time that the clock, or the owner, has reached; it may be behind */
    dpl_ns offset; /* stamp = world time + offset; 0 unless it follows the real clock */
    pthread_t thread;
    bool running;
    atomic_int stop;
    const struct dpl_run_services *services; /* of the run that it is in; NULL: none */
    _Atomic dpl_ns real_epoch;               /* 0: does not follow the real clock (yet) */
    struct hosted_attendant attendants[HOSTED_ATTENDANTS_MAX];
    size_t n_attendants;
    uint32_t jumps;                               /* resets and restores */
    const struct hosted_controllers *controllers; /* NULL: none can join */
    const struct dpl_sim_modbus_server *modbus;   /* NULL: none */
    struct hosted_ahead *aheads;                  /* of links; before the world moves */
    struct hosted_hand *hands;                    /* the observer's */
    bool moves;                                   /* it has been started or advanced */
    struct world_scene *scene;                    /* NULL: nobody observes the run */
    atomic_ullong contacts;
    struct dpl_diag why; /* of the fault; written before it is set */
    atomic_int fault;    /* it does not move as it should: it stands. 0: it does */
};

/* Loads and builds. -errno with reterr (file, line and column of the first error). */
int hosted_world_create(const char *file, const struct dpl_sim_load_options *options,
                        struct hosted_world **ret_world, struct dpl_diag *reterr);
void hosted_world_destroy(
    struct hosted_world *world); /* stops, frees its links too; NULL: nothing */

/* Whether it has ended by itself: 0, or -ERANGE with reterr (dpl_sim_loop_fault). Any thread. */
int hosted_world_fault(const struct hosted_world *world, struct dpl_diag *reterr);

/* Before the world moves, and after it has ended. The calls come in the order of attending. */
void hosted_world_attend(struct hosted_world *world, const struct hosted_attendant *attendant);
void hosted_world_leave(struct hosted_world *world, const void *user);

/* From now on the world's thread works with all links that have joined. On this thread. */
void hosted_world_take_joining(struct hosted_world *world);

/* Frees links that were closed. Not on the world's thread. */
void hosted_world_sweep(struct hosted_world *world);

/* Gives every link a frame with the present values. On the thread that owns the world. */
void hosted_world_publish(struct hosted_world *world);

/* When an input that is put now falls silent, by its own silence and by that of its link (0:
 * never). The link's counts from the time that the clock has reached: a world that catches up has
 * not been waited for by the link's user. */
dpl_ns hosted_world_silence(const struct hosted_world *world, dpl_ns of_input, dpl_ns of_link);

/* Reads the values that links have put, steps to `to`, and gives frames. On the thread that owns
 * the world. */
void hosted_world_advance(struct hosted_world *world, dpl_ns to);

/* Real clock: a thread that follows CLOCK_MONOTONIC - real_epoch, a physics step at a time. As a
 * thread of the run, where the world has `services`. */
int hosted_world_start(struct hosted_world *world, dpl_ns real_epoch, struct dpl_diag *reterr);
void hosted_world_stop(struct hosted_world *world);

/* ---- hosted_ahead.c ---- */

/* Opens a look-ahead, as dpl_link_open_ahead. It lives as long as the world. */
int hosted_world_open_ahead(struct hosted_world *world, const struct dpl_ahead_setup *setup,
                            struct dpl_ahead **ret_ahead, struct dpl_diag *reterr);
/* Forks their workers, before the world moves. 0 or -errno with reterr. */
int hosted_world_start_aheads(struct hosted_world *world, bool simulated, struct dpl_diag *reterr);
void hosted_world_end_aheads(struct hosted_world *world);

/* ---- hosted_scene.c ---- */

/* Whether a robot of it is no avatar of another one. */
bool hosted_world_has_robots(const struct hosted_world *world);
/* What observers see of it, as long as it lives; `shows_real` as in world_scene.h. When all links
 * are open, before it moves. NULL: no memory. */
struct dpl_scene *hosted_world_scene(struct hosted_world *world, bool shows_real);
/* While its time stands, on the thread that moves it: for those who have come to see it, and what
 * their hands have put. */
void hosted_world_look(struct hosted_world *world);

/* ---- hosted_hands.c ---- */

/* As `put`, `hand` and `commander` of struct dpl_world_host_ops. Of the observer's thread. */
int hosted_hands_put(struct hosted_world *world, size_t channel, const void *value, dpl_ns hold,
                     struct dpl_diag *reterr);
int hosted_hand(const struct hosted_world *world, size_t channel, struct dpl_diag *reterr);
const char *hosted_hands_commander(const struct hosted_world *world, size_t channel);
/* On the thread that owns the world, while its time stands: takes what was put. */
void hosted_hands_take(struct hosted_world *world);
/* After the world's end. */
void hosted_hands_finish(struct hosted_world *world);

/* ---- hosted_control.c ---- */

/* Lets one server control the loop of a world that does not move yet. 0 or -ENOMEM. */
int hosted_world_allow_control(struct hosted_world *world);
/* On the world's thread: publishes the present status. */
void hosted_world_publish_status(struct hosted_world *world);

/* Any thread. Sends a command: the number of the request, or -EINVAL with reterr: it is none;
 * -ENOSPC: too many at once. */
int hosted_world_request(struct hosted_world *world, const char *command, struct dpl_diag *reterr);
/* NULL while there is no answer. */
const struct hosted_request *hosted_world_answer(struct hosted_world *world, int request);
/* Why it has not done what it was asked for; "": it has. */
const char *hosted_answer_text(const struct dpl_sim_event_answer *answer);
/* The answer was read. */
void hosted_world_forget_request(struct hosted_world *world, int request);
/* Of the thread that `status` is for. */
const struct dpl_sim_loop_status *hosted_status(struct hosted_status *status);

/* ---- hosted_parts.c ---- */

/* Fills parts, which are empty, from the channels of the world: 0 or -ENOMEM. */
int hosted_world_make_parts(struct hosted_world *world);
void hosted_world_free_parts(struct hosted_world *world);

/* The number of the part that a path begins with, or -1: the path has none. */
int hosted_world_part(const struct hosted_world *world, const char *path);

/* Another link of this process puts inputs of the part. False: a client of a server puts them
 * already. Any thread, as all calls below. A part that does not exist (-1, or n_parts) has no
 * owner. */
bool hosted_part_join(struct hosted_world *world, int part);
void hosted_part_leave(struct hosted_world *world, int part);
/* A client of a server puts them from now on. False: a user of this process does. */
bool hosted_part_serve(struct hosted_world *world, int part);
void hosted_part_unserve(struct hosted_world *world, int part);

/* Who may command a channel. */
enum hosted_commander {
    HOSTED_NOBODY,
    HOSTED_LINK, /* slots of a client of a server */
    HOSTED_CONTROLLER,
    HOSTED_MODBUS, /* maps of Modbus units */
    HOSTED_DEVICE, /* links of this process that were opened before the world moves */
    HOSTED_HANDS,  /* of those who look at the run */
    HOSTED_GATE,   /* a gate of a plugin: this and its number */
};

/* Another user of a kind commands a channel. HOSTED_NOBODY: it may. Otherwise: the other kind that
 * commands it already; nothing has changed. A channel that needs no owner (dpl_channel_is_owned) is
 * not recorded. Any thread, does not block. */
enum hosted_commander hosted_channel_join(struct hosted_world *world, size_t channel,
                                          enum hosted_commander kind);
/* After a join that was granted. */
void hosted_channel_leave(struct hosted_world *world, size_t channel, enum hosted_commander kind);
/* Who commands it now. Any thread. */
enum hosted_commander hosted_channel_commander(const struct hosted_world *world, size_t channel);
/* For messages: "a controller". */
const char *hosted_commander_name(enum hosted_commander kind);

/* The name, which the world owns, of the part that a configuration names; "" if it names none. 0,
 * or -ENOENT with reterr. */
int hosted_world_find_part(const struct hosted_world *world, const struct dpl_link_config *config,
                           const char **ret_name, struct dpl_diag *reterr);

#endif
