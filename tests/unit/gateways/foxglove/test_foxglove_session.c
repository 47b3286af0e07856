/* SPDX-License-Identifier: Apache-2.0 */
/* A client without a socket: what it gets when it takes nothing, and what it may ask.
 * tests/clients/foxglove_client.mjs talks to the whole server. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "foxglove_session.h"

static int n_listeners, n_asked;
static struct dpl_asked asked;
static uint64_t tags[4]; /* of the first ones that were asked */

static void count(void *observer, const struct dpl_topic *topic, int by)
{
    (void)observer;
    (void)topic;
    n_listeners += by;
}

static void ask(void *observer, void *gateway, const struct dpl_asked *wanted)
{
    (void)observer;
    (void)gateway;
    if ((size_t)n_asked < DPL_COUNT(tags)) {
        tags[n_asked] = wanted->tag;
    }
    n_asked++;
    asked = *wanted;
}

static void wake(struct foxglove_session *session)
{
    (void)session;
}

static const struct dpl_observer_ops ops = {.listen = count, .ask = ask};
static const struct dpl_topic topics[] = {
    {.id = 1,
     .name = "/a",
     .encoding = "json",
     .schema_name = "a",
     .schema_encoding = "jsonschema",
     .schema = "{}",
     .n_schema = 2},
    {.id = 2,
     .name = "/log",
     .encoding = "json",
     .schema_name = "l",
     .schema_encoding = "jsonschema",
     .schema = "{}",
     .n_schema = 2,
     .source = DPL_TOPIC_EVENTS},
};
static struct foxglove_hub hub;
static struct foxglove_session *session;

static int command(const char *text)
{
    return foxglove_session_take(session, true, text, strlen(text));
}

static void setup(void)
{
    hub = (struct foxglove_hub){.setup = {.ops = &ops, .name = "test"}, .wants_to_send = wake};
    foxglove_hub_add_topic(&hub, &topics[0]);
    foxglove_hub_add_topic(&hub, &topics[1]);
    session = foxglove_session_create(&hub, "x", DPL_ROLE_LOOK, NULL);
    cr_assert_not_null(session);
    command("{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":7,\"channelId\":1},{\"id\":8,"
            "\"channelId\":2}]}");
    cr_assert_eq(n_listeners, 2);
}

static void teardown(void)
{
    foxglove_hub_finish(&hub);
    cr_assert_eq(n_listeners, 0);
}

TestSuite(foxglove_session, .init = setup, .fini = teardown);

static void send(int topic, dpl_ns stamp)
{
    static char data[1000];
    struct dpl_sample sample = {.stamp = stamp, .data = data, .n = sizeof data};
    foxglove_hub_message(&hub, &topics[topic], &sample);
}

/* Takes all frames; returns the number of messages of a subscription, and the stamp of the last. */
static int take_all(uint32_t subscription, dpl_ns *ret_last)
{
    int n = 0;
    struct foxglove_frame *frame;
    while ((frame = foxglove_session_next(session))) {
        if (frame->is_message && frame->subscription == subscription) {
            dpl_ns stamp = (dpl_ns)dpl_bytes_get(frame->data + 5, 8);
            cr_assert_gt(stamp, *ret_last, "time goes back");
            *ret_last = stamp;
            n++;
        }
        foxglove_frame_free(frame);
    }
    return n;
}

Test(foxglove_session, who_is_slow_gets_the_newest_of_a_state_in_bounded_memory)
{
    dpl_ns last = -1;
    for (int i = 0; i < 5000; i++) {
        send(0, i);
    }
    cr_assert_lt(session->backlog, FOXGLOVE_BACKLOG + 4096);
    cr_assert_gt(session->n_skipped, 4000);
    cr_assert_eq(take_all(7, &last), 5000 - (int)session->n_skipped);
    cr_assert_eq(last, 4999);
    cr_assert_eq(session->backlog, 0);
}

