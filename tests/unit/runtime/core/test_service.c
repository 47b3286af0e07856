/* SPDX-License-Identifier: Apache-2.0 */
/* Service calls: result codes, states, cycles of calls, locks across executors. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include <doppel/msg/device.h>
#include <doppel/msg/wheel_controller.h>

#include "rig.h"
#include "rig_ports.h"

enum { PROVIDES, REQUIRES };
enum { DRIVE = 8, CALL_ON = 10, N_METHODS = DPL_WHEEL_CONTROLLER_N_METHODS };

static double speed;
static unsigned called_port;
static size_t caller;

static int drive(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    const Doppel__Drive *wanted = request;
    speed = wanted->linear_velocity;
    called_port = port;
    caller = dpl_component_caller(self);
    return wanted->linear_velocity > 1.0 ? -ERANGE : 0;
}

static int call_on(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    return dpl_service_call(self, REQUIRES, CALL_ON, request, response);
}

static const dpl_service_method methods[N_METHODS] = {[DRIVE] = drive, [CALL_ON] = call_on};

static const struct dpl_port_desc ports[] = {
    [PROVIDES] = RIG_PROVIDES(methods),
    [REQUIRES] = RIG_REQUIRES,
};

static const struct dpl_component_class node = {
    .name = "Node", .ports = ports, .n_ports = 2, .state_size = 8};

static struct rig rig;

static void setup(void)
{
    rig_init(&rig);
    rig_add(&rig, "A", &node);
    rig_add(&rig, "B", &node);
}

static void teardown(void)
{
    rig_finish(&rig);
}

TestSuite(service, .init = setup, .fini = teardown);

static int call(size_t component, unsigned method, double linear)
{
    Doppel__Drive request = DOPPEL__DRIVE__INIT;
    request.linear_velocity = linear;
    Doppel__Empty response = DOPPEL__EMPTY__INIT;
    return dpl_service_call(rig_self(&rig, component), REQUIRES, method, &request, &response);
}

Test(service, calls_the_provider_and_returns_its_result)
{
    rig_connect(&rig, 0, REQUIRES, 1, PROVIDES);
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    cr_assert_eq(call(0, DRIVE, 0.2), 0);
    cr_assert_eq(speed, 0.2);
    cr_assert_eq(called_port, PROVIDES);
    cr_assert_eq(call(0, DRIVE, 2.0), -ERANGE);
}

Test(service, tells_the_provider_who_calls)
{
    rig_add(&rig, "C", &node);
    rig_connect(&rig, 0, REQUIRES, 1, PROVIDES);
    rig_connect(&rig, 2, REQUIRES, 1, PROVIDES);
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    cr_assert_eq(call(0, DRIVE, 0.2), 0);
    cr_assert_eq(caller, 0);
    cr_assert_eq(call(2, DRIVE, 0.2), 0);
    cr_assert_eq(caller, 2);
}

Test(service, says_what_is_missing)
{
    rig_connect(&rig, 0, REQUIRES, 1, PROVIDES);
    cr_assert_eq(rig_start(&rig), 0);
    cr_assert_eq(call(1, DRIVE, 0.0), -ENOTCONN);
    cr_assert_eq(call(0, 0, 0.0), -ENOSYS);
    cr_assert_eq(call(0, N_METHODS, 0.0), -EINVAL);
    cr_assert_eq(dpl_service_call(rig_self(&rig, 0), PROVIDES, DRIVE, NULL, NULL), -EINVAL);
    cr_assert_eq(dpl_service_call(rig_self(&rig, 0), 77, DRIVE, NULL, NULL), -EINVAL);
}

Test(service, serves_only_when_ready_active_or_inactive)
{
    static const int expected[] = {-ESHUTDOWN, 0, 0, 0, -ESHUTDOWN, -ESHUTDOWN};
    rig_connect(&rig, 0, REQUIRES, 1, PROVIDES);
    cr_assert_eq(rig_wire(&rig), 0);
    for (int state = DPL__CREATED; state <= DPL__DESTROYED; state++) {
        atomic_store(&rig_component(&rig, 1)->state, state);
        cr_assert_eq(call(0, DRIVE, 0.1), expected[state], "in %s", dpl__state_name(state));
    }
}

Test(service, finds_a_cycle_of_calls_within_an_executor)
{
    rig_connect(&rig, 0, REQUIRES, 1, PROVIDES);
    rig_connect(&rig, 1, REQUIRES, 0, PROVIDES);
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    cr_assert_eq(call(0, CALL_ON, 0.0), -EDEADLK);
    cr_assert_eq(call(0, DRIVE, 0.1), 0);
}

Test(service, refuses_a_cycle_between_executors_before_anything_starts)
{
    rig.runtime.options.simulated = false;
    rig_execution(&rig, 1, DPL_EXECUTION_PERIODIC, 10 * DPL_MS);
    rig_connect(&rig, 0, REQUIRES, 1, PROVIDES);
    rig_connect(&rig, 1, REQUIRES, 0, PROVIDES);
    cr_assert_eq(rig_wire(&rig), -EDEADLK);
    cr_assert(strstr(rig.diag.text, "A calls services of B"), "%s", rig.diag.text);
}

Test(service, locks_a_provider_that_several_executors_reach)
{
    rig.runtime.options.simulated = false;
    rig_add(&rig, "C", &node);
    rig_add(&rig, "D", &node);
    rig_execution(&rig, 0, DPL_EXECUTION_PERIODIC, 10 * DPL_MS);
    rig_execution(&rig, 2, DPL_EXECUTION_PASSIVE, 0);
    rig_connect(&rig, 0, REQUIRES, 1, PROVIDES); /* another executor */
    rig_connect(&rig, 1, REQUIRES, 2, PROVIDES); /* passive, reached from both through B */
    rig_connect(&rig, 2, REQUIRES, 3, PROVIDES);
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    cr_assert_not(rig_component(&rig, 0)->shared);
    cr_assert(rig_component(&rig, 1)->shared);
    cr_assert(rig_component(&rig, 2)->shared);
    cr_assert(rig_component(&rig, 3)->shared);
    cr_assert_eq(call(0, DRIVE, 0.3), 0);
    cr_assert_eq(call(1, DRIVE, 0.4), 0);
    cr_assert_eq(pthread_mutex_trylock(&rig_component(&rig, 1)->lock), 0);
    pthread_mutex_unlock(&rig_component(&rig, 1)->lock);
}

