/* SPDX-License-Identifier: Apache-2.0 */
/* libzmq, which is loaded when a world is served or joined: with the libraries that it needs it
 * takes as long to load as all others together (docs/design/runtime.md). */
#ifndef DOPPEL_SIM_LINK_ZEROMQ_H
#define DOPPEL_SIM_LINK_ZEROMQ_H

#include <zmq.h>

#include <doppel/diag.h>

/* Its functions, with its names. */
struct link_zeromq {
    size_t bytes; /* of this struct */
    void *(*ctx_new)(void);
    int (*ctx_term)(void *context);
    void *(*socket)(void *context, int type);
    int (*close)(void *socket);
    int (*setsockopt)(void *socket, int option, const void *value, size_t size);
    int (*getsockopt)(void *socket, int option, void *ret_value, size_t *size);
    int (*bind)(void *socket, const char *address);
    int (*connect)(void *socket, const char *address);
    int (*socket_monitor)(void *socket, const char *address, int events);
    int (*send)(void *socket, const void *bytes, size_t size, int flags);
    int (*recv)(void *socket, void *ret_bytes, size_t size, int flags);
    int (*poll)(zmq_pollitem_t *items, int n, long timeout_ms);
    int (*msg_init)(zmq_msg_t *message);
    int (*msg_recv)(zmq_msg_t *message, void *socket, int flags);
    int (*msg_move)(zmq_msg_t *to, zmq_msg_t *from);
    int (*msg_close)(zmq_msg_t *message);
    void *(*msg_data)(zmq_msg_t *message);
    size_t (*msg_size)(const zmq_msg_t *message);
    int (*msg_more)(const zmq_msg_t *message);
    int (*msg_get)(const zmq_msg_t *message, int property);
    const char *(*strerror)(int error);
};

/* NULL until link_zeromq_load. */
extern const struct link_zeromq *link_zeromq;

/* Before the first use, by each owner of a socket. 0; -ENOENT or -ENOEXEC with reterr. Blocks;
 * several threads may call it. */
int link_zeromq_load(struct dpl_diag *reterr);

#endif
