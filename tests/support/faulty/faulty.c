/* SPDX-License-Identifier: Apache-2.0 */
/* Test plugins that must not be accepted; FAULT chooses which. FAULT_OLDER is a driver that loads,
 * but was built before its class had any call. */
#include "test_types.h"

#define FAULT_ABI       1
#define FAULT_SIZE      2
#define FAULT_NAME      3
#define FAULT_NOTHING   4
#define FAULT_NO_SYMBOL 5
#define FAULT_NO_CALL   6
#define FAULT_OLDER     7

#if FAULT != FAULT_NO_SYMBOL
static const struct dpl_component_class class_ __attribute__((unused)) = {
#if FAULT == FAULT_ABI
    .name = "OldAbi",
#elif FAULT == FAULT_SIZE
    .name = "OtherSize",
#else
    .name = "SomethingElse",
#endif
    .ops = &test_ops,
};

#if FAULT == FAULT_OLDER
static const struct dpl_device_class wheels = {.name = "wheel_controller"};
static const struct dpl_driver driver = {.name = "older", .device_class = &wheels};
#elif FAULT == FAULT_NO_CALL
static const struct dpl_call calls[] = {{.name = "read", .kind = DPL_CALL_READING}};
static const struct dpl_device_class wheels = {
    .name = "wheel_controller",
    .calls = calls,
    .n_calls = 1,
};
static const dpl_device_call_fn api[1];
static const struct dpl_driver driver = {
    .name = "lacking",
    .device_class = &wheels,
    .api = api,
    .n_calls = 1,
};
#endif

const struct dpl_plugin dpl_plugin = {
#if FAULT == FAULT_ABI
    .abi = DPL_PLUGIN_ABI + 6,
#else
    .abi = DPL_PLUGIN_ABI,
#endif
#if FAULT == FAULT_SIZE
    .component_size = 8,
#else
    .component_size = sizeof(struct dpl_component_class),
#endif
    .driver_size = sizeof(struct dpl_driver),
    .port_size = sizeof(struct dpl_port_desc),
    .field_size = sizeof(struct dpl_field),
#if FAULT == FAULT_NO_CALL || FAULT == FAULT_OLDER
    .driver = &driver,
#elif FAULT != FAULT_NOTHING
    .component = &class_,
#endif
};
#endif
