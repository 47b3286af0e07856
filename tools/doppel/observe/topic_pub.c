/* SPDX-License-Identifier: Apache-2.0 */
/* doppel topic pub: messages to an input port. */
#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>

#include "proto_json.h"
#include "topic.h"

#define CHANNEL   1
#define RATE      10.0
#define NAMES_MAX 256

static const char *member(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

static const json_t *find_port(const struct remote *remote, const json_t *ports, const char *name)
{
    const char *names[NAMES_MAX];
    size_t i, n = 0;
    json_t *port;
    json_array_foreach(ports, i, port)
    {
        if (strcmp(member(port, "name"), name) == 0) {
            return port;
        }
        n += n < NAMES_MAX ? (names[n] = member(port, "name"), 1u) : 0;
    }
    const char *near = dpl_nearest(name, names, n);
    remote_complain(remote, "there is no input port '%s'%s%s%s", name,
                    near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    return NULL;
}

/* How messages of a port are encoded, as the run tells in /run/inputs. The caller ends it. */
static int find_schema(struct remote *remote, const char *name, struct wire_schema *ret_schema)
{
    json_t *ports = NULL;
    int code = remote_newest(remote, "/run/inputs", &ports);
    const json_t *port = code == DPL_EXIT_DONE ? find_port(remote, ports, name) : NULL;
    const char *schema = member(port, "schema");
    code = code == DPL_EXIT_DONE && !port ? DPL_EXIT_BAD_INPUT : code;
    if (port && (!(ret_schema->encoding = strdup("protobuf")) ||
                 !(ret_schema->name = strdup(member(port, "type"))) ||
                 wire_base64(schema, strlen(schema), &ret_schema->bytes) < 0)) {
        remote_complain(remote, "%s: its type is not known", name);
        code = DPL_EXIT_BAD_INPUT;
    }
    json_decref(ports);
    return code;
}

/* Publishes until the time or the count is over, the run refuses, or a signal comes. */
static enum remote_end publish(struct remote *remote, const struct dpl_bytes *message,
                               const struct topic_values *values)
{
    uint64_t most = values->once ? 1 : values->count;
    double period = 1.0 / (values->rate > 0.0 ? values->rate : RATE);
    double next = remote_now(), end_at = next + topic_seconds(values);
    enum remote_end end = REMOTE_TIME;
    for (uint64_t i = 0;
         end == REMOTE_TIME && !remote->status[0] && (most == 0 || i < most) && next < end_at;
         i++) {
        wire_client_publish(&remote->client, CHANNEL, message);
        next += period;
        double wait = next - remote_now();
        end = remote_run(remote, wait > 0.001 ? wait : 0.001);
    }
    return end;
}

int topic_pub(struct remote *remote, char **words, size_t n, const struct topic_values *values)
{
    struct wire_schema schema = {0};
    struct dpl_bytes message = {0};
    struct dpl_diag why = {0};
    json_error_t error;
    char port[512];
    (void)n;
    snprintf(port, sizeof port, "%s%s", words[0][0] == '/' ? "" : "/", words[0]);
    json_t *value = json_loads(words[1], 0, &error);
    enum remote_end end = REMOTE_DONE;
    int code = find_schema(remote, port, &schema);
    if (code == DPL_EXIT_DONE && (!value || wire_encode(&schema, value, &message, &why) < 0)) {
        remote_complain(remote, "the message: %s", value ? why.text : error.text);
        code = DPL_EXIT_BAD_INPUT;
    }
    if (code == DPL_EXIT_DONE) {
        wire_client_advertise(&remote->client, CHANNEL, port, &schema);
        end = publish(remote, &message, values);
    }
    if (code == DPL_EXIT_DONE && remote->status[0]) {
        remote_complain(remote, "%s", remote->status);
        code = DPL_EXIT_BAD_INPUT;
    }
    json_decref(value);
    dpl_bytes_finish(&message);
    wire_schema_finish(&schema);
    return end == REMOTE_LOST ? remote_complain_lost(remote) : code;
}
