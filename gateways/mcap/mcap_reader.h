/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an MCAP file from memory (a mapped file, say): by its index, or when it has none, because
 * its writer was killed or it is cut, by a scan: all complete chunks are read then. Damaged chunks
 * are left out and counted. The bytes are borrowed until dpl_mcap_reader_close. One thread at a
 * time; all functions allocate. */
#ifndef DPL_GATEWAYS_MCAP_READER_H
#define DPL_GATEWAYS_MCAP_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>

#define DPL_MCAP_CHUNK_MAX (256u << 20) /* bytes of a chunk that is not compressed */

struct dpl_mcap_reader;

/* Bytes of the file; a text is not terminated. */
struct dpl_mcap_span {
    const uint8_t *data;
    size_t n;
};

struct dpl_mcap_schema {
    uint16_t id;
    struct dpl_mcap_span name, encoding, data;
};

struct dpl_mcap_channel {
    uint16_t id, schema_id;
    struct dpl_mcap_span topic, encoding;
    struct dpl_mcap_span metadata;        /* pairs of texts, each after its length (u32) */
    const struct dpl_mcap_schema *schema; /* NULL: none */
};

struct dpl_mcap_message {
    const struct dpl_mcap_channel *channel;
    uint32_t sequence;
    uint64_t log_time, publish_time; /* ns */
    struct dpl_mcap_span data;       /* valid until the next call */
};

struct dpl_mcap_attachment {
    uint64_t log_time, create_time;
    struct dpl_mcap_span name, media_type, data;
};

struct dpl_mcap_metadata {
    struct dpl_mcap_span name, pairs; /* as of channels */
};

struct dpl_mcap_info {
    bool is_complete; /* it has its index, and the index is whole */
    size_t n_chunks, n_damaged;
    struct dpl_mcap_span compression; /* of some of the damaged, not known: "lz4"; n 0: of none */
    struct dpl_mcap_span profile, library;
    const struct dpl_mcap_span
        *damaged_files; /* names of attachments, which n_damaged counts, too */
    size_t n_damaged_files;
    const struct dpl_mcap_channel *const *channels; /* in the order of their ids */
    const struct dpl_mcap_attachment *attachments;
    const struct dpl_mcap_metadata *metadata;
    size_t n_channels, n_attachments, n_metadata;
    uint64_t start, end; /* log times of the first and the last message */
};

/* 0; -EINVAL with reterr: it does not begin as an MCAP file; -ENOMEM. */
int dpl_mcap_open(const void *data, size_t n, struct dpl_mcap_reader **ret_reader,
                  struct dpl_diag *reterr);
/* Valid until close; n_damaged counts further. */
const struct dpl_mcap_info *dpl_mcap_info(const struct dpl_mcap_reader *reader);

/* Messages with start <= log_time <= end from now on; all at first. `is_wanted` NULL: of all
 * channels. */
void dpl_mcap_seek(struct dpl_mcap_reader *reader, uint64_t start, uint64_t end,
                   bool (*is_wanted)(void *user, const struct dpl_mcap_channel *channel),
                   void *user);
/* The next message in the order of log times (equal ones in that of the file): 1; 0: no more;
 * -ENOMEM. Where more than 16 chunks overlap in time the order holds within these. */
int dpl_mcap_next(struct dpl_mcap_reader *reader, struct dpl_mcap_message *ret_message);

void dpl_mcap_reader_close(struct dpl_mcap_reader *reader);

#endif
