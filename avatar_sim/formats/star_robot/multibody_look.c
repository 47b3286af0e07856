/* SPDX-License-Identifier: Apache-2.0 */
/* Bars between joints: see multibody_look.h. */
#include "star_robot.h"

#include <math.h>

#include <doppel/math/vector3.h>

/* Of a bar, but no more than that of a mean bar of the mechanism. */
#define THICKNESS 0.03
/* m: of a body without any extent. */
#define SMALL     0.03

static struct dpl_vector3 point_of(const double p[3])
{
    return (struct dpl_vector3){p[0], p[1], p[2]};
}

/* The places of all joints at the body. */
static size_t ends_of(const struct dpl_mb_graph *graph, int body, struct dpl_vector3 *ret_ends)
{
    size_t n = 0;
    for (size_t i = 0; i < graph->n_joints; i++) {
        for (int side = 0; side < 2 && !graph->joints[i].is_removed; side++) {
            const struct dpl_mb_frame *frame = &graph->frames[graph->joints[i].frames[side]];
            if (frame->body == body) {
                ret_ends[n++] = point_of(frame->in_body.position);
            }
        }
    }
    return n;
}

static struct dpl_vector3 middle_of(const struct dpl_vector3 *ends, size_t n)
{
    struct dpl_vector3 sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < n; i++) {
        sum = dpl_vector3_add(sum, ends[i]);
    }
    return dpl_vector3_times(sum, 1.0 / (double)n);
}

/* A capsule from a to b. */
static struct dpl_sim_solid bar(struct dpl_vector3 a, struct dpl_vector3 b, double radius)
{
    struct dpl_vector3 way = dpl_vector3_minus(b, a);
    double length = dpl_vector3_length(way), flat = hypot(way.x, way.y);
    double pitch = atan2(flat, way.z), yaw = atan2(way.y, way.x);
    return (struct dpl_sim_solid){
        .kind = length > 0.0 ? DPL_SOLID_CAPSULE : DPL_SOLID_SPHERE,
        .pose = {dpl_vector3_times(dpl_vector3_add(a, b), 0.5),
                 dpl_quaternion_from_rpy(0.0, pitch, yaw)},
        .radius = radius,
        .height = length,
    };
}

static double reach(struct dpl_vector3 from, const struct dpl_vector3 *ends, size_t n)
{
    double longest = 0.0;
    for (size_t i = 0; i < n; i++) {
        longest = fmax(longest, dpl_vector3_length(dpl_vector3_minus(ends[i], from)));
    }
    return longest;
}

/* The ends of a body's bars; where its joints are in one point, one more beyond its centre. */
static size_t bars_of(const struct dpl_mb_graph *graph, int body, struct dpl_vector3 *ret_ends,
                      struct dpl_vector3 *ret_middle)
{
    size_t n = ends_of(graph, body, ret_ends);
    struct dpl_vector3 centre = point_of(graph->bodies[body].centre);
    if (n == 0) {
        ret_ends[n++] = (struct dpl_vector3){0.0, 0.0, 0.0};
    }
    if (reach(ret_ends[0], ret_ends, n) == 0.0) {
        ret_ends[n++] = dpl_vector3_minus(dpl_vector3_times(centre, 2.0), ret_ends[0]);
    }
    *ret_middle = n == 2 ? ret_ends[0] : middle_of(ret_ends, n);
    return n;
}

double dpl__multibody_bar(const struct dpl_mb_graph *graph, struct dpl_vector3 *scratch)
{
    double sum = 0.0;
    size_t n_bars = 0;
    for (size_t i = 1; i < graph->n_bodies; i++) {
        struct dpl_vector3 middle = {0.0, 0.0, 0.0};
        size_t n = graph->bodies[i].is_removed ? 0 : bars_of(graph, (int)i, scratch, &middle);
        double longest = reach(middle, scratch, n);
        n_bars += longest > 0.0;
        sum += longest;
    }
    return n_bars > 0 ? sum / (double)n_bars : 0.0;
}

struct dpl_sim_solid *dpl__multibody_look(struct dpl_arena *arena, const struct dpl_mb_graph *graph,
                                          int body, double bar_length, struct dpl_vector3 *scratch,
                                          size_t *ret_n)
{
    struct dpl_vector3 middle;
    size_t n = bars_of(graph, body, scratch, &middle);
    double longest = reach(middle, scratch, n);
    double radius = longest > 0.0 ? THICKNESS * fmin(longest, bar_length) : SMALL;
    struct dpl_sim_solid *solids = dpl_arena_alloc(arena, n * sizeof *solids);
    *ret_n = 0;
    for (size_t i = n == 2 ? 1 : 0; i < n; i++) {
        solids[(*ret_n)++] = bar(middle, scratch[i], radius);
    }
    return solids;
}
