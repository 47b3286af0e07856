/* A world with the part under test. usage: test_law WORLD */
#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>
#include <doppel/sim/world.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../template_name.h"

static struct dpl_sim_model *model;
static struct dpl_world *world;
static struct dpl_world_channels *channels;

static void check(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "FAILED: %s\n", what);
        exit(1);
    }
}

static void open_world(const char *file, const struct dpl_sim_load_options *options)
{
    struct dpl_diag diag = {.text = ""};
    bool opened = dpl_sim_load_world_with(file, options, &model, &diag) == 0 &&
                  dpl_world_create(model, &world, &diag) == 0 &&
                  dpl_world_channels_create(world, &channels) == 0;
    check(opened, diag.text);
}

static void close_world(void)
{
    dpl_world_channels_destroy(channels);
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
}

static size_t channel_of(const char *path)
{
    size_t n;
    const struct dpl_channel_desc *all = dpl_world_channels_describe(channels, &n);
    for (size_t i = 0; i < n; i++) {
        if (dpl_name_equal(all[i].path, path)) {
            return i;
        }
    }
    check(false, path);
    return 0;
}

/* NAN: there is no value yet. */
static double value_of(const char *path)
{
    double value;
    dpl_ns stamp;
    int err = dpl_world_channels_get(channels, channel_of(path), &value, &stamp);
    return err < 0 ? (double)NAN : value;
}
