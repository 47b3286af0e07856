/* SPDX-License-Identifier: Apache-2.0 */
/* doppel record: topics of a run that goes on, into a file. The gateway that writes recordings of a
 * run itself writes them here: this command is its observer. */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <doppel/host/gateway.h>
#include <doppel/host/runtime.h>
#include <doppel/system_clock.h>

#include "commands.h"
#include "common.h"
#include "fields.h"
#include "mcap_gateway.h"
#include "record_files.h"
#include "remote.h"

struct values {
    const char *run, *output;
    double for_s;
    struct record_files files;
    struct record_plan plan;
};

/* A topic as the gateway sees it. */
struct recorded {
    struct dpl_topic self; /* must be first */
    struct wire_topic *wire;
};

struct record {
    struct remote remote;
    const struct dpl_gateway *gateway;
    void *self; /* of the gateway */
    uint64_t n_messages;
    size_t n_topics;
    bool has_failed;
};

/* ---- the gateway's observer ---- */

static void listen_to(void *observer, const struct dpl_topic *topic, int by)
{
    struct record *record = observer;
    if (by > 0) {
        record->n_topics++;
        wire_client_subscribe(&record->remote.client, ((const struct recorded *)topic)->wire);
    }
}

static void ask(void *observer, void *gateway, const struct dpl_asked *asked)
{
    (void)observer;
    (void)gateway;
    (void)asked;
}

static dpl_ns now(void *observer)
{
    return ((struct record *)observer)->remote.client.now;
}

static void tell(void *observer, enum dpl_log_level level, const char *text)
{
    struct record *record = observer;
    remote_complain(&record->remote, "%s", text);
    if (level == DPL_LOG_ERROR) {
        record->has_failed = true;
        remote_done(&record->remote);
    }
}

static const struct dpl_observer_ops ops = {listen_to, ask, now, tell};

/* ---- the run's topics ---- */

static void on_topic(void *user, struct wire_topic *topic)
{
    struct record *record = user; /* its first member is the remote */
    struct recorded *recorded = calloc(1, sizeof *recorded);
    if (!recorded) {
        return;
    }
    recorded->wire = topic;
    recorded->self = (struct dpl_topic){
        .id = (uint32_t)record->remote.client.n_topics,
        .name = topic->name,
        .encoding = topic->schema.encoding,
        .schema_name = topic->schema.name,
        .schema_encoding = topic->schema.language,
        .schema = topic->schema.bytes.data,
        .n_schema = topic->schema.bytes.n,
        .unit = "",
        .summary = "",
    };
    topic->user = recorded;
    record->gateway->advertise(record->self, &recorded->self);
}

static void on_message(void *user, struct wire_topic *topic, dpl_ns stamp, const uint8_t *data,
                       size_t n)
{
    struct record *record = user;
    dpl_ns time = record->remote.client.now; /* what holds since long is recorded as of now */
    stamp = topic->n_messages == 1 && stamp < time ? time : stamp;
    const struct dpl_sample sample = {
        .stamp = stamp, .taken = stamp, .sequence = topic->n_messages - 1, .data = data, .n = n};
    record->gateway->message(record->self, &((struct recorded *)topic->user)->self, &sample);
    record->n_messages++;
}

/* ---- what is wanted ---- */

/* The patterns as the gateway takes them; each must fit a topic. */
static int read_patterns(const struct remote *remote, char **words, size_t n, char *ret_patterns,
                         size_t size)
{
    size_t at = 0;
    ret_patterns[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        char pattern[256];
        bool fits = false;
        snprintf(pattern, sizeof pattern, "%s%s", strchr("/*?[", words[i][0]) ? "" : "/", words[i]);
        for (size_t k = 0; k < remote->client.n_topics && !fits; k++) {
            fits = fnmatch(pattern, remote->client.topics[k]->name, 0) == 0;
        }
        if (!fits && !strpbrk(pattern, "*?[")) {
            remote_topic(remote, pattern); /* says so */
            return DPL_EXIT_BAD_INPUT;
        }
        if (!fits) {
            remote_complain(remote, "no topic fits '%s'", pattern);
            return DPL_EXIT_BAD_INPUT;
        }
        at += (size_t)snprintf(ret_patterns + at, size - at, "%s%s", at > 0 ? " " : "", pattern);
        if (at >= size) {
            remote_complain(remote, "too many topics: give a pattern such as '/Base/*'");
            return DPL_EXIT_BAD_INPUT;
        }
    }
    return DPL_EXIT_DONE;
}

static void name_file(const struct remote *remote, const char *wanted, char *ret_file, size_t size)
{
    char date[32];
    struct tm parts;
    time_t seconds = (time_t)(dpl_calendar_now() / DPL_S);
    gmtime_r(&seconds, &parts);
    strftime(date, sizeof date, "%Y%m%d-%H%M%S", &parts);
    if (wanted) {
        snprintf(ret_file, size, "%s", wanted);
        return;
    }
    snprintf(ret_file, size, "%s-%s.mcap", remote->client.name, date);
    for (char *c = ret_file; *c; c++) {
        *c = strchr("/ ", *c) ? '_' : *c;
    }
}

