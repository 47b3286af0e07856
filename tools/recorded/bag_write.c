/* SPDX-License-Identifier: Apache-2.0 */
#include "bag_write.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <doppel/host/runtime.h>
#include <doppel/output.h>

#include "bag.h"
#include "bytes.h"

#define IDS 65536

/* ---- a part ---- */

struct cutting {
    const struct bag_cut *cut;
    struct bag bag;
    struct dpl_output output;
    struct dpl_mcap_writer *writer;
    uint16_t schemas[IDS], channels[IDS]; /* in the new file, by their id; 0: not there */
    struct held {
        bool is_latched; /* its newest message holds until the next one */
        void *data;      /* of the newest message before the part; NULL: none */
        size_t n;
        uint32_t sequence;
        uint64_t publish_time;
    } held[IDS]; /* by their id */
    size_t n_channels, n_messages;
};

static char *copy(struct dpl_mcap_span span)
{
    char *text = malloc(span.n + 1);
    if (text) {
        memcpy(text, span.n > 0 ? (const char *)span.data : "", span.n);
        text[span.n] = '\0';
    }
    return text;
}

static bool is_wanted_topic(const struct bag_cut *cut, const char *topic)
{
    bool is = cut->n_topics == 0;
    for (size_t i = 0; i < cut->n_topics; i++) {
        is = is || fnmatch(cut->topics[i], topic, 0) == 0;
    }
    return is;
}

/* Pairs of texts, each behind its length. At most `most`; *ret_memory has the texts. */
static size_t read_pairs(struct dpl_mcap_span span, struct dpl_mcap_pair *ret_pairs, size_t most,
                         char **ret_memory)
{
    char *at = malloc(2 * span.n + 1);
    const char *texts[2];
    size_t n = 0, k = 0;
    *ret_memory = at;
    for (size_t from = 0; at && n < most && span.n - from >= 4;) {
        size_t length = (size_t)dpl_bytes_get(span.data + from, 4);
        from += 4;
        if (length > span.n - from) {
            break;
        }
        memcpy(at, span.data + from, length);
        at[length] = '\0';
        texts[k++] = at;
        at += length + 1;
        from += length;
        if (k == 2) {
            ret_pairs[n++] = (struct dpl_mcap_pair){texts[0], texts[1]};
            k = 0;
        }
    }
    return n;
}

static int copy_schema(struct cutting *cutting, const struct dpl_mcap_schema *schema)
{
    if (!schema || cutting->schemas[schema->id] > 0) {
        return 0;
    }
    char *name = copy(schema->name), *encoding = copy(schema->encoding);
    int r = name && encoding ? cutting->bag.module->add_schema(cutting->writer, name, encoding,
                                                               schema->data.data, schema->data.n,
                                                               &cutting->schemas[schema->id])
                             : -ENOMEM;
    free(name);
    free(encoding);
    return r;
}

static int copy_channel(struct cutting *cutting, const struct dpl_mcap_channel *channel)
{
    char *topic = copy(channel->topic), *encoding = copy(channel->encoding), *memory = NULL;
    struct dpl_mcap_pair pairs[64];
    int r = topic && encoding ? 0 : -ENOMEM;
    if (r == 0 && is_wanted_topic(cutting->cut, topic)) {
        r = copy_schema(cutting, channel->schema);
        struct dpl_mcap_new_channel added = {
            topic, encoding, channel->schema ? cutting->schemas[channel->schema->id] : 0, pairs,
            read_pairs(channel->metadata, pairs, DPL_COUNT(pairs), &memory)};
        r = r < 0 ? r
                  : cutting->bag.module->add_channel(cutting->writer, &added,
                                                     &cutting->channels[channel->id]);
        for (size_t i = 0; i < added.n_metadata; i++) {
            cutting->held[channel->id].is_latched |= strcmp(pairs[i].name, "latched") == 0;
        }
        cutting->n_channels++;
    }
    free(memory);
    free(topic);
    free(encoding);
    return r;
}

