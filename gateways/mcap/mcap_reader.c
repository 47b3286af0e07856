/* SPDX-License-Identifier: Apache-2.0 */
/* What is in the file: from its summary, else from all of its records. Then messages, chunk by
 * chunk, merged by their times. */
#include "mcap_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "mcap_chunk.h"

#define OPEN_MOST  16u
#define ITEMS_MOST (1u << 22) /* chunks, attachments, metadata */

/* A list that grows. */
struct list {
    void *items;
    size_t n, capacity;
};

struct dpl_mcap_reader {
    struct dpl_mcap_span file;
    struct dpl_mcap_info info;
    struct list schemas, by_id; /* of pointers, indexed by id; NULL: none */
    struct list places, attachments, metadata, channels, damaged_files;
    struct list kept;  /* chunks whose schemas and channels are in use */
    size_t n_channels; /* in by_id */
    size_t n_descriptions;
    bool no_memory;
    /* reading */
    struct mcap_chunk open[OPEN_MOST];
    size_t next_place;
    uint64_t from, to;
    bool (*is_wanted)(void *user, const struct dpl_mcap_channel *channel);
    void *user;
    struct mcap_chunk finished; /* whose last message the caller still has */
};

static const struct dpl_place nowhere;

/* Room for one more item of this size at the end; NULL: no memory, or too many. */
static void *grow(struct dpl_mcap_reader *reader, struct list *list, size_t size)
{
    if (list->n == list->capacity) {
        size_t capacity = list->capacity > 0 ? 2 * list->capacity : 16;
        void *items = list->n < ITEMS_MOST ? realloc(list->items, capacity * size) : NULL;
        if (!items) {
            reader->no_memory = true;
            return NULL;
        }
        list->items = items;
        list->capacity = capacity;
    }
    return memset((char *)list->items + list->n++ * size, 0, size);
}

static void *get(const struct list *table, uint16_t id)
{
    return id < table->n ? ((void **)table->items)[id] : NULL;
}

/* Copies a schema or a channel into its table. */
static bool keep(struct dpl_mcap_reader *reader, struct list *table, uint16_t id, const void *item,
                 size_t size)
{
    while (table->n <= id) {
        if (!grow(reader, table, sizeof(void *))) {
            return false;
        }
    }
    void *copy = malloc(size);
    reader->no_memory |= !copy;
    if (copy) {
        ((void **)table->items)[id] = memcpy(copy, item, size);
        reader->n_descriptions++;
    }
    return copy != NULL;
}

/* ---- records ---- */

static void add_schema(struct dpl_mcap_reader *reader, struct parse body)
{
    struct dpl_mcap_schema schema = {.id = (uint16_t)parse_number(&body, 2)};
    schema.name = parse_text(&body);
    schema.encoding = parse_text(&body);
    schema.data = parse_text(&body);
    if (!body.failed && schema.id > 0 && !get(&reader->schemas, schema.id)) {
        keep(reader, &reader->schemas, schema.id, &schema, sizeof schema);
    }
}

static void add_channel(struct dpl_mcap_reader *reader, struct parse body)
{
    struct dpl_mcap_channel channel = {.id = (uint16_t)parse_number(&body, 2)};
    channel.schema_id = (uint16_t)parse_number(&body, 2);
    channel.topic = parse_text(&body);
    channel.encoding = parse_text(&body);
    channel.metadata = parse_text(&body);
    if (!body.failed && !get(&reader->by_id, channel.id)) {
        reader->n_channels += keep(reader, &reader->by_id, channel.id, &channel, sizeof channel);
    }
}

static void add_place(struct dpl_mcap_reader *reader, const struct mcap_place *place)
{
    struct mcap_place *added = grow(reader, &reader->places, sizeof *added);
    if (added) {
        *added = *place;
    }
}

