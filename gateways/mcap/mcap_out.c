/* SPDX-License-Identifier: Apache-2.0 */
#include "mcap_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define CHUNK_AGE DPL_S

static const struct dpl_place nowhere;

static int note(struct mcap_out *out, int r)
{
    out->err = out->err < 0 ? out->err : r;
    return out->err;
}

static int write_all(void *user, const void *data, size_t n)
{
    struct mcap_out *out = user;
    const char *at = data;
    out->n_bytes += n;
    while (n > 0) {
        ssize_t done = write(out->fd, at, n);
        if (done < 0 && errno != EINTR) {
            return -errno;
        }
        at += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return 0;
}

/* A file stays as it is until it is sure that no other run writes it. */
static int open_file(struct mcap_out *out, bool is_new, struct dpl_diag *reterr)
{
    const char *file = out->file;
    out->fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC | (is_new ? O_EXCL : 0), 0666);
    if (out->fd < 0 || fstat(out->fd, &out->opened) < 0) {
        int err = -errno;
        dpl_fail(reterr, err, nowhere, "cannot write '%s': %s", file, strerror(-err));
        if (out->fd >= 0) {
            close(out->fd);
        }
        return err;
    }
    bool is_regular = S_ISREG(out->opened.st_mode);
    if (is_regular && flock(out->fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) {
        close(out->fd);
        return dpl_fail(reterr, -EBUSY, nowhere, "%s is being recorded by another run", file);
    }
    if (is_regular && ftruncate(out->fd, 0) < 0) {
        int err = -errno;
        close(out->fd);
        return dpl_fail(reterr, err, nowhere, "cannot write '%s': %s", file, strerror(-err));
    }
    return 0;
}

int mcap_out_open(struct mcap_out *out, const char *file, bool is_new,
                  const struct dpl_mcap_options *options, struct dpl_diag *reterr)
{
    *out = (struct mcap_out){.topics = out->topics, .capacity = out->capacity};
    snprintf(out->file, sizeof out->file, "%s", file);
    int r = open_file(out, is_new, reterr);
    if (r < 0) {
        return r;
    }
    struct dpl_mcap_sink sink = {write_all, out};
    struct dpl_mcap_settings settings = {.profile = "",
                                         .library = "doppel",
                                         .chunk_bytes = (size_t)options->chunk_kib << 10,
                                         .level = (int)options->level};
    out->writer = dpl_mcap_create(&sink, &settings);
    if (!out->writer) {
        close(out->fd);
        return dpl_fail(reterr, -ENOMEM, nowhere, "no memory");
    }
    return 0;
}

/* Topics of one type have one schema in the file. */
static int find_schema(struct mcap_out *out, const struct dpl_topic *topic, uint16_t *ret_schema)
{
    for (size_t i = 0; i < out->n_topics; i++) {
        const struct dpl_topic *other = out->topics[i].topic;
        if (strcmp(other->schema_name, topic->schema_name) == 0 &&
            other->n_schema == topic->n_schema &&
            memcmp(other->schema, topic->schema, topic->n_schema) == 0) {
            *ret_schema = out->topics[i].schema;
            return 0;
        }
    }
    return dpl_mcap_add_schema(out->writer, topic->schema_name, topic->schema_encoding,
                               topic->schema, topic->n_schema, ret_schema);
}

bool mcap_out_holds(const struct dpl_topic *topic)
{
    return topic->latched && topic->source != DPL_TOPIC_EVENTS;
}

static int add_channel(struct mcap_out *out, struct mcap_out_topic *added)
{
    const struct dpl_topic *topic = added->topic;
    struct dpl_mcap_pair pairs[] = {
        {"unit", topic->unit}, {"summary", topic->summary}, {"latched", "true"}};
    int r = find_schema(out, topic, &added->schema);
    struct dpl_mcap_new_channel channel = {topic->name, topic->encoding, added->schema, pairs,
                                           mcap_out_holds(topic) ? 3 : 2};
    return r < 0 ? r : dpl_mcap_add_channel(out->writer, &channel, &added->channel);
}

int mcap_out_add(struct mcap_out *out, const struct dpl_topic *topic)
{
    if (out->n_topics == out->capacity) {
        size_t capacity = out->capacity ? 2 * out->capacity : 16;
        struct mcap_out_topic *topics = realloc(out->topics, capacity * sizeof *topics);
        if (!topics) {
            return note(out, -ENOMEM);
        }
        out->topics = topics;
        out->capacity = capacity;
    }
    struct mcap_out_topic added = {.topic = topic};
    int r = out->err < 0 ? out->err : add_channel(out, &added);
    out->topics[out->n_topics++] = added;
    return note(out, r);
}

int mcap_out_message(struct mcap_out *out, size_t index, const struct dpl_sample *sample)
{
    if (out->err < 0) {
        return out->err;
    }
    uint64_t stamp = sample->stamp > 0 ? (uint64_t)sample->stamp : 0;
    struct dpl_mcap_new_message message = {.channel = out->topics[index].channel,
                                           .sequence = (uint32_t)sample->sequence,
                                           .log_time = stamp,
                                           .publish_time = stamp,
                                           .data = sample->data,
                                           .n = sample->n};
    int r = dpl_mcap_add_message(out->writer, &message);
    if (r == 0 && sample->taken - out->flushed >= CHUNK_AGE) {
        out->flushed = sample->taken;
        r = dpl_mcap_flush(out->writer);
    }
    return note(out, r);
}

int mcap_out_attach(struct mcap_out *out, const struct dpl_kept_file *file)
{
    struct dpl_mcap_new_attachment attachment = {
        .name = file->name, .media_type = file->media_type, .data = file->data, .n = file->n};
    return out->err < 0 ? out->err : note(out, dpl_mcap_add_attachment(out->writer, &attachment));
}

int mcap_out_note(struct mcap_out *out, const char *name, const struct dpl_mcap_pair *pairs,
                  size_t n)
{
    return out->err < 0 ? out->err : note(out, dpl_mcap_add_metadata(out->writer, name, pairs, n));
}

/* Whether the file has its name still: not replaced, moved or removed. */
static bool has_name(const struct mcap_out *out)
{
    struct stat now;
    return !S_ISREG(out->opened.st_mode) ||
           (stat(out->file, &now) == 0 && now.st_dev == out->opened.st_dev &&
            now.st_ino == out->opened.st_ino);
}

int mcap_out_close(struct mcap_out *out, struct dpl_diag *reterr)
{
    int r = out->err, closed = out->writer ? dpl_mcap_close(out->writer) : 0;
    if (!out->writer) {
        return 0;
    }
    out->writer = NULL;
    r = r < 0 ? r : closed;
    if (close(out->fd) < 0 && r == 0) {
        r = -errno;
    }
    if (r < 0) {
        return dpl_fail(reterr, r, nowhere, "%s is incomplete: %s", out->file, strerror(-r));
    }
    return has_name(out) ? 0
                         : dpl_fail(reterr, -ESTALE, nowhere,
                                    "%s is not the recording: it was replaced, moved or removed "
                                    "during the run",
                                    out->file);
}
