/* SPDX-License-Identifier: Apache-2.0 */
#include "mcap_gateway.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "mcap_out.h"
#include "mcap_ring.h"
#include "mcap_series.h"

#define LAG_MAX       (300 * DPL_S)
#define KEEP_MIB_MOST 64 /* for files that perhaps nobody asks for */

/* A topic that is recorded; its index is that of its channel in each file. */
struct recorded {
    const struct dpl_topic *topic;
    struct dpl_bytes held; /* its newest message before the file, if it is latched */
    struct dpl_sample held_sample;
    bool is_held;
};

/* A file that explains the run, for each file of a series. */
struct kept {
    char *name, *media_type;
    struct dpl_kept_file file; /* of these texts, and a copy of the data */
};

struct recording {
    struct dpl_gateway_setup setup;
    struct dpl_mcap_options options;
    struct mcap_out out;
    struct mcap_ring ring;
    struct recorded *topics; /* [n_topics] */
    struct kept *kept;       /* [n_kept]; none unless it is a series */
    size_t n_topics, n_kept;
    dpl_ns begun;       /* of the file; below 0: not yet */
    dpl_ns from, until; /* of a trigger's file */
    dpl_ns newest, lag; /* of messages that were taken */
    int err;            /* the first */
    struct dpl_diag why;
    bool has_ended; /* nothing is written any more */
    bool was_told;  /* that the file has ended early */
    bool was_told_short;
    bool could_not_open; /* the file of the trigger: not tried again in its time */
};

static const struct dpl_place nowhere;

static const struct dpl_field options[] = {
    DPL_TEXT(struct dpl_mcap_options, file, "file", "", "file that is written"),
    DPL_TEXT(struct dpl_mcap_options, topics, "topics", "",
             "patterns of the topics that are recorded, separated by blanks; none: all"),
    DPL_INT(struct dpl_mcap_options, chunk_kib, "chunk", "1024", 16, 65536, "KiB of a chunk"),
    DPL_INT(struct dpl_mcap_options, level, "level", "3", 0, 19,
            "compression by zstd; 0: not compressed"),
    DPL_INT(struct dpl_mcap_options, split_mb, "split_mb", "0", 0, 1000000000,
            "MB of a file of a series; 0: any"),
    DPL_NUMBER(struct dpl_mcap_options, split_s, "split_s", "s", "0", 0, 1e9,
               "time of a file of a series; 0: any"),
    DPL_INT(struct dpl_mcap_options, files, "files", "0", 0, 999999,
            "most files of a series: the oldest go; 0: all stay"),
    DPL_NUMBER(struct dpl_mcap_options, before_s, "before", "s", "10", 0, 1e6,
               "time before a trigger"),
    DPL_NUMBER(struct dpl_mcap_options, keep_s, "keep", "s", "0", 0, 1e6,
               "time in memory for files that are asked for, in place of `file`; 0: not so"),
    DPL_NUMBER(struct dpl_mcap_options, after_s, "after", "s", "5", 0, 1e6, "time after it"),
    DPL_INT(struct dpl_mcap_options, ring_mib, "ring", "256", 1, 65536,
            "MiB of memory for the time before a trigger"),
};

static bool is_split(const struct recording *self)
{
    return self->options.split_mb > 0 || self->options.split_s > 0.0;
}

static bool is_series(const struct recording *self)
{
    return self->options.trigger || self->options.keep_s > 0.0 || is_split(self);
}

static void say(const struct recording *self, enum dpl_log_level level, const char *text)
{
    self->setup.ops->tell(self->setup.observer, level, text);
}

/* The first error of a file ends it, and is told. */
static void check(struct recording *self, int r)
{
    char text[1280];
    if (r < 0 && !self->was_told) {
        self->err = self->err < 0 ? self->err : r;
        self->was_told = true;
        snprintf(text, sizeof text, "%s is not written from here on: %s", self->out.file,
                 strerror(-r));
        say(self, DPL_LOG_ERROR, text);
    }
    self->has_ended = self->has_ended || (r < 0 && !self->options.trigger);
}

/* ---- files ---- */

static int open_next(struct recording *self, struct dpl_diag *reterr)
{
    char name[sizeof self->out.file];
    int r;
    do { /* another process may take the name */
        r = mcap_series_next(self->options.file, name, sizeof name);
        if (r < 0) {
            return dpl_fail(reterr, r, nowhere, "%s: no name is left for a file of the series",
                            self->options.file);
        }
        if (self->options.files > 0) { /* the name first: numbers rise */
            mcap_series_prune(self->options.file, (size_t)self->options.files - 1);
        }
        r = mcap_out_open(&self->out, name, true, &self->options, reterr);
    } while (r == -EEXIST);
    return r;
}

