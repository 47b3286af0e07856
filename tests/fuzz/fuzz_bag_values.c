/* SPDX-License-Identifier: Apache-2.0 */
/* A message of a topic with values: its members lie in it, one behind the other. */
#include "bag_values.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct bag_values values = {.at = text, .end = text + size};
    struct bag_value value;
    const char *last = text;
    while (bag_values_next(&values, &value)) {
        char room[64];
        require(value.name >= last && value.name + value.n_name <= values.at);
        require(value.text >= value.name && value.text + value.n_text <= values.at);
        require(bag_value_unescape(&value, room, sizeof room) < sizeof room);
        last = values.at;
    }
    require(!bag_values_next(&values, &value));
    free(text);
    return 0;
}
