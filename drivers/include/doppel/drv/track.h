/* SPDX-License-Identifier: Apache-2.0 */
/* Device class track: the walls a car drives between, where it starts and where it has won. Every
 * call is made by one thread at a time (the runtime serialises) and returns at once. 0, or -ENODEV
 * while the device is lost. */
#ifndef DOPPEL_DRV_TRACK_H
#define DOPPEL_DRV_TRACK_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include <doppel/device.h>
#include <doppel/math/geometry.h>

#define DPL_TRACK_CLASS     "track"
#define DPL_TRACK_WALLS_MAX 512

/* A straight piece of a wall or line from (x1, y1) to (x2, y2), metres. */
struct dpl_track_segment {
    double x1, y1, x2, y2;
};

struct dpl_track {
    size_t n_walls;
    struct dpl_track_segment walls[DPL_TRACK_WALLS_MAX];
    bool has_finish;
    struct dpl_track_segment finish; /* crossing it ends the race */
    bool has_start;
    struct dpl_pose2 start;
};

struct dpl_track_api {
    /* The whole track; it does not change while the device is open. */
    int (*get)(struct dpl_device *, struct dpl_track *ret_track);
    /* Shows the car at a pose in the world's frame. NULL: there is nothing to show it in. */
    int (*place_car)(struct dpl_device *, const struct dpl_pose2 *pose);
};

static inline const struct dpl_track_api *dpl_track_api(const struct dpl_device *d)
{
    return (const struct dpl_track_api *)d->driver->api;
}

static inline int dpl_track_get(struct dpl_device *d, struct dpl_track *ret_track)
{
    return dpl_track_api(d)->get(d, ret_track);
}

static inline int dpl_track_place_car(struct dpl_device *d, const struct dpl_pose2 *pose)
{
    if (!dpl_pose2_is_finite(*pose)) {
        return -EINVAL;
    }
    return dpl_track_api(d)->place_car ? dpl_track_api(d)->place_car(d, pose) : 0;
}

#endif
