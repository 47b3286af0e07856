/* SPDX-License-Identifier: Apache-2.0 */
/* Servo between its ports and a device that notes what it is told. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/axes.h>
#include <doppel/msg/axes.h>
#include <doppel/msg/motion.h>

#include "fake_runtime.h"
#include "tables.h"

#define PERIOD (625 * DPL_US)

static struct servo_component *state;
static struct dpl_tick tick;
static Doppel__AxisReference reference;
static Doppel__MachineCommand command;
static double positions[6], velocities[6], accelerations[6];

/* ---- the device ---- */

static struct {
    struct dpl_axes_state state;
    int n_enabled, n_disabled, n_stopped, n_reset, n_followed, n_finished, n_idle;
    int enable_error, reset_error, read_error;
    struct dpl_axes_reference followed;
} device_told;

static int enable(struct dpl_device *device, const void *in, void *out)
{
    device_told.n_enabled++;
    device_told.state.mode = device_told.enable_error ? DPL_AXES_OFF : DPL_AXES_ON;
    return device_told.enable_error;
}

static int disable(struct dpl_device *device, const void *in, void *out)
{
    device_told.n_disabled++;
    device_told.state.mode = DPL_AXES_OFF;
    return 0;
}

static int stop(struct dpl_device *device, const void *in, void *out)
{
    device_told.n_stopped++;
    return 0;
}

static int reset(struct dpl_device *device, const void *in, void *out)
{
    device_told.n_reset++;
    return device_told.reset_error;
}

static int follow(struct dpl_device *device, const void *in, void *out)
{
    device_told.n_followed++;
    device_told.followed = *(const struct dpl_axes_reference *)in;
    return 0;
}

static int finish(struct dpl_device *device, const void *in, void *out)
{
    device_told.n_finished++;
    return 0;
}

static int read_axes(struct dpl_device *device, const void *in, void *out)
{
    *(struct dpl_axes_state *)out = device_told.state;
    return device_told.read_error;
}

static int read_side(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_axes_read_side *asked = in;
    *(struct dpl_axes_state *)out =
        (struct dpl_axes_state){.valid = true, .position_m = {(double)asked->side + 0.5}};
    return 0;
}

static int idle(struct dpl_device *device, const void *in, void *out)
{
    cr_assert_gt(device_told.n_stopped, device_told.n_idle, "idle comes after stop");
    device_told.n_idle++;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_AXES_N_CALLS] = {
    [DPL_DRV_AXES_ENABLE] = enable,  [DPL_DRV_AXES_DISABLE] = disable,
    [DPL_DRV_AXES_STOP] = stop,      [DPL_DRV_AXES_RESET] = reset,
    [DPL_DRV_AXES_FOLLOW] = follow,  [DPL_DRV_AXES_FINISH] = finish,
    [DPL_DRV_AXES_READ] = read_axes, [DPL_DRV_AXES_READ_SIDE] = read_side,
    [DPL_DRV_AXES_IDLE] = idle,
};
static struct dpl_driver driver = {.name = "fake", .device_class = &dpl_axes_class, .api = api};
static struct dpl_device device = {.driver = &driver};

/* ---- the bench ---- */

static const Doppel__AxisState *axes(void)
{
    return fake_sent(SERVO_PORT_AXES);
}

static void begin(void)
{
    fake_begin();
    fake.device = &device;
    state = fake.self.state;
    doppel__axis_reference__init(&reference);
    doppel__machine_command__init(&command);
    reference.position = positions;
    reference.velocity = velocities;
    reference.acceleration = accelerations;
    reference.n_position = reference.n_velocity = reference.n_acceleration = 6;
    device_told.state.valid = true;
    cr_assert_eq(fake_start(0, NULL), 0);
}

TestSuite(servo_glue, .init = begin, .fini = fake_end);

static void step(void)
{
    fake_receive(SERVO_PORT_REFERENCE, &reference, 0);
    fake_receive(SERVO_PORT_COMMAND, &command, 0);
    tick.now += PERIOD;
    fake_execute(&tick);
}

static void go_on(void)
{
    command.axes_on = true;
    step();
    step();
    cr_assert_eq(device_told.n_enabled, 1);
    cr_assert_eq(device_told.n_followed, 1);
}

