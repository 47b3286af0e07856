/* SPDX-License-Identifier: Apache-2.0 */
/* Names of states, faults and mistakes. */
#include <stddef.h>

#include "elevator_unit.h"

const char *elevator_state_name(unsigned state)
{
    static const char *const names[ELEVATOR_N_STATES] = {
        "INIT", "IDLE",     "START",   "TRAVEL",  "OPENING",
        "OPEN", "OVERLOAD", "RELEVEL", "CLOSING", "FAULT",
    };
    return state < ELEVATOR_N_STATES ? names[state] : "?";
}

const char *elevator_fault_name(unsigned fault)
{
    static const char *const names[ELEVATOR_N_FAULTS] = {
        "none",    "safety",  "brake",        "no_zone",      "door_contact",
        "timeout", "relevel", "door_blocked", "door_timeout",
    };
    return fault < ELEVATOR_N_FAULTS ? names[fault] : "?";
}

const char *elevator_mistake_name(enum elevator_mistake mistake)
{
    static const char *const names[ELEVATOR_N_MISTAKES] = {
        NULL,           "no_relevel", "half_curtain", "late_overload", "door_contact_at_start_only",
        "nearest_call",
    };
    return names[mistake];
}
