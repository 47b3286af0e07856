/* SPDX-License-Identifier: Apache-2.0 */
/* The gateway to viewers that speak the Foxglove WebSocket protocol: a server on the observer's
 * loop, which listens on this machine only. */
#ifndef DPL_GATEWAYS_FOXGLOVE_GATEWAY_H
#define DPL_GATEWAYS_FOXGLOVE_GATEWAY_H

#include <doppel/host/gateway.h>

struct dpl_foxglove_options {
    int64_t port; /* 0: a free one */
};

extern const struct dpl_gateway dpl_foxglove_gateway;

#endif
