/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/drv/track.h>

static const struct dpl_field track[] = {
    DPL_EXPORT_INT(struct dpl_track, n_walls, "n_walls", NULL, 0, "how many of walls there are"),
    DPL_EXPORT_NUMBER(struct dpl_track, walls, "walls", "m", 0, "x1 y1 x2 y2 of each"),
    DPL_EXPORT_BOOL(struct dpl_track, has_finish, "has_finish", 0, "there is a finish line"),
    DPL_EXPORT_NUMBER(struct dpl_track, finish, "finish", "m", 0, "x1 y1 x2 y2; ends the race"),
    DPL_EXPORT_BOOL(struct dpl_track, has_start, "has_start", 0, "there is a start"),
    DPL_EXPORT_NUMBER(struct dpl_track, start.x, "start_x", "m", 0, "where the car starts"),
    DPL_EXPORT_NUMBER(struct dpl_track, start.y, "start_y", "m", 0, "where the car starts"),
    DPL_EXPORT_NUMBER(struct dpl_track, start.theta, "start_theta", "rad", 0, "how it stands"),
};

static const struct dpl_field pose[] = {
    DPL_NUMBER(struct dpl_pose2, x, "x", "m", NULL, 0, 0, "in the world's frame"),
    DPL_NUMBER(struct dpl_pose2, y, "y", "m", NULL, 0, 0, "in the world's frame"),
    DPL_NUMBER(struct dpl_pose2, theta, "theta", "rad", NULL, 0, 0, "in the world's frame"),
};

static const struct dpl_call calls[DPL_DRV_TRACK_N_CALLS] = {
    [DPL_DRV_TRACK_GET] =
        DPL_CALL(READING, "get", "the whole track", DPL_CALL_OUT(struct dpl_track, track)),
    [DPL_DRV_TRACK_PLACE_CAR] = DPL_CALL(COMMAND, "place_car", "places the car at a pose",
                                         DPL_CALL_IN(struct dpl_pose2, pose), DPL_CALL_OR_NOTHING),
};

const struct dpl_device_class dpl_track_class = {
    .name = DPL_TRACK_CLASS,
    .summary = "the walls a car drives between",
    .calls = calls,
    .n_calls = DPL_COUNT(calls),
};
