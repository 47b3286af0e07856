/* SPDX-License-Identifier: Apache-2.0 */
/* The state machine of an elevator's control unit: one scan from inputs to outputs. Pure: time is
 * that of the inputs; nothing is allocated. */
#ifndef ELEVATOR_UNIT_H
#define ELEVATOR_UNIT_H

#include "elevator_dispatch.h"
#include "elevator_io.h"
#include "elevator_params.h"
#include "elevator_travel.h"

enum { ELEVATOR_SCAN_MS = 10 };

/* Mistakes that a unit can be given, to see whether a test finds them. */
enum elevator_mistake {
    ELEVATOR_NO_MISTAKE,
    ELEVATOR_NO_RELEVEL,                 /* never levels again */
    ELEVATOR_HALF_CURTAIN,               /* ignores the curtain in the lower half of the opening */
    ELEVATOR_LATE_OVERLOAD,              /* overload at 125 % instead of 110 % */
    ELEVATOR_DOOR_CONTACT_AT_START_ONLY, /* does not look at it during travel */
    ELEVATOR_NEAREST_CALL,               /* serves the nearest call, not those on its way */
    ELEVATOR_N_MISTAKES
};

/* Its name as an option has it, such as "half_curtain"; NULL for ELEVATOR_NO_MISTAKE. */
const char *elevator_mistake_name(enum elevator_mistake mistake);

struct elevator_unit {
    struct elevator_params params;
    enum elevator_mistake mistake;
    /* state */
    bool is_started;
    uint32_t now_ms, entered_ms; /* of this state */
    enum elevator_state state;
    enum elevator_fault fault;
    unsigned floor;            /* nearest to the car */
    double offset_m;           /* of the car from this floor */
    struct elevator_stop stop; /* where the car goes or stands */
    bool travels;              /* the brake has opened; `travel` is valid */
    uint32_t travel_ms;        /* its start */
    struct elevator_travel travel;
    double preload_nm;
    bool brake_closes; /* commanded to close, while the contactor still holds */
    uint32_t brake_closes_ms;
    bool has_force;                 /* on the closing door */
    uint32_t force_ms;              /* since when */
    int blocked;                    /* times in a row */
    bool was_reset_pressed, resets; /* a reset is under way */
    uint32_t reset_ms;
    struct elevator_calls lamps;
};

/* A unit that starts with its first scan. */
void elevator_unit_init(struct elevator_unit *unit, const struct elevator_params *params,
                        enum elevator_mistake mistake);

/* One scan. It is due when 10 ms of the inputs' time have passed since the last one; a later one is
 * allowed. A time before that of the last scan means another world: the unit starts anew. */
void elevator_unit_scan(struct elevator_unit *unit, const struct elevator_inputs *inputs,
                        struct elevator_outputs *ret_outputs);

#endif
