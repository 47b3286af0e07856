/* SPDX-License-Identifier: Apache-2.0 */
/* The common mode of the axes, from the command and the data of the drives:
 *
 *   OFF -on-> STARTING -all enabled-> ON -stop-> STOPPING -at rest, all enabled again-> ON
 *   STARTING, ON -off, silent or late application-> STOPPING -at rest-> OFF
 *   all except OFF -a drive has a fault, or leaves operation by itself-> FAULT -reset-> OFF
 *
 * After STOPPING and in FAULT each drive is switched off as soon as its own axis rests
 * (struct cia402_rest), without waiting for the others. */
#include <math.h>

#include "cia402_bus.h"

#define RESET_TIMEOUT (1 * DPL_S)

static void enter(struct cia402_bus *bus, enum dpl_axes_mode mode, dpl_ns now)
{
    bus->mode = mode;
    bus->mode_since = now;
    bus->resuming = false;
    bus->resetting = false;
}

static void stop(struct cia402_bus *bus, bool off_at_rest, dpl_ns now)
{
    if (bus->mode != DPL_AXES_STOPPING) {
        enter(bus, DPL_AXES_STOPPING, now);
        bus->off_at_rest = off_at_rest;
    }
    bus->off_at_rest |= off_at_rest;
}

static void fail(struct cia402_bus *bus, int axis, const char *why, dpl_ns now)
{
    const struct cia402_node *node = &bus->nodes[axis];
    bus->sample.fault = cia402_node_fault(node);
    bus->sample.fault_axis = axis;
    bus->revoked = bus->command.sequence;
    enter(bus, DPL_AXES_FAULT, now);
    cia402_report(bus, DPL_LOG_WARN, "axis %d (node %u): %s, its drive is in state '%s' (%04X, %s)",
                  axis + 1, node->id, why, dpl_cia402_state_name(node->state), bus->sample.fault,
                  dpl_canopen_emcy_name((uint16_t)bus->sample.fault));
}

void cia402_modes_lose(struct cia402_bus *bus)
{
    bus->sample.losses++; /* earlier commands are no longer valid: the others stop */
}

void cia402_modes_lose_all(struct cia402_bus *bus)
{
    bus->sample.losses++;
    bus->mode = DPL_AXES_OFF;
    bus->sample.fault = 0;
    bus->sample.fault_axis = -1;
}

/* ---- goals ------------- */

static bool is_obeyed(const struct cia402_bus *bus)
{
    const struct cia402_command *command = &bus->command;
    return command->losses == bus->sample.losses && command->sequence != bus->revoked;
}

static void apply_command(struct cia402_bus *bus, dpl_ns now)
{
    const struct cia402_command *command = &bus->command;
    bool stops = command->stops != bus->stops, resets = command->resets != bus->resets;
    bus->stops = command->stops;
    bus->resets = command->resets;
    if (resets && bus->mode == DPL_AXES_FAULT) {
        bus->resetting = true;
        bus->mode_since = now;
    }
    bool on = command->on && is_obeyed(bus);
    if (on && bus->mode == DPL_AXES_OFF) {
        enter(bus, DPL_AXES_STARTING, now);
    } else if (on && bus->mode == DPL_AXES_STOPPING) {
        bus->off_at_rest = false;
    } else if (!on && bus->mode != DPL_AXES_OFF && bus->mode != DPL_AXES_FAULT) {
        stop(bus, true, now);
    }
    if (stops && bus->mode == DPL_AXES_ON) {
        stop(bus, false, now);
    }
}

/* An application that no longer runs cannot stop the axes. The drives' own quick stop does it, not
 * a ramp that this program streams, because a process that has crashed may end before the ramp
 * (docs/design/six-axis-machine.md). Axes that hold after a stop are not left under power either.
 */
