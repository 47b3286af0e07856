/* SPDX-License-Identifier: Apache-2.0 */
/* A device is commanded while the executors that command it end their cycles in time. The clock is
 * moved. */
#include <criterion/criterion.h>
#include <string.h>

#include <doppel/msg/wheel_controller.h>

#include "commander.h"
#include "device.h"
#include "rig.h"
#include "rig_ports.h"

static const struct dpl_port_desc ports[] = {
    RIG_REQUIRES,
    RIG_PROVIDES(NULL),
};
static const struct dpl_component_class node = {.name = "Node", .ports = ports, .n_ports = 2};

static struct rig rig;
static struct dpl__device top, side;

static void add_device(struct dpl__device *device, const char *name, struct dpl__device *parent)
{
    *device = (struct dpl__device){.runtime = &rig.runtime, .parent = parent};
    device->self.name = name;
    device->self.runtime = device;
}

/* "Caller" calls "Wheels", whose device has one side. */
static void setup_with(enum dpl_execution_type type, dpl_ns period)
{
    rig_init(&rig);
    rig.runtime.options.simulated = false;
    rig_add(&rig, "Caller", &node);
    size_t wheels = rig_add(&rig, "Wheels", &node);
    rig_execution(&rig, wheels, type, period);
    rig.components[wheels].execution.late_limit = 300 * DPL_MS;
    rig_connect(&rig, 0, 0, wheels, 1);
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    add_device(&top, "Wheels", NULL);
    add_device(&side, "Wheels.hardware", &top);
    side.next = &top;
    rig.runtime.devices = &side;
    dpl__device_find_commanders(&top, rig_component(&rig, wheels));
    rig.runtime.executing = true;
}

static struct dpl__executor *executor_of(size_t component)
{
    return rig_component(&rig, component)->executor;
}

static bool commanded(void)
{
    return dpl_device_is_commanded(&side.self);
}

static void promise_in(size_t component, dpl_ns time)
{
    dpl__executor_promise(executor_of(component), dpl_monotonic_now() + time);
}

static void teardown(void)
{
    rig_finish(&rig);
}

TestSuite(commander, .fini = teardown);

Test(commander, a_device_is_commanded_before_the_first_promise)
{
    setup_with(DPL_EXECUTION_PERIODIC, 100 * DPL_MS);
    rig_clock_offset += 10 * DPL_S;
    cr_assert(commanded());
}

Test(commander, a_device_is_left_when_a_cycle_ends_later_than_promised_by_the_limit)
{
    setup_with(DPL_EXECUTION_PERIODIC, 100 * DPL_MS);
    promise_in(1, 200 * DPL_MS);
    rig_clock_offset += 490 * DPL_MS;
    cr_assert(commanded(), "late by 290 ms");
    rig_clock_offset += 20 * DPL_MS;
    cr_assert_not(commanded(), "late by 310 ms");
    cr_assert_not(dpl_device_is_commanded(&top.self), "the device above as well");
    promise_in(1, 200 * DPL_MS);
    cr_assert(commanded(), "a cycle has ended");
}

Test(commander, the_limit_is_that_of_the_component)
{
    setup_with(DPL_EXECUTION_PERIODIC, 100 * DPL_MS);
    top.late_limit = DPL_S;
    promise_in(1, 0);
    rig_clock_offset += 900 * DPL_MS;
    cr_assert(commanded());
    rig_clock_offset += 200 * DPL_MS;
    cr_assert_not(commanded());
}

Test(commander, the_executor_of_a_caller_does_not_count_where_the_component_has_its_own)
{
    setup_with(DPL_EXECUTION_PERIODIC, 100 * DPL_MS);
    promise_in(0, 0);
    promise_in(1, DPL_S);
    rig_clock_offset += 500 * DPL_MS;
    cr_assert(commanded());
}

/* As a service method of "Wheels" does, on the thread of executor `by`. */
static void command_by(size_t by)
{
    struct dpl__component *wheels = rig_component(&rig, 1);
    wheels->device = &top.self;
    wheels->on = executor_of(by);
    dpl_component_take_command(&wheels->self);
    wheels->on = NULL;
}

Test(commander, a_caller_counts_from_its_command_until_that_of_another)
{
    setup_with(DPL_EXECUTION_PERIODIC, 100 * DPL_MS);
    promise_in(0, 0);
    promise_in(1, DPL_S);
    command_by(0);
    cr_assert(commanded());
    rig_clock_offset += 310 * DPL_MS;
    cr_assert_not(commanded(), "who gave the command is late");
    promise_in(0, 0);
    cr_assert(commanded(), "it is back");
    rig_clock_offset += 310 * DPL_MS;
    command_by(1);
    cr_assert(commanded(), "another one commands now");
}

Test(commander, a_passive_component_acts_on_the_threads_of_its_callers)
{
    setup_with(DPL_EXECUTION_PASSIVE, -1);
    promise_in(0, 0);
    cr_assert(commanded());
    rig_clock_offset += 310 * DPL_MS;
    cr_assert_not(commanded());
}

