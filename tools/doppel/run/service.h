/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the program that started this one as a service (systemd, Type=notify) how the run goes on:
 * ready, what it waits for, that executors go on (watchdog), that it stops. sd_notify(3) describes
 * the protocol: each message is one datagram to the socket that NOTIFY_SOCKET names. */
#ifndef DOPPEL_CLI_SERVICE_H
#define DOPPEL_CLI_SERVICE_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <doppel/host/runtime.h>

struct service {
    int fd; /* -1: nobody listens */
    struct sockaddr_un address;
    socklen_t address_size;
    dpl_ns feed_every; /* 0: no watchdog */
    dpl_ns fed_at, told_at;
    bool ready;
    char status[DPL_DIAG_TEXT_MAX];
};

/* Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID and removes them from the environment, so
 * that no child answers for this process. Returns whether somebody listens; a socket that cannot be
 * is a warning. */
bool service_open(struct service *service);

/* Sends what is new at `now` (CLOCK_MONOTONIC), see struct dpl_runtime_options. Never blocks; what
 * could not be sent is sent the next time. */
void service_tell(struct service *service, enum dpl_beat beat, const char *text, dpl_ns now);

void service_close(struct service *service);

#endif