Test(foxglove_session, who_wants_fewer_messages_of_a_topic_says_its_period)
{
    dpl_ns last = -1;
    command("{\"op\":\"unsubscribe\",\"subscriptionIds\":[7]}");
    command(
        "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":9,\"channelId\":1,\"period\":0.01}]}");
    for (int i = 0; i < 100; i++) {
        send(0, i * DPL_MS);
    }
    cr_assert_eq(take_all(9, &last), 10);
    cr_assert_eq(last, 90 * DPL_MS);
    cr_assert_eq(session->n_skipped, 0);
}

Test(foxglove_session, events_that_are_too_many_are_counted_and_the_first_ones_stay)
{
    dpl_ns last = -1;
    for (int i = 0; i < 1000; i++) {
        send(1, i);
    }
    int n = (int)(1000 - session->n_skipped);
    cr_assert_lt(n, 300);
    cr_assert_eq(take_all(8, &last), n);
    cr_assert_eq(last, n - 1);
}

Test(foxglove_session, asks_in_its_role_and_gets_the_answer)
{
    cr_assert_eq(
        command("{\"op\":\"setParameters\",\"parameters\":[{\"name\":\"p\",\"value\":0.1}]}"), 0);
    cr_assert_eq(n_asked, 1);
    cr_assert_eq(asked.role, DPL_ROLE_LOOK);
    cr_assert_eq(asked.what, DPL_ASK_SET);
    struct dpl_answer answer = {.tag = asked.tag, .err = -EACCES, .why = "no"};
    foxglove_hub_answer(&hub, &answer);
    foxglove_hub_answer(&hub, &answer);
    size_t n = 0;
    struct foxglove_frame *frame;
    while ((frame = foxglove_session_next(session))) {
        frame->data[frame->n] = '\0';
        n += strstr((char *)frame->data, "\"message\":\"no\"") != NULL;
        foxglove_frame_free(frame);
    }
    cr_assert_eq(n, 1);
}

/* Takes all frames; returns how many have a text, and the last of them. */
static int take_texts(const char *text, char ret_last[512])
{
    int n = 0;
    struct foxglove_frame *frame;
    while ((frame = foxglove_session_next(session))) {
        frame->data[frame->n] = '\0';
        if (strstr((char *)frame->data, text)) {
            snprintf(ret_last, 512, "%s", (char *)frame->data);
            n++;
        }
        foxglove_frame_free(frame);
    }
    return n;
}

static void answer(uint64_t tag, int err, const char *value)
{
    struct dpl_answer answered = {.tag = tag,
                                  .err = err,
                                  .why = err < 0 ? "no" : "",
                                  .value = value,
                                  .n_value = strlen(value)};
    foxglove_hub_answer(&hub, &answered);
}

Test(foxglove_session, who_could_control_is_told_of_when_he_goes)
{
    foxglove_session_destroy(foxglove_session_create(&hub, "y", DPL_ROLE_CONTROL, NULL));
    cr_assert_eq(n_asked, 1);
    cr_assert_eq(asked.what, DPL_ASK_LEAVE);
}

Test(foxglove_session, answers_a_command_with_several_names_once)
{
    char last[512] = "";
    cr_assert_eq(
        command("{\"op\":\"getParameters\",\"parameterNames\":[\"p\",\"q\"],\"id\":\"g\"}"), 0);
    cr_assert_eq(n_asked, 2);
    answer(tags[1], 0, "{\"q\":2}");
    cr_assert_eq(take_texts("parameterValues", last), 0);
    answer(tags[0], 0, "{\"p\":1}");
    cr_assert_eq(take_texts("parameterValues", last), 1);
    cr_assert_str_eq(last,
                     "{\"op\":\"parameterValues\",\"parameters\":[{\"name\":\"q\",\"value\":2},"
                     "{\"name\":\"p\",\"value\":1}],\"id\":\"g\"}");
}

