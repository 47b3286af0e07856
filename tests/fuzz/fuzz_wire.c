/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of a server: each line of the input is a command, and one that begins with '!' a message
 * of the first topic, whose bytes are the rest of it. Each message is decoded by the type that the
 * server names, and what was decoded is encoded again. */
#include "field_path.h"
#include "fuzz.h"
#include "wire_client.h"

static void drop(void *user, bool is_text, const void *data, size_t n)
{
    (void)user;
    (void)is_text;
    (void)data;
    (void)n;
}

static void decode(void *user, struct wire_topic *topic, dpl_ns stamp, const uint8_t *data,
                   size_t n)
{
    struct dpl_diag why = {0};
    struct dpl_bytes out = {0};
    (void)user;
    (void)stamp;
    json_t *value = wire_decode(&topic->schema, data, n, &why);
    require(value || why.text[0]);
    if (value) {
        field_yaml(value, 8, &out);
        out.n = 0;
        field_json(value, &out);
        out.n = 0;
        wire_encode(&topic->schema, value, &out, &why);
        field_path_find(value, topic->name, &why);
    }
    dpl_bytes_finish(&out);
    json_decref(value);
}

static void take_line(struct wire_client *client, uint8_t *line, size_t n)
{
    struct dpl_diag why = {0};
    if (n == 0 || line[0] != '!') {
        wire_client_take(client, true, line, n, &why);
        return;
    }
    struct dpl_bytes frame = {0};
    dpl_bytes_number(&frame, 1, 1);
    dpl_bytes_number(&frame, 1, 4);
    dpl_bytes_number(&frame, 0, 8);
    dpl_bytes_add(&frame, line + 1, n - 1);
    wire_client_take(client, false, frame.data, frame.n, &why);
    wire_client_take(client, false, line + 1, n - 1, &why);
    dpl_bytes_finish(&frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wire_client client = {.send = drop, .events = {.message = decode}};
    char *text = fuzz_text(data, size);
    for (size_t at = 0; text && at < size;) {
        char *end = memchr(text + at, '\n', size - at);
        bool is_rest = text[at] == '!';
        size_t n = end && !is_rest ? (size_t)(end - text) - at : size - at;
        take_line(&client, (uint8_t *)text + at, n);
        at += n + 1;
        if (client.n_topics > 0 && client.topics[0]->subscription == 0) {
            wire_client_subscribe(&client, client.topics[0]);
        }
    }
    wire_client_finish(&client);
    free(text);
    return 0;
}
