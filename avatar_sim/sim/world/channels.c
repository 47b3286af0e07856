/* SPDX-License-Identifier: Apache-2.0 */
/* The list of a world's channels, made of the tables of what is in it. */
#include <doppel/sim/channels.h>

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/field.h>
#include <doppel/sim/channel_rows.h>
#include <doppel/sim/subsystem.h>

#include "arena.h"
#include "obstacle_channels.h"

enum { UNDER_SIZE = 3 * DPL_SIM_NAME_SIZE }; /* of a path, without the channel's own name */

struct channel {
    const struct dpl_channel_row *row;
    int id;
    unsigned n_wanted; /* of a shared flag: users who want it on */
    double overruled;  /* NAN: by nobody */
    void *kept;        /* of an input: what was put last; NULL: an output */
    dpl_ns kept_at;    /* NOT_KEPT: nothing, or released since */
};
#define NOT_KEPT INT64_MIN

struct dpl_world_channels {
    struct dpl_world *world;
    struct dpl_arena arena;         /* paths */
    struct dpl_channel_desc *descs; /* [n] */
    struct channel *channels;       /* [n] */
    size_t n, capacity;
    bool out_of_memory;
};

/* ---- the world itself ---- */

static int get_time(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    (void)id;
    *(double *)ret_value = dpl_ns_to_s(*inout_stamp);
    (void)world;
    return 0;
}

static int get_finish(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct dpl_sim_line *line = &dpl_world_model(world)->finish;
    (void)id;
    memcpy(ret_value, (double[4]){line->x1, line->y1, line->x2, line->y2}, 4 * sizeof(double));
    *inout_stamp = 0;
    return 0;
}

static const struct dpl_channel_row world_rows[] = {
    DPL_CHANNEL_READ("time", &dpl_channel_number, DPL_CHANNEL_OUT, "s", 0, "since the world began",
                     get_time, NULL),
};
static const struct dpl_channel_table world_table = {world_rows, DPL_COUNT(world_rows)};

static const struct dpl_channel_row finish_rows[] = {
    DPL_CHANNEL_READ("finish", &dpl_channel_vector, DPL_CHANNEL_CONSTANT, "m", 4, "x1, y1, x2, y2",
                     get_finish, NULL),
};
static const struct dpl_channel_table finish_table = {finish_rows, DPL_COUNT(finish_rows)};

/* ---- building ---- */

static bool make_room(struct dpl_world_channels *channels)
{
    if (channels->n < channels->capacity) {
        return true;
    }
    size_t capacity = channels->capacity ? 2 * channels->capacity : 64;
    void *descs = realloc(channels->descs, capacity * sizeof *channels->descs);
    channels->descs = descs ? descs : channels->descs;
    void *list = realloc(channels->channels, capacity * sizeof *channels->channels);
    channels->channels = list ? list : channels->channels;
    channels->capacity = descs && list ? capacity : channels->capacity;
    channels->out_of_memory |= !descs || !list;
    return descs && list;
}

static void add(struct dpl_world_channels *channels, const struct dpl_channel_row *row, int id,
                const char *under)
{
    if (!make_room(channels)) {
        return;
    }
    struct dpl_channel_desc *desc = &channels->descs[channels->n];
    *desc = (struct dpl_channel_desc){
        .path = dpl_arena_printf(&channels->arena, "%s%s%s", under, under[0] ? "/" : "", row->name),
        .type = row->type,
        .dir = row->dir,
        .unit = row->unit ? row->unit : "",
        .size = row->type->size ? row->type->size : row->size,
        .silence = row->silence,
        .is_derived = row->is_derived,
        .summary = row->summary,
    };
    if (row->describe) {
        row->describe(channels->world, id, desc);
    }
    void *kept = row->put && row->dir != DPL_CHANNEL_REQUEST
                     ? dpl_arena_alloc(&channels->arena, dpl_channel_bytes(desc))
                     : NULL;
    channels->out_of_memory |= !desc->path;
    channels->channels[channels->n++] = (struct channel){
        .row = row, .id = id, .overruled = (double)NAN, .kept = kept, .kept_at = NOT_KEPT};
}

