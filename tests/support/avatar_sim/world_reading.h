/* SPDX-License-Identifier: Apache-2.0 */
/* A world that a test reads, the findings about it, and its channels. One for each process; a suite
 * ends with reading_end. */
#ifndef DOPPEL_TEST_WORLD_READING_H
#define DOPPEL_TEST_WORLD_READING_H

#include <math.h>

#include <criterion/criterion.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>
#include <doppel/sim/world.h>

#include "reading.h"

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

/* The world of the model, and its channels. */
static inline void reading_make(void)
{
    struct dpl_diag diag = {0};
    cr_assert_eq(dpl_world_create(model, &world, &diag), 0, "%s", diag.text);
    cr_assert_eq(dpl_world_channels_create(world, &channels), 0);
}

static inline size_t channel_of(const char *path, bool put)
{
    struct dpl_channel_want want = {.path = path, .put = put};
    struct dpl_diag diag;
    int found = dpl_world_channels_find(channels, &want, &diag);
    cr_assert_geq(found, 0, "%s", diag.text);
    return (size_t)found;
}

/* 0, or the error of a channel that has no value. */
static inline int get(const char *path, void *ret_value, dpl_ns *ret_stamp)
{
    dpl_ns stamp;
    return dpl_world_channels_get(channels, channel_of(path, false), ret_value,
                                  ret_stamp ? ret_stamp : &stamp);
}

static inline double number(const char *path)
{
    double value = (double)NAN;
    cr_assert_eq(get(path, &value, NULL), 0, "%s", path);
    return value;
}

static inline void put(const char *path, double value)
{
    cr_assert_eq(dpl_world_channels_put(channels, channel_of(path, true), &value), 0);
}

#endif
