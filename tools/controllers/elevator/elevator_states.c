/* SPDX-License-Identifier: Apache-2.0 */
/* Times and limits are those of the specification of the elevator (docs/guides/elevator-unit.md).
 */
#include "elevator_states.h"

#include <math.h>
#include <stddef.h>

static const double gravity_m_s2 = 9.80665;

static const double init_s = 0.5, brake_s = 1.0, dwell_s = 3.0, overtime_s = 4.0, relevel_s = 6.0,
                    door_s = 6.0, force_s = 0.25, reset_s = 0.5;
static const double level_m = 4e-3, at_rest_m_s = 15e-3; /* where a travel ends */
static const double zone_m = 0.1, relevel_from_m = 10e-3, relevel_to_m = 2e-3;
static const double door_force_n = 120.0;
enum { MAX_BLOCKED = 3 };

/* ---- what several states ask ---- */

double elevator_states_since(const struct elevator_unit *unit, uint32_t from_ms)
{
    return 1e-3 * (double)(uint32_t)(unit->now_ms - from_ms);
}

static double in_state(const struct elevator_unit *unit)
{
    return elevator_states_since(unit, unit->entered_ms);
}

static double height_of(const struct elevator_unit *unit, unsigned floor)
{
    return unit->params.height_m * floor;
}

static bool is_closed(const struct elevator_inputs *in)
{
    return in->door_closed && in->landing_locks;
}

static bool is_overloaded(const struct elevator_unit *unit, const struct elevator_inputs *in)
{
    double share = unit->mistake == ELEVATOR_LATE_OVERLOAD ? 1.25 : 1.10;
    return in->load_kg > share * unit->params.rated_load_kg;
}

static bool is_here(const struct elevator_unit *unit)
{
    return fabs(unit->offset_m) <= zone_m;
}

static enum elevator_state fail(struct elevator_unit *unit, enum elevator_fault fault)
{
    unit->fault = fault;
    return ELEVATOR_FAULT;
}

/* The torque at the sheave that holds the car against the counterweight. */
static double preload(const struct elevator_unit *unit, double load_kg)
{
    const struct elevator_params *params = &unit->params;
    return (params->car_kg + load_kg - params->counterweight_kg) * gravity_m_s2 *
           params->sheave_radius_m;
}

void elevator_states_locate(struct elevator_unit *unit, double position_m)
{
    double floor = round(position_m / unit->params.height_m);
    unit->floor = (unsigned)fmin(fmax(floor, 0.0), unit->params.floors - 1.0);
    unit->offset_m = position_m - height_of(unit, unit->floor);
}

static void begin_travel(struct elevator_unit *unit, double position_m, unsigned floor,
                         double speed_m_s)
{
    const struct dpl_line_limits limits = {
        .velocity = speed_m_s,
        .acceleration = unit->params.acceleration_m_s2,
        .jerk = unit->params.jerk_m_s3,
    };
    elevator_travel_begin(&unit->travel, &limits, position_m, height_of(unit, floor));
    unit->travels = true;
    unit->travel_ms = unit->now_ms;
}

/* The door may open only where a landing is. */
static enum elevator_state open_here(struct elevator_unit *unit, const struct elevator_inputs *in)
{
    if (!in->zone) {
        return fail(unit, ELEVATOR_FAULT_NO_ZONE);
    }
    enum elevator_direction leaving =
        unit->mistake == ELEVATOR_NEAREST_CALL
            ? ELEVATOR_NO_DIRECTION
            : elevator_leaving(&in->calls, unit->floor, unit->stop.direction);
    unit->stop = (struct elevator_stop){unit->floor, leaving};
    return ELEVATOR_OPENING;
}

/* ---- the states ---- */

static enum elevator_state in_init(struct elevator_unit *unit, const struct elevator_inputs *in)
{
    (void)in;
    return in_state(unit) >= init_s ? ELEVATOR_IDLE : ELEVATOR_INIT;
}

static enum elevator_state in_idle(struct elevator_unit *unit, const struct elevator_inputs *in)
{
    struct elevator_stop next;
    bool is_called = unit->mistake == ELEVATOR_NEAREST_CALL
                         ? elevator_nearest_call(&in->calls, unit->floor, &next)
                         : elevator_next_stop(&in->calls, unit->floor, unit->stop.direction, &next);
    if (!is_called) {
        unit->stop = (struct elevator_stop){unit->floor, ELEVATOR_NO_DIRECTION};
        return ELEVATOR_IDLE;
    }
    unit->stop = next;
    if (is_here(unit) && (next.floor == unit->floor || is_overloaded(unit, in))) {
        return open_here(unit, in);
    }
    return is_closed(in) ? ELEVATOR_START : ELEVATOR_CLOSING;
}