Test(foxglove_session, who_is_refused_gets_the_value_that_holds)
{
    char last[512] = "";
    cr_assert_eq(command("{\"op\":\"setParameters\",\"parameters\":[{\"name\":\"p\",\"value\":3},"
                         "{\"name\":\"q\",\"value\":4}]}"),
                 0);
    answer(tags[0], -EINVAL, "{\"p\":1}");
    answer(tags[1], 0, "{\"q\":4}");
    cr_assert_eq(take_texts("parameterValues", last), 1);
    cr_assert_not_null(strstr(last, "{\"name\":\"p\",\"value\":1}"));
}

Test(foxglove_session, what_is_not_answered_is_freed_with_the_hub)
{
    cr_assert_eq(command("{\"op\":\"getParameters\",\"parameterNames\":[\"p\",\"q\"]}"), 0);
    answer(tags[0], 0, "{\"p\":1}");
}

Test(foxglove_session, refuses_what_makes_no_sense_and_goes_on)
{
    static const char *const wrong[] = {
        "",
        "{",
        "[]",
        "{\"op\":\"nonsense\"}",
        "{\"op\":7}",
        "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":7,\"channelId\":1}]}",
        "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":9,\"channelId\":3}]}",
        "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":-1,\"channelId\":1}]}",
        "{\"op\":\"setParameters\",\"parameters\":[{\"name\":\"p\",\"value\":[1]}]}",
        "{\"op\":\"setParameters\",\"parameters\":[]}",
        "{\"op\":\"getParameters\",\"parameterNames\":[\"p\",7]}",
        "{\"op\":\"getParameters\",\"parameterNames\":\"p\"}",
    };
    for (size_t i = 0; i < DPL_COUNT(wrong); i++) {
        cr_assert_eq(command(wrong[i]), -EPROTO, "%s", wrong[i]);
    }
    cr_assert_eq(foxglove_session_take(session, false, "\x01\x01\x00\x00\x00", 5), -EPROTO);
    for (size_t n = 1; n <= 13; n++) { /* of a call, ever more; its encoding is too long */
        cr_assert_eq(
            foxglove_session_take(session, false, "\x02\0\0\0\0\0\0\0\0\xff\xff\xff\xff", n),
            -EPROTO);
    }
    cr_assert_eq(n_asked, 0);
    cr_assert_eq(command("{\"op\":\"unsubscribe\",\"subscriptionIds\":[7,7,99]}"), 0);
    cr_assert_eq(n_listeners, 1);
}

Test(foxglove_session, who_joins_late_gets_what_is_latched)
{
    static const struct dpl_topic latched = {.id = 3,
                                             .name = "/run/state",
                                             .encoding = "json",
                                             .schema_name = "s",
                                             .schema_encoding = "jsonschema",
                                             .schema = "{}",
                                             .n_schema = 2,
                                             .latched = true};
    foxglove_hub_add_topic(&hub, &latched);
    for (dpl_ns stamp = 5; stamp < 7; stamp++) {
        struct dpl_sample sample = {.stamp = stamp, .data = "{}", .n = 2};
        foxglove_hub_message(&hub, &latched, &sample);
    }
    dpl_ns last = -1;
    cr_assert_eq(take_all(9, &last), 0);
    command("{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":9,\"channelId\":3}]}");
    cr_assert_eq(take_all(9, &last), 1);
    cr_assert_eq(last, 6);
}

Test(foxglove_session, who_joins_late_gets_the_newest_of_latched_events)
{
    struct dpl_topic verdicts = topics[1];
    verdicts.id = 3;
    verdicts.latched = true;
    foxglove_hub_add_topic(&hub, &verdicts);
    for (dpl_ns stamp = 0; stamp < FOXGLOVE_EVENTS_MAX + 4; stamp++) {
        struct dpl_sample sample = {.stamp = stamp, .data = "{}", .n = 2};
        foxglove_hub_message(&hub, &verdicts, &sample);
    }
    dpl_ns last = 3;
    command("{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":9,\"channelId\":3}]}");
    cr_assert_eq(take_all(9, &last), FOXGLOVE_EVENTS_MAX);
    cr_assert_eq(last, FOXGLOVE_EVENTS_MAX + 3);
}

