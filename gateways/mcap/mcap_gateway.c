/* SPDX-License-Identifier: Apache-2.0 */
#include "mcap_gateway.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mcap_writer.h"

#define CHUNK_AGE DPL_S

/* A topic that is recorded. */
struct recorded {
    const struct dpl_topic *topic;
    uint16_t channel, schema;
};

struct recording {
    struct dpl_gateway_setup setup;
    struct dpl_mcap_options options;
    int fd, err;
    struct stat opened;
    struct dpl_mcap_writer *writer;
    struct recorded *topics;
    size_t n_topics;
    dpl_ns flushed; /* the run's time */
};

static const struct dpl_place nowhere;

static const struct dpl_field options[] = {
    DPL_TEXT(struct dpl_mcap_options, file, "file", NULL, "file that is written"),
    DPL_TEXT(struct dpl_mcap_options, topics, "topics", "",
             "patterns of the topics that are recorded, separated by blanks; none: all"),
    DPL_INT(struct dpl_mcap_options, chunk_kib, "chunk", "1024", 16, 65536, "KiB of a chunk"),
    DPL_INT(struct dpl_mcap_options, level, "level", "3", 0, 19,
            "compression by zstd; 0: not compressed"),
};

static int write_all(void *user, const void *data, size_t n)
{
    struct recording *self = user;
    const char *at = data;
    while (n > 0) {
        ssize_t done = write(self->fd, at, n);
        if (done < 0 && errno != EINTR) {
            return -errno;
        }
        at += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return 0;
}

/* A file stays as it is until it is sure that no other run writes it. */
static int open_file(struct recording *self, struct dpl_diag *reterr)
{
    const char *file = self->options.file;
    self->fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (self->fd < 0 || fstat(self->fd, &self->opened) < 0) {
        int err = -errno;
        dpl_fail(reterr, err, nowhere, "cannot write %s: %s", file, strerror(-err));
        if (self->fd >= 0) {
            close(self->fd);
        }
        return err;
    }
    bool is_regular = S_ISREG(self->opened.st_mode);
    if (is_regular && flock(self->fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) {
        close(self->fd);
        return dpl_fail(reterr, -EBUSY, nowhere, "%s is being recorded by another run", file);
    }
    if (is_regular && ftruncate(self->fd, 0) < 0) {
        int err = -errno;
        close(self->fd);
        return dpl_fail(reterr, err, nowhere, "cannot write %s: %s", file, strerror(-err));
    }
    return 0;
}

static int open_recording(const struct dpl_gateway_setup *setup, void **ret_self,
                          struct dpl_diag *reterr)
{
    struct recording *self = calloc(1, sizeof *self);
    if (!self) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "no memory");
    }
    self->setup = *setup;
    self->options = *(const struct dpl_mcap_options *)setup->options;
    int r = open_file(self, reterr);
    if (r < 0) {
        free(self);
        return r;
    }
    struct dpl_mcap_sink sink = {write_all, self};
    struct dpl_mcap_settings settings = {.profile = "",
                                         .library = "doppel",
                                         .chunk_bytes = (size_t)self->options.chunk_kib << 10,
                                         .level = (int)self->options.level};
    self->writer = dpl_mcap_create(&sink, &settings);
    *ret_self = self;
    return 0;
}

static bool is_wanted(const struct recording *self, const char *name)
{
    char patterns[sizeof self->options.topics], *rest = patterns, *pattern;
    memcpy(patterns, self->options.topics, sizeof patterns);
    if (!*patterns) {
        return true;
    }
    while ((pattern = strsep(&rest, " "))) {
        if (*pattern && fnmatch(pattern, name, 0) == 0) {
            return true;
        }
    }
    return false;
}

/* Topics of one type have one schema in the file. */
static int find_schema(struct recording *self, const struct dpl_topic *topic, uint16_t *ret_schema)
{
    for (size_t i = 0; i < self->n_topics; i++) {
        const struct dpl_topic *other = self->topics[i].topic;
        if (strcmp(other->schema_name, topic->schema_name) == 0 &&
            other->n_schema == topic->n_schema &&
            memcmp(other->schema, topic->schema, topic->n_schema) == 0) {
            *ret_schema = self->topics[i].schema;
            return 0;
        }
    }
    return dpl_mcap_add_schema(self->writer, topic->schema_name, topic->schema_encoding,
                               topic->schema, topic->n_schema, ret_schema);
}

