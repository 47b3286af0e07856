/* SPDX-License-Identifier: Apache-2.0 */
/* The gateway that records topics to an MCAP file. Both times of a message are its stamp on the
 * run's clock. A chunk is at most a second long: what a crash loses is not more. A disk that is
 * full ends the recording, not the run, which is told at once. */
#ifndef DPL_GATEWAYS_MCAP_GATEWAY_H
#define DPL_GATEWAYS_MCAP_GATEWAY_H

#include <doppel/host/gateway.h>

struct dpl_mcap_options {
    char file[1024];
    char topics[512]; /* patterns of names (fnmatch), separated by blanks; "": all */
    int64_t chunk_kib, level;
};

extern const struct dpl_gateway dpl_mcap_gateway;

#endif
