/* SPDX-License-Identifier: Apache-2.0 */
/* WheelController through steps of its life cycle that no run of an application takes. */
#include <errno.h>

#include <criterion/criterion.h>

#include <doppel/plugin.h>

#include "service.h"

static int n_stops, n_halts;

static int succeed(struct dpl_device *device, const void *in, void *out)
{
    return 0;
}

static int count_stop(struct dpl_device *device, const void *in, void *out)
{
    n_stops++;
    return 0;
}

static int count_halt(struct dpl_device *device, const void *in, void *out)
{
    n_halts++;
    return 0;
}

static int read_nothing(struct dpl_device *device, const void *in, void *out)
{
    *(struct dpl_wheel_state *)out = (struct dpl_wheel_state){0};
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_WHEEL_CONTROLLER_N_CALLS] = {
    [DPL_DRV_WHEEL_CONTROLLER_ENABLE] = succeed,
    [DPL_DRV_WHEEL_CONTROLLER_STOP] = count_stop,
    [DPL_DRV_WHEEL_CONTROLLER_READ] = read_nothing,
    [DPL_DRV_WHEEL_CONTROLLER_HALT] = count_halt,
};
static const struct dpl_driver driver = {
    .name = "fake", .device_class = &dpl_wheel_controller_class, .api = api};
static struct dpl_device device = {.driver = &driver};

/* ---- the runtime, as far as the component meets it ---- */

struct dpl_device *dpl_component_device(struct dpl_component *component)
{
    return &device;
}

void dpl_component_take_command(struct dpl_component *component)
{
}

struct dpl_device *dpl_device_side(struct dpl_device *above, size_t index)
{
    return NULL;
}

dpl_ns dpl_component_now(const struct dpl_component *component)
{
    return 0;
}

void *dpl_port_loan(struct dpl_component *component, unsigned port)
{
    return NULL;
}

int dpl_port_publish(struct dpl_component *component, unsigned port, void *body, dpl_ns stamp)
{
    return -EINVAL;
}

int dpl_component_get_property(const struct dpl_component *component, const char *name,
                               char *ret_text, size_t size)
{
    return -ENOENT;
}

int dpl_component_set_property(struct dpl_component *component, const char *name, const char *text,
                               struct dpl_diag *reterr)
{
    return -ENOENT;
}

void dpl_component_log(struct dpl_component *component, enum dpl_log_level level,
                       const char *format, ...)
{
}

/* ---- the component ---- */

static void begin_life(struct dpl_component *self, struct wheel_state *state)
{
    const struct dpl_component_class *class = dpl_plugin.component;
    *self = (struct dpl_component){.name = "WheelController", .class_ = class, .state = state};
    cr_assert_eq(class->ops->initialize(self, NULL), 0);
    cr_assert_eq(class->ops->start(self, NULL), 0);
}

/* The reset forgets what was commanded: nothing would be left that stops it at the timeout. */
Test(wheel_controller_glue, stops_the_base_when_it_is_reset)
{
    struct dpl_component self;
    struct wheel_state state = {0};
    begin_life(&self, &state);
    state.base.driving = true;
    cr_assert_not_null(self.class_->ops->reset);
    cr_assert_eq(self.class_->ops->reset(&self), 0);
    cr_assert_eq(n_stops, 1);
}

Test(wheel_controller_glue, has_no_command_in_force_after_a_fault_or_a_start)
{
    struct dpl_component self;
    struct wheel_state state = {0};
    begin_life(&self, &state);
    state.base.driving = state.hardware.driving = true;
    cr_assert_eq(self.class_->ops->error(&self, -ENODEV), 0);
    cr_assert_eq(n_halts, 1);
    cr_assert_not(state.base.driving || state.hardware.driving);
    state.base.driving = state.hardware.driving = true;
    cr_assert_eq(self.class_->ops->start(&self, NULL), 0);
    cr_assert_not(state.base.driving || state.hardware.driving);
}

Test(wheel_controller_glue, halts_for_a_lost_device_and_a_silent_commander_and_stops_at_the_end)
{
    struct dpl_component self;
    struct wheel_state state = {0};
    struct wheel_properties properties = {.command_timeout_ms = 500};
    begin_life(&self, &state);
    self.properties = &properties;
    struct dpl_tick tick = {.halt = DPL_HALT_ENDING};
    cr_assert_eq(self.class_->ops->execute(&self, &tick), 0);
    cr_assert_eq(n_stops, 1);
    cr_assert_eq(n_halts, 0);
    tick.halt = DPL_HALT_LOST;
    cr_assert_eq(self.class_->ops->execute(&self, &tick), 0);
    cr_assert_eq(n_halts, 1);
    tick.halt = DPL_HALT_NONE;
    state.base.driving = true;
    tick.now = 501 * DPL_MS;
    cr_assert_eq(self.class_->ops->execute(&self, &tick), 0);
    cr_assert_eq(n_halts, 2);
    cr_assert_eq(n_stops, 1);
}
