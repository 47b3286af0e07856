/* SPDX-License-Identifier: Apache-2.0 */
/* doppel log: lines of a run's log, as it writes them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>

#include "commands.h"
#include "common.h"
#include "fields.h"
#include "remote.h"

struct values {
    const char *run, *level;
    bool json;
    double for_s;
};

/* By Foxglove's names; the house's are beside them. */
static const char *const levels[][2] = {
    {"ERROR", "error"}, {"WARNING", "warn"}, {"INFO", "info"}, {"DEBUG", "debug"}};

struct following {
    const struct values *values;
    size_t most; /* index of the last level that is shown */
};

static size_t level_of(const json_t *line)
{
    const char *name = json_string_value(json_object_get(line, "level"));
    size_t i = 0;
    while (i < DPL_COUNT(levels) - 1 && !(name && strcmp(name, levels[i][0]) == 0)) {
        i++;
    }
    return name && strcmp(name, "FATAL") == 0 ? 0 : i;
}

static const char *member(const json_t *line, const char *name)
{
    const char *text = json_string_value(json_object_get(line, name));
    return text ? cli_clean(text) : "";
}

static void on_message(void *user, struct wire_topic *topic, dpl_ns stamp, const uint8_t *data,
                       size_t n)
{
    struct remote *remote = user;
    const struct following *following = remote->user;
    struct dpl_diag why = {0};
    json_t *line = wire_decode(&topic->schema, data, n, &why);
    size_t level = level_of(line);
    if (!line) {
        remote_complain(remote, "%s: %s", topic->name, why.text);
    } else if (level <= following->most && following->values->json) {
        json_t *out = json_pack("{s:f, s:s, s:s, s:s}", "time_s", (double)stamp / 1e9, "level",
                                levels[level][1], "source", member(line, "name"), "text",
                                member(line, "message"));
        remote_print_json(out);
        json_decref(out);
    } else if (level <= following->most) {
        printf("[%9.3f] %s %s: %s\n", dpl_ns_to_s(stamp), levels[level][1], member(line, "name"),
               member(line, "message"));
        fflush(stdout);
    }
    json_decref(line);
}

static int run(int argc, char **argv)
{
    static const char *const names[] = {"error", "warn", "info", "debug"};
    struct values values = {.level = "info"};
    struct remote remote = {0};
    int n = options_parse(&command_log, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    int most = cli_choose("log: --level", values.level, names, DPL_COUNT(names));
    if (most < 0) {
        return DPL_EXIT_USAGE;
    }
    struct following following = {&values, (size_t)most};
    int code = remote_open(&remote, "log", values.run);
    struct wire_topic *topic = code == DPL_EXIT_DONE ? remote_topic(&remote, "/log") : NULL;
    if (topic) {
        remote.user = &following;
        remote.client.events.message = on_message;
        wire_client_subscribe(&remote.client, topic);
        remote_run(&remote, values.for_s > 0.0 ? values.for_s : (double)INFINITY);
    }
    remote_close(&remote);
    return code == DPL_EXIT_DONE && !topic ? DPL_EXIT_BAD_INPUT : code;
}

static const struct option options[] = {
    REMOTE_OPTION(struct values),
    {"level", "LEVEL", OPTION_STRING, offsetof(struct values, level), 0, 0,
     "lines of this level and worse (default info)", "error|warn|info|debug"},
    {"json", NULL, OPTION_FLAG, offsetof(struct values, json), 0, 0, "as JSON, one line each",
     NULL},
    {"for", "S", OPTION_NUMBER, offsetof(struct values, for_s), 0.001, 1e8, "end after S seconds",
     NULL},
};

const struct command command_log = {
    .name = "log",
    .summary = "follows the log of a run that can be viewed",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .more = "Exit codes: 0 ended by a signal, --for or the run's end; 1 there is no such run;\n"
            "2 usage.\n",
    .run = run,
};
