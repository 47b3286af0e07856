/* SPDX-License-Identifier: Apache-2.0 */
/* A scan: the next state, the lamps, and what the state commands. */
#include <math.h>
#include <stddef.h>

#include "elevator_states.h"
#include "elevator_unit.h"

static const double brake_closes_s = 0.5; /* the contactor holds no longer for it */

/* Where doors open, calls of this floor are cleared: each lamp goes from 1 to 0, until the call is
 * gone. A call that was pressed at this very moment gets its lamp first. */
static uint32_t lamps(uint32_t calls, uint32_t served, uint32_t lamps_before)
{
    return calls & ~(served & lamps_before);
}

static void serve(struct elevator_unit *unit, const struct elevator_calls *calls)
{
    struct elevator_calls served = {0};
    if (unit->state == ELEVATOR_OPENING || unit->state == ELEVATOR_OPEN ||
        unit->state == ELEVATOR_OVERLOAD || unit->state == ELEVATOR_RELEVEL) {
        served = elevator_served(unit->stop.floor, unit->stop.direction);
    }
    unit->lamps = (struct elevator_calls){
        .car = lamps(calls->car, served.car, unit->lamps.car),
        .up = lamps(calls->up, served.up, unit->lamps.up),
        .down = lamps(calls->down, served.down, unit->lamps.down),
    };
}

static double reference(const struct elevator_unit *unit, double position_m)
{
    bool moves = unit->state == ELEVATOR_TRAVEL || unit->state == ELEVATOR_RELEVEL;
    if (!moves || !unit->travels) {
        return 0.0;
    }
    double at_s = elevator_states_since(unit, unit->travel_ms);
    double speed_m_s = elevator_travel_speed(&unit->travel, at_s, position_m);
    double most =
        unit->state == ELEVATOR_RELEVEL ? ELEVATOR_RELEVEL_M_S : 1.1 * unit->params.speed_m_s;
    return fmin(fmax(speed_m_s, -most), most);
}

static void command(struct elevator_unit *unit, const struct elevator_inputs *in,
                    struct elevator_outputs *ret_outputs)
{
    enum elevator_state state = unit->state;
    if (!in->brake_open || elevator_states_since(unit, unit->brake_closes_ms) > brake_closes_s) {
        unit->brake_closes = false;
    }
    *ret_outputs = (struct elevator_outputs){
        .contactor = elevator_states_driven(state) || unit->brake_closes,
        .brake_release = elevator_states_driven(state),
        .door_open = state == ELEVATOR_OPENING || state == ELEVATOR_OPEN ||
                     state == ELEVATOR_OVERLOAD || state == ELEVATOR_RELEVEL,
        .door_close = state == ELEVATOR_CLOSING || state == ELEVATOR_IDLE ||
                      state == ELEVATOR_START || state == ELEVATOR_TRAVEL,
        .reset = state == ELEVATOR_FAULT && unit->resets,
        .lamps = unit->lamps,
        .speed_m_s = reference(unit, in->position_m),
        .preload_nm = elevator_states_driven(state) || unit->brake_closes ? unit->preload_nm : 0.0,
        .state = state,
        .target = unit->stop.floor,
        .fault = unit->fault,
    };
}

void elevator_unit_init(struct elevator_unit *unit, const struct elevator_params *params,
                        enum elevator_mistake mistake)
{
    *unit = (struct elevator_unit){.params = *params, .mistake = mistake};
}

static void start_anew(struct elevator_unit *unit, const struct elevator_inputs *in)
{
    elevator_unit_init(unit, &unit->params, unit->mistake);
    unit->is_started = true;
    unit->now_ms = unit->entered_ms = in->time_ms;
    elevator_states_locate(unit, in->position_m);
    unit->stop.floor = unit->floor;
}

/* Only calls of floors that there are. */
static struct elevator_calls real_calls(const struct elevator_calls *calls, double floors)
{
    uint32_t real = UINT32_MAX >> (ELEVATOR_MAX_FLOORS - (unsigned)floors);
    return (struct elevator_calls){calls->car & real, calls->up & real, calls->down & real};
}

void elevator_unit_scan(struct elevator_unit *unit, const struct elevator_inputs *inputs,
                        struct elevator_outputs *ret_outputs)
{
    struct elevator_inputs in = *inputs;
    in.calls = real_calls(&inputs->calls, unit->params.floors);
    bool is_back = (uint32_t)(in.time_ms - unit->now_ms) > INT32_MAX;
    if (!unit->is_started || is_back) {
        start_anew(unit, &in);
    }
    unit->now_ms = in.time_ms;
    elevator_states_locate(unit, in.position_m);
    enum elevator_state next = elevator_states_next(unit, &in);
    if (next != unit->state) {
        elevator_states_enter(unit, next, &in);
    }
    serve(unit, &in.calls);
    command(unit, &in, ret_outputs);
}

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
