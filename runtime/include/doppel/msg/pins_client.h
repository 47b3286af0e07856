/* SPDX-License-Identifier: Apache-2.0 */
/* Calling PinsService from a component: one function a method, `port` is the required service port.
 * Each returns what dpl_service_call does; neither allocates nor blocks beyond it. */
#ifndef DOPPEL_MSG_PINS_CLIENT_H
#define DOPPEL_MSG_PINS_CLIENT_H

#include <errno.h>
#include <string.h>

#include <doppel/component.h>
#include <doppel/msg/services.h>

#include "base.pb-c.h"
#include "pins.pb-c.h"

/* The port of a component's table through which these calls go. */
#define DPL_PINS_REQUIRED_PORT                                                                     \
    {                                                                                              \
        .name = "PinsService", .aliases = "Pins", .kind = DPL_PORT_SERVICE, .dir = DPL_PORT_IN,    \
        .service = &doppel__pins_service__descriptor, .required = true,                            \
        .summary = "the board it is wired to",                                                     \
    }

static inline int dpl_pins_call_find(struct dpl_component *self, unsigned port, const char *name,
                                     uint32_t *ret_pin)
{
    Doppel__PinName request;
    Doppel__PinNumber response = DOPPEL__PIN_NUMBER__INIT;
    doppel__pin_name__init(&request);
    request.name = (char *)(uintptr_t)name;
    int err = dpl_service_call(self, port, DPL_PINS_FIND, &request, &response);
    if (err >= 0) {
        *ret_pin = response.pin;
    }
    return err;
}

static inline int dpl_pins_call_set_mode(struct dpl_component *self, unsigned port, uint32_t pin,
                                         Doppel__PinMode mode)
{
    Doppel__PinSetup request = DOPPEL__PIN_SETUP__INIT;
    Doppel__Empty response = DOPPEL__EMPTY__INIT;
    request.pin = pin;
    request.mode = mode;
    return dpl_service_call(self, port, DPL_PINS_SET_MODE, &request, &response);
}

/* The pin called `name`, in the mode it is for. reterr says which pin, what for, and why not; where
 * the board cannot do that (-ENOTSUP), also what to set instead: `instead`, such as "Input=analog"
 * (NULL: nothing). */
static inline int dpl_pins_call_take_or(struct dpl_component *self, unsigned port, const char *name,
                                        Doppel__PinMode mode, uint32_t *ret_pin,
                                        const char *instead, struct dpl_diag *reterr)
{
    static const char *const modes[] = {"an input",        "an input with pull-up", "an output",
                                        "an analog input", "an analog output",      "a PWM output",
                                        "a PWM input"};
    int err = dpl_pins_call_find(self, port, name, ret_pin);
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){0}, "no pin '%s' on the board: %s", name,
                        strerror(-err));
    }
    err = dpl_pins_call_set_mode(self, port, *ret_pin, mode);
    const char *hint = err == -ENOTSUP && instead ? instead : "";
    return err < 0 ? dpl_fail(reterr, err, (struct dpl_place){0}, "pin '%s' cannot be %s: %s%s%s",
                              name, modes[mode], strerror(-err), hint[0] ? "; set " : "", hint)
                   : 0;
}

/* The same for pins that have no other use. */
static inline int dpl_pins_call_take(struct dpl_component *self, unsigned port, const char *name,
                                     Doppel__PinMode mode, uint32_t *ret_pin,
                                     struct dpl_diag *reterr)
{
    return dpl_pins_call_take_or(self, port, name, mode, ret_pin, NULL, reterr);
}

/* `at_ns` on the run's clock; 0: now. */
static inline int dpl_pins_call_write(struct dpl_component *self, unsigned port, uint32_t pin,
                                      bool level, dpl_ns at_ns)
{
    Doppel__PinLevel request = DOPPEL__PIN_LEVEL__INIT;
    Doppel__Empty response = DOPPEL__EMPTY__INIT;
    request.pin = pin;
    request.level = level;
    request.at_ns = at_ns;
    return dpl_service_call(self, port, DPL_PINS_WRITE_DIGITAL, &request, &response);
}

static inline int dpl_pins_call_write_analog(struct dpl_component *self, unsigned port,
                                             uint32_t pin, double ratio)
{
    Doppel__PinRatio request = DOPPEL__PIN_RATIO__INIT;
    Doppel__Empty response = DOPPEL__EMPTY__INIT;
    request.pin = pin;
    request.ratio = ratio;
    return dpl_service_call(self, port, DPL_PINS_WRITE_ANALOG, &request, &response);
}

