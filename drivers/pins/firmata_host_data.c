/* SPDX-License-Identifier: Apache-2.0 */
/* What a host takes from a board's messages: who it is, what its pins can do, levels. */
#include <math.h>
#include <stdio.h>

#include "firmata_host_parts.h"

/* ---- received data: identification ---- */

static void refuse(struct firmata_host *host, const char *problem)
{
    host->phase = FIRMATA_REFUSED;
    snprintf(host->problem, sizeof host->problem, "%s", problem);
}

/* Resets the board first, to end what it did for an earlier host. */
static void handle_firmware(struct firmata_host *host, const struct dpl_firmata_message *message,
                            dpl_ns now)
{
    if (message->n < 2 || (host->phase != FIRMATA_UNKNOWN && host->phase != FIRMATA_READY)) {
        return;
    }
    host->restarts += host->phase == FIRMATA_READY;
    dpl_firmata_get_text(message->data + 2, message->n - 2, host->firmware, sizeof host->firmware);
    host->phase = FIRMATA_CAPABILITY;
    firmata_host_halt(host);
    firmata_host_ask(host, now);
}

static void add_capability(struct firmata_host_pin *pin, uint8_t mode, uint8_t bits)
{
    if (mode < 16) {
        pin->modes |= (uint16_t)FIRMATA_BIT(mode);
    }
    uint8_t width = bits > 0 && bits <= 16 ? bits : 8;
    if (mode == DPL_FIRMATA_MODE_ANALOG) {
        pin->adc_bits = width;
    } else if (mode == DPL_FIRMATA_MODE_PWM) {
        pin->pwm_bits = width;
    }
}

static void handle_capabilities(struct firmata_host *host, const uint8_t *data, size_t n,
                                dpl_ns now)
{
    size_t pin = 0;
    for (size_t i = 0; i < DPL_PINS_MAX; i++) {
        host->pins[i].modes = 0;
        host->pins[i].adc_bits = 10;
        host->pins[i].pwm_bits = 8;
        host->pins[i].channel = DPL_FIRMATA_NO_CHANNEL;
    }
    for (size_t i = 0; i < n && pin < DPL_PINS_MAX; i++) {
        if (data[i] == 0x7f) {
            pin++;
        } else if (i + 1 < n) {
            add_capability(&host->pins[pin], data[i], data[i + 1]);
            i++;
        }
    }
    host->n_pins = pin;
    host->phase = FIRMATA_MAPPING;
    firmata_host_ask(host, now);
}

static void become_ready(struct firmata_host *host)
{
    uint8_t interval[2] = {host->config.sampling_ms & 0x7f,
                           (uint8_t)(host->config.sampling_ms >> 7 & 0x7f)};
    host->phase = FIRMATA_READY;
    firmata_host_send_sysex(host, DPL_FIRMATA_SAMPLING, interval, 2);
    for (unsigned i = 0; i < host->n_pins; i++) {
        struct firmata_host_pin *pin = &host->pins[i];
        pin->wire_mode = FIRMATA_NO_MODE;
        if (pin->is_set && firmata_host_can(pin->modes, pin->mode)) {
            firmata_host_apply_mode(host, i);
        }
    }
}

/* Numbers for analog names were assigned before the board answered: they must match its mapping. */
static void handle_mapping(struct firmata_host *host, const uint8_t *data, size_t n)
{
    char problem[128];
    for (size_t i = 0; i < n && i < host->n_pins; i++) {
        bool has = data[i] < DPL_FIRMATA_CHANNELS_MAX;
        host->pins[i].channel = has ? data[i] : DPL_FIRMATA_NO_CHANNEL;
        if (!has) {
            host->pins[i].modes &= (uint16_t)~FIRMATA_BIT(DPL_FIRMATA_MODE_ANALOG);
        } else if (data[i] == 0 && i != host->config.first_analog) {
            snprintf(problem, sizeof problem, "its pin A0 is pin %zu; set FirstAnalogPin to that",
                     i);
            refuse(host, problem);
            return;
        }
    }
    for (size_t i = n; i < host->n_pins; i++) {
        host->pins[i].modes &= (uint16_t)~FIRMATA_BIT(DPL_FIRMATA_MODE_ANALOG);
    }
    become_ready(host);
}

