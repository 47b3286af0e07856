/* SPDX-License-Identifier: Apache-2.0 */
/* The power drive state machine of CiA 402, for both ends. */
#include <doppel/protocol/cia402.h>

#include <errno.h>
#include <stddef.h>

/* Bits of a state in the statusword: the bits in `mask` are equal to `bits`. */
static const struct {
    uint16_t mask, bits;
    const char *name;
} states[DPL_CIA402_STATES] = {
    [DPL_CIA402_NOT_READY] = {0x4f, 0x00, "not ready to switch on"},
    [DPL_CIA402_SWITCH_ON_DISABLED] = {0x4f, 0x40, "switch on disabled"},
    [DPL_CIA402_READY] = {0x6f, 0x21, "ready to switch on"},
    [DPL_CIA402_SWITCHED_ON] = {0x6f, 0x23, "switched on"},
    [DPL_CIA402_ENABLED] = {0x6f, 0x27, "operation enabled"},
    [DPL_CIA402_QUICK_STOP] = {0x6f, 0x07, "quick stop active"},
    [DPL_CIA402_FAULT_REACTION] = {0x4f, 0x0f, "fault reaction active"},
    [DPL_CIA402_FAULT] = {0x4f, 0x08, "fault"},
};

enum dpl_cia402_state dpl_cia402_state_of(uint16_t statusword)
{
    for (int state = 0; state < DPL_CIA402_STATES; state++) {
        if ((statusword & states[state].mask) == states[state].bits) {
            return (enum dpl_cia402_state)state;
        }
    }
    return DPL_CIA402_NOT_READY;
}

uint16_t dpl_cia402_statusword(enum dpl_cia402_state state)
{
    return states[state].bits;
}

const char *dpl_cia402_state_name(enum dpl_cia402_state state)
{
    return states[state].name;
}

/* ---- the host's side ---- */

static uint16_t word_towards_on(enum dpl_cia402_state state)
{
    switch (state) {
    case DPL_CIA402_SWITCH_ON_DISABLED: return DPL_CIA402_SHUTDOWN;
    case DPL_CIA402_READY: return DPL_CIA402_SWITCH_ON;
    case DPL_CIA402_SWITCHED_ON:
    case DPL_CIA402_ENABLED:
    case DPL_CIA402_QUICK_STOP: return DPL_CIA402_ENABLE_OPERATION;
    default: return DPL_CIA402_DISABLE_VOLTAGE;
    }
}

uint16_t dpl_cia402_controlword(enum dpl_cia402_state state, enum dpl_cia402_goal goal,
                                uint16_t last)
{
    bool moves = state == DPL_CIA402_ENABLED || state == DPL_CIA402_QUICK_STOP;
    switch (goal) {
    case DPL_CIA402_GOAL_ON: return word_towards_on(state);
    case DPL_CIA402_GOAL_STOP: return moves ? DPL_CIA402_DO_QUICK_STOP : DPL_CIA402_DISABLE_VOLTAGE;
    case DPL_CIA402_GOAL_RESET:
        return state == DPL_CIA402_FAULT && !(last & DPL_CIA402_FAULT_RESET)
                   ? DPL_CIA402_FAULT_RESET
                   : DPL_CIA402_DISABLE_VOLTAGE;
    case DPL_CIA402_GOAL_OFF: break;
    }
    return DPL_CIA402_DISABLE_VOLTAGE;
}

/* ---- the drive's side ---- */

/* The request of a controlword. Bit 3 is used only to distinguish `switch on` from `enable
 * operation`. */
enum request {
    ASKS_NOTHING,
    ASKS_VOLTAGE_OFF,
    ASKS_QUICK_STOP,
    ASKS_SHUTDOWN,
    ASKS_SWITCH_ON,
    ASKS_ENABLE,
};

static enum request request_of(uint16_t word)
{
    if (!(word & 0x02)) {
        return ASKS_VOLTAGE_OFF;
    }
    if (!(word & 0x04)) {
        return ASKS_QUICK_STOP;
    }
    if (!(word & 0x01)) {
        return ASKS_SHUTDOWN;
    }
    return word & 0x08 ? ASKS_ENABLE : ASKS_SWITCH_ON;
}