static int copy_attachment(struct cutting *cutting, const struct dpl_mcap_attachment *attachment)
{
    char *name = copy(attachment->name), *type = copy(attachment->media_type);
    struct dpl_mcap_new_attachment added = {name,
                                            type,
                                            attachment->log_time,
                                            attachment->create_time,
                                            attachment->data.data,
                                            attachment->data.n};
    int r = name && type ? cutting->bag.module->add_attachment(cutting->writer, &added) : -ENOMEM;
    free(name);
    free(type);
    return r;
}

static int copy_metadata(struct cutting *cutting, const struct dpl_mcap_metadata *metadata)
{
    struct dpl_mcap_pair pairs[256];
    char *memory, *name = copy(metadata->name);
    size_t n = read_pairs(metadata->pairs, pairs, DPL_COUNT(pairs), &memory);
    int r = name && memory ? cutting->bag.module->add_metadata(cutting->writer, name, pairs, n)
                           : -ENOMEM;
    free(memory);
    free(name);
    return r;
}

static bool is_wanted(void *user, const struct dpl_mcap_channel *channel)
{
    return ((const struct cutting *)user)->channels[channel->id] > 0;
}

static uint64_t ns_of(double seconds)
{
    return seconds < 1e10 ? (uint64_t)llround(seconds * 1e9) : UINT64_MAX;
}

static bool is_held(void *user, const struct dpl_mcap_channel *channel)
{
    return is_wanted(user, channel) && ((const struct cutting *)user)->held[channel->id].is_latched;
}

static int keep_held(struct held *held, const struct dpl_mcap_message *message)
{
    void *data = malloc(message->data.n + 1);
    if (!data) {
        return -ENOMEM;
    }
    memcpy(data, message->data.data, message->data.n);
    free(held->data);
    held->data = data;
    held->n = message->data.n;
    held->sequence = message->sequence;
    held->publish_time = message->publish_time;
    return 1;
}

/* What holds when the part begins stands at its beginning. */
static int copy_held(struct cutting *cutting)
{
    const struct mcap_file_module *module = cutting->bag.module;
    struct dpl_mcap_message message;
    uint64_t from = ns_of(cutting->cut->from_s);
    int r = from > 0;
    module->seek(cutting->bag.reader, 0, from > 0 ? from - 1 : 0, is_held, cutting);
    while (r > 0 && (r = module->next(cutting->bag.reader, &message)) > 0) {
        r = keep_held(&cutting->held[message.channel->id], &message);
    }
    for (size_t i = 0; i < IDS && r == 0; i++) {
        const struct held *held = &cutting->held[i];
        struct dpl_mcap_new_message added = {cutting->channels[i], held->sequence, from,
                                             held->publish_time,   held->data,     held->n};
        r = held->data ? module->add_message(cutting->writer, &added) : 0;
        cutting->n_messages += held->data != NULL;
    }
    return r;
}

static int copy_messages(struct cutting *cutting)
{
    const struct mcap_file_module *module = cutting->bag.module;
    const struct dpl_mcap_info *info = module->info(cutting->bag.reader);
    struct dpl_mcap_message message;
    int r;
    module->seek(cutting->bag.reader, ns_of(cutting->cut->from_s), ns_of(cutting->cut->to_s),
                 is_wanted, cutting);
    while ((r = module->next(cutting->bag.reader, &message)) > 0) {
        struct dpl_mcap_new_message added = {cutting->channels[message.channel->id],
                                             message.sequence,
                                             message.log_time,
                                             message.publish_time,
                                             message.data.data,
                                             message.data.n};
        r = module->add_message(cutting->writer, &added);
        if (r < 0) {
            break;
        }
        cutting->n_messages++;
        if (cutting->cut->tell) {
            cutting->cut->tell((double)(message.log_time - info->start) /
                               (double)(info->end - info->start + 1));
        }
    }
    return r;
}

