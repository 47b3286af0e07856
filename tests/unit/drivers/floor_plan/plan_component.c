/* SPDX-License-Identifier: Apache-2.0 */
/* A component that has a floor plan and does nothing: the test takes its place. */
#include <doppel/drv/floor_plan.h>
#include <doppel/plugin.h>

static const struct dpl_component_ops ops = {0};

static const struct dpl_component_class class = {
    .name = "PlanBench",
    .summary = "test class",
    .ops = &ops,
    .device_class = DPL_FLOOR_PLAN_CLASS,
    .n_device_calls = DPL_DRV_FLOOR_PLAN_N_CALLS,
    .only_senses = true,
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .component = &class};
