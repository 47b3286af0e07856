/* SPDX-License-Identifier: Apache-2.0 */
/* Making a Modbus server: see served.h. */
#include "served.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "answers.h"
#include "listen.h"
#include "room.h"

static const struct dpl_place nowhere;

void served_wake(int eventfd)
{
    const uint64_t one = 1;
    if (write(eventfd, &one, sizeof one) < 0) {
        return; /* it is full: who waits for it is awake */
    }
}

/* ---- making ---- */

static int make_room(struct dpl_sim_modbus_server *server)
{
    size_t n = server->units.n_cells + 1;
    server->cells = calloc(n, sizeof *server->cells);
    bool is_full = !server->cells;
    for (int i = 0; i < 3; i++) {
        server->image[i] = calloc(n, sizeof **server->image);
        is_full |= !server->image[i];
    }
    server->answers = answers_create();
    server->to_world = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    server->to_sockets = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    dpl_latest_init(&server->sync);
    return is_full || !server->answers || server->to_world < 0 || server->to_sockets < 0 ? -ENOMEM
                                                                                         : 0;
}

static int start(struct dpl_sim_modbus_server *server, struct dpl_diag *reterr)
{
    int err = -pthread_create(&server->thread, NULL, masters_serve, server);
    server->running = err == 0;
    return err == 0 ? 0
                    : dpl_fail(reterr, err, nowhere, "no thread for Modbus: %s", strerror(-err));
}

static void take_options(struct dpl_sim_modbus_server *server,
                         const struct dpl_sim_modbus_options *options)
{
    server->options = *options;
    server->options.host = options->host ? options->host : "127.0.0.1";
    server->options.patience = options->patience > 0 ? options->patience : SERVED_PATIENCE;
    server->listener = server->to_world = server->to_sockets = -1;
}

/* Before the first write the world does not move, if it is paced at all. */
static void begin(struct dpl_sim_modbus_server *server)
{
    dpl_ns now = dpl_world_now(server->options.world);
    for (size_t u = 0; u < server->units.n; u++) {
        struct unit *unit = &server->units.all[u];
        unit->is_pacing = true;
        unit->paced = now - server->options.pace;
        unit->pacer = -1;
    }
    commands_read_world(server);
    memcpy(server->image[dpl_latest_back(&server->sync)], server->cells,
           server->units.n_cells * sizeof *server->cells);
    dpl_latest_publish(&server->sync);
}

int dpl_sim_modbus_create(const struct dpl_sim_modbus_options *options,
                          struct dpl_sim_modbus_server **ret_server, struct dpl_diag *reterr)
{
    int err = dpl_room_check("the place for Modbus masters", DPL_MODBUS_MASTERS_MAX + 4, 1, reterr);
    if (err < 0) {
        return err;
    }
    struct dpl_sim_modbus_server *server = calloc(1, sizeof *server);
    if (!server) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
    }
    take_options(server, options);
    err = units_make(&server->units, options->world, options->channels, reterr);
    if (err == 0 && make_room(server) < 0) {
        err = dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
    }
    const struct listen_at at = {server->options.host, options->port, DPL_MODBUS_MASTERS_MAX,
                                 "Modbus masters", "--modbus"};
    err = err < 0 ? err : listen_open(&at, &server->listener, &server->port, reterr);
    if (err == 0) {
        begin(server);
        err = start(server, reterr);
    }
    if (err < 0) {
        dpl_sim_modbus_destroy(server);
        return err;
    }
    *ret_server = server;
    return 0;
}

/* ---- ending ---- */

void dpl_sim_modbus_stop(struct dpl_sim_modbus_server *server)
{
    atomic_store_explicit(&server->stop, true, memory_order_relaxed);
    served_wake(server->to_world);
    served_wake(server->to_sockets);
}

static void close_file(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

void dpl_sim_modbus_destroy(struct dpl_sim_modbus_server *server)
{
    if (!server) {
        return;
    }
    if (server->running) {
        dpl_sim_modbus_stop(server);
        pthread_join(server->thread, NULL);
        commands_release(server, NULL, -1);
    }
    for (int i = 0; i < DPL_MODBUS_MASTERS_MAX; i++) {
        if (master_state(&server->masters[i]) != MASTER_FREE) {
            close(server->masters[i].fd);
        }
    }
    close_file(server->listener);
    close_file(server->to_world);
    close_file(server->to_sockets);
    answers_destroy(server->answers);
    for (int i = 0; i < 3; i++) {
        free(server->image[i]);
    }
    free(server->cells);
    units_free(&server->units);
    free(server);
}

/* ---- looking ---- */

uint16_t dpl_sim_modbus_port(const struct dpl_sim_modbus_server *server)
{
    return server->port;
}

struct dpl_sim_modbus_stats dpl_sim_modbus_stats(const struct dpl_sim_modbus_server *server)
{
    const struct served_counts *counts = &server->counts;
    return (struct dpl_sim_modbus_stats){
        .is_served = true,
        .masters = atomic_load_explicit(&counts->masters, memory_order_relaxed),
        .reads = atomic_load_explicit(&counts->reads, memory_order_relaxed),
        .writes = atomic_load_explicit(&counts->writes, memory_order_relaxed),
        .exceptions = atomic_load_explicit(&counts->exceptions, memory_order_relaxed),
        .saturated = atomic_load_explicit(&counts->saturated, memory_order_relaxed),
        .lost = atomic_load_explicit(&counts->lost, memory_order_relaxed),
        .trips = atomic_load_explicit(&counts->trips, memory_order_relaxed),
        .waits = atomic_load_explicit(&counts->waits, memory_order_relaxed),
        .time_outs = atomic_load_explicit(&counts->time_outs, memory_order_relaxed),
    };
}
