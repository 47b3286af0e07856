/* SPDX-License-Identifier: Apache-2.0 */
/* doppel info tcp://HOST:PORT: the channels of a world that is served. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include <doppel/host/runtime.h>
#include <doppel/sim/host.h>

#include "common.h"
#include "sim_world.h"

#define ANSWER_WAIT_S 1

/* How many channels it has; 0: it has not answered. */
static size_t await_channels(struct dpl_link *link)
{
    size_t n = dpl_link_describe(link, 0, NULL, 0);
    for (int i = 0; i < 50 * ANSWER_WAIT_S && n == 0; i++) {
        poll(NULL, 0, 20);
        n = dpl_link_describe(link, 0, NULL, 0);
    }
    return n;
}

static int print_served_channels(const struct dpl_world_host *host, const char *address,
                                 struct dpl_diag *reterr)
{
    struct dpl_link_config config = {.world = address};
    struct dpl_link *link;
    int err = host->ops->open_link(host->self, &config, NULL, &link, reterr);
    if (err < 0) {
        return err;
    }
    size_t n = await_channels(link);
    if (n == 0) { /* as a run that needs it would say why */
        err = host->ops->start(host->self, 0, reterr);
    }
    n = n > 0 || err < 0 ? n : dpl_link_describe(link, 0, NULL, 0);
    struct dpl_channel_desc *descs = calloc(n + 1, sizeof *descs);
    if (descs && err == 0) {
        dpl_link_describe(link, 0, descs, n);
        printf("world at %s\n\nchannels:\n", address);
        sim_print_channels(descs, n);
    }
    free(descs);
    dpl_link_close(link);
    return err;
}

int sim_print_served(const char *address)
{
    struct dpl_diag error = {0};
    struct dpl_sim_host *worlds = dpl_sim_host_create(&(struct dpl_sim_host_options){0});
    if (!worlds) {
        fprintf(stderr, "doppel info: out of memory\n");
        return DPL_EXIT_FAULT;
    }
    struct dpl_world_host host = dpl_sim_host_interface(worlds);
    int err = print_served_channels(&host, address, &error);
    if (err < 0) {
        dpl_diag_print(stderr, &error);
    }
    dpl_sim_host_destroy(worlds);
    return err < 0 ? DPL_EXIT_BAD_INPUT : DPL_EXIT_DONE;
}
