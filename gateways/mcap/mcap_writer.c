/* SPDX-License-Identifier: Apache-2.0 */
#include "mcap_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>

#include "bytes.h"
#include "mcap_records.h"

#define CHUNK_BYTES (1u << 20)

struct channel {
    struct dpl_bytes index; /* of the running chunk: time, offset */
    uint64_t n_messages;
};

struct dpl_mcap_writer {
    struct dpl_mcap_sink sink;
    size_t chunk_bytes;
    int level, err;
    uint64_t at; /* bytes written */
    uLong crc;   /* of all of them */
    ZSTD_CCtx *zstd;
    struct channel *channels;
    size_t n_channels, n_schemas;
    uint32_t n_attachments, n_metadata, n_chunks;
    uint64_t n_messages, first, last;           /* times */
    struct dpl_bytes chunk, compressed, record; /* record: the one that is being built */
    uint64_t chunk_first, chunk_last, chunk_messages;
    /* records of the summary, by groups */
    struct dpl_bytes schemas, channel_records, chunk_indexes, attachment_indexes, metadata_indexes;
};

static int failed(struct dpl_mcap_writer *writer, int err)
{
    writer->err = writer->err < 0 ? writer->err : err;
    return writer->err;
}

static int put(struct dpl_mcap_writer *writer, const struct dpl_bytes *bytes)
{
    if (bytes->failed) {
        failed(writer, -ENOMEM);
    }
    if (writer->err < 0 || bytes->n == 0) {
        return writer->err;
    }
    int r = writer->sink.write(writer->sink.user, bytes->data, bytes->n);
    if (r < 0) {
        return failed(writer, r);
    }
    writer->at += bytes->n;
    writer->crc = crc32_z(writer->crc, bytes->data, bytes->n);
    return 0;
}

/* ---- building records ---- */

static void add_text(struct dpl_bytes *bytes, const char *text)
{
    dpl_bytes_number(bytes, strlen(text), 4);
    dpl_bytes_text(bytes, text);
}

static void add_pairs(struct dpl_bytes *bytes, const struct dpl_mcap_pair *pairs, size_t n)
{
    size_t at = bytes->n;
    dpl_bytes_number(bytes, 0, 4);
    for (size_t i = 0; i < n; i++) {
        add_text(bytes, pairs[i].name);
        add_text(bytes, pairs[i].value);
    }
    dpl_bytes_put(bytes, at, bytes->n - at - 4, 4);
}

/* Begins a record at the end of `bytes`; returns where, for `end`. */
static size_t begin(struct dpl_bytes *bytes, enum mcap_op op)
{
    size_t at = bytes->n;
    dpl_bytes_number(bytes, op, 1);
    dpl_bytes_number(bytes, 0, 8);
    return at;
}

static void end(struct dpl_bytes *bytes, size_t at)
{
    dpl_bytes_put(bytes, at + 1, bytes->n - at - MCAP_HEAD_BYTES, 8);
}

static size_t begin_record(struct dpl_mcap_writer *writer, enum mcap_op op)
{
    writer->record.n = 0;
    return begin(&writer->record, op);
}

static int put_record(struct dpl_mcap_writer *writer)
{
    end(&writer->record, 0);
    return put(writer, &writer->record);
}

/* ---- chunks ---- */

static const uint8_t *compress_chunk(struct dpl_mcap_writer *writer, size_t *ret_n)
{
    *ret_n = writer->chunk.n;
    if (writer->level == 0) {
        return writer->chunk.data;
    }
    size_t bound = ZSTD_compressBound(writer->chunk.n);
    writer->compressed.n = 0;
    uint8_t *into = dpl_bytes_extend(&writer->compressed, bound);
    *ret_n = into ? ZSTD_compressCCtx(writer->zstd, into, bound, writer->chunk.data,
                                      writer->chunk.n, writer->level)
                  : 0;
    if (!into || ZSTD_isError(*ret_n)) {
        failed(writer, -ENOMEM);
        return NULL;
    }
    return into;
}

/* The indexes of the chunk's messages; adds their places to the chunk's index, and empties them. */
static void put_indexes(struct dpl_mcap_writer *writer, struct dpl_bytes *places)
{
    for (size_t i = 0; i < writer->n_channels; i++) {
        struct dpl_bytes *index = &writer->channels[i].index;
        if (index->n == 0) {
            continue;
        }
        dpl_bytes_number(places, i + 1, 2);
        dpl_bytes_number(places, writer->at, 8);
        begin_record(writer, MCAP_MESSAGE_INDEX);
        dpl_bytes_number(&writer->record, i + 1, 2);
        dpl_bytes_number(&writer->record, index->n, 4);
        dpl_bytes_add(&writer->record, index->data, index->n);
        writer->record.failed |= index->failed;
        put_record(writer);
        index->n = 0;
    }
}

