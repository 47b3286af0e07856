/* SPDX-License-Identifier: Apache-2.0 */
/* A hosted world that moves by single steps of its owner: see doppel/sim/hosted.h. */
#include "hosted_alone.h"

#include <errno.h>
#include <stdlib.h>

/* Time that stands has boundaries without steps. */
static void let_stand(struct dpl_sim_hosted *self, bool stands)
{
    if (self->stands != stands) {
        (void)dpl_sim_loop_control(self->world->loop, stands ? "pause" : "run", NULL);
        self->stands = stands;
    }
}

static int make(struct dpl_sim_hosted *self, const struct dpl_sim_hosted_options *options,
                struct dpl_diag *reterr)
{
    int err = hosted_world_create(options->world, &options->load, &self->world, reterr);
    err = err < 0 ? err : hosted_open_gates(self, options, reterr);
    if (err == 0 && options->boundary) { /* last */
        hosted_world_attend(self->world, &(struct hosted_attendant){
                                             .boundary = options->boundary,
                                             .user = options->boundary_user,
                                         });
    }
    return err;
}

int dpl_sim_hosted_create(const struct dpl_sim_hosted_options *options,
                          struct dpl_sim_hosted **ret_hosted, struct dpl_diag *reterr)
{
    struct dpl_sim_hosted *self = calloc(1, sizeof *self);
    if (!self) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    int err = make(self, options, reterr);
    if (err < 0) {
        dpl_sim_hosted_destroy(self);
        return err;
    }
    *ret_hosted = self;
    return 0;
}

void dpl_sim_hosted_destroy(struct dpl_sim_hosted *hosted)
{
    if (hosted) {
        hosted_close_gates(hosted);
        hosted_world_destroy(hosted->world);
        free(hosted);
    }
}

struct dpl_world *dpl_sim_hosted_world(struct dpl_sim_hosted *hosted)
{
    return hosted->world->world;
}

struct dpl_world_channels *dpl_sim_hosted_channels(struct dpl_sim_hosted *hosted)
{
    return hosted->world->channels;
}

struct dpl_sim_modbus_stats dpl_sim_hosted_modbus(const struct dpl_sim_hosted *hosted)
{
    const struct dpl_sim_modbus_server *server = hosted->world->modbus;
    return server ? dpl_sim_modbus_stats(server) : (struct dpl_sim_modbus_stats){0};
}

unsigned dpl_sim_hosted_joined(const struct dpl_sim_hosted *hosted)
{
    const struct hosted_controllers *counts = hosted->world->controllers;
    return counts ? atomic_load_explicit(&counts->joined, memory_order_relaxed) : 0;
}

static int put(void *self, size_t i, size_t channel, const void *value, dpl_ns hold,
               struct dpl_diag *reterr)
{
    (void)i;
    return hosted_hands_put(((struct dpl_sim_hosted *)self)->world, channel, value, hold, reterr);
}

static int hand(void *self, size_t i, size_t channel, struct dpl_diag *reterr)
{
    (void)i;
    return hosted_hand(((struct dpl_sim_hosted *)self)->world, channel, reterr);
}

static const char *commander(void *self, size_t i, size_t channel)
{
    (void)i;
    return hosted_hands_commander(((struct dpl_sim_hosted *)self)->world, channel);
}

struct dpl_world_host dpl_sim_hosted_hands(struct dpl_sim_hosted *hosted)
{
    static const struct dpl_world_host_ops ops = {.put = put, .hand = hand, .commander = commander};
    return (struct dpl_world_host){.ops = &ops, .self = hosted};
}

void dpl_sim_hosted_stand(struct dpl_sim_hosted *hosted)
{
    let_stand(hosted, true);
    hosted_world_advance(hosted->world, dpl_world_now(hosted->world->world));
}

void dpl_sim_hosted_step(struct dpl_sim_hosted *hosted)
{
    struct hosted_world *world = hosted->world;
    let_stand(hosted, false);
    hosted_world_advance(world, dpl_world_now(world->world) + world->model->step);
}

int dpl_sim_hosted_fault(const struct dpl_sim_hosted *hosted, struct dpl_diag *reterr)
{
    return hosted_world_fault(hosted->world, reterr);
}
