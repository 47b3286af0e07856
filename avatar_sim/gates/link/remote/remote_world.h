/* SPDX-License-Identifier: Apache-2.0 */
/* The client's side of a served world:
 *
 * - link_remote.c   opening a link, and the calls of its user; remote_find.c finding channels
 * - remote_run.c    the calls of the host of worlds
 * - remote_world.c  the thread of the connection: what is due when, and detecting a lost world
 * - remote_lost.c   losing links, and finding them again
 * - link_client.c   the connection, as all clients have it
 * - remote_say.c    messages to the world; remote_command.c values that are put
 * - remote_message.c messages from the world; remote_frame.c their values
 * - remote_list.c   the list of channels
 *
 * A user's get and put touch only atomics and triple buffers. All else is guarded by `lock`, which
 * the thread holds except while it waits. */
#ifndef DOPPEL_SIM_REMOTE_WORLD_H
#define DOPPEL_SIM_REMOTE_WORLD_H

#include <pthread.h>

#include <doppel/peer_log.h>
#include <doppel/system_clock.h>

#include "hosted_link.h"
#include "link_client.h"
#include "link_remote.h"
#include "remote_clock.h"
#include "remote_list.h"

#define REMOTE_SILENCE    (300 * DPL_MS) /* then a world is lost: who needs it stands in 0.6 s */
#define REMOTE_PATIENCE   (5 * DPL_S)    /* in lock-step, where one step may take its time */
#define REMOTE_BEAT       (100 * DPL_MS) /* between hellos, pings, and commands at least */
#define REMOTE_FIRST_BEAT (10 * DPL_MS)  /* between pings, until the world's clock is known */
#define REMOTE_TICK       (5 * DPL_MS)   /* from a value to its command at most */
#define REMOTE_PERIOD     (10 * DPL_MS)  /* of frames */

/* A channel that the user has found. Its number for the user, and in subscriptions, is its place in
 * the link's list. */
struct remote_channel {
    const struct dpl_channel_desc *desc; /* of a pinned list */
    const void *constant;                /* its value, of a pinned list */
    enum link_way way;
    size_t bytes;
    int number; /* of the thread: number in the world's present list; -1: the world does not have it
                 */

    /* inputs */
    /* user -> thread: a struct hosted_value. Its number is n_put and, << 32, of a request the world
     * that it is meant for, else the link's n_releases. */
    struct hosted_slots put;
    uint32_t n_put;    /* the user's */
    atomic_bool lost;  /* requests: the world was lost after the last one was put */
    bool is_put;       /* of the thread: it sends the value again */
    bool is_due;       /* of the thread: the value has not been sent yet */
    uint32_t answered; /* the thread's: the last request that was answered, and how */
    int32_t result;

    /* outputs */
    size_t at; /* in a frame: a struct hosted_value, or hosted_answer of a request */
    struct hosted_slots block; /* thread -> user */
    uint64_t sequence;         /* the thread's: of the newest block of this subscription */
};

/* The head of a frame. */
struct remote_frame {
    dpl_ns stamp;
    uint64_t restarts;
    unsigned char values[];
};

struct remote_link {
    struct dpl_link link; /* first */
    struct remote_world *owner;
    struct remote_link *next;
    struct dpl_device *device;           /* NULL: none */
    char wanted_part[LINK_PATH_MAX + 1]; /* "": all of the world */
    bool look, take_over;
    dpl_ns silence; /* as configured */
    uint32_t slot;

    /* `known`: what may be read without the lock: 1: `part`; -errno: `error`; 0: neither yet */
    atomic_int known;
    char part[LINK_PATH_MAX + 1]; /* as the world calls it */
    char error[400];

    /* changed with the lock by find; the user may read them without */
    struct remote_channel *channels[LINK_SUBSCRIBED_MAX];
    size_t n_channels;
    const struct remote_channel *owned; /* the first input of the part that it commands, or NULL */
    size_t put_bytes, frame_bytes;      /* sums of the values that go each way */
    struct hosted_slots frames;         /* thread -> user: a struct remote_frame */
    bool has_frame;                     /* the user's */
    uint32_t n_releases;                /* the user's */
    atomic_uint released;               /* user -> thread: n_releases */

    /* the thread's */
    bool mapped; /* onto the world's list, so that it can be subscribed */
    bool tried;  /* since the last list */
    bool lost, closing;
    char why[160];                           /* reason of the loss, as it was reported last */
    uint32_t first, wanted, said, confirmed; /* numbers of subscriptions; 0: none */
    dpl_ns next_subscribe, next_command;
    dpl_ns last_put;     /* when its user has put an input */
    uint32_t n_released; /* releases that the user asked for and the thread has seen */
    bool release_due;    /* one of them must be sent */
    bool say_all;        /* all values that were put must be sent again */
    bool commands;       /* an owned input was put, so its release must be sent */
    bool denied; /* another client owns the part: what we put is released, as far as it is ours */
    bool left_alone; /* its commander is late, or its user silent: it is released */

