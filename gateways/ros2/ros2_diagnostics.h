/* SPDX-License-Identifier: Apache-2.0 */
/* /diagnostics: the components of a run with their states, and what the gateway counts. */
#ifndef DPL_GATEWAYS_ROS2_DIAGNOSTICS_H
#define DPL_GATEWAYS_ROS2_DIAGNOSTICS_H

#include "ros2_inputs.h"

struct json_t;

/* `components`: newest message of /run/components, or NULL. Made parts are in `arena`. */
void ros2_diagnostics_write(struct ros2_endpoint *writer, const struct json_t *components,
                            const char *application, const struct ros2_inputs *inputs, dpl_ns stamp,
                            struct dpl_arena *arena);

#endif