/* What was told before belongs to each file. */
static void explain(const struct recording *self, struct mcap_out *out)
{
    for (size_t i = 0; i < self->n_kept; i++) {
        mcap_out_attach(out, &self->kept[i].file);
    }
    for (size_t i = 0; i < self->n_topics; i++) {
        mcap_out_add(out, self->topics[i].topic);
    }
}

static void write_held(struct mcap_out *out, size_t index, const struct dpl_sample *held,
                       dpl_ns now)
{
    struct dpl_sample sample = *held;
    sample.stamp = sample.taken = now;
    mcap_out_message(out, index, &sample);
}

static void begin_file(struct recording *self, dpl_ns now)
{
    explain(self, &self->out);
    for (size_t i = 0; i < self->n_topics; i++) {
        struct recorded *topic = &self->topics[i];
        if (topic->is_held) {
            write_held(&self->out, i, &topic->held_sample, now);
        }
    }
    self->begun = self->out.flushed = now;
    self->was_told = false;
}

static void close_file(struct recording *self)
{
    struct dpl_diag why = {0};
    int r = mcap_out_close(&self->out, &why);
    if (r < 0 && !self->why.text[0]) {
        self->why = why;
        self->err = self->err < 0 ? self->err : r;
    }
}

/* The next file of a series. */
static bool open_file(struct recording *self, dpl_ns now)
{
    struct dpl_diag why = {0};
    int r = open_next(self, &why);
    if (r < 0) {
        say(self, DPL_LOG_ERROR, why.text);
        self->err = self->err < 0 ? self->err : r;
        self->why = self->why.text[0] ? self->why : why;
        self->has_ended = !self->options.trigger;
        return false;
    }
    begin_file(self, now);
    return true;
}

static void hold(struct recording *self, size_t index, const struct dpl_sample *sample)
{
    struct recorded *topic = &self->topics[index];
    if (mcap_out_holds(topic->topic) && is_series(self)) {
        topic->held.n = 0;
        dpl_bytes_add(&topic->held, sample->data, sample->n);
        topic->held_sample = *sample;
        topic->held_sample.data = topic->held.data;
        topic->is_held = !topic->held.failed;
    }
}

static void write_message(void *user, size_t index, const struct dpl_sample *sample)
{
    struct recording *self = user;
    check(self, mcap_out_message(&self->out, index, sample));
    hold(self, index, sample);
}

static void only_hold(void *user, size_t index, const struct dpl_sample *sample)
{
    hold(user, index, sample);
}

/* ---- triggers ---- */

static dpl_ns before_of(const struct recording *self)
{
    return dpl_ns_from_s(self->options.before_s);
}

static void begin_window(struct recording *self, const char *why, dpl_ns now)
{
    char text[1536], time[32];
    dpl_ns from = now - before_of(self);
    self->from = from > 0 ? from : 0;
    mcap_ring_drop(&self->ring, self->from, only_hold, self);
    self->could_not_open = !open_file(self, self->from);
    if (self->could_not_open) {
        return;
    }
    snprintf(time, sizeof time, "%.6f", dpl_ns_to_s(now));
    struct dpl_mcap_pair pairs[] = {{"why", why}, {"time_s", time}};
    mcap_out_note(&self->out, "trigger", pairs, DPL_COUNT(pairs));
    snprintf(text, sizeof text, "%s at %.3f s: recorded to %s", why, dpl_ns_to_s(now),
             self->out.file);
    say(self, DPL_LOG_INFO, text);
}

/* A trigger within the time of another one makes it longer. */
static void look_for_trigger(struct recording *self, const struct dpl_topic *topic,
                             const struct dpl_sample *sample)
{
    const struct dpl_mcap_trigger *trigger = self->options.trigger;
    const char *why = trigger->holds(trigger->user, topic, sample);
    dpl_ns until = sample->taken + dpl_ns_from_s(self->options.after_s);
    if (!why) {
        return;
    }
    bool is_within = sample->taken <= self->until && (self->out.writer || self->could_not_open);
    if (!is_within) {
        close_file(self);
        begin_window(self, why, sample->taken);
    }
    self->until = is_within && self->until > until ? self->until : until;
    if (self->out.writer) {
        mcap_ring_take(&self->ring, self->from, self->until, write_message, self);
    }
}

static void tell_short(struct recording *self)
{
    char text[256];
    if (!self->was_told_short && self->options.trigger) { /* else the answer says from when */
        self->was_told_short = true;
        snprintf(text, sizeof text,
                 "%lld MiB of memory hold less than %g s before a trigger: record less topics",
                 (long long)self->options.ring_mib, self->options.before_s);
        say(self, DPL_LOG_WARN, text);
    }
}

