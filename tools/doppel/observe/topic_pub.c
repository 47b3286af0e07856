/* SPDX-License-Identifier: Apache-2.0 */
/* doppel topic pub: messages to an input port. */
#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>

#include "topic.h"

#define CHANNEL   1
#define RATE      10.0
#define NAMES_MAX 256

/* The type of that name among those that the run has described. */
static int find_type(const struct remote *remote, const char *name, struct wire_schema *ret_schema)
{
    const char *names[NAMES_MAX];
    size_t n = 0;
    struct dpl_diag why;
    for (size_t i = 0; i < remote->client.n_topics; i++) {
        struct wire_schema *schema = &remote->client.topics[i]->schema;
        const struct proto_message *own =
            strcmp(schema->encoding, "protobuf") == 0 ? wire_message(schema, &why) : NULL;
        const struct proto_message *found = own ? proto_types_find(schema->types, name) : NULL;
        if (found) {
            *ret_schema = *schema;
            ret_schema->message = found;
            return DPL_EXIT_DONE;
        }
        n += own && n < NAMES_MAX ? (names[n] = own->name, 1u) : 0;
    }
    const char *near = dpl_nearest(name, names, n);
    remote_complain(remote, "the run describes no type '%s'%s%s%s", name,
                    near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    return DPL_EXIT_BAD_INPUT;
}

/* How messages of a port are encoded: by the type that is named, as those of a topic of its name,
 * or as JSON. */
static int find_schema(const struct remote *remote, const char *port, const char *type,
                       struct wire_schema *ret_schema)
{
    static char encoding[] = "json", none[] = "";
    const struct wire_topic *topic = wire_client_topic(&remote->client, port);
    if (type) {
        return find_type(remote, type, ret_schema);
    }
    *ret_schema = topic
                      ? topic->schema
                      : (struct wire_schema){.encoding = encoding, .name = none, .language = none};
    return DPL_EXIT_DONE;
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
    struct wire_schema schema;
    struct dpl_bytes message = {0};
    struct dpl_diag why = {0};
    json_error_t error;
    char port[512];
    snprintf(port, sizeof port, "%s%s", words[0][0] == '/' ? "" : "/", words[0]);
    int code = find_schema(remote, port, n > 2 ? words[1] : NULL, &schema);
    if (code != DPL_EXIT_DONE) {
        return code;
    }
    json_t *value = json_loads(words[n - 1], 0, &error);
    if (!value || wire_encode(&schema, value, &message, &why) < 0) {
        remote_complain(remote, "the message: %s", value ? why.text : error.text);
        json_decref(value);
        dpl_bytes_finish(&message);
        return DPL_EXIT_BAD_INPUT;
    }
    json_decref(value);
    wire_client_advertise(&remote->client, CHANNEL, port, &schema);
    enum remote_end end = publish(remote, &message, values);
    dpl_bytes_finish(&message);
    if (remote->status[0]) {
        remote_complain(remote, "%s", remote->status);
        return DPL_EXIT_BAD_INPUT;
    }
    return end == REMOTE_LOST ? remote_complain_lost(remote) : DPL_EXIT_DONE;
}
