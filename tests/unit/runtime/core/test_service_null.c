/* SPDX-License-Identifier: Apache-2.0 */
/* Service calls without a request: the caller's mistake, which does not reach the provider. */
#include <criterion/criterion.h>
#include <errno.h>

#include <doppel/msg/device.h>
#include <doppel/msg/wheel_controller.h>

#include "rig.h"
#include "rig_ports.h"

enum { PROVIDES, REQUIRES };
enum { DRIVE = 8, N_METHODS = DPL_WHEEL_CONTROLLER_N_METHODS };

static int n_called;

static int drive(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    const Doppel__Drive *wanted = request;
    n_called++;
    return wanted->linear_velocity > 1.0 ? -ERANGE : 0;
}

static const dpl_service_method methods[N_METHODS] = {[DRIVE] = drive};

static const struct dpl_port_desc ports[] = {
    [PROVIDES] = RIG_PROVIDES(methods),
    [REQUIRES] = RIG_REQUIRES,
};

static const struct dpl_component_class node = {
    .name = "Node", .ports = ports, .n_ports = 2, .state_size = 8};

Test(service_null, is_refused_before_the_provider_is_called)
{
    struct rig rig;
    Doppel__Drive request = DOPPEL__DRIVE__INIT;
    Doppel__Empty response = DOPPEL__EMPTY__INIT;
    rig_init(&rig);
    rig_add(&rig, "A", &node);
    rig_add(&rig, "B", &node);
    rig_connect(&rig, 0, REQUIRES, 1, PROVIDES);
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    struct dpl_component *self = rig_self(&rig, 0);
    cr_expect_eq(dpl_service_call(self, REQUIRES, DRIVE, NULL, &response), -EINVAL);
    cr_expect_eq(dpl_service_call(self, REQUIRES, DRIVE, &request, NULL), -EINVAL);
    cr_expect_eq(n_called, 0);
    cr_expect_eq(dpl_service_call(self, REQUIRES, DRIVE, &request, &response), 0);
    cr_expect_eq(n_called, 1);
    rig_finish(&rig);
}
