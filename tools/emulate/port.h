/* SPDX-License-Identifier: Apache-2.0 */
/* The port through which a host reaches an emulated device: a pty, or a TCP server with one client
 * at a time. All calls and callbacks are on the loop's thread. */
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
    /* A second client was refused while a host was connected. */
    void (*refused)(void *user, const char *who);
    /* A client is dropped because another one came and this one did nothing: how. */
    void (*displaced)(void *user, const char *why);
    bool may_be_mute; /* a host of this device need not say anything */
    void *user;
};

struct port;

struct port_ops {
    /* Data that the line does not accept at once is lost, as on a wire. */
    void (*send)(struct port *, const void *bytes, size_t n);
    /* false: the host's port disappears; true: a new port appears with the same name. */
    int (*set_plugged)(struct port *, bool plugged, struct dpl_diag *reterr);
    /* While paused, no data is read. */
    void (*set_paused)(struct port *, bool paused);
    /* Frees the port after the loop has released its handles. */
    void (*close)(struct port *);
};

struct port {
    const struct port_ops *ops;
    char name[160]; /* description for messages */
};

/* Opens a pty with the symbolic link `link`. A remaining link of an ended process is replaced;
 * another kind of file is not: -EEXIST. */
int port_open_pty(uv_loop_t *loop, const char *link, const struct port_events *events,
                  struct port **ret_port, struct dpl_diag *reterr);

/* Opens a server on `host` (an address). A second client is refused: its connection is reset at
 * once, and `refused` gets its address; unless the first one has said nothing for 5 s since it
 * came, or does not read. */
int port_open_tcp(uv_loop_t *loop, const char *host, int port, const struct port_events *events,
                  struct port **ret_port, struct dpl_diag *reterr);

#endif
