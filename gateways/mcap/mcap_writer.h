/* SPDX-License-Identifier: Apache-2.0 */
/* Writes an MCAP file (mcap.dev/spec, version 0): chunks with an index, statistics, attachments,
 * metadata and checksums. What a chunk has is written when it ends: after a crash all chunks that
 * have ended can be read. The first error of the sink ends the writing: all later calls return it.
 * One thread at a time; all functions allocate, and block as the sink does. */
#ifndef DPL_GATEWAYS_MCAP_WRITER_H
#define DPL_GATEWAYS_MCAP_WRITER_H

#include <stddef.h>
#include <stdint.h>

struct dpl_mcap_writer;

/* Where the bytes go, in order: 0, or -errno. */
struct dpl_mcap_sink {
    int (*write)(void *user, const void *data, size_t n);
    void *user;
};

struct dpl_mcap_settings {
    const char *profile; /* "": none */
    const char *library; /* who writes: "doppel 0.1.0" */
    size_t chunk_bytes;  /* a chunk ends when it has that many; 0: 1 MiB */
    int level;           /* of zstd; 0: not compressed */
};

struct dpl_mcap_pair {
    const char *name, *value;
};

struct dpl_mcap_new_channel {
    const char *topic, *encoding; /* encoding of messages */
    uint16_t schema;              /* 0: none */
    const struct dpl_mcap_pair *metadata;
    size_t n_metadata;
};

struct dpl_mcap_new_message {
    uint16_t channel;
    uint32_t sequence;
    uint64_t log_time, publish_time; /* ns */
    const void *data;
    size_t n;
};

struct dpl_mcap_new_attachment {
    const char *name, *media_type;
    uint64_t log_time, create_time;
    const void *data;
    size_t n;
};

/* Begins the file. NULL: no memory. */
struct dpl_mcap_writer *dpl_mcap_create(const struct dpl_mcap_sink *sink,
                                        const struct dpl_mcap_settings *settings);

/* Ids are from 1. 0, -E2BIG: more than 65535; or the writer's error. */
int dpl_mcap_add_schema(struct dpl_mcap_writer *writer, const char *name, const char *encoding,
                        const void *data, size_t n, uint16_t *ret_id);
int dpl_mcap_add_channel(struct dpl_mcap_writer *writer, const struct dpl_mcap_new_channel *channel,
                         uint16_t *ret_id);
/* -EINVAL: no such channel. */
int dpl_mcap_add_message(struct dpl_mcap_writer *writer,
                         const struct dpl_mcap_new_message *message);
int dpl_mcap_add_attachment(struct dpl_mcap_writer *writer,
                            const struct dpl_mcap_new_attachment *attachment);
int dpl_mcap_add_metadata(struct dpl_mcap_writer *writer, const char *name,
                          const struct dpl_mcap_pair *pairs, size_t n);
/* Ends the chunk, if it has anything. */
int dpl_mcap_flush(struct dpl_mcap_writer *writer);
/* Ends the file and frees the writer. 0, or its error. NULL: does nothing. */
int dpl_mcap_close(struct dpl_mcap_writer *writer);

#endif
