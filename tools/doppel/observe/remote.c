/* SPDX-License-Identifier: Apache-2.0 */
#include "remote.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/host/module.h>
#include <doppel/host/runtime.h>
#include <doppel/system_clock.h>

#include "common.h"
#include "field_path.h"
#include "fields.h"

#define GREETING_S 5.0
#define NAMES_MAX  1024

double remote_now(void)
{
    return dpl_ns_to_s(dpl_monotonic_now());
}

void remote_complain(const struct remote *remote, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fflush(stdout);
    fprintf(stderr, "doppel %s: %s\n", remote->command, cli_clean(text));
}

int remote_complain_lost(const struct remote *remote)
{
    remote_complain(remote, "the run has ended, or is lost: %s", remote->why);
    return DPL_EXIT_FAULT;
}

int remote_complain_end(const struct remote *remote, enum remote_end end, const char *what)
{
    if (end == REMOTE_LOST) {
        return remote_complain_lost(remote);
    }
    remote_complain(
        remote, end == REMOTE_SIGNAL ? "ended before %s came" : "%s did not come in time", what);
    return DPL_EXIT_FAULT;
}

/* ---- loop ---- */

static void stop(struct remote *remote, enum remote_end end)
{
    if (!remote->is_over) {
        remote->is_over = true;
        remote->end = end;
        uv_stop(&remote->loop);
    }
}

void remote_done(struct remote *remote)
{
    stop(remote, REMOTE_DONE);
}

static void on_timer(uv_timer_t *timer)
{
    stop(timer->data, REMOTE_TIME);
}

static void on_second(uv_timer_t *timer)
{
    struct remote *remote = timer->data;
    if (remote->tick && !remote->is_over) {
        remote->tick(remote);
    }
}

static void on_signal(uv_signal_t *handle, int number)
{
    (void)number;
    stop(handle->data, REMOTE_SIGNAL);
}

enum remote_end remote_run(struct remote *remote, double seconds)
{
    remote->is_over = false;
    if (remote->is_lost) {
        return REMOTE_LOST;
    }
    if (isfinite(seconds)) {
        uv_timer_start(&remote->timer, on_timer, (uint64_t)(1e3 * seconds), 0);
    }
    if (remote->tick) {
        uv_timer_start(&remote->second, on_second, 1000, 1000);
    }
    while (!remote->is_over) {
        uv_run(&remote->loop, UV_RUN_ONCE);
    }
    uv_timer_stop(&remote->timer);
    uv_timer_stop(&remote->second);
    return remote->end;
}

/* ---- connection ---- */

static void opened(void *user)
{
    wire_client_greet(&((struct remote *)user)->client);
}

static void lost(struct remote *remote, const char *why)
{
    snprintf(remote->why, sizeof remote->why, "%s", why);
    remote->is_lost = true;
    stop(remote, REMOTE_LOST);
}

static void take(void *user, bool is_text, const void *data, size_t n)
{
    struct remote *remote = user;
    struct dpl_diag why = {0};
    if (!remote->is_lost && wire_client_take(&remote->client, is_text, data, n, &why) < 0) {
        lost(remote, why.text);
    }
}

static void closed(void *user, const char *why)
{
    lost(user, why);
}

static void send_frame(void *user, bool is_text, const void *data, size_t n)
{
    struct remote *remote = user;
    remote->module->send(remote->socket, is_text, data, n);
}

static void keep_status(void *user, int level, const char *text)
{
    struct remote *remote = user;
    if (level >= 2) {
        snprintf(remote->status, sizeof remote->status, "%s", text);
    } else {
        remote_complain(remote, "%s", text);
    }
}

static void end_greeting(void *user, const json_t *update)
{
    (void)update;
    remote_done(user);
}

static void open_loop(struct remote *remote)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    uv_loop_init(&remote->loop);
    uv_timer_init(&remote->loop, &remote->timer);
    uv_timer_init(&remote->loop, &remote->second);
    remote->timer.data = remote->second.data = remote;
    for (size_t i = 0; i < DPL_COUNT(numbers); i++) {
        uv_signal_init(&remote->loop, &remote->signals[i]);
        remote->signals[i].data = remote;
        uv_signal_start(&remote->signals[i], on_signal, numbers[i]);
    }
    remote->is_loop_open = true;
}

