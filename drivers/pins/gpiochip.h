/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a GPIO chip's pins, for gpiochip.c and gpiochip_edges.c. */
#ifndef PINS_GPIOCHIP_H
#define PINS_GPIOCHIP_H

#include <stdatomic.h>

#include <doppel/drv/pins.h>

#include "pin_names.h"

#define GPIO_KEPT 256 /* edges of a pin that the kernel keeps between two cycles */

struct pin {
    unsigned offset; /* of the chip's line */
    int fd;          /* of the request, never blocking */
    enum dpl_pin_mode mode;
    atomic_bool is_output, level; /* for the control thread: state set by the calls */
    atomic_uint n_writes;
    struct dpl_pin_edge edges[DPL_PINS_EDGES_MAX];
    size_t first, n;
    uint32_t sequence; /* of the newest event of this request; 0: none yet */
    unsigned lost;
};

struct state {
    struct pin_names names;
    struct pin pins[DPL_PINS_MAX];
    size_t n;
    int chip_fd;              /* while opening */
    struct dpl_stream *watch; /* the timer; NULL: none */
    bool rests; /* control thread: outputs are low because no command arrives in time */
    bool has_epoch;
    dpl_ns epoch; /* CLOCK_MONOTONIC at time 0 of the run */
    int64_t n_edges, n_lost;
};

/* A call of the class: empties the kernel's queues of all inputs. */
int gpiochip_execute(struct dpl_device *device, const void *in, void *out);

#endif