static void watch_application(struct cia402_bus *bus, dpl_ns now)
{
    const struct cia402_command *command = &bus->command;
    bool is_on = bus->mode == DPL_AXES_ON || bus->mode == DPL_AXES_STARTING ||
                 (bus->mode == DPL_AXES_STOPPING && !bus->off_at_rest);
    dpl_ns silent = now - command->stamp;
    bool is_silent = silent > bus->config.settings.reference_timeout;
    if (!is_on || (bus->is_commanded && !is_silent)) {
        return;
    }
    bus->revoked = command->sequence;
    if (is_silent) {
        cia402_report(bus, DPL_LOG_WARN, "no cycle of the application for %.0f ms: stopping",
                      1e3 * dpl_ns_to_s(silent));
    } else {
        cia402_report(bus, DPL_LOG_WARN, "no command in time: stopping");
    }
    bus->resuming = false;
    stop(bus, true, now);
}

/* ---- states of the drives ---- */

static void watch_drives(struct cia402_bus *bus, dpl_ns now)
{
    if (bus->mode == DPL_AXES_OFF || bus->mode == DPL_AXES_FAULT) {
        return;
    }
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        const struct cia402_node *node = &bus->nodes[i];
        if (node->phase != CIA402_AT_WORK) {
            continue;
        }
        if (node->state == DPL_CIA402_FAULT || node->state == DPL_CIA402_FAULT_REACTION) {
            fail(bus, i, "a fault", now);
            return;
        }
        if (bus->mode == DPL_AXES_ON && node->state != DPL_CIA402_ENABLED) {
            fail(bus, i, "the drive has left operation by itself", now);
            return;
        }
    }
}

/* Whether an axis moves, or may move. For a drive that is not operating this is unknown. */
static bool shall_rest(const struct cia402_bus *bus, int axis)
{
    bool is_on = bus->mode == DPL_AXES_ON || bus->mode == DPL_AXES_STARTING || bus->resuming;
    return !is_on || bus->nodes[axis].phase != CIA402_AT_WORK;
}

static void bring_to_rest(struct cia402_bus *bus, dpl_ns now)
{
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        if (shall_rest(bus, i)) {
            cia402_rest_step(&bus->rests[i], &bus->nodes[i], bus->held_m_s[i], now);
        } else {
            cia402_modes_forget_rest(bus, i);
        }
    }
}

void cia402_modes_forget_rest(struct cia402_bus *bus, int axis)
{
    bus->rests[axis] = (struct cia402_rest){0};
}

/* All drives that are operating have come to rest; the others are not waited for. */
static bool have_come_to_rest(const struct cia402_bus *bus)
{
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        if (bus->nodes[i].phase == CIA402_AT_WORK && !bus->rests[i].is_over) {
            return false;
        }
    }
    return true;
}

/* The first axis that is not at rest after its time to come to rest, or -1. */
static int find_restless(const struct cia402_bus *bus)
{
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        if (bus->nodes[i].phase == CIA402_AT_WORK && !bus->rests[i].has_come) {
            return i;
        }
    }
    return -1;
}

/* The first axis that is not in this state, or -1. */
static int find_other(const struct cia402_bus *bus, enum dpl_cia402_state state)
{
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        if (bus->nodes[i].phase != CIA402_AT_WORK || bus->nodes[i].state != state) {
            return i;
        }
    }
    return -1;
}

static void start_on(struct cia402_bus *bus, dpl_ns now)
{
    int late = find_other(bus, DPL_CIA402_ENABLED);
    if (late < 0) {
        enter(bus, DPL_AXES_ON, now);
    } else if (now - bus->mode_since > bus->config.settings.start_timeout) {
        fail(bus, late, "it does not start", now);
    }
}

static void stop_on(struct cia402_bus *bus, dpl_ns now)
{
    if (bus->resuming) {
        start_on(bus, now);
        return;
    }
    if (!have_come_to_rest(bus)) {
        return;
    }
    int restless = find_restless(bus);
    if (bus->off_at_rest) {
        enter(bus, DPL_AXES_OFF, now);
    } else if (restless >= 0) {
        fail(bus, restless, "it does not come to rest", now);
    } else {
        bus->resuming = true;
        bus->mode_since = now;
    }
}

static bool any_in_fault(const struct cia402_bus *bus)
{
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        const struct cia402_node *node = &bus->nodes[i];
        if (node->phase == CIA402_AT_WORK &&
            (node->state == DPL_CIA402_FAULT || node->state == DPL_CIA402_FAULT_REACTION)) {
            return true;
        }
    }
    return false;
}

