/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator driver of tracks: the course of an avatar world, at the height of the car's
 * sensors, and a robot of that world that stands where the car is, for its lasers and for viewers.
 */
#include <errno.h>
#include <stdlib.h>

#include <doppel/drv/track.h>
#include <doppel/plugin.h>
#include <doppel/sim/outline.h>

#include "avatar_link.h"

struct properties {
    char world[512];
    char robot[48];
    double height_m;
};

struct state {
    struct avatar_link avatar;
    struct dpl_channel place;
    struct dpl_track track;
};

/* The value of a constant, which is NULL if it is empty; to be freed. */
static int read_constant(struct dpl_channel channel, double **ret_numbers)
{
    size_t bytes = dpl_channel_bytes(channel.desc);
    *ret_numbers = bytes > 0 ? malloc(bytes) : NULL;
    if (bytes > 0 && !*ret_numbers) {
        return -ENOMEM;
    }
    return bytes > 0 ? dpl_channel_get(channel, *ret_numbers, NULL) : 0;
}

static int read_walls(struct state *state, struct dpl_channel obstacles, double height_m,
                      struct dpl_diag *reterr)
{
    double *solids, pieces[DPL_TRACK_WALLS_MAX][4];
    int n = read_constant(obstacles, &solids);
    if (n == 0) {
        n = dpl_sim_outline((const double(*)[DPL_SIM_SOLID_NUMBERS])solids,
                            obstacles.desc->size / DPL_SIM_SOLID_NUMBERS, height_m, pieces,
                            DPL_TRACK_WALLS_MAX);
    }
    free(solids);
    if (n == -ENOSPC) {
        return dpl_fail(reterr, n, (struct dpl_place){0},
                        "the course has more than %d straight pieces", DPL_TRACK_WALLS_MAX);
    }
    if (n < 0) {
        return dpl_fail(reterr, n, (struct dpl_place){0},
                        "the world does not publish its obstacles");
    }
    state->track.n_walls = (size_t)n;
    for (int i = 0; i < n; i++) {
        state->track.walls[i] =
            (struct dpl_track_segment){pieces[i][0], pieces[i][1], pieces[i][2], pieces[i][3]};
    }
    return 0;
}

/* A world need not have a finish. */
static void read_finish(struct state *state)
{
    const struct avatar_want want = {NULL, "/lines/finish", &dpl_channel_vector,
                                     "m",  false,           &(struct dpl_channel){0}};
    double line[4];
    state->track.has_finish = avatar_link_find(state->avatar.link, &want, 1, NULL) == 0 &&
                              dpl_channel_get(*want.ret_channel, line, NULL) == 0;
    if (state->track.has_finish) {
        state->track.finish = (struct dpl_track_segment){line[0], line[1], line[2], line[3]};
    }
}

static int bind(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    struct dpl_channel obstacles, start;
    double at[3];
    const struct avatar_want wants[] = {
        {NULL, "/obstacles", &dpl_channel_vector, NULL, false, &obstacles},
        {NULL, "start", &dpl_channel_vector, NULL, false, &start},
        {NULL, "place", &dpl_channel_vector, NULL, true, &state->place},
    };
    int err = avatar_link_find(state->avatar.link, wants, DPL_COUNT(wants), reterr);
    err = err < 0 ? err : read_walls(state, obstacles, props->height_m, reterr);
    err = err < 0 ? err : dpl_channel_get(start, at, NULL);
    if (err < 0) {
        return err;
    }
    read_finish(state);
    state->track.has_start = true;
    state->track.start = (struct dpl_pose2){at[0], at[1], at[2]};
    return 0;
}

static void avatar_close(struct dpl_device *device)
{
    struct state *state = device->state;
    avatar_link_close(&state->avatar);
}

static int avatar_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    return avatar_link_open_now(device, &state->avatar, props->world, props->robot, bind, reterr);
}

static int get(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_track *ret_track = out;
    const struct state *state = device->state;
    *ret_track = state->track;
    return 0;
}

static int place_car(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pose2 *pose = in;
    struct state *state = device->state;
    dpl_channel_put(state->place, (const double[3]){pose->x, pose->y, pose->theta});
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_TRACK_N_CALLS] = {
    [DPL_DRV_TRACK_GET] = get,
    [DPL_DRV_TRACK_PLACE_CAR] = place_car,
};

static const struct dpl_field properties[] = {
    DPL_WORLD(struct properties, world, "World", "",
              "file of the track's world; empty: the application's"),
    DPL_TEXT(struct properties, robot, "Robot", "car", "name of the car in the world"),
    DPL_NUMBER(
        struct properties, height_m, "Height", "m", "0.05", 0.001, 10,
        "height of the car's sensors above the ground: walls are what they see at this height"),
};

static const struct dpl_driver driver = {
    .name = "avatar",
    .summary = "the course of an avatar world",
    .device_class = &dpl_track_class,
    .backend = DPL_BACKEND_SIMULATOR,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .state_size = sizeof(struct state),
    .open = avatar_open,
    .close = avatar_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
