/* SPDX-License-Identifier: Apache-2.0 */
/* WheelController through steps of its life cycle that no run of an application takes. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/msg/device.h>
#include <doppel/msg/parameter_methods.h>

#include "fake_runtime.h"
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
static const struct dpl_driver_side sides[] = {{.name = "hardware"}, {.name = "simulation"}};
static const struct dpl_driver driver = {
    .name = "fake", .device_class = &dpl_wheel_controller_class, .sides = sides, .api = api};
static struct dpl_device device = {.driver = &driver};

static struct wheel_state *state;

static void begin(void)
{
    fake_begin();
    fake.device = &device;
    state = fake.self.state;
    cr_assert_eq(fake_start(0, NULL), 0);
}

TestSuite(wheel_controller_glue, .init = begin, .fini = fake_end);

/* The reset forgets what was commanded: nothing would be left that stops it at the timeout. */
Test(wheel_controller_glue, stops_the_base_when_it_is_reset)
{
    state->base.driving = true;
    cr_assert_not_null(fake.self.class_->ops->reset);
    cr_assert_eq(fake.self.class_->ops->reset(&fake.self), 0);
    cr_assert_eq(n_stops, 1);
}

Test(wheel_controller_glue, has_no_command_in_force_after_a_fault_or_a_start)
{
    state->base.driving = state->hardware.driving = true;
    cr_assert_eq(fake.self.class_->ops->error(&fake.self, -ENODEV), 0);
    cr_assert_eq(n_halts, 1);
    cr_assert_not(state->base.driving || state->hardware.driving);
    state->base.driving = state->hardware.driving = true;
    cr_assert_eq(fake.self.class_->ops->start(&fake.self, NULL), 0);
    cr_assert_not(state->base.driving || state->hardware.driving);
}

Test(wheel_controller_glue, halts_for_a_lost_device_and_a_silent_commander_and_stops_at_the_end)
{
    ((struct wheel_properties *)(uintptr_t)fake.self.properties)->command_timeout_ms = 500;
    struct dpl_tick tick = {.halt = DPL_HALT_ENDING};
    fake_execute(&tick);
    cr_assert_eq(n_stops, 1);
    cr_assert_eq(n_halts, 0);
    tick.halt = DPL_HALT_LOST;
    fake_execute(&tick);
    cr_assert_eq(n_halts, 1);
    tick.halt = DPL_HALT_NONE;
    state->base.driving = true;
    tick.now = 501 * DPL_MS;
    fake_execute(&tick);
    cr_assert_eq(n_halts, 2);
    cr_assert_eq(n_stops, 1);
}

/* ---- parameters ---- */

static const char *property_of_sides(const char *name)
{
    return strcmp(name, "hardware.Limit") == 0     ? "1"
           : strcmp(name, "simulation.Limit") == 0 ? "2"
           : strcmp(name, "Limit") == 0            ? "3"
                                                   : NULL;
}

/* The answer of one of the service ports; -1: none. */
static int ask(unsigned port, const char *name)
{
    char value[DPL_PARAMETER_VALUE_SIZE] = "";
    Doppel__Parameter request, answer;
    doppel__parameter__init(&request);
    doppel__parameter__init(&answer);
    request.name = (char *)(uintptr_t)name;
    answer.value = value;
    int err =
        wheel_service[DPL_WHEEL_CONTROLLER_GET_PARAMETER](&fake.self, port, &request, &answer);
    return err < 0 ? -1 : value[0] - '0';
}

Test(wheel_controller_glue, tells_the_parameters_of_the_side_whose_port_is_asked)
{
    fake.property = property_of_sides;
    state->n_sides = WHEEL_SIDES;
    cr_assert_eq(ask(WHEEL_PORT_SERVICE, "Limit"), 3);
    cr_assert_eq(ask(WHEEL_PORT_HARDWARE_SERVICE, "Limit"), 1);
    cr_assert_eq(ask(WHEEL_PORT_SIMULATION_SERVICE, "Limit"), 2);
    cr_assert_eq(ask(WHEEL_PORT_SIMULATION_SERVICE, "Nonsense"), -1);
    char name[200];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    cr_assert_eq(ask(WHEEL_PORT_HARDWARE_SERVICE, name), -1, "no property has such a long name");
}

Test(wheel_controller_glue, tells_the_parameters_of_a_base_without_sides_as_those_of_its_hardware)
{
    fake.property = property_of_sides;
    cr_assert_eq(ask(WHEEL_PORT_HARDWARE_SERVICE, "Limit"), 3);
    cr_assert_eq(ask(WHEEL_PORT_SIMULATION_SERVICE, "Limit"), -1);
}
