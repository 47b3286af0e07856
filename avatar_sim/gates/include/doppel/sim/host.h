/* SPDX-License-Identifier: Apache-2.0 */
/* The world host opens avatar links for the runtime's drivers: to worlds in this process (one for
 * each named file), and to worlds that `doppel sim` serves. */
#ifndef DOPPEL_SIM_HOST_H
#define DOPPEL_SIM_HOST_H

#include <stdint.h>

#include <doppel/host/app.h>
#include <doppel/host/catalog.h>
#include <doppel/host/runtime.h>
#include <doppel/link.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_sim_host;
struct dpl_world;

struct dpl_sim_host_options {
    const char
        *world; /* file of the application's world, for links that name no world; NULL: none */
    const struct dpl_app_world_property *properties; /* [n_properties] changes of that world */
    size_t n_properties;
    uint64_t seed; /* of noise and of random places in the worlds */
    dpl_ns epoch;  /* real clock: CLOCK_MONOTONIC at time 0 of the worlds; 0: that of the run */
    /* A further place to find worlds that links name, and robots; first they are searched beside
     * each other. NULL: none. Borrowed. */
    struct dpl_catalog *catalog;
    /* Gets the warnings of each world that is loaded. They are valid during the call. NULL: they
     * are left out. */
    void (*warn)(const struct dpl_diag *warning);
};

/* Borrows the options' strings. NULL: out of memory. Worlds are loaded when the first link opens.
 */
struct dpl_sim_host *dpl_sim_host_create(const struct dpl_sim_host_options *options);
void dpl_sim_host_destroy(struct dpl_sim_host *host); /* NULL: does nothing */

/* The value for dpl_runtime_options.world. */
struct dpl_world_host dpl_sim_host_interface(struct dpl_sim_host *host);

/* Of the worlds in this process the one number `i`, in any order; NULL: there are not so many. For
 * who looks at a world that has run: after the run's end, and until the host is destroyed. */
const struct dpl_world *dpl_sim_host_world(const struct dpl_sim_host *host, size_t i);

/* Serves one of the host's embedded worlds to other processes at host:port (NULL host: 127.0.0.1),
 * free-running, on its own thread, until the host is destroyed. `world`: a file as links name it
 * (NULL or "": the application's world); it is loaded if no link has opened it yet. Call it before
 * the start: clients get answers when the world moves. Returns the port (`port` 0: any that is
 * free); -EADDRINUSE and others with reterr. */
int dpl_sim_host_serve(struct dpl_sim_host *host, const char *world, const char *bind_host,
                       uint16_t port, struct dpl_diag *reterr);

/* Why a link that one of the hosts has opened is not alive. A device is told when it happens; this
 * is for links without a device. 0: it is alive; -EBUSY: another client, or the program that serves
 * the world, owns the inputs that the link has put; -ENOTCONN: the world does not answer. ret_why:
 * the reason as a text ("" if the link is alive), cut to `size` bytes. May block for a short time;
 * does not allocate. */
int dpl_sim_link_loss(struct dpl_link *link, char *ret_why, size_t size);

#ifdef __cplusplus
}
#endif

#endif
