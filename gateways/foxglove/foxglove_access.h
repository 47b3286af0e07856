/* SPDX-License-Identifier: Apache-2.0 */
/* Who may connect. A page of any origin can open a WebSocket to this machine, and its name for this
 * machine can be rebound: so Host must be exactly one of ours, and the path is a token, from which
 * the role follows. A token is known only to whom it was given: then the origin does not matter. */
#ifndef DPL_GATEWAYS_FOXGLOVE_ACCESS_H
#define DPL_GATEWAYS_FOXGLOVE_ACCESS_H

#include <doppel/host/gateway.h>

#define FOXGLOVE_TOKEN_MAX 33 /* 128 bits in hexadecimal digits, and the end */

struct foxglove_access {
    char look[FOXGLOVE_TOKEN_MAX], control[FOXGLOVE_TOKEN_MAX];
    int port;
};

/* Two random tokens: 0 or -errno. Makes system calls. */
int foxglove_access_init(struct foxglove_access *access);

/* A request to connect: its headers; "": not sent. */
struct foxglove_knock {
    const char *host, *path, *protocols;
};

/* Whether a Host header names this server on this machine. */
bool foxglove_access_is_host(const struct foxglove_access *access, const char *host);

/* The role; DPL_ROLE_NONE with the reason in *ret_why: refused. */
enum dpl_role foxglove_access_role(const struct foxglove_access *access,
                                   const struct foxglove_knock *knock, const char **ret_why);

/* Whether who asks for a file of the run has a token: `authorization` is "Bearer TOKEN". */
bool foxglove_access_may_read(const struct foxglove_access *access, const char *authorization);

#endif