static enum elevator_state in_start(struct elevator_unit *unit, const struct elevator_inputs *in)
{
    if (is_overloaded(unit, in) && is_here(unit)) {
        return open_here(unit, in);
    }
    if (!is_closed(in)) {
        return ELEVATOR_CLOSING;
    }
    if (in->brake_open) {
        begin_travel(unit, in->position_m, unit->stop.floor, unit->params.speed_m_s);
        return ELEVATOR_TRAVEL;
    }
    return in_state(unit) > brake_s ? fail(unit, ELEVATOR_FAULT_BRAKE) : ELEVATOR_START;
}

/* A new call on the way is taken as long as the car can still stop for it as if it had been there
 * from the start. */
static void add_calls(struct elevator_unit *unit, const struct elevator_inputs *in)
{
    if (unit->mistake == ELEVATOR_NEAREST_CALL) {
        return;
    }
    double soon_s = elevator_states_since(unit, unit->travel_ms) + 1e-3 * ELEVATOR_SCAN_MS;
    uint32_t called = in->calls.car | in->calls.up | in->calls.down, reachable = 0;
    for (unsigned floor = 0; floor < (unsigned)unit->params.floors; floor++) {
        uint32_t bit = (uint32_t)1 << floor;
        if ((called & bit) &&
            elevator_travel_can_turn_to(&unit->travel, soon_s, height_of(unit, floor))) {
            reachable |= bit;
        }
    }
    enum elevator_direction direction =
        unit->travel.target_m > unit->travel.start_m ? ELEVATOR_UP : ELEVATOR_DOWN;
    struct elevator_stop next;
    unsigned behind = direction == ELEVATOR_UP ? 0 : (unsigned)unit->params.floors - 1;
    if (elevator_next_on_the_way(&in->calls, behind, direction, reachable, &next) &&
        next.floor != unit->stop.floor) {
        unit->stop = next;
        elevator_travel_begin(&unit->travel, &unit->travel.limits, unit->travel.start_m,
                              height_of(unit, next.floor));
    }
}

static enum elevator_state in_travel(struct elevator_unit *unit, const struct elevator_inputs *in)
{
    if (!is_closed(in) && unit->mistake != ELEVATOR_DOOR_CONTACT_AT_START_ONLY) {
        return fail(unit, ELEVATOR_FAULT_DOOR_CONTACT);
    }
    if (!in->brake_open) {
        return fail(unit, ELEVATOR_FAULT_BRAKE);
    }
    add_calls(unit, in);
    double past_end_s = elevator_states_since(unit, unit->travel_ms) - unit->travel.plan.total_s;
    if (past_end_s > overtime_s) {
        return fail(unit, ELEVATOR_FAULT_TIMEOUT);
    }
    bool is_level = past_end_s >= 0.0 && fabs(unit->travel.target_m - in->position_m) <= level_m &&
                    fabs(in->speed_m_s) <= at_rest_m_s;
    return is_level ? open_here(unit, in) : ELEVATOR_TRAVEL;
}

static enum elevator_state in_opening(struct elevator_unit *unit, const struct elevator_inputs *in)
{
    if (in->door_open) {
        return ELEVATOR_OPEN;
    }
    return in_state(unit) > door_s ? fail(unit, ELEVATOR_FAULT_DOOR_TIMEOUT) : ELEVATOR_OPENING;
}

static enum elevator_state in_open(struct elevator_unit *unit, const struct elevator_inputs *in)
{
    if (is_overloaded(unit, in)) {
        return ELEVATOR_OVERLOAD;
    }
    if (in->zone && fabs(unit->offset_m) > relevel_from_m && unit->mistake != ELEVATOR_NO_RELEVEL) {
        return ELEVATOR_RELEVEL;
    }
    return in_state(unit) >= dwell_s && in->curtain_clear ? ELEVATOR_CLOSING : ELEVATOR_OPEN;
}

static enum elevator_state in_overload(struct elevator_unit *unit, const struct elevator_inputs *in)
{
    return is_overloaded(unit, in) ? ELEVATOR_OVERLOAD : ELEVATOR_OPEN;
}

