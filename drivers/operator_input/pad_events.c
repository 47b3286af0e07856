/* SPDX-License-Identifier: Apache-2.0 */
#include "pad_events.h"

#include <math.h>
#include <string.h>

static int32_t middle(const struct pad_axis *axis)
{
    return (int32_t)(((int64_t)axis->low + axis->high) / 2);
}

void pad_rest(struct pad *pad)
{
    pad->n = 0;
    pad->forward.value = middle(&pad->forward);
    pad->turn.value = middle(&pad->turn);
    pad->pressed = false;
    pad->dropped = false;
}

/* Values 0 and 1 are release and press, 2 is a repetition, which begins nothing. */
static void apply_key(struct pad *pad, const struct input_event *event)
{
    if (event->code == pad->button) {
        pad->pressed = event->value == 1 || (event->value != 0 && pad->pressed);
    }
}

static void apply_axis(struct pad *pad, const struct input_event *event)
{
    if (event->code == pad->forward.code) {
        pad->forward.value = event->value;
    }
    if (event->code == pad->turn.code) {
        pad->turn.value = event->value;
    }
}

/* linux/input-event-codes.h: after SYN_DROPPED, events up to the next SYN_REPORT must be ignored.
 */
static void apply_sync(struct pad *pad, const struct input_event *event)
{
    if (event->code == SYN_DROPPED) {
        size_t n_before = pad->n;
        pad_rest(pad);
        pad->n = n_before;
        pad->dropped = true;
        pad->n_dropped++;
    } else if (event->code == SYN_REPORT) {
        pad->dropped = false;
    }
}

static void apply_record(struct pad *pad)
{
    struct input_event event;
    memcpy(&event, pad->record, sizeof event);
    pad->n_events++;
    if (event.type == EV_SYN) {
        apply_sync(pad, &event);
    } else if (pad->dropped) {
        return;
    } else if (event.type == EV_KEY) {
        apply_key(pad, &event);
    } else if (event.type == EV_ABS) {
        apply_axis(pad, &event);
    }
}

size_t pad_feed(struct pad *pad, const uint8_t *bytes, size_t n)
{
    size_t completed = 0;
    for (size_t i = 0; i < n; i++) {
        pad->record[pad->n++] = bytes[i];
        if (pad->n == PAD_EVENT_BYTES) {
            apply_record(pad);
            pad->n = 0;
            completed++;
        }
    }
    return completed;
}

bool pad_is_held(const struct pad *pad)
{
    return pad->pressed && !pad->dropped;
}

double pad_deflection(const struct pad_axis *axis, double dead_zone)
{
    double half = 0.5 * ((double)axis->high - axis->low);
    double part = half > 0.0 ? (axis->value - 0.5 * ((double)axis->high + axis->low)) / half : 0.0;
    part = fmin(fmax(axis->inverted ? -part : part, -1.0), 1.0);
    double reach = fabs(part) - dead_zone;
    return reach > 0.0 ? copysign(reach / (1.0 - dead_zone), part) : 0.0;
}
