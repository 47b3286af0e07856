/* SPDX-License-Identifier: Apache-2.0 */
/* CiA 402, the profile of drives: the power drive state machine for both ends, and the objects for
 * cyclic synchronous position mode. From general knowledge of the profile (IEC 61800-7-201).
 * Pure. */
#ifndef DPL_PROTOCOL_CIA402_H
#define DPL_PROTOCOL_CIA402_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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
    /* 1: smallest, 2: largest; if 1 is not below 2: no limits */
    DPL_CIA402_POSITION_LIMITS = 0x607d,
    DPL_CIA402_MAX_VELOCITY = 0x607f,    /* user units of velocity */
    DPL_CIA402_MAX_MOTOR_SPEED = 0x6080, /* in user units of velocity too, as in many drives */
    DPL_CIA402_DECELERATION = 0x6084,    /* of a profile: the slow-down ramp */
    DPL_CIA402_QUICK_STOP_DECELERATION = 0x6085,
    DPL_CIA402_VELOCITY_OFFSET = 0x60b1,
    DPL_CIA402_TORQUE_OFFSET = 0x60b2,
    DPL_CIA402_INTERPOLATION = 0x60c2,   /* 1: value, 2: power of ten, s */
    DPL_CIA402_FOLLOWING_ERROR = 0x60f4, /* target minus actual position */
    DPL_CIA402_MOTOR_NUMBER = 0x6404,    /* of the manufacturer's catalogue: a text */
    DPL_CIA402_SUPPORTED_MODES = 0x6502,
};

/* 605Ah and 605Eh: how a drive stops. 605Ah plus DPL_CIA402_STOP_AND_STAY: after the ramp it holds
 * (quick stop active) and does not switch off. */
enum {
    DPL_CIA402_STOP_OFF = 0,     /* torque off immediately */
    DPL_CIA402_STOP_SLOW = 1,    /* 6084h */
    DPL_CIA402_STOP_QUICK = 2,   /* 6085h */
    DPL_CIA402_STOP_CURRENT = 3, /* at the current limit */
    DPL_CIA402_STOP_VOLTAGE = 4, /* at the voltage limit */
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

/* Other bits of the statusword. */
enum {
    DPL_CIA402_STATUS_VOLTAGE = 1 << 4,
    DPL_CIA402_STATUS_WARNING = 1 << 7,
    DPL_CIA402_STATUS_REMOTE = 1 << 9,
    DPL_CIA402_STATUS_LIMIT = 1 << 11,
    DPL_CIA402_STATUS_FOLLOWS = 1 << 12,         /* cyclic modes */
    DPL_CIA402_STATUS_FOLLOWING_ERROR = 1 << 13, /* cyclic modes */
};

/* Controlwords. */
enum {
    DPL_CIA402_DISABLE_VOLTAGE = 0x00,
    DPL_CIA402_DO_QUICK_STOP = 0x02,
    DPL_CIA402_SHUTDOWN = 0x06,
    DPL_CIA402_SWITCH_ON = 0x07,
    DPL_CIA402_ENABLE_OPERATION = 0x0f,
    DPL_CIA402_FAULT_RESET = 0x80, /* its rising edge */
};

/* The state in a statusword. A pattern that is not in the profile is NOT_READY. */
enum dpl_cia402_state dpl_cia402_state_of(uint16_t statusword);
/* The statusword's bits of a state. */
uint16_t dpl_cia402_statusword(enum dpl_cia402_state state);
/* The names of the profile, in lower case. */
const char *dpl_cia402_state_name(enum dpl_cia402_state state);

/* The state that a host wants. */
enum dpl_cia402_goal {
    DPL_CIA402_GOAL_OFF,   /* switch on disabled; without a ramp if it moves */
    DPL_CIA402_GOAL_ON,    /* operation enabled */
    DPL_CIA402_GOAL_STOP,  /* quick stop active; a drive that is not enabled stays off */
    DPL_CIA402_GOAL_RESET, /* leave fault */
};

/* The controlword that leads from `state` one step nearer to the goal. `last`: the previous
 * controlword, so that a fault reset has its edge. A drive in fault stays there, except with
 * GOAL_RESET. */
uint16_t dpl_cia402_controlword(enum dpl_cia402_state state, enum dpl_cia402_goal goal,
                                uint16_t last);

/* The drive's side: the next state for the controlwords `last` and `now`. A drive that is
 * NOT_READY, or reacts to a fault, does not change: it leaves these states by itself. */
enum dpl_cia402_state dpl_cia402_step(enum dpl_cia402_state state, uint16_t last, uint16_t now);

/* A time in the format of 60C2h: value and power of ten, in s. -ERANGE: not within 0.1 ms to 255
 * ms, or not a multiple of 0.1 ms below 25.5 ms, of 1 ms above. */
int dpl_cia402_interpolation(int64_t period_ns, uint8_t *ret_value, int8_t *ret_power);
/* ns of 60C2h; 0 when the time is not within 1 us to 10 s. */
int64_t dpl_cia402_interpolation_ns(uint8_t value, int8_t power);

#ifdef __cplusplus
}
#endif

#endif