static void add_to_ring(struct recording *self, size_t index, const struct dpl_sample *sample)
{
    dpl_ns wanted = self->newest - before_of(self);
    dpl_ns first = mcap_ring_first(&self->ring, sample->taken);
    check(self, mcap_ring_add(&self->ring, index, sample, only_hold, self));
    if (first < mcap_ring_first(&self->ring, sample->taken + 1) && wanted < first) {
        tell_short(self);
    }
    mcap_ring_drop(&self->ring, wanted - self->lag, only_hold, self);
}

/* Topics come in turns, behind the run: how far tells how long a message may be on its way. */
static void note_lag(struct recording *self, const struct dpl_sample *sample)
{
    dpl_ns lag = self->setup.ops->now(self->setup.observer) - sample->taken;
    self->lag = lag > self->lag && lag < LAG_MAX ? lag : self->lag;
    self->newest = sample->taken > self->newest ? sample->taken : self->newest;
    if (self->out.writer && self->newest > self->until + self->lag) {
        close_file(self);
    }
}

/* What is before and after a trigger is told by stamps, as readers have them. */
static void take_in_memory(struct recording *self, const struct dpl_topic *topic, size_t index,
                           const struct dpl_sample *given)
{
    struct dpl_sample sample = *given;
    sample.taken = sample.stamp > 0 ? sample.stamp : sample.taken;
    note_lag(self, &sample);
    if (self->options.trigger) {
        look_for_trigger(self, topic, &sample);
    }
    bool is_within = self->from <= sample.taken && sample.taken <= self->until;
    if (index < self->n_topics && self->out.writer && is_within) {
        write_message(self, index, &sample);
    } else if (index < self->n_topics) {
        add_to_ring(self, index, &sample);
    }
}

/* ---- files that are asked for ---- */

struct saving {
    const struct recording *recording;
    struct mcap_out out;
    const struct dpl_sample **held; /* [n_topics] newest before the file; NULL: none */
    struct dpl_saved saved;
};

static void find_held(void *user, size_t index, const struct dpl_sample *sample)
{
    struct saving *saving = user;
    bool holds = mcap_out_holds(saving->recording->topics[index].topic);
    if (holds && sample->taken < saving->saved.from) {
        saving->held[index] = sample;
    }
}

static void save_message(void *user, size_t index, const struct dpl_sample *sample)
{
    struct saving *saving = user;
    if (sample->taken >= saving->saved.from) {
        mcap_out_message(&saving->out, index, sample);
        saving->saved.n_messages++;
        saving->saved.to = sample->taken > saving->saved.to ? sample->taken : saving->saved.to;
    }
}

static void write_saved(struct saving *saving)
{
    const struct recording *self = saving->recording;
    explain(self, &saving->out);
    for (size_t i = 0; i < self->n_topics; i++) {
        saving->held[i] = self->topics[i].is_held ? &self->topics[i].held_sample : NULL;
    }
    mcap_ring_show(&self->ring, find_held, saving);
    for (size_t i = 0; i < self->n_topics; i++) {
        if (saving->held[i]) {
            write_held(&saving->out, i, saving->held[i], saving->saved.from);
        }
    }
    saving->out.flushed = saving->saved.from;
    mcap_ring_show(&self->ring, save_message, saving);
}

static int save_last(void *user, const char *file, double seconds, struct dpl_saved *ret_saved,
                     struct dpl_diag *reterr)
{
    struct recording *self = user;
    dpl_ns first = mcap_ring_first(&self->ring, self->newest);
    dpl_ns from = self->newest - dpl_ns_from_s(seconds);
    struct saving saving = {.recording = self, .saved.from = from > first ? from : first};
    if (self->options.keep_s <= 0.0) {
        return dpl_fail(reterr, -EOPNOTSUPP, nowhere, "it keeps nothing in memory");
    }
    saving.held = calloc(self->n_topics + 1, sizeof *saving.held);
    int r = saving.held ? mcap_out_open(&saving.out, file, true, &self->options, reterr)
                        : dpl_fail(reterr, -ENOMEM, nowhere, "no memory");
    if (r == 0) {
        write_saved(&saving);
        r = mcap_out_close(&saving.out, reterr);
    }
    free(saving.held);
    free(saving.out.topics);
    *ret_saved = saving.saved;
    return r;
}

/* ---- a series by size and time ---- */

static void split(struct recording *self, dpl_ns now)
{
    self->begun = self->begun < 0 ? now : self->begun;
    bool is_large = self->options.split_mb > 0 &&
                    self->out.n_bytes >= (uint64_t)self->options.split_mb * 1000000;
    bool is_long =
        self->options.split_s > 0.0 && now - self->begun >= dpl_ns_from_s(self->options.split_s);
    if (self->out.writer && (is_large || is_long)) {
        close_file(self);
        open_file(self, now);
    }
}

/* ---- the gateway ---- */

