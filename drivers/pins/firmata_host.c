/* SPDX-License-Identifier: Apache-2.0 */
/* The host's side of Firmata. */
#include "firmata_host_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ASK_AGAIN    (500 * DPL_MS)
#define SERVO_LOW_HZ 40.0
#define SERVO_TOP_HZ 100.0
#define SERVO_MIN_US 544
#define SERVO_MAX_US 2400
#define SYSEX_MAX    24     /* the longest message that is sent: a ping of 18 bytes and its frame */
#define HAS_SET_PIN  0x0205 /* the first version with a message for a single pin */

/* ---- sending ---- */

static void send(struct firmata_host *host, const struct dpl_firmata_writer *writer)
{
    host->config.send(host->config.user, writer->data, writer->n);
}

/* A message with `n` bytes of 7 bits; at most two. */
static void send_short(struct firmata_host *host, uint8_t command, uint8_t first, uint8_t second,
                       size_t n)
{
    uint8_t bytes[3], data[2] = {first, second};
    struct dpl_firmata_writer writer = {.data = bytes, .size = sizeof bytes};
    dpl_firmata_put(&writer, command, data, n);
    send(host, &writer);
}

void firmata_host_send_sysex(struct firmata_host *host, enum dpl_firmata_sysex id,
                             const uint8_t *data, size_t n)
{
    uint8_t bytes[SYSEX_MAX];
    struct dpl_firmata_writer writer = {.data = bytes, .size = sizeof bytes};
    dpl_firmata_put_sysex(&writer, id, data, n);
    send(host, &writer);
}

void firmata_host_ask(struct firmata_host *host, dpl_ns now)
{
    host->asked_at = now;
    switch (host->phase) {
    case FIRMATA_UNKNOWN:
        send_short(host, DPL_FIRMATA_VERSION, 0, 0, 0);
        firmata_host_send_sysex(host, DPL_FIRMATA_FIRMWARE, NULL, 0);
        break;
    case FIRMATA_CAPABILITY:
        firmata_host_send_sysex(host, DPL_FIRMATA_CAPABILITY_QUERY, NULL, 0);
        break;
    case FIRMATA_MAPPING: firmata_host_send_sysex(host, DPL_FIRMATA_MAPPING_QUERY, NULL, 0); break;
    case FIRMATA_READY: send_short(host, DPL_FIRMATA_VERSION, 0, 0, 0); break;
    case FIRMATA_REFUSED: break;
    }
}

/* ---- pins ---- */

bool firmata_host_can(uint16_t modes, enum dpl_pin_mode mode)
{
    static const uint16_t needed[] = {
        [DPL_PIN_INPUT] = FIRMATA_BIT(DPL_FIRMATA_MODE_INPUT),
        [DPL_PIN_PULL_UP] = FIRMATA_BIT(DPL_FIRMATA_MODE_PULL_UP),
        [DPL_PIN_OUTPUT] = FIRMATA_BIT(DPL_FIRMATA_MODE_OUTPUT),
        [DPL_PIN_ANALOG_IN] = FIRMATA_BIT(DPL_FIRMATA_MODE_ANALOG),
        [DPL_PIN_ANALOG_OUT] = 0,
        [DPL_PIN_PWM_OUT] = FIRMATA_BIT(DPL_FIRMATA_MODE_PWM) | FIRMATA_BIT(DPL_FIRMATA_MODE_SERVO),
        [DPL_PIN_PWM_IN] = 0,
    };
    return modes & needed[mode];
}

static void send_mode(struct firmata_host *host, unsigned pin, uint8_t wire_mode)
{
    host->pins[pin].wire_mode = wire_mode;
    send_short(host, DPL_FIRMATA_SET_MODE, (uint8_t)pin, wire_mode, 2);
}

