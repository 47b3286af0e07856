/* SPDX-License-Identifier: Apache-2.0 */
/* Device class floor_plan: what stands still around a robot, as outlines at the height of its laser
 * (docs/design/worlds.md). One thread at a time makes the calls (the runtime ensures it). */
#ifndef DOPPEL_DRV_FLOOR_PLAN_H
#define DOPPEL_DRV_FLOOR_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/device.h>
#include <doppel/math/geometry.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_FLOOR_PLAN_CLASS "floor_plan"

extern const struct dpl_device_class dpl_floor_plan_class;

/* A segment from (x, y) to (x + dx, y + dy), or, with radius > 0, a circle around (x, y), in m, in
 * the plan's frame. `object`: the number of its object. */
struct dpl_floor_plan_outline {
    double x, y, dx, dy, radius;
    int object;
};

/* The arrays are borrowed, and do not change while the device is open. */
struct dpl_floor_plan {
    const struct dpl_floor_plan_outline *outlines; /* [n_outlines] */
    size_t n_outlines;
    const char *const *names; /* [n_objects] for messages; two objects may have the same name */
    size_t n_objects;
    double height_m;        /* of the outlines above the ground */
    bool has_mount;         /* `mount` is known */
    struct dpl_pose2 mount; /* nominal, of that laser in the robot's frame */
};

enum dpl_floor_plan_call {
    DPL_DRV_FLOOR_PLAN_GET,
    DPL_DRV_FLOOR_PLAN_N_CALLS,
};

/* The plan. 0; -EAGAIN: a served world has not answered yet; -ENODEV: it has, and has no plan for
 * this robot (the device is lost with the reason). Returns at once; allocates once, with the first
 * answer of a served world. */
static inline int dpl_floor_plan_get(struct dpl_device *d, struct dpl_floor_plan *ret_plan)
{
    return dpl_device_call(d, DPL_DRV_FLOOR_PLAN_GET, NULL, ret_plan);
}

#ifdef __cplusplus
}
#endif

#endif
