/* SPDX-License-Identifier: Apache-2.0 */
/* A server with a world of its own: what `doppel sim` is. */
#include <errno.h>
#include <stdlib.h>

#include "controllers.h"
#include "hosted_modbus.h"
#include "server.h"

struct dpl_sim_server {
    struct hosted_world *world;
    struct server *server;
    struct controllers *controllers; /* NULL: nobody may join */
    struct hosted_modbus *modbus;    /* NULL: nobody may connect */
};

static int wait_for_controllers(struct dpl_sim_server *self,
                                const struct dpl_sim_server_options *options,
                                struct dpl_diag *reterr)
{
    struct controllers_options controllers = {
        .host = options->host,
        .port = options->controllers_port,
        .notice = options->notice,
        .notice_user = options->notice_user,
    };
    return controllers_create(self->world, &controllers, &self->controllers, reterr);
}

static int wait_for_masters(struct dpl_sim_server *self,
                            const struct dpl_sim_server_options *options, struct dpl_diag *reterr)
{
    struct dpl_sim_modbus_options modbus = {
        .host = options->host,
        .port = options->modbus_port,
        .pace = options->modbus_pace,
        .patience = options->modbus_patience,
        .notice = options->notice,
        .notice_user = options->notice_user,
    };
    return hosted_modbus_create(self->world, &modbus, &self->modbus, reterr);
}

int dpl_sim_server_create(const struct dpl_sim_server_options *options,
                          struct dpl_sim_server **ret_server, struct dpl_diag *reterr)
{
    struct dpl_sim_server *self = calloc(1, sizeof *self);
    if (!self) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    struct dpl_sim_load_options load = {
        .has_seed = true,
        .seed = options->seed,
        .catalog = options->catalog,
        .sets = options->sets,
        .n_sets = options->n_sets,
        .params = options->params,
        .n_params = options->n_params,
        .warn = options->warn,
    };
    int err = hosted_world_create(options->world, &load, &self->world, reterr);
    if (err == 0 && !options->lockstep && hosted_world_allow_control(self->world) < 0) {
        err = dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    if (err == 0) {
        err = server_create(self->world, options, &self->server, reterr);
    }
    if (err == 0 && options->controllers) {
        err = wait_for_controllers(self, options, reterr);
    }
    if (err == 0 && options->modbus) {
        err = wait_for_masters(self, options, reterr);
    }
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
        hosted_modbus_destroy(server->modbus);
        controllers_destroy(server->controllers);
        server_destroy(server->server);
        hosted_world_destroy(server->world);
        free(server);
    }
}

int dpl_sim_server_run(struct dpl_sim_server *server, struct dpl_diag *reterr)
{
    if (!server->server->options.lockstep) {
        int err = hosted_world_start(server->world, dpl_monotonic_now(), reterr);
        if (err < 0) {
            return err;
        }
    }
    server_run(server->server);
    dpl_sim_server_stop(server); /* also when its duration is over: nobody waits any more */
    hosted_world_stop(server->world);
    return 0;
}

void dpl_sim_server_stop(struct dpl_sim_server *server)
{
    atomic_store_explicit(&server->server->stop, true, memory_order_relaxed);
    if (server->controllers) {
        controllers_stop(server->controllers);
    }
    if (server->modbus) {
        hosted_modbus_stop(server->modbus);
    }
}

uint16_t dpl_sim_server_port(const struct dpl_sim_server *server)
{
    return server->server->port;
}

uint16_t dpl_sim_server_controllers_port(const struct dpl_sim_server *server)
{
    return server->controllers ? server->controllers->port : 0;
}

uint16_t dpl_sim_server_modbus_port(const struct dpl_sim_server *server)
{
    return server->modbus ? hosted_modbus_port(server->modbus) : 0;
}

struct dpl_sim_modbus_stats dpl_sim_server_modbus_stats(const struct dpl_sim_server *server)
{
    const struct dpl_sim_modbus_server *modbus = server->world->modbus;
    return modbus ? dpl_sim_modbus_stats(modbus) : (struct dpl_sim_modbus_stats){0};
}

const struct dpl_sim_model *dpl_sim_server_model(const struct dpl_sim_server *server)
{
    return server->world->model;
}

struct dpl_sim_server_stats dpl_sim_server_stats(const struct dpl_sim_server *server)
{
    return server->server->stats;
}
