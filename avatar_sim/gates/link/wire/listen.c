/* SPDX-License-Identifier: Apache-2.0 */
/* Listening at a port: see listen.h. */
#include "listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "holder.h"

static const struct dpl_place nowhere;

static int bind_to(const struct addrinfo *address, int backlog)
{
    int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -errno;
    }
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, address->ai_addr, address->ai_addrlen) < 0 || listen(fd, backlog) < 0) {
        int err = -errno;
        close(fd);
        return err;
    }
    return fd;
}

static int fail(const struct listen_at *at, int err, struct dpl_diag *reterr)
{
    char who[DPL_HOLDER_TEXT];
    if (err == -EADDRINUSE) {
        return dpl_fail(
            reterr, err, nowhere,
            "cannot wait for %s at %s:%u: the port is in use by %s; choose another with %s",
            at->whom, at->host, at->port, dpl_holder_of_port(at->port, who), at->option);
    }
    return dpl_fail(reterr, -EADDRNOTAVAIL, nowhere, "cannot wait for %s at %s:%u: %s", at->whom,
                    at->host, at->port, strerror(-err));
}

int listen_open(const struct listen_at *at, int *ret_fd, uint16_t *ret_port,
                struct dpl_diag *reterr)
{
    char service[8];
    struct addrinfo hints = {
        .ai_family = AF_INET,
        .ai_socktype = SOCK_STREAM,
        .ai_flags = AI_PASSIVE | AI_NUMERICSERV,
    };
    struct addrinfo *found = NULL;
    snprintf(service, sizeof service, "%u", at->port);
    int err = getaddrinfo(strcmp(at->host, "*") == 0 ? NULL : at->host, service, &hints, &found);
    if (err != 0) {
        return dpl_fail(reterr, -EADDRNOTAVAIL, nowhere, "cannot wait for %s at %s: %s", at->whom,
                        at->host, gai_strerror(err));
    }
    int fd = bind_to(found, at->backlog);
    freeaddrinfo(found);
    if (fd < 0) {
        return fail(at, fd, reterr);
    }
    struct sockaddr_in address = {0};
    socklen_t size = sizeof address;
    getsockname(fd, (struct sockaddr *)&address, &size);
    *ret_fd = fd;
    *ret_port = ntohs(address.sin_port);
    return 0;
}