static void add_attachment(struct dpl_mcap_reader *reader, struct parse body)
{
    struct parse whole = body;
    struct dpl_mcap_attachment a = {.log_time = parse_number(&body, 8)};
    a.create_time = parse_number(&body, 8);
    a.name = parse_text(&body);
    a.media_type = parse_text(&body);
    a.data = parse_bytes(&body, parse_number(&body, 8));
    uint64_t crc = parse_number(&body, 4);
    if (body.failed || (crc != 0 && crc != crc32_z(0, whole.at, whole.left - 4))) {
        struct dpl_mcap_span *damaged = grow(reader, &reader->damaged_files, sizeof *damaged);
        if (damaged) {
            *damaged = a.name;
        }
        reader->info.n_damaged++;
        return;
    }
    struct dpl_mcap_attachment *added = grow(reader, &reader->attachments, sizeof *added);
    if (added) {
        *added = a;
    }
}

static void add_metadata(struct dpl_mcap_reader *reader, struct parse body)
{
    struct dpl_mcap_metadata m = {.name = parse_text(&body)};
    m.pairs = parse_text(&body);
    struct dpl_mcap_metadata *added =
        body.failed ? NULL : grow(reader, &reader->metadata, sizeof *added);
    if (added) {
        *added = m;
    }
}

static void note_times(struct dpl_mcap_reader *reader, uint64_t start, uint64_t end)
{
    struct dpl_mcap_info *info = &reader->info;
    info->start = start < info->start ? start : info->start;
    info->end = end > info->end ? end : info->end;
}

/* ---- by the summary ---- */

/* The record of a kind at a place that an index names; false: there is none. */
static bool record_at(const struct dpl_mcap_reader *reader, uint64_t at, unsigned op,
                      struct parse *ret_body)
{
    if (at > reader->file.n) {
        return false;
    }
    struct parse file = {reader->file.data + at, reader->file.n - (size_t)at, false};
    unsigned found;
    return parse_record(&file, &found, ret_body) && found == op;
}

static bool add_chunk_index(struct dpl_mcap_reader *reader, struct parse body)
{
    struct mcap_place place = {.start = parse_number(&body, 8)};
    struct parse chunk;
    place.end = parse_number(&body, 8);
    uint64_t at = parse_number(&body, 8);
    if (body.failed || !record_at(reader, at, MCAP_CHUNK, &chunk)) {
        return false;
    }
    place.body = (struct dpl_mcap_span){chunk.at, chunk.left};
    add_place(reader, &place);
    reader->info.n_chunks++;
    note_times(reader, place.start, place.end);
    return true;
}

/* Follows an index to its record. */
static bool follow(struct dpl_mcap_reader *reader, struct parse body, unsigned op,
                   void (*add)(struct dpl_mcap_reader *, struct parse))
{
    struct parse found;
    if (!record_at(reader, parse_number(&body, 8), op, &found) || body.failed) {
        return false;
    }
    add(reader, found);
    return true;
}

static bool read_summary_record(struct dpl_mcap_reader *reader, unsigned op, struct parse body)
{
    switch (op) {
    case MCAP_SCHEMA: add_schema(reader, body); return true;
    case MCAP_CHANNEL: add_channel(reader, body); return true;
    case MCAP_CHUNK_INDEX: return add_chunk_index(reader, body);
    case MCAP_ATTACHMENT_INDEX: return follow(reader, body, MCAP_ATTACHMENT, add_attachment);
    case MCAP_METADATA_INDEX: return follow(reader, body, MCAP_METADATA, add_metadata);
    case MCAP_STATISTICS:
        /* messages without chunks are not in the index */
        return parse_number(&body, 8) == 0 || reader->places.n > 0 ||
               dpl_bytes_get(body.at + 14, 4) > 0;
    default: return true;
    }
}

/* The summary's bytes; false: there is none that is whole. */
static bool find_summary(const struct dpl_mcap_reader *reader, struct parse *ret_summary)
{
    size_t n = reader->file.n, tail = MCAP_HEAD_BYTES + MCAP_FOOTER_BODY + MCAP_MAGIC_BYTES;
    if (n < MCAP_MAGIC_BYTES + tail ||
        memcmp(reader->file.data + n - MCAP_MAGIC_BYTES, MCAP_MAGIC, MCAP_MAGIC_BYTES) != 0) {
        return false;
    }
    size_t footer = n - tail;
    const uint8_t *body = reader->file.data + footer + MCAP_HEAD_BYTES;
    uint64_t start = dpl_bytes_get(body, 8), crc = dpl_bytes_get(body + 16, 4);
    if (reader->file.data[footer] != MCAP_FOOTER || start < MCAP_MAGIC_BYTES || start > footer) {
        return false;
    }
    *ret_summary = (struct parse){reader->file.data + start, footer - (size_t)start, false};
    return crc == 0 || crc == crc32_z(0, ret_summary->at, ret_summary->left + MCAP_HEAD_BYTES + 16);
}

