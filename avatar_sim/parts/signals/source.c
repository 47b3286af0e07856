/* SPDX-License-Identifier: Apache-2.0 */
/* Channels that a signal reads and writes: see source.h. */
#include "source.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <doppel/math/geometry.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/world.h>

static const struct dpl_place nowhere;
static const char blanks[] = " \t\r\n";

static size_t count_words(const char *text)
{
    size_t n = 0;
    for (const char *at = text + strspn(text, blanks); *at; at += strspn(at, blanks)) {
        at += strcspn(at, blanks);
        n++;
    }
    return n;
}

static int find_one(const struct dpl_sim_site *site, const struct dpl_world_channels *channels,
                    const char *word, size_t length, bool put, struct dpl__source *ret_source,
                    struct dpl_diag *reterr)
{
    char path[DPL_CHANNEL_PATH_MAX];
    bool is_inverted = word[0] == '!';
    int n = snprintf(path, sizeof path, "%s/%.*s", site->model->robots[site->robot].name,
                     (int)length - is_inverted, word + is_inverted);
    if (n < 0 || (size_t)n >= sizeof path) {
        return dpl_fail(reterr, -EINVAL, nowhere, "'%.60s...' is too long for a channel", word);
    }
    const struct dpl_channel_want want = {.path = path, .put = put};
    int number = dpl_world_channels_find(channels, &want, reterr);
    if (number < 0) {
        return -EINVAL;
    }
    const struct dpl_channel_row *row =
        dpl__channels_row(channels, (size_t)number, &ret_source->id);
    bool is_scalar = row->type == &dpl_channel_number || row->type == &dpl_channel_integer ||
                     row->type == &dpl_channel_flag;
    if (!is_scalar || !(put ? row->put != NULL : row->get != NULL)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "signal '%s': channel '%s' (%s) is not one %s",
                        site->entry->name, path, row->type->name,
                        put ? "to be put" : "to be read: a number, an integer or a flag");
    }
    ret_source->row = row;
    ret_source->is_inverted = is_inverted;
    return 0;
}

int dpl__sources_find(const struct dpl_sim_site *site, const struct dpl_world_channels *channels,
                      const char *text, bool put, struct dpl__source **ret_sources, size_t *ret_n,
                      struct dpl_diag *reterr)
{
    size_t n = count_words(text), i = 0;
    struct dpl__source *sources = dpl_world_alloc(site->world, n, sizeof *sources);
    int err = sources || n == 0 ? 0 : -ENOMEM;
    for (const char *at = text + strspn(text, blanks); *at && err == 0; at += strspn(at, blanks)) {
        size_t length = strcspn(at, blanks);
        err = find_one(site, channels, at, length, put, &sources[i++], reterr);
        at += length;
    }
    *ret_sources = sources;
    *ret_n = n;
    return err;
}

int dpl__source_find(const struct dpl_sim_site *site, const struct dpl_world_channels *channels,
                     const char *text, bool put, struct dpl__source *ret_source,
                     struct dpl_diag *reterr)
{
    const char *word = text + strspn(text, blanks);
    *ret_source = (struct dpl__source){0};
    if (*word == '\0') {
        return 0;
    }
    return find_one(site, channels, word, strcspn(word, blanks), put, ret_source, reterr);
}

int dpl__source_need(const struct dpl_sim_site *site, const struct dpl_world_channels *channels,
                     const char *text, bool put, struct dpl__source *ret_source,
                     struct dpl_diag *reterr)
{
    int err = dpl__source_find(site, channels, text, put, ret_source, reterr);
    if (err == 0 && !ret_source->row) {
        err = dpl_fail(reterr, -EINVAL, nowhere, "signal '%s' names no channel to be %s",
                       site->entry->name, put ? "put" : "read");
    }
    return err;
}

bool dpl__source_get(const struct dpl__source *source, const struct dpl_world *world,
                     double *ret_value)
{
    union {
        double number;
        int64_t integer;
        bool flag;
    } value;
    dpl_ns stamp = dpl_world_now(world);
    if (source->row->get(world, source->id, &value, &stamp) < 0) {
        return false;
    }
    const struct dpl_channel_type *type = source->row->type;
    *ret_value = type == &dpl_channel_flag      ? (double)value.flag
                 : type == &dpl_channel_integer ? (double)value.integer
                                                : value.number;
    return true;
}

bool dpl__source_is_on(const struct dpl__source *source, const struct dpl_world *world)
{
    double value;
    return source->row && dpl__source_get(source, world, &value) &&
           (value != 0.0) != source->is_inverted;
}

void dpl__source_put(const struct dpl__source *source, struct dpl_world *world, double value)
{
    const struct dpl_channel_type *type = source->row->type;
    if (type == &dpl_channel_flag) {
        source->row->put(world, source->id, &(bool){value != 0.0});
    } else if (type == &dpl_channel_integer) {
        source->row->put(world, source->id, &(int64_t){dpl_whole(value)});
    } else {
        source->row->put(world, source->id, &value);
    }
}
