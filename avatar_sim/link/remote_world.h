/* SPDX-License-Identifier: Apache-2.0 */
/* The client's side of a served world, in three files: link_remote.c what drivers and the host
 * call, remote_world.c the thread that talks, remote_message.c what is said.
 *
 * A driver's get and set calls touch only atomics and triple buffers. All else is guarded by
 * `lock`, which the thread holds except while it waits. */
#ifndef DOPPEL_SIM_REMOTE_WORLD_H
#define DOPPEL_SIM_REMOTE_WORLD_H

#include <doppel/peer_log.h>

#include "hosted_world.h"
#include "link_codec.h"
#include "link_remote.h"

#define REMOTE_SILENCE        (500 * DPL_MS) /* then a world is lost */
#define REMOTE_SILENCE_GRANTS (5 * DPL_S)    /* in lock-step, where one step may take its time */
#define REMOTE_BEAT           (100 * DPL_MS) /* between hellos, pings, and commands at least */
#define REMOTE_TICK           (5 * DPL_MS)   /* from a setpoint to its command at most */
#define REMOTE_PERIOD         (10 * DPL_MS)  /* of states */

struct remote_robot {
    char name[LINK_NAME_MAX + 1];
    char motors[LINK_WHEELS_MAX][LINK_NAME_MAX + 1];
    char encoders[LINK_WHEELS_MAX][LINK_NAME_MAX + 1];
    char lasers[LINK_SCANNERS_MAX][LINK_NAME_MAX + 1];
    struct dpl_link_laser laser_info[LINK_SCANNERS_MAX];
    unsigned n_motors, n_encoders, n_lasers;
};

/* The numbers that the user has are those of the world that answered first. After a restart the
 * maps lead from them to the new world's numbers: -1 where it has no device of that name. */
struct remote_link {
    struct dpl_link link; /* first */
    struct remote_world *owner;
    struct remote_link *next;
    struct dpl_device *device; /* NULL: nobody to tell */
    char robot[LINK_NAME_MAX + 1];
    bool take_over; /* asked for when it is bound */
    double motor_ramp_rad_s2;
    uint32_t slot;

    /* `known` says what may be read without the lock: 1 `model`, -errno `error`, 0 neither yet */
    atomic_int known;
    struct remote_robot model;
    char error[400];

    /* the thread's */
    bool tried, bound, lost; /* tried: since the last welcome */
    int motors[LINK_WHEELS_MAX], encoders[LINK_WHEELS_MAX], lasers[LINK_SCANNERS_MAX];
    unsigned commanded; /* bit a motor that was ever set */
    unsigned lasers_sent;
    dpl_ns next_command;
    bool closing;
    bool denied;     /* another client controls the robot: ours stands, as far as we are asked */
    bool left_alone; /* its commander is late: it stands */
    bool place_due;  /* `wanted` has not been sent yet */
    struct wanted_place wanted;
    /* sequences go on where those of the world before ended */
    uint64_t scan_base[LINK_SCANNERS_MAX], scan_newest[LINK_SCANNERS_MAX];

    /* user -> thread */
    atomic_uint used[3]; /* an enum dpl_link_device: bit a device that was found */
    _Atomic double setpoints[LINK_WHEELS_MAX];
    atomic_uint setpoints_changed, lasers_wanted;
    uint32_t places_asked; /* the user's */
    struct {
        struct dpl_latest sync;
        struct wanted_place slot[3];
    } place;
    atomic_bool place_lost; /* the world was lost with the last wish unanswered */

    /* thread -> user */
    atomic_bool alive;
    atomic_bool has_state;
    struct {
        struct dpl_latest sync;
        struct robot_snapshot slot[3];
    } snapshot;
    struct scan_exchange scans[LINK_SCANNERS_MAX];
};

struct remote_world {
    char address[300];
    struct remote_world *next;
    void *context, *socket; /* the socket is the thread's */
    struct link_codec *codec;
    int wake; /* eventfd: something to send */
    pthread_t thread;
    bool running;
    atomic_bool stop;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* signalled when what is below became different */
    struct remote_link *links;
    bool started, stopped;
    const struct dpl_run_services *services; /* of the run, while it lasts; NULL: none */
    struct dpl_run_thread *self;             /* the thread, as the run knows it */
    bool entered;
    bool grants;       /* this run is simulated */
    dpl_ns real_epoch; /* 0: not started, or lock-step */

    bool welcomed, lockstep; /* lockstep: of the world */
    uint64_t session;
    bool has_session;
    uint32_t n_restarts;                         /* sessions that followed another one */
    struct remote_robot robots[LINK_ROBOTS_MAX]; /* of the last welcome */
    unsigned n_robots;
    bool broken; /* lock-step run: the world was lost or restarted, its time is not ours */
    char refusal[LINK_TEXT_MAX + 1];
    char waiting_for[LINK_NAME_MAX + 1];
    dpl_ns last_heard, next_hello, next_ping;

    bool has_offset;
    dpl_ns offset, best_trip; /* ours = world's + offset, found at a round trip of best_trip */
    bool has_base;
    dpl_ns base; /* lock-step: the world's time at our time 0 */

    bool grant_due;
    dpl_ns grant, reached; /* world's time */
    atomic_ullong contacts;
    uint64_t malformed; /* frames refused */
    struct dpl_peer_log rivals;
};

/* Starts the thread. `world` is zeroed but for its address. 0 or -errno; destroy in either case. */
int remote_world_start(struct remote_world *world);
void remote_world_destroy(struct remote_world *world);
void remote_world_wake(struct remote_world *world);

/* With the lock: */
void remote_world_lose(struct remote_world *world, const char *why); /* all links */
void remote_link_lose(struct remote_link *link, const char *why);
void remote_link_revive(struct remote_link *link);

/* ---- remote_message.c, with the lock, on the thread ---- */
void remote_send_hello(struct remote_world *world);
void remote_send_ping(struct remote_world *world, dpl_ns now);
void remote_send_bye(struct remote_world *world);
void remote_bind_links(struct remote_world *world);
/* What changed since the last command; everything when `all`. In lock-step with the grant. */
void remote_send_commands(struct remote_world *world, dpl_ns now, bool grant);
void remote_handle(struct remote_world *world, const void *frame, size_t size, dpl_ns now);

#endif
