/* SPDX-License-Identifier: Apache-2.0 */
/* For components that use a board's pins through its PinsService: the port, and functions for
 * common sequences of calls of doppel/msg/pins.h. */
#ifndef DOPPEL_DRV_PINS_CLIENT_H
#define DOPPEL_DRV_PINS_CLIENT_H

#include <errno.h>
#include <string.h>

#include <doppel/component.h>
#include <doppel/msg/pins.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The port of a component's table that these calls use. */
#define DPL_PINS_REQUIRED_PORT                                                                     \
    {                                                                                              \
        .name = "PinsService", .aliases = "Pins", .kind = DPL_PORT_SERVICE, .dir = DPL_PORT_IN,    \
        .service = &doppel__pins_service__descriptor, .required = true,                            \
        .summary = "the board it is wired to",                                                     \
    }

/* Finds the pin `name` and sets its mode. reterr has the pin, its purpose and the reason; when the
 * board does not support the mode (-ENOTSUP), also the setting to use instead: `instead`, such as
 * "Input=analog" (NULL: none). */
static inline int dpl_pins_take_or(struct dpl_component *self, unsigned port, const char *name,
                                   enum dpl_pin_mode mode, uint32_t *ret_pin, const char *instead,
                                   struct dpl_diag *reterr)
{
    static const char *const modes[] = {"an input",        "an input with pull-up", "an output",
                                        "an analog input", "an analog output",      "a PWM output",
                                        "a PWM input"};
    int err = dpl_pins_call_find_pin(self, port, name, ret_pin);
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

/* The same for pins without an alternative. */
static inline int dpl_pins_take(struct dpl_component *self, unsigned port, const char *name,
                                enum dpl_pin_mode mode, uint32_t *ret_pin, struct dpl_diag *reterr)
{
    return dpl_pins_take_or(self, port, name, mode, ret_pin, NULL, reterr);
}

/* Whether the other side has driven the pin since `since`. */
static inline bool dpl_pins_is_driven(struct dpl_component *self, unsigned port, uint32_t pin,
                                      dpl_ns since)
{
    dpl_ns at;
    return dpl_pins_call_last_driven(self, port, pin, &at) == 0 && at >= since;
}

#ifdef __cplusplus
}
#endif

#endif
