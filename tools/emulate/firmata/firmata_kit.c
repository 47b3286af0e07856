/* SPDX-License-Identifier: Apache-2.0 */
/* The wiring of an emulated Firmata board. */
#include "firmata_kit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HOLD_OFF    (750 * DPL_US) /* between a ping and its echo */
#define ECHO_MAX_US 60000

/* ---- boards ---- */

struct model {
    const char *name;
    unsigned n_pins, first_digital, first_analog, n_analog, servos_end;
    uint64_t pwm; /* bits by pin */
};

static const struct model models[] = {
    {.name = "uno",
     .n_pins = 20,
     .first_digital = 2,
     .first_analog = 14,
     .n_analog = 6,
     .servos_end = 14,
     .pwm = 0xe68},
    {.name = "mega",
     .n_pins = 70,
     .first_digital = 2,
     .first_analog = 54,
     .n_analog = 16,
     .servos_end = 50,
     .pwm = 0x3ffc | UINT64_C(7) << 44},
};

static struct dpl_firmata_pin_kind kind_of(const struct model *model, unsigned pin)
{
    struct dpl_firmata_pin_kind kind = {.channel = DPL_FIRMATA_NO_CHANNEL};
    if (pin < model->first_digital) {
        return kind; /* the serial port */
    }
    kind.abilities = DPL_FIRMATA_CAN_DIGITAL;
    if (pin < 64 && (model->pwm >> pin & 1)) {
        kind.abilities |= DPL_FIRMATA_CAN_PWM;
    }
    if (pin < model->servos_end) {
        kind.abilities |= DPL_FIRMATA_CAN_SERVO;
    }
    if (pin >= model->first_analog && pin < model->first_analog + model->n_analog) {
        kind.channel = (uint8_t)(pin - model->first_analog);
    }
    return kind;
}

static const struct model *find_model(const char *name)
{
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        if (strcmp(models[i].name, name) == 0) {
            return &models[i];
        }
    }
    return NULL;
}

int firmata_kit_init(struct firmata_kit *kit, const char *name, struct dpl_diag *reterr)
{
    const struct model *model = find_model(name);
    if (!model) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "--board: found '%s', expected uno or mega", name);
    }
    memset(kit, 0, sizeof *kit);
    kit->config.firmware = "StandardFirmata.ino";
    kit->config.major = 2;
    kit->config.minor = 5;
    kit->config.n_pins = model->n_pins;
    for (unsigned i = 0; i < model->n_pins; i++) {
        kit->config.pins[i] = kind_of(model, i);
        kit->inputs[i] = -1.0;
    }
    return 0;
}

/* ---- setting up the wiring ---- */

/* Parses a pin by number or analog name before `end`. */
static bool read_pin(const struct firmata_kit *kit, const char *text, char end,
                     const char **ret_rest, unsigned *ret_pin)
{
    bool is_analog = *text == 'A';
    char *rest;
    text += is_analog;
    if (*text < '0' || *text > '9') {
        return false;
    }
    unsigned long number = strtoul(text, &rest, 10);
    if (*rest != end) {
        return false;
    }
    for (unsigned i = 0; i < kit->config.n_pins; i++) {
        const struct dpl_firmata_pin_kind *kind = &kit->config.pins[i];
        if ((is_analog ? kind->channel : i) == number &&
            (kind->abilities & DPL_FIRMATA_CAN_DIGITAL)) {
            *ret_rest = rest + (end != '\0');
            *ret_pin = i;
            return true;
        }
    }
    return false;
}

static bool read_number(const char *text, double max, double *ret_number)
{
    char *rest;
    *ret_number = strtod(text, &rest);
    return rest != text && *rest == '\0' && *ret_number >= 0.0 && *ret_number <= max;
}

int firmata_kit_add_wire(struct firmata_kit *kit, const char *text, struct dpl_diag *reterr)
{
    const struct dpl_place nowhere = {0};
    const char *rest;
    struct firmata_wire wire;
    if (kit->n_wires == FIRMATA_WIRES_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere, "--wire: given more than %d times",
                        FIRMATA_WIRES_MAX);
    }
    if (!read_pin(kit, text, '=', &rest, &wire.a) || !read_pin(kit, rest, '\0', &rest, &wire.b) ||
        wire.a == wire.b) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "--wire: found '%s', expected two pins of the board, such as 9=A0", text);
    }
    kit->wires[kit->n_wires++] = wire;
    return 0;
}

