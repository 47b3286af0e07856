/* SPDX-License-Identifier: Apache-2.0 */
#include "service.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MESSAGE_MAX (DPL_DIAG_TEXT_MAX + 128)
#define TELL_AGAIN  DPL_S /* while it waits: the service manager's patience is extended by more */
#define PATIENCE_US "15000000"

/* ---- the socket ---- */

/* "/path", or "@name" of an abstract socket. */
static bool read_address(struct service *service, const char *name)
{
    size_t n = strlen(name);
    if ((name[0] != '/' && name[0] != '@') || n < 2 || n >= sizeof service->address.sun_path) {
        return false;
    }
    service->address.sun_family = AF_UNIX;
    memcpy(service->address.sun_path, name, n);
    if (name[0] == '@') {
        service->address.sun_path[0] = '\0';
    }
    service->address_size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n);
    return true;
}

static bool open_socket(struct service *service, const char *name)
{
    errno = EINVAL;
    if (read_address(service, name)) {
        service->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    }
    if (service->fd < 0) {
        fprintf(stderr,
                "doppel: warning: nobody is told how the run goes on: NOTIFY_SOCKET '%s': %s\n",
                name, strerror(errno));
    }
    return service->fd >= 0;
}

/* A quarter of the time after which the service manager ends a process that says nothing. */
static dpl_ns read_watchdog(void)
{
    const char *us = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
    long long limit = us ? strtoll(us, NULL, 10) : 0;
    bool is_ours = !pid || strtol(pid, NULL, 10) == (long)getpid();
    return is_ours && limit > 0 && limit < INT64_MAX / DPL_US ? limit * DPL_US / 4 : 0;
}

bool service_open(struct service *service)
{
    const char *name = getenv("NOTIFY_SOCKET");
    *service = (struct service){.fd = -1};
    if (!name || name[0] == '\0' || !open_socket(service, name)) {
        return false;
    }
    service->feed_every = read_watchdog();
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
    return true;
}

void service_close(struct service *service)
{
    if (service->fd >= 0) {
        close(service->fd);
    }
    service->fd = -1;
}

/* ---- messages ---- */

static bool send_text(const struct service *service, const char *text)
{
    return sendto(service->fd, text, strlen(text), MSG_NOSIGNAL,
                  (const struct sockaddr *)&service->address, service->address_size) >= 0;
}

static bool send_status(struct service *service, const char *more, const char *status)
{
    char text[MESSAGE_MAX];
    snprintf(text, sizeof text, "%sSTATUS=%s", more, status);
    if (!send_text(service, text)) {
        return false;
    }
    snprintf(service->status, sizeof service->status, "%s", status);
    return true;
}

static void tell_waiting(struct service *service, const char *why, dpl_ns now)
{
    char status[DPL_DIAG_TEXT_MAX];
    snprintf(status, sizeof status, "waits: %.200s", why);
    bool is_new = strcmp(status, service->status) != 0;
    if ((is_new || now - service->told_at >= TELL_AGAIN) &&
        send_status(service, "EXTEND_TIMEOUT_USEC=" PATIENCE_US "\n", status)) {
        service->told_at = now;
    }
}

static void tell_executing(struct service *service, const char *troubles, dpl_ns now)
{
    char status[DPL_DIAG_TEXT_MAX];
    snprintf(status, sizeof status, troubles[0] ? "halts: %s" : "runs", troubles);
    if (!service->ready || strcmp(status, service->status) != 0) {
        service->ready =
            send_status(service, service->ready ? "" : "READY=1\n", status) || service->ready;
    }
    if (service->feed_every > 0 &&
        (service->fed_at == 0 || now - service->fed_at >= service->feed_every) &&
        send_text(service, "WATCHDOG=1")) {
        service->fed_at = now;
    }
}

void service_tell(struct service *service, enum dpl_beat beat, const char *text, dpl_ns now)
{
    if (service->fd < 0) {
        return;
    }
    switch (beat) {
    case DPL_BEAT_WAITS: tell_waiting(service, text, now); break;
    case DPL_BEAT_EXECUTES: tell_executing(service, text, now); break;
    case DPL_BEAT_STOPS: send_status(service, "STOPPING=1\n", "stops"); break;
    }
}
