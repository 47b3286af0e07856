/* SPDX-License-Identifier: Apache-2.0 */
/* The server: libwebsockets on the loop of the observer. A context of libwebsockets is destroyed in
 * two steps, in the loop and after it. */
#include "foxglove_gateway.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <libwebsockets.h>
#include <uv.h>

#include "foxglove_access.h"
#include "foxglove_page.h"
#include "foxglove_session.h"

#define TIME_EVERY_MS 50
#define FLUSH_NS      100000000u
#define FILE_SECONDS  60
#define FILE_PIECE    16384u
#define BACKLOG_MOST  (8u << 20) /* a client that lets more wait is left */

struct server {
    struct foxglove_hub hub; /* must be first: answers come to it */
    struct foxglove_access access;
    struct foxglove_kept kept;
    struct lws_context *context;
    struct lws_protocols protocols[4];
    uv_timer_t *time; /* freed by the loop */
    uv_loop_t *loop;
    void *loops[1];
};

/* Of a connection, made by libwebsockets, zeroed. */
struct connection {
    struct foxglove_session *session;
    struct dpl_bytes received;
};

/* A file on its way to a browser, of a connection. */
struct sending {
    const unsigned char *data;
    size_t n;
};

static const struct dpl_place nowhere;

static const struct dpl_field options[] = {
    DPL_INT(struct dpl_foxglove_options, port, "port", "8765", 0, 65535,
            "TCP port on this machine; 0: a free one"),
};

/* ---- a connection ---- */

static void copy_header(struct lws *wsi, enum lws_token_indexes header, char *ret_text, size_t size)
{
    if (lws_hdr_copy(wsi, ret_text, (int)size, header) < 0) {
        ret_text[0] = '\0';
    }
}

/* DPL_ROLE_NONE: refused, with the reason in *ret_why. */
static enum dpl_role knock(const struct server *server, struct lws *wsi, const char **ret_why)
{
    char host[128], path[128], protocols[256];
    copy_header(wsi, WSI_TOKEN_HOST, host, sizeof host);
    copy_header(wsi, WSI_TOKEN_GET_URI, path, sizeof path);
    copy_header(wsi, WSI_TOKEN_PROTOCOL, protocols, sizeof protocols);
    struct foxglove_knock wanted = {host, path, protocols};
    return foxglove_access_role(&server->access, &wanted, ret_why);
}

static int begin(struct server *server, struct lws *wsi, struct connection *connection)
{
    char peer[48] = "", who[64];
    const char *why;
    lws_get_peer_simple(wsi, peer, sizeof peer);
    snprintf(who, sizeof who, "%s#%llu", peer, (unsigned long long)server->hub.n_sessions + 1);
    connection->session = foxglove_session_create(&server->hub, who, knock(server, wsi, &why), wsi);
    return connection->session ? 0 : -1;
}

/* Collects a frame; -1: it is too long. */
static int receive(struct connection *connection, struct lws *wsi, const void *data, size_t n)
{
    struct dpl_bytes *received = &connection->received;
    if (received->n + n > FOXGLOVE_FRAME_MAX) {
        lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, NULL, 0);
        return -1;
    }
    dpl_bytes_add(received, data, n);
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0) {
        return received->failed ? -1 : 0;
    }
    int r = foxglove_session_take(connection->session, !lws_frame_is_binary(wsi), received->data,
                                  received->n);
    received->n = 0;
    return r == -ENOMEM || connection->session->backlog > BACKLOG_MOST ? -1 : 0;
}

static int send_next(struct connection *connection, struct lws *wsi)
{
    struct foxglove_frame *frame = foxglove_session_next(connection->session);
    if (!frame) {
        return 0;
    }
    int n =
        lws_write(wsi, frame->data, frame->n, frame->is_text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY);
    bool sent = n >= (int)frame->n;
    foxglove_frame_free(frame);
    if (connection->session->first) {
        lws_callback_on_writable(wsi);
    }
    return sent ? 0 : -1;
}