    atomic_bool alive; /* thread -> user */
};

struct remote_commands; /* remote_command.c: room for what is put */

struct remote_world {
    char address[300];
    struct remote_world *next;
    struct link_client client; /* the thread's */
    struct remote_commands *commands;
    int wake; /* eventfd: something to send */
    pthread_t thread;
    bool running;
    atomic_bool stop;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* signalled when the members below have changed */
    struct remote_link *links;
    bool started, stopped;
    const struct dpl_run_services *services; /* of the run, while it lasts; NULL: none */
    struct dpl_run_thread *self;             /* the thread, as the run knows it */
    bool entered;
    bool grants;       /* this run is simulated */
    dpl_ns patience;   /* REMOTE_PATIENCE; tests have less */
    dpl_ns real_epoch; /* 0: not started, or lock-step */

    bool welcomed, lockstep; /* lockstep: of the world */
    uint64_t session;
    bool has_session;
    uint32_t n_restarts;          /* sessions that followed another one */
    struct remote_list *list;     /* the newest that is complete, then older ones; NULL: none yet */
    struct remote_list *incoming; /* not complete yet; NULL: `list` is the world's */
    uint32_t n_subscriptions;     /* numbers are never used twice */
    bool broken; /* lock-step run: the world was lost or restarted, its time is not ours */
    char refusal[LINK_TEXT_MAX + 1];
    char waiting_for[LINK_NAME_MAX + 1];
    dpl_ns last_heard, next_hello, next_ping, next_page;

    struct remote_clock clock; /* of the world */
    bool has_base;
    dpl_ns base; /* lock-step: the world's time at our time 0 */

    bool grant_due;
    dpl_ns grant, reached; /* world's time */
    atomic_ullong contacts;
    uint64_t malformed; /* frames refused */
    struct dpl_peer_log rivals;
};

/* Starts the thread. `world` is zeroed but for its address and patience. 0 or -errno; destroy in
 * either case. */
int remote_world_start(struct remote_world *world);
void remote_world_destroy(struct remote_world *world);
void remote_world_wake(struct remote_world *world);

/* remote_find.c. Its calls (link.ops) are not set. NULL: out of memory. */
struct remote_link *remote_link_create(struct remote_world *world,
                                       const struct dpl_link_config *config, uint32_t slot);
void remote_link_destroy(struct remote_link *link); /* NULL: nothing */

/* remote_find.c: blocks on the lock only when the list is known. */
int remote_link_find(struct dpl_link *link, const struct dpl_channel_want *want,
                     struct dpl_channel *ret_channel, struct dpl_diag *reterr);

/* ---- with the lock ---- */

/* Until `is_met`, for at most `patience`, or `grace` once the run is stopping. False: not met. */
typedef bool remote_condition(const struct remote_world *world, const struct remote_link *link);
bool remote_wait(struct remote_world *world, const struct remote_link *link,
                 remote_condition *is_met, dpl_ns patience, dpl_ns grace);
bool remote_run_is_stopping(const struct remote_world *world);

/* remote_lost.c. Reports the loss to the device of a link that was not lost before. */
void remote_world_lose(struct remote_world *world, const char *why); /* all links */
void remote_link_lose(struct remote_link *link, const char *why);
void remote_link_revive(struct remote_link *link);

/* ---- with the lock, on the thread ---- */

/* Whether it was sent. If not (not connected, or the queue is full), important messages are sent
 * again. */
void remote_say_hello(struct remote_world *world);
void remote_say_list(struct remote_world *world); /* requests the next page */
/* Subscriptions that were not sent, or have no frame yet. */
void remote_say_subscriptions(struct remote_world *world, dpl_ns now);
/* Requests that the world frees the slot of a closing link. */
void remote_say_nothing_more(struct remote_link *link);

/* Finds all channels of links that were not tried yet in the world's list. */
void remote_map_links(struct remote_world *world);

struct remote_commands *remote_commands_create(void);
/* What changed since the last command; everything when it is time. In lock-step with the grant. */
void remote_say_commands(struct remote_world *world, dpl_ns now, bool grant);

void remote_handle(struct remote_world *world, const void *frame, size_t size, dpl_ns now);
void remote_handle_frame(struct remote_world *world, const Doppel__Link__Frame *frame);
void remote_handle_block(struct remote_world *world, const Doppel__Link__Block *block);
/* The link of a slot, if it is mapped; else NULL. */
struct remote_link *remote_find_slot(struct remote_world *world, uint32_t slot);

#endif
