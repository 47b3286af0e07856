/* SPDX-License-Identifier: Apache-2.0 */
/* doppel top: executors, components, ports and devices of a run, each second. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <doppel/host/runtime.h>

#include "commands.h"
#include "common.h"
#include "remote.h"
#include "top_table.h"

struct values {
    const char *run;
    bool json, once;
    double for_s;
};

/* Of a topic: what the last second brought. */
struct counted {
    uint64_t n, bytes;
    double rate, bytes_per_s;
    json_t *last; /* JSON topics; NULL: none yet */
};

struct top {
    struct remote remote; /* must be first */
    const struct values *values;
    double counted_at;
    size_t first; /* line that is at the top */
    size_t n_lines;
    bool is_screen; /* a terminal that is redrawn */
    struct termios before;
    uv_poll_t keys;
    struct dpl_bytes table;
    char told[256]; /* by the run, such as that messages were skipped */
};

/* ---- what comes ---- */

static bool has_prefix(const struct wire_topic *topic, const char *prefix)
{
    return strncmp(topic->name, prefix, strlen(prefix)) == 0;
}

static bool is_log(const struct wire_topic *topic)
{
    return strcmp(topic->name, "/log") == 0;
}

static bool is_for_viewers(const struct wire_topic *topic)
{
    return strncmp(topic->schema.name, "foxglove.", 9) == 0;
}

/* What is made from others for viewers tells nothing new. */
static bool is_counted(const struct wire_topic *topic)
{
    return !is_for_viewers(topic) || is_log(topic);
}

static bool is_of_run(const struct wire_topic *topic)
{
    return has_prefix(topic, "/run/") || has_prefix(topic, "/executors/");
}

static bool is_device(const struct wire_topic *topic)
{
    const char *end = strstr(topic->name, "/device/values");
    return end && !end[14];
}

static void on_topic(void *user, struct wire_topic *topic)
{
    struct remote *remote = user;
    if (is_counted(topic)) {
        topic->user = calloc(1, sizeof(struct counted));
        wire_client_subscribe(&remote->client, topic);
    }
}

static void on_message(void *user, struct wire_topic *topic, dpl_ns stamp, const uint8_t *data,
                       size_t n)
{
    struct counted *counted = topic->user;
    struct dpl_diag ignored;
    (void)user;
    (void)stamp;
    if (!counted) {
        return;
    }
    counted->n++;
    counted->bytes += n;
    if (is_of_run(topic) || is_device(topic) || is_log(topic)) {
        json_t *value = wire_decode(&topic->schema, data, n, &ignored);
        json_decref(counted->last);
        counted->last = value;
    }
}

static void count(struct top *top)
{
    double now = remote_now(), span = now - top->counted_at;
    for (size_t i = 0; i < top->remote.client.n_topics; i++) {
        struct counted *counted = top->remote.client.topics[i]->user;
        if (counted) {
            counted->rate = span > 0.0 ? (double)counted->n / span : 0.0;
            counted->bytes_per_s = span > 0.0 ? (double)counted->bytes / span : 0.0;
            counted->n = counted->bytes = 0;
        }
    }
    top->counted_at = now;
}

/* ---- what was seen ---- */

static void add_seen(json_t *seen, const struct wire_topic *topic, const struct counted *counted)
{
    if (strcmp(topic->name, "/run/state") == 0 && counted->last) {
        json_object_set(seen, "state", counted->last);
    } else if (strcmp(topic->name, "/run/components") == 0 && counted->last) {
        json_object_set(seen, "components", counted->last);
    } else if (has_prefix(topic, "/executors/") && json_is_object(counted->last)) {
        json_t *row = json_pack("{s:s}", "name", topic->name + strlen("/executors/"));
        json_object_update(row, counted->last);
        json_array_append_new(json_object_get(seen, "executors"), row);
    } else if (is_log(topic)) {
        json_object_set(seen, "log", counted->last);
    } else if (!is_of_run(topic)) {
        json_array_append_new(json_object_get(seen, "topics"),
                              json_pack("{s:s, s:f, s:f}", "name", topic->name, "rate_hz",
                                        counted->rate, "bytes_per_s", counted->bytes_per_s));
    }
    if (is_device(topic) && counted->last) {
        json_array_append_new(json_object_get(seen, "devices"),
                              json_pack("{s:s%, s:O}", "name", topic->name + 1,
                                        strlen(topic->name) - 15, "values", counted->last));
    }
}

static json_t *look(const struct top *top)
{
    const struct wire_client *client = &top->remote.client;
    json_t *seen =
        json_pack("{s:s, s:f, s:s, s:[], s:[], s:[]}", "run", client->name, "time_s",
                  (double)client->now / 1e9, "told", top->told, "executors", "topics", "devices");
    for (size_t i = 0; i < client->n_topics; i++) {
        if (client->topics[i]->user && !client->topics[i]->is_gone) {
            add_seen(seen, client->topics[i], client->topics[i]->user);
        }
    }
    return seen;
}

static void keep_status(void *user, int level, const char *text)
{
    struct top *top = user;
    (void)level;
    snprintf(top->told, sizeof top->told, "%s", text);
}

/* ---- the screen ---- */

static void get_size(size_t *ret_rows, size_t *ret_columns)
{
    struct winsize size;
    bool is_known =
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 1 && size.ws_col > 1;
    *ret_rows = is_known ? size.ws_row : 24;
    *ret_columns = is_known ? size.ws_col : 80;
}

