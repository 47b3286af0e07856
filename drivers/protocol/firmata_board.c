/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a Firmata board: pins and their modes, the host's commands, sampling, pings. */
#include <doppel/protocol/firmata_board.h>

#include <errno.h>
#include <string.h>

#include "firmata_board_internal.h"

#define TEXT_SIZE 128

/* ---- changes of pins ---- */

/* Called after a change of the board's output to the wire. */
static void follow(struct dpl_firmata_board *board, unsigned pin, bool before, dpl_ns now)
{
    bool after = dpl_firmata_board_output(board, pin).level;
    if (after != before && board->config.edge) {
        board->config.edge(board->config.user, pin, after, now);
    }
    dpl__firmata_board_send_port(board, pin / 8, false, now);
}

static void set_state(struct dpl_firmata_board *board, unsigned pin, uint8_t mode, uint32_t state,
                      dpl_ns now)
{
    bool before = dpl_firmata_board_output(board, pin).level;
    board->pins[pin].mode = mode;
    board->pins[pin].state = state;
    follow(board, pin, before, now);
}

/* A value of the host, in the pin's mode. */
static void drive(struct dpl_firmata_board *board, unsigned pin, uint32_t value, dpl_ns now)
{
    board->pins[pin].told_at = now;
    set_state(board, pin, board->pins[pin].mode, value, now);
}

static uint8_t mode_at_start(const struct dpl_firmata_pin_kind *kind)
{
    if (kind->channel != DPL_FIRMATA_NO_CHANNEL) {
        return DPL_FIRMATA_MODE_ANALOG;
    }
    return kind->abilities & DPL_FIRMATA_CAN_DIGITAL ? DPL_FIRMATA_MODE_OUTPUT
                                                     : DPL__FIRMATA_IGNORED;
}

/* Analog pins become inputs, digital ones low outputs; nothing is reported. */
static void reset(struct dpl_firmata_board *board, dpl_ns now)
{
    board->analog_reports = board->digital_reports = 0;
    memset(board->told_ports, 0, sizeof board->told_ports);
    memset(board->pings, 0, sizeof board->pings);
    for (unsigned i = 0; i < board->config.n_pins; i++) {
        board->pins[i].servo_min_us = DPL_FIRMATA_SERVO_MIN_US;
        board->pins[i].servo_max_us = DPL_FIRMATA_SERVO_MAX_US;
        set_state(board, i, mode_at_start(&board->config.pins[i]), 0, now);
    }
}

static bool can(const struct dpl_firmata_board *board, unsigned pin, unsigned mode)
{
    const struct dpl_firmata_pin_kind *kind = &board->config.pins[pin];
    switch (mode) {
    case DPL_FIRMATA_MODE_INPUT:
    case DPL_FIRMATA_MODE_OUTPUT:
    case DPL_FIRMATA_MODE_PULL_UP: return kind->abilities & DPL_FIRMATA_CAN_DIGITAL;
    case DPL_FIRMATA_MODE_PWM: return kind->abilities & DPL_FIRMATA_CAN_PWM;
    case DPL_FIRMATA_MODE_SERVO: return kind->abilities & DPL_FIRMATA_CAN_SERVO;
    case DPL_FIRMATA_MODE_ANALOG: return kind->channel != DPL_FIRMATA_NO_CHANNEL;
    default: return false;
    }
}

/* A servo starts with the shortest pulses, as it is attached without a position. */
static int set_mode(struct dpl_firmata_board *board, unsigned pin, unsigned mode, dpl_ns now)
{
    if (pin >= board->config.n_pins) {
        return -EINVAL;
    }
    if (mode > DPL_FIRMATA_MODE_PULL_UP) {
        dpl__firmata_board_send_text(board, "Unknown pin mode", now);
        return -EINVAL;
    }
    if (!can(board, pin, mode)) {
        return -ENOTSUP;
    }
    uint8_t channel = board->config.pins[pin].channel;
    if (channel != DPL_FIRMATA_NO_CHANNEL) {
        board->analog_reports &= ~(1u << channel);
        board->analog_reports |= (uint32_t)(mode == DPL_FIRMATA_MODE_ANALOG) << channel;
    }
    set_state(board, pin, (uint8_t)mode, mode == DPL_FIRMATA_MODE_PULL_UP, now);
    return 0;
}

/* ---- commands ---- */

static int set_pin(struct dpl_firmata_board *board, unsigned pin, unsigned value, dpl_ns now)
{
    if (pin >= board->config.n_pins || value > 1) {
        return -EINVAL;
    }
    if (board->pins[pin].mode != DPL_FIRMATA_MODE_OUTPUT) {
        return -EPERM;
    }
    drive(board, pin, value, now);
    return 0;
}