static int add_topic(struct recording *self, const struct dpl_topic *topic)
{
    struct recorded added = {.topic = topic};
    struct recorded *topics = realloc(self->topics, (self->n_topics + 1) * sizeof *topics);
    if (!topics) {
        return -ENOMEM;
    }
    self->topics = topics;
    int r = self->writer ? find_schema(self, topic, &added.schema) : -ENOMEM;
    struct dpl_mcap_pair pairs[] = {{"unit", topic->unit}, {"summary", topic->summary}};
    struct dpl_mcap_new_channel channel = {topic->name, topic->encoding, added.schema, pairs, 2};
    r = r == 0 ? dpl_mcap_add_channel(self->writer, &channel, &added.channel) : r;
    if (r == 0) {
        topics[self->n_topics++] = added;
    }
    return r;
}

/* The first error ends the recording. */
static void note(struct recording *self, int r)
{
    char text[1280];
    if (r < 0 && self->err == 0) {
        self->err = r;
        snprintf(text, sizeof text, "%s is not written from here on: %s", self->options.file,
                 strerror(-r));
        self->setup.ops->tell(self->setup.observer, DPL_LOG_ERROR, text);
    }
}

static void advertise(void *user, const struct dpl_topic *topic)
{
    struct recording *self = user;
    bool is_part = topic->source != DPL_TOPIC_PRESENT;
    if (self->err == 0 && is_part && is_wanted(self, topic->name)) {
        note(self, add_topic(self, topic));
        if (self->err == 0) {
            self->setup.ops->listen(self->setup.observer, topic, 1);
        }
    }
}

static const struct recorded *find(const struct recording *self, const struct dpl_topic *topic)
{
    size_t low = 0, high = self->n_topics; /* ids rise */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (self->topics[middle].topic->id < topic->id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < self->n_topics && self->topics[low].topic == topic ? &self->topics[low] : NULL;
}

static void take_message(void *user, const struct dpl_topic *topic, const struct dpl_sample *sample)
{
    struct recording *self = user;
    const struct recorded *recorded = find(self, topic);
    if (!recorded || self->err < 0) {
        return;
    }
    uint64_t stamp = sample->stamp > 0 ? (uint64_t)sample->stamp : 0;
    struct dpl_mcap_new_message message = {.channel = recorded->channel,
                                           .sequence = (uint32_t)sample->sequence,
                                           .log_time = stamp,
                                           .publish_time = stamp,
                                           .data = sample->data,
                                           .n = sample->n};
    note(self, dpl_mcap_add_message(self->writer, &message));
    if (self->err == 0 && sample->taken - self->flushed >= CHUNK_AGE) {
        self->flushed = sample->taken;
        note(self, dpl_mcap_flush(self->writer));
    }
}

static void keep(void *user, const struct dpl_kept_file *file)
{
    struct recording *self = user;
    struct dpl_mcap_new_attachment attachment = {
        .name = file->name, .media_type = file->media_type, .data = file->data, .n = file->n};
    if (self->err == 0) {
        note(self, dpl_mcap_add_attachment(self->writer, &attachment));
    }
}

/* Whether the file has its name still: not replaced, moved or removed. */
static bool has_name(const struct recording *self)
{
    struct stat now;
    return !S_ISREG(self->opened.st_mode) ||
           (stat(self->options.file, &now) == 0 && now.st_dev == self->opened.st_dev &&
            now.st_ino == self->opened.st_ino);
}

static int close_recording(void *user, struct dpl_diag *reterr)
{
    struct recording *self = user;
    int closed = dpl_mcap_close(self->writer);
    int r = self->err < 0 ? self->err : closed;
    if (close(self->fd) < 0 && r == 0) {
        r = -errno;
    }
    if (r < 0) {
        dpl_fail(reterr, r, nowhere, "%s is incomplete: %s", self->options.file, strerror(-r));
    } else if (!has_name(self)) {
        r = dpl_fail(reterr, -ESTALE, nowhere,
                     "%s is not the recording: it was replaced, moved or removed during the run",
                     self->options.file);
    }
    free(self->topics);
    free(self);
    return r;
}

const struct dpl_gateway dpl_mcap_gateway = {
    .name = "mcap",
    .summary = "records topics to an MCAP file",
    .options = options,
    .n_options = DPL_COUNT(options),
    .options_size = sizeof(struct dpl_mcap_options),
    .open = open_recording,
    .advertise = advertise,
    .message = take_message,
    .keep = keep,
    .close = close_recording,
};