/* The next state for each request in each state that accepts requests; in other states: no
 * change. */
static const struct {
    enum dpl_cia402_state from;
    enum request request;
    enum dpl_cia402_state to;
} transitions[] = {
    {DPL_CIA402_SWITCH_ON_DISABLED, ASKS_SHUTDOWN, DPL_CIA402_READY},
    {DPL_CIA402_READY, ASKS_VOLTAGE_OFF, DPL_CIA402_SWITCH_ON_DISABLED},
    {DPL_CIA402_READY, ASKS_QUICK_STOP, DPL_CIA402_SWITCH_ON_DISABLED},
    {DPL_CIA402_READY, ASKS_SWITCH_ON, DPL_CIA402_SWITCHED_ON},
    {DPL_CIA402_READY, ASKS_ENABLE, DPL_CIA402_SWITCHED_ON},
    {DPL_CIA402_SWITCHED_ON, ASKS_VOLTAGE_OFF, DPL_CIA402_SWITCH_ON_DISABLED},
    {DPL_CIA402_SWITCHED_ON, ASKS_QUICK_STOP, DPL_CIA402_SWITCH_ON_DISABLED},
    {DPL_CIA402_SWITCHED_ON, ASKS_SHUTDOWN, DPL_CIA402_READY},
    {DPL_CIA402_SWITCHED_ON, ASKS_ENABLE, DPL_CIA402_ENABLED},
    {DPL_CIA402_ENABLED, ASKS_VOLTAGE_OFF, DPL_CIA402_SWITCH_ON_DISABLED},
    {DPL_CIA402_ENABLED, ASKS_QUICK_STOP, DPL_CIA402_QUICK_STOP},
    {DPL_CIA402_ENABLED, ASKS_SHUTDOWN, DPL_CIA402_READY},
    {DPL_CIA402_ENABLED, ASKS_SWITCH_ON, DPL_CIA402_SWITCHED_ON},
    {DPL_CIA402_QUICK_STOP, ASKS_VOLTAGE_OFF, DPL_CIA402_SWITCH_ON_DISABLED},
    {DPL_CIA402_QUICK_STOP, ASKS_ENABLE, DPL_CIA402_ENABLED},
};

enum dpl_cia402_state dpl_cia402_step(enum dpl_cia402_state state, uint16_t last, uint16_t now)
{
    if (state == DPL_CIA402_FAULT) {
        bool is_edge = (now & DPL_CIA402_FAULT_RESET) && !(last & DPL_CIA402_FAULT_RESET);
        return is_edge ? DPL_CIA402_SWITCH_ON_DISABLED : state;
    }
    enum request request = request_of(now);
    for (size_t i = 0; i < sizeof transitions / sizeof transitions[0]; i++) {
        if (transitions[i].from == state && transitions[i].request == request) {
            return transitions[i].to;
        }
    }
    return state;
}

/* ---- 60C2h ---- */

#define NS_PER_TENTH 100000
#define NS_PER_MS    1000000

int dpl_cia402_interpolation(int64_t period_ns, uint8_t *ret_value, int8_t *ret_power)
{
    bool is_ms = period_ns % NS_PER_MS == 0;
    int64_t unit = is_ms ? NS_PER_MS : NS_PER_TENTH;
    int64_t value = period_ns / unit;
    if (value * unit != period_ns || value < 1 || value > 255) {
        return -ERANGE;
    }
    *ret_value = (uint8_t)value;
    *ret_power = is_ms ? -3 : -4;
    return 0;
}

int64_t dpl_cia402_interpolation_ns(uint8_t value, int8_t power)
{
    int64_t ns = value;
    if (power < -9 || power > 1) {
        return 0;
    }
    for (int i = -9; i < power; i++) {
        ns *= 10;
    }
    return ns >= 1000 && ns <= 10 * (int64_t)1000000000 ? ns : 0;
}