static enum elevator_state in_relevel(struct elevator_unit *unit, const struct elevator_inputs *in)
{
    unit->preload_nm = preload(unit, in->load_kg); /* people come and go meanwhile */
    if (!in->zone) {
        return fail(unit, ELEVATOR_FAULT_NO_ZONE);
    }
    if (fabs(unit->offset_m) <= relevel_to_m) {
        return ELEVATOR_OPEN;
    }
    if (in_state(unit) > relevel_s) {
        return fail(unit, ELEVATOR_FAULT_RELEVEL);
    }
    if (in->brake_open && !unit->travels) {
        begin_travel(unit, in->position_m, unit->floor, ELEVATOR_RELEVEL_M_S);
    } else if (!in->brake_open && (unit->travels || in_state(unit) > brake_s)) {
        return fail(unit, ELEVATOR_FAULT_BRAKE);
    }
    return ELEVATOR_RELEVEL;
}

/* Is something between the panels for so long that it is no sliding part of the door? */
static bool is_blocked(struct elevator_unit *unit, const struct elevator_inputs *in)
{
    bool has_force = in->door_force_n > door_force_n;
    if (has_force && !unit->has_force) {
        unit->force_ms = unit->now_ms;
    }
    unit->has_force = has_force;
    return has_force && elevator_states_since(unit, unit->force_ms) >= force_s;
}

static enum elevator_state in_closing(struct elevator_unit *unit, const struct elevator_inputs *in)
{
    bool ignores_curtain =
        unit->mistake == ELEVATOR_HALF_CURTAIN && in->door_m < 0.5 * unit->params.door_travel_m;
    if (is_closed(in)) {
        unit->blocked = 0;
        return ELEVATOR_IDLE;
    }
    if (!in->curtain_clear && !ignores_curtain) {
        return ELEVATOR_OPENING;
    }
    if (is_blocked(unit, in)) {
        unit->blocked++;
        return unit->blocked >= MAX_BLOCKED ? fail(unit, ELEVATOR_FAULT_DOOR_BLOCKED)
                                            : ELEVATOR_OPENING;
    }
    return in_state(unit) > door_s ? fail(unit, ELEVATOR_FAULT_DOOR_TIMEOUT) : ELEVATOR_CLOSING;
}

/* A reset is asked for by an edge, and leaves the fault when the chain is closed. */
static enum elevator_state in_fault(struct elevator_unit *unit, const struct elevator_inputs *in)
{
    bool is_edge = in->reset_pressed && !unit->was_reset_pressed;
    if (is_edge || in->asks_reset) {
        unit->resets = true;
        unit->reset_ms = unit->now_ms;
    }
    unit->was_reset_pressed = in->reset_pressed;
    if (unit->resets && in->safety_ok) {
        unit->fault = ELEVATOR_NO_FAULT;
        return ELEVATOR_INIT;
    }
    unit->resets = unit->resets && elevator_states_since(unit, unit->reset_ms) < reset_s;
    return ELEVATOR_FAULT;
}

typedef enum elevator_state state_fn(struct elevator_unit *unit, const struct elevator_inputs *in);

static state_fn *const states[ELEVATOR_N_STATES] = {
    [ELEVATOR_INIT] = in_init,         [ELEVATOR_IDLE] = in_idle,
    [ELEVATOR_START] = in_start,       [ELEVATOR_TRAVEL] = in_travel,
    [ELEVATOR_OPENING] = in_opening,   [ELEVATOR_OPEN] = in_open,
    [ELEVATOR_OVERLOAD] = in_overload, [ELEVATOR_RELEVEL] = in_relevel,
    [ELEVATOR_CLOSING] = in_closing,   [ELEVATOR_FAULT] = in_fault,
};

enum elevator_state elevator_states_next(struct elevator_unit *unit,
                                         const struct elevator_inputs *inputs)
{
    if (!inputs->safety_ok && unit->state != ELEVATOR_FAULT) {
        return fail(unit, ELEVATOR_FAULT_SAFETY);
    }
    return states[unit->state](unit, inputs);
}

bool elevator_states_driven(enum elevator_state state)
{
    return state == ELEVATOR_START || state == ELEVATOR_TRAVEL || state == ELEVATOR_RELEVEL;
}

void elevator_states_enter(struct elevator_unit *unit, enum elevator_state state,
                           const struct elevator_inputs *in)
{
    if (elevator_states_driven(unit->state) && !elevator_states_driven(state)) {
        unit->brake_closes = state != ELEVATOR_FAULT;
        unit->brake_closes_ms = unit->now_ms;
    }
    if (state == ELEVATOR_START || state == ELEVATOR_RELEVEL) {
        unit->preload_nm = preload(unit, in->load_kg);
        unit->brake_closes = unit->travels = false;
    }
    if (state == ELEVATOR_FAULT) {
        unit->brake_closes = unit->resets = false;
        unit->was_reset_pressed = true; /* unless it is seen released, it was held before */
    }
    unit->has_force = false;
    unit->state = state;
    unit->entered_ms = unit->now_ms;
}
