/* SPDX-License-Identifier: Apache-2.0 */
/* What the emulated sensors and actuators exchange with the car. Neither function allocates or
 * blocks; call them in execute. */
#ifndef RACE_CAR_PORTS_H
#define RACE_CAR_PORTS_H

#include <stdio.h>

#include <doppel/component.h>
#include <doppel/msg/race.h>

/* Takes the newest range of the car's sensor number `sensor` (from 0 on) in m; leaves *ret_m alone
 * when nothing came yet. A missing range is an error of the bench, not of the controller: it gives
 * the verdict `fault`. */
static inline void race_read_range(struct dpl_component *self, unsigned port, int64_t sensor,
                                   double *ret_m)
{
    const struct dpl_message *message = dpl_port_latest(self, port);
    const Doppel__Ranges *ranges = message ? message->body : NULL;
    if (ranges && (size_t)sensor < ranges->n_ranges) {
        *ret_m = ranges->ranges[sensor];
    } else if (ranges) {
        struct dpl_verdict verdict = {.name = "fault"};
        snprintf(verdict.text, sizeof verdict.text,
                 "%s: Sensor is %lld, but the car has %zu sensors", self->name, (long long)sensor,
                 ranges->n_ranges);
        dpl_component_give_verdict(self, &verdict);
    }
}

/* Publishes what an actuator does: a speed in m/s or an angle in rad. */
static inline void race_publish_actuation(struct dpl_component *self, unsigned port, double value,
                                          bool active, dpl_ns now)
{
    Doppel__Actuation *actuation = dpl_port_loan(self, port);
    if (actuation) {
        actuation->value = value;
        actuation->active = active;
        dpl_port_publish(self, port, actuation, now);
    }
}

#endif
