/* SPDX-License-Identifier: Apache-2.0 */
/* A hosted world with the ports for controllers and masters outside: for doppel/sim/hosted.h, whose
 * owner steps it, and for a server (sim_server.c). */
#ifndef DOPPEL_SIM_HOSTED_ALONE_H
#define DOPPEL_SIM_HOSTED_ALONE_H

#include <doppel/sim/hosted.h>

#include "hosted_world.h"

struct dpl_sim_hosted {
    struct hosted_world *world;
    struct controllers *controllers; /* NULL: nobody may join */
    struct hosted_modbus *modbus;    /* NULL: nobody may connect */
    bool stands;
};

/* Listens at the ports that `options` want, when the world is there and does not move yet. -errno
 * with reterr; close also after that. */
int hosted_open_ports(struct dpl_sim_hosted *hosted, const struct dpl_sim_hosted_options *options,
                      struct dpl_diag *reterr);
/* Before the world goes. */
void hosted_close_ports(struct dpl_sim_hosted *hosted);

#endif
