/* SPDX-License-Identifier: Apache-2.0 */
/* What a look-ahead needs before the world moves: channels, footprints, shared memory; and what
 * requests may ask for. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <doppel/sim/model.h>

#include "ahead_parts.h"

/* For what a world has to remember in addition while it runs. Memory only when it is used. */
#define ROOM_FACTOR 4
#define ROOM_BYTES  ((size_t)16 << 20)

/* ---- channels ---- */

static int check_size(const struct dpl_channel_desc *desc, size_t most, const char *path,
                      const struct dpl_place *place, struct dpl_diag *reterr)
{
    if (desc->type != &dpl_channel_block && desc->size <= most) {
        return 0;
    }
    return dpl_fail(reterr, -EINVAL, *place,
                    "channel '%s' is too large for a look-ahead: %u elements, at most %zu", path,
                    desc->size, most);
}

static int find_channel(const struct dpl_sim_ahead *ahead, const struct dpl_channel_want *want,
                        size_t most, struct ahead_channel *ret_channel, struct dpl_diag *reterr)
{
    size_t n;
    int number = dpl_world_channels_find(ahead->channels, want, reterr);
    if (number < 0) {
        return number;
    }
    ret_channel->number = (size_t)number;
    ret_channel->desc = &dpl_world_channels_describe(ahead->channels, &n)[number];
    return check_size(ret_channel->desc, most, want->path, &want->place, reterr);
}

static int find_channels(struct dpl_sim_ahead *ahead, const struct dpl_ahead_setup *setup,
                         struct dpl_diag *reterr)
{
    if (setup->n_puts > DPL_AHEAD_CHANNELS_MAX || setup->n_reads > DPL_AHEAD_CHANNELS_MAX) {
        return dpl_fail(reterr, -EINVAL, setup->place,
                        "a look-ahead has at most %d channels to put and to read",
                        DPL_AHEAD_CHANNELS_MAX);
    }
    int err = 0;
    for (; ahead->n_puts < setup->n_puts && err == 0; ahead->n_puts++) {
        struct dpl_channel_want want = {
            .path = setup->puts[ahead->n_puts], .put = true, .place = setup->place};
        err = find_channel(ahead, &want, DPL_AHEAD_VALUE_MAX, &ahead->puts[ahead->n_puts], reterr);
    }
    for (; ahead->n_reads < setup->n_reads && err == 0; ahead->n_reads++) {
        struct dpl_channel_want want = {.path = setup->reads[ahead->n_reads],
                                        .place = setup->place};
        err = find_channel(ahead, &want, DPL_AHEAD_ELEMENTS_MAX - ahead->n_elements,
                           &ahead->reads[ahead->n_reads], reterr);
        ahead->n_elements += err == 0 ? ahead->reads[ahead->n_reads].desc->size : 0;
    }
    return err;
}

/* ---- the robot ---- */

static int find_robot(struct dpl_sim_ahead *ahead, const struct dpl_ahead_setup *setup,
                      struct dpl_diag *reterr)
{
    ahead->robot = -1;
    if (!setup->robot || setup->robot[0] == '\0') {
        return 0;
    }
    ahead->robot = dpl_world_find_robot(ahead->world, setup->robot);
    return ahead->robot < 0 ? dpl_fail(reterr, -ENOENT, setup->place,
                                       "world '%s' has no robot '%s' to look ahead for",
                                       dpl_world_model(ahead->world)->name, setup->robot)
                            : 0;
}

static int take_footprints(struct dpl_sim_ahead *ahead)
{
    const struct dpl_sim_model *model = dpl_world_model(ahead->world);
    const struct dpl_sim_robot *robot = ahead->robot < 0 ? NULL : &model->robots[ahead->robot];
    ahead->n_shapes = robot ? robot->n_shapes : 0;
    ahead->robots = calloc(ahead->n_shapes + 1, sizeof *ahead->robots);
    ahead->standing = calloc(model->n_obstacles + 1, sizeof *ahead->standing);
    if (!ahead->robots || !ahead->standing) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < ahead->n_shapes; i++) {
        ahead->robots[i] = dpl__footprint_of(&robot->shapes[i]);
    }
    for (size_t i = 0; i < model->n_obstacles; i++) {
        ahead->standing[i] = dpl__footprint_of(&model->obstacles[i].shape);
    }
    return 0;
}