static bool read_summary(struct dpl_mcap_reader *reader)
{
    struct parse summary, body;
    unsigned op;
    if (!find_summary(reader, &summary)) {
        return false;
    }
    bool ok = true;
    while (ok && parse_record(&summary, &op, &body)) {
        ok = (op != MCAP_STATISTICS || body.left >= 46) && read_summary_record(reader, op, body);
    }
    /* not all writers repeat the channels there */
    return ok && summary.left == 0 && (reader->places.n == 0 || reader->n_channels > 0);
}

/* ---- by a scan ---- */

static void note_damage(struct dpl_mcap_reader *reader, int r, const struct mcap_chunk *chunk)
{
    reader->info.n_damaged++;
    if (r == -EOPNOTSUPP) {
        reader->info.compression = chunk->compression;
    }
}

/* Schemas and channels of a chunk, and the times of its messages. The chunk is kept if it has any
 * of the first, because they point into it. */
static void scan_chunk(struct dpl_mcap_reader *reader, struct mcap_place *place)
{
    struct mcap_chunk chunk = {0};
    int r = mcap_chunk_open(place, &chunk);
    if (r < 0) {
        reader->no_memory |= r == -ENOMEM;
        note_damage(reader, r, &chunk);
        return;
    }
    struct parse parse = {chunk.data, chunk.n, false}, body;
    size_t n_before = reader->n_descriptions;
    unsigned op;
    while (parse_record(&parse, &op, &body)) {
        if (op == MCAP_SCHEMA || op == MCAP_CHANNEL) {
            read_summary_record(reader, op, body);
        } else if (op == MCAP_MESSAGE && body.left >= 22) {
            uint64_t time = dpl_bytes_get(body.at + 6, 8);
            place->start = time < place->start ? time : place->start;
            place->end = time > place->end ? time : place->end;
        }
    }
    bool is_new = reader->n_descriptions > n_before; /* some writers repeat them in each chunk */
    uint8_t **kept = is_new ? grow(reader, &reader->kept, sizeof *kept) : NULL;
    if (kept) {
        *kept = chunk.owned;
    } else {
        free(chunk.owned);
    }
    reader->info.n_chunks += !place->raw;
    if (place->start <= place->end) {
        add_place(reader, place);
        note_times(reader, place->start, place->end);
    }
}

/* Records that are messages, schemas or channels outside of chunks, from `from` to `to`. */
static void end_raw(struct dpl_mcap_reader *reader, const uint8_t *from, const uint8_t *to)
{
    if (from) {
        struct mcap_place place = {UINT64_MAX, 0, {from, (size_t)(to - from)}, true};
        scan_chunk(reader, &place);
    }
}

static void scan(struct dpl_mcap_reader *reader)
{
    struct parse file = {reader->file.data + MCAP_MAGIC_BYTES, reader->file.n - MCAP_MAGIC_BYTES,
                         false};
    struct parse body;
    const uint8_t *raw = NULL;
    unsigned op = 0;
    for (const uint8_t *at = file.at;
         op != MCAP_DATA_END && op != MCAP_FOOTER && parse_record(&file, &op, &body);
         at = file.at) {
        bool is_raw = op == MCAP_MESSAGE || op == MCAP_SCHEMA || op == MCAP_CHANNEL;
        if (is_raw) {
            raw = raw ? raw : at;
            continue;
        }
        end_raw(reader, raw, at);
        raw = NULL;
        if (op == MCAP_CHUNK) {
            struct mcap_place place = {UINT64_MAX, 0, {body.at, body.left}, false};
            scan_chunk(reader, &place);
        } else if (op == MCAP_ATTACHMENT) {
            add_attachment(reader, body);
        } else if (op == MCAP_METADATA) {
            add_metadata(reader, body);
        }
    }
    end_raw(reader, raw, file.at);
}

