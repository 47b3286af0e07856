/* SPDX-License-Identifier: Apache-2.0 */
/* Ports at which a world waits for peers. */
#ifndef DOPPEL_SIM_LISTEN_H
#define DOPPEL_SIM_LISTEN_H

#include <stdint.h>

#include <doppel/diag.h>

struct listen_at {
    const char *host; /* "*": all addresses of this machine */
    uint16_t port;    /* 0: any that is free */
    int backlog;
    const char *whom, *option; /* for errors: "controllers", "--controllers" */
};

/* Listens at an IPv4 address; the file does not block. 0 with the file and the port; -EADDRINUSE or
 * -EADDRNOTAVAIL with reterr. May block for the name of the host. */
int listen_open(const struct listen_at *at, int *ret_fd, uint16_t *ret_port,
                struct dpl_diag *reterr);

#endif
