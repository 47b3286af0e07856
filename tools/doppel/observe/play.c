/* SPDX-License-Identifier: Apache-2.0 */
/* doppel play: a recording on the wire of viewers. Its messages go to the gateway as they are;
 * nothing is decoded. Time passes from when the first viewer listens. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uv.h>

#include <doppel/system_clock.h>

#include "bytes.h"
#include "commands.h"
#include "common.h"
#include "fields.h"
#include "observe.h"
#include "player.h"
#include "status_row.h"

#define CHANNELS 65536
#define TURN_MS  5
#define BEGIN_NS (DPL_S / 5)
#define RATE_MAX 1000.0
#define OBJECT   "{\"type\":\"object\"}"

struct values {
    double rate, start_s;
    bool loops;
    int port;
};

struct play {
    struct values values;
    struct observe_wanted wanted;
    struct dpl_observe *observe;
    struct player player;
    struct dpl_topic *topics; /* [n_topics]: those of the file, then /run/state */
    char **texts;             /* [n_texts] of them */
    size_t n_topics, n_texts;
    uint32_t topic_of[CHANNELS]; /* 1 + the index of its topic, by the id of a channel; 0: none */
    const struct dpl_gateway *gateway;
    void *server;
    uv_loop_t loop;
    uv_timer_t turn;
    uv_signal_t ends[2];
    bool waits;       /* for the first who listens */
    dpl_ns begins_at; /* a little later: viewers say one by one what they want; 0: not yet */
    dpl_ns told;      /* the state, of the monotonic clock */
};

/* ---- what viewers get ---- */

static void give(void *user, const struct dpl_mcap_message *message)
{
    struct play *play = user;
    uint32_t number = play->topic_of[message->channel->id];
    struct dpl_sample sample = {.stamp = (dpl_ns)message->log_time,
                                .taken = (dpl_ns)message->log_time,
                                .sequence = message->sequence,
                                .data = message->data.data,
                                .n = message->data.n};
    if (number > 0) {
        play->gateway->message(play->server, &play->topics[number - 1], &sample);
    }
}

static struct player_sink sink_of(struct play *play)
{
    return (struct player_sink){give, play};
}

static void tell_state(struct play *play)
{
    const struct player *player = &play->player;
    struct dpl_bytes out = {0};
    dpl_ns now = player_position(player, dpl_monotonic_now());
    dpl_bytes_printf(&out,
                     "{\"state\":\"%s\",\"clock\":\"recording\",\"time_s\":%.6f,\"rate\":%.9g,"
                     "\"can_pause\":true,\"why_not\":\"\",\"controller\":\"\",\"hardware\":false,"
                     "\"allow_control\":true,\"real_time_factor\":%.9g,\"start_s\":%.6f,"
                     "\"end_s\":%.6f,\"loop\":%s}",
                     player_has_ended(player) ? "ended"
                     : player->paused         ? "paused"
                                              : "running",
                     dpl_ns_to_s(now), player->rate, player->paused ? 0.0 : player->rate,
                     dpl_ns_to_s(player->start), dpl_ns_to_s(player->end),
                     player->loops ? "true" : "false");
    struct dpl_sample sample = {.stamp = now, .taken = now, .data = out.data, .n = out.n};
    if (!out.failed) {
        play->gateway->message(play->server, &play->topics[play->n_topics - 1], &sample);
    }
    dpl_bytes_finish(&out);
    play->told = dpl_monotonic_now();
}

/* ---- what viewers ask ---- */

static int do_pause(struct play *play, const json_t *value)
{
    (void)value;
    play->waits = false;
    player_pause(&play->player, dpl_monotonic_now());
    return 0;
}

static int do_resume(struct play *play, const json_t *value)
{
    struct player_sink sink = sink_of(play);
    (void)value;
    play->waits = false;
    player_resume(&play->player, dpl_monotonic_now(), &sink);
    return 0;
}

