/* SPDX-License-Identifier: Apache-2.0 */
#include "row_topic.h"

#include <errno.h>

struct row_source {
    struct dpl__row_tap tap;
    struct dpl__row_topic rows;
    struct dpl_bytes bytes;
    bool latched;
};

static void listen(void *self, bool on)
{
    struct row_source *source = self;
    atomic_store_explicit(&source->tap.listening, on || source->latched, memory_order_relaxed);
}

static void welcome(void *self)
{
    struct row_source *source = self;
    atomic_fetch_add_explicit(&source->tap.n_came, 1, memory_order_relaxed);
}

static bool take(void *self, struct dpl_sample *ret_sample)
{
    struct row_source *source = self;
    const struct dpl__row *row = dpl__row_tap_take(&source->tap);
    if (!row) {
        return false;
    }
    source->bytes.n = 0;
    source->bytes.failed = false;
    source->rows.encode(source->rows.user, row, &source->bytes);
    *ret_sample = (struct dpl_sample){.stamp = row->stamp,
                                      .taken = row->stamp,
                                      .sequence = row->sequence,
                                      .data = source->bytes.data,
                                      .n = source->bytes.n};
    dpl__row_tap_release(&source->tap);
    return !source->bytes.failed;
}

static uint64_t dropped(void *self)
{
    const struct row_source *source = self;
    return atomic_load_explicit(&source->tap.n_dropped, memory_order_relaxed);
}

static const struct dpl__source_ops ops = {listen, take, dropped, welcome};

int dpl__row_topic_add(struct dpl__topics *topics, const struct dpl_topic *described,
                       const struct dpl__row_topic *rows, struct dpl__row_tap **ret_tap,
                       struct dpl_diag *reterr)
{
    struct row_source *source = dpl_arena_alloc(&topics->arena, sizeof *source);
    source->rows = *rows;
    if (!dpl__topics_add(topics, described, &ops, source, reterr)) {
        return -EINVAL;
    }
    dpl__row_tap_init(&source->tap, &topics->arena, rows->row_bytes, rows->n_rows);
    source->latched = described->latched;
    listen(source, false);
    *ret_tap = &source->tap;
    return 0;
}

/* ---- for worlds ---- */

static void *open_row(void *self)
{
    struct dpl__row *row = dpl__row_tap_open(self);
    return row ? row->data : NULL;
}

static void send_row(void *self, dpl_ns stamp)
{
    dpl__row_tap_send(self, stamp);
}

static unsigned wants(void *self)
{
    const struct dpl__row_tap *tap = self;
    bool listens = atomic_load_explicit(&tap->listening, memory_order_relaxed);
    return listens ? 1 + atomic_load_explicit(&tap->n_came, memory_order_relaxed) : 0;
}

struct dpl_scene_tap dpl__row_scene_tap(struct dpl__row_tap *tap)
{
    return (struct dpl_scene_tap){tap, open_row, send_row, wants};
}

void dpl__row_topics_finish(struct dpl__topics *topics)
{
    for (size_t i = 0; i < topics->n; i++) {
        if (topics->items[i]->ops == &ops) {
            dpl_bytes_finish(&((struct row_source *)topics->items[i]->source)->bytes);
        }
    }
}
