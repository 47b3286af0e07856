/* SPDX-License-Identifier: Apache-2.0 */
/* A gamepad's or joystick's events (struct input_event of linux/input.h, the machine's byte order)
 * as two axes and a dead-man's switch. Pure logic. */
#ifndef OPERATOR_INPUT_PAD_EVENTS_H
#define OPERATOR_INPUT_PAD_EVENTS_H

#include <linux/input.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAD_EVENT_BYTES sizeof(struct input_event)

/* An axis: its code, the values that it can have (low < high), its present value. */
struct pad_axis {
    uint16_t code;
    bool inverted;
    int32_t low, high, value;
};

struct pad {
    struct pad_axis forward, turn;
    uint16_t button; /* the dead-man's switch */
    bool pressed;    /* since an event; a button that was pressed before sends none */
    bool dropped;    /* the kernel has dropped events; those up to the next report do not count */
    uint8_t record[PAD_EVENT_BYTES];
    size_t n; /* bytes in it */
    uint64_t n_events, n_dropped;
};

/* Takes received bytes, in pieces of any size. Returns the number of completed records. After
 * SYN_DROPPED the button counts as released until it is pressed again. */
size_t pad_feed(struct pad *pad, const uint8_t *bytes, size_t n);

/* Forgets a partial record; axes are in their middle, the button is released. */
void pad_rest(struct pad *pad);

bool pad_is_held(const struct pad *pad);

/* The deflection, -1 to 1. Within the dead zone (share of the full deflection, 0 to below 1) it is
 * 0; beyond, it begins at 0. */
double pad_deflection(const struct pad_axis *axis, double dead_zone);

#endif
