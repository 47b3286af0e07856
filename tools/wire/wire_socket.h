/* SPDX-License-Identifier: Apache-2.0 */
/* The socket of a client of the wire: WebSocket by libwebsockets, as a module "wire_socket", for
 * programs that do not link that library. One thread; all functions allocate. */
#ifndef DOPPEL_WIRE_SOCKET_H
#define DOPPEL_WIRE_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/diag.h>

/* Bytes of a server's frame; a longer one ends the connection. */
#define WIRE_FRAME_MAX (64u << 20)

struct uv_loop_s;
struct wire_socket;

/* Called in the loop. */
struct wire_socket_events {
    void (*opened)(void *user);
    void (*frame)(void *user, bool is_text, const void *data, size_t n);
    void (*closed)(void *user, const char *why); /* once; also when it could not be opened */
    void *user;
};

struct wire_socket_module {
    size_t bytes; /* of this table */
    /* Connects to ws://127.0.0.1:PORT/TOKEN. 0; -errno with reterr: no socket can be made. */
    int (*open)(struct uv_loop_s *loop, int port, const char *token,
                const struct wire_socket_events *events, struct wire_socket **ret_socket,
                struct dpl_diag *reterr);
    /* Queues a frame; the bytes are copied. */
    void (*send)(struct wire_socket *socket, bool is_text, const void *data, size_t n);
    /* Says good-bye, and frees the socket; no event is called any more. Runs the loop. */
    void (*close)(struct wire_socket *socket);
};

#endif
