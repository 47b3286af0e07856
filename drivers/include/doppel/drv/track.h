/* SPDX-License-Identifier: Apache-2.0 */
/* Device class track: the walls between which a car drives, its start and its finish. One thread at
 * a time makes the calls (the runtime ensures it); each returns at once. 0, or -ENODEV while the
 * device is lost. */
#ifndef DOPPEL_DRV_TRACK_H
#define DOPPEL_DRV_TRACK_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/device.h>
#include <doppel/math/geometry.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_TRACK_CLASS     "track"
#define DPL_TRACK_WALLS_MAX 512

extern const struct dpl_device_class dpl_track_class;

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

enum dpl_track_call {
    DPL_DRV_TRACK_GET,       /* the whole track; it does not change while the device is open */
    DPL_DRV_TRACK_PLACE_CAR, /* displays the car; no effect if the driver has no world */
    DPL_DRV_TRACK_N_CALLS,
};

static inline int dpl_track_get(struct dpl_device *d, struct dpl_track *ret_track)
{
    return dpl_device_call(d, DPL_DRV_TRACK_GET, NULL, ret_track);
}

/* `pose`: in the world's frame. */
static inline int dpl_track_place_car(struct dpl_device *d, const struct dpl_pose2 *pose)
{
    return dpl_device_call(d, DPL_DRV_TRACK_PLACE_CAR, pose, NULL);
}

#ifdef __cplusplus
}
#endif

#endif
