/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/drv/floor_plan.h>

static const struct dpl_field plan[] = {
    DPL_EXPORT_INT(struct dpl_floor_plan, n_outlines, "n_outlines", NULL, 0,
                   "how many segments and circles there are"),
    DPL_EXPORT_INT(struct dpl_floor_plan, n_objects, "n_objects", NULL, 0,
                   "how many objects they belong to"),
    DPL_EXPORT_NUMBER(struct dpl_floor_plan, height_m, "height", "m", 0, "of the outlines"),
    DPL_EXPORT_BOOL(struct dpl_floor_plan, has_mount, "has_mount", 0, "the laser is known"),
    DPL_EXPORT_NUMBER(struct dpl_floor_plan, mount.x, "mount_x", "m", 0, "of the laser"),
    DPL_EXPORT_NUMBER(struct dpl_floor_plan, mount.y, "mount_y", "m", 0, "of the laser"),
    DPL_EXPORT_NUMBER(struct dpl_floor_plan, mount.theta, "mount_yaw", "rad", 0, "of the laser"),
};

static const struct dpl_call calls[DPL_DRV_FLOOR_PLAN_N_CALLS] = {
    [DPL_DRV_FLOOR_PLAN_GET] =
        DPL_CALL(READING, "get", "the whole plan", DPL_CALL_OUT(struct dpl_floor_plan, plan)),
};

const struct dpl_device_class dpl_floor_plan_class = {
    .name = DPL_FLOOR_PLAN_CLASS,
    .summary = "what stands still around a robot, as outlines at the height of its laser",
    .calls = calls,
    .n_calls = DPL_COUNT(calls),
};
