/* SPDX-License-Identifier: Apache-2.0 */
#include "plan.h"

#include <stdlib.h>

#include "localizer_parts.h"

#define NO DPL_RAYCAST_NO_OWNER

const struct dpl_raycast_outline plan_room[9] = {
    {0.0, 0.0, 6.0, 0.0, 0.0, NO},  {6.0, 0.0, 0.0, 4.0, 0.0, NO}, {6.0, 4.0, -6.0, 0.0, 0.0, NO},
    {0.0, 4.0, 0.0, -4.0, 0.0, NO}, {4.0, 2.5, 0.8, 0.0, 0.0, 0},  {4.8, 2.5, 0.0, 0.6, 0.0, 0},
    {4.8, 3.1, -0.8, 0.0, 0.0, 0},  {4.0, 3.1, 0.0, -0.6, 0.0, 0}, {1.2, 2.8, 0.0, 0.0, 0.2, 1},
};

const struct dpl_raycast_outline plan_corridor[2] = {
    {-50.0, -1.0, 100.0, 0.0, 0.0, NO},
    {50.0, 1.0, -100.0, 0.0, 0.0, NO},
};

/* Indices live as long as the test's process. */
static void *kept[64];
static size_t n_kept;

static void *zeroed(void *context, size_t n, size_t size)
{
    (void)context;
    return n_kept < sizeof kept / sizeof kept[0] ? kept[n_kept++] = calloc(n, size) : NULL;
}

const struct dpl_raycast_index *plan_index(const struct dpl_raycast_outline *outlines, size_t n)
{
    struct dpl_raycast_memory memory = {zeroed, NULL};
    return dpl_raycast_index_create(&memory, outlines, n, 0);
}

struct localizer_scan plan_scan(const struct dpl_raycast_index *plan, struct dpl_pose2 laser,
                                double stamp_s)
{
    static float ranges[PLAN_BEAMS];
    double step = dpl_deg_to_rad(240.0) / (PLAN_BEAMS - 1);
    for (int i = 0; i < PLAN_BEAMS; i++) {
        double angle = laser.theta + (i - PLAN_BEAMS / 2) * step;
        struct dpl_raycast_ray ray = {laser.x, laser.y, cos(angle), sin(angle), 5.6, NO};
        struct dpl_raycast_hit hit;
        dpl_raycast_ray(plan, &ray, &hit);
        ranges[i] = isfinite(hit.range) ? (float)hit.range : 0.0f;
    }
    return (struct localizer_scan){
        .stamp_s = stamp_s,
        .n = PLAN_BEAMS,
        .ranges = ranges,
        .start_angle = -(PLAN_BEAMS / 2) * step,
        .step_angle = step,
        .range_min = 0.02,
        .range_max = 5.6,
    };
}

struct localizer_config plan_room_config(struct dpl_pose2 start)
{
    struct localizer_config config;
    localizer_config_init(&config);
    config.outlines = plan_room;
    config.n_outlines = 9;
    config.n_objects = 2;
    config.axle_m = 0.25;
    config.start = start;
    return config;
}

struct loc_start plan_start(struct dpl_pose2 start)
{
    struct localizer_config config = plan_room_config(start);
    return localizer__start(&config);
}
