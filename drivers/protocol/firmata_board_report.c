/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of a Firmata board to its host. */
#include "firmata_board_internal.h"

#include <errno.h>

#define PROTOCOL_MAJOR 2
#define PROTOCOL_MINOR 5
#define MESSAGE_MAX    (DPL_FIRMATA_SYSEX_MAX + 3)
#define CAPABILITY_MAX 15 /* bytes per pin */
#define ADC_MAX        ((1 << DPL_FIRMATA_ADC_BITS) - 1)

static void send(struct dpl_firmata_board *board, const struct dpl_firmata_writer *writer,
                 dpl_ns now)
{
    board->config.send(board->config.user, writer->data, writer->n, now);
}

static void send_sysex(struct dpl_firmata_board *board, enum dpl_firmata_sysex id,
                       const uint8_t *data, size_t n, dpl_ns now)
{
    uint8_t bytes[MESSAGE_MAX];
    struct dpl_firmata_writer writer = {.data = bytes, .size = sizeof bytes};
    dpl_firmata_put_sysex(&writer, id, data, n);
    send(board, &writer, now);
}

void dpl__firmata_board_send_version(struct dpl_firmata_board *board, dpl_ns now)
{
    uint8_t bytes[3];
    struct dpl_firmata_writer writer = {.data = bytes, .size = sizeof bytes};
    dpl_firmata_put(&writer, DPL_FIRMATA_VERSION, (const uint8_t[]){PROTOCOL_MAJOR, PROTOCOL_MINOR},
                    2);
    send(board, &writer, now);
}

void dpl__firmata_board_send_firmware(struct dpl_firmata_board *board, dpl_ns now)
{
    uint8_t bytes[256];
    struct dpl_firmata_writer writer = {.data = bytes, .size = sizeof bytes};
    dpl_firmata_put_firmware(&writer, board->config.major, board->config.minor,
                             board->config.firmware);
    send(board, &writer, now);
}

static size_t put_capability(uint8_t *data, uint8_t mode, uint8_t bits)
{
    data[0] = mode;
    data[1] = bits;
    return 2;
}

static size_t put_capabilities(uint8_t *data, const struct dpl_firmata_pin_kind *kind)
{
    size_t n = 0;
    if (kind->abilities & DPL_FIRMATA_CAN_DIGITAL) {
        n += put_capability(data + n, DPL_FIRMATA_MODE_INPUT, 1);
        n += put_capability(data + n, DPL_FIRMATA_MODE_PULL_UP, 1);
        n += put_capability(data + n, DPL_FIRMATA_MODE_OUTPUT, 1);
    }
    if (kind->channel != DPL_FIRMATA_NO_CHANNEL) {
        n += put_capability(data + n, DPL_FIRMATA_MODE_ANALOG, DPL_FIRMATA_ADC_BITS);
    }
    if (kind->abilities & DPL_FIRMATA_CAN_PWM) {
        n += put_capability(data + n, DPL_FIRMATA_MODE_PWM, DPL_FIRMATA_PWM_BITS);
    }
    if (kind->abilities & DPL_FIRMATA_CAN_SERVO) {
        n += put_capability(data + n, DPL_FIRMATA_MODE_SERVO, DPL_FIRMATA_SERVO_BITS);
    }
    if (kind->abilities & DPL_FIRMATA_CAN_PING) {
        n += put_capability(data + n, DPL_FIRMATA_PING, 1);
    }
    data[n++] = 0x7f;
    return n;
}

void dpl__firmata_board_send_capabilities(struct dpl_firmata_board *board, dpl_ns now)
{
    uint8_t data[DPL_FIRMATA_PINS_MAX * CAPABILITY_MAX];
    size_t n = 0;
    for (size_t i = 0; i < board->config.n_pins; i++) {
        n += put_capabilities(data + n, &board->config.pins[i]);
    }
    send_sysex(board, DPL_FIRMATA_CAPABILITY, data, n, now);
}

void dpl__firmata_board_send_mapping(struct dpl_firmata_board *board, dpl_ns now)
{
    uint8_t data[DPL_FIRMATA_PINS_MAX];
    for (size_t i = 0; i < board->config.n_pins; i++) {
        data[i] = board->config.pins[i].channel;
    }
    send_sysex(board, DPL_FIRMATA_MAPPING, data, board->config.n_pins, now);
}

/* For a pin that does not exist, the answer has only its number. */
void dpl__firmata_board_send_state(struct dpl_firmata_board *board, unsigned pin, dpl_ns now)
{
    uint8_t data[7] = {(uint8_t)pin};
    size_t n = 1;
    if (pin < board->config.n_pins) {
        data[n++] = board->pins[pin].mode;
        n += dpl_firmata_put_groups(data + n, board->pins[pin].state, 1);
    }
    send_sysex(board, DPL_FIRMATA_STATE, data, n, now);
}

void dpl__firmata_board_send_text(struct dpl_firmata_board *board, const char *text, dpl_ns now)
{
    uint8_t bytes[256];
    struct dpl_firmata_writer writer = {.data = bytes, .size = sizeof bytes};
    dpl_firmata_put_string(&writer, text);
    send(board, &writer, now);
}

void dpl__firmata_board_send_ping(struct dpl_firmata_board *board, unsigned pin, dpl_ns duration,
                                  dpl_ns now)
{
    uint8_t data[10] = {(uint8_t)pin, 0};
    dpl_firmata_put_u32be(data + 2, (uint32_t)((duration + DPL_US / 2) / DPL_US));
    send_sysex(board, DPL_FIRMATA_PING, data, sizeof data, now);
}

static bool is_input(uint8_t mode)
{
    return mode == DPL_FIRMATA_MODE_INPUT || mode == DPL_FIRMATA_MODE_PULL_UP;
}

