/* SPDX-License-Identifier: Apache-2.0 */
/* A world that a test reads, the findings about it, and its channels. One for each process; a suite
 * ends with reading_end. */
#ifndef DOPPEL_TEST_WORLD_READING_H
#define DOPPEL_TEST_WORLD_READING_H

#include <math.h>

#include <criterion/criterion.h>
#include <doppel/diag.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>
#include <doppel/sim/world.h>

#include "arena.h"

static struct dpl_arena arena;
static struct dpl_diags diags;
static struct dpl_sim_model *model;
static struct dpl_world *world;
static struct dpl_world_channels *channels;

/* Another may be read then. */
static inline void reading_end(void)
{
    dpl_world_channels_destroy(channels);
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
    channels = NULL;
    world = NULL;
    model = NULL;
    diags = (struct dpl_diags){0};
    arena = (struct dpl_arena){0};
}

/* The text of the first finding; "": there is none. */
static inline const char *reading_first(void)
{
    return diags.n ? diags.items[0].text : "";
}

/* `err`: of reading the model, which must be without a finding. */
static inline void reading_is_good(int err)
{
    cr_assert_eq(err, 0, "%s", reading_first());
    cr_assert_eq(diags.n, 0, "%s", reading_first());
}

/* The world of the model, and its channels. */
static inline void reading_make(void)
{
    struct dpl_diag diag = {0};
    cr_assert_eq(dpl_world_create(model, &world, &diag), 0, "%s", diag.text);
    cr_assert_eq(dpl_world_channels_create(world, &channels), 0);
}

static inline size_t find(const char *path, bool put)
{
    struct dpl_channel_want want = {.path = path, .put = put};
    struct dpl_diag diag;
    int found = dpl_world_channels_find(channels, &want, &diag);
    cr_assert_geq(found, 0, "%s", diag.text);
    return (size_t)found;
}

static inline void get(const char *path, void *ret_value)
{
    dpl_ns stamp;
    cr_assert_eq(dpl_world_channels_get(channels, find(path, false), ret_value, &stamp), 0);
}

static inline double number(const char *path)
{
    double value = (double)NAN;
    get(path, &value);
    return value;
}

static inline void put(const char *path, double value)
{
    cr_assert_eq(dpl_world_channels_put(channels, find(path, true), &value), 0);
}

#endif