void dpl__channels_add(struct dpl_world_channels *channels, const struct dpl_channel_table *table,
                       int id, const char *format, ...)
{
    char under[UNDER_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(under, sizeof under, format, args);
    va_end(args);
    for (size_t i = 0; i < table->n; i++) {
        const struct dpl_channel_row *row = &table->rows[i];
        if (!row->is_there || row->is_there(channels->world, id)) {
            add(channels, row, id, under);
        }
    }
}

static void add_entry(struct dpl_world_channels *channels, int robot, size_t number)
{
    const struct dpl_sim_robot *of = &dpl_world_model(channels->world)->robots[robot];
    const struct dpl_sim_entry *entry = &of->entries[number];
    char path[UNDER_SIZE];
    if (!entry->class_->channels || entry->name[0] == '\0') {
        return;
    }
    if (!of->subsystem->entry_path) {
        snprintf(path, sizeof path, "%s/%s", of->name, entry->name);
    } else if (!of->subsystem->entry_path(of, number, path, sizeof path)) {
        return;
    }
    int id = dpl_world_find_entry(channels->world, entry->class_, robot, entry->name);
    dpl__channels_add(channels, entry->class_->channels, id, "%s", path);
}

static void add_robot(struct dpl_world_channels *channels, int number)
{
    const struct dpl_sim_robot *robot = &dpl_world_model(channels->world)->robots[number];
    if (robot->subsystem->channels) {
        dpl__channels_add(channels, robot->subsystem->channels, number, "%s", robot->name);
    }
    if (robot->subsystem->add_channels) {
        robot->subsystem->add_channels(channels->world, channels, number);
    }
    for (size_t i = 0; i < robot->n_entries; i++) {
        add_entry(channels, number, i);
    }
}

int dpl_world_channels_create(struct dpl_world *world, struct dpl_world_channels **ret_channels)
{
    const struct dpl_sim_model *model = dpl_world_model(world);
    struct dpl_world_channels *channels = calloc(1, sizeof *channels);
    if (!channels) {
        return -ENOMEM;
    }
    channels->world = world;
    dpl__channels_add(channels, &world_table, 0, "%s", "");
    dpl__obstacle_channels_add(channels, model);
    if (model->has_finish) {
        dpl__channels_add(channels, &finish_table, 0, "lines");
    }
    for (size_t i = 0; i < model->n_robots; i++) {
        add_robot(channels, (int)i);
    }
    if (channels->out_of_memory) {
        dpl_world_channels_destroy(channels);
        return -ENOMEM;
    }
    *ret_channels = channels;
    return 0;
}

void dpl_world_channels_destroy(struct dpl_world_channels *channels)
{
    if (channels) {
        dpl_arena_finish(&channels->arena);
        free(channels->descs);
        free(channels->channels);
        free(channels);
    }
}

/* ---- using ---- */

const struct dpl_channel_desc *
dpl_world_channels_describe(const struct dpl_world_channels *channels, size_t *ret_n)
{
    *ret_n = channels->n;
    return channels->descs;
}

int dpl_world_channels_find(const struct dpl_world_channels *channels,
                            const struct dpl_channel_want *want, struct dpl_diag *reterr)
{
    return dpl_channel_find(channels->descs, channels->n, want, reterr);
}

const struct dpl_channel_row *dpl__channels_row(const struct dpl_world_channels *channels,
                                                size_t channel, int *ret_id)
{
    *ret_id = channels->channels[channel].id;
    return channels->channels[channel].row;
}

int dpl_world_channels_put(const struct dpl_world_channels *channels, size_t channel,
                           const void *value)
{
    struct channel *at = &channels->channels[channel];
    int err = at->row->put(channels->world, at->id, value);
    if (at->kept && err == 0) {
        memcpy(at->kept, value, dpl_channel_bytes(&channels->descs[channel]));
        at->kept_at = dpl_world_now(channels->world);
    }
    return err;
}

void dpl_world_channels_release(const struct dpl_world_channels *channels, size_t channel)
{
    struct channel *at = &channels->channels[channel];
    at->kept_at = NOT_KEPT;
    if (at->row->release) {
        at->row->release(channels->world, at->id);
    }
}

void dpl_world_channels_share(struct dpl_world_channels *channels, size_t channel, bool on)
{
    struct channel *at = &channels->channels[channel];
    at->n_wanted = on ? at->n_wanted + 1 : at->n_wanted - 1;
    bool wanted = at->n_wanted > 0;
    dpl_world_channels_put(channels, channel, &wanted);
}

void dpl_world_channels_overrule(struct dpl_world_channels *channels, size_t channel, double value)
{
    channels->channels[channel].overruled = value;
}

double dpl_world_channels_overruled(const struct dpl_world_channels *channels, size_t channel)
{
    return channels->channels[channel].overruled;
}

void dpl_world_channels_restored(const struct dpl_world_channels *channels)
{
    for (size_t i = 0; i < channels->n; i++) {
        const struct channel *at = &channels->channels[i];
        bool wanted = at->n_wanted > 0;
        if (channels->descs[i].dir == DPL_CHANNEL_SHARED) {
            dpl_world_channels_put(channels, i, &wanted);
        } else if (channels->descs[i].dir == DPL_CHANNEL_IN) {
            dpl_world_channels_release(channels, i);
        }
    }
}

static int copy_kept(const struct dpl_world_channels *channels, size_t channel, void *ret_value)
{
    memcpy(ret_value, channels->channels[channel].kept,
           dpl_channel_bytes(&channels->descs[channel]));
    return 0;
}

int dpl_world_channels_get(const struct dpl_world_channels *channels, size_t channel,
                           void *ret_value, dpl_ns *ret_stamp)
{
    const struct channel *at = &channels->channels[channel];
    if (at->row->put) {
        *ret_stamp = at->kept_at;
        return at->kept && at->kept_at != NOT_KEPT ? copy_kept(channels, channel, ret_value)
                                                   : -EAGAIN;
    }
    dpl_ns stamp = dpl_world_now(channels->world);
    int err = at->row->get(channels->world, at->id, ret_value, &stamp);
    *ret_stamp = stamp;
    return err;
}