static void fault_on(struct cia402_bus *bus, dpl_ns now)
{
    bool rests = have_come_to_rest(bus);
    if (!bus->resetting) {
        return;
    }
    if (rests && !any_in_fault(bus)) {
        bus->sample.fault = 0;
        bus->sample.fault_axis = -1;
        for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
            bus->nodes[i].error = 0;
        }
        enter(bus, DPL_AXES_OFF, now);
    } else if (rests && now - bus->mode_since > RESET_TIMEOUT) {
        bus->resetting = false; /* the cause of the fault remains */
    }
}

void cia402_modes_step(struct cia402_bus *bus, dpl_ns now)
{
    watch_drives(bus, now);
    apply_command(bus, now);
    watch_application(bus, now);
    bring_to_rest(bus, now);
    switch (bus->mode) {
    case DPL_AXES_STARTING: start_on(bus, now); break;
    case DPL_AXES_STOPPING: stop_on(bus, now); break;
    case DPL_AXES_FAULT: fault_on(bus, now); break;
    case DPL_AXES_OFF:
    case DPL_AXES_ON: break;
    }
}

enum dpl_cia402_goal cia402_modes_goal(const struct cia402_bus *bus, int axis)
{
    const struct cia402_node *node = &bus->nodes[axis];
    bool stays_on = bus->mode == DPL_AXES_STOPPING && !bus->off_at_rest;
    if (!shall_rest(bus, axis)) {
        return DPL_CIA402_GOAL_ON;
    }
    if (node->phase == CIA402_AT_WORK && node->state == DPL_CIA402_FAULT && bus->resetting) {
        return DPL_CIA402_GOAL_RESET;
    }
    return bus->rests[axis].is_over && !stays_on ? DPL_CIA402_GOAL_OFF : DPL_CIA402_GOAL_STOP;
}

/* The time for which a reference is extrapolated after its cycle, with its derivatives. */
static dpl_ns reach_of(const struct cia402_bus *bus)
{
    return 2 * bus->config.settings.period;
}

static void follow(struct cia402_bus *bus, int axis, dpl_ns now)
{
    const struct cia402_reference *reference = &bus->command.reference;
    double dt = dpl_ns_to_s(now - bus->command.stamp); /* below 0: the cycle ends later */
    double v = reference->velocity_m_s[axis], a = reference->acceleration_m_s2[axis];
    bus->held_m[axis] = reference->position_m[axis] + (v + 0.5 * a * dt) * dt;
    bus->held_m_s[axis] = v + a * dt;
}

/* Without a reference: to rest on a ramp, from the commanded position and speed of the drive. */
static void coast(struct cia402_bus *bus, int axis)
{
    double dt = dpl_ns_to_s(bus->config.settings.period);
    double v = bus->held_m_s[axis], step = bus->config.settings.quick_stop_m_s2 * dt;
    double next = fabs(v) > step ? v - copysign(step, v) : 0.0;
    bus->held_m[axis] += 0.5 * (v + next) * dt;
    bus->held_m_s[axis] = next;
}

struct cia402_target cia402_modes_target(struct cia402_bus *bus, int axis, dpl_ns now)
{
    const struct cia402_settings *settings = &bus->config.settings;
    const struct cia402_command *command = &bus->command;
    double counts = settings->counts_per_m, accel = 0.0;
    if (bus->nodes[axis].state != DPL_CIA402_ENABLED) {
        bus->held_m[axis] = bus->nodes[axis].position / counts;
        bus->held_m_s[axis] = 0.0;
    } else if (bus->mode == DPL_AXES_ON && command->following && is_obeyed(bus) &&
               now - command->stamp <= reach_of(bus)) {
        follow(bus, axis, now);
        accel = command->reference.acceleration_m_s2[axis];
    } else {
        coast(bus, axis);
    }
    double per_mille = 1e3 * settings->moved_kg / settings->rated_force_n * accel;
    double torque = fmin(fmax(copysign(1.0, counts) * per_mille, INT16_MIN), INT16_MAX);
    return (struct cia402_target){
        .position = cia402_counts(bus->held_m[axis], counts),
        .velocity = cia402_counts(bus->held_m_s[axis], counts),
        .torque = cia402_counts(torque, 1.0),
    };
}