/* ---- memory ---- */

static int share_memory(struct dpl_sim_ahead *ahead)
{
    ahead->capacity = ROOM_FACTOR * dpl_world_snapshot_size(ahead->world) + ROOM_BYTES;
    ahead->mapped = sizeof *ahead->shared + ahead->capacity;
    void *memory = mmap(NULL, ahead->mapped, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return -ENOMEM;
    }
    ahead->shared = memory;
    return sem_init(&ahead->shared->wake, 1, 0) < 0 || sem_init(&ahead->shared->done, 1, 0) < 0
               ? -errno
               : 0;
}

int dpl_sim_ahead_create(struct dpl_world *world, struct dpl_world_channels *channels,
                         const struct dpl_ahead_setup *setup, struct dpl_sim_ahead **ret_ahead,
                         struct dpl_diag *reterr)
{
    struct dpl_sim_ahead *ahead = calloc(1, sizeof *ahead);
    if (!ahead) {
        return -ENOMEM;
    }
    ahead_begin(ahead);
    ahead->world = world;
    ahead->channels = channels;
    ahead->delay = setup->delay;
    int err = find_robot(ahead, setup, reterr);
    err = err < 0 ? err : find_channels(ahead, setup, reterr);
    err = err < 0 ? err : take_footprints(ahead);
    err = err < 0 ? err : share_memory(ahead);
    if (err < 0) {
        dpl_sim_ahead_destroy(ahead);
        return err == -ENOMEM ? dpl_fail(reterr, err, setup->place, "no memory for a look-ahead")
                              : err;
    }
    *ret_ahead = ahead;
    return 0;
}

void ahead_free(struct dpl_sim_ahead *ahead)
{
    if (ahead->shared) {
        munmap(ahead->shared, ahead->mapped);
    }
    free(ahead->robots);
    free(ahead->standing);
    free(ahead);
}

/* ---- requests ---- */

static bool is_sound_rollout(const struct dpl_sim_ahead *ahead,
                             const struct dpl_ahead_rollout *rollout, dpl_ns sample)
{
    return rollout->duration > 0 && rollout->duration <= DPL_AHEAD_DURATION_MAX &&
           (sample == 0 || rollout->duration / sample < DPL_AHEAD_SAMPLES_MAX - 1) &&
           (rollout->start == DPL_AHEAD_HERE ||
            (ahead->robot >= 0 && dpl_pose2_is_finite(rollout->pose)));
}

static bool is_sound_put(const struct dpl_sim_ahead *ahead, const struct dpl_ahead_request *request,
                         const struct dpl_ahead_put *put)
{
    if (put->rollout >= request->n_rollouts || put->channel >= ahead->n_puts || put->at < 0) {
        return false;
    }
    for (uint32_t i = 0; i < ahead->puts[put->channel].desc->size; i++) {
        if (!isfinite(put->value[i])) {
            return false;
        }
    }
    return true;
}

int ahead_check(const struct dpl_sim_ahead *ahead, const struct dpl_ahead_request *request)
{
    bool sound = request->n_rollouts > 0 && request->n_rollouts <= DPL_AHEAD_ROLLOUTS_MAX &&
                 request->n_puts <= DPL_AHEAD_PUTS_MAX && request->sample >= 0;
    for (size_t i = 0; sound && i < request->n_rollouts; i++) {
        sound = is_sound_rollout(ahead, &request->rollouts[i], request->sample);
    }
    for (size_t i = 0; sound && i < request->n_puts; i++) {
        sound = is_sound_put(ahead, request, &request->puts[i]);
    }
    return sound ? 0 : -EINVAL;
}