/* ---- received data: values ---- */

static void update_port(struct firmata_host *host, unsigned port, unsigned value, dpl_ns now)
{
    for (unsigned i = 0; i < 8 && 8 * port + i < host->n_pins; i++) {
        struct firmata_host_pin *pin = &host->pins[8 * port + i];
        bool level = value >> i & 1;
        if (!pin->is_set || (pin->mode != DPL_PIN_INPUT && pin->mode != DPL_PIN_PULL_UP)) {
            continue;
        }
        bool is_edge = pin->known && pin->level != level;
        pin->known = true;
        pin->level = level;
        if (is_edge && !pin->pings) {
            host->config.edge(host->config.user, 8 * port + i, level, now);
        }
    }
}

static void update_analog(struct firmata_host *host, unsigned channel, unsigned value)
{
    for (size_t i = 0; i < host->n_pins; i++) {
        struct firmata_host_pin *pin = &host->pins[i];
        if (pin->channel == channel) {
            pin->known |= pin->is_set && pin->mode == DPL_PIN_ANALOG_IN;
            pin->ratio = fmin((double)value / (double)(FIRMATA_BIT(pin->adc_bits) - 1), 1.0);
        }
    }
}

/* A length of 0: no answer arrived in time. */
static void handle_ping(struct firmata_host *host, const uint8_t *data, size_t n, dpl_ns now)
{
    if (n != 10 || data[0] >= host->n_pins || !host->pins[data[0]].pings) {
        return;
    }
    dpl_ns width = (dpl_ns)dpl_firmata_get_u32be(data + 2) * DPL_US;
    if (width > 0) {
        host->config.edge(host->config.user, data[0], true, now - width);
        host->config.edge(host->config.user, data[0], false, now);
    }
}

static void handle_sysex(struct firmata_host *host, const struct dpl_firmata_message *message,
                         dpl_ns now)
{
    char text[128];
    switch (message->sysex) {
    case DPL_FIRMATA_FIRMWARE: handle_firmware(host, message, now); break;
    case DPL_FIRMATA_CAPABILITY:
        if (host->phase == FIRMATA_CAPABILITY) {
            handle_capabilities(host, message->data, message->n, now);
        }
        break;
    case DPL_FIRMATA_MAPPING:
        if (host->phase == FIRMATA_MAPPING) {
            handle_mapping(host, message->data, message->n);
        }
        break;
    case DPL_FIRMATA_PING: handle_ping(host, message->data, message->n, now); break;
    case DPL_FIRMATA_STRING:
        dpl_firmata_get_text(message->data, message->n, text, sizeof text);
        host->config.text(host->config.user, text);
        break;
    default: break;
    }
}

static void handle_message(struct firmata_host *host, const struct dpl_firmata_message *message,
                           dpl_ns now)
{
    switch (message->command) {
    case DPL_FIRMATA_VERSION: host->version = message->value; break;
    case DPL_FIRMATA_SYSEX: handle_sysex(host, message, now); break;
    case DPL_FIRMATA_DIGITAL:
        if (host->phase == FIRMATA_READY) {
            update_port(host, message->channel, message->value, now);
        }
        break;
    case DPL_FIRMATA_ANALOG:
        if (host->phase == FIRMATA_READY) {
            update_analog(host, message->channel, message->value);
        }
        break;
    default: break;
    }
}

bool firmata_host_data(struct firmata_host *host, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct dpl_byte_view input = {bytes, n};
    struct dpl_firmata_message message;
    bool any = false;
    while (dpl_firmata_parser_next(&host->parser, &input, &message)) {
        handle_message(host, &message, now);
        any = true;
    }
    if (any) {
        host->heard_at = now;
    }
    return any;
}
