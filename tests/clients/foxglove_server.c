/* SPDX-License-Identifier: Apache-2.0 */
/* The Foxglove gateway alone, for clients that are not ours: an observer with topics of its own, a
 * parameter and a service. Prints the port and both tokens; ends when standard input ends. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <uv.h>

#include "foxglove_gateway.h"

/* FileDescriptorSet of: package t; message P { double x = 1; } */
static const char set[] = "\x0a\x20\x0a\x07t.proto\x12\x01t\"\x0a\x0a\x01P\x12\x0b\x0a\x01x\x18\x01"
                          " \x01(\x01";

static struct dpl_topic topics[] = {
    {.id = 1,
     .name = "/A/values",
     .encoding = "json",
     .schema_name = "/A/values",
     .schema_encoding = "jsonschema",
     .schema = "{\"type\":\"object\"}",
     .n_schema = 17,
     .unit = "",
     .summary = "",
     .source = DPL_TOPIC_VALUES},
    {.id = 2,
     .name = "/A/big",
     .encoding = "json",
     .schema_name = "/A/big",
     .schema_encoding = "jsonschema",
     .schema = "{\"type\":\"object\"}",
     .n_schema = 17,
     .unit = "",
     .summary = "",
     .source = DPL_TOPIC_PORT},
};
static const struct dpl_service_desc service = {.id = 1,
                                                .name = "/A/echo",
                                                .type = "t.Echo",
                                                .provider = "",
                                                .encoding = "protobuf",
                                                .schema_encoding = "protobuf",
                                                .request_schema_name = "t.P",
                                                .response_schema_name = "t.P",
                                                .request_schema = set,
                                                .n_request_schema = sizeof set - 1,
                                                .response_schema = set,
                                                .n_response_schema = sizeof set - 1};

static void *gateway;
static int listeners[3];
static double gain = 2.0;
static uint64_t n_sent, n_published;
static char big[100000];
static bool ended;

static void count_listeners(void *observer, const struct dpl_topic *topic, int by)
{
    (void)observer;
    listeners[topic->id] += by;
}

static dpl_ns now(void *observer)
{
    (void)observer;
    return (dpl_ns)n_sent * 10 * DPL_MS;
}

static int set_gain(const struct dpl_asked *asked, struct dpl_answer *answer)
{
    double wanted = atof(asked->value);
    if (asked->role != DPL_ROLE_CONTROL) {
        answer->why = "that needs the role control";
        return -EACCES;
    }
    if (wanted > 10.0) {
        answer->why = "/A/gain: 11 is out of range: 0 to 10";
        return -ERANGE;
    }
    gain = wanted;
    return 0;
}

static void ask(void *observer, void *self, const struct dpl_asked *asked)
{
    static char value[64];
    struct dpl_answer answer = {.tag = asked->tag, .why = ""};
    (void)observer;
    if (asked->what == DPL_ASK_SET) {
        answer.err = set_gain(asked, &answer);
    } else if (asked->what == DPL_ASK_CALL) {
        answer.value = asked->value;
        answer.n_value = asked->n_value;
    } else if (asked->what == DPL_ASK_PUBLISH) {
        n_published++;
    } else if (asked->what == DPL_ASK_ASSET) {
        answer.err = -ENOENT;
        answer.why = "there is no such file";
    }
    if (asked->what == DPL_ASK_GET || asked->what == DPL_ASK_SET) {
        snprintf(value, sizeof value, "{\"/A/gain\":%.17g}", gain);
        answer.value = value;
        answer.n_value = strlen(value);
    }
    dpl_foxglove_gateway.answer(self, &answer);
}

static void send_one(const struct dpl_topic *topic, const char *text)
{
    if (listeners[topic->id] > 0) {
        struct dpl_sample sample = {
            .stamp = now(NULL), .sequence = n_sent, .data = text, .n = strlen(text)};
        dpl_foxglove_gateway.message(gateway, topic, &sample);
    }
}

static void on_timer(uv_timer_t *timer)
{
    char text[128];
    (void)timer;
    n_sent++;
    snprintf(text, sizeof text, "{\"n\":%llu,\"published\":%llu}", (unsigned long long)n_sent,
             (unsigned long long)n_published);
    send_one(&topics[0], text);
    send_one(&topics[1], big);
}

static void on_input(uv_poll_t *input, int status, int events)
{
    char bytes[64];
    (void)events;
    if (status < 0 || fread(bytes, 1, 1, stdin) == 0) {
        ended = true;
        uv_stop(input->loop);
    }
}

int main(void)
{
    static const struct dpl_observer_ops ops = {count_listeners, ask, now};
    struct dpl_foxglove_options options = {.port = 0};
    struct dpl_diag why = {0};
    uv_loop_t loop;
    uv_timer_t timer;
    uv_poll_t input;
    uv_loop_init(&loop);
    struct dpl_gateway_setup setup = {&ops, NULL, &loop, &options, "test"};
    if (dpl_foxglove_gateway.open(&setup, &gateway, &why) < 0) {
        fprintf(stderr, "%s\n", why.text);
        return 1;
    }
    snprintf(big, sizeof big, "{\"big\":\"%0*d\"}", (int)sizeof big - 20, 0);
    dpl_foxglove_gateway.advertise(gateway, &topics[0]);
    dpl_foxglove_gateway.advertise(gateway, &topics[1]);
    dpl_foxglove_gateway.offer(gateway, &service);
    struct dpl_gateway_place place;
    dpl_foxglove_gateway.where(gateway, &place);
    printf("%d %s %s\n", place.port, place.look, place.control);
    fflush(stdout);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 10, 10);
    uv_poll_init(&loop, &input, 0);
    uv_poll_start(&input, UV_READABLE, on_input);
    while (!ended) {
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    dpl_foxglove_gateway.close(gateway, NULL);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_close((uv_handle_t *)&input, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    int open = uv_loop_close(&loop);
    printf("listeners %d %d, loop %s\n", listeners[1], listeners[2], open == 0 ? "closed" : "busy");
    return open != 0;
}
