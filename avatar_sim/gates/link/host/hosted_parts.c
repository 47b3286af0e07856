/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a hosted world: which there are, and which one is meant. */
#include "hosted_world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The number of the part whose name is the first `n` characters of `path`, or -1. */
static int part_of(const struct hosted_world *world, const char *path, size_t n)
{
    for (size_t i = 0; i < world->n_parts; i++) {
        const char *name = world->parts[i].name;
        if (strncmp(name, path, n) == 0 && name[n] == '\0') {
            return (int)i;
        }
    }
    return -1;
}

static int add_part(struct hosted_world *world, const char *path, size_t n)
{
    struct hosted_part *parts = realloc(world->parts, (world->n_parts + 1) * sizeof *parts);
    if (!parts) {
        return -ENOMEM;
    }
    world->parts = parts;
    struct hosted_part *part = &parts[world->n_parts];
    *part = (struct hosted_part){.name = strndup(path, n)};
    world->n_parts += part->name != NULL;
    return part->name ? 0 : -ENOMEM;
}

/* A name that has nothing but constants under it is no part. */
int hosted_world_make_parts(struct hosted_world *world)
{
    size_t n;
    const struct dpl_channel_desc *descs = dpl_world_channels_describe(world->channels, &n);
    world->commanders = calloc(n + 1, sizeof *world->commanders);
    int err = world->commanders ? 0 : -ENOMEM;
    for (size_t i = 0; i < n && err == 0; i++) {
        size_t length = dpl_channel_part(descs[i].path);
        bool moves = descs[i].dir != DPL_CHANNEL_CONSTANT;
        if (moves && length > 0 && part_of(world, descs[i].path, length) < 0) {
            err = add_part(world, descs[i].path, length);
        }
    }
    return err;
}

void hosted_world_free_parts(struct hosted_world *world)
{
    for (size_t i = 0; i < world->n_parts; i++) {
        free(world->parts[i].name);
    }
    free(world->parts);
    free(world->commanders);
}

int hosted_world_part(const struct hosted_world *world, const char *path)
{
    return part_of(world, path, dpl_channel_part(path));
}

static atomic_int *users_of(struct hosted_world *world, int part)
{
    return part >= 0 && (size_t)part < world->n_parts ? &world->parts[part].users : NULL;
}

bool hosted_part_join(struct hosted_world *world, int part)
{
    atomic_int *users = users_of(world, part);
    int n = users ? atomic_load(users) : 0;
    while (users && n != HOSTED_SERVED) {
        if (atomic_compare_exchange_weak(users, &n, n + 1)) {
            return true;
        }
    }
    return !users;
}

void hosted_part_leave(struct hosted_world *world, int part)
{
    atomic_int *users = users_of(world, part);
    if (users) {
        atomic_fetch_sub(users, 1);
    }
}

bool hosted_part_serve(struct hosted_world *world, int part)
{
    atomic_int *users = users_of(world, part);
    int n = 0;
    return !users || atomic_compare_exchange_strong(users, &n, HOSTED_SERVED) || n == HOSTED_SERVED;
}

void hosted_part_unserve(struct hosted_world *world, int part)
{
    atomic_int *users = users_of(world, part);
    int n = HOSTED_SERVED;
    if (users) {
        atomic_compare_exchange_strong(users, &n, 0);
    }
}

/* ---- single channels ---- */

/* An entry is the kind plus this for each one of it. */
#define ONE_MORE  16u
#define KIND_MASK (ONE_MORE - 1u)

/* NULL: it needs no owner. */
static atomic_uint *commanders_of(struct hosted_world *world, size_t channel)
{
    size_t n;
    const struct dpl_channel_desc *descs = dpl_world_channels_describe(world->channels, &n);
    return channel < n && dpl_channel_is_owned(descs[channel].dir) ? &world->commanders[channel]
                                                                   : NULL;
}

enum hosted_commander hosted_channel_join(struct hosted_world *world, size_t channel,
                                          enum hosted_commander kind)
{
    atomic_uint *commanders = commanders_of(world, channel);
    unsigned now = commanders ? atomic_load(commanders) : 0;
    while (commanders && (now == 0 || (now & KIND_MASK) == (unsigned)kind)) {
        unsigned more = (now == 0 ? (unsigned)kind : now) + ONE_MORE;
        if (atomic_compare_exchange_weak(commanders, &now, more)) {
            return HOSTED_NOBODY;
        }
    }
    return commanders ? (enum hosted_commander)(now & KIND_MASK) : HOSTED_NOBODY;
}

void hosted_channel_leave(struct hosted_world *world, size_t channel, enum hosted_commander kind)
{
    atomic_uint *commanders = commanders_of(world, channel);
    unsigned now = commanders ? atomic_load(commanders) : 0;
    while (now >= ONE_MORE && (now & KIND_MASK) == (unsigned)kind) {
        unsigned less = now < 2 * ONE_MORE ? 0 : now - ONE_MORE;
        if (atomic_compare_exchange_weak(commanders, &now, less)) {
            return;
        }
    }
}

enum hosted_commander hosted_channel_commander(const struct hosted_world *world, size_t channel)
{
    return (enum hosted_commander)(atomic_load(&world->commanders[channel]) & KIND_MASK);
}

const char *hosted_commander_name(enum hosted_commander kind)
{
    switch (kind) {
    case HOSTED_LINK: return "a driver over the link";
    case HOSTED_CONTROLLER: return "a controller";
    case HOSTED_MODBUS: return "a Modbus master";
    case HOSTED_DEVICE: return "a device of this run";
    case HOSTED_HANDS: return "a viewer (/run/hands has what, /world/put lets go)";
    case HOSTED_NOBODY: return "nobody";
    case HOSTED_GATE: break;
    }
    return "a gate";
}

/* ---- looking for one ---- */

static void list_parts(const struct hosted_world *world, char *text, size_t size)
{
    size_t at = 0;
    snprintf(text, size, "none");
    for (size_t i = 0; i < world->n_parts && at < size; i++) {
        int n = snprintf(text + at, size - at, "%s%s", i ? ", " : "", world->parts[i].name);
        at += n > 0 ? (size_t)n : 0;
    }
}

int hosted_world_find_part(const struct hosted_world *world, const struct dpl_link_config *config,
                           const char **ret_name, struct dpl_diag *reterr)
{
    *ret_name = "";
    if (!config->part || config->part[0] == '\0') {
        return 0;
    }
    for (size_t i = 0; i < world->n_parts; i++) {
        if (dpl_name_equal(world->parts[i].name, config->part)) {
            *ret_name = world->parts[i].name;
            return 0;
        }
    }
    char names[256];
    list_parts(world, names, sizeof names);
    return dpl_fail(reterr, -ENOENT, config->place, "world '%s' has no robot '%s'; it has: %s",
                    world->file, config->part, names);
}
