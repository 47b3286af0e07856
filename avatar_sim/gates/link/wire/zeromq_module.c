/* SPDX-License-Identifier: Apache-2.0 */
/* The module zeromq: the only file that is linked with libzmq. */
#include "zeromq.h"

extern const struct link_zeromq dpl_module;

const struct link_zeromq dpl_module = {
    .bytes = sizeof dpl_module,
    .ctx_new = zmq_ctx_new,
    .ctx_term = zmq_ctx_term,
    .socket = zmq_socket,
    .close = zmq_close,
    .setsockopt = zmq_setsockopt,
    .getsockopt = zmq_getsockopt,
    .bind = zmq_bind,
    .connect = zmq_connect,
    .socket_monitor = zmq_socket_monitor,
    .send = zmq_send,
    .recv = zmq_recv,
    .poll = zmq_poll,
    .msg_init = zmq_msg_init,
    .msg_recv = zmq_msg_recv,
    .msg_move = zmq_msg_move,
    .msg_close = zmq_msg_close,
    .msg_data = zmq_msg_data,
    .msg_size = zmq_msg_size,
    .msg_more = zmq_msg_more,
    .msg_get = zmq_msg_get,
    .strerror = zmq_strerror,
};
