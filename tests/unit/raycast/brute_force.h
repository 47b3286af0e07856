/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of rays and scans share: memory, random outlines, and one beam at one outline. */
#ifndef TEST_RAYCAST_BRUTE_FORCE_H
#define TEST_RAYCAST_BRUTE_FORCE_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <doppel/math/random.h>

#include "raycast.h"

static const double forever = (double)INFINITY;

/* It goes with the process of the test; all blocks stay reachable. */
static inline void *test_zeroed(void *context, size_t n, size_t size)
{
    static void *blocks;
    void **block = calloc(1, 16 + n * size);
    (void)context;
    if (!block) {
        return NULL;
    }
    block[0] = blocks;
    blocks = block;
    return (char *)block + 16;
}

static const struct dpl_raycast_memory test_memory = {test_zeroed, NULL};

/* One outline, one beam: the arithmetic that the index promises. */
static inline double meet_segment(const struct dpl_raycast_outline *o, double x, double y, double c,
                                  double s)
{
    double wx = o->x - x, wy = o->y - y;
    double denominator = c * o->dy - s * o->dx;
    double along_segment = wx * s - wy * c, along_beam = wx * o->dy - wy * o->dx;
    if (denominator < 0.0) {
        denominator = -denominator;
        along_segment = -along_segment;
        along_beam = -along_beam;
    }
    bool hit = denominator > 0.0 && along_segment >= 0.0 && along_segment <= denominator &&
               along_beam >= 0.0;
    return hit ? along_beam / denominator : forever;
}

static inline double meet_circle(const struct dpl_raycast_outline *o, double x, double y, double c,
                                 double s)
{
    double wx = o->x - x, wy = o->y - y;
    double middle = wx * c + wy * s, aside = wx * s - wy * c;
    double half = sqrt(o->radius * o->radius - aside * aside); /* NaN: passes by */
    double distance = middle - half >= 0.0 ? middle - half : middle + half;
    return distance >= 0.0 ? distance : forever;
}

static inline double range_of_one(const struct dpl_raycast_outline *o, double x, double y, double c,
                                  double s)
{
    return o->radius > 0.0 ? meet_circle(o, x, y, c, s) : meet_segment(o, x, y, c, s);
}

/* Short and long segments, some along the axes, and circles of radii up to `radius`. */
static inline struct dpl_raycast_outline random_outline(struct dpl_random *rng, int i,
                                                        double extent, double radius)
{
    double length = i % 10 == 0 ? extent : 1.0;
    return (struct dpl_raycast_outline){
        .x = dpl_random_uniform(rng, -extent, extent),
        .y = dpl_random_uniform(rng, -extent, extent),
        .dx = i % 7 == 0 ? 0.0 : dpl_random_uniform(rng, -length, length),
        .dy = i % 11 == 0 ? 0.0 : dpl_random_uniform(rng, -length, length),
        .radius = i % 3 == 0 ? dpl_random_uniform(rng, 0.05, radius) : 0.0,
        .owner = DPL_RAYCAST_NO_OWNER,
    };
}

#endif
