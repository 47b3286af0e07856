/* SPDX-License-Identifier: Apache-2.0 */
/* CiA 402, the profile of drives: the power drive state machine as both ends see it, and the
 * objects that cyclic synchronous position mode needs. Facts from shared/spec/devices.md and
 * general knowledge of the profile (IEC 61800-7-201). Pure. */
#ifndef DPL_PROTOCOL_CIA402_H
#define DPL_PROTOCOL_CIA402_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DPL_CIA402_PROFILE = 402,          /* low half of 1000h */
    DPL_CIA402_CSP = 8,                /* of 6060h and 6061h */
    DPL_CIA402_CSP_SUPPORTED = 1 << 7, /* of 6502h */
};

/* Objects. */
enum {
    DPL_CIA402_ABORT_OPTION = 0x6007, /* when communication is lost */
    DPL_CIA402_ERROR_CODE = 0x603f,
    DPL_CIA402_CONTROLWORD = 0x6040,
    DPL_CIA402_STATUSWORD = 0x6041,
    DPL_CIA402_QUICK_STOP_OPTION = 0x605a,
    DPL_CIA402_FAULT_OPTION = 0x605e,
    DPL_CIA402_MODE = 0x6060,
    DPL_CIA402_MODE_DISPLAY = 0x6061,
    DPL_CIA402_POSITION = 0x6064,
    DPL_CIA402_FOLLOWING_WINDOW = 0x6065,
    DPL_CIA402_VELOCITY = 0x606c,
    DPL_CIA402_TORQUE = 0x6077,
    DPL_CIA402_TARGET_POSITION = 0x607a,
    DPL_CIA402_POSITION_LIMITS = 0x607d, /* 1: least, 2: greatest; not below: none */
    DPL_CIA402_MAX_VELOCITY = 0x607f,    /* user units of velocity */
    DPL_CIA402_MAX_MOTOR_SPEED = 0x6080, /* in user units of velocity too, as many drives have it */
    DPL_CIA402_DECELERATION = 0x6084,    /* of a profile: the slow-down ramp */
    DPL_CIA402_QUICK_STOP_DECELERATION = 0x6085,
    DPL_CIA402_VELOCITY_OFFSET = 0x60b1,
    DPL_CIA402_TORQUE_OFFSET = 0x60b2,
    DPL_CIA402_INTERPOLATION = 0x60c2,   /* 1: value, 2: power of ten, s */
    DPL_CIA402_FOLLOWING_ERROR = 0x60f4, /* target less actual position */
    DPL_CIA402_MOTOR_NUMBER = 0x6404,    /* in its maker's catalogue: a text */
    DPL_CIA402_SUPPORTED_MODES = 0x6502,
};

/* 605Ah and 605Eh: how a drive stops. 605Ah plus DPL_CIA402_STOP_AND_STAY: it holds behind the ramp
 * (quick stop active) instead of going off. */
enum {
    DPL_CIA402_STOP_OFF = 0,     /* no torque at once */
    DPL_CIA402_STOP_SLOW = 1,    /* 6084h */
    DPL_CIA402_STOP_QUICK = 2,   /* 6085h */
    DPL_CIA402_STOP_CURRENT = 3, /* at the limit of the current */
    DPL_CIA402_STOP_VOLTAGE = 4, /* at the limit of the voltage */
    DPL_CIA402_STOP_AND_STAY = 4,
    DPL_CIA402_QUICK_STOP_AND_OFF = DPL_CIA402_STOP_QUICK,
    DPL_CIA402_QUICK_STOP_AND_STAY = DPL_CIA402_STOP_QUICK + DPL_CIA402_STOP_AND_STAY,
};

/* 6007h. */
enum {
    DPL_CIA402_ABORT_NOTHING = 0,
    DPL_CIA402_ABORT_FAULT = 1,
    DPL_CIA402_ABORT_OFF = 2,
    DPL_CIA402_ABORT_QUICK_STOP = 3,
};

enum dpl_cia402_state {
    DPL_CIA402_NOT_READY,
    DPL_CIA402_SWITCH_ON_DISABLED,
    DPL_CIA402_READY,
    DPL_CIA402_SWITCHED_ON,
    DPL_CIA402_ENABLED, /* operation enabled: it follows the targets */
    DPL_CIA402_QUICK_STOP,
    DPL_CIA402_FAULT_REACTION,
    DPL_CIA402_FAULT,
    DPL_CIA402_STATES,
};

/* Bits of the statusword beside those of the state. */
enum {
    DPL_CIA402_STATUS_VOLTAGE = 1 << 4,
    DPL_CIA402_STATUS_WARNING = 1 << 7,
    DPL_CIA402_STATUS_REMOTE = 1 << 9,
    DPL_CIA402_STATUS_LIMIT = 1 << 11,
    DPL_CIA402_STATUS_FOLLOWS = 1 << 12,         /* cyclic modes */
    DPL_CIA402_STATUS_FOLLOWING_ERROR = 1 << 13, /* cyclic modes */
};

/* Words to say. */
enum {
    DPL_CIA402_DISABLE_VOLTAGE = 0x00,
    DPL_CIA402_DO_QUICK_STOP = 0x02,
    DPL_CIA402_SHUTDOWN = 0x06,
    DPL_CIA402_SWITCH_ON = 0x07,
    DPL_CIA402_ENABLE_OPERATION = 0x0f,
    DPL_CIA402_FAULT_RESET = 0x80, /* its rising edge */
};

/* The state that a statusword tells. A pattern that the profile does not know is NOT_READY. */
enum dpl_cia402_state dpl_cia402_state_of(uint16_t statusword);
/* The statusword's bits of a state. */
uint16_t dpl_cia402_statusword(enum dpl_cia402_state state);
/* The profile's own words, lower case. */
const char *dpl_cia402_state_name(enum dpl_cia402_state state);

/* Where a host wants a drive to be. */
enum dpl_cia402_goal {
    DPL_CIA402_GOAL_OFF,   /* switch on disabled; without a ramp when it moves */
    DPL_CIA402_GOAL_ON,    /* operation enabled */
    DPL_CIA402_GOAL_STOP,  /* quick stop active; a drive that is not enabled is left off */
    DPL_CIA402_GOAL_RESET, /* out of fault */
};

/* The controlword that leads from `state` one step nearer to the goal. `last`: the one said before,
 * so that a fault reset has its edge. A drive in fault stays there but for GOAL_RESET. */
uint16_t dpl_cia402_controlword(enum dpl_cia402_state state, enum dpl_cia402_goal goal,
                                uint16_t last);

/* The drive's side: the state that a controlword leads to, from `last` to `now`. A drive that is
 * NOT_READY, or reacts to a fault, stays: it leaves these by itself. */
enum dpl_cia402_state dpl_cia402_step(enum dpl_cia402_state state, uint16_t last, uint16_t now);

/* A time as 60C2h says it: value and power of ten, in s. -ERANGE: not within 0.1 ms to 255 ms in
 * steps of 0.1 ms below 25.5 ms, of 1 ms above. */
int dpl_cia402_interpolation(int64_t period_ns, uint8_t *ret_value, int8_t *ret_power);
/* ns of 60C2h; 0 when that is not a time within 1 us to 10 s. */
int64_t dpl_cia402_interpolation_ns(uint8_t value, int8_t power);

#endif