static int do_rate(struct play *play, const json_t *value)
{
    double rate = json_number_value(value);
    if (!(rate >= 1e-3 && rate <= RATE_MAX)) {
        return -EINVAL;
    }
    player_set_rate(&play->player, rate, dpl_monotonic_now());
    return 0;
}

/* What had come to its end goes on. */
static int do_seek(struct play *play, const json_t *value)
{
    struct player_sink sink = sink_of(play);
    double seconds = json_number_value(value);
    bool had_ended = player_has_ended(&play->player);
    if (!json_is_number(value) || !(fabs(seconds) < 9e9)) {
        return -EINVAL;
    }
    player_seek(&play->player, dpl_ns_from_s(seconds), dpl_monotonic_now(), &sink);
    play->player.paused = play->player.paused && !had_ended;
    return 0;
}

static int do_loop(struct play *play, const json_t *value)
{
    if (!json_is_boolean(value)) {
        return -EINVAL;
    }
    play->player.loops = json_is_true(value);
    return 0;
}

#define MEMBER(name, type, what)                                                                   \
    "{\"type\":\"object\",\"properties\":{\"" name "\":{\"type\":\"" type                          \
    "\",\"description\":\"" what "\"}}}"

static const struct {
    const char *name, *member, *form; /* member: of the request; NULL: none */
    const char *schema;
    int (*run)(struct play *play, const json_t *value);
} services[] = {
    {"/run/pause", NULL, "the request is {}", OBJECT, do_pause},
    {"/run/resume", NULL, "the request is {}", OBJECT, do_resume},
    {"/run/rate", "rate", "the request is {\"rate\": from 0.001 to 1000}",
     MEMBER("rate", "number", "seconds of the recording in a second"), do_rate},
    {"/run/seek", "time_s", "the request is {\"time_s\": seconds}",
     MEMBER("time_s", "number", "[s] of the recording"), do_seek},
    {"/run/loop", "on", "the request is {\"on\": true or false}",
     MEMBER("on", "boolean", "it begins again at its end"), do_loop},
};

static void call(struct play *play, const struct dpl_asked *asked, struct dpl_answer *answer)
{
    size_t i = 0;
    while (i < DPL_COUNT(services) && strcmp(services[i].name, asked->name) != 0) {
        i++;
    }
    if (i == DPL_COUNT(services)) {
        *answer = (struct dpl_answer){asked->tag, -ENOENT, "there is no such service", NULL, 0};
        return;
    }
    json_t *request =
        asked->n_value > 0 ? json_loadb(asked->value, asked->n_value, 0, NULL) : json_object();
    const json_t *value = services[i].member ? json_object_get(request, services[i].member) : NULL;
    bool fits =
        json_is_object(request) && json_object_size(request) == (services[i].member ? 1 : 0);
    if (!fits || services[i].run(play, value) < 0) {
        answer->err = -EINVAL;
        answer->why = services[i].form;
    } else {
        answer->value = "{\"ok\":true}";
        answer->n_value = strlen(answer->value);
        tell_state(play);
    }
    json_decref(request);
}

static void ask(void *user, void *server, const struct dpl_asked *asked)
{
    struct play *play = user;
    struct dpl_answer answer = {.tag = asked->tag, .why = ""};
    const struct dpl_mcap_attachment *file =
        asked->what == DPL_ASK_ASSET ? bag_attachment(&play->player.bag, asked->name) : NULL;
    if (asked->what == DPL_ASK_CALL) {
        call(play, asked, &answer);
    } else if (asked->what == DPL_ASK_GET) {
        answer.value = "{}";
        answer.n_value = 2;
    } else if (file) {
        answer.value = file->data.data;
        answer.n_value = file->data.n;
    } else {
        answer.err = asked->what == DPL_ASK_ASSET ? -ENOENT : -EOPNOTSUPP;
        answer.why = asked->what == DPL_ASK_ASSET ? "the recording has no such file"
                                                  : "nothing in a recording can be changed";
    }
    play->gateway->answer(server, &answer);
}