/* ---- opening ---- */

static void empty(struct list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(((void **)list->items)[i]);
    }
    list->n = 0;
}

static void forget(struct dpl_mcap_reader *reader)
{
    empty(&reader->schemas);
    empty(&reader->by_id);
    empty(&reader->kept);
    reader->places.n = reader->attachments.n = reader->metadata.n = reader->damaged_files.n = 0;
    reader->n_channels = 0;
    reader->info = (struct dpl_mcap_info){.start = UINT64_MAX};
}

static int by_start(const void *a, const void *b)
{
    const struct mcap_place *x = a, *y = b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                                : (x->body.data > y->body.data) - (x->body.data < y->body.data);
}

static void complete(struct dpl_mcap_reader *reader)
{
    struct dpl_mcap_info *info = &reader->info;
    for (size_t i = 0; i < reader->by_id.n; i++) {
        struct dpl_mcap_channel *channel = get(&reader->by_id, (uint16_t)i);
        const struct dpl_mcap_channel **added =
            channel ? grow(reader, &reader->channels, sizeof *added) : NULL;
        if (added) {
            channel->schema = get(&reader->schemas, channel->schema_id);
            *added = channel;
        }
    }
    if (reader->places.n > 1) {
        qsort(reader->places.items, reader->places.n, sizeof(struct mcap_place), by_start);
    }
    info->start = info->start > info->end ? 0 : info->start;
    info->channels = reader->channels.items;
    info->attachments = reader->attachments.items;
    info->metadata = reader->metadata.items;
    info->damaged_files = reader->damaged_files.items;
    info->n_channels = reader->channels.n;
    info->n_attachments = reader->attachments.n;
    info->n_metadata = reader->metadata.n;
    info->n_damaged_files = reader->damaged_files.n;
}

static void read_header(struct dpl_mcap_reader *reader)
{
    struct parse body;
    if (record_at(reader, MCAP_MAGIC_BYTES, MCAP_HEADER, &body)) {
        reader->info.profile = parse_text(&body);
        reader->info.library = parse_text(&body);
    }
}

int dpl_mcap_open(const void *data, size_t n, struct dpl_mcap_reader **ret_reader,
                  struct dpl_diag *reterr)
{
    if (n < MCAP_MAGIC_BYTES || memcmp(data, MCAP_MAGIC, MCAP_MAGIC_BYTES) != 0) {
        return dpl_fail(reterr, -EINVAL, nowhere, "it does not begin as an MCAP file does");
    }
    struct dpl_mcap_reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        return -ENOMEM;
    }
    reader->file = (struct dpl_mcap_span){data, n};
    forget(reader);
    reader->info.is_complete = read_summary(reader);
    if (!reader->info.is_complete) {
        forget(reader);
        scan(reader);
    }
    read_header(reader);
    complete(reader);
    if (reader->no_memory) {
        dpl_mcap_reader_close(reader);
        return dpl_fail(reterr, -ENOMEM, nowhere, "no memory for the index of the file");
    }
    dpl_mcap_seek(reader, 0, UINT64_MAX, NULL, NULL);
    *ret_reader = reader;
    return 0;
}

const struct dpl_mcap_info *dpl_mcap_info(const struct dpl_mcap_reader *reader)
{
    return &reader->info;
}

/* ---- reading ---- */

void dpl_mcap_seek(struct dpl_mcap_reader *reader, uint64_t start, uint64_t end,
                   bool (*is_wanted)(void *user, const struct dpl_mcap_channel *channel),
                   void *user)
{
    for (size_t i = 0; i < OPEN_MOST; i++) {
        mcap_chunk_close(&reader->open[i]);
    }
    reader->next_place = 0;
    reader->from = start;
    reader->to = end;
    reader->is_wanted = is_wanted;
    reader->user = user;
}

static bool has_next(const struct mcap_chunk *chunk)
{
    return chunk->next < chunk->n_entries;
}

/* Of a chunk that has one. */
static const struct mcap_entry *head(const struct mcap_chunk *chunk)
{
    return &chunk->entries[chunk->next];
}