/* ---- the command ---- */

static int open_file(struct record *record, const struct dpl_mcap_options *options)
{
    struct dpl_diag why = {0};
    struct dpl_gateway_setup setup = {
        .ops = &ops, .observer = record, .options = options, .name = record->remote.client.name};
    int r = dpl_gateway_load("mcap", &record->gateway, &why);
    r = r < 0 ? r : record->gateway->open(&setup, &record->self, &why);
    if (r < 0) {
        remote_complain(&record->remote, "%s", why.text);
    }
    return r < 0 ? (int)cli_code_of_output(r) : DPL_EXIT_DONE;
}

static int close_file(struct record *record, const char *file)
{
    struct dpl_diag why = {0};
    if (record->gateway->close(record->self, &why) < 0) {
        remote_complain(&record->remote, "%s", why.text);
        return DPL_EXIT_FAULT;
    }
    fprintf(stderr, "recorded %llu messages of %zu topics: %s\n",
            (unsigned long long)record->n_messages, record->n_topics, cli_clean(file));
    return DPL_EXIT_DONE;
}

/* What explains the run; without it the recording is a recording all the same. */
static void keep_description(struct record *record)
{
    struct dpl_bytes bytes = {0};
    if (remote_fetch(&record->remote, "/run.json", &bytes) == 0) {
        record->gateway->keep(record->self, &(struct dpl_kept_file){"run.json", "application/json",
                                                                    bytes.data, bytes.n});
    }
    dpl_bytes_finish(&bytes);
}

static int record_run(struct record *record, char **words, size_t n, const struct values *values)
{
    struct dpl_mcap_options options = {.chunk_kib = 1024, .level = 3, .ring_mib = 256};
    struct wire_client *client = &record->remote.client;
    int code = read_patterns(&record->remote, words, n, options.topics, sizeof options.topics);
    name_file(&record->remote, values->output, options.file, sizeof options.file);
    record_plan_apply(&values->plan, &options);
    code = code == DPL_EXIT_DONE ? open_file(record, &options) : code;
    if (code != DPL_EXIT_DONE) {
        return code;
    }
    keep_description(record);
    size_t n_topics = client->n_topics;
    client->events.message = on_message;
    for (client->n_topics = 0; client->n_topics < n_topics;) {
        struct wire_topic *topic = client->topics[client->n_topics++]; /* as it came */
        on_topic(record, topic);
    }
    client->events.topic = on_topic;
    enum remote_end end =
        record->has_failed
            ? REMOTE_DONE
            : remote_run(&record->remote, values->for_s > 0.0 ? values->for_s : (double)INFINITY);
    if (end == REMOTE_LOST) {
        fprintf(stderr, "the run has ended\n");
    }
    client->events.topic = NULL;
    code = close_file(record, options.file);
    for (size_t i = 0; i < client->n_topics; i++) {
        free(client->topics[i]->user);
    }
    return code;
}

static int run(int argc, char **argv)
{
    struct values values = {.files = RECORD_FILES_NONE};
    struct record record = {0};
    int n = options_parse(&command_record, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    if (values.output && !*values.output) {
        fprintf(stderr, "doppel record: --output: expected a file\n");
        return DPL_EXIT_USAGE;
    }
    if (record_files_read("record", &values.files, true, &values.plan) < 0) {
        return DPL_EXIT_USAGE;
    }
    int code = remote_open(&record.remote, "record", values.run);
    code = code == DPL_EXIT_DONE ? record_run(&record, argv + 1, (size_t)n, &values) : code;
    remote_close(&record.remote);
    return code;
}

static const struct option options[] = {
    REMOTE_OPTION(struct values),
    RECORD_FILES_OPTIONS(struct values),
    {"output", "FILE", OPTION_STRING, offsetof(struct values, output), 0, 0,
     "the file (default: the run's name and the date, .mcap)", "file"},
    {"for", "S", OPTION_NUMBER, offsetof(struct values, for_s), 0.001, 1e8,
     "end after S seconds (default: SIGINT, or the run's end)", NULL},
};

const struct command command_record = {
    .name = "record",
    .operands = "[TOPIC...]",
    .summary = "records topics of a run that can be viewed",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .max_operands = 64,
    .more =
        "Without a topic all are recorded; '/Base/*' is a pattern. What the run skips for a slow\n"
        "reader is told: `doppel run --record` loses nothing on the simulated clock. Exit codes:\n"
        "0 a whole file; 1 there is no such run or topic, or the file cannot be made; 2 usage;\n"
        "3 the disk is full.\n",
    .run = run,
};