static void on_turn(uv_timer_t *timer)
{
    struct play *play = timer->data;
    struct player_sink sink = sink_of(play);
    dpl_ns wall = dpl_monotonic_now();
    bool was_paused = play->player.paused;
    if (play->waits && play->begins_at > 0 && wall >= play->begins_at) {
        do_resume(play, NULL);
    }
    player_turn(&play->player, wall, &sink);
    if (play->player.err < 0) {
        fprintf(stderr, "doppel play: %s\n", strerror(-play->player.err));
        uv_stop(&play->loop);
    }
    if (play->player.paused != was_paused || wall - play->told >= DPL_S) {
        tell_state(play);
    }
}

/* Who looks at the state only does not begin it. */
static void on_listen(void *user, const struct dpl_topic *topic, int by)
{
    struct play *play = user;
    if (by > 0 && topic->id < play->n_topics && play->begins_at == 0) {
        play->begins_at = dpl_monotonic_now() + BEGIN_NS;
    }
}

static dpl_ns now(void *user)
{
    return player_position(&((const struct play *)user)->player, dpl_monotonic_now());
}

static void tell(void *user, enum dpl_log_level level, const char *text)
{
    (void)user;
    (void)level;
    fprintf(stderr, "doppel play: %s\n", cli_clean(text));
}

static const struct dpl_observer_ops ops = {on_listen, ask, now, tell};

/* ---- topics ---- */

static const char *copy(struct play *play, struct dpl_mcap_span span)
{
    char *text = calloc(1, span.n + 1);
    if (!text) {
        return "";
    }
    memcpy(text, span.n > 0 ? (const char *)span.data : "", span.n);
    return play->texts[play->n_texts++] = text;
}

static bool is_one(const struct dpl_topic *topic, const struct dpl_mcap_channel *channel)
{
    const char *schema = channel->schema ? topic->schema_name : "";
    return bag_span_is(channel->encoding, topic->encoding) &&
           (channel->schema ? bag_span_is(channel->schema->name, schema) : !*topic->schema_name);
}

/* A wire has one channel a topic: the first of its type, and those that are the same. */
static void add_topic(struct play *play, const struct dpl_mcap_channel *channel)
{
    static const struct dpl_mcap_schema none;
    const struct dpl_mcap_schema *schema = channel->schema ? channel->schema : &none;
    for (size_t i = 0; i < play->n_topics; i++) {
        if (bag_span_is(channel->topic, play->topics[i].name)) {
            bool is_same = is_one(&play->topics[i], channel);
            play->topic_of[channel->id] = is_same ? (uint32_t)i + 1 : 0;
            if (!is_same) {
                fprintf(stderr,
                        "doppel play: warning: %s has messages of several types; played are those "
                        "of %s\n",
                        cli_clean(play->topics[i].name), cli_clean(play->topics[i].schema_name));
            }
            return;
        }
    }
    struct dpl_topic *topic = &play->topics[play->n_topics++];
    *topic = (struct dpl_topic){
        .id = (uint32_t)play->n_topics,
        .name = copy(play, channel->topic),
        .encoding = copy(play, channel->encoding),
        .schema_name = copy(play, schema->name),
        .schema_encoding = copy(play, schema->encoding),
        .schema = schema->data.data,
        .n_schema = schema->data.n,
        .unit = "",
        .summary = "",
        .publisher = "",
        .latched = player_is_latched(channel),
        .source = bag_span_is(schema->name, "foxglove.Log") ? DPL_TOPIC_EVENTS : DPL_TOPIC_PORT};
    play->topic_of[channel->id] = topic->id;
}