/* The results of the whole run are not those of a part. */
static bool is_part(const struct bag_cut *cut)
{
    return cut->from_s > 0.0 || isfinite(cut->to_s);
}

static int copy_all(struct cutting *cutting)
{
    const struct dpl_mcap_info *info = cutting->bag.module->info(cutting->bag.reader);
    int r = 0;
    for (size_t i = 0; i < info->n_attachments && r == 0; i++) {
        bool is_result = bag_span_is(info->attachments[i].name, "summary.json");
        r = is_result && is_part(cutting->cut) ? 0
                                               : copy_attachment(cutting, &info->attachments[i]);
    }
    for (size_t i = 0; i < info->n_metadata && r == 0; i++) {
        r = copy_metadata(cutting, &info->metadata[i]);
    }
    for (size_t i = 0; i < info->n_channels && r == 0; i++) {
        r = copy_channel(cutting, info->channels[i]);
    }
    if (r == 0 && cutting->n_channels == 0) {
        return -ENOMSG;
    }
    r = r < 0 ? r : copy_held(cutting);
    r = r < 0 ? r : copy_messages(cutting);
    bool is_behind = ns_of(cutting->cut->from_s) > info->end; /* all that is there is old */
    return r < 0 || (cutting->n_messages > 0 && !is_behind) ? r : -ENODATA;
}

/* `level`: of zstd; 0: not compressed. */
static int copy_into(struct cutting *cutting, const struct dpl_mcap_sink *sink, int level)
{
    const struct bag *bag = &cutting->bag;
    struct dpl_mcap_settings settings = {.profile = "", .library = "doppel", .level = level};
    cutting->writer = bag->module->create(sink, &settings);
    int r = cutting->writer ? copy_all(cutting) : -ENOMEM;
    int ended = cutting->writer ? bag->module->end(cutting->writer) : 0;
    return r < 0 ? r : ended;
}

static int write_cut(struct cutting *cutting, struct dpl_diag *reterr)
{
    const struct bag *bag = &cutting->bag;
    struct dpl_mcap_sink sink = {bag_sink_write, &cutting->output};
    int r = dpl_output_open(&cutting->output, cutting->cut->output, reterr);
    if (r < 0) {
        return r;
    }
    r = copy_into(cutting, &sink, 3);
    if (r < 0) {
        dpl_output_abandon(&cutting->output);
        if (r == -ENODATA) {
            return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = bag->file},
                            "it has no message of these topics from %g s to %g s",
                            cutting->cut->from_s, cutting->cut->to_s);
        }
        return r == -ENOMSG ? dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = bag->file},
                                       "it has no such topic as '%s'; `doppel bag info` lists them",
                                       cutting->cut->n_topics > 0 ? cutting->cut->topics[0] : "*")
                            : dpl_fail(reterr, r, (struct dpl_place){.file = cutting->cut->output},
                                       "cannot be written: %s", strerror(-r));
    }
    return dpl_output_close(&cutting->output, reterr);
}

static int add_bytes(void *user, const void *data, size_t n)
{
    struct dpl_bytes *bytes = user;
    dpl_bytes_add(bytes, data, n);
    return bytes->failed ? -ENOMEM : 0;
}

/* Into memory; NULL: into the file of the cut. */
static int cut_into(const char *file, const struct bag_cut *cut, struct dpl_bytes *bytes,
                    char *ret_trouble, struct dpl_diag *reterr)
{
    struct dpl_mcap_sink sink = {add_bytes, bytes};
    struct cutting *cutting = calloc(1, sizeof *cutting);
    if (!cutting) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){.file = file}, "no memory");
    }
    cutting->cut = cut;
    int r = bag_open(file, &cutting->bag, reterr);
    if (r == 0 && bytes) {
        r = copy_into(cutting, &sink, 0);
        bool is_empty = r == -ENODATA || r == -ENOMSG;
        r = r == 0 ? 0
                   : dpl_fail(reterr, is_empty ? -EINVAL : r, (struct dpl_place){.file = file},
                              "%s", is_empty ? "it has no message" : strerror(-r));
    } else if (r == 0) {
        r = write_cut(cutting, reterr);
    }
    snprintf(ret_trouble, BAG_TROUBLE_MAX, "%s", r == 0 ? bag_trouble(&cutting->bag) : "");
    for (size_t i = 0; i < IDS; i++) {
        free(cutting->held[i].data);
    }
    bag_close(&cutting->bag);
    free(cutting);
    return r;
}

