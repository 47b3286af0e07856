/* SPDX-License-Identifier: Apache-2.0 */
/* Detects when an axis is at rest. The end of a bus: all drives stop, then they are switched off.
 */
#include <math.h>

#include "cia402_bus.h"

#define PERIODS   3 /* at standstill, until the axis counts as at rest */
/* added to the ramp: for the way of the command, and for the time after the end of the ramp */
#define MARGIN    (250 * DPL_MS)
/* factor of the expected time, for drives whose ramp takes longer */
#define SLOWER    2.0
#define LIMIT_MAX (10 * DPL_S)

static double speed_of(const struct cia402_node *node)
{
    return fabs(node->velocity / node->settings->counts_per_m);
}

/* Whether the newest data of the drive show that its axis does not move. */
static bool stands(const struct cia402_node *node)
{
    if (node->phase != CIA402_AT_WORK || !cia402_node_is_fresh(node)) {
        return false;
    }
    switch (node->state) {
    case DPL_CIA402_ENABLED:
    case DPL_CIA402_FAULT_REACTION: return false;
    case DPL_CIA402_QUICK_STOP: return speed_of(node) <= node->settings->standstill_m_s;
    default: return true;
    }
}

static dpl_ns limit_of(const struct cia402_rest *rest, const struct cia402_settings *settings)
{
    double ramp_s = settings->quick_stop_m_s2 > 0.0 ? rest->fastest_m_s / settings->quick_stop_m_s2
                                                    : dpl_ns_to_s(LIMIT_MAX);
    dpl_ns limit = MARGIN + dpl_ns_from_s(fmin(SLOWER * ramp_s, dpl_ns_to_s(LIMIT_MAX)));
    return limit < LIMIT_MAX ? limit : LIMIT_MAX;
}

void cia402_rest_step(struct cia402_rest *rest, const struct cia402_node *node, double told_m_s,
                      dpl_ns now)
{
    if (!rest->is_under_way) {
        *rest = (struct cia402_rest){.is_under_way = true, .since = now};
        rest->fastest_m_s = fabs(told_m_s);
    }
    rest->fastest_m_s = fmax(rest->fastest_m_s, speed_of(node));
    rest->periods = stands(node) ? rest->periods + 1 : 0;
    rest->has_come |= rest->periods >= PERIODS;
    rest->is_over |= rest->has_come || now - rest->since > limit_of(rest, node->settings);
}

/* Longest time from `now` until it is over; 0: it is over. */
static dpl_ns rest_left(const struct cia402_rest *rest, const struct cia402_node *node, dpl_ns now)
{
    dpl_ns left = rest->since + limit_of(rest, node->settings) - now;
    return rest->is_over || stands(node) || left < 0 ? 0 : left;
}

/* Also sends to a drive that follows targets the command to switch off after its ramp, in case this
 * program ends before it can. A drive in its ramp already uses its earlier command. */
static void prepare_halt(struct cia402_bus *bus)
{
    const struct dpl_canopen_sdo then_off = {
        .kind = DPL_SDO_WRITE,
        .index = DPL_CIA402_QUICK_STOP_OPTION,
        .size = 2,
        .value = DPL_CIA402_QUICK_STOP_AND_OFF,
    };
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        const struct cia402_node *node = &bus->nodes[i];
        if (node->phase == CIA402_AT_WORK && node->state == DPL_CIA402_ENABLED) {
            struct dpl_can_frame frame = dpl_canopen_sdo_request(node->id, &then_off);
            cia402_bus_send(bus, &frame);
        }
        cia402_report_emergencies_again(bus, i, true, 0);
    }
    bus->is_halted = true;
}

dpl_ns cia402_bus_halt(struct cia402_bus *bus, dpl_ns now)
{
    struct dpl_can_frame sync = dpl_canopen_sync();
    dpl_ns longest = 0;
    if (bus->adapter != CIA402_ADAPTER_UP) {
        return 0;
    }
    if (!bus->is_halted) {
        prepare_halt(bus);
    }
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        struct cia402_node *node = &bus->nodes[i];
        cia402_rest_step(&bus->rests[i], node, bus->held_m_s[i], now);
        dpl_ns left = rest_left(&bus->rests[i], node, now);
        longest = left > longest ? left : longest;
        cia402_node_command(node, DPL_CIA402_GOAL_STOP, node->position, 0, 0);
    }
    cia402_bus_send(bus, &sync);
    cia402_bus_flush(bus);
    return longest;
}

/* Uses process data, for a drive in operation, and an object, for other drives. */
static void switch_off(struct cia402_bus *bus, struct cia402_node *node)
{
    const struct dpl_canopen_sdo no_voltage = {
        .kind = DPL_SDO_WRITE,
        .index = DPL_CIA402_CONTROLWORD,
        .size = 2,
        .value = DPL_CIA402_DISABLE_VOLTAGE,
    };
    cia402_node_command(node, DPL_CIA402_GOAL_OFF, node->position, 0, 0);
    if (node->phase != CIA402_AT_WORK) {
        struct dpl_can_frame frame = dpl_canopen_sdo_request(node->id, &no_voltage);
        cia402_bus_send(bus, &frame);
    }
}

void cia402_bus_off(struct cia402_bus *bus)
{
    struct dpl_can_frame frame = dpl_canopen_sync();
    if (bus->adapter != CIA402_ADAPTER_UP) {
        return;
    }
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        switch_off(bus, &bus->nodes[i]);
    }
    cia402_bus_send(bus, &frame);
    frame = dpl_canopen_nmt(DPL_CANOPEN_ENTER_PRE_OPERATIONAL, 0);
    cia402_bus_send(bus, &frame);
    cia402_bus_flush(bus);
    if (bus->config.wire == DPL_CAN_WIRE_SLCAN) {
        cia402_bus_send_adapter(bus, DPL_SLCAN_CLOSE, 0, 0);
    }
}