static int make_topics(struct play *play, struct dpl_diag *reterr)
{
    const struct bag *bag = &play->player.bag;
    const struct dpl_mcap_info *info = bag->module->info(bag->reader);
    play->topics = calloc(info->n_channels + 1, sizeof *play->topics);
    play->texts = calloc(4 * info->n_channels + 1, sizeof *play->texts);
    if (!play->topics || !play->texts) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){.file = bag->file}, "no memory");
    }
    for (size_t i = 0; i < info->n_channels; i++) {
        if (!bag_span_is(info->channels[i]->topic, "/run/state")) { /* of `doppel record` */
            add_topic(play, info->channels[i]);
        }
    }
    struct dpl_topic *state = &play->topics[play->n_topics++];
    *state = (struct dpl_topic){.id = (uint32_t)play->n_topics,
                                .name = "/run/state",
                                .encoding = "json",
                                .schema_name = "/run/state",
                                .schema_encoding = "jsonschema",
                                .schema = OBJECT,
                                .n_schema = strlen(OBJECT),
                                .unit = "",
                                .summary = "how it is played",
                                .publisher = "",
                                .latched = true,
                                .source = DPL_TOPIC_PRESENT};
    return 0;
}

static void offer(struct play *play, struct dpl_service_desc *descs)
{
    for (size_t i = 0; i < DPL_COUNT(services); i++) {
        descs[i] = (struct dpl_service_desc){.id = (uint32_t)i + 1,
                                             .name = services[i].name,
                                             .type = services[i].name,
                                             .provider = "",
                                             .encoding = "json",
                                             .schema_encoding = "jsonschema",
                                             .request_schema_name = services[i].name,
                                             .response_schema_name = "done",
                                             .request_schema = services[i].schema,
                                             .response_schema = OBJECT,
                                             .n_request_schema = strlen(services[i].schema),
                                             .n_response_schema = strlen(OBJECT)};
        play->gateway->offer(play->server, &descs[i]);
    }
}

/* ---- the command ---- */

static void on_signal(uv_signal_t *handle, int number)
{
    (void)number;
    uv_stop(handle->loop);
}

static void close_handle(uv_handle_t *handle, void *user)
{
    (void)user;
    if (!uv_is_closing(handle)) {
        uv_close(handle, NULL);
    }
}

static void keep_files(struct play *play)
{
    const struct dpl_mcap_attachment *record = bag_attachment(&play->player.bag, "run.json");
    if (record) {
        play->gateway->keep(play->server,
                            &(struct dpl_kept_file){"run.json", "application/json",
                                                    record->data.data, record->data.n});
    }
}

static void run_loop(struct play *play, const char *name)
{
    static const int numbers[2] = {SIGINT, SIGTERM};
    struct dpl_service_desc descs[DPL_COUNT(services)];
    struct dpl_gateway_place place;
    for (size_t i = 0; i < play->n_topics; i++) {
        play->gateway->advertise(play->server, &play->topics[i]);
    }
    struct player_sink sink = sink_of(play);
    offer(play, descs);
    keep_files(play);
    player_seek(&play->player, play->player.position, dpl_monotonic_now(), &sink);
    tell_state(play);
    for (size_t i = 0; i < 2; i++) {
        uv_signal_init(&play->loop, &play->ends[i]);
        uv_signal_start(&play->ends[i], on_signal, numbers[i]);
    }
    uv_timer_init(&play->loop, &play->turn);
    play->turn.data = play;
    uv_timer_start(&play->turn, on_turn, TURN_MS, TURN_MS);
    play->gateway->where(play->server, &place);
    observe_announce(&play->wanted, play->observe, name, &place);
    fprintf(stderr, "%s: %.3f s to %.3f s, %zu topics; it begins when a viewer listens\n",
            cli_clean(play->player.bag.file), dpl_ns_to_s(play->player.start),
            dpl_ns_to_s(play->player.end), play->n_topics - 1);
    uv_run(&play->loop, UV_RUN_DEFAULT);
    play->gateway->close(play->server, NULL);
    uv_walk(&play->loop, close_handle, NULL);
    uv_run(&play->loop, UV_RUN_DEFAULT);
}

