/* SPDX-License-Identifier: Apache-2.0 */
/* What every emulator does: a loop with a port, faults between device and port, a clock, signals.
 */
#ifndef EMULATE_SESSION_H
#define EMULATE_SESSION_H

#include <uv.h>

#include <doppel/peer_log.h>
#include <doppel/time.h>

#include "faults.h"
#include "port.h"

struct session_device {
    void (*connected)(void *device, dpl_ns now);
    void (*received)(void *device, const uint8_t *bytes, size_t n, dpl_ns now);
    /* Does what is due, and says when it wants to be called again. */
    dpl_ns (*tick)(void *device, dpl_ns now);
    bool (*is_over)(void *device, dpl_ns now);   /* end the session; NULL: never */
    void (*signalled)(void *device, dpl_ns now); /* SIGUSR2; NULL: nothing follows */
    /* What is said to it while it hangs is lost, as on a bus; else it waits in the port. */
    bool forgets_when_frozen;
};

struct session {
    uv_loop_t loop;
    uv_timer_t timer;
    uv_signal_t signals[5];
    struct port *port; /* set by the caller */
    struct faults *faults;
    const struct session_device *ops;
    void *device;
    dpl_ns epoch; /* CLOCK_MONOTONIC at the session's time 0 */
    const char *name;
    bool connected, plugged, pulled_by_hand;
    uint64_t connections;
    uint64_t lost_messages; /* to the host, for want of room */
    struct dpl_peer_log host_log;
};

/* Prepares the loop; then the caller opens the port on session->loop with session_port_events(). */
int session_init(struct session *session, const struct session_device *ops, void *device);

/* From now on SIGINT, SIGTERM and SIGHUP end the loop. Call when nothing is left to do that could
 * wait (a world or a log to load) and something is left behind by a sudden death (a port): until
 * then the signals end the process at once, with the same exit code, 0. */
void session_take_signals(struct session *session);

struct port_events session_port_events(struct session *session);

dpl_ns session_now(const struct session *session);

/* A line about what the host does, on the standard error: a few at once, then one a second. */
void session_say_of_host(struct session *session, const char *text);

/* Sends a message to the host, as far as the faults let it through. */
void session_send(struct session *session, const void *bytes, size_t n, dpl_ns now);

/* Runs until SIGINT, SIGTERM or SIGHUP, or until the device is over. SIGUSR1 pulls the plug and
 * puts it in again, SIGUSR2 is for the device. */
void session_run(struct session *session);

/* Closes the port and lets go of the loop. */
void session_finish(struct session *session);

#endif
