/* SPDX-License-Identifier: Apache-2.0 */
/* doppel topic: what a run shows, as the shell's verbs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>

#include "commands.h"
#include "common.h"
#include "fields.h"
#include "topic.h"

#define TYPES_DEPTH 8

double topic_seconds(const struct topic_values *values)
{
    return values->for_s > 0.0 ? values->for_s : (double)INFINITY;
}

/* ---- list ---- */

static json_t *describe(const struct wire_topic *topic)
{
    return json_pack("{s:s, s:s, s:s}", "name", topic->name, "type", topic->schema.name, "encoding",
                     topic->schema.encoding);
}

static int list(struct remote *remote, char **words, size_t n, const struct topic_values *values)
{
    json_t *all = json_array();
    (void)words;
    (void)n;
    for (size_t i = 0; i < remote->client.n_topics; i++) {
        const struct wire_topic *topic = remote->client.topics[i];
        if (topic->is_gone) {
            continue;
        }
        if (!values->json) {
            printf("%-48s %s\n", cli_clean(topic->name), cli_clean(topic->schema.name));
        }
        json_array_append_new(all, describe(topic));
    }
    if (values->json) {
        remote_print_json(all);
    }
    json_decref(all);
    return DPL_EXIT_DONE;
}

/* ---- info ---- */

static void print_fields(const struct proto_message *type, int depth)
{
    static const char *const names[] = {
        [PROTO_DOUBLE] = "double",     [PROTO_FLOAT] = "float",   [PROTO_INT64] = "int64",
        [PROTO_UINT64] = "uint64",     [PROTO_INT32] = "int32",   [PROTO_FIXED64] = "fixed64",
        [PROTO_FIXED32] = "fixed32",   [PROTO_BOOL] = "bool",     [PROTO_STRING] = "string",
        [PROTO_BYTES] = "bytes",       [PROTO_UINT32] = "uint32", [PROTO_SFIXED32] = "sfixed32",
        [PROTO_SFIXED64] = "sfixed64", [PROTO_SINT32] = "sint32", [PROTO_SINT64] = "sint64",
    };
    for (size_t i = 0; i < type->n_fields; i++) {
        const struct proto_field *field = &type->fields[i];
        const char *name = field->message       ? field->message->name
                           : field->enumeration ? field->enumeration->name
                                                : names[field->type];
        printf("%*s%s%s %s\n", 2 * depth, "", cli_clean(name), field->is_repeated ? "[]" : "",
               cli_clean(field->name));
        if (field->message && depth < TYPES_DEPTH) {
            print_fields(field->message, depth + 1);
        }
    }
}

/* The members of a JSON schema, with what it tells about them. */
static void print_members(const struct wire_schema *schema)
{
    json_t *root = json_loadb((const char *)schema->bytes.data, schema->bytes.n, 0, NULL), *value;
    const char *name;
    json_object_foreach(json_object_get(root, "properties"), name, value)
    {
        const char *type = json_string_value(json_object_get(value, "type"));
        const char *text = json_string_value(json_object_get(value, "description"));
        printf("  %s %s%s%s\n", type ? cli_clean(type) : "value", cli_clean(name), text ? "  " : "",
               text ? cli_clean(text) : "");
    }
    json_decref(root);
}

struct peers {
    const char *topic;
    json_t *subscribers;
};

static void find_peers(void *user, const json_t *update)
{
    struct remote *remote = user;
    struct peers *peers = remote->user;
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(update, "subscribedTopics"), i, entry)
    {
        const char *name = json_string_value(json_object_get(entry, "name"));
        if (name && strcmp(name, peers->topic) == 0) {
            json_decref(peers->subscribers);
            peers->subscribers = json_incref(json_object_get(entry, "subscriberIds"));
        }
    }
    remote_done(remote);
}

