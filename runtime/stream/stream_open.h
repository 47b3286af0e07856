/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the file descriptor of a stream: serial ports, TCP connections, CAN interfaces, and
 * listeners. All descriptors are non-blocking and close-on-exec; reading and writing are the same
 * for all (stream.c). */
#ifndef DOPPEL_RUNTIME_STREAM_OPEN_H
#define DOPPEL_RUNTIME_STREAM_OPEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include <doppel/diag.h>
#include <doppel/host/pty.h>

/* Opens a serial port or pty raw, 8N1, without flow control, for this process alone. `baud` 0 does
 * not change the speed. -EINVAL: not a standard speed; -EBUSY: in use; -ENOTTY: not a serial port;
 * or the errno of opening. */
int dpl__serial_open(const char *path, uint32_t baud, int *ret_fd);

#define DPL__CAN_RECORD_BYTES 16

/* "can:can0". The descriptor reads and writes one record per call (struct can_frame). */
bool dpl__can_is(const char *address);
/* -EAFNOSUPPORT: the kernel has no SocketCAN; -ENODEV: no such interface; -EINVAL: not the name of
 * one; or the error of the system. */
int dpl__can_open(const char *address, int *ret_fd);
/* The text for such an error. */
const char *dpl__can_error(int err);

#define DPL__TCP_ADDRESSES_MAX 4

struct dpl__tcp_peer {
    struct sockaddr_storage addresses[DPL__TCP_ADDRESSES_MAX];
    socklen_t lengths[DPL__TCP_ADDRESSES_MAX];
    unsigned n;
};

/* Resolves "tcp://host:port" or "tcp://[v6]:port". May block in the resolver. -EINVAL or
 * -EADDRNOTAVAIL with reterr. */
int dpl__tcp_resolve(const char *address, struct dpl__tcp_peer *ret_peer, struct dpl_diag *reterr);

/* Starts to connect to one of the peer's addresses. 0: connected or in progress: wait until the
 * descriptor is writable, then call dpl__tcp_finish. */
int dpl__tcp_begin(const struct dpl__tcp_peer *peer, unsigned index, int *ret_fd);
/* 0 when connected, otherwise the error. */
int dpl__tcp_finish(int fd);
/* Tries all addresses in turn, each for at most `timeout_ms`; returns the last one's error. */
int dpl__tcp_connect(const struct dpl__tcp_peer *peer, int timeout_ms, int *ret_fd);

enum dpl__listener_kind {
    DPL__LISTENER_NONE,
    DPL__LISTENER_PTY, /* "pty:PATH" */
    DPL__LISTENER_TCP, /* "listen:PORT" on the local interface, "tcp-listen:PORT" on all */
};

struct dpl__listener {
    enum dpl__listener_kind kind;
    struct dpl_pty pty;
    bool had_peer; /* of the pty, since its buffers were emptied */
    int server;
};

enum dpl__listener_kind dpl__listener_kind_of(const char *address);
/* `address` must be one of a listener. On failure nothing stays open. */
int dpl__listener_open(struct dpl__listener *listener, const char *address,
                       struct dpl_diag *reterr);
/* The peer's descriptor; -EAGAIN: no peer. One peer at a time: call again after the last peer's
 * descriptor was closed. */
int dpl__listener_accept(struct dpl__listener *listener, int *ret_fd);
void dpl__listener_close(struct dpl__listener *listener);

#endif
