/* SPDX-License-Identifier: Apache-2.0 */
/* The watchdog names a callback that does not return, once, and only then. The clock is moved. */
#include <criterion/criterion.h>
#include <string.h>

#include <doppel/msg/wheel_controller.h>

#include "rig.h"
#include "rig_ports.h"

static int get_stuck(struct dpl_component *self, unsigned port, const void *request,
                     void *response);

static const dpl_service_method methods[14] = {[8] = get_stuck};
static const struct dpl_port_desc ports[] = {
    RIG_REQUIRES,
    RIG_PROVIDES(methods),
};
static const struct dpl_component_class node = {.name = "Node", .ports = ports, .n_ports = 2};

static struct rig rig;

static void setup(void)
{
    rig_init(&rig);
    rig_add(&rig, "Caller", &node);
    rig_add(&rig, "Wheels", &node);
    rig_connect(&rig, 0, 0, 1, 1);
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
}

static void teardown(void)
{
    rig_finish(&rig);
}

TestSuite(watchdog, .init = setup, .fini = teardown);

static void watch_after(dpl_ns time)
{
    rig_clock_offset += time;
    dpl__executors_watch(&rig.runtime);
}

static void take_long(struct dpl_component *self)
{
    watch_after(700 * DPL_MS);
    cr_assert_str_eq(rig_log, "");
    watch_after(200 * DPL_MS);
    watch_after(DPL_S);
}

Test(watchdog, names_component_and_callback_once_within_a_second)
{
    rig_within(&rig, 0, take_long);
    cr_assert_eq(strncmp(rig_log, "Caller: test is stuck", 21), 0, "%s", rig_log);
    cr_assert_null(strstr(rig_log + 1, "Caller: test"));
    cr_assert_eq(atomic_load(&rig.runtime.faults), 1);
}

static bool goes_on;

static void look_twice(struct dpl_component *self)
{
    rig_clock_offset += 700 * DPL_MS;
    cr_assert(dpl__executors_go_on(&rig.runtime));
    rig_clock_offset += 200 * DPL_MS;
    goes_on = dpl__executors_go_on(&rig.runtime);
}

Test(watchdog, an_executor_in_a_long_callback_does_not_go_on)
{
    goes_on = true;
    rig_within(&rig, 0, look_twice);
    cr_assert_not(goes_on);
    cr_assert(dpl__executors_go_on(&rig.runtime));
}

Test(watchdog, an_executor_with_a_period_goes_on_while_it_makes_cycles)
{
    struct dpl__executor *executor = rig_component(&rig, 0)->executor;
    executor->execution.type = DPL_EXECUTION_PERIODIC;
    executor->execution.period = DPL_S;
    cr_assert(dpl__executors_go_on(&rig.runtime));
    rig_clock_offset += 3900 * DPL_MS;
    cr_assert(dpl__executors_go_on(&rig.runtime));
    rig_clock_offset += 200 * DPL_MS;
    cr_assert_not(dpl__executors_go_on(&rig.runtime));
    executor->n_cycles++;
    cr_assert(dpl__executors_go_on(&rig.runtime));
    rig_clock_offset += DPL_S * 100;
    executor->execution.period = 0;
    cr_assert(dpl__executors_go_on(&rig.runtime));
}

Test(watchdog, is_silent_when_nothing_runs)
{
    watch_after(10 * DPL_S);
    cr_assert_str_eq(rig_log, "");
}

static int get_stuck(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    watch_after(900 * DPL_MS);
    return 0;
}

static void call_stuck(struct dpl_component *self)
{
    int request = 0, response = 0; /* which the method does not read */
    dpl_service_call(self, 0, 8, &request, &response);
}

Test(watchdog, names_the_service_that_is_stuck_rather_than_its_caller)
{
    rig_within(&rig, 0, call_stuck);
    cr_assert_eq(strncmp(rig_log, "Wheels: DriveWheel is stuck", 27), 0, "%s", rig_log);
}

Test(watchdog, wakes_an_aperiodic_executor_whose_device_was_lost)
{
    struct rig_device device = {.opened = true};
    device.self.runtime = &device;
    struct dpl__component *component = rig_component(&rig, 0);
    struct dpl__executor *executor = component->executor;
    executor->execution.type = DPL_EXECUTION_APERIODIC;
    component->device = &device.self;
    dpl__executors_watch(&rig.runtime);
    cr_assert_eq(atomic_load(&executor->pending), 0);
    atomic_store(&device.lost, 1);
    dpl__executors_watch(&rig.runtime);
    cr_assert_eq(atomic_load(&executor->pending), 1);
}
