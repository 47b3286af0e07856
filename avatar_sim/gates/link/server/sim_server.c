/* SPDX-License-Identifier: Apache-2.0 */
/* A server with a world of its own: what `doppel sim` is. */
#include <errno.h>
#include <stdlib.h>

#include "server.h"

int dpl_sim_server_create(const struct dpl_sim_server_options *options,
                          struct dpl_sim_server **ret_server, struct dpl_diag *reterr)
{
    struct dpl_sim_server *self = calloc(1, sizeof *self);
    if (!self) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    const struct dpl_sim_hosted_options hosted = {
        .load =
            {
                .has_seed = true,
                .seed = options->seed,
                .catalog = options->catalog,
                .sets = options->sets,
                .n_sets = options->n_sets,
                .params = options->params,
                .n_params = options->n_params,
                .warn = options->warn,
            },
        .host = options->host,
        .gates = options->gates,
        .n_gates = options->n_gates,
        .notice = options->notice,
        .notice_user = options->notice_user,
    };
    int err = hosted_world_create(options->world, &hosted.load, &self->hosted.world, reterr);
    if (err == 0 && !options->lockstep && hosted_world_allow_control(self->hosted.world) < 0) {
        err = dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    if (err == 0) {
        err = server_create(self->hosted.world, options, &self->server, reterr);
    }
    err = err < 0 ? err : hosted_open_gates(&self->hosted, &hosted, reterr);
    if (err < 0) {
        dpl_sim_server_destroy(self);
        return err;
    }
    *ret_server = self;
    return 0;
}

void dpl_sim_server_destroy(struct dpl_sim_server *server)
{
    if (server) {
        hosted_close_gates(&server->hosted);
        server_destroy(server->server);
        hosted_world_destroy(server->hosted.world);
        free(server);
    }
}

int dpl_sim_server_run(struct dpl_sim_server *server, struct dpl_diag *reterr)
{
    if (!server->server->options.lockstep) {
        dpl_ns epoch = server->epoch != 0 ? server->epoch : dpl_monotonic_now();
        int err = hosted_world_start(server->hosted.world, epoch, reterr);
        if (err < 0) {
            return err;
        }
    }
    server->server->ends_with_world = true;
    server_run(server->server);
    dpl_sim_server_stop(server); /* also when its duration is over: nobody waits any more */
    hosted_world_stop(server->hosted.world);
    return hosted_world_fault(server->hosted.world, reterr);
}

void dpl_sim_server_stop(struct dpl_sim_server *server)
{
    atomic_store_explicit(&server->server->stop, true, memory_order_relaxed);
    dpl_sim_hosted_stop(&server->hosted);
}

uint16_t dpl_sim_server_port(const struct dpl_sim_server *server)
{
    return server->server->port;
}

const struct dpl_gate *dpl_sim_server_gate(const struct dpl_sim_server *server, size_t i,
                                           uint16_t *ret_port)
{
    return dpl_sim_hosted_gate(&server->hosted, i, ret_port);
}

uint16_t dpl_sim_server_gate_port(const struct dpl_sim_server *server, const char *gate)
{
    return dpl_sim_hosted_port(&server->hosted, gate);
}

struct dpl_sim_modbus_stats dpl_sim_server_modbus_stats(const struct dpl_sim_server *server)
{
    return dpl_sim_hosted_modbus(&server->hosted);
}

const struct dpl_sim_model *dpl_sim_server_model(const struct dpl_sim_server *server)
{
    return server->hosted.world->model;
}

struct dpl_sim_server_stats dpl_sim_server_stats(const struct dpl_sim_server *server)
{
    return server->server->stats;
}
