/* SPDX-License-Identifier: Apache-2.0 */
#include "view_folder.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>
#include <uv.h>

#include <doppel/host/gateway.h>
#include <doppel/system_clock.h>

#include "common.h"
#include "fields.h"
#include "observe.h"
#include "view_folder_files.h"

#define LINES_MAX 400
#define TICK_MS   500

/* A program that runs: a bench, a plan, or the view of a result. Freed when its handles are closed.
 */
struct child {
    uv_process_t process;
    uv_pipe_t out;
    int n_open; /* handles */
};

struct folder {
    const char *path;
    const struct dpl_gateway *gateway;
    void *server;
    uv_loop_t loop;
    uv_timer_t tick;
    uv_signal_t ends[2];
    struct child *run, *show;           /* NULL: none yet */
    char file[256], result[PATH_BYTES]; /* of what runs, or ran last */
    bool is_running;
    int code;
    json_t *lines;
    char part[1024]; /* of a line */
    size_t n_part;
    char shown[1024]; /* what the view of a result has printed */
    uint64_t show_tag;
    bool show_waits;
    uint64_t n_sent;
    dpl_ns begun;
};

static struct folder *of_loop(const uv_handle_t *handle)
{
    return handle->loop->data;
}

/* ---- what everybody sees ---- */

static const char state_schema[] =
    "{\"type\":\"object\",\"properties\":{\"file\":{\"type\":\"string\"},\"running\":{\"type\":"
    "\"boolean\"},\"code\":{\"type\":\"integer\"},\"result\":{\"type\":\"string\"},\"lines\":{"
    "\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}";
static const struct dpl_topic state_topic = {.id = 1,
                                             .name = "/folder/run",
                                             .encoding = "json",
                                             .schema_name = "folder.run",
                                             .schema_encoding = "jsonschema",
                                             .schema = state_schema,
                                             .n_schema = sizeof state_schema - 1,
                                             .unit = "",
                                             .summary = "what is run, and what it says",
                                             .source = DPL_TOPIC_PRESENT,
                                             .latched = true,
                                             .publisher = ""};

static dpl_ns now(void *observer)
{
    return dpl_monotonic_now() - ((const struct folder *)observer)->begun;
}

static void send_state(struct folder *folder)
{
    json_t *state =
        json_pack("{s:s, s:b, s:i, s:s, s:O}", "file", folder->file, "running", folder->is_running,
                  "code", folder->code, "result", folder->result, "lines", folder->lines);
    char *text = state ? json_dumps(state, JSON_COMPACT) : NULL;
    if (text) {
        struct dpl_sample sample = {.stamp = now(folder),
                                    .taken = now(folder),
                                    .sequence = folder->n_sent++,
                                    .data = text,
                                    .n = strlen(text)};
        folder->gateway->message(folder->server, &state_topic, &sample);
    }
    free(text);
    json_decref(state);
}

static void on_tick(uv_timer_t *timer)
{
    send_state(timer->data);
}

/* ---- answers ---- */

static void answer(struct folder *folder, uint64_t tag, int err, const char *why, json_t *value)
{
    char *text = value ? json_dumps(value, JSON_COMPACT) : NULL;
    struct dpl_answer answer = {.tag = tag,
                                .err = err,
                                .why = err < 0 ? why : "",
                                .value = text ? text : "{}",
                                .n_value = text ? strlen(text) : 2};
    folder->gateway->answer(folder->server, &answer);
    free(text);
    json_decref(value);
}

/* ---- programs ---- */

static void allocate(uv_handle_t *handle, size_t size, uv_buf_t *ret_buffer)
{
    static char bytes[4096]; /* one is read at a time */
    (void)handle;
    (void)size;
    *ret_buffer = uv_buf_init(bytes, sizeof bytes);
}

static void end_line(struct folder *folder)
{
    folder->part[folder->n_part] = '\0';
    folder->n_part = 0;
    if (json_array_size(folder->lines) == LINES_MAX) {
        json_array_remove(folder->lines, 0);
    }
    json_array_append_new(folder->lines, json_string(cli_clean(folder->part)));
}

