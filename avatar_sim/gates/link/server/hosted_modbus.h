/* SPDX-License-Identifier: Apache-2.0 */
/* A Modbus server (doppel/sim/modbus_server.h) for a hosted world. */
#ifndef DOPPEL_SIM_HOSTED_MODBUS_H
#define DOPPEL_SIM_HOSTED_MODBUS_H

#include <doppel/sim/modbus_server.h>

#include "hosted_world.h"

struct hosted_modbus;

/* Serves the units of a world that does not move yet, with the host, the port, the pace and the
 * notices of `options`. As dpl_sim_modbus_create. */
int hosted_modbus_create(struct hosted_world *world, const struct dpl_sim_modbus_options *options,
                         struct hosted_modbus **ret_modbus, struct dpl_diag *reterr);

/* When the world does not move any more. NULL: nothing. */
void hosted_modbus_destroy(struct hosted_modbus *modbus);

/* As dpl_sim_modbus_stop. */
void hosted_modbus_stop(struct hosted_modbus *modbus);

uint16_t hosted_modbus_port(const struct hosted_modbus *modbus);

#endif