int remote_open(struct remote *remote, const char *command, const char *run)
{
    struct dpl_diag why = {0};
    const void *table;
    remote->command = command;
    int r = runs_find(command, run, &remote->place);
    if (r != DPL_EXIT_DONE) {
        return r;
    }
    if (dpl_module_load("wire_socket", sizeof *remote->module, &table, &why) < 0) {
        remote_complain(remote, "%s", why.text);
        return DPL_EXIT_BAD_INPUT;
    }
    remote->module = table;
    remote->client.send = send_frame;
    remote->client.user = remote;
    remote->client.events.status = keep_status;
    remote->client.events.graph = end_greeting;
    open_loop(remote);
    struct wire_socket_events events = {opened, take, closed, remote};
    if (remote->module->open(&remote->loop, remote->place.port, remote->place.token, &events,
                             &remote->socket, &why) < 0) {
        remote_complain(remote, "%s", why.text);
        return DPL_EXIT_BAD_INPUT;
    }
    signal(SIGPIPE, SIG_DFL); /* libwebsockets ignores it: who reads no more ends the command */
    enum remote_end end = remote_run(remote, GREETING_S);
    if (end == REMOTE_LOST && !remote->client.is_greeted) {
        remote_complain(remote, "the run at port %d cannot be viewed: %s", remote->place.port,
                        remote->why);
        return DPL_EXIT_BAD_INPUT;
    }
    return end == REMOTE_DONE ? DPL_EXIT_DONE : remote_complain_end(remote, end, "the greeting");
}

static void close_handle(uv_handle_t *handle, void *user)
{
    (void)user;
    if (!uv_is_closing(handle)) {
        uv_close(handle, NULL);
    }
}

void remote_close(struct remote *remote)
{
    if (remote->socket) {
        remote->module->close(remote->socket);
    }
    if (remote->is_loop_open) {
        uv_walk(&remote->loop, close_handle, NULL);
        uv_run(&remote->loop, UV_RUN_DEFAULT);
        uv_loop_close(&remote->loop);
    }
    wire_client_finish(&remote->client);
}

/* ---- topics ---- */

static const char *nearest_topic(const struct remote *remote, const char *name)
{
    const char *names[NAMES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < remote->client.n_topics && n < NAMES_MAX; i++) {
        names[n++] = remote->client.topics[i]->name;
    }
    return dpl_nearest(name, names, n);
}

static struct wire_topic *find_prefix(const struct remote *remote, const char *name, size_t *ret_n)
{
    struct wire_topic *found = NULL;
    *ret_n = 0;
    for (size_t i = 0; i < remote->client.n_topics; i++) {
        struct wire_topic *topic = remote->client.topics[i];
        size_t n = strlen(topic->name);
        if (!topic->is_gone && n > *ret_n && strncmp(topic->name, name, n) == 0 &&
            strchr(".[", name[n])) {
            found = topic;
            *ret_n = n;
        }
    }
    return found;
}

