/* SPDX-License-Identifier: Apache-2.0 */
/* A joystick's bytes, cut where the first byte says, and the forces of what they say. The corpus is
 * written by hand: axes, buttons, the states at opening, records cut short, unknown types. */
#include <math.h>

#include "fuzz.h"
#include "js_events.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct js_map map;
    struct force_error bad;
    struct js_parser parser = {.n = 0}, whole = {.n = 0};
    double wrench[DPL_SIX];
    if (size == 0) {
        return 0;
    }
    size_t cut = data[0] % size;
    require(js_map_parse("0 x 10; 1 y -10; 2 z 1; 31 yaw 2; 0 roll 1", &map, &bad) == 0);
    map.dead_zone = 0.1;
    size_t n = js_parser_feed(&parser, data, cut);
    n += js_parser_feed(&parser, data + cut, size - cut);
    require(n == size / JS_EVENT_BYTES && parser.n == size % JS_EVENT_BYTES);
    require(js_parser_feed(&whole, data, size) == n && whole.n_unknown == parser.n_unknown);
    js_map_apply(&map, &parser, wrench);
    for (int i = 0; i < DPL_SIX; i++) {
        require(fabs(wrench[i]) <= 10.0);
    }
    for (int i = 0; i < JS_AXES_MAX; i++) {
        require(fabs(parser.axes[i]) <= 1.0 && parser.axes[i] == whole.axes[i]);
    }
    return 0;
}
