/* SPDX-License-Identifier: Apache-2.0 */
/* What the control unit of an elevator knows and says in one scan, in SI units. */
#ifndef ELEVATOR_IO_H
#define ELEVATOR_IO_H

#include <stdbool.h>
#include <stdint.h>

enum { ELEVATOR_MAX_FLOORS = 32 };

/* The numbers are published in a register and must not change. */
enum elevator_state {
    ELEVATOR_INIT = 0,
    ELEVATOR_IDLE = 1,
    ELEVATOR_START = 2,
    ELEVATOR_TRAVEL = 3,
    ELEVATOR_OPENING = 4,
    ELEVATOR_OPEN = 5,
    ELEVATOR_OVERLOAD = 6,
    ELEVATOR_RELEVEL = 7,
    ELEVATOR_CLOSING = 8,
    ELEVATOR_FAULT = 9,
    ELEVATOR_N_STATES
};

/* Why the unit is in ELEVATOR_FAULT; published in a register, too. */
enum elevator_fault {
    ELEVATOR_NO_FAULT = 0,
    ELEVATOR_FAULT_SAFETY = 1,       /* the safety chain is open */
    ELEVATOR_FAULT_BRAKE = 2,        /* no feedback of an open brake */
    ELEVATOR_FAULT_NO_ZONE = 3,      /* stopped, and not in the door zone */
    ELEVATOR_FAULT_DOOR_CONTACT = 4, /* a door opened during travel */
    ELEVATOR_FAULT_TIMEOUT = 5,      /* travel took 4 s more than planned */
    ELEVATOR_FAULT_RELEVEL = 6,      /* not level after 6 s */
    ELEVATOR_FAULT_DOOR_BLOCKED = 7, /* force on the closing door for the third time */
    ELEVATOR_FAULT_DOOR_TIMEOUT = 8, /* the door was not open or closed after 6 s */
    ELEVATOR_N_FAULTS
};

/* Static text, for messages: "TRAVEL", "door_contact". "?" for another number. */
const char *elevator_state_name(unsigned state);
const char *elevator_fault_name(unsigned fault);

/* One bit a floor, bit 0 is floor 0. */
struct elevator_calls {
    uint32_t car, up, down;
};

struct elevator_inputs {
    uint32_t time_ms; /* of the world; wraps */
    bool safety_ok, door_closed, door_open, curtain_clear, zone, brake_open, landing_locks;
    bool reset_pressed; /* somebody else's key for a reset is down */
    bool asks_reset;    /* a reset was asked for: an event, no key that can be held */
    struct elevator_calls calls;
    double position_m; /* of the car, 0 level with floor 0, up positive */
    double speed_m_s;
    double load_kg;
    double door_m;       /* 0 closed */
    double door_force_n; /* magnitude */
};

struct elevator_outputs {
    bool contactor, brake_release, door_open, door_close;
    bool reset;                  /* the edge clears a latched trip */
    struct elevator_calls lamps; /* from 1 to 0 clears the call */
    double speed_m_s;            /* reference of the drive */
    double preload_nm;           /* torque at the sheave that holds the load */
    enum elevator_state state;
    unsigned target; /* floor */
    enum elevator_fault fault;
};

#endif
