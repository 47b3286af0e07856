/* SPDX-License-Identifier: Apache-2.0 */
/* The HIL driver of a class without special rules. Built once for each such class, with these
 * macros: HIL_CLASS, by default HIL_HARDWARE and HIL_SIMULATION; HIL_REAL. */
#include <doppel/plugin.h>

#include "hil.h"

extern const struct dpl_device_class HIL_CLASS;

struct properties {
    struct dpl_hil_properties sides;
};

static const struct dpl_field properties[] = {
    DPL_HIL_FIELDS(struct properties, sides, HIL_HARDWARE, HIL_SIMULATION, HIL_REAL),
};

struct state {
    struct dpl_hil_state sides;
};

static const struct dpl_field exports[] = {
    DPL_HIL_EXPORT_ERRORS(struct state, sides),
};

static const struct dpl_driver driver = {
    DPL_HIL_DRIVER,
    .summary =
        "hardware and simulator at once: commands go to both, readings come from the hardware",
    .device_class = &HIL_CLASS,
    .answer = dpl_hil_call,
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = dpl_hil_open,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
