/* SPDX-License-Identifier: Apache-2.0 */
/* The Modbus server of a hosted world: masters command the channels that the maps of their units
 * write. */
#include "hosted_modbus.h"

#include <errno.h>
#include <stdlib.h>

#include "hosted_alone.h"

struct hosted_modbus {
    struct hosted_world *world;
    struct dpl_sim_modbus_server *server;
};

static bool claim(void *user, size_t channel)
{
    return hosted_channel_join(user, channel, HOSTED_MODBUS) == HOSTED_NOBODY;
}

static void unclaim(void *user, size_t channel)
{
    hosted_channel_leave(user, channel, HOSTED_MODBUS);
}

int hosted_modbus_create(struct hosted_world *world, const struct dpl_sim_modbus_options *options,
                         struct hosted_modbus **ret_modbus, struct dpl_diag *reterr)
{
    struct hosted_modbus *modbus = calloc(1, sizeof *modbus);
    if (!modbus) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    struct dpl_sim_modbus_options all = *options;
    all.world = world->world;
    all.channels = world->channels;
    all.claim = claim;
    all.unclaim = unclaim;
    all.claim_user = world;
    int err = dpl_sim_modbus_create(&all, &modbus->server, reterr);
    if (err < 0) {
        free(modbus);
        return err;
    }
    modbus->world = world;
    world->modbus = modbus->server;
    hosted_world_attend(world, &(struct hosted_attendant){
                                   .boundary = dpl_sim_modbus_boundary,
                                   .jumped = dpl_sim_modbus_jumped,
                                   .holds = dpl_sim_modbus_holds,
                                   .user = modbus->server,
                               });
    *ret_modbus = modbus;
    return 0;
}

void hosted_modbus_destroy(struct hosted_modbus *modbus)
{
    if (modbus) {
        hosted_world_leave(modbus->world, modbus->server);
        modbus->world->modbus = NULL;
        dpl_sim_modbus_destroy(modbus->server);
        free(modbus);
    }
}

void hosted_modbus_stop(struct hosted_modbus *modbus)
{
    dpl_sim_modbus_stop(modbus->server);
}

uint16_t hosted_modbus_port(const struct hosted_modbus *modbus)
{
    return dpl_sim_modbus_port(modbus->server);
}

/* ---- the gate ---- */

struct settings {
    int64_t port;
    double pace, patience; /* s */
};

static const struct dpl_field fields[] = {
    DPL_INT(struct settings, port, "port", "0", 0, 65535, "TCP port; 0: any that is free"),
    DPL_NUMBER(struct settings, pace, "pace", "s", "0", 0.0, 60.0,
               "how far the world moves after a write to the register that sets the pace"),
    DPL_NUMBER(struct settings, patience, "patience", "s", "0", 0.0, 3600.0,
               "the longest wait for one, in real time; 0: 2 s"),
};

static int open_gate(const struct dpl_gate_site *site, void **ret_gate, struct dpl_diag *reterr)
{
    const struct settings *settings = site->settings;
    const struct dpl_sim_modbus_options options = {
        .host = site->host,
        .port = (uint16_t)settings->port,
        .pace = dpl_ns_from_s(settings->pace),
        .patience = dpl_ns_from_s(settings->patience),
        .notice = site->notice,
        .notice_user = site->notice_user,
    };
    struct hosted_modbus *modbus = NULL;
    int err = hosted_modbus_create(site->owner, &options, &modbus, reterr);
    *ret_gate = modbus;
    return err;
}

static void stop_gate(void *gate)
{
    hosted_modbus_stop(gate);
}

static uint16_t port_of(const void *gate)
{
    const struct hosted_modbus *modbus = gate;
    return dpl_sim_modbus_port(modbus->server);
}

static void close_gate(void *gate)
{
    hosted_modbus_destroy(gate);
}

const struct dpl_gate dpl__modbus_gate = {
    .name = "modbus",
    .clients = "modbus masters",
    .summary = "Modbus masters may connect to the world's units",
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .open = open_gate,
    .stop = stop_gate,
    .port = port_of,
    .close = close_gate,
};
