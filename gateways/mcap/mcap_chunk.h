/* SPDX-License-Identifier: Apache-2.0 */
/* A chunk of an MCAP file that is being read: its records, and its messages by time. */
#ifndef DPL_GATEWAYS_MCAP_CHUNK_H
#define DPL_GATEWAYS_MCAP_CHUNK_H

#include "mcap_parse.h"

/* Where a chunk is. `raw`: records in the file that no chunk holds. */
struct mcap_place {
    uint64_t start, end; /* of its messages' log times */
    struct dpl_mcap_span body;
    bool raw;
};

struct mcap_entry {
    uint64_t time;
    size_t at; /* of the message's record in `data` */
};

struct mcap_chunk {
    const uint8_t *place; /* in the file */
    const uint8_t *data;
    size_t n;
    uint8_t *owned; /* the same, if it was decompressed */
    struct mcap_entry *entries;
    size_t n_entries, next;
    struct dpl_mcap_span compression; /* that is not known */
};

/* The records of a chunk: 0, -EBADMSG: damaged, or larger than DPL_MCAP_CHUNK_MAX; -EOPNOTSUPP: of
 * a kind of compression that is not known, which is in ret_chunk; -ENOMEM. */
int mcap_chunk_open(const struct mcap_place *place, struct mcap_chunk *ret_chunk);
/* Sorts its messages by time. 0 or -ENOMEM. */
int mcap_chunk_sort(struct mcap_chunk *chunk);
void mcap_chunk_close(struct mcap_chunk *chunk);

#endif