static void add_chunk_index(struct dpl_mcap_writer *writer, uint64_t start, size_t n_compressed)
{
    uint64_t length = writer->at - start, indexes = writer->at;
    struct dpl_bytes places = {0};
    put_indexes(writer, &places);
    struct dpl_bytes *out = &writer->chunk_indexes;
    size_t at = begin(out, MCAP_CHUNK_INDEX);
    dpl_bytes_number(out, writer->chunk_first, 8);
    dpl_bytes_number(out, writer->chunk_last, 8);
    dpl_bytes_number(out, start, 8);
    dpl_bytes_number(out, length, 8);
    dpl_bytes_number(out, places.n, 4);
    dpl_bytes_add(out, places.data, places.n);
    dpl_bytes_number(out, writer->at - indexes, 8);
    add_text(out, writer->level > 0 ? "zstd" : "");
    dpl_bytes_number(out, n_compressed, 8);
    dpl_bytes_number(out, writer->chunk.n, 8);
    end(out, at);
    out->failed |= places.failed;
    dpl_bytes_finish(&places);
}

int dpl_mcap_flush(struct dpl_mcap_writer *writer)
{
    if (writer->err < 0 || writer->chunk.n == 0) {
        return writer->err;
    }
    if (writer->chunk.failed) {
        return failed(writer, -ENOMEM);
    }
    size_t n;
    const uint8_t *data = compress_chunk(writer, &n);
    if (!data) {
        return writer->err;
    }
    uint64_t start = writer->at;
    begin_record(writer, MCAP_CHUNK);
    dpl_bytes_number(&writer->record, writer->chunk_first, 8);
    dpl_bytes_number(&writer->record, writer->chunk_last, 8);
    dpl_bytes_number(&writer->record, writer->chunk.n, 8);
    dpl_bytes_number(&writer->record, crc32_z(0, writer->chunk.data, writer->chunk.n), 4);
    add_text(&writer->record, writer->level > 0 ? "zstd" : "");
    dpl_bytes_number(&writer->record, n, 8);
    dpl_bytes_add(&writer->record, data, n);
    if (put_record(writer) == 0) {
        add_chunk_index(writer, start, n);
        writer->n_chunks++;
    }
    writer->chunk.n = 0;
    writer->chunk_messages = 0;
    writer->chunk_first = 0;
    writer->chunk_last = 0;
    return writer->err;
}

/* ---- schemas, channels, messages ---- */

int dpl_mcap_add_schema(struct dpl_mcap_writer *writer, const char *name, const char *encoding,
                        const void *data, size_t n, uint16_t *ret_id)
{
    if (writer->err < 0 || writer->n_schemas == UINT16_MAX) {
        return writer->err < 0 ? writer->err : -E2BIG;
    }
    size_t from = writer->schemas.n;
    begin(&writer->schemas, MCAP_SCHEMA);
    dpl_bytes_number(&writer->schemas, ++writer->n_schemas, 2);
    add_text(&writer->schemas, name);
    add_text(&writer->schemas, encoding);
    dpl_bytes_number(&writer->schemas, n, 4);
    dpl_bytes_add(&writer->schemas, data, n);
    end(&writer->schemas, from);
    if (writer->schemas.failed) {
        return failed(writer, -ENOMEM);
    }
    dpl_bytes_add(&writer->chunk, writer->schemas.data + from, writer->schemas.n - from);
    *ret_id = (uint16_t)writer->n_schemas;
    return 0;
}

int dpl_mcap_add_channel(struct dpl_mcap_writer *writer, const struct dpl_mcap_new_channel *channel,
                         uint16_t *ret_id)
{
    if (writer->err < 0 || writer->n_channels == UINT16_MAX) {
        return writer->err < 0 ? writer->err : -E2BIG;
    }
    struct channel *channels =
        realloc(writer->channels, (writer->n_channels + 1) * sizeof *channels);
    if (!channels) {
        return failed(writer, -ENOMEM);
    }
    writer->channels = channels;
    channels[writer->n_channels++] = (struct channel){.n_messages = 0};
    size_t from = writer->channel_records.n;
    begin(&writer->channel_records, MCAP_CHANNEL);
    dpl_bytes_number(&writer->channel_records, writer->n_channels, 2);
    dpl_bytes_number(&writer->channel_records, channel->schema, 2);
    add_text(&writer->channel_records, channel->topic);
    add_text(&writer->channel_records, channel->encoding);
    add_pairs(&writer->channel_records, channel->metadata, channel->n_metadata);
    end(&writer->channel_records, from);
    if (writer->channel_records.failed) {
        return failed(writer, -ENOMEM);
    }
    dpl_bytes_add(&writer->chunk, writer->channel_records.data + from,
                  writer->channel_records.n - from);
    *ret_id = (uint16_t)writer->n_channels;
    return 0;
}

