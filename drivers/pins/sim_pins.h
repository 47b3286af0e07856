/* SPDX-License-Identifier: Apache-2.0 */
/* The state of simulated pins, for sim.c (opening, outputs) and sim_inputs.c. */
#ifndef PINS_SIM_PINS_H
#define PINS_SIM_PINS_H

#include <doppel/drv/pins.h>
#include <doppel/math/random.h>

#include "pin_names.h"
#include "wire.h"

struct pin {
    enum dpl_pin_mode mode;
    struct wire_end *own, *other;
    struct wire_reader reader;
    bool timed; /* the newest change was requested for a given time */
    bool fights;
};

struct state {
    struct pin_names names;
    struct pin pins[DPL_PINS_MAX];
    size_t n;
    struct dpl_random rng;
    dpl_ns latency;
    double analog_steps;
    double noise;
    int64_t n_conflicts, n_late, n_lost, n_edges;
    double worst_late_us;
};

#define SIM_MODE(mode) (1u << (mode))
#define SIM_DIGITAL    (SIM_MODE(DPL_PIN_INPUT) | SIM_MODE(DPL_PIN_PULL_UP) | SIM_MODE(DPL_PIN_OUTPUT))

/* 0, -EINVAL: there is no such pin, -EPERM: it has none of these modes. */
int sim_pin_in_mode(struct dpl_device *device, unsigned number, unsigned modes,
                    struct pin **ret_pin);

/* Counts when both ends begin to drive the wire. */
void sim_count_fight(struct state *state, struct pin *pin, dpl_ns t);

/* Calls of the class (doppel/drv/pins.h); in sim_inputs.c. */
int sim_read(struct dpl_device *device, const void *in, void *out);
int sim_read_analog(struct dpl_device *device, const void *in, void *out);
int sim_read_pwm(struct dpl_device *device, const void *in, void *out);
int sim_read_edges(struct dpl_device *device, const void *in, void *out);
int sim_last_driven(struct dpl_device *device, const void *in, void *out);

#endif
