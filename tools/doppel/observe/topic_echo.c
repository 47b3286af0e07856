/* SPDX-License-Identifier: Apache-2.0 */
/* doppel topic echo: messages as YAML or JSON. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>

#include "field_path.h"
#include "topic.h"

#define ITEMS_MOST 128 /* of a list, as ROS 2 has it */

struct echo {
    const struct topic_values *values;
    struct wire_topic *topic;
    const char *path;
    uint64_t n, most; /* messages; most 0: no end */
    int code;
};

static void print_json(const struct echo *echo, dpl_ns stamp, json_t *value)
{
    json_t *line = json_pack("{s:f, s:O}", "time_s", (double)stamp / 1e9,
                             *echo->path ? "value" : "message", value);
    remote_print_json(line);
    json_decref(line);
}

/* A text that is alone, and the same without its quotes. */
static bool is_plain_text(const json_t *value, const struct dpl_bytes *out)
{
    return json_is_string(value) && !memchr(out->data, '\\', out->n);
}

static void print_yaml(const struct echo *echo, dpl_ns stamp, json_t *value)
{
    struct dpl_bytes out = {0};
    if (!*echo->path) {
        dpl_bytes_printf(&out, "--- # %.6f s\n", dpl_ns_to_s(stamp));
    }
    field_yaml(value, echo->values->full ? SIZE_MAX : ITEMS_MOST, &out);
    if (is_plain_text(value, &out)) {
        printf("%.*s\n", (int)out.n - 3, (const char *)out.data + 1);
    } else {
        fwrite(out.data, 1, out.n, stdout);
    }
    fflush(stdout);
    dpl_bytes_finish(&out);
}

static void on_message(void *user, struct wire_topic *topic, dpl_ns stamp, const uint8_t *data,
                       size_t n)
{
    struct remote *remote = user;
    struct echo *echo = remote->user;
    struct dpl_diag why = {0};
    if (echo->most > 0 && echo->n == echo->most) {
        return;
    }
    json_t *message = wire_decode(&topic->schema, data, n, &why);
    json_t *value = message ? field_path_find(message, echo->path, &why) : NULL;
    if (!value) {
        remote_complain(remote, "%s: %s", topic->name, why.text);
        echo->code = DPL_EXIT_BAD_INPUT;
        remote_done(remote);
    } else if (echo->values->json) {
        print_json(echo, stamp, value);
    } else {
        print_yaml(echo, stamp, value);
    }
    json_decref(message);
    if (++echo->n == echo->most) {
        remote_done(remote);
    }
}

int topic_echo(struct remote *remote, char **words, size_t n, const struct topic_values *values)
{
    struct echo echo = {.values = values, .most = values->once ? 1 : values->count};
    echo.topic = remote_topic_field(remote, words[0], &echo.path);
    if (!echo.topic) {
        return DPL_EXIT_BAD_INPUT;
    }
    echo.path = n > 1 ? words[1] : echo.path;
    remote->user = &echo;
    remote->client.events.message = on_message;
    wire_client_subscribe(&remote->client, echo.topic);
    enum remote_end end = remote_run(remote, topic_seconds(values));
    bool is_enough = end == REMOTE_DONE || echo.most == 0 || end == REMOTE_SIGNAL;
    return is_enough ? echo.code : remote_complain_end(remote, end, "as many messages");
}