static void note_time(struct dpl_mcap_writer *writer, uint64_t time)
{
    writer->chunk_first =
        writer->chunk_messages == 0 || time < writer->chunk_first ? time : writer->chunk_first;
    writer->chunk_last = time > writer->chunk_last ? time : writer->chunk_last;
    writer->first = writer->n_messages == 0 || time < writer->first ? time : writer->first;
    writer->last = time > writer->last ? time : writer->last;
    writer->chunk_messages++;
    writer->n_messages++;
}

int dpl_mcap_add_message(struct dpl_mcap_writer *writer, const struct dpl_mcap_new_message *message)
{
    if (writer->err < 0) {
        return writer->err;
    }
    if (message->channel == 0 || message->channel > writer->n_channels) {
        return -EINVAL;
    }
    struct channel *channel = &writer->channels[message->channel - 1];
    dpl_bytes_number(&channel->index, message->log_time, 8);
    dpl_bytes_number(&channel->index, writer->chunk.n, 8);
    size_t at = begin(&writer->chunk, MCAP_MESSAGE);
    dpl_bytes_number(&writer->chunk, message->channel, 2);
    dpl_bytes_number(&writer->chunk, message->sequence, 4);
    dpl_bytes_number(&writer->chunk, message->log_time, 8);
    dpl_bytes_number(&writer->chunk, message->publish_time, 8);
    dpl_bytes_add(&writer->chunk, message->data, message->n);
    end(&writer->chunk, at);
    channel->n_messages++;
    note_time(writer, message->log_time);
    return writer->chunk.n >= writer->chunk_bytes ? dpl_mcap_flush(writer) : 0;
}

/* ---- attachments, metadata ---- */

int dpl_mcap_add_attachment(struct dpl_mcap_writer *writer,
                            const struct dpl_mcap_new_attachment *attachment)
{
    dpl_mcap_flush(writer);
    uint64_t start = writer->at;
    struct dpl_bytes *out = &writer->record;
    begin_record(writer, MCAP_ATTACHMENT);
    dpl_bytes_number(out, attachment->log_time, 8);
    dpl_bytes_number(out, attachment->create_time, 8);
    add_text(out, attachment->name);
    add_text(out, attachment->media_type);
    dpl_bytes_number(out, attachment->n, 8);
    dpl_bytes_add(out, attachment->data, attachment->n);
    if (out->failed) {
        return failed(writer, -ENOMEM);
    }
    dpl_bytes_number(out, crc32_z(0, out->data + MCAP_HEAD_BYTES, out->n - MCAP_HEAD_BYTES), 4);
    if (put_record(writer) < 0) {
        return writer->err;
    }
    struct dpl_bytes *index = &writer->attachment_indexes;
    size_t at = begin(index, MCAP_ATTACHMENT_INDEX);
    dpl_bytes_number(index, start, 8);
    dpl_bytes_number(index, writer->at - start, 8);
    dpl_bytes_number(index, attachment->log_time, 8);
    dpl_bytes_number(index, attachment->create_time, 8);
    dpl_bytes_number(index, attachment->n, 8);
    add_text(index, attachment->name);
    add_text(index, attachment->media_type);
    end(index, at);
    writer->n_attachments++;
    return 0;
}

int dpl_mcap_add_metadata(struct dpl_mcap_writer *writer, const char *name,
                          const struct dpl_mcap_pair *pairs, size_t n)
{
    dpl_mcap_flush(writer);
    uint64_t start = writer->at;
    begin_record(writer, MCAP_METADATA);
    add_text(&writer->record, name);
    add_pairs(&writer->record, pairs, n);
    if (put_record(writer) < 0) {
        return writer->err;
    }
    struct dpl_bytes *index = &writer->metadata_indexes;
    size_t at = begin(index, MCAP_METADATA_INDEX);
    dpl_bytes_number(index, start, 8);
    dpl_bytes_number(index, writer->at - start, 8);
    add_text(index, name);
    end(index, at);
    writer->n_metadata++;
    return 0;
}

/* ---- the end ---- */