void firmata_host_apply_mode(struct firmata_host *host, unsigned number)
{
    struct firmata_host_pin *pin = &host->pins[number];
    pin->known = pin->level = false;
    switch (pin->mode) {
    case DPL_PIN_INPUT:
    case DPL_PIN_PULL_UP:
        send_mode(host, number,
                  pin->mode == DPL_PIN_INPUT ? DPL_FIRMATA_MODE_INPUT : DPL_FIRMATA_MODE_PULL_UP);
        send_short(host, (uint8_t)(DPL_FIRMATA_REPORT_DIGITAL | number / 8), 1, 0, 1);
        break;
    case DPL_PIN_OUTPUT: send_mode(host, number, DPL_FIRMATA_MODE_OUTPUT); break;
    case DPL_PIN_ANALOG_IN:
        send_mode(host, number, DPL_FIRMATA_MODE_ANALOG);
        send_short(host, (uint8_t)(DPL_FIRMATA_REPORT_ANALOG | pin->channel), 1, 0, 1);
        break;
    case DPL_PIN_PWM_OUT: pin->wire_mode = FIRMATA_NO_MODE; break;
    default: break;
    }
}

static int usable(const struct firmata_host *host, unsigned pin, enum dpl_pin_mode mode)
{
    if (host->phase != FIRMATA_READY) {
        return -ENODEV;
    }
    if (pin >= host->n_pins || (unsigned)mode > DPL_PIN_PWM_IN) {
        return -EINVAL;
    }
    return firmata_host_can(host->pins[pin].modes, mode) ? 0 : -ENOTSUP;
}

int firmata_host_set_mode(struct firmata_host *host, unsigned pin, enum dpl_pin_mode mode)
{
    int err = usable(host, pin, mode);
    if (err == 0) {
        host->pins[pin].is_set = true;
        host->pins[pin].mode = mode;
        firmata_host_apply_mode(host, pin);
    }
    return err;
}

/* Sends the outputs of a port, for boards before 2.5. */
static void write_port(struct firmata_host *host, unsigned port)
{
    uint8_t value = 0;
    for (unsigned i = 0; i < 8 && 8 * port + i < host->n_pins; i++) {
        const struct firmata_host_pin *pin = &host->pins[8 * port + i];
        value |= (uint8_t)((pin->is_set && pin->mode == DPL_PIN_OUTPUT && pin->level) << i);
    }
    send_short(host, (uint8_t)(DPL_FIRMATA_DIGITAL | port), value & 0x7f, value >> 7, 2);
}

static void write_level(struct firmata_host *host, unsigned pin)
{
    if (host->version >= HAS_SET_PIN) {
        send_short(host, DPL_FIRMATA_SET_PIN, (uint8_t)pin, host->pins[pin].level, 2);
    } else {
        write_port(host, pin / 8);
    }
}

int firmata_host_write(struct firmata_host *host, unsigned pin, bool level)
{
    int err = usable(host, pin, DPL_PIN_OUTPUT);
    if (err < 0) {
        return err;
    }
    if (host->pins[pin].mode != DPL_PIN_OUTPUT) {
        return -EPERM;
    }
    host->pins[pin].level = level;
    write_level(host, pin);
    return 0;
}

static void send_pin_value(struct firmata_host *host, unsigned pin, uint32_t value)
{
    uint8_t bytes[16];
    struct dpl_firmata_writer writer = {.data = bytes, .size = sizeof bytes};
    dpl_firmata_put_pin_value(&writer, (uint8_t)pin, value);
    send(host, &writer);
}

static void write_servo(struct firmata_host *host, unsigned pin, double pulse_us)
{
    if (host->pins[pin].wire_mode != DPL_FIRMATA_MODE_SERVO) {
        uint8_t bytes[16];
        struct dpl_firmata_writer writer = {.data = bytes, .size = sizeof bytes};
        dpl_firmata_put_servo_config(&writer, (uint8_t)pin, SERVO_MIN_US, SERVO_MAX_US);
        send(host, &writer);
        send_mode(host, pin, DPL_FIRMATA_MODE_SERVO);
    }
    double limited = fmin(fmax(pulse_us, SERVO_MIN_US), SERVO_MAX_US);
    send_pin_value(host, pin, (uint32_t)(limited + 0.5));
}

