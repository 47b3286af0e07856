/* SPDX-License-Identifier: Apache-2.0 */
/* Height fields: see solid_field.h. */
#include "solid_field.h"

#include <math.h>

#include <doppel/math/vector3.h>

/* A ray on its way over the squares. */
struct flight {
    const struct dpl_sim_field *field;
    struct dpl_vector3 from, along;
    struct dpl_vector3 *normal;
};

/* Tests both triangles of a square; true: the ray ends there. */
static bool meets_square(const struct flight *flight, unsigned column, unsigned row,
                         double *ret_distance)
{
    static const unsigned char corners[2][3][2] = {{{0, 0}, {1, 0}, {0, 1}},
                                                   {{1, 0}, {1, 1}, {0, 1}}};
    double nearest = (double)INFINITY;
    bool is_below = false;
    for (int i = 0; i < 2; i++) {
        struct dpl_vector3 p[3];
        bool outside = true;
        for (int k = 0; k < 3; k++) {
            p[k] = dpl_sim_field_point(flight->field, column + corners[i][k][0],
                                       row + corners[i][k][1]);
        }
        double t = dpl__triangle_ray(p, flight->from, flight->along, &outside);
        if (t < nearest) {
            nearest = t;
            is_below = !outside;
            if (flight->normal) {
                *flight->normal =
                    dpl_vector3_cross(dpl_vector3_minus(p[1], p[0]), dpl_vector3_minus(p[2], p[0]));
            }
        }
    }
    *ret_distance = is_below ? 0.0 : nearest;
    return nearest < (double)INFINITY;
}

/* Whether the heights of a square reach those of the ray over it, z[0] to z[1]. */
static bool may_meet(const struct dpl_sim_field *field, unsigned column, unsigned row,
                     const double z[2])
{
    const double *h = &field->heights[(size_t)row * field->columns + column];
    const double *next = h + field->columns;
    double slack = 1e-9 * (1.0 + fabs(z[0]) + fabs(z[1]));
    double low = fmin(fmin(h[0], h[1]), fmin(next[0], next[1]));
    double high = fmax(fmax(h[0], h[1]), fmax(next[0], next[1]));
    return fmin(z[0], z[1]) <= high + slack && fmax(z[0], z[1]) >= low - slack;
}

/* Where |from + along t| <= half, t at least inout[0] and at most inout[1]. */
static void clip(double from, double along, double half, double inout[2])
{
    if (along == 0.0) {
        inout[1] = fabs(from) <= half ? inout[1] : -1.0;
        return;
    }
    double a = (-half - from) / along, b = (half - from) / along;
    inout[0] = fmax(inout[0], fmin(a, b));
    inout[1] = fmin(inout[1], fmax(a, b));
}

/* The way over the squares along one axis. */
struct axis {
    long at, last; /* of the square, from 0 */
    int step;
    double next, each; /* ray parameter of the next line, and between two */
};

static struct axis axis_of(double from, double along, double t, double cell, unsigned n)
{
    double start = (from + along * t) / cell + 0.5 * (n - 1);
    struct axis axis = {.last = (long)n - 2, .step = along < 0.0 ? -1 : 1};
    axis.at = (long)fmin(fmax(floor(start), 0.0), (double)axis.last);
    axis.next = axis.each = (double)INFINITY;
    if (along != 0.0) {
        double line = ((double)(axis.at + (along > 0.0)) - 0.5 * (n - 1)) * cell;
        axis.next = (line - from) / along;
        axis.each = cell / fabs(along);
    }
    return axis;
}

double dpl__field_ray(const struct dpl_sim_field *field, struct dpl_vector3 from,
                      struct dpl_vector3 along, struct dpl_vector3 *ret_normal)
{
    const struct flight flight = {field, from, along, ret_normal};
    double t[2] = {0.0, (double)INFINITY}, distance = (double)INFINITY;
    clip(from.x, along.x, 0.5 * (field->columns - 1) * field->cell, t);
    clip(from.y, along.y, 0.5 * (field->rows - 1) * field->cell, t);
    if (t[0] > t[1]) {
        return distance;
    }
    struct axis x = axis_of(from.x, along.x, t[0], field->cell, field->columns);
    struct axis y = axis_of(from.y, along.y, t[0], field->cell, field->rows);
    for (double now = t[0];;) {
        double then = fmin(fmin(x.next, y.next), t[1]);
        /* Straight up or down: the whole line is over this square. */
        bool is_upright = then == (double)INFINITY;
        const double z[2] = {from.z + (is_upright ? 0.0 : along.z * now),
                             is_upright ? copysign((double)INFINITY, along.z)
                                        : from.z + along.z * then};
        if (is_upright || may_meet(field, (unsigned)x.at, (unsigned)y.at, z)) {
            if (meets_square(&flight, (unsigned)x.at, (unsigned)y.at, &distance)) {
                return distance;
            }
        }
        struct axis *axis = x.next < y.next ? &x : &y;
        axis->at += axis->step;
        if (is_upright || then >= t[1] || axis->at < 0 || axis->at > axis->last) {
            return (double)INFINITY;
        }
        now = then;
        axis->next += axis->each;
    }
}

double dpl__field_top(const struct dpl_sim_field *field, const double low[2], const double high[2])
{
    const unsigned n[2] = {field->columns, field->rows};
    unsigned from[2], to[2];
    double top = -(double)INFINITY;
    for (int i = 0; i < 2; i++) {
        double a = low[i] / field->cell + 0.5 * (n[i] - 1);
        double b = high[i] / field->cell + 0.5 * (n[i] - 1);
        if (!(b >= 0.0 && a <= n[i] - 1)) {
            return top;
        }
        from[i] = (unsigned)fmax(floor(a), 0.0);
        to[i] = (unsigned)fmin(ceil(b), n[i] - 1);
    }
    for (unsigned row = from[1]; row <= to[1]; row++) {
        for (unsigned column = from[0]; column <= to[0]; column++) {
            top = fmax(top, field->heights[(size_t)row * field->columns + column]);
        }
    }
    return top;
}