static void add_statistics(struct dpl_mcap_writer *writer, struct dpl_bytes *out)
{
    begin(out, MCAP_STATISTICS);
    dpl_bytes_number(out, writer->n_messages, 8);
    dpl_bytes_number(out, writer->n_schemas, 2);
    dpl_bytes_number(out, writer->n_channels, 4);
    dpl_bytes_number(out, writer->n_attachments, 4);
    dpl_bytes_number(out, writer->n_metadata, 4);
    dpl_bytes_number(out, writer->n_chunks, 4);
    dpl_bytes_number(out, writer->first, 8);
    dpl_bytes_number(out, writer->last, 8);
    dpl_bytes_number(out, 10 * writer->n_channels, 4);
    for (size_t i = 0; i < writer->n_channels; i++) {
        dpl_bytes_number(out, i + 1, 2);
        dpl_bytes_number(out, writer->channels[i].n_messages, 8);
    }
    end(out, 0);
}

static void add_offset(struct dpl_bytes *out, enum mcap_op op, uint64_t start, uint64_t length)
{
    size_t at = begin(out, MCAP_SUMMARY_OFFSET);
    dpl_bytes_number(out, op, 1);
    dpl_bytes_number(out, start, 8);
    dpl_bytes_number(out, length, 8);
    end(out, at);
}

/* Groups of records, each of one kind, then the place of each group. */
static void put_summary(struct dpl_mcap_writer *writer, struct dpl_bytes *statistics,
                        struct dpl_bytes *offsets)
{
    const struct {
        enum mcap_op op;
        const struct dpl_bytes *records;
    } groups[] = {
        {MCAP_SCHEMA, &writer->schemas},
        {MCAP_CHANNEL, &writer->channel_records},
        {MCAP_STATISTICS, statistics},
        {MCAP_CHUNK_INDEX, &writer->chunk_indexes},
        {MCAP_ATTACHMENT_INDEX, &writer->attachment_indexes},
        {MCAP_METADATA_INDEX, &writer->metadata_indexes},
    };
    uint64_t start = writer->at;
    writer->crc = 0; /* from here on that of the summary */
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        if (groups[i].records->n > 0) {
            add_offset(offsets, groups[i].op, writer->at, groups[i].records->n);
            put(writer, groups[i].records);
        }
    }
    uint64_t offset_start = writer->at;
    put(writer, offsets);
    struct dpl_bytes *footer = &writer->record;
    begin_record(writer, MCAP_FOOTER);
    dpl_bytes_number(footer, start, 8);
    dpl_bytes_number(footer, offset_start, 8);
    dpl_bytes_number(footer, 0, 4);
    end(footer, 0);
    if (!footer->failed) {
        dpl_bytes_put(footer, footer->n - 4, crc32_z(writer->crc, footer->data, footer->n - 4), 4);
    }
    dpl_bytes_add(footer, MCAP_MAGIC, MCAP_MAGIC_BYTES);
    put(writer, footer);
}

static void put_end(struct dpl_mcap_writer *writer)
{
    struct dpl_bytes statistics = {0}, offsets = {0};
    dpl_mcap_flush(writer);
    begin_record(writer, MCAP_DATA_END);
    dpl_bytes_number(&writer->record, writer->crc, 4);
    put_record(writer);
    add_statistics(writer, &statistics);
    put_summary(writer, &statistics, &offsets);
    dpl_bytes_finish(&statistics);
    dpl_bytes_finish(&offsets);
}

int dpl_mcap_close(struct dpl_mcap_writer *writer)
{
    if (!writer) {
        return 0;
    }
    put_end(writer);
    int err = writer->err;
    struct dpl_bytes *all[] = {&writer->chunk,           &writer->compressed,
                               &writer->record,          &writer->schemas,
                               &writer->chunk_indexes,   &writer->attachment_indexes,
                               &writer->channel_records, &writer->metadata_indexes};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        dpl_bytes_finish(all[i]);
    }
    for (size_t i = 0; i < writer->n_channels; i++) {
        dpl_bytes_finish(&writer->channels[i].index);
    }
    free(writer->channels);
    ZSTD_freeCCtx(writer->zstd);
    free(writer);
    return err;
}

struct dpl_mcap_writer *dpl_mcap_create(const struct dpl_mcap_sink *sink,
                                        const struct dpl_mcap_settings *settings)
{
    struct dpl_mcap_writer *writer = calloc(1, sizeof *writer);
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    if (!writer || !zstd) {
        free(writer);
        ZSTD_freeCCtx(zstd);
        return NULL;
    }
    writer->sink = *sink;
    writer->chunk_bytes = settings->chunk_bytes > 0 ? settings->chunk_bytes : CHUNK_BYTES;
    writer->level = settings->level;
    writer->zstd = zstd;
    begin_record(writer, MCAP_HEADER);
    add_text(&writer->record, settings->profile);
    add_text(&writer->record, settings->library);
    end(&writer->record, 0);
    dpl_bytes_add(&writer->compressed, MCAP_MAGIC, MCAP_MAGIC_BYTES);
    put(writer, &writer->compressed);
    put(writer, &writer->record);
    return writer;
}
