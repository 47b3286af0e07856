/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of a client of the Foxglove gateway: each line of the input is a command, and one that
 * begins with a byte below a blank a binary frame (TAB for 1, 0x0b for 2). Whatever comes, what
 * waits stays bounded, and who listens is counted right. */
#include "foxglove_session.h"
#include "fuzz.h"

static int listeners[3];
static struct dpl_answer answers[FOXGLOVE_REQUESTS_MAX];
static size_t n_answers;

static void count(void *observer, const struct dpl_topic *topic, int by)
{
    (void)observer;
    listeners[topic->id] += by;
    require(listeners[topic->id] >= 0);
}

static void ask(void *observer, void *gateway, const struct dpl_asked *asked)
{
    (void)observer;
    (void)gateway;
    require(n_answers < FOXGLOVE_REQUESTS_MAX);
    answers[n_answers++] = (struct dpl_answer){.tag = asked->tag,
                                               .err = asked->n_value % 3 ? -1 : 0,
                                               .why = "no",
                                               .value = "{}",
                                               .n_value = 2};
}

static dpl_ns now(void *observer)
{
    (void)observer;
    return 0;
}

static void wants_to_send(struct foxglove_session *session)
{
    require(session->backlog < 1u << 28);
}

static const struct dpl_observer_ops ops = {count, ask, now};
static const struct dpl_topic topics[] = {
    {.id = 1,
     .name = "/a",
     .encoding = "json",
     .schema_name = "a",
     .schema_encoding = "jsonschema",
     .schema = "{}",
     .n_schema = 2},
    {.id = 2,
     .name = "/b",
     .encoding = "protobuf",
     .schema_name = "b",
     .schema_encoding = "protobuf",
     .schema = "\x01",
     .n_schema = 1,
     .source = DPL_TOPIC_EVENTS},
};
static const struct dpl_service_desc service = {.id = 1,
                                                .name = "/s",
                                                .type = "s",
                                                .provider = "",
                                                .encoding = "protobuf",
                                                .schema_encoding = "protobuf",
                                                .request_schema_name = "r",
                                                .response_schema_name = "r",
                                                .request_schema = "",
                                                .response_schema = ""};

static void take_line(struct foxglove_session *session, uint8_t *line, size_t n)
{
    if (n > 0 && line[0] < ' ') {
        line[0] = line[0] == '\t' ? 1 : line[0] == 0x0b ? 2 : line[0];
        foxglove_session_take(session, false, line, n);
    } else {
        foxglove_session_take(session, true, line, n);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct foxglove_hub hub = {.setup = {.ops = &ops, .name = "fuzz"},
                               .wants_to_send = wants_to_send};
    char *text = fuzz_text(data, size);
    foxglove_hub_add_topic(&hub, &topics[0]);
    foxglove_hub_add_topic(&hub, &topics[1]);
    foxglove_hub_add_service(&hub, &service);
    struct foxglove_session *session =
        foxglove_session_create(&hub, "x", size % 2 ? DPL_ROLE_CONTROL : DPL_ROLE_LOOK, NULL);
    for (size_t at = 0; text && session && at < size;) {
        char *end = memchr(text + at, '\n', size - at);
        size_t n = end ? (size_t)(end - text) - at : size - at;
        take_line(session, (uint8_t *)text + at, n);
        at += n + 1;
        struct dpl_sample sample = {.data = text, .n = size};
        foxglove_hub_message(&hub, &topics[at % 2], &sample);
        while (n_answers > 0) {
            foxglove_hub_answer(&hub, &answers[--n_answers]);
        }
        foxglove_frame_free(at % 3 ? foxglove_session_next(session) : NULL);
    }
    foxglove_hub_finish(&hub);
    require(listeners[1] == 0 && listeners[2] == 0);
    free(text);
    return 0;
}