static int on_websocket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                        size_t n)
{
    struct connection *connection = user;
    struct server *server = lws_context_user(lws_get_context(wsi));
    const char *why;
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return knock(server, wsi, &why) == DPL_ROLE_NONE;
    case LWS_CALLBACK_ESTABLISHED: return begin(server, wsi, connection);
    case LWS_CALLBACK_RECEIVE: return receive(connection, wsi, in, n);
    case LWS_CALLBACK_SERVER_WRITEABLE: return connection->session ? send_next(connection, wsi) : 0;
    case LWS_CALLBACK_CLOSED:
        foxglove_session_destroy(connection->session);
        dpl_bytes_finish(&connection->received);
        connection->session = NULL;
        return 0;
    default: return 0;
    }
}

/* An answer, as long as its file: the head now, the file in pieces. */
static int send_file(struct lws *wsi, struct sending *sending, const struct foxglove_page *page)
{
    char head[LWS_PRE + 1024];
    int length = snprintf(head + LWS_PRE, sizeof head - LWS_PRE,
                          "HTTP/1.1 200 OK\r\ncontent-type: %s\r\ncontent-length: %zu\r\n"
                          "connection: close\r\n%s\r\n",
                          page->type, page->n, foxglove_page_headers);
    *sending = (struct sending){page->data, page->n};
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, FILE_SECONDS);
    lws_write(wsi, (unsigned char *)head + LWS_PRE, (size_t)length, LWS_WRITE_HTTP_HEADERS);
    lws_callback_on_writable(wsi);
    return 0;
}

/* The next piece; when all of them are on their way the connection ends. */
static int send_piece(struct lws *wsi, struct sending *sending)
{
    unsigned char piece[LWS_PRE + FILE_PIECE];
    size_t n = sending->n < FILE_PIECE ? sending->n : FILE_PIECE;
    if (n == 0) {
        return -1;
    }
    memcpy(piece + LWS_PRE, sending->data, n);
    sending->data += n;
    sending->n -= n;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, FILE_SECONDS);
    if (lws_write(wsi, piece + LWS_PRE, n, LWS_WRITE_HTTP) < 0) {
        return -1;
    }
    lws_callback_on_writable(wsi);
    return 0;
}

/* A short answer in one piece. The connection ends with it. */
static int send_http(struct lws *wsi, const char *status, const char *type, const char *text)
{
    char answer[LWS_PRE + 2048];
    int length = snprintf(answer + LWS_PRE, sizeof answer - LWS_PRE,
                          "HTTP/1.1 %s\r\ncontent-type: %s\r\ncontent-length: %zu\r\n"
                          "connection: close\r\n%s\r\n%s",
                          status, type, strlen(text), foxglove_page_headers, text);
    if (length > 0 && length < (int)(sizeof answer - LWS_PRE)) {
        lws_write(wsi, (unsigned char *)answer + LWS_PRE, (size_t)length, LWS_WRITE_HTTP_HEADERS);
    }
    return -1;
}

/* The page has no secret: who opens it has the token. Files of the run are for who has it. */
static int serve_page(const struct server *server, struct lws *wsi, struct sending *sending,
                      const char *path)
{
    char host[128], authorization[128];
    copy_header(wsi, WSI_TOKEN_HOST, host, sizeof host);
    copy_header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, authorization, sizeof authorization);
    const struct foxglove_page *page = foxglove_page_find(path);
    const struct foxglove_page *kept = foxglove_page_find_kept(&server->kept, path);
    bool is_get = lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0;
    if (!is_get || !foxglove_access_is_host(&server->access, host) || !(page || kept)) {
        return send_http(wsi, "404 Not Found", "text/plain", "not found\n");
    }
    if (kept && !foxglove_access_may_read(&server->access, authorization)) {
        return send_http(wsi, "403 Forbidden", "text/plain", "the token is wrong\n");
    }
    return send_file(wsi, sending, page ? page : kept);
}