int firmata_kit_add_input(struct firmata_kit *kit, const char *text, struct dpl_diag *reterr)
{
    const char *rest;
    unsigned pin;
    double ratio;
    if (!read_pin(kit, text, '=', &rest, &pin) || !read_number(rest, 1.0, &ratio)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "--input: found '%s', expected a pin and a part of the reference voltage, "
                        "such as A0=0.5",
                        text);
    }
    kit->inputs[pin] = ratio;
    return 0;
}

int firmata_kit_add_echo(struct firmata_kit *kit, const char *text, struct dpl_diag *reterr)
{
    const char *rest;
    unsigned pin;
    double us;
    if (!read_pin(kit, text, '=', &rest, &pin) || !read_number(rest, ECHO_MAX_US, &us) ||
        us < 1.0) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "--echo: found '%s', expected a pin and the length of the echo in "
                        "microseconds, such as 7=5800",
                        text);
    }
    kit->echoes[pin] = dpl_ns_from_s(us * 1e-6);
    kit->config.pins[pin].abilities |= DPL_FIRMATA_CAN_PING;
    return 0;
}

/* ---- wires ---- */

static bool gives(const struct firmata_kit *kit, unsigned pin, struct dpl_firmata_output *ret)
{
    *ret = dpl_firmata_board_output(&kit->board, pin);
    return ret->kind == DPL_FIRMATA_LEVEL || ret->kind == DPL_FIRMATA_PULSES;
}

/* Sets the external signal of a pin from its wires: the first pin at another end that drives,
 * otherwise the fixed voltage. */
static void settle(struct firmata_kit *kit, unsigned pin, dpl_ns now)
{
    struct dpl_firmata_output output;
    for (size_t i = 0; i < kit->n_wires; i++) {
        const struct firmata_wire *wire = &kit->wires[i];
        unsigned other = wire->a == pin ? wire->b : wire->a;
        if ((wire->a == pin || wire->b == pin) && gives(kit, other, &output)) {
            dpl_firmata_board_drive_ratio(&kit->board, pin, output.duty, now);
            return;
        }
    }
    if (kit->inputs[pin] >= 0.0) {
        dpl_firmata_board_drive_ratio(&kit->board, pin, kit->inputs[pin], now);
    } else {
        dpl_firmata_board_release(&kit->board, pin, now);
    }
}

static void settle_all(struct firmata_kit *kit, dpl_ns now)
{
    for (unsigned i = 0; i < kit->config.n_pins; i++) {
        settle(kit, i, now);
    }
}

/* The sensor answers at the end of a trigger. */
static void answer(struct firmata_kit *kit, unsigned pin, dpl_ns at)
{
    dpl_firmata_board_drive(&kit->board, pin, true, at + HOLD_OFF);
    dpl_firmata_board_drive(&kit->board, pin, false, at + HOLD_OFF + kit->echoes[pin]);
}

static void on_edge(void *user, unsigned pin, bool level, dpl_ns at)
{
    struct firmata_kit *kit = user;
    for (size_t i = 0; i < kit->n_wires; i++) {
        const struct firmata_wire *wire = &kit->wires[i];
        if (wire->a == pin || wire->b == pin) {
            settle(kit, wire->a == pin ? wire->b : wire->a, at);
        }
    }
    if (!level && kit->echoes[pin] > 0 && kit->board.pings[pin].active) {
        answer(kit, pin, at);
    }
}

static void on_send(void *user, const uint8_t *bytes, size_t n, dpl_ns now)
{
    const struct firmata_kit *kit = user;
    kit->send(kit->user, bytes, n, now);
}

static void on_text(void *user, const char *text)
{
    const struct firmata_kit *kit = user;
    if (kit->text) {
        kit->text(kit->user, text);
    }
}

/* ---- life cycle ---- */

void firmata_kit_start(struct firmata_kit *kit)
{
    kit->config.send = on_send;
    kit->config.edge = on_edge;
    kit->config.text = on_text;
    kit->config.user = kit;
    dpl_firmata_board_init(&kit->board, &kit->config);
    settle_all(kit, 0);
}

void firmata_kit_connected(struct firmata_kit *kit, dpl_ns now)
{
    dpl_firmata_board_connected(&kit->board, now);
    settle_all(kit, now);
}

void firmata_kit_disconnected(struct firmata_kit *kit, dpl_ns now)
{
    dpl_firmata_board_disconnected(&kit->board, now);
    settle_all(kit, now);
}

void firmata_kit_receive(struct firmata_kit *kit, const uint8_t *bytes, size_t n, dpl_ns now)
{
    dpl_firmata_board_receive(&kit->board, bytes, n, now);
    settle_all(kit, now);
}

dpl_ns firmata_kit_tick(struct firmata_kit *kit, dpl_ns now)
{
    return dpl_firmata_board_tick(&kit->board, now);
}
