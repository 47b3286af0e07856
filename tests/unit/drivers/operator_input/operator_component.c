/* SPDX-License-Identifier: Apache-2.0 */
/* A component that has an operator and does nothing: the test takes its place. */
#include <doppel/drv/operator_input.h>
#include <doppel/plugin.h>

static const struct dpl_component_ops ops = {0};

static const struct dpl_component_class class = {
    .name = "OperatorBench",
    .summary = "test class",
    .ops = &ops,
    .device_class = DPL_OPERATOR_INPUT_CLASS,
    .n_device_calls = DPL_DRV_OPERATOR_INPUT_N_CALLS,
    .only_senses = true,
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .component = &class};
