/* SPDX-License-Identifier: Apache-2.0 */
/* The bus of the driver `cia402`: adapter, frames, SYNC. */
#include "cia402_bus.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* after closing it, further data from it is discarded for this time */
#define ADAPTER_QUIET   (50 * DPL_MS)
#define ADAPTER_TIMEOUT (500 * DPL_MS) /* for an answer */
#define LOAD_WINDOW     DPL_S

/* ---- sending ---- */

void cia402_bus_flush(struct cia402_bus *bus)
{
    if (bus->n_out > 0) {
        bus->config.write(bus->config.user, bus->out, bus->n_out);
        bus->n_out = 0;
    }
}

void cia402_bus_send(void *user, const struct dpl_can_frame *frame)
{
    struct cia402_bus *bus = user;
    if (bus->n_out + DPL_CAN_WIRE_MAX > sizeof bus->out) {
        cia402_bus_flush(bus);
    }
    bus->n_out += dpl_can_wire_encode(bus->config.wire, frame, bus->out + bus->n_out);
    bus->bits += dpl_can_frame_bits(frame->length, true);
    bus->sample.frames_out++;
}

void cia402_bus_send_adapter(struct cia402_bus *bus, enum dpl_slcan_kind kind, uint32_t value,
                             dpl_ns now)
{
    char text[DPL_SLCAN_LINE_MAX];
    struct dpl_slcan_message message = {.kind = kind, .value = value};
    bus->config.write(bus->config.user, text, dpl_slcan_encode(&message, text));
    bus->told_adapter_at = now;
}

/* ---- the adapter ---- */

static void begin_nodes(struct cia402_bus *bus, dpl_ns now)
{
    bus->adapter = CIA402_ADAPTER_UP;
    bus->synced_at = now - bus->config.settings.period;
    bus->timer_at = now;
    bus->load_from = now;
    bus->bits = 0;
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        cia402_node_begin(&bus->nodes[i], now);
    }
    cia402_bus_flush(bus);
}

/* The adapter has answered, or has been quiet for long enough. */
static void advance_adapter(struct cia402_bus *bus, dpl_ns now)
{
    switch (bus->adapter) {
    case CIA402_ADAPTER_CLOSING:
        bus->adapter = CIA402_ADAPTER_SPEED;
        cia402_bus_send_adapter(bus, DPL_SLCAN_SPEED,
                                (uint32_t)dpl_slcan_speed_number(bus->config.settings.bit_rate),
                                now);
        break;
    case CIA402_ADAPTER_SPEED:
        bus->adapter = CIA402_ADAPTER_OPENING;
        cia402_bus_send_adapter(bus, DPL_SLCAN_OPEN, 0, now);
        break;
    case CIA402_ADAPTER_OPENING: begin_nodes(bus, now); break;
    case CIA402_NO_ADAPTER:
    case CIA402_ADAPTER_UP: break;
    }
}

static void hear_adapter(struct cia402_bus *bus, bool refused, dpl_ns now)
{
    bool is_asked = bus->adapter == CIA402_ADAPTER_SPEED || bus->adapter == CIA402_ADAPTER_OPENING;
    if (bus->adapter == CIA402_ADAPTER_CLOSING) {
        bus->told_adapter_at = now;
    } else if (is_asked && refused) {
        snprintf(bus->problem, sizeof bus->problem, "the CAN adapter refuses %s",
                 bus->adapter == CIA402_ADAPTER_SPEED ? "this bit rate" : "to open the bus");
        bus->adapter = CIA402_NO_ADAPTER;
    } else if (is_asked) {
        advance_adapter(bus, now);
    }
}

/* False: the adapter does not answer, or has refused. */
static bool watch_adapter(struct cia402_bus *bus, dpl_ns now)
{
    dpl_ns waited = now - bus->told_adapter_at;
    if (bus->adapter == CIA402_ADAPTER_CLOSING && waited > ADAPTER_QUIET) {
        advance_adapter(bus, now);
    } else if (bus->adapter != CIA402_ADAPTER_UP && waited > ADAPTER_TIMEOUT) {
        if (bus->adapter != CIA402_NO_ADAPTER) {
            snprintf(bus->problem, sizeof bus->problem, "nothing on this port speaks slcan");
        }
        return false;
    }
    return true;
}

/* ---- drives ---- */

static void update_readiness(struct cia402_bus *bus)
{
    bus->ready = true;
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        const struct cia402_node *node = &bus->nodes[i];
        if (node->phase != CIA402_AT_WORK) {
            bus->ready = false;
            snprintf(bus->problem, sizeof bus->problem, "axis %d (node %u): %s", i + 1, node->id,
                     node->problem[0] != '\0' ? node->problem : "it does not answer yet");
            return;
        }
    }
}