static void on_lines(uv_stream_t *stream, ssize_t n, const uv_buf_t *buffer)
{
    struct folder *folder = of_loop((uv_handle_t *)stream);
    for (ssize_t i = 0; i < n; i++) {
        if (buffer->base[i] == '\n' || folder->n_part == sizeof folder->part - 1) {
            end_line(folder);
        } else {
            folder->part[folder->n_part++] = buffer->base[i];
        }
    }
    if (n > 0) {
        send_state(folder);
    }
}

/* The first line of `doppel view` has the address. */
static void on_address(uv_stream_t *stream, ssize_t n, const uv_buf_t *buffer)
{
    struct folder *folder = of_loop((uv_handle_t *)stream);
    size_t has = strlen(folder->shown), room = sizeof folder->shown - 1 - has;
    size_t taken = n > 0 ? ((size_t)n < room ? (size_t)n : room) : 0;
    memcpy(folder->shown + has, buffer->base, taken);
    folder->shown[has + taken] = '\0';
    char *address = strstr(folder->shown, "view: http"), *end = address ? strchr(address, '\n') : 0;
    if (folder->show_waits && end) {
        *end = '\0';
        folder->show_waits = false;
        answer(folder, folder->show_tag, 0, "", json_pack("{s:s}", "address", address + 6));
    } else if (folder->show_waits && n < 0) {
        folder->show_waits = false;
        answer(folder, folder->show_tag, -EIO, folder->shown, NULL);
    }
}

static void on_closed(uv_handle_t *handle)
{
    struct child *child = handle->data;
    if (--child->n_open == 0) {
        free(child);
    }
}

/* Ends it if it runs still. */
static void close_child(struct child **inout_child)
{
    struct child *child = *inout_child;
    *inout_child = NULL;
    if (child) {
        if (uv_is_active((uv_handle_t *)&child->process)) { /* else its number may be another's */
            uv_process_kill(&child->process, SIGTERM);
        }
        uv_close((uv_handle_t *)&child->process, on_closed);
        uv_close((uv_handle_t *)&child->out, on_closed);
    }
}

static void on_run_end(uv_process_t *process, int64_t status, int number)
{
    struct folder *folder = of_loop((uv_handle_t *)process);
    if (!folder->run || process != &folder->run->process) {
        return;
    }
    folder->is_running = false;
    folder->code = number ? 128 + number : (int)status;
    send_state(folder);
}

static void on_show_end(uv_process_t *process, int64_t status, int number)
{
    (void)process;
    (void)status;
    (void)number;
}

/* This program with other words. */
static int spawn(struct folder *folder, struct child **ret_child, char *const *words,
                 uv_exit_cb ended, uv_read_cb read)
{
    static char program[] = "/proc/self/exe";
    uv_file ends[2];
    struct child *child = calloc(1, sizeof *child);
    int r = child ? uv_pipe(ends, UV_NONBLOCK_PIPE, 0) : UV_ENOMEM;
    if (r < 0) {
        free(child);
        return r;
    }
    *ret_child = child;
    child->n_open = 2;
    child->process.data = child->out.data = child;
    uv_pipe_init(&folder->loop, &child->out, 0);
    uv_pipe_open(&child->out, ends[0]);
    uv_stdio_container_t said = {.flags = UV_INHERIT_FD, .data.fd = ends[1]};
    uv_stdio_container_t streams[3] = {{.flags = UV_IGNORE}, said, said};
    uv_process_options_t options = {.file = program,
                                    .args = (char **)(uintptr_t)words,
                                    .exit_cb = ended,
                                    .stdio = streams,
                                    .stdio_count = 3};
    r = uv_spawn(&folder->loop, &child->process, &options);
    close(ends[1]);
    return r < 0 ? r : uv_read_start((uv_stream_t *)&child->out, allocate, read);
}

/* ---- requests ---- */

static void list(struct folder *folder, uint64_t tag, const json_t *request)
{
    (void)request;
    answer(folder, tag, 0, "", json_pack("{s:o}", "files", folder_files_list(folder->path)));
}

static void form(struct folder *folder, uint64_t tag, const json_t *request)
{
    struct dpl_diag why = {0};
    json_t *fields = folder_files_form(folder->path, request, &why);
    answer(folder, tag, fields ? 0 : -EINVAL, why.text,
           fields ? json_pack("{s:o}", "parameters", fields) : NULL);
}