/* Who asks for WebSocket and gets it not is told why; no other protocol is spoken. */
static int check_upgrade(const struct server *server, struct lws *wsi, const char *protocol)
{
    char text[128];
    const char *why = "only WebSocket is spoken";
    bool is_websocket = strcasecmp(protocol, "websocket") == 0;
    if (!is_websocket || knock(server, wsi, &why) == DPL_ROLE_NONE) {
        snprintf(text, sizeof text, "%s\n", why);
        return send_http(wsi, "403 Forbidden", "text/plain", text);
    }
    if (foxglove_hub_is_full(&server->hub)) {
        snprintf(text, sizeof text, "at most %d viewers\n", FOXGLOVE_CLIENTS_MAX);
        return send_http(wsi, "503 Service Unavailable", "text/plain", text);
    }
    return 0;
}

/* Without one of our protocols. */
static int on_other(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t n)
{
    const struct server *server = lws_context_user(lws_get_context(wsi));
    (void)n;
    switch (reason) {
    case LWS_CALLBACK_HTTP: return serve_page(server, wsi, user, in);
    case LWS_CALLBACK_HTTP_WRITEABLE: return send_piece(wsi, user);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return check_upgrade(server, wsi, in);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return 1;
    default: return 0;
    }
}

static void wants_to_send(struct foxglove_session *session)
{
    if (session->connection) {
        lws_callback_on_writable(session->connection);
    }
}

/* ---- the server ---- */

static void on_time(uv_timer_t *timer)
{
    foxglove_hub_time(timer->data);
}

static void free_handle(uv_handle_t *handle)
{
    free(handle);
}

/* Why the server does not listen, as far as the system tells. */
static const char *why_not(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    bool is_free = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                   bind(fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
                   listen(fd, 1) == 0;
    int err = errno;
    if (fd >= 0) {
        close(fd);
    }
    return is_free ? "is the package libwebsockets-evlib-uv installed?" : strerror(err);
}

static int start(struct server *server, int port, struct dpl_diag *reterr)
{
    server->protocols[0] = (struct lws_protocols){
        .name = "http", .callback = on_other, .per_session_data_size = sizeof(struct sending)};
    for (int i = 1; i < 3; i++) {
        server->protocols[i] =
            (struct lws_protocols){.name = i == 1 ? "foxglove.websocket.v1" : "foxglove.sdk.v1",
                                   .callback = on_websocket,
                                   .per_session_data_size = sizeof(struct connection),
                                   .rx_buffer_size = 65536};
    }
    server->loops[0] = server->loop;
    struct lws_context_creation_info info = {
        .port = port,
        .iface = "127.0.0.1",
        .protocols = server->protocols,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_DISABLE_IPV6 |
                   LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   LWS_SERVER_OPTION_VALIDATE_UTF8,
        .foreign_loops = server->loops,
        .user = server,
        .pt_serv_buf_size = 65536,
    };
    lws_set_log_level(0, NULL);
    server->context = lws_create_context(&info);
    struct lws_vhost *vhost = server->context ? lws_create_vhost(server->context, &info) : NULL;
    server->access.port = vhost ? lws_get_vhost_listen_port(vhost) : -1;
    if (!vhost || server->access.port <= 0) {
        return dpl_fail(reterr, -EADDRINUSE, nowhere,
                        "cannot listen on port %d of this machine: %s", port, why_not(port));
    }
    return 0;
}

static int close_server(void *self, struct dpl_diag *reterr);

static int open_server(const struct dpl_gateway_setup *setup, void **ret_self,
                       struct dpl_diag *reterr)
{
    const struct dpl_foxglove_options *wanted = setup->options;
    struct server *server = calloc(1, sizeof *server);
    if (!server) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "no memory");
    }
    foxglove_session_room = LWS_PRE;
    server->hub.setup = *setup;
    server->hub.wants_to_send = wants_to_send;
    server->loop = setup->loop;
    int r = foxglove_access_init(&server->access);
    r = r < 0 ? dpl_fail(reterr, r, nowhere, "no random numbers")
              : start(server, (int)wanted->port, reterr);
    server->time = r < 0 ? NULL : malloc(sizeof *server->time);
    if (r == 0 && !server->time) {
        r = dpl_fail(reterr, -ENOMEM, nowhere, "no memory");
    }
    if (r < 0) {
        close_server(server, NULL);
        return r;
    }
    uv_timer_init(server->loop, server->time);
    server->time->data = &server->hub;
    uv_timer_start(server->time, on_time, TIME_EVERY_MS, TIME_EVERY_MS);
    *ret_self = server;
    return 0;
}