static const struct dpl_service_desc service = {.id = 4,
                                                .name = "/run/pause",
                                                .type = "t",
                                                .provider = "",
                                                .encoding = "json",
                                                .schema_encoding = "jsonschema",
                                                .request_schema_name = "r",
                                                .request_schema = "{}",
                                                .n_request_schema = 2,
                                                .response_schema_name = "a",
                                                .response_schema = "{}",
                                                .n_response_schema = 2};

Test(foxglove_session, calls_a_service_in_its_encoding_and_is_refused_in_another)
{
    char last[512] = "";
    foxglove_hub_add_service(&hub, &service);
    cr_assert_eq(take_texts("\"request\":{\"encoding\":\"json\",\"schemaName\":\"r\","
                            "\"schemaEncoding\":\"jsonschema\",\"schema\":\"{}\"}",
                            last),
                 1, "%s", last);
    cr_assert_eq(foxglove_session_take(session, false, "\x02\4\0\0\0\7\0\0\0\4\0\0\0json{}", 19),
                 0);
    cr_assert_eq(n_asked, 1);
    cr_assert_eq(asked.n_value, 2);
    answer(tags[0], 0, "{\"ok\":true}");
    struct foxglove_frame *frame = foxglove_session_next(session);
    cr_assert_eq(frame->n, 1 + 4 + 4 + 4 + 4 + strlen("{\"ok\":true}"));
    cr_assert_eq(memcmp(frame->data, "\x03\4\0\0\0\7\0\0\0\4\0\0\0json", 17), 0);
    foxglove_frame_free(frame);
    foxglove_session_take(session, false, "\x02\4\0\0\0\7\0\0\0\3\0\0\0xml<>", 18);
    cr_assert_eq(take_texts("serviceCallFailure", last), 1);
    cr_assert_not_null(strstr(last, "this service takes requests as json"));
    foxglove_session_take(session, false, "\x02\5\0\0\0\7\0\0\0\0\0\0\0", 13);
    cr_assert_eq(take_texts("there is no such service", last), 1);
    cr_assert_eq(n_asked, 1);
}

Test(foxglove_session, who_does_not_read_gets_the_graph_once_and_a_topic_once)
{
    command("{\"op\":\"subscribeConnectionGraph\"}");
    size_t begun = session->backlog;
    for (int i = 0; i < 20000; i++) {
        foxglove_hub_graph_changed(session->hub);
    }
    cr_assert_lt(session->backlog, begun + FOXGLOVE_BACKLOG + 4096);
    cr_assert(session->graph_waits);
    while (session->first) {
        foxglove_frame_free(foxglove_session_next(session));
    }
    cr_assert(!session->graph_waits, "the newest one came last");
    cr_assert_eq(command("{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":70,\"channelId\":1}]}"),
                 -EPROTO, "it has subscribed to it already");
}

Test(foxglove_session, the_graph_names_components_and_viewers)
{
    static const char *const subscribers[] = {"Localizer"};
    static const struct dpl_topic port = {.id = 3,
                                          .name = "/Base/odometry",
                                          .encoding = "json",
                                          .schema_name = "s",
                                          .schema_encoding = "jsonschema",
                                          .schema = "{}",
                                          .n_schema = 2,
                                          .publisher = "Base",
                                          .subscribers = subscribers,
                                          .n_subscribers = 1};
    char last[512] = "";
    foxglove_hub_add_topic(&hub, &port);
    command("{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":9,\"channelId\":3}]}");
    command("{\"op\":\"subscribeConnectionGraph\"}");
    cr_assert_eq(take_texts("connectionGraphUpdate", last), 1);
    cr_assert_not_null(strstr(last, "{\"name\":\"/Base/odometry\",\"publisherIds\":[\"Base\"]}"),
                       "%s", last);
    cr_assert_not_null(
        strstr(last, "{\"name\":\"/Base/odometry\",\"subscriberIds\":[\"Localizer\",\"x\"]}"), "%s",
        last);
}
