/* SPDX-License-Identifier: Apache-2.0 */
/* What all clients of a served world have in common: a connection, and the messages that need no
 * other state. One thread at a time uses it. */
#ifndef DOPPEL_SIM_LINK_CLIENT_H
#define DOPPEL_SIM_LINK_CLIENT_H

#include <stdbool.h>

#include "link_codec.h"

struct link_client {
    void *context, *socket;
    struct link_codec *codec;
};

/* After link_zeromq_load. Connects to "tcp://HOST:PORT", which may answer later. `client` is zeroed
 * before. 0; -ENOMEM; -EIO; -EINVAL: not an address with a port of 1 to 65535. Close it in either
 * case. Allocates. */
int link_client_open(struct link_client *client, const char *address);
/* Waits at most 0.1 s until all is sent. A client that never was open: nothing. */
void link_client_close(struct link_client *client);

/* All return at once. False: the message was not sent, because the world is not connected or too
 * many messages wait. */
bool link_client_say(struct link_client *client, Doppel__Link__ToServer *message);
bool link_client_say_hello(struct link_client *client, const char *name, dpl_ns period);
bool link_client_say_ping(struct link_client *client, dpl_ns now);
bool link_client_say_bye(struct link_client *client);

#endif