int bag_cut(const char *file, const struct bag_cut *cut, char *ret_trouble, struct dpl_diag *reterr)
{
    return cut_into(file, cut, NULL, ret_trouble, reterr);
}

int bag_unpack(const char *file, void (*tell)(double share), struct dpl_bytes *ret_bytes,
               char *ret_trouble, struct dpl_diag *reterr)
{
    struct bag_cut whole = {.to_s = (double)INFINITY, .tell = tell};
    return cut_into(file, &whole, ret_bytes, ret_trouble, reterr);
}

/* ---- the files of the run ---- */

static int write_text(const char *folder, const char *name, const char *text, size_t n,
                      struct dpl_diag *reterr)
{
    char path[4096];
    struct dpl_output output;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        return dpl_fail(reterr, -ENAMETOOLONG, (struct dpl_place){.file = folder},
                        "the name is too long");
    }
    int r = dpl_output_open(&output, path, reterr);
    if (r == 0) {
        fwrite(text, 1, n, output.stream);
        if (n > 0 && text[n - 1] != '\n') {
            fputc('\n', output.stream);
        }
        r = dpl_output_close(&output, reterr);
    }
    return r;
}

static int convert_one(struct bag *bag, const char *folder, const char *name,
                       struct dpl_diag *reterr)
{
    char *text = NULL;
    size_t n = 0;
    int r = bag_text(bag, name, &text, &n, reterr);
    r = r < 0 ? r : write_text(folder, name, text, n, reterr);
    free(text);
    return r;
}

/* The files `from` to `to`; *ret_n: how many there were. */
static int convert_some(struct bag *bag, const char *folder, size_t from, size_t to, size_t *ret_n,
                        struct dpl_diag *reterr)
{
    char name[256];
    *ret_n = 0;
    for (size_t i = from; i < to && bag_name(bag, i, name, sizeof name); i++) {
        int r = convert_one(bag, folder, name, reterr);
        if (r < 0 && r != -ENOENT) {
            return r;
        }
        *ret_n += r == 0;
    }
    return 0;
}

/* The tables first: without them nothing is written. */
static int convert_all(struct bag *bag, const char *folder, struct dpl_diag *reterr)
{
    size_t n_tables = 0, n_others;
    int r = convert_some(bag, folder, BAG_FIRST_TABLE, SIZE_MAX, &n_tables, reterr);
    if (r == 0 && n_tables == 0) {
        return -ENOENT;
    }
    return r < 0 ? r : convert_some(bag, folder, 0, BAG_FIRST_TABLE, &n_others, reterr);
}

int bag_convert(const char *file, const char *folder, char *ret_trouble, struct dpl_diag *reterr)
{
    struct bag bag;
    int r = bag_open(file, &bag, reterr);
    if (r < 0) {
        return r;
    }
    if (mkdir(folder, 0777) < 0 && errno != EEXIST) {
        r = dpl_fail(reterr, -errno, (struct dpl_place){.file = folder},
                     "cannot make the folder: %s", strerror(errno));
    } else {
        r = dpl_results_clear(folder, reterr);
    }
    r = r < 0 ? r : convert_all(&bag, folder, reterr);
    snprintf(ret_trouble, BAG_TROUBLE_MAX, "%s", r == 0 ? bag_trouble(&bag) : "");
    bag_close(&bag);
    return r;
}
