/* SPDX-License-Identifier: Apache-2.0 */
/* Where a host reaches an emulated device: a pty, or a TCP server with one client at a time. All
 * calls and callbacks on the loop's thread. */
#ifndef EMULATE_PORT_H
#define EMULATE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include <doppel/diag.h>

struct port_events {
    void (*connected)(void *user);
    void (*received)(void *user, const uint8_t *bytes, size_t n);
    void (*gone)(void *user);
    /* Somebody came while a host was being served, and was sent away. */
    void (*refused)(void *user, const char *who);
    void *user;
};

struct port;

struct port_ops {
    /* What the line does not take at once is lost, as on a wire. */
    void (*send)(struct port *, const void *bytes, size_t n);
    /* Out: the host sees its port vanish; in again: a new one appears under the same name. */
    int (*set_plugged)(struct port *, bool plugged, struct dpl_diag *reterr);
    /* While paused nothing is read. */
    void (*set_paused)(struct port *, bool paused);
    /* Frees the port once the loop has let go of its handles. */
    void (*close)(struct port *);
};

struct port {
    const struct port_ops *ops;
    char name[160]; /* for people */
};

/* A pty under the symbolic link `link`. A link that is left over is replaced; another file is not:
 * -EEXIST. */
int port_open_pty(uv_loop_t *loop, const char *link, const struct port_events *events,
                  struct port **ret_port, struct dpl_diag *reterr);

/* A server on `host` (an address). A second client is refused: its connection is reset at once, and
 * `refused` is told its address. */
int port_open_tcp(uv_loop_t *loop, const char *host, int port, const struct port_events *events,
                  struct port **ret_port, struct dpl_diag *reterr);

#endif