static void handle_news(struct cia402_bus *bus, int axis, enum cia402_news news, dpl_ns now)
{
    const struct cia402_node *node = &bus->nodes[axis];
    switch (news) {
    case CIA402_NO_NEWS: return;
    case CIA402_IS_LOST:
        cia402_modes_lose(bus);
        bus->failures[axis][0] = '\0';
        cia402_report(bus, DPL_LOG_WARN, "axis %d (node %u): %s", axis + 1, node->id,
                      node->problem);
        break;
    case CIA402_FAILED: cia402_report_failure(bus, axis); break;
    case CIA402_EMCY:
        bus->sample.emergencies += node->error != 0;
        cia402_report_emergency(bus, axis, now);
        return;
    case CIA402_IS_READY:
        cia402_modes_forget_rest(bus, axis);
        bus->failures[axis][0] = '\0';
        cia402_report_identity(bus, axis);
        cia402_report(bus, DPL_LOG_DEBUG, "axis %d (node %u) is in use by another master", axis + 1,
                      node->id);
        break;
    }
    update_readiness(bus);
}

static void hear_frame(struct cia402_bus *bus, const struct dpl_can_frame *frame, dpl_ns now)
{
    struct dpl_canopen_cob cob = dpl_canopen_classify(frame);
    bus->sample.frames_in++;
    bus->bits += dpl_can_frame_bits(frame->length, true);
    for (int i = 0; i < cia402_n_axes(&bus->config.settings) && cob.node != 0; i++) {
        if (bus->nodes[i].id == cob.node) {
            handle_news(bus, i, cia402_node_hear(&bus->nodes[i], frame, cob, now), now);
            return;
        }
    }
}

void cia402_bus_data(struct cia402_bus *bus, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct dpl_byte_view input = {bytes, n};
    struct dpl_can_frame frame;
    enum dpl_can_wire_event event;
    while ((event = dpl_can_wire_next(&bus->wire, &input, &frame)) != DPL_CAN_WIRE_NOTHING) {
        if (event != DPL_CAN_WIRE_FRAME) {
            hear_adapter(bus, event == DPL_CAN_WIRE_REFUSED, now);
        } else if (bus->adapter == CIA402_ADAPTER_UP) {
            hear_frame(bus, &frame, now);
        }
    }
    bus->sample.dropped_bytes = bus->wire.dropped_bytes;
    cia402_bus_flush(bus);
}

/* ---- a period ---- */

/* Collects the answers to the last SYNC: one sample of all axes for the same time, or none. */
static void collect(struct cia402_bus *bus)
{
    const struct cia402_settings *settings = &bus->config.settings;
    struct cia402_sample *sample = &bus->sample;
    double direction = settings->counts_per_m < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        if (!bus->nodes[i].has_position || !bus->nodes[i].has_velocity) {
            sample->missed += bus->ready && bus->has_synced;
            return;
        }
    }
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        const struct cia402_node *node = &bus->nodes[i];
        sample->position_m[i] = node->position / settings->counts_per_m;
        sample->velocity_m_s[i] = node->velocity / settings->counts_per_m;
        sample->effort_n[i] = 1e-3 * node->torque * settings->rated_force_n * direction;
        sample->statuswords[i] = node->statusword;
    }
    sample->stamp = bus->synced_at;
    sample->valid = true;
}

static void measure_load(struct cia402_bus *bus, dpl_ns now)
{
    dpl_ns span = now - bus->load_from;
    if (span >= LOAD_WINDOW) {
        bus->sample.load = (double)bus->bits / (dpl_ns_to_s(span) * bus->config.settings.bit_rate);
        bus->bits = 0;
        bus->load_from = now;
    }
}

/* The nominal time of a SYNC that is sent at `now`. The stream's timer fires late, never early: the
 * earliest ones give the nominal times. Drives determine them in the same way, so that their
 * interpolation is as regular as the reference. */
static dpl_ns instant_of(const struct cia402_bus *bus, dpl_ns now)
{
    dpl_ns period = bus->config.settings.period;
    dpl_ns nearest = (now - bus->instant + period / 2) / period;
    dpl_ns expected = bus->instant + nearest * period;
    return bus->has_synced && nearest > 0 && expected < now ? expected : now;
}

