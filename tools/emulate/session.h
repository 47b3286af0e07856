/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of all emulators: a loop with a port, faults between device and port, a clock,
 * signals. */
#ifndef EMULATE_SESSION_H
#define EMULATE_SESSION_H

#include <uv.h>

#include <doppel/peer_log.h>
#include <doppel/time.h>

#include "faults.h"
#include "port.h"

struct session_device {
    /* What the host does; NULL: no effect. */
    void (*connected)(void *device, dpl_ns now);
    void (*received)(void *device, const uint8_t *bytes, size_t n, dpl_ns now);
    /* Does the work that is due, and returns the time of the next call. */
    dpl_ns (*tick)(void *device, dpl_ns now);
    bool (*is_over)(void *device, dpl_ns now);   /* end the session; NULL: never */
    void (*signalled)(void *device, dpl_ns now); /* SIGUSR2; NULL: no effect */
    /* Asks the device's world, which may be in another process. 0: it has answered; -EAGAIN: not
     * yet; -ERANGE: it has ended by itself; another -errno: it lacks what the device needs; with
     * reterr. NULL: nothing to ask. */
    int (*find_world)(void *device, struct dpl_diag *reterr);
    /* Data sent to a frozen device is lost, as on a bus; otherwise it waits in the port. */
    bool forgets_when_frozen;
    bool talks_unasked; /* its host may only listen */
};

struct observed;

struct session {
    uv_loop_t loop;
    uv_timer_t timer;
    uv_signal_t signals[5];
    struct port *port; /* set by the caller */
    struct faults *faults;
    const struct session_device *ops;
    void *device;
    dpl_ns epoch;                     /* CLOCK_MONOTONIC at the session's time 0 */
    const char *name, *world;         /* world: its address, for messages */
    bool announced;                   /* the port, because the device is ready */
    int ready_fd;                     /* for background_go_on, once; 0: nobody waits for it */
    char obstacle[DPL_DIAG_TEXT_MAX]; /* why it is not, as it was told last */
    bool world_ended;                 /* why is the obstacle */
    bool world_silent;                /* told */
    bool connected, plugged, pulled_by_hand;
    uint64_t connections;
    uint64_t lost_messages; /* to the host, lost because there was no room */
    struct dpl_peer_log host_log;
    struct observed *observed; /* NULL: nobody looks */
    void (*show)(struct observed *);
};

/* Prepares the loop; then the caller opens the port on session->loop with session_port_events(). */
int session_init(struct session *session, const struct session_device *ops, void *device);

/* From now on SIGINT, SIGTERM and SIGHUP end the loop. Call it when no further step can wait
 * (loading a world or a log), and when a sudden end would leave something (a port). Before this
 * call the signals end the process at once, with the same exit code, 0. */
void session_handle_signals(struct session *session);

struct port_events session_port_events(struct session *session);

dpl_ns session_now(const struct session *session);

/* Prints where the device is, or, until its world has answered, that it waits for the world; then
 * session_run says the rest. Call it when the port is open. */
void session_announce(struct session *session);

/* From now on the device has these faults. In the loop. */
void session_switch(struct session *session, const struct faults_switches *switches);

/* Prints a line about an action of the host to standard error, with a limited rate: a few at once,
 * then one per second. */
void session_print_host(struct session *session, const char *text);

/* Sends a message to the host, subject to the faults. */
void session_send(struct session *session, const void *bytes, size_t n, dpl_ns now);

/* The time of the next of periodic messages, after `next`: those that are late by more than 500 ms
 * are omitted. */
static inline dpl_ns session_keep_up(dpl_ns next, dpl_ns period, dpl_ns now)
{
    return now - next > 500 * DPL_MS ? next + period * ((now - next) / period) : next;
}

/* Runs until SIGINT, SIGTERM or SIGHUP, or until the device is over. SIGUSR1 unplugs the port and
 * plugs it in again, SIGUSR2 is for the device. 0; -ERANGE with reterr: its world has
 * ended by itself. */
int session_run(struct session *session, struct dpl_diag *reterr);

/* Closes the port and releases the loop. */
void session_finish(struct session *session);

#endif
