/* SPDX-License-Identifier: Apache-2.0 */
/* Streams that wait for a peer: a pty, or a TCP server on the local interface or all. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doppel/field.h>

#include "holder.h"
#include "stream_open.h"

#define BACKLOG 4

static const struct {
    const char *prefix;
    enum dpl__listener_kind kind;
    in_addr_t address;
} schemes[] = {
    {"pty:", DPL__LISTENER_PTY, 0},
    {"listen:", DPL__LISTENER_TCP, INADDR_LOOPBACK},
    {"tcp-listen:", DPL__LISTENER_TCP, INADDR_ANY},
};

/* The scheme's index, or -1: not the address of a listener. */
static int find_scheme(const char *address)
{
    for (size_t i = 0; i < DPL_COUNT(schemes); i++) {
        if (strncmp(address, schemes[i].prefix, strlen(schemes[i].prefix)) == 0) {
            return (int)i;
        }
    }
    return -1;
}

enum dpl__listener_kind dpl__listener_kind_of(const char *address)
{
    int scheme = find_scheme(address);
    return scheme < 0 ? DPL__LISTENER_NONE : schemes[scheme].kind;
}

static int read_port(const char *text, uint16_t *ret_port)
{
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 5 || text[digits] != '\0' || atoi(text) < 1 || atoi(text) > 65535) {
        return -EINVAL;
    }
    *ret_port = (uint16_t)atoi(text);
    return 0;
}

static int serve(in_addr_t host, uint16_t port, int *ret_fd)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(host);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -errno;
    }
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    if (bind(fd, (const struct sockaddr *)&address, sizeof address) < 0 ||
        listen(fd, BACKLOG) < 0) {
        int err = -errno;
        close(fd);
        return err;
    }
    *ret_fd = fd;
    return 0;
}

int dpl__listener_open(struct dpl__listener *listener, const char *address, struct dpl_diag *reterr)
{
    const struct dpl_place nowhere = {0};
    int scheme = find_scheme(address);
    const char *rest = address + strlen(schemes[scheme].prefix);
    uint16_t port;
    listener->kind = schemes[scheme].kind;
    listener->server = listener->pty.master = -1;
    if (listener->kind == DPL__LISTENER_PTY) {
        return dpl_pty_open(&listener->pty, rest, reterr);
    }
    if (read_port(rest, &port) < 0) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "'%s' is not an address; expected %sPORT with a port of 1 to 65535",
                        address, schemes[scheme].prefix);
    }
    int err = serve(schemes[scheme].address, port, &listener->server);
    char who[DPL_HOLDER_TEXT];
    if (err == -EADDRINUSE) {
        return dpl_fail(reterr, err, nowhere, "cannot listen at '%s': the port is in use by %s",
                        address, dpl_holder_of_port(port, who));
    }
    return err < 0 ? dpl_fail(reterr, err, nowhere, "cannot listen at '%s': %s", address,
                              strerror(-err))
                   : 0;
}

static int accept_pty(struct dpl__listener *listener, int *ret_fd)
{
    if (listener->had_peer) {
        dpl_pty_forget(&listener->pty);
        listener->had_peer = false;
    }
    if (!dpl_pty_has_peer(&listener->pty, NULL)) {
        return -EAGAIN;
    }
    int fd = fcntl(listener->pty.master, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) {
        return -errno;
    }
    listener->had_peer = true;
    *ret_fd = fd;
    return 0;
}

int dpl__listener_accept(struct dpl__listener *listener, int *ret_fd)
{
    if (listener->kind == DPL__LISTENER_PTY) {
        return accept_pty(listener, ret_fd);
    }
    int fd = accept4(listener->server, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
        return -errno;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    *ret_fd = fd;
    return 0;
}

void dpl__listener_close(struct dpl__listener *listener)
{
    if (listener->kind == DPL__LISTENER_PTY) {
        dpl_pty_close(&listener->pty);
    } else if (listener->kind == DPL__LISTENER_TCP && listener->server >= 0) {
        close(listener->server);
        listener->server = -1;
    }
}