static inline int dpl_pins_call_write_pwm(struct dpl_component *self, unsigned port, uint32_t pin,
                                          double duty, double frequency_hz)
{
    Doppel__PinPwm request = DOPPEL__PIN_PWM__INIT;
    Doppel__Empty response = DOPPEL__EMPTY__INIT;
    request.pin = pin;
    request.duty = duty;
    request.frequency = frequency_hz;
    return dpl_service_call(self, port, DPL_PINS_WRITE_PWM, &request, &response);
}

static inline int dpl_pins_call_read(struct dpl_component *self, unsigned port, uint32_t pin,
                                     bool *ret_level)
{
    Doppel__PinNumber request = DOPPEL__PIN_NUMBER__INIT;
    Doppel__PinLevel response = DOPPEL__PIN_LEVEL__INIT;
    request.pin = pin;
    int err = dpl_service_call(self, port, DPL_PINS_READ_DIGITAL, &request, &response);
    if (err >= 0) {
        *ret_level = response.level;
    }
    return err;
}

/* When the other side last drove the pin, in any mode of it; -EAGAIN: never. */
static inline int dpl_pins_call_last_driven(struct dpl_component *self, unsigned port, uint32_t pin,
                                            dpl_ns *ret_at)
{
    Doppel__PinNumber request = DOPPEL__PIN_NUMBER__INIT;
    Doppel__PinTime response = DOPPEL__PIN_TIME__INIT;
    request.pin = pin;
    int err = dpl_service_call(self, port, DPL_PINS_LAST_DRIVEN, &request, &response);
    if (err >= 0) {
        *ret_at = response.at_ns;
    }
    return err;
}

/* Whether the other side has driven the pin since `since`. */
static inline bool dpl_pins_call_is_driven(struct dpl_component *self, unsigned port, uint32_t pin,
                                           dpl_ns since)
{
    dpl_ns at;
    return dpl_pins_call_last_driven(self, port, pin, &at) == 0 && at >= since;
}

static inline int dpl_pins_call_read_analog(struct dpl_component *self, unsigned port, uint32_t pin,
                                            double *ret_ratio)
{
    Doppel__PinNumber request = DOPPEL__PIN_NUMBER__INIT;
    Doppel__PinRatio response = DOPPEL__PIN_RATIO__INIT;
    request.pin = pin;
    int err = dpl_service_call(self, port, DPL_PINS_READ_ANALOG, &request, &response);
    if (err >= 0) {
        *ret_ratio = response.ratio;
    }
    return err;
}

static inline int dpl_pins_call_read_pwm(struct dpl_component *self, unsigned port, uint32_t pin,
                                         double *ret_duty, double *ret_frequency_hz)
{
    Doppel__PinNumber request = DOPPEL__PIN_NUMBER__INIT;
    Doppel__PinPwm response = DOPPEL__PIN_PWM__INIT;
    request.pin = pin;
    int err = dpl_service_call(self, port, DPL_PINS_READ_PWM, &request, &response);
    if (err >= 0) {
        *ret_duty = response.duty;
        *ret_frequency_hz = response.frequency;
    }
    return err;
}

/* -ENOTSUP: the board cannot time pulses itself; write the edges. */
static inline int dpl_pins_call_ping(struct dpl_component *self, unsigned port, uint32_t pin,
                                     dpl_ns trigger_ns, dpl_ns timeout_ns)
{
    Doppel__PinPing request = DOPPEL__PIN_PING__INIT;
    Doppel__Empty response = DOPPEL__EMPTY__INIT;
    request.pin = pin;
    request.trigger_ns = trigger_ns;
    request.timeout_ns = timeout_ns;
    return dpl_service_call(self, port, DPL_PINS_PING, &request, &response);
}

/* Takes edges into the storage of `edges`: at_ns[n_at_ns] and level[n_level]. */
static inline int dpl_pins_call_read_edges(struct dpl_component *self, unsigned port, uint32_t pin,
                                           Doppel__PinEdges *edges)
{
    Doppel__PinNumber request = DOPPEL__PIN_NUMBER__INIT;
    request.pin = pin;
    return dpl_service_call(self, port, DPL_PINS_READ_EDGES, &request, edges);
}

#endif