Test(servo_glue, gives_references_on_and_tells_what_the_axes_do)
{
    velocities[2] = 0.1;
    accelerations[3] = -0.2;
    device_told.state.effort_n[1] = -77.0;
    go_on();
    cr_assert_eq(device_told.followed.velocity_m_s[2], 0.1);
    cr_assert_eq(device_told.followed.acceleration_m_s2[3], -0.2);
    cr_assert_eq(axes()->n_position, 6);
    cr_assert_eq(axes()->mode, DOPPEL__AXES_MODE__AXES_ON);
    cr_assert_eq(axes()->effort[1], -77.0);
    cr_assert_eq(state->effort_n, 77.0);
    cr_assert_eq(device_told.n_finished, 2);
    cr_assert_eq(fake.ports[SERVO_PORT_SIMULATION_AXES].n_sent, 0);
}

Test(servo_glue, tells_the_avatars_axes_over_a_hil_driver)
{
    driver.n_sides = 2;
    cr_assert_eq(fake.self.class_->ops->initialize(&fake.self, NULL), 0);
    step();
    cr_assert_eq(fake.ports[SERVO_PORT_SIMULATION_AXES].n_sent, 1);
    cr_assert_eq(((const Doppel__AxisState *)fake_sent(SERVO_PORT_SIMULATION_AXES))->position[0],
                 1.5);
}

Test(servo_glue, tells_its_own_fault_as_one_of_the_axes)
{
    go_on();
    positions[4] = 0.1;
    step();
    cr_assert_eq(device_told.n_stopped, 1);
    cr_assert_eq(axes()->mode, DOPPEL__AXES_MODE__AXES_FAULT);
    cr_assert_eq(axes()->fault, DPL_SERVO_FAULT_JUMP);
    cr_assert_not_null(strstr(fake.log, "fault jump of axis 5"), "%s", fake.log);
    device_told.state.mode = DPL_AXES_FAULT;
    device_told.state.fault = 0x1234;
    step();
    cr_assert_eq(axes()->fault, 0x1234);
    command.reset = true;
    command.axes_on = false;
    step();
    cr_assert_eq(device_told.n_reset, 1);
    cr_assert_eq(device_told.n_disabled, 1);
}

Test(servo_glue, takes_no_reference_of_another_number_of_axes)
{
    go_on();
    reference.n_velocity = 5;
    step();
    cr_assert_eq(device_told.n_followed, 1);
}

Test(servo_glue, says_when_the_axes_refuse_to_be_enabled)
{
    device_told.enable_error = -ENODEV;
    command.axes_on = true;
    step();
    step();
    cr_assert_eq(device_told.n_enabled, 1);
    cr_assert_eq(state->n_refused, 1);
    cr_assert_not_null(strstr(fake.log, "cannot be enabled"), "%s", fake.log);
}

Test(servo_glue, tells_nothing_of_axes_that_cannot_be_read)
{
    device_told.read_error = -ENODEV;
    step();
    cr_assert_eq(fake.ports[SERVO_PORT_AXES].n_sent, 0);
}

Test(servo_glue, stops_the_axes_when_it_is_stopped_reset_or_in_error)
{
    const struct dpl_component_ops *ops = fake.self.class_->ops;
    go_on();
    cr_assert_eq(ops->error(&fake.self, -ENODEV), 0);
    cr_assert_eq(device_told.n_stopped, 1);
    cr_assert_eq(ops->stop(&fake.self), 0);
    cr_assert_eq(device_told.n_stopped, 2);
    cr_assert_eq(device_told.n_disabled, 1);
    cr_assert_eq(ops->reset(&fake.self), 0);
    cr_assert_eq(device_told.n_disabled, 2);
}

Test(servo_glue, tells_the_device_when_no_more_cycles_come)
{
    go_on();
    cr_assert_eq(fake.self.class_->ops->error(&fake.self, -ENODEV), 0);
    cr_assert_eq(device_told.n_idle, 1);
    cr_assert_eq(device_told.n_disabled, 0);
    cr_assert_eq(fake.self.class_->ops->start(&fake.self, NULL), 0);
    cr_assert_eq(fake.self.class_->ops->stop(&fake.self), 0);
    cr_assert_eq(device_told.n_disabled, 1);
    cr_assert_eq(device_told.n_idle, 2);
}

Test(servo_glue, counts_each_refusal_of_a_cycle)
{
    device_told.reset_error = -EIO;
    command.reset = true;
    command.axes_on = true;
    step();
    cr_assert_eq(device_told.n_enabled, 1);
    cr_assert_eq(state->n_refused, 1);
    command.reset = command.axes_on = false;
    step();
    device_told.enable_error = -EPERM;
    command.reset = command.axes_on = true;
    step();
    cr_assert_eq(state->n_refused, 3);
}