struct wire_topic *remote_topic_field(const struct remote *remote, const char *name,
                                      const char **ret_path)
{
    char whole[1024];
    size_t n;
    snprintf(whole, sizeof whole, "%s%s", name[0] == '/' ? "" : "/", name);
    struct wire_topic *topic = find_prefix(remote, whole, &n);
    if (!topic) {
        const char *near = nearest_topic(remote, whole);
        remote_complain(remote, "there is no topic '%s'%s%s%s", whole,
                        near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
        fprintf(stderr, "  `doppel topic list` lists them\n");
        return NULL;
    }
    *ret_path = name + n - (name[0] != '/');
    *ret_path += **ret_path == '.';
    return topic;
}

struct wire_topic *remote_topic(const struct remote *remote, const char *name)
{
    const char *path = "";
    struct wire_topic *topic = remote_topic_field(remote, name, &path);
    if (topic && *path) {
        remote_complain(remote, "'%s' names a field: the topic is '%s'", name, topic->name);
        return NULL;
    }
    return topic;
}

static void on_newest(void *user, struct wire_topic *topic, dpl_ns stamp, const uint8_t *data,
                      size_t n)
{
    struct remote *remote = user;
    json_t **value = remote->user;
    struct dpl_diag why = {0};
    (void)stamp;
    json_decref(*value);
    *value = wire_decode(&topic->schema, data, n, &why);
    if (!*value) {
        remote_complain(remote, "%s: %s", topic->name, why.text);
    }
    remote_done(remote);
}

int remote_newest(struct remote *remote, const char *name, json_t **ret_value)
{
    json_t *value = NULL;
    struct wire_topic *topic = remote_topic(remote, name);
    if (!topic) {
        return DPL_EXIT_BAD_INPUT;
    }
    remote->user = &value;
    remote->client.events.message = on_newest;
    wire_client_subscribe(&remote->client, topic);
    enum remote_end end = remote_run(remote, GREETING_S);
    wire_client_unsubscribe(&remote->client, topic);
    remote->client.events.message = NULL;
    if (!value) {
        return remote_complain_end(remote, end, name);
    }
    *ret_value = value;
    return DPL_EXIT_DONE;
}

/* ---- services ---- */

struct call {
    uint32_t number;
    struct wire_service *service;
    json_t *answer;
    char why[512];
};

static void on_answer(void *user, uint32_t number, const uint8_t *data, size_t n, const char *why)
{
    struct remote *remote = user;
    struct call *call = remote->user;
    struct dpl_diag damage = {0};
    if (number != call->number) {
        return;
    }
    call->answer = why ? NULL : wire_decode(&call->service->answer, data, n, &damage);
    snprintf(call->why, sizeof call->why, "%s", why ? why : damage.text);
    remote_done(remote);
}

int remote_call(struct remote *remote, struct wire_service *service, json_t *request,
                double timeout_s, json_t **ret_answer)
{
    struct call call = {.service = service};
    struct dpl_bytes bytes = {0};
    struct dpl_diag why = {0};
    if (wire_encode(&service->request, request, &bytes, &why) < 0) {
        remote_complain(remote, "%s: %s", service->name, why.text);
        dpl_bytes_finish(&bytes);
        return DPL_EXIT_BAD_INPUT;
    }
    remote->user = &call;
    remote->client.events.answer = on_answer;
    call.number = wire_client_call(&remote->client, service, &bytes);
    dpl_bytes_finish(&bytes);
    enum remote_end end = remote_run(remote, timeout_s);
    remote->client.events.answer = NULL;
    if (end != REMOTE_DONE) {
        return remote_complain_end(remote, end, "an answer");
    }
    if (!call.answer) {
        remote_complain(remote, "%s: %s", service->name, call.why);
        return DPL_EXIT_BAD_INPUT;
    }
    *ret_answer = call.answer;
    return DPL_EXIT_DONE;
}

/* ---- parameters ---- */

static void on_values(void *user, const char *id, const json_t *parameters)
{
    struct remote *remote = user;
    json_t **values = remote->user;
    if (strcmp(id, "doppel") == 0) {
        *values = json_deep_copy(parameters);
        remote_done(remote);
    }
}

json_t *remote_parameters(struct remote *remote, const char *name, const char *text, int *ret_code)
{
    json_t *values = NULL, *wanted = json_string(text ? text : "");
    remote->user = &values;
    remote->client.events.values = on_values;
    remote->status[0] = '\0';
    if (text) {
        wire_client_set(&remote->client, name, wanted, "doppel");
    } else {
        wire_client_get(&remote->client, name, "doppel");
    }
    json_decref(wanted);
    enum remote_end end = remote_run(remote, GREETING_S);
    *ret_code = values ? DPL_EXIT_DONE : remote_complain_end(remote, end, "an answer");
    return values;
}

void remote_print_json(json_t *value)
{
    struct dpl_bytes out = {0};
    field_json(value, &out);
    dpl_bytes_text(&out, "\n");
    fwrite(out.data, 1, out.n, stdout);
    fflush(stdout);
    dpl_bytes_finish(&out);
}
