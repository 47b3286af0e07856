/* SPDX-License-Identifier: Apache-2.0 */
/* A client without a socket: what a server tells, and what it gets. */
#include <criterion/criterion.h>
#include <string.h>

#include <doppel/field.h>

#include "wire_client.h"

static struct wire_client client;
static char sent[1024], got[1024];

static void keep_sent(void *user, bool is_text, const void *data, size_t n)
{
    (void)user;
    (void)is_text;
    memcpy(sent, data, n);
    sent[n] = '\0';
}

static void keep_message(void *user, struct wire_topic *topic, dpl_ns stamp, const uint8_t *data,
                         size_t n)
{
    (void)user;
    snprintf(got, sizeof got, "%s %lld %.*s", topic->name, (long long)stamp, (int)n,
             (const char *)data);
}

static void keep_answer(void *user, uint32_t call, const uint8_t *data, size_t n, const char *why)
{
    (void)user;
    snprintf(got, sizeof got, "%u %.*s%s", (unsigned)call, (int)n, data ? (const char *)data : "",
             why ? why : "");
}

static int take(const char *text)
{
    struct dpl_diag why = {0};
    return wire_client_take(&client, true, text, strlen(text), &why);
}

static void setup(void)
{
    client = (struct wire_client){.send = keep_sent,
                                  .events = {.message = keep_message, .answer = keep_answer}};
    cr_assert_eq(take("{\"op\":\"serverInfo\",\"name\":\"Run\",\"metadata\":{\"role\":\"look\"}}"),
                 0);
    cr_assert_eq(take("{\"op\":\"advertise\",\"channels\":[{\"id\":4,\"topic\":\"/a\",\"encoding\":"
                      "\"json\",\"schemaName\":\"a\",\"schemaEncoding\":\"jsonschema\",\"schema\":"
                      "\"{}\"}]}"),
                 0);
    cr_assert_eq(
        take("{\"op\":\"advertiseServices\",\"services\":[{\"id\":9,\"name\":\"/s\",\"type\":"
             "\"s\",\"request\":{\"encoding\":\"json\",\"schemaName\":\"r\"},\"response\":{"
             "\"encoding\":\"json\",\"schemaName\":\"q\"}}]}"),
        0);
    cr_assert_not(client.is_greeted);
    cr_assert_eq(take("{\"op\":\"connectionGraphUpdate\"}"), 0);
    cr_assert(client.is_greeted);
}

static void teardown(void)
{
    wire_client_finish(&client);
}

TestSuite(wire_client, .init = setup, .fini = teardown);

Test(wire_client, gets_messages_of_topics_that_it_subscribes_to)
{
    struct wire_topic *topic = wire_client_topic(&client, "/a");
    struct dpl_diag why = {0};
    cr_assert_str_eq(client.role, "look");
    wire_client_subscribe(&client, topic);
    cr_assert_str_eq(sent, "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":1,\"channelId\":4}]}");
    wire_client_take(&client, false, "\1\1\0\0\0\5\0\0\0\0\0\0\0{\"x\":1}", 20, &why);
    cr_assert_str_eq(got, "/a 5 {\"x\":1}");
    wire_client_unsubscribe(&client, topic);
    got[0] = '\0';
    wire_client_take(&client, false, "\1\1\0\0\0\5\0\0\0\0\0\0\0{\"x\":1}", 20, &why);
    cr_assert_str_eq(got, "", "after the end of the subscription");
    cr_assert_lt(wire_client_take(&client, false, "\1\1", 2, &why), 0);
    wire_client_take(&client, false, "\2\7\0\0\0\0\0\0\0", 9, &why);
    cr_assert_eq(client.now, 7);
}

Test(wire_client, calls_services_and_tells_answers_and_failures)
{
    struct wire_service *service = wire_client_service(&client, "/s");
    struct dpl_bytes request = {0};
    struct dpl_diag why = {0};
    dpl_bytes_text(&request, "{}");
    cr_assert_eq(wire_client_call(&client, service, &request), 1);
    cr_assert_eq(memcmp(sent, "\2\x09\0\0\0\1\0\0\0\4\0\0\0json{}", 19), 0);
    wire_client_take(&client, false, "\3\x09\0\0\0\1\0\0\0\4\0\0\0json{\"k\":2}", 24, &why);
    cr_assert_str_eq(got, "1 {\"k\":2}");
    take("{\"op\":\"serviceCallFailure\",\"serviceId\":9,\"callId\":1,\"message\":\"not now\"}");
    cr_assert_str_eq(got, "1 not now");
    cr_assert_lt(wire_client_take(&client, false, "\3\x09\0\0\0\1\0\0\0\x40\0\0\0json", 17, &why),
                 0);
    dpl_bytes_finish(&request);
}

Test(wire_client, refuses_what_makes_no_sense)
{
    static const char bad_schema[] =
        "{\"op\":\"advertise\",\"channels\":[{\"id\":5,\"topic\":\"/b\","
        "\"schemaEncoding\":\"protobuf\",\"schema\":\"*\"}]}";
    static const char *const rows[] = {
        "no JSON",
        "[]",
        "{\"op\":7}",
        "{\"op\":\"serverInfo\",\"name\":\"twice\"}",
        "{\"op\":\"advertise\",\"channels\":[{\"topic\":\"/b\"}]}",
        "{\"op\":\"advertise\",\"channels\":[{\"id\":-1,\"topic\":\"/b\"}]}",
        "{\"op\":\"advertise\",\"channels\":[{\"id\":5}]}",
        bad_schema,
        "{\"op\":\"advertiseServices\",\"services\":[{\"id\":1}]}",
        "{\"op\":\"parameterValues\",\"parameters\":[{\"value\":1}]}",
        "{\"op\":\"serviceCallFailure\"}",
    };
    for (size_t i = 0; i < DPL_COUNT(rows); i++) {
        cr_assert_lt(take(rows[i]), 0, "%s", rows[i]);
    }
    cr_assert_eq(client.n_topics, 1);
    cr_assert_eq(take("{\"op\":\"later\"}"), 0, "what is not known is passed over");
}