Test(service, needs_no_lock_on_the_simulated_clock)
{
    rig_execution(&rig, 0, DPL_EXECUTION_PERIODIC, 10 * DPL_MS);
    rig_connect(&rig, 0, REQUIRES, 1, PROVIDES);
    cr_assert_eq(rig_start(&rig), 0);
    cr_assert_not(rig_component(&rig, 1)->shared);
    cr_assert_eq(call(0, DRIVE, 0.1), 0);
}

Test(service, is_called_from_outside_without_a_connection)
{
    Doppel__Drive request = DOPPEL__DRIVE__INIT;
    Doppel__Empty response = DOPPEL__EMPTY__INIT;
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    const struct dpl__port *port = &rig_component(&rig, 1)->ports[PROVIDES];
    struct dpl__executor *on = dpl__component_owner(rig_component(&rig, 1));
    request.linear_velocity = 0.3;
    cr_assert_eq(dpl__service_serve(port, DRIVE, on, NULL, &request, &response), 0);
    cr_assert_eq(speed, 0.3);
    cr_assert_eq(caller, 2, "none of the two components");
    cr_assert_eq(dpl__service_serve(port, 0, on, NULL, &request, &response), -ENOSYS);
    cr_assert_eq(dpl__service_serve(port, N_METHODS, on, NULL, &request, &response), -EINVAL);
    cr_assert_eq(dpl__service_serve(port, DRIVE, on, NULL, NULL, &response), -EINVAL);
    atomic_store(&rig_component(&rig, 1)->state, DPL__ERROR);
    cr_assert_eq(dpl__service_serve(port, DRIVE, on, NULL, &request, &response), -ESHUTDOWN);
}
