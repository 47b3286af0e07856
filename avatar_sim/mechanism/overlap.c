/* SPDX-License-Identifier: Apache-2.0 */
/* Distances between solids: see overlap.h. */
#include "overlap.h"

#include <doppel/math/vector3.h>

#include "solid_field.h"

struct dpl__core dpl__core_of(const struct dpl_sim_solid *solid, const struct dpl_pose3 *body)
{
    struct dpl__core core = {.pose = dpl_pose3_compose(*body, solid->pose)};
    struct dpl_vector3 centre = {0};
    switch (solid->kind) {
    case DPL_SOLID_PLANE:
        core.is_plane = core.is_exact = true;
        core.reach = (double)INFINITY;
        return core;
    case DPL_SOLID_FIELD:
        core.field = &solid->field;
        core.reach = (double)INFINITY;
        return core;
    case DPL_SOLID_SPHERE:
    case DPL_SOLID_CAPSULE:
        core.half[2] = solid->kind == DPL_SOLID_CAPSULE ? 0.5 * solid->height : 0.0;
        core.round = solid->radius;
        core.is_exact = true;
        break;
    case DPL_SOLID_BOX:
    case DPL_SOLID_CYLINDER:
    case DPL_SOLID_HULL:
    case DPL_SOLID_MESH:
        dpl_sim_solid_box(solid, &centre, core.half);
        core.is_exact = solid->kind == DPL_SOLID_BOX;
        break;
    }
    core.pose.position =
        dpl_vector3_add(core.pose.position, dpl_quaternion_turn(core.pose.orientation, centre));
    core.reach = core.round + sqrt(core.half[0] * core.half[0] + core.half[1] * core.half[1] +
                                   core.half[2] * core.half[2]);
    return core;
}

static void axes_of(const struct dpl__core *core, struct dpl_vector3 ret[3])
{
    ret[0] = dpl_quaternion_turn(core->pose.orientation, (struct dpl_vector3){.x = 1.0});
    ret[1] = dpl_quaternion_turn(core->pose.orientation, (struct dpl_vector3){.y = 1.0});
    ret[2] = dpl_quaternion_turn(core->pose.orientation, (struct dpl_vector3){.z = 1.0});
}

/* Half the extent along a unit vector. */
static double extent(const struct dpl__core *core, struct dpl_vector3 along)
{
    struct dpl_vector3 axes[3];
    double sum = core->round;
    axes_of(core, axes);
    for (int i = 0; i < 3; i++) {
        sum += core->half[i] * fabs(dpl_vector3_dot(axes[i], along));
    }
    return sum;
}

static double gap_to_plane(const struct dpl__core *plane, const struct dpl__core *core)
{
    struct dpl_vector3 axes[3];
    axes_of(plane, axes);
    struct dpl_vector3 from = dpl_vector3_minus(core->pose.position, plane->pose.position);
    return dpl_vector3_dot(from, axes[2]) - extent(core, axes[2]);
}

/* Signed: negative inside of the box, the depth. A convex function of the point. */
static double point_to_box(struct dpl_vector3 point, const struct dpl__core *box)
{
    struct dpl_vector3 q = dpl_quaternion_turn(dpl_quaternion_conjugate(box->pose.orientation),
                                               dpl_vector3_minus(point, box->pose.position));
    const double d[3] = {fabs(q.x) - box->half[0], fabs(q.y) - box->half[1],
                         fabs(q.z) - box->half[2]};
    double inside = fmax(d[0], fmax(d[1], d[2]));
    if (inside <= 0.0) {
        return inside;
    }
    return sqrt(pow(fmax(d[0], 0.0), 2.0) + pow(fmax(d[1], 0.0), 2.0) + pow(fmax(d[2], 0.0), 2.0));
}

/* Of the axis of a capsule (a sphere's is a point): the least of a convex function, by ternary
 * search. */
static double segment_to_box(const struct dpl__core *segment, const struct dpl__core *box)
{
    struct dpl_vector3 axes[3];
    axes_of(segment, axes);
    double low = -segment->half[2], high = segment->half[2], least = (double)INFINITY;
    for (int i = 0; i < 100; i++) {
        double t[2] = {low + (high - low) / 3.0, high - (high - low) / 3.0}, d[2];
        for (int k = 0; k < 2; k++) {
            d[k] = point_to_box(
                dpl_vector3_add(segment->pose.position, dpl_vector3_times(axes[2], t[k])), box);
            least = fmin(least, d[k]);
        }
        low = d[0] > d[1] ? t[0] : low;
        high = d[0] > d[1] ? high : t[1];
    }
    return least;
}

/* Separating axes: those of both boxes and their cross products (Gottschalk 1996). */
static double box_to_box(const struct dpl__core *a, const struct dpl__core *b)
{
    struct dpl_vector3 axes[15], from = dpl_vector3_minus(b->pose.position, a->pose.position);
    double gap = -(double)INFINITY;
    axes_of(a, axes);
    axes_of(b, axes + 3);
    for (int i = 0; i < 9; i++) {
        axes[6 + i] = dpl_vector3_cross(axes[i / 3], axes[3 + i % 3]);
    }
    for (int i = 0; i < 15; i++) {
        double length = dpl_vector3_length(axes[i]);
        if (length < 1e-6) {
            continue; /* edges are parallel: the axes of the boxes tell enough */
        }
        struct dpl_vector3 along = dpl_vector3_times(axes[i], 1.0 / length);
        gap = fmax(gap, fabs(dpl_vector3_dot(from, along)) - extent(a, along) - extent(b, along));
    }
    return gap;
}

/* A lower bound: the lowest of the core over the highest of the field below it. */
static double gap_to_field(const struct dpl__core *field, const struct dpl__core *core)
{
    struct dpl_vector3 axes[3];
    axes_of(field, axes);
    struct dpl_vector3 from = dpl_vector3_minus(core->pose.position, field->pose.position);
    double low[2], high[2];
    for (int i = 0; i < 2; i++) {
        double middle = dpl_vector3_dot(from, axes[i]), half = extent(core, axes[i]);
        low[i] = middle - half;
        high[i] = middle + half;
    }
    return dpl_vector3_dot(from, axes[2]) - extent(core, axes[2]) -
           dpl__field_top(field->field, low, high);
}

double dpl__core_gap(const struct dpl__core *a, const struct dpl__core *b)
{
    if (a->field || b->field) {
        const struct dpl__core *field = a->field ? a : b, *other = a->field ? b : a;
        return other->is_plane || other->field ? (double)INFINITY : gap_to_field(field, other);
    }
    if (a->is_plane || b->is_plane) {
        return a->is_plane && b->is_plane ? (double)INFINITY
                                          : gap_to_plane(a->is_plane ? a : b, a->is_plane ? b : a);
    }
    double apart = dpl_vector3_length(dpl_vector3_minus(a->pose.position, b->pose.position)) -
                   a->reach - b->reach;
    if (apart > 0.1 * (a->reach + b->reach)) {
        return apart;
    }
    if (a->round > 0.0) {
        return segment_to_box(a, b) - a->round - b->round;
    }
    if (b->round > 0.0) {
        return segment_to_box(b, a) - b->round;
    }
    return box_to_box(a, b);
}