Test(commander, callers_command_a_device_that_keeps_what_it_was_told)
{
    static struct dpl_component_class keeps;
    keeps = node;
    keeps.callers_command = true;
    rig_init(&rig);
    rig.runtime.options.simulated = false;
    rig_add(&rig, "Caller", &node);
    rig_add(&rig, "Board", &keeps);
    rig.components[1].execution.late_limit = 300 * DPL_MS;
    rig_execution(&rig, 1, DPL_EXECUTION_PERIODIC, 50 * DPL_MS);
    rig_connect(&rig, 0, 0, 1, 1);
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    add_device(&top, "Board", NULL);
    dpl__device_find_commanders(&top, rig_component(&rig, 1));
    promise_in(0, 0);
    promise_in(1, DPL_S);
    rig_clock_offset += 310 * DPL_MS;
    cr_assert_not(dpl_device_is_commanded(&top.self), "its caller is late, it is not");
    promise_in(0, DPL_S);
    cr_assert(dpl_device_is_commanded(&top.self));
}

Test(commander, a_command_from_the_life_cycle_counts_until_executors_may_be_late)
{
    setup_with(DPL_EXECUTION_PERIODIC, 100 * DPL_MS);
    rig.runtime.executing = false;
    rig_clock_offset += 10 * DPL_S;
    cr_assert(commanded(), "nobody has commanded it");
    command_by(0);
    rig_clock_offset += 290 * DPL_MS;
    cr_assert(commanded());
    rig_clock_offset += 20 * DPL_MS;
    cr_assert_not(commanded());
    cr_assert(dpl__commanders_are_late(&rig.runtime));
    dpl__commanders_watch(&rig.runtime);
    cr_assert_not_null(strstr(rig_log, "Wheels: stopped: its newest command came from a callback"),
                       "%s", rig_log);
    rig.runtime.executing = true;
    command_by(0);
    cr_assert(commanded(), "an executor commands it now");
}

Test(commander, a_thread_that_has_ended_is_told_as_such)
{
    setup_with(DPL_EXECUTION_PERIODIC, 100 * DPL_MS);
    atomic_store(&executor_of(1)->gone, 1);
    dpl__executor_promise(executor_of(1), 0);
    dpl__commanders_watch(&rig.runtime);
    cr_assert_not_null(strstr(rig_log, "Wheels: stopped: the thread of executor \"periodic 100 ms "
                                       "Wheels\" that commands it has ended"),
                       "%s", rig_log);
}

Test(commander, nothing_is_said_of_a_component_that_has_stopped)
{
    setup_with(DPL_EXECUTION_PERIODIC, 100 * DPL_MS);
    promise_in(1, 0);
    rig_clock_offset += 400 * DPL_MS;
    dpl__component_operate(rig_component(&rig, 1), DPL__STOP, 0, NULL);
    dpl__commanders_watch(&rig.runtime);
    cr_assert_not(commanded());
    cr_assert_null(strstr(rig_log, "stopped:"), "%s", rig_log);
    cr_assert_eq(atomic_load(&rig.runtime.faults), 0);
}

Test(commander, a_device_that_only_senses_is_not_stopped)
{
    static struct dpl_component_class senses;
    senses = node;
    senses.only_senses = true;
    rig_init(&rig);
    rig.runtime.options.simulated = false;
    rig_add(&rig, "Laser", &senses);
    rig_execution(&rig, 0, DPL_EXECUTION_PERIODIC, 50 * DPL_MS);
    rig.components[0].execution.late_limit = 300 * DPL_MS;
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    add_device(&top, "Laser", NULL);
    rig.runtime.devices = &top;
    dpl__device_find_commanders(&top, rig_component(&rig, 0));
    promise_in(0, 0);
    rig_clock_offset += 10 * DPL_S;
    dpl__commanders_watch(&rig.runtime);
    cr_assert(dpl_device_is_commanded(&top.self));
    cr_assert_eq(atomic_load(&top.n_late_stops), 0);
    cr_assert_str_empty(rig_log);
}

Test(commander, nothing_is_late_on_the_simulated_clock)
{
    setup_with(DPL_EXECUTION_PERIODIC, 100 * DPL_MS);
    rig.runtime.options.simulated = true;
    promise_in(1, 0);
    rig_clock_offset += 10 * DPL_S;
    cr_assert(commanded());
}

Test(commander, a_process_that_goes_down_commands_nothing)
{
    setup_with(DPL_EXECUTION_PERIODIC, 100 * DPL_MS);
    atomic_store(&rig.runtime.going_down, true);
    cr_assert_not(commanded());
}

Test(commander, each_stop_is_told_and_counted_once)
{
    setup_with(DPL_EXECUTION_PERIODIC, 100 * DPL_MS);
    promise_in(1, 0);
    rig_clock_offset += 400 * DPL_MS;
    dpl__commanders_watch(&rig.runtime);
    dpl__commanders_watch(&rig.runtime);
    cr_assert_eq(atomic_load(&top.n_late_stops), 1);
    cr_assert_eq(atomic_load(&rig.runtime.faults), 1);
    cr_assert_not_null(strstr(rig_log, "Wheels: stopped: executor \"periodic 100 ms Wheels\" that "
                                       "commands it is late by more than 300 ms"),
                       "%s", rig_log);
    promise_in(1, 0);
    dpl__commanders_watch(&rig.runtime);
    cr_assert_not_null(strstr(rig_log, "Wheels: is commanded again"), "%s", rig_log);
    rig_clock_offset += 400 * DPL_MS;
    dpl__commanders_watch(&rig.runtime);
    cr_assert_eq(atomic_load(&top.n_late_stops), 2);
}
