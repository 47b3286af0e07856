/* SPDX-License-Identifier: Apache-2.0 */
/* A hosted world with its gates (hosted_gates.c): for doppel/sim/hosted.h, whose
 * owner steps it, and for a server (sim_server.c). */
#ifndef DOPPEL_SIM_HOSTED_ALONE_H
#define DOPPEL_SIM_HOSTED_ALONE_H

#include <doppel/sim/gate.h>
#include <doppel/sim/hosted.h>

#include "arena.h"

#include "hosted_world.h"

/* What is built in (gates/list.c); ends with NULL. */
extern const struct dpl_gate *const dpl__gates[];
extern const struct dpl_gate dpl__controllers_gate, dpl__modbus_gate;

enum { HOSTED_GATES_MAX = 8 };

struct hosted_gate {
    struct hosted_world *world;
    const struct dpl_gate *gate;
    void *state;
    enum hosted_commander commander;
};

struct dpl_sim_hosted {
    struct hosted_world *world;
    struct dpl_arena memory; /* of settings */
    struct hosted_gate gates[HOSTED_GATES_MAX];
    size_t n_gates;
    bool stands;
};

/* Opens the gates that `options` want, when the world is there and does not move yet. -errno with
 * reterr; close also after that. */
int hosted_open_gates(struct dpl_sim_hosted *hosted, const struct dpl_sim_hosted_options *options,
                      struct dpl_diag *reterr);
/* Before the world goes. */
void hosted_close_gates(struct dpl_sim_hosted *hosted);

#endif
