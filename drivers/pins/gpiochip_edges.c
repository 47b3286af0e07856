/* SPDX-License-Identifier: Apache-2.0 */
/* Edges of the lines of a GPIO chip, as the kernel has stamped them. */
#include <errno.h>
#include <unistd.h>

#include <linux/gpio.h>

#include <doppel/system_clock.h>

#include "gpiochip.h"

static void keep(struct state *state, struct pin *pin, const struct gpio_v2_line_event *event)
{
    unsigned missed = pin->sequence ? event->line_seqno - pin->sequence - 1 : 0;
    pin->sequence = event->line_seqno;
    if (pin->n == DPL_PINS_EDGES_MAX) {
        pin->first = (pin->first + 1) % DPL_PINS_EDGES_MAX;
        pin->n--;
        missed++;
    }
    pin->lost += missed;
    state->n_lost += missed;
    state->n_edges++;
    pin->edges[(pin->first + pin->n++) % DPL_PINS_EDGES_MAX] = (struct dpl_pin_edge){
        .at = (dpl_ns)event->timestamp_ns - state->epoch,
        .level = event->id == GPIO_V2_LINE_EVENT_RISING_EDGE,
    };
}

static void drain(struct dpl_device *device, struct pin *pin)
{
    struct gpio_v2_line_event events[16];
    for (int round = 0; round < GPIO_KEPT / 16; round++) {
        ssize_t got = read(pin->fd, events, sizeof events);
        if (got < 0 && errno == ENODEV) {
            dpl_device_lost(device, "line %u has gone", pin->offset);
        }
        size_t n = got > 0 ? (size_t)got / sizeof events[0] : 0;
        for (size_t i = 0; i < n; i++) {
            keep(device->state, pin, &events[i]);
        }
        if (n < 16) {
            return;
        }
    }
}

int gpiochip_execute(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    if (!state->has_epoch) {
        state->epoch = dpl_monotonic_now() - dpl_device_now(device);
        state->has_epoch = true;
    }
    for (size_t i = 0; i < state->n; i++) {
        if (state->pins[i].mode != DPL_PIN_OUTPUT) {
            drain(device, &state->pins[i]);
        }
    }
    return 0;
}