void dpl__firmata_board_send_port(struct dpl_firmata_board *board, unsigned port, bool forced,
                                  dpl_ns now)
{
    uint8_t value = 0;
    if (!(board->digital_reports >> port & 1)) {
        return;
    }
    for (unsigned i = 0; i < 8 && 8 * port + i < board->config.n_pins; i++) {
        unsigned pin = 8 * port + i;
        if (is_input(board->pins[pin].mode) && dpl_firmata_board_level(board, pin)) {
            value |= (uint8_t)(1u << i);
        }
    }
    if (!forced && value == board->told_ports[port]) {
        return;
    }
    board->told_ports[port] = value;
    uint8_t bytes[3];
    struct dpl_firmata_writer writer = {.data = bytes, .size = sizeof bytes};
    dpl_firmata_put_value(&writer, DPL_FIRMATA_DIGITAL, (uint8_t)port, value);
    send(board, &writer, now);
}

void dpl__firmata_board_send_analog(struct dpl_firmata_board *board, unsigned pin, dpl_ns now)
{
    uint8_t bytes[3];
    struct dpl_firmata_writer writer = {.data = bytes, .size = sizeof bytes};
    uint16_t value = (uint16_t)(board->pins[pin].ratio * ADC_MAX + 0.5);
    dpl_firmata_put_value(&writer, DPL_FIRMATA_ANALOG, board->config.pins[pin].channel, value);
    send(board, &writer, now);
}

/* ---- output ---- */

#define PWM_MAX ((1u << DPL_FIRMATA_PWM_BITS) - 1)

static double servo_pulse_s(const struct dpl_firmata_board_pin *pin)
{
    double value = pin->state, min = pin->servo_min_us, max = pin->servo_max_us;
    if (value < DPL_FIRMATA_SERVO_MIN_US) {
        double degrees = value < 180.0 ? value : 180.0;
        return (min + (max - min) * degrees / 180.0) * 1e-6;
    }
    return (value < min ? min : value > max ? max : value) * 1e-6;
}

struct dpl_firmata_output dpl_firmata_board_output(const struct dpl_firmata_board *board,
                                                   unsigned number)
{
    const struct dpl_firmata_board_pin *pin = &board->pins[number];
    switch (pin->mode) {
    case DPL_FIRMATA_MODE_OUTPUT:
        return (struct dpl_firmata_output){
            .kind = DPL_FIRMATA_LEVEL, .level = pin->state != 0, .duty = pin->state != 0};
    case DPL_FIRMATA_MODE_PWM: {
        double duty = pin->state < PWM_MAX ? pin->state / (double)PWM_MAX : 1.0;
        return (struct dpl_firmata_output){
            .kind = DPL_FIRMATA_PULSES, .duty = duty, .frequency_hz = DPL_FIRMATA_PWM_HZ};
    }
    case DPL_FIRMATA_MODE_SERVO:
        return (struct dpl_firmata_output){.kind = DPL_FIRMATA_PULSES,
                                           .duty = servo_pulse_s(pin) * DPL_FIRMATA_SERVO_HZ,
                                           .frequency_hz = DPL_FIRMATA_SERVO_HZ};
    case DPL_FIRMATA_MODE_PULL_UP:
        return (struct dpl_firmata_output){.kind = DPL_FIRMATA_PULLED_UP, .level = true};
    default: return (struct dpl_firmata_output){.kind = DPL_FIRMATA_OPEN};
    }
}

bool dpl_firmata_board_level(const struct dpl_firmata_board *board, unsigned pin)
{
    struct dpl_firmata_output output = dpl_firmata_board_output(board, pin);
    if (output.kind == DPL_FIRMATA_LEVEL) {
        return output.level;
    }
    if (output.kind == DPL_FIRMATA_PULSES) {
        return output.duty >= 0.5;
    }
    return board->pins[pin].driven ? board->pins[pin].level : output.level;
}

/* ---- wires ---- */

static void answer_ping(struct dpl_firmata_board *board, unsigned pin, bool level, dpl_ns at)
{
    struct dpl_firmata_ping *ping = &board->pings[pin];
    if (!ping->active || level == ping->risen) {
        return;
    }
    if (level && !ping->risen) {
        ping->risen = true;
        ping->risen_at = at;
        return;
    }
    ping->active = false;
    dpl__firmata_board_send_ping(board, pin, at > ping->risen_at ? at - ping->risen_at : 0, at);
}

int dpl_firmata_board_drive(struct dpl_firmata_board *board, unsigned pin, bool level, dpl_ns at)
{
    int err = dpl_firmata_board_drive_ratio(board, pin, level, at);
    if (err == 0) {
        answer_ping(board, pin, level == board->pings[pin].value, at);
    }
    return err;
}

int dpl_firmata_board_drive_ratio(struct dpl_firmata_board *board, unsigned number, double ratio,
                                  dpl_ns now)
{
    if (number >= board->config.n_pins || !(ratio >= 0.0 && ratio <= 1.0)) {
        return -EINVAL;
    }
    struct dpl_firmata_board_pin *pin = &board->pins[number];
    pin->driven = true;
    pin->ratio = ratio;
    pin->level = ratio >= 0.5;
    dpl__firmata_board_send_port(board, number / 8, false, now);
    return 0;
}

int dpl_firmata_board_release(struct dpl_firmata_board *board, unsigned pin, dpl_ns now)
{
    if (pin >= board->config.n_pins) {
        return -EINVAL;
    }
    board->pins[pin].driven = board->pins[pin].level = false;
    board->pins[pin].ratio = 0.0;
    dpl__firmata_board_send_port(board, pin / 8, false, now);
    return 0;
}