static void make(struct folder *folder, uint64_t tag, const json_t *request)
{
    struct dpl_diag why = {0};
    json_t *made = folder_files_make(folder->path, request, &why);
    answer(folder, tag, made ? 0 : -EINVAL, why.text, made);
}

static void start_run(struct folder *folder, uint64_t tag, const json_t *request)
{
    struct dpl_diag why = {0};
    struct folder_run run;
    int r = folder->is_running ? dpl_fail(&why, -EBUSY, (struct dpl_place){0},
                                          "%s runs: stop it first", folder->file)
                               : folder_files_run(folder->path, request, &run, &why);
    if (r == 0) {
        close_child(&folder->run);
        json_array_clear(folder->lines);
        folder->n_part = 0;
        snprintf(folder->file, sizeof folder->file, "%s", run.file);
        snprintf(folder->result, sizeof folder->result, "%s", run.record);
        r = spawn(folder, &folder->run, run.words, on_run_end, on_lines);
        folder->is_running = r == 0;
        if (r < 0) {
            dpl_fail(&why, r, (struct dpl_place){0}, "it cannot be started: %s", uv_strerror(r));
        }
        send_state(folder);
    }
    answer(folder, tag, r, why.text, NULL);
}

static void stop_run(struct folder *folder, uint64_t tag, const json_t *request)
{
    (void)request;
    int r = folder->is_running ? uv_process_kill(&folder->run->process, SIGTERM) : -ESRCH;
    answer(folder, tag, r, "nothing runs", NULL);
}

/* Another server shows the recording of what was run last. */
static void show_result(struct folder *folder, uint64_t tag, const json_t *request)
{
    char view[] = "view", doppel[] = "doppel";
    char *words[] = {doppel, view, folder->result, NULL};
    (void)request;
    if (folder->is_running || folder->show_waits || access(folder->result, R_OK) < 0) {
        answer(folder, tag, -ENOENT,
               folder->is_running   ? "it runs still"
               : folder->show_waits ? "it is being opened"
                                    : "there is no recording",
               NULL);
        return;
    }
    close_child(&folder->show);
    folder->shown[0] = '\0';
    folder->show_tag = tag;
    folder->show_waits = true;
    int r = spawn(folder, &folder->show, words, on_show_end, on_address);
    if (r < 0) {
        folder->show_waits = false;
        answer(folder, tag, r, uv_strerror(r), NULL);
    }
}

static const struct request {
    const char *name;
    enum dpl_role role;
    void (*call)(struct folder *folder, uint64_t tag, const json_t *request);
} requests[] = {
    {"/folder/list", DPL_ROLE_LOOK, list},        {"/folder/form", DPL_ROLE_LOOK, form},
    {"/folder/make", DPL_ROLE_CONTROL, make},     {"/folder/run", DPL_ROLE_CONTROL, start_run},
    {"/folder/stop", DPL_ROLE_CONTROL, stop_run}, {"/folder/show", DPL_ROLE_CONTROL, show_result},
};

/* ---- the server's observer ---- */

static void listen_to(void *observer, const struct dpl_topic *topic, int by)
{
    (void)topic;
    if (by > 0) {
        send_state(observer);
    }
}

static void ask(void *observer, void *server, const struct dpl_asked *asked)
{
    struct folder *folder = observer;
    json_t *request = asked->n_value ? json_loadb(asked->value, asked->n_value, 0, NULL) : NULL;
    bool is_call = asked->what == DPL_ASK_CALL, is_done = false;
    (void)server;
    for (size_t i = 0; i < DPL_COUNT(requests) && is_call; i++) {
        if (strcmp(requests[i].name, asked->name) == 0) {
            is_done = true;
            if (asked->role < requests[i].role) {
                answer(folder, asked->tag, -EACCES, "that needs the role control", NULL);
            } else {
                requests[i].call(folder, asked->tag, request);
            }
        }
    }
    if (!is_done && asked->what != DPL_ASK_LEAVE) {
        answer(folder, asked->tag, -ENOTSUP, "a folder does not offer that", NULL);
    }
    json_decref(request);
}

static void tell(void *observer, enum dpl_log_level level, const char *text)
{
    (void)observer;
    (void)level;
    fprintf(stderr, "doppel view: %s\n", cli_clean(text));
}