static int serve(struct play *play, const char *name, struct dpl_diag *reterr)
{
    struct dpl_runtime_options options = {.simulated = true}; /* its gateway is wanted */
    play->wanted =
        (struct observe_wanted){"play", {.view = play->values.port, .tell = stderr}, NULL};
    if (observe_open(&play->wanted, &options, &play->observe) < 0) {
        return -1;
    }
    if (uv_loop_init(&play->loop) < 0) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "no memory");
    }
    play->gateway = options.gateways[0].gateway;
    struct dpl_gateway_setup setup = {&ops, play, &play->loop, options.gateways[0].options, name};
    int r = play->gateway->open(&setup, &play->server, reterr);
    if (r == 0) {
        run_loop(play, name);
    }
    uv_loop_close(&play->loop);
    return r;
}

/* Where it begins. */
static int find_start(struct play *play, struct dpl_diag *reterr)
{
    struct player *player = &play->player;
    double start_s = play->values.start_s;
    if (isnan(start_s)) {
        return 0;
    }
    if (start_s > dpl_ns_to_s(player->end)) {
        return dpl_fail(reterr, -ERANGE, (struct dpl_place){.file = player->bag.file},
                        "--start %g: it is from %.3f s to %.3f s", start_s,
                        dpl_ns_to_s(player->start), dpl_ns_to_s(player->end));
    }
    player->position = dpl_ns_from_s(start_s);
    return 0;
}

static void tell_share(double share)
{
    status_row_show(share, "reading the recording");
}

static int play_file(struct play *play, const char *file, struct dpl_diag *reterr)
{
    const char *slash = strrchr(file, '/');
    status_row_begin();
    play->player.tell = tell_share;
    int r = player_open(&play->player, file, reterr);
    status_row_end();
    r = r < 0 ? r : find_start(play, reterr);
    r = r < 0 ? r : make_topics(play, reterr);
    if (r < 0) {
        return r;
    }
    const char *trouble = bag_trouble(&play->player.bag);
    if (*trouble) {
        fprintf(stderr, "doppel play: %s: warning: %s\n", cli_clean(file), trouble);
    }
    return serve(play, slash ? slash + 1 : file, reterr);
}

static void finish(struct play *play)
{
    dpl_observe_close(play->observe);
    player_close(&play->player);
    for (size_t i = 0; i < play->n_texts; i++) {
        free(play->texts[i]);
    }
    free(play->texts);
    free(play->topics);
    free(play);
}

static int run(int argc, char **argv)
{
    struct values values = {.rate = 1.0, .start_s = (double)NAN, .port = OPTION_ANY_PORT};
    struct dpl_diag why = {0};
    int n = options_parse(&command_play, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    struct play *play = calloc(1, sizeof *play);
    if (!play) {
        return DPL_EXIT_FAULT;
    }
    play->values = values;
    play->waits = true;
    play->player.rate = values.rate;
    play->player.loops = values.loops;
    play->player.paused = true;
    int r = play_file(play, argv[1], &why);
    if (r < 0 && why.text[0]) {
        char text[DPL_DIAG_TEXT_MAX + 4096];
        dpl_diag_format_cause(&why, text, sizeof text);
        fprintf(stderr, "doppel play: %s\n", text);
    }
    finish(play);
    return r < 0 ? DPL_EXIT_BAD_INPUT : DPL_EXIT_DONE;
}

#define V(member) offsetof(struct values, member)

static const struct option options[] = {
    {"rate", "R", OPTION_NUMBER, V(rate), 1e-3, RATE_MAX,
     "seconds of the recording in a second (default 1)", NULL},
    {"loop", NULL, OPTION_FLAG, V(loops), 0, 0, "begin again at its end", NULL},
    {"start", "S", OPTION_NUMBER, V(start_s), 0, 9e9, "begin at this time of the recording", NULL},
    {"view", "PORT", OPTION_PORT, V(port), 0, 65535,
     "TCP port on this machine (default 8765; 0: a free one)", NULL},
};

const struct command command_play = {
    .name = "play",
    .operands = "FILE.mcap",
    .summary = "shows a recording to viewers as if it ran now",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 1,
    .more =
        "Viewers pause and seek with the services /run/pause, resume, rate, seek and loop; SIGINT\n"
        "ends it. Exit codes: 0 done; 1 no recording, or the port is taken; 2 usage.\n",
    .run = run,
};
