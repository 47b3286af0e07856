/* SPDX-License-Identifier: Apache-2.0 */
#include "wire_socket.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libwebsockets.h>
#include <uv.h>

#include "bytes.h"

#define PROTOCOL "foxglove.websocket.v1"

struct frame {
    struct frame *next;
    bool is_text;
    size_t n;
    unsigned char data[]; /* LWS_PRE bytes before the frame's */
};

struct wire_socket {
    struct wire_socket_events events;
    struct lws_context *context;
    struct lws *wsi; /* NULL: closed */
    struct uv_loop_s *loop;
    struct lws_protocols protocols[2];
    void *loops[1];
    struct dpl_bytes received;
    struct frame *first, **last;
    bool is_open, is_told, is_leaving;
    char path[256];
};

static const struct dpl_place nowhere;

static void tell_closed(struct wire_socket *socket, const char *why)
{
    socket->wsi = NULL;
    if (!socket->is_told && !socket->is_leaving) {
        socket->is_told = true;
        socket->events.closed(socket->events.user, why);
    }
}

/* Why a server that is there lets nobody in; NULL: another reason. */
static const char *refusal(struct lws *wsi, const char *why)
{
    unsigned code = lws_http_client_http_response(wsi);
    return code == 403   ? "it does not know the token"
           : code == 503 ? "it has as many viewers as it takes"
           : why         ? why
                         : "no connection";
}

static int receive(struct wire_socket *socket, struct lws *wsi, const void *data, size_t n)
{
    struct dpl_bytes *received = &socket->received;
    if (received->n + n > WIRE_FRAME_MAX) {
        tell_closed(socket, "a frame is too long");
        return -1;
    }
    dpl_bytes_add(received, data, n);
    if (received->failed) {
        return -1;
    }
    if (lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0) {
        size_t length = received->n;
        received->n = 0;
        if (!socket->is_leaving) {
            socket->events.frame(socket->events.user, !lws_frame_is_binary(wsi), received->data,
                                 length);
        }
    }
    return 0;
}

static int send_next(struct wire_socket *socket, struct lws *wsi)
{
    struct frame *frame = socket->first;
    if (!frame) {
        return socket->is_leaving ? -1 : 0;
    }
    socket->first = frame->next;
    socket->last = socket->first ? socket->last : &socket->first;
    int n = lws_write(wsi, frame->data + LWS_PRE, frame->n,
                      frame->is_text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY);
    bool sent = n >= (int)frame->n;
    free(frame);
    if (socket->first || socket->is_leaving) {
        lws_callback_on_writable(wsi);
    }
    return sent ? 0 : -1;
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t n)
{
    struct wire_socket *socket = lws_context_user(lws_get_context(wsi));
    (void)user;
    switch (reason) {
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        socket->is_open = true;
        socket->events.opened(socket->events.user);
        return 0;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: tell_closed(socket, refusal(wsi, in)); return 0;
    case LWS_CALLBACK_CLIENT_RECEIVE: return receive(socket, wsi, in, n);
    case LWS_CALLBACK_CLIENT_WRITEABLE: return send_next(socket, wsi);
    case LWS_CALLBACK_CLIENT_CLOSED: tell_closed(socket, "the connection is closed"); return 0;
    default: return 0;
    }
}

static void close_socket(struct wire_socket *socket)
{
    socket->is_leaving = true;
    if (socket->wsi && socket->is_open) {
        lws_callback_on_writable(socket->wsi);
        for (int i = 0; i < 100 && socket->wsi; i++) {
            uv_run(socket->loop, UV_RUN_ONCE);
        }
    }
    if (socket->context) {
        lws_context_destroy(socket->context);
        uv_run(socket->loop, UV_RUN_NOWAIT);
        uv_run(socket->loop, UV_RUN_NOWAIT);
        lws_context_destroy(socket->context);
    }
    while (socket->first) {
        struct frame *frame = socket->first;
        socket->first = frame->next;
        free(frame);
    }
    dpl_bytes_finish(&socket->received);
    free(socket);
}

static int open_socket(struct uv_loop_s *loop, int port, const char *token,
                       const struct wire_socket_events *events, struct wire_socket **ret_socket,
                       struct dpl_diag *reterr)
{
    struct wire_socket *socket = calloc(1, sizeof *socket);
    char host[32];
    if (!socket) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "no memory");
    }
    socket->events = *events;
    socket->loop = socket->loops[0] = loop;
    socket->last = &socket->first;
    socket->protocols[0] =
        (struct lws_protocols){.name = PROTOCOL, .callback = on_event, .rx_buffer_size = 65536};
    snprintf(socket->path, sizeof socket->path, "/%s", token);
    snprintf(host, sizeof host, "127.0.0.1:%d", port);
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = socket->protocols,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_DISABLE_IPV6,
        .foreign_loops = socket->loops,
        .user = socket,
        .pt_serv_buf_size = 65536,
    };
    lws_set_log_level(0, NULL);
    socket->context = lws_create_context(&info);
    struct lws_client_connect_info to = {
        .context = socket->context,
        .address = "127.0.0.1",
        .port = port,
        .path = socket->path,
        .host = host,
        .protocol = PROTOCOL,
        .pwsi = &socket->wsi,
    };
    if (!socket->context) {
        close_socket(socket);
        return dpl_fail(reterr, -ENOTSUP, nowhere,
                        "no socket: is the package libwebsockets-evlib-uv installed?");
    }
    *ret_socket = socket;
    if (!lws_client_connect_via_info(&to)) {
        tell_closed(socket, "no connection");
    }
    return 0;
}

static void send_frame(struct wire_socket *socket, bool is_text, const void *data, size_t n)
{
    struct frame *frame = malloc(sizeof *frame + LWS_PRE + n);
    if (!frame || !socket->wsi) {
        free(frame);
        return;
    }
    *frame = (struct frame){.is_text = is_text, .n = n};
    memcpy(frame->data + LWS_PRE, data, n);
    *socket->last = frame;
    socket->last = &frame->next;
    lws_callback_on_writable(socket->wsi);
}

extern const struct wire_socket_module dpl_module;

const struct wire_socket_module dpl_module = {sizeof dpl_module, open_socket, send_frame,
                                              close_socket};