/* A high value for an input turns its pull-up on, for hosts that do not use the pull-up mode. */
static void set_port(struct dpl_firmata_board *board, unsigned port, unsigned value, dpl_ns now)
{
    for (unsigned i = 0; i < 8 && 8 * port + i < board->config.n_pins; i++) {
        unsigned pin = 8 * port + i;
        unsigned level = value >> i & 1;
        uint8_t mode = board->pins[pin].mode;
        if (mode == DPL_FIRMATA_MODE_OUTPUT) {
            drive(board, pin, level, now);
        } else if (mode == DPL_FIRMATA_MODE_INPUT && level) {
            set_state(board, pin, DPL_FIRMATA_MODE_PULL_UP, 1, now);
        }
    }
}

static int set_analog(struct dpl_firmata_board *board, unsigned pin, uint32_t value, dpl_ns now)
{
    if (pin >= board->config.n_pins) {
        return -EINVAL;
    }
    uint8_t mode = board->pins[pin].mode;
    if (mode != DPL_FIRMATA_MODE_PWM && mode != DPL_FIRMATA_MODE_SERVO) {
        return -EPERM;
    }
    drive(board, pin, value, now);
    return 0;
}

int dpl__firmata_board_pin_of(const struct dpl_firmata_board *board, unsigned channel)
{
    for (size_t i = 0; i < board->config.n_pins; i++) {
        if (board->config.pins[i].channel == channel) {
            return (int)i;
        }
    }
    return -1;
}

/* Reports the current value at once. */
static int report_analog(struct dpl_firmata_board *board, unsigned channel, unsigned on, dpl_ns now)
{
    int pin = dpl__firmata_board_pin_of(board, channel);
    if (pin < 0) {
        return -EINVAL;
    }
    board->analog_reports &= ~(1u << channel);
    if (on) {
        board->analog_reports |= 1u << channel;
        dpl__firmata_board_send_analog(board, (unsigned)pin, now);
    }
    return 0;
}

static int report_digital(struct dpl_firmata_board *board, unsigned port, unsigned on, dpl_ns now)
{
    if (8 * port >= board->config.n_pins) {
        return -EINVAL;
    }
    board->digital_reports &= ~(1u << port);
    if (on) {
        board->digital_reports |= 1u << port;
        dpl__firmata_board_send_port(board, port, true, now);
    }
    return 0;
}

static int configure_servo(struct dpl_firmata_board *board, const uint8_t *data, size_t n,
                           dpl_ns now)
{
    if (n < 5 || data[0] >= board->config.n_pins) {
        return -EINVAL;
    }
    struct dpl_firmata_board_pin *pin = &board->pins[data[0]];
    if (!can(board, data[0], DPL_FIRMATA_MODE_SERVO)) {
        return -ENOTSUP;
    }
    uint16_t min = (uint16_t)dpl_firmata_get_groups(data + 1, 2);
    uint16_t max = (uint16_t)dpl_firmata_get_groups(data + 3, 2);
    if (min >= max) {
        return -EINVAL;
    }
    pin->servo_min_us = min;
    pin->servo_max_us = max;
    return pin->mode == DPL_FIRMATA_MODE_SERVO
               ? 0
               : set_mode(board, data[0], DPL_FIRMATA_MODE_SERVO, now);
}

static int set_sampling(struct dpl_firmata_board *board, const uint8_t *data, size_t n, dpl_ns now)
{
    if (n < 2) {
        return -EINVAL;
    }
    uint32_t ms = dpl_firmata_get_groups(data, 2);
    board->sampling = (ms > 0 ? ms : 1) * DPL_MS;
    board->next_sample = now + board->sampling;
    return 0;
}

/* Sends the pulse, then the pin listens. The lengths are in microseconds; a pulse of 0: none. */
static int ping(struct dpl_firmata_board *board, const uint8_t *data, size_t n, dpl_ns now)
{
    if (n != 18 || data[0] >= board->config.n_pins) {
        return -EINVAL;
    }
    unsigned pin = data[0];
    if (!(board->config.pins[pin].abilities & DPL_FIRMATA_CAN_PING)) {
        return -ENOTSUP;
    }
    bool value = data[1] != 0;
    dpl_ns pulse = dpl_firmata_get_u32be(data + 2) * DPL_US;
    set_state(board, pin, DPL_FIRMATA_MODE_INPUT, 0, now);
    board->pings[pin] = (struct dpl_firmata_ping){
        .active = true,
        .value = value,
        .deadline = now + pulse + dpl_firmata_get_u32be(data + 10) * DPL_US,
    };
    if (pulse > 0 && board->config.edge) {
        board->config.edge(board->config.user, pin, value, now);
        board->config.edge(board->config.user, pin, !value, now + pulse);
    }
    return 0;
}

static int handle_text(struct dpl_firmata_board *board, const uint8_t *data, size_t n)
{
    char text[TEXT_SIZE];
    dpl_firmata_get_text(data, n, text, sizeof text);
    if (board->config.text) {
        board->config.text(board->config.user, text);
    }
    return 0;
}

