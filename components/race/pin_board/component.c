/* SPDX-License-Identifier: Apache-2.0 */
/* PinBoard: the device component of a board's pins. Provides PinsService; the property ApiName
 * selects the driver. */
#include <doppel/drv/pins.h>
#include <doppel/msg/device.h>
#include <doppel/msg/parameter_methods.h>
#include <doppel/msg/pins.h>
#include <doppel/plugin.h>

enum port {
    PORT_SERVICE,
};

struct state {
    int last_error;
    int64_t n_refused;
    dpl_ns now; /* of the newest cycle */
};

static int count_refusal(struct dpl_component *self, int err)
{
    struct state *state = self->state;
    if (err < 0) {
        state->last_error = err;
        state->n_refused++;
    }
    return err;
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    state->now = tick->now;
    count_refusal(self, dpl_pins_execute(dpl_component_device(self), tick));
    return 0; /* the driver itself reports a silent device as lost and found */
}

/* "No value yet" is not an error. */
static int count_read_refusal(struct dpl_component *self, int err)
{
    return err == -EAGAIN ? err : count_refusal(self, err);
}

/* ---- PinsService --------------------------------------------------------------------------- */

static int get_error(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)port;
    (void)request;
    const struct state *state = self->state;
    Doppel__ErrorState *answer = response;
    answer->code = -state->last_error;
    answer->refused = state->n_refused;
    return 0;
}

static int find(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)port;
    const Doppel__PinName *asked = request;
    unsigned pin;
    int err = dpl_pins_find(dpl_component_device(self), asked->name, &pin);
    if (err == 0) {
        ((Doppel__PinNumber *)response)->pin = pin;
    }
    return count_refusal(self, err);
}

static int set_mode(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)port;
    (void)response;
    const Doppel__PinSetup *asked = request;
    return count_refusal(self, dpl_pins_set_mode(dpl_component_device(self), asked->pin,
                                                 (enum dpl_pin_mode)asked->mode));
}

static int write_digital(struct dpl_component *self, unsigned port, const void *request,
                         void *response)
{
    (void)port;
    (void)response;
    const Doppel__PinLevel *asked = request;
    return count_refusal(
        self, dpl_pins_write(dpl_component_device(self), asked->pin, asked->level, asked->at_ns));
}

static int write_analog(struct dpl_component *self, unsigned port, const void *request,
                        void *response)
{
    (void)port;
    (void)response;
    const Doppel__PinRatio *asked = request;
    return count_refusal(
        self, dpl_pins_write_analog(dpl_component_device(self), asked->pin, asked->ratio));
}

static int write_pwm(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)port;
    (void)response;
    const Doppel__PinPwm *asked = request;
    return count_refusal(self, dpl_pins_write_pwm(dpl_component_device(self), asked->pin,
                                                  asked->duty, asked->frequency));
}

static int last_driven(struct dpl_component *self, unsigned port, const void *request,
                       void *response)
{
    (void)port;
    const struct state *state = self->state;
    const Doppel__PinNumber *asked = request;
    Doppel__PinInstant *answer = response;
    dpl_ns at = state->now;
    int err = dpl_pins_last_driven(dpl_component_device(self), asked->pin, &at);
    answer->at_ns = at;
    if (err == -EAGAIN) {
        return err; /* never driven: a valid answer, not a failure */
    }
    return err == -ENOTSUP ? 0 : count_refusal(self, err);
}

static int ping(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)port, (void)response;
    const Doppel__PinPing *asked = request;
    int err =
        dpl_pins_ping(dpl_component_device(self), asked->pin, asked->trigger_ns, asked->timeout_ns);
    return err == -ENOTSUP ? err
                           : count_refusal(self, err); /* a property of the board, not a failure */
}

static int read_digital(struct dpl_component *self, unsigned port, const void *request,
                        void *response)
{
    (void)port;
    const Doppel__PinNumber *asked = request;
    Doppel__PinState *answer = response;
    bool level;
    int err = dpl_pins_read(dpl_component_device(self), asked->pin, &level);
    if (err == 0) {
        answer->level = level;
    }
    return count_read_refusal(self, err);
}

static int read_analog(struct dpl_component *self, unsigned port, const void *request,
                       void *response)
{
    (void)port;
    const Doppel__PinNumber *asked = request;
    Doppel__PinVoltage *answer = response;
    return count_read_refusal(
        self, dpl_pins_read_analog(dpl_component_device(self), asked->pin, &answer->ratio));
}

static int read_pwm(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)port;
    const Doppel__PinNumber *asked = request;
    Doppel__PinPulses *answer = response;
    return count_read_refusal(self, dpl_pins_read_pwm(dpl_component_device(self), asked->pin,
                                                      &answer->duty, &answer->frequency));
}

static int read_edges(struct dpl_component *self, unsigned port, const void *request,
                      void *response)
{
    (void)port;
    const Doppel__PinNumber *asked = request;
    Doppel__PinEdges *answer = response;
    struct dpl_pin_edge edges[DPL_PINS_EDGES_MAX];
    size_t room = answer->n_at_ns < answer->n_level ? answer->n_at_ns : answer->n_level;
    size_t n = 0;
    unsigned lost = 0;
    int err = dpl_pins_read_edges(dpl_component_device(self), asked->pin, edges,
                                  room < DPL_PINS_EDGES_MAX ? room : DPL_PINS_EDGES_MAX, &n, &lost);
    n = err < 0 ? 0 : n;
    for (size_t i = 0; i < n; i++) {
        answer->at_ns[i] = edges[i].at;
        answer->level[i] = edges[i].level;
    }
    answer->n_at_ns = n;
    answer->n_level = n;
    answer->lost = lost;
    return count_refusal(self, err);
}

static const dpl_service_method service[DPL_PINS_N_METHODS] = {
    [DPL_PINS_SET_PARAMETER] = dpl_method_set_parameter,
    [DPL_PINS_GET_PARAMETER] = dpl_method_get_parameter,
    [DPL_PINS_GET_ERROR] = get_error,
    [DPL_PINS_FIND_PIN] = find,
    [DPL_PINS_SET_MODE] = set_mode,
    [DPL_PINS_WRITE_DIGITAL] = write_digital,
    [DPL_PINS_WRITE_ANALOG] = write_analog,
    [DPL_PINS_WRITE_PWM] = write_pwm,
    [DPL_PINS_READ_DIGITAL] = read_digital,
    [DPL_PINS_READ_ANALOG] = read_analog,
    [DPL_PINS_READ_PWM] = read_pwm,
    [DPL_PINS_READ_EDGES] = read_edges,
    [DPL_PINS_PING] = ping,
    [DPL_PINS_LAST_DRIVEN] = last_driven,
};

/* ---- tables ------------------------------------------------------------------------------- */

static const struct dpl_port_desc ports[] = {
    [PORT_SERVICE] =
        {
            .name = "PinsService",
            .aliases = "Pins",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_OUT,
            .service = &doppel__pins_service__descriptor,
            .methods = service,
            .summary = "the pins of the board",
        },
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, n_refused, "refused", NULL, DPL_FIELD_SUMMARY,
                   "calls that the board refused"),
};

static const struct dpl_component_ops ops = {.execute = execute};

static const struct dpl_component_class class = {
    .name = "PinBoard",
    .summary = "the pins of a board: digital, PWM, analog; the driver is named by ApiName",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .device_class = DPL_PINS_CLASS,
    .n_device_calls = DPL_DRV_PINS_N_CALLS,
    .callers_command = true,
    .default_period = 100 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
