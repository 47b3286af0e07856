/* SPDX-License-Identifier: Apache-2.0 */
/* Scans of a unit with inputs that a test holds. */
#ifndef ELEVATOR_SCANS_H
#define ELEVATOR_SCANS_H

#include <math.h>

#include <criterion/criterion.h>

#include "elevator_unit.h"

static inline struct elevator_inputs at_rest(uint32_t time_ms, double position_m)
{
    return (struct elevator_inputs){
        .time_ms = time_ms,
        .safety_ok = true,
        .door_closed = true,
        .curtain_clear = true,
        .zone = true,
        .landing_locks = true,
        .position_m = position_m,
    };
}

/* Scans every 10 ms with the same inputs for some time; returns how long the state stayed, in s. */
static inline double stays(struct elevator_unit *unit, struct elevator_inputs *in, double most_s,
                           struct elevator_outputs *ret_out)
{
    enum elevator_state state = unit->state;
    for (int i = 1; i <= lround(100.0 * most_s); i++) {
        in->time_ms += ELEVATOR_SCAN_MS;
        elevator_unit_scan(unit, in, ret_out);
        if (ret_out->state != state) {
            return 0.01 * i;
        }
    }
    return most_s;
}

static inline struct elevator_unit idle_unit(struct elevator_inputs *in,
                                             struct elevator_outputs *out)
{
    struct elevator_unit unit;
    elevator_unit_init(&unit, &elevator_params_reference, ELEVATOR_NO_MISTAKE);
    elevator_unit_scan(&unit, in, out);
    cr_assert_eq(out->state, ELEVATOR_INIT);
    double init_s = stays(&unit, in, 2.0, out);
    cr_assert_float_eq(init_s, 0.5, 1e-9);
    cr_assert_eq(out->state, ELEVATOR_IDLE);
    return unit;
}

#endif