static const struct dpl_observer_ops ops = {listen_to, ask, now, tell};

/* ---- the server ---- */

static void on_signal(uv_signal_t *handle, int number)
{
    (void)number;
    uv_stop(handle->loop);
}

static void offer(const struct folder *folder)
{
    static const char schema[] = "{\"type\":\"object\"}";
    static struct dpl_service_desc services[DPL_COUNT(requests)]; /* the server borrows them */
    folder->gateway->advertise(folder->server, &state_topic);
    for (size_t i = 0; i < DPL_COUNT(requests); i++) {
        services[i] = (struct dpl_service_desc){.id = (uint32_t)i + 1,
                                                .name = requests[i].name,
                                                .type = requests[i].name,
                                                .provider = "",
                                                .encoding = "json",
                                                .schema_encoding = "jsonschema",
                                                .request_schema_name = requests[i].name,
                                                .response_schema_name = "done",
                                                .request_schema = schema,
                                                .n_request_schema = sizeof schema - 1,
                                                .response_schema = schema,
                                                .n_response_schema = sizeof schema - 1};
        folder->gateway->offer(folder->server, &services[i]);
    }
}

/* What the page calls it. */
static void keep_name(const struct folder *folder)
{
    json_t *about = json_pack("{s:s}", "application", cli_clean(folder->path));
    char *text = about ? json_dumps(about, JSON_COMPACT) : NULL;
    if (text) {
        folder->gateway->keep(
            folder->server,
            &(struct dpl_kept_file){"run.json", "application/json", text, strlen(text)});
    }
    free(text);
    json_decref(about);
}

static void end(struct folder *folder)
{
    close_child(&folder->run);
    close_child(&folder->show);
    for (size_t i = 0; i < DPL_COUNT(folder->ends); i++) {
        uv_close((uv_handle_t *)&folder->ends[i], NULL);
    }
    uv_close((uv_handle_t *)&folder->tick, NULL);
    folder->gateway->close(folder->server, NULL);
    uv_run(&folder->loop, UV_RUN_DEFAULT);
    json_decref(folder->lines);
}

static void serve(struct folder *folder)
{
    static const int numbers[] = {SIGINT, SIGTERM};
    struct dpl_gateway_place place;
    char own[32];
    snprintf(own, sizeof own, "%d", (int)getpid());
    setenv(CLI_STARTER, own, 1);
    folder->lines = json_array();
    offer(folder);
    keep_name(folder);
    for (size_t i = 0; i < DPL_COUNT(numbers); i++) {
        uv_signal_init(&folder->loop, &folder->ends[i]);
        uv_signal_start(&folder->ends[i], on_signal, numbers[i]);
    }
    uv_timer_init(&folder->loop, &folder->tick);
    folder->tick.data = folder;
    uv_timer_start(&folder->tick, on_tick, TICK_MS, TICK_MS);
    folder->gateway->where(folder->server, &place);
    printf("view: http://127.0.0.1:%d/#t=%s\n", place.port, place.control);
    fflush(stdout);
    uv_run(&folder->loop, UV_RUN_DEFAULT);
    end(folder);
}

int view_folder(const char *path, int port)
{
    struct dpl_runtime_options options = {.simulated = true}; /* its gateway is wanted */
    const struct observe_wanted wanted = {"view", {.view = port}, NULL};
    struct dpl_observe *observe;
    struct dpl_diag why = {0};
    static struct folder folder;
    folder = (struct folder){.path = path, .begun = dpl_monotonic_now()};
    if (observe_open(&wanted, &options, &observe) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    const struct dpl_gateway_use *use = &options.gateways[0];
    folder.gateway = use->gateway;
    int r = uv_loop_init(&folder.loop);
    folder.loop.data = &folder;
    struct dpl_gateway_setup setup = {&ops, &folder, &folder.loop, use->options, "folder"};
    r = r < 0 ? r : use->gateway->open(&setup, &folder.server, &why);
    if (r == 0) {
        serve(&folder);
        uv_loop_close(&folder.loop);
    } else {
        fprintf(stderr, "doppel view: %s\n", why.text);
    }
    dpl_observe_close(observe);
    return r < 0 ? DPL_EXIT_BAD_INPUT : DPL_EXIT_DONE;
}