static int info(struct remote *remote, char **words, size_t n, const struct topic_values *values)
{
    struct wire_topic *topic = remote_topic(remote, words[0]);
    struct dpl_diag why = {0};
    (void)n;
    if (!topic) {
        return DPL_EXIT_BAD_INPUT;
    }
    struct peers peers = {topic->name, NULL};
    remote->user = &peers;
    remote->client.events.graph = find_peers;
    wire_client_greet(&remote->client);
    enum remote_end end = remote_run(remote, 2.0);
    if (end == REMOTE_DONE && values->json) {
        json_t *described = describe(topic);
        json_object_set_new(described, "viewers",
                            json_integer((json_int_t)json_array_size(peers.subscribers)));
        remote_print_json(described);
        json_decref(described);
    } else if (end == REMOTE_DONE) {
        printf("topic %s\ntype %s (%s)\nviewers %zu\n", cli_clean(topic->name),
               cli_clean(topic->schema.name), cli_clean(topic->schema.encoding),
               json_array_size(peers.subscribers));
        const struct proto_message *type =
            strcmp(topic->schema.encoding, "json") == 0 ? NULL : wire_message(&topic->schema, &why);
        if (type) {
            print_fields(type, 1);
        } else {
            print_members(&topic->schema);
        }
    }
    json_decref(peers.subscribers);
    return end == REMOTE_DONE ? DPL_EXIT_DONE : remote_complain_end(remote, end, "the graph");
}

/* ---- the command ---- */

static const struct {
    const char *name;
    size_t least, most; /* operands */
    int (*run)(struct remote *remote, char **words, size_t n, const struct topic_values *values);
} verbs[] = {
    {"list", 0, 0, list},     {"info", 1, 1, info},         {"echo", 1, 2, topic_echo},
    {"hz", 1, 1, topic_hz},   {"delay", 1, 1, topic_delay}, {"bw", 1, 1, topic_bw},
    {"pub", 2, 2, topic_pub},
};

static int run(int argc, char **argv)
{
    struct topic_values values = {0};
    struct remote remote = {0};
    const char *names[DPL_COUNT(verbs)];
    int n = options_parse(&command_topic, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    for (size_t i = 0; i < DPL_COUNT(verbs); i++) {
        names[i] = verbs[i].name;
    }
    int verb = cli_choose("topic", argv[1], names, DPL_COUNT(names));
    if (verb < 0) {
        return DPL_EXIT_USAGE;
    }
    size_t n_words = (size_t)n - 1;
    if (n_words < verbs[verb].least || n_words > verbs[verb].most) {
        fprintf(stderr, "doppel topic %s: %s\n  `doppel topic --help` shows how to use it\n",
                argv[1],
                n_words < verbs[verb].least ? "an operand is missing" : "too many operands");
        return DPL_EXIT_USAGE;
    }
    int code = remote_open(&remote, "topic", values.run);
    code = code == DPL_EXIT_DONE ? verbs[verb].run(&remote, argv + 2, n_words, &values) : code;
    remote_close(&remote);
    return code;
}

#define V(member) offsetof(struct topic_values, member)
static const struct option options[] = {
    REMOTE_OPTION(struct topic_values),
    {"json", NULL, OPTION_FLAG, V(json), 0, 0, "as JSON, one value a line", NULL},
    {"once", NULL, OPTION_FLAG, V(once), 0, 0, "with echo, pub: one message", NULL},
    {"count", "N", OPTION_COUNT, V(count), 1, 1e9, "end after N messages, or lines of figures",
     NULL},
    {"for", "S", OPTION_NUMBER, V(for_s), 0.001, 1e8, "end after S seconds", NULL},
    {"full", NULL, OPTION_FLAG, V(full), 0, 0, "with echo: all items of long lists", NULL},
    {"rate", "HZ", OPTION_NUMBER, V(rate), 0.01, 1000, "with pub: messages a second (default 10)",
     NULL},
};

const struct command command_topic = {
    .name = "topic",
    .operands = "VERB [TOPIC] [FIELD|JSON]",
    .summary = "shows topics of a run that can be viewed",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 3,
    .more = "verbs:\n"
            "  list                 topics and their types\n"
            "  info TOPIC           its type with all fields\n"
            "  echo TOPIC [FIELD]   messages, or a field: pose.x, ranges[3]; also TOPIC.FIELD\n"
            "  hz TOPIC             messages a second of the run's time, each second\n"
            "  delay TOPIC          the run's time less the stamps of messages as they come\n"
            "  bw TOPIC             bytes a second as they come\n"
            "  pub PORT JSON        publishes to an input port, until it is ended or --once\n"
            "Exit codes: 0 done, or ended by a signal or the run's end; 1 there is no such run,\n"
            "topic or field; 2 usage; 3 what --count asked for did not come.\n",
    .run = run,
};
