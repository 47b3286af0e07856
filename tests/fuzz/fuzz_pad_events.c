/* SPDX-License-Identifier: Apache-2.0 */
/* A gamepad's bytes, cut where the first byte says, and what they say of switch and axes. The
 * corpus is written by hand for machines whose struct input_event has 24 bytes: presses, dropped
 * events, values beyond the range, records cut short, types without a meaning here. */
#include <math.h>

#include "fuzz.h"
#include "pad_events.h"

static struct pad make(void)
{
    struct pad pad = {
        .forward = {.code = ABS_Y, .inverted = true, .low = INT32_MIN, .high = INT32_MAX},
        .turn = {.code = ABS_X, .low = -32768, .high = 32767},
        .button = BTN_TL,
    };
    pad_rest(&pad);
    return pad;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pad cut = make(), whole = make();
    if (size == 0) {
        return 0;
    }
    size_t at = data[0] % size;
    size_t n = pad_feed(&cut, data + 1, at);
    n += pad_feed(&cut, data + 1 + at, size - 1 - at);
    require(n == (size - 1) / PAD_EVENT_BYTES && cut.n == (size - 1) % PAD_EVENT_BYTES);
    require(pad_feed(&whole, data + 1, size - 1) == n && cut.n_events == n);
    require(pad_is_held(&cut) == pad_is_held(&whole) && cut.turn.value == whole.turn.value);
    require(fabs(pad_deflection(&cut.forward, 0.1)) <= 1.0);
    require(fabs(pad_deflection(&cut.turn, 0.9)) <= 1.0);
    pad_rest(&cut);
    require(!pad_is_held(&cut) && pad_deflection(&cut.turn, 0.1) == 0.0);
    return 0;
}