static int handle_sysex(struct dpl_firmata_board *board, const struct dpl_firmata_message *message,
                        dpl_ns now)
{
    const uint8_t *data = message->data;
    size_t n = message->n;
    switch (message->sysex) {
    case DPL_FIRMATA_FIRMWARE: dpl__firmata_board_send_firmware(board, now); return 0;
    case DPL_FIRMATA_CAPABILITY_QUERY: dpl__firmata_board_send_capabilities(board, now); return 0;
    case DPL_FIRMATA_MAPPING_QUERY: dpl__firmata_board_send_mapping(board, now); return 0;
    case DPL_FIRMATA_STATE_QUERY:
        if (n == 0) {
            return -EINVAL;
        }
        dpl__firmata_board_send_state(board, data[0], now);
        return 0;
    case DPL_FIRMATA_EXTENDED_ANALOG:
        return n < 2 ? -EINVAL
                     : set_analog(board, data[0], dpl_firmata_get_groups(data + 1, n - 1), now);
    case DPL_FIRMATA_SERVO_CONFIG: return configure_servo(board, data, n, now);
    case DPL_FIRMATA_SAMPLING: return set_sampling(board, data, n, now);
    case DPL_FIRMATA_STRING: return handle_text(board, data, n);
    case DPL_FIRMATA_PING: return ping(board, data, n, now);
    default: return -ENOTSUP;
    }
}

static int handle_message(struct dpl_firmata_board *board,
                          const struct dpl_firmata_message *message, dpl_ns now)
{
    unsigned number = message->channel, value = message->value;
    switch (message->command) {
    case DPL_FIRMATA_DIGITAL: set_port(board, number, value, now); return 0;
    case DPL_FIRMATA_ANALOG: return set_analog(board, number, value, now);
    case DPL_FIRMATA_REPORT_ANALOG: return report_analog(board, number, value, now);
    case DPL_FIRMATA_REPORT_DIGITAL: return report_digital(board, number, value, now);
    case DPL_FIRMATA_SET_MODE: return set_mode(board, number, value, now);
    case DPL_FIRMATA_SET_PIN: return set_pin(board, number, value, now);
    case DPL_FIRMATA_VERSION: dpl__firmata_board_send_version(board, now); return 0;
    case DPL_FIRMATA_RESET: reset(board, now); return 0;
    case DPL_FIRMATA_SYSEX: return handle_sysex(board, message, now);
    default: return -ENOTSUP;
    }
}

void dpl_firmata_board_receive(struct dpl_firmata_board *board, const uint8_t *bytes, size_t n,
                               dpl_ns now)
{
    struct dpl_byte_view input = {bytes, n};
    struct dpl_firmata_message message;
    while (dpl_firmata_parser_next(&board->parser, &input, &message)) {
        board->refused += handle_message(board, &message, now) < 0;
    }
}

/* ---- life cycle ---- */

void dpl_firmata_board_init(struct dpl_firmata_board *board,
                            const struct dpl_firmata_board_config *config)
{
    memset(board, 0, sizeof *board);
    board->config = *config;
    for (size_t i = 0; i < config->n_pins; i++) {
        board->pins[i].told_at = -1;
    }
    dpl_firmata_board_disconnected(board, 0);
}

void dpl_firmata_board_disconnected(struct dpl_firmata_board *board, dpl_ns now)
{
    uint64_t messages = board->parser.messages, dropped = board->parser.dropped_bytes;
    dpl_firmata_parser_init(&board->parser, false);
    board->parser.messages = messages;
    board->parser.dropped_bytes = dropped;
    board->sampling = DPL_FIRMATA_SAMPLING_MS * DPL_MS;
    board->next_sample = now + board->sampling;
    reset(board, now);
}

void dpl_firmata_board_connected(struct dpl_firmata_board *board, dpl_ns now)
{
    dpl_firmata_board_disconnected(board, now);
    dpl__firmata_board_send_version(board, now);
    dpl__firmata_board_send_firmware(board, now);
}

static void sample(struct dpl_firmata_board *board, dpl_ns now)
{
    for (unsigned i = 0; i < board->config.n_pins; i++) {
        unsigned channel = board->config.pins[i].channel;
        if (channel != DPL_FIRMATA_NO_CHANNEL && (board->analog_reports >> channel & 1) &&
            board->pins[i].mode == DPL_FIRMATA_MODE_ANALOG) {
            dpl__firmata_board_send_analog(board, i, now);
        }
    }
}

static void end_pings(struct dpl_firmata_board *board, dpl_ns now)
{
    for (unsigned i = 0; i < board->config.n_pins; i++) {
        if (board->pings[i].active && now >= board->pings[i].deadline) {
            board->pings[i].active = false;
            dpl__firmata_board_send_ping(board, i, 0, now);
        }
    }
}

dpl_ns dpl_firmata_board_tick(struct dpl_firmata_board *board, dpl_ns now)
{
    end_pings(board, now);
    if (now >= board->next_sample) {
        sample(board, now);
        board->next_sample += board->sampling * (1 + (now - board->next_sample) / board->sampling);
    }
    return board->next_sample;
}