static void draw(struct top *top)
{
    struct dpl_bytes out = {0};
    size_t rows, columns;
    get_size(&rows, &columns);
    dpl_bytes_text(&out, "\x1b[H");
    top->n_lines = top_table_cut(&top->table, top->first, rows - 1, columns, "\x1b[K\r\n", &out);
    dpl_bytes_text(&out, "\x1b[J");
    fwrite(out.data, 1, out.n, stdout);
    fflush(stdout);
    dpl_bytes_finish(&out);
}

static void show(struct top *top)
{
    json_t *seen = look(top);
    top->table.n = 0;
    top_table(seen, &top->table);
    if (top->values->json) {
        remote_print_json(seen);
    } else if (top->is_screen) {
        draw(top);
    } else {
        fwrite(top->table.data, 1, top->table.n, stdout);
        fflush(stdout);
    }
    json_decref(seen);
}

static void on_tick(struct remote *remote)
{
    struct top *top = (struct top *)(void *)remote;
    count(top);
    show(top);
    if (top->values->once) {
        remote_done(remote);
    }
}

static void move(struct top *top, long by)
{
    size_t rows, columns;
    get_size(&rows, &columns);
    size_t last = top->n_lines > rows - 1 ? top->n_lines - (rows - 1) : 0;
    long first = (long)top->first + by;
    top->first = first < 0 ? 0 : (size_t)first > last ? last : (size_t)first;
    draw(top);
}

static void on_keys(uv_poll_t *keys, int status, int events)
{
    struct top *top = keys->data;
    char text[32] = "";
    ssize_t n = status < 0 ? 0 : read(STDIN_FILENO, text, sizeof text - 1);
    (void)events;
    if (n <= 0) {
        uv_poll_stop(keys);
    } else if (strchr(text, 'q')) {
        remote_done(&top->remote);
    } else if (strcmp(text, "\x1b[A") == 0 || text[0] == 'k') {
        move(top, -1);
    } else if (strcmp(text, "\x1b[B") == 0 || text[0] == 'j') {
        move(top, 1);
    } else if (strcmp(text, "\x1b[5~") == 0 || strcmp(text, "\x1b[6~") == 0) {
        move(top, text[2] == '5' ? -10 : 10);
    }
}

static void open_screen(struct top *top)
{
    const char *term = getenv("TERM");
    top->is_screen = !top->values->json && !top->values->once && isatty(STDOUT_FILENO) && term &&
                     *term && strcmp(term, "dumb") != 0;
    if (!top->is_screen) {
        return;
    }
    printf("\x1b[?1049h\x1b[?25l");
    if (tcgetattr(STDIN_FILENO, &top->before) == 0) {
        struct termios raw = top->before;
        raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        tcsetattr(STDIN_FILENO, TCSANOW, &raw);
        uv_poll_init(&top->remote.loop, &top->keys, STDIN_FILENO);
        top->keys.data = top;
        uv_poll_start(&top->keys, UV_READABLE, on_keys);
    }
}

static void close_screen(struct top *top)
{
    if (top->is_screen) {
        printf("\x1b[?25h\x1b[?1049l");
        fflush(stdout);
        if (top->keys.data) {
            tcsetattr(STDIN_FILENO, TCSANOW, &top->before);
        }
    }
}

/* ---- the command ---- */

static void watch(struct top *top)
{
    struct remote *remote = &top->remote;
    remote->client.events.message = on_message;
    remote->client.events.topic = on_topic;
    remote->client.events.status = keep_status;
    for (size_t i = 0; i < remote->client.n_topics; i++) {
        on_topic(remote, remote->client.topics[i]);
    }
    top->counted_at = remote_now();
    remote->tick = on_tick;
    open_screen(top);
    enum remote_end end =
        remote_run(remote, top->values->for_s > 0.0 ? top->values->for_s : (double)INFINITY);
    close_screen(top);
    if (end == REMOTE_LOST) {
        remote_complain(remote, "the run has ended");
    }
    for (size_t i = 0; i < remote->client.n_topics; i++) {
        struct counted *counted = remote->client.topics[i]->user;
        json_decref(counted ? counted->last : NULL);
        free(counted);
    }
}

static int run(int argc, char **argv)
{
    struct values values = {0};
    struct top top = {.values = &values};
    int n = options_parse(&command_top, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    int code = remote_open(&top.remote, "top", values.run);
    if (code == DPL_EXIT_DONE) {
        watch(&top);
    }
    remote_close(&top.remote);
    dpl_bytes_finish(&top.table);
    return code;
}

static const struct option options[] = {
    REMOTE_OPTION(struct values),
    {"once", NULL, OPTION_FLAG, offsetof(struct values, once), 0, 0, "one table, after a second",
     NULL},
    {"json", NULL, OPTION_FLAG, offsetof(struct values, json), 0, 0, "as JSON, a line a second",
     NULL},
    {"for", "S", OPTION_NUMBER, offsetof(struct values, for_s), 0.001, 1e8, "end after S seconds",
     NULL},
};

const struct command command_top = {
    .name = "top",
    .summary = "shows executors, components, topics and devices of a run, each second",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .more =
        "On a terminal: arrow keys and page keys move, q ends. Rates are those at which\n"
        "messages come here. Exit codes: 0 ended by q, a signal, --for or the run's end; 1 there\n"
        "is no such run; 2 usage.\n",
    .run = run,
};