/* A lost drive may still receive. */
static void command_drives(struct cia402_bus *bus)
{
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        struct cia402_node *node = &bus->nodes[i];
        cia402_node_expect(node);
        if (node->phase == CIA402_AWAY) {
            cia402_node_command(node, cia402_modes_goal(bus, i), node->position, 0, 0);
        } else if (node->phase == CIA402_AT_WORK) {
            struct cia402_target target = cia402_modes_target(bus, i, bus->instant);
            cia402_node_command(node, cia402_modes_goal(bus, i), target.position, target.velocity,
                                target.torque);
        }
    }
}

/* Sends the targets first, then the SYNC at which the drives apply them and answer. */
static void end_period(struct cia402_bus *bus, dpl_ns now)
{
    struct dpl_can_frame sync = dpl_canopen_sync();
    double late_s = dpl_ns_to_s(now - bus->synced_at - bus->config.settings.period);
    collect(bus);
    cia402_modes_step(bus, now);
    bus->sample.mode = bus->mode;
    bus->sample.seen = bus->command.sequence;
    bus->instant = instant_of(bus, now);
    command_drives(bus);
    cia402_bus_send(bus, &sync);
    cia402_bus_flush(bus);
    if (bus->ready && late_s > bus->sample.latest_sync_s) {
        bus->sample.latest_sync_s = late_s;
    }
    bus->synced_at = now;
    bus->has_synced = true;
    bus->sample.syncs++;
}

/* A lost drive is not reset before it has had the time to come to rest and has received the command
 * to switch off. */
static void watch_node(struct cia402_bus *bus, int axis, dpl_ns now)
{
    struct cia402_node *node = &bus->nodes[axis];
    if (node->phase != CIA402_AWAY || bus->rests[axis].is_over) {
        handle_news(bus, axis, cia402_node_timer(node, now), now);
    }
    cia402_report_emergencies_again(bus, axis, false, now);
}

/* Data that arrived while the timer was late is processed after it. */
static void excuse_drives(struct cia402_bus *bus, dpl_ns now)
{
    dpl_ns late = now - bus->timer_at - bus->config.settings.period;
    for (int i = 0; i < cia402_n_axes(&bus->config.settings) && late > bus->config.settings.period;
         i++) {
        cia402_node_excuse(&bus->nodes[i], late, now);
    }
    bus->timer_at = now;
}

bool cia402_bus_timer(struct cia402_bus *bus, dpl_ns now, int *ret_error)
{
    if (bus->adapter != CIA402_ADAPTER_UP) {
        *ret_error = watch_adapter(bus, now) ? 0 : -EPROTO;
        return false;
    }
    *ret_error = 0;
    excuse_drives(bus, now);
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        watch_node(bus, i, now);
    }
    if (!bus->ready) {
        update_readiness(bus);
    }
    measure_load(bus, now);
    bool is_due = now - bus->synced_at > bus->config.settings.period / 2;
    if (is_due) {
        end_period(bus, now);
    }
    cia402_bus_flush(bus);
    return is_due;
}

/* ---- life cycle ---- */

static void disconnect(struct cia402_bus *bus)
{
    bus->adapter = CIA402_NO_ADAPTER;
    bus->n_out = 0;
    bus->ready = false;
    bus->sample.valid = false;
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        cia402_node_forget(&bus->nodes[i]);
    }
}

void cia402_bus_init(struct cia402_bus *bus, const struct cia402_bus_config *config)
{
    *bus = (struct cia402_bus){.config = *config, .is_commanded = true};
    bus->sample.fault_axis = -1;
    cia402_plan_make(&bus->plan, &bus->config.settings);
    for (int i = 0; i < cia402_n_axes(&bus->config.settings); i++) {
        cia402_node_init(&bus->nodes[i], config->settings.nodes[i], &bus->config.settings,
                         &bus->plan);
        bus->nodes[i].send = cia402_bus_send;
        bus->nodes[i].user = bus;
    }
    disconnect(bus);
}

void cia402_bus_opened(struct cia402_bus *bus, dpl_ns now)
{
    dpl_can_wire_init(&bus->wire, bus->config.wire);
    bus->sample.connections++;
    bus->has_synced = false;
    bus->is_halted = false;
    if (bus->config.wire == DPL_CAN_WIRE_RECORDS) {
        begin_nodes(bus, now);
        return;
    }
    bus->adapter = CIA402_ADAPTER_CLOSING;
    /* ends an incomplete command of an earlier program */
    bus->config.write(bus->config.user, "\r", 1);
    cia402_bus_send_adapter(bus, DPL_SLCAN_CLOSE, 0, now);
}

void cia402_bus_closed(struct cia402_bus *bus)
{
    disconnect(bus);
    cia402_modes_lose_all(bus);
}
