/* SPDX-License-Identifier: Apache-2.0 */
/* External controllers of a hosted world, over TCP (docs/guides/controllers.md,
 * docs/design/link.md):
 *
 * - controllers.c   making them, the thread that accepts and greets, notices
 * - greeting.c      HELLO and CHANNELS: who it is, and which channels it works with
 * - exchange.c      frames, at the boundaries of the world's steps
 * - lock_step.c     waiting for commands
 * - hil_codec.c     messages as bytes
 *
 * The greeting thread owns the slot of a controller; while its state is CONTROLLER_JOINED, the
 * thread that owns the world owns it: only this thread uses its socket, buffers and link then. The
 * state passes the ownership (release, acquire). */
#ifndef DOPPEL_SIM_CONTROLLERS_H
#define DOPPEL_SIM_CONTROLLERS_H

#include <doppel/peer_log.h>

#include "hil_codec.h"
#include "hosted_link.h"

#define CONTROLLERS_MAX      16
#define CONTROLLERS_GREETING (5 * DPL_S)    /* time limit for the requests of a new connection */
#define CONTROLLERS_PATIENCE (250 * DPL_MS) /* a channel may be about to become free */
#define CONTROLLERS_LINGER   (500 * DPL_MS) /* time limit for the last message */
#define CONTROLLERS_TURN     (20 * DPL_MS)

enum controller_state {
    CONTROLLER_FREE,     /* of the greeting thread */
    CONTROLLER_GREETING, /* owned by the greeting thread: it sends its requests */
    CONTROLLER_JOINING, /* owned by the greeting thread: it gets the answer that it joins; the world
                           waits */
    CONTROLLER_JOINED,  /* of the world's thread: it exchanges frames */
    CONTROLLER_LEFT,    /* of the greeting thread: the world has let it go */
    CONTROLLER_CLOSING, /* of the greeting thread: its last words are on their way */
};

struct controller_channel {
    struct dpl_channel channel;
    size_t number; /* in the world */
    size_t at;     /* of its cells, in bytes from the first cell on */
    bool shared;   /* it counts among those who command the channel */
};

struct controller {
    atomic_int state;
    int fd;
    bool greeted;
    dpl_ns deadline; /* greeting, closing: then it is over */
    dpl_ns
        patience; /* greeting: until then a busy channel is asked for again; 0: it was not busy */
    char name[2 * HIL_NAME_MAX + 1]; /* for messages */
    struct hil_hello hello;

    struct dpl_link *link; /* NULL: none */
    bool given;            /* the world has the link, and frees it */
    struct controller_channel *sensors, *commands;
    size_t n_sensors, n_commands;
    size_t command_cells;

    /* bytes that came and were not used yet; the first one is number in_offset of all */
    uint8_t *in; /* [HIL_MESSAGE_MAX] */
    size_t n_in;
    uint64_t in_offset;
    /* the newest sensor frame; out_at bytes of it were sent */
    uint8_t *out;
    size_t out_size, out_at;
    unsigned char *value; /* room for a value of any of its channels */

    /* the world's */
    bool adopted;
    bool awaited;        /* lock-step: the command of this boundary has not come */
    bool fresh;          /* a command that was not put yet is in `command` */
    uint8_t *command;    /* the cells of the newest command */
    uint64_t frame;      /* number of the newest sensor frame */
    uint64_t answered;   /* of the newest one that a command has answered */
    dpl_ns unanswered;   /* since then a frame has no answer; 0: all have one */
    uint64_t step, jump; /* of the newest frame */
    uint32_t late, missed, dropped;
    dpl_ns wait_most; /* lock-step: the longest wait for a command */
    bool lost;        /* it left without BYE; `reason` has the reason; otherwise it is empty */
    char reason[160];
};

/* Each kind of notice has its own share of lines. */
enum controllers_notice { CONTROLLERS_COMING, CONTROLLERS_REFUSED, CONTROLLERS_N_NOTICES };

struct controllers {
    struct hosted_world *world;
    const char *host;
    void (*notice)(void *user, const char *text);
    void *notice_user;
    struct dpl_peer_log notices[CONTROLLERS_N_NOTICES];
    int listener;
    uint16_t port;
    pthread_t thread;
    bool running;
    atomic_bool stop;
    struct hosted_controllers counts;
    struct controller all[CONTROLLERS_MAX];
    uint8_t reply[HIL_MESSAGE_MAX]; /* the greeting thread's */
    struct hil_error error;         /* the greeting thread's */
};

struct controllers_options {
    const char *host; /* NULL: 127.0.0.1; "*": all addresses of this machine */
    uint16_t port;    /* 0: any that is free */
    void (*notice)(void *user, const char *text); /* on the greeting thread; NULL: none */
    void *notice_user;
};

/* Listens for controllers of a world that does not move yet, on a thread of its own. Borrows the
 * world and the options' strings. -errno with reterr. */
int controllers_create(struct hosted_world *world, const struct controllers_options *options,
                       struct controllers **ret_controllers, struct dpl_diag *reterr);
/* Lets go of all; the world's thread has ended, and this one owns the world. NULL: nothing. */
void controllers_destroy(struct controllers *controllers);

/* Ends all waits, so that the world's thread can end. Any thread; safe in a signal handler. */
void controllers_stop(struct controllers *controllers);

/* Writes a notice, unless there were too many of this kind recently. On the greeting thread. */
void controllers_say(struct controllers *controllers, enum controllers_notice kind,
                     const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- greeting.c ---- */

/* Reads the messages that have arrived. 0: more messages are needed; 1: the controller has joined;
 * -EINVAL with the controllers' error; -EAGAIN: a channel is busy, try again. */
int greeting_advance(struct controllers *controllers, struct controller *controller, dpl_ns now);
/* Frees the data of the greeting, and makes the channels available to others. */
void greeting_undo(struct controllers *controllers, struct controller *controller);

/* ---- exchange.c, on the world's thread ---- */

/* The end of a boundary (struct dpl_sim_loop_options). */
void exchange_boundary(void *user);
/* Reads the data that has arrived, at most one buffer. False: the controller was disconnected. */
bool exchange_receive(struct controllers *controllers, struct controller *controller);
/* Releases the channels of the controller and frees its slot. `error`: the error that is sent to
 * it; NULL: none. */
void exchange_let_go(struct controllers *controllers, struct controller *controller,
                     const struct hil_error *error);

/* It has not answered in time. */
void exchange_time_out(struct controllers *controllers, struct controller *controller);
/* Sends the rest of a frame, as much as the socket accepts. False: the connection is lost. */
bool exchange_flush(struct controller *controller);
/* This thread works with it. */
bool exchange_has_joined(const struct controller *controller);

/* ---- lock_step.c, on the world's thread ---- */

/* Waits until no controller is awaited: its command came, or it was let go. */
void lock_step_wait(struct controllers *controllers);

/* ---- sockets: greeting thread or world's thread ---- */

/* Receives into the free part of `in`: bytes; 0: nothing has come; -ECONNRESET: it is gone. */
int controller_receive(struct controller *controller);
/* Forgets the first n bytes of `in`. */
void controller_used(struct controller *controller, size_t n);
/* Sends all of it, or -EAGAIN: there is no room for all, or -ECONNRESET. */
int controller_send(const struct controller *controller, const void *bytes, size_t size);

#endif