static bool has_backlog(const struct foxglove_hub *hub)
{
    size_t i = 0;
    while (i < FOXGLOVE_CLIENTS_MAX && !(hub->sessions[i] && hub->sessions[i]->first)) {
        i++;
    }
    return i < FOXGLOVE_CLIENTS_MAX;
}

/* What clients still take: the last messages of a run say how it ended. */
static void flush(struct server *server)
{
    uint64_t until = uv_hrtime() + FLUSH_NS;
    while (has_backlog(&server->hub) && uv_hrtime() < until) {
        uv_run(server->loop, UV_RUN_NOWAIT);
    }
}

static int close_server(void *self, struct dpl_diag *reterr)
{
    struct server *server = self;
    (void)reterr;
    if (server->time) {
        uv_timer_stop(server->time);
        uv_close((uv_handle_t *)server->time, free_handle);
    }
    if (server->context) {
        flush(server);
        lws_context_destroy(server->context);
        uv_run(server->loop, UV_RUN_NOWAIT);
        uv_run(server->loop, UV_RUN_NOWAIT);
        lws_context_destroy(server->context);
    }
    foxglove_hub_finish(&server->hub);
    foxglove_page_finish(&server->kept);
    free(server);
    return 0;
}

static void advertise(void *self, const struct dpl_topic *topic)
{
    foxglove_hub_add_topic(&((struct server *)self)->hub, topic);
}

static void offer(void *self, const struct dpl_service_desc *service)
{
    foxglove_hub_add_service(&((struct server *)self)->hub, service);
}

static void message(void *self, const struct dpl_topic *topic, const struct dpl_sample *sample)
{
    foxglove_hub_message(&((struct server *)self)->hub, topic, sample);
}

static void answer(void *self, const struct dpl_answer *answered)
{
    foxglove_hub_answer(&((struct server *)self)->hub, answered);
}

static void keep(void *self, const struct dpl_kept_file *file)
{
    foxglove_page_keep(&((struct server *)self)->kept, file->name, file->data, file->n);
}

static void where(const void *self, struct dpl_gateway_place *ret_place)
{
    const struct foxglove_access *access = &((const struct server *)self)->access;
    *ret_place = (struct dpl_gateway_place){access->port, access->look, access->control};
}

static bool page(const char *path, struct dpl_kept_file *ret_file)
{
    const struct foxglove_page *found = foxglove_page_find(path);
    if (found) {
        *ret_file = (struct dpl_kept_file){found->path, found->type, found->data, found->n};
    }
    return found != NULL;
}

const struct dpl_gateway dpl_foxglove_gateway = {
    .name = "foxglove",
    .summary = "serves viewers over WebSocket",
    .options = options,
    .n_options = DPL_COUNT(options),
    .options_size = sizeof(struct dpl_foxglove_options),
    .open = open_server,
    .advertise = advertise,
    .offer = offer,
    .message = message,
    .keep = keep,
    .where = where,
    .answer = answer,
    .close = close_server,
    .page = page,
};
