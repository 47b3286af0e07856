/* SPDX-License-Identifier: Apache-2.0 */
/* What a driver may ask the runtime for: the run's time, a seed, shared memory, streams, links. */
#include <errno.h>
#include <string.h>

#include <doppel/math/hash.h>

#include "absent.h"
#include "device.h"
#include "runtime.h"
#include "stream.h"

static struct dpl_runtime *runtime_of(const struct dpl_device *device)
{
    const struct dpl__device *self = device->runtime;
    return self->runtime;
}

dpl_ns dpl_device_now(const struct dpl_device *device)
{
    return dpl__runtime_now(runtime_of(device));
}

bool dpl_device_clock_is_simulated(const struct dpl_device *device)
{
    return runtime_of(device)->options.simulated;
}

uint64_t dpl_device_seed(const struct dpl_device *device)
{
    /* Includes the name, so that the two sides of a HIL driver get different noise. */
    return dpl_hash_more(DPL_HASH_NONE ^ runtime_of(device)->options.seed, device->name,
                         strlen(device->name));
}

struct dpl__share {
    struct dpl__share *next;
    const char *key;
    size_t size;
    void *block;
};

void *dpl_device_share(struct dpl_device *device, const char *key, size_t size)
{
    struct dpl_runtime *runtime = runtime_of(device);
    for (struct dpl__share *share = runtime->shares; share; share = share->next) {
        if (strcmp(share->key, key) == 0) {
            return share->size == size ? share->block : NULL;
        }
    }
    struct dpl__share *share = dpl_arena_alloc(&runtime->arena, sizeof *share);
    share->key = dpl_arena_strdup(&runtime->arena, key);
    share->size = size;
    share->block = dpl_arena_alloc(&runtime->arena, size > 0 ? size : 1);
    share->next = runtime->shares;
    runtime->shares = share;
    return share->block;
}

int dpl_device_open_stream(struct dpl_device *device, const struct dpl_stream_config *config,
                           struct dpl_stream **ret_stream, struct dpl_diag *reterr)
{
    struct dpl_runtime *runtime = runtime_of(device);
    int r = dpl__stream_open(runtime, device->name, config, ret_stream, reterr);
    return r < 0 && dpl__is_absent(r) ? dpl__absence(runtime, reterr) : r;
}

/* Whether it stands beside a first one: what a side simulates beside the robot is an avatar. */
static bool is_copy(const struct dpl__device *device)
{
    while (device->parent && device->model == &device->parent->model->sides[0]) {
        device = device->parent;
    }
    return device->parent != NULL;
}

int dpl_device_open_link(struct dpl_device *device, const struct dpl_link_config *config,
                         struct dpl_link **ret_link, struct dpl_diag *reterr)
{
    const struct dpl_world_host *world = &runtime_of(device)->options.world;
    if (!world->ops) {
        return dpl_fail(reterr, -ENOTSUP, config->place,
                        "robot '%s' needs an avatar world, and this program was started without "
                        "any",
                        config->part ? config->part : "");
    }
    struct dpl_link_config known = *config;
    known.is_copy = is_copy(device->runtime);
    return world->ops->open_link(world->self, &known, device, ret_link, reterr);
}