/* The open chunk whose next message is the earliest; NULL: none is open. */
static struct mcap_chunk *earliest(struct dpl_mcap_reader *reader)
{
    struct mcap_chunk *best = NULL;
    for (size_t i = 0; i < OPEN_MOST; i++) {
        struct mcap_chunk *chunk = &reader->open[i];
        if (has_next(chunk) &&
            (!best || head(chunk)->time < head(best)->time ||
             (head(chunk)->time == head(best)->time && chunk->place < best->place))) {
            best = chunk;
        }
    }
    return best;
}

static struct mcap_chunk *free_slot(struct dpl_mcap_reader *reader)
{
    for (size_t i = 0; i < OPEN_MOST; i++) {
        if (!reader->open[i].data) {
            return &reader->open[i];
        }
    }
    return NULL;
}

/* Opens the next chunk of the wanted time if its messages may come before those of the open ones.
 * 1: one was opened or left out; 0: none; -ENOMEM. */
static int open_next(struct dpl_mcap_reader *reader)
{
    if (reader->next_place == reader->places.n) {
        return 0;
    }
    const struct mcap_place *place =
        (const struct mcap_place *)reader->places.items + reader->next_place;
    const struct mcap_chunk *best = earliest(reader);
    struct mcap_chunk *slot = free_slot(reader);
    if (place->start > reader->to || !slot || (best && place->start > head(best)->time)) {
        return 0;
    }
    reader->next_place++;
    if (place->end < reader->from) {
        return 1;
    }
    int r = mcap_chunk_open(place, slot);
    if (r == 0) {
        r = mcap_chunk_sort(slot);
        if (!has_next(slot)) {
            mcap_chunk_close(slot);
        }
    } else if (r != -ENOMEM) {
        note_damage(reader, r, slot);
        *slot = (struct mcap_chunk){0};
        r = 0;
    }
    return r < 0 ? r : 1;
}

/* The message; false: it is not wanted. */
static bool read_message(const struct dpl_mcap_reader *reader, const struct mcap_chunk *chunk,
                         const struct mcap_entry *entry, struct dpl_mcap_message *ret_message)
{
    struct parse parse = {chunk->data + entry->at, chunk->n - entry->at, false}, body;
    unsigned op;
    if (entry->time < reader->from || entry->time > reader->to ||
        !parse_record(&parse, &op, &body)) {
        return false;
    }
    const struct dpl_mcap_channel *channel = get(&reader->by_id, (uint16_t)parse_number(&body, 2));
    ret_message->channel = channel;
    ret_message->sequence = (uint32_t)parse_number(&body, 4);
    ret_message->log_time = parse_number(&body, 8);
    ret_message->publish_time = parse_number(&body, 8);
    ret_message->data = (struct dpl_mcap_span){body.at, body.left};
    return channel && (!reader->is_wanted || reader->is_wanted(reader->user, channel));
}

int dpl_mcap_next(struct dpl_mcap_reader *reader, struct dpl_mcap_message *ret_message)
{
    mcap_chunk_close(&reader->finished);
    for (;;) {
        int r;
        while ((r = open_next(reader)) > 0) {
        }
        struct mcap_chunk *chunk = r < 0 ? NULL : earliest(reader);
        if (!chunk) {
            return r;
        }
        const struct mcap_entry entry = *head(chunk);
        bool wanted = read_message(reader, chunk, &entry, ret_message);
        chunk->next++;
        if (!has_next(chunk)) {
            mcap_chunk_close(&reader->finished);
            reader->finished = *chunk;
            *chunk = (struct mcap_chunk){0};
        }
        if (wanted) {
            return 1;
        }
    }
}

void dpl_mcap_reader_close(struct dpl_mcap_reader *reader)
{
    if (!reader) {
        return;
    }
    dpl_mcap_seek(reader, 0, 0, NULL, NULL);
    mcap_chunk_close(&reader->finished);
    forget(reader);
    struct list *lists[] = {&reader->schemas,       &reader->by_id,    &reader->places,
                            &reader->metadata,      &reader->channels, &reader->attachments,
                            &reader->damaged_files, &reader->kept};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        free(lists[i]->items);
    }
    free(reader);
}