static int open_recording(const struct dpl_gateway_setup *setup, void **ret_self,
                          struct dpl_diag *reterr)
{
    struct recording *self = calloc(1, sizeof *self);
    if (!self) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "no memory");
    }
    self->setup = *setup;
    self->options = *(const struct dpl_mcap_options *)setup->options;
    self->begun = self->until = -1;
    if (self->options.keep_s > 0.0 && self->options.ring_mib > KEEP_MIB_MOST) {
        self->options.ring_mib = KEEP_MIB_MOST;
    }
    self->ring.most = (size_t)self->options.ring_mib << 20;
    self->options.before_s =
        self->options.keep_s > 0.0 ? self->options.keep_s : self->options.before_s;
    int r = self->options.trigger || self->options.keep_s > 0.0 ? 0
            : is_series(self)
                ? open_next(self, reterr)
                : mcap_out_open(&self->out, self->options.file, false, &self->options, reterr);
    if (r < 0) {
        free(self);
        return r;
    }
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

static bool add_topic(struct recording *self, const struct dpl_topic *topic)
{
    struct recorded *topics = realloc(self->topics, (self->n_topics + 1) * sizeof *topics);
    if (!topics) {
        check(self, -ENOMEM);
        return false;
    }
    self->topics = topics;
    topics[self->n_topics++] = (struct recorded){.topic = topic};
    if (self->out.writer) {
        check(self, mcap_out_add(&self->out, topic));
    }
    return self->err == 0;
}

static void advertise(void *user, const struct dpl_topic *topic)
{
    struct recording *self = user;
    const struct dpl_mcap_trigger *trigger = self->options.trigger;
    bool is_part = topic->source != DPL_TOPIC_PRESENT && is_wanted(self, topic->name);
    bool is_asked = trigger && trigger->wants(trigger->user, topic);
    is_part = is_part && !self->has_ended && add_topic(self, topic);
    if (is_part || is_asked) {
        self->setup.ops->listen(self->setup.observer, topic, 1);
    }
}

/* The index of a topic that is recorded, or n_topics. */
static size_t find(const struct recording *self, const struct dpl_topic *topic)
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
    return low < self->n_topics && self->topics[low].topic == topic ? low : self->n_topics;
}

static void take_message(void *user, const struct dpl_topic *topic, const struct dpl_sample *sample)
{
    struct recording *self = user;
    size_t index = find(self, topic);
    if (self->options.trigger || self->options.keep_s > 0.0) {
        take_in_memory(self, topic, index, sample);
    } else if (index < self->n_topics && !self->has_ended) {
        split(self, sample->taken);
        if (self->out.writer) {
            write_message(self, index, sample);
        }
    }
}

static void keep_copy(struct recording *self, const struct dpl_kept_file *file)
{
    struct kept *kept = realloc(self->kept, (self->n_kept + 1) * sizeof *kept);
    struct kept added = {strdup(file->name), strdup(file->media_type), *file};
    void *data = malloc(file->n + 1);
    if (kept) {
        self->kept = kept;
    }
    if (!kept || !added.name || !added.media_type || !data) {
        free(added.name);
        free(added.media_type);
        free(data);
        check(self, -ENOMEM);
        return;
    }
    memcpy(data, file->data, file->n);
    added.file.name = added.name;
    added.file.media_type = added.media_type;
    added.file.data = data;
    kept[self->n_kept++] = added;
}

static void keep(void *user, const struct dpl_kept_file *file)
{
    struct recording *self = user;
    if (is_series(self)) {
        keep_copy(self, file);
    }
    if (self->out.writer) {
        check(self, mcap_out_attach(&self->out, file));
    }
}

static void finish(struct recording *self)
{
    mcap_ring_finish(&self->ring);
    for (size_t i = 0; i < self->n_topics; i++) {
        dpl_bytes_finish(&self->topics[i].held);
    }
    for (size_t i = 0; i < self->n_kept; i++) {
        free(self->kept[i].name);
        free(self->kept[i].media_type);
        free((void *)(uintptr_t)self->kept[i].file.data);
    }
    free(self->kept);
    free(self->topics);
    free(self->out.topics);
    free(self);
}

static int close_recording(void *user, struct dpl_diag *reterr)
{
    struct recording *self = user;
    close_file(self);
    int r = self->err;
    if (r < 0) {
        dpl_fail(reterr, r, nowhere, "%s", self->why.text);
    }
    finish(self);
    return r;
}

const struct dpl_gateway dpl_mcap_gateway = {
    .name = "mcap",
    .summary = "records topics to MCAP files",
    .options = options,
    .n_options = DPL_COUNT(options),
    .options_size = sizeof(struct dpl_mcap_options),
    .open = open_recording,
    .advertise = advertise,
    .message = take_message,
    .keep = keep,
    .save = save_last,
    .close = close_recording,
};
