/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of a stream from a text, and a stream that passes through them: numbers of messages add
 * up, and where nothing is in force a message stays as it is. The corpus is written by hand. */
#include "faults.h"
#include "fuzz.h"

static void run(const struct fault_list *list)
{
    struct fault_channel channel = {.n_active = 0};
    int64_t n_sent = 0;
    for (int i = 0; i < 600; i++) {
        struct fault_message before = {.sequence = (uint64_t)i, .values = {i, 1, 2, 3, 4, -0.0}};
        struct fault_message message = before;
        bool sent = faults_apply(list, &channel, (int64_t)i * 5000000, &message);
        n_sent += sent;
        if (channel.n_active == 0) {
            require(sent && message.sequence == before.sequence &&
                    memcmp(message.values, before.values, sizeof before.values) == 0);
        }
    }
    require(n_sent + channel.n_dropped + (int64_t)channel.n_late == 600);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fault_list list = {.n = 0};
    struct fault_error bad = {0};
    char *text = fuzz_text(data, size);
    if (!text) {
        return 0;
    }
    if (faults_parse(text, &list, &bad) < 0) {
        require(bad.what && bad.offset <= strlen(text));
    } else {
        require(list.n <= FAULTS_MAX);
        run(&list);
    }
    free(text);
    return 0;
}
