/* SPDX-License-Identifier: Apache-2.0 */
/* A hosted world that moves by single steps of its owner: see doppel/sim/hosted.h. */
#include "hosted_alone.h"

#include <errno.h>
#include <stdlib.h>

#include "controllers.h"
#include "hosted_modbus.h"

/* Time that stands has boundaries without steps. */
static void let_stand(struct dpl_sim_hosted *self, bool stands)
{
    if (self->stands != stands) {
        (void)dpl_sim_loop_control(self->world->loop, stands ? "pause" : "run", NULL);
        self->stands = stands;
    }
}

static int wait_for_controllers(struct dpl_sim_hosted *self,
                                const struct dpl_sim_hosted_options *options,
                                struct dpl_diag *reterr)
{
    const struct controllers_options controllers = {
        .host = options->host,
        .port = options->controllers_port,
        .notice = options->notice,
        .notice_user = options->notice_user,
    };
    return controllers_create(self->world, &controllers, &self->controllers, reterr);
}

static int wait_for_masters(struct dpl_sim_hosted *self,
                            const struct dpl_sim_hosted_options *options, struct dpl_diag *reterr)
{
    const struct dpl_sim_modbus_options modbus = {
        .host = options->host,
        .port = options->modbus_port,
        .pace = options->modbus_pace,
        .patience = options->modbus_patience,
        .notice = options->notice,
        .notice_user = options->notice_user,
    };
    return hosted_modbus_create(self->world, &modbus, &self->modbus, reterr);
}

int hosted_open_ports(struct dpl_sim_hosted *hosted, const struct dpl_sim_hosted_options *options,
                      struct dpl_diag *reterr)
{
    int err = options->controllers ? wait_for_controllers(hosted, options, reterr) : 0;
    if (err == 0 && options->modbus) {
        err = wait_for_masters(hosted, options, reterr);
    }
    return err;
}

void hosted_close_ports(struct dpl_sim_hosted *hosted)
{
    hosted_modbus_destroy(hosted->modbus);
    controllers_destroy(hosted->controllers);
}

static int make(struct dpl_sim_hosted *self, const struct dpl_sim_hosted_options *options,
                struct dpl_diag *reterr)
{
    int err = hosted_world_create(options->world, &options->load, &self->world, reterr);
    err = err < 0 ? err : hosted_open_ports(self, options, reterr);
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
        hosted_close_ports(hosted);
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

uint16_t dpl_sim_hosted_controllers_port(const struct dpl_sim_hosted *hosted)
{
    return hosted->controllers ? hosted->controllers->port : 0;
}

uint16_t dpl_sim_hosted_modbus_port(const struct dpl_sim_hosted *hosted)
{
    return hosted->modbus ? hosted_modbus_port(hosted->modbus) : 0;
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

void dpl_sim_hosted_stop(struct dpl_sim_hosted *hosted)
{
    if (hosted->controllers) {
        controllers_stop(hosted->controllers);
    }
    if (hosted->modbus) {
        hosted_modbus_stop(hosted->modbus);
    }
}
