/* SPDX-License-Identifier: Apache-2.0 */
/* A flag that follows another one after it has differed for a while. */
#ifndef DOPPEL_SIM_HELD_H
#define DOPPEL_SIM_HELD_H

#include <stdbool.h>

struct dpl__held {
    bool is_on;
    double waited; /* s since the flag that it follows differs */
};

/* Rows of a field table, for members on_delay_s and off_delay_s. */
#define DPL__DELAY_FIELDS(type_)                                                                   \
    DPL_NUMBER(type_, on_delay_s, "on_delay", "s", "0", 0.0, 3600.0, "it goes on so much later"),  \
        DPL_NUMBER(type_, off_delay_s, "off_delay", "s", "0", 0.0, 3600.0,                         \
                   "it goes off so much later")

/* Once a step of `dt` seconds: on `on_delay` after the other one, off `off_delay` after it. */
static inline bool dpl__held_step(struct dpl__held *held, bool wanted, double dt, double on_delay,
                                  double off_delay)
{
    double delay = wanted ? on_delay : off_delay;
    if (wanted == held->is_on) {
        held->waited = 0.0;
    } else if (held->waited >= delay - 0.5 * dt) {
        held->is_on = wanted;
        held->waited = 0.0;
    } else {
        held->waited += dt;
    }
    return held->is_on;
}

#endif