int firmata_host_write_pwm(struct firmata_host *host, unsigned pin, double duty,
                           double frequency_hz)
{
    int err = usable(host, pin, DPL_PIN_PWM_OUT);
    if (err < 0) {
        return err;
    }
    const struct firmata_host_pin *p = &host->pins[pin];
    if (p->mode != DPL_PIN_PWM_OUT) {
        return -EPERM;
    }
    bool is_servo = frequency_hz >= SERVO_LOW_HZ && frequency_hz <= SERVO_TOP_HZ;
    if (is_servo && (p->modes & FIRMATA_BIT(DPL_FIRMATA_MODE_SERVO))) {
        write_servo(host, pin, duty / frequency_hz * 1e6);
        return 0;
    }
    if (!(p->modes & FIRMATA_BIT(DPL_FIRMATA_MODE_PWM))) {
        return -ENOTSUP;
    }
    if (p->wire_mode != DPL_FIRMATA_MODE_PWM) {
        send_mode(host, pin, DPL_FIRMATA_MODE_PWM);
    }
    send_pin_value(host, pin, (uint32_t)(duty * (double)(FIRMATA_BIT(p->pwm_bits) - 1) + 0.5));
    return 0;
}

static uint32_t whole_us(dpl_ns t)
{
    dpl_ns us = (t + DPL_US - 1) / DPL_US;
    return us > UINT32_MAX ? UINT32_MAX : (uint32_t)us;
}

int firmata_host_ping(struct firmata_host *host, unsigned pin, dpl_ns trigger, dpl_ns timeout)
{
    int err = usable(host, pin, DPL_PIN_INPUT);
    if (err < 0) {
        return err;
    }
    if (host->pins[pin].mode != DPL_PIN_INPUT) {
        return -EPERM;
    }
    uint8_t data[18] = {(uint8_t)pin, 1};
    dpl_firmata_put_u32be(data + 2, whole_us(trigger));
    dpl_firmata_put_u32be(data + 10, whole_us(timeout));
    host->pins[pin].pings = true;
    firmata_host_send_sysex(host, DPL_FIRMATA_PING, data, sizeof data);
    return 0;
}

/* A servo without pulses does not drive; as an output the pin sends none. */
static void rest_pin(struct firmata_host *host, unsigned number)
{
    struct firmata_host_pin *pin = &host->pins[number];
    bool pulses = pin->mode == DPL_PIN_PWM_OUT && pin->wire_mode != FIRMATA_NO_MODE;
    if (!pin->is_set || (pin->mode != DPL_PIN_OUTPUT && !pulses)) {
        return;
    }
    if (pulses) {
        send_mode(host, number, DPL_FIRMATA_MODE_OUTPUT);
        pin->wire_mode = FIRMATA_NO_MODE;
    }
    pin->level = false;
    write_level(host, number);
}

void firmata_host_rest(struct firmata_host *host)
{
    for (unsigned i = 0; i < host->n_pins; i++) {
        rest_pin(host, i);
    }
}

void firmata_host_halt(struct firmata_host *host)
{
    send_short(host, DPL_FIRMATA_RESET, 0, 0, 0);
    for (size_t i = 0; i < host->n_pins; i++) {
        host->pins[i].wire_mode = FIRMATA_NO_MODE;
    }
}

/* ---- life cycle ---- */

void firmata_host_init(struct firmata_host *host, const struct firmata_host_config *config)
{
    memset(host, 0, sizeof *host);
    host->config = *config;
    dpl_firmata_parser_init(&host->parser, true);
}

void firmata_host_opened(struct firmata_host *host, dpl_ns now)
{
    uint64_t messages = host->parser.messages, dropped = host->parser.dropped_bytes;
    dpl_firmata_parser_init(&host->parser, true);
    host->parser.messages = messages;
    host->parser.dropped_bytes = dropped;
    host->phase = FIRMATA_UNKNOWN;
    host->heard_at = now;
    for (size_t i = 0; i < DPL_PINS_MAX; i++) {
        host->pins[i].known = false;
    }
    firmata_host_ask(host, now);
}

void firmata_host_timer(struct firmata_host *host, dpl_ns now, dpl_ns patience)
{
    dpl_ns gap = host->phase == FIRMATA_READY ? patience / 4 : ASK_AGAIN;
    if (now - host->asked_at >= gap && now - host->heard_at >= gap) {
        firmata_host_ask(host, now);
    }
}
