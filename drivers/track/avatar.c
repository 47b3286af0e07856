/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator driver of tracks: the course of an avatar world, at the height of the car's
 * sensors, and a robot of that world that stands where the car is, for its lasers and for viewers.
 */
#include <errno.h>
#include <string.h>

#include <doppel/drv/track.h>
#include <doppel/plugin.h>

_Static_assert(DPL_TRACK_WALLS_MAX >= DPL_LINK_WALLS_MAX, "a link's course fits into a track");

struct properties {
    char world[512];
    char robot[48];
    double height_m;
};

struct state {
    struct dpl_link *link;
    struct dpl_track track;
};

static void take_course(struct dpl_track *track, const struct dpl_link_course *course)
{
    track->n_walls = course->n_walls;
    for (size_t i = 0; i < course->n_walls; i++) {
        const struct dpl_link_segment *wall = &course->walls[i];
        track->walls[i] = (struct dpl_track_segment){wall->x1, wall->y1, wall->x2, wall->y2};
    }
    const struct dpl_link_segment *finish = &course->finish;
    track->has_finish = course->has_finish;
    track->finish = (struct dpl_track_segment){finish->x1, finish->y1, finish->x2, finish->y2};
    track->has_start = true;
    track->start = course->start;
}

static void avatar_close(struct dpl_device *device)
{
    struct state *state = device->state;
    if (state->link) {
        state->link->ops->close(state->link);
        state->link = NULL;
    }
}

static int avatar_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    struct dpl_link_config config = {.world = props->world, .robot = props->robot};
    int err = dpl_device_open_link(device, &config, &state->link, reterr);
    if (err < 0) {
        return err;
    }
    struct dpl_link_course course;
    err = state->link->ops->get_course(state->link, props->height_m, &course, reterr);
    if (err < 0) {
        avatar_close(device);
        return err;
    }
    take_course(&state->track, &course);
    return 0;
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
    struct state *state = device->state;
    state->link->ops->set_pose(state->link, in);
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_TRACK_N_CALLS] = {
    [DPL_DRV_TRACK_GET] = get,
    [DPL_DRV_TRACK_PLACE_CAR] = place_car,
};

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, world, "World", "",
             "file of the track's world; empty: the application's"),
    DPL_TEXT(struct properties, robot, "Robot", "car", "name of the car in the world"),
    DPL_NUMBER(struct properties, height_m, "Height", "m", "0.05", 0.001, 10,
               "of the car's sensors above the ground: walls are what they see there"),
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
