/* SPDX-License-Identifier: Apache-2.0 */
/* Opens TCP connections. The name is resolved once, when the stream is created, because later
 * attempts run on the control thread, where a resolver without an answer would block everything
 * else. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream_open.h"

#define SCHEME   "tcp://"
#define HOST_MAX 254

/* Splits "tcp://host:port"; brackets around a v6 address are removed. */
static int split(const char *address, char ret_host[HOST_MAX], char ret_port[6])
{
    if (strncmp(address, SCHEME, strlen(SCHEME)) != 0) {
        return -EINVAL;
    }
    const char *host = address + strlen(SCHEME);
    const char *colon = strrchr(host, ':');
    if (!colon || colon == host) {
        return -EINVAL;
    }
    const char *port = colon + 1;
    size_t digits = strspn(port, "0123456789");
    if (digits == 0 || digits > 5 || port[digits] != '\0' || atoi(port) < 1 || atoi(port) > 65535) {
        return -EINVAL;
    }
    size_t n = (size_t)(colon - host);
    if (host[0] == '[' && colon[-1] == ']' && n > 2) {
        host++;
        n -= 2;
    }
    if (n >= HOST_MAX) {
        return -EINVAL;
    }
    memcpy(ret_host, host, n);
    ret_host[n] = '\0';
    memcpy(ret_port, port, digits + 1);
    return 0;
}

int dpl__tcp_resolve(const char *address, struct dpl__tcp_peer *ret_peer, struct dpl_diag *reterr)
{
    const struct dpl_place nowhere = {0};
    char host[HOST_MAX], port[6];
    if (split(address, host, port) < 0) {
        return dpl_fail(
            reterr, -EINVAL, nowhere,
            "'%s' is not an address; expected tcp://host:port with a port of 1 to 65535", address);
    }
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    int r = getaddrinfo(host, port, &hints, &found);
    if (r != 0) {
        return dpl_fail(reterr, -EADDRNOTAVAIL, nowhere, "cannot find host '%s' of '%s': %s", host,
                        address, gai_strerror(r));
    }
    struct dpl__tcp_peer peer = {0};
    for (struct addrinfo *a = found; a && peer.n < DPL__TCP_ADDRESSES_MAX; a = a->ai_next) {
        memcpy(&peer.addresses[peer.n], a->ai_addr, a->ai_addrlen);
        peer.lengths[peer.n] = a->ai_addrlen;
        peer.n++;
    }
    freeaddrinfo(found);
    *ret_peer = peer;
    return 0;
}

int dpl__tcp_begin(const struct dpl__tcp_peer *peer, unsigned index, int *ret_fd)
{
    const struct sockaddr *address = (const struct sockaddr *)&peer->addresses[index];
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -errno;
    }
    /* Commands have a few bytes each and must not wait for more. */
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    if (connect(fd, address, peer->lengths[index]) < 0 && errno != EINPROGRESS) {
        int r = -errno;
        close(fd);
        return r;
    }
    *ret_fd = fd;
    return 0;
}

int dpl__tcp_finish(int fd)
{
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0) {
        return -errno;
    }
    return -error;
}

static int wait_connected(int fd, int timeout_ms)
{
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    int n = poll(&p, 1, timeout_ms);
    if (n < 0) {
        return -errno;
    }
    return n == 0 ? -ETIMEDOUT : dpl__tcp_finish(fd);
}

int dpl__tcp_connect(const struct dpl__tcp_peer *peer, int timeout_ms, int *ret_fd)
{
    int r = -EADDRNOTAVAIL;
    for (unsigned i = 0; i < peer->n; i++) {
        int fd;
        r = dpl__tcp_begin(peer, i, &fd);
        if (r < 0) {
            continue;
        }
        r = wait_connected(fd, timeout_ms);
        if (r == 0) {
            *ret_fd = fd;
            return 0;
        }
        close(fd);
    }
    return r;
}
