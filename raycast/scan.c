/* SPDX-License-Identifier: Apache-2.0 */
/* Drawing outlines into a fan of beams, and exactly where the beams end: see raycast.h. */
#include <math.h>
#include <stdbool.h>

#include "raycast_fan.h"
#include "raycast_tree.h"

/* More than any rounding of a direction, in the measure of dpl__raycast_turn. */
static const double turn_slack = 1e-9;

/* Shares of a length (squared) below which rounding may turn a direction by more than that: then
 * all beams are tested. */
static const double too_near = 1e-10, too_flat = 1e-12;

struct vector {
    double x, y;
};

/* The sensor of a scan. */
struct sensor {
    struct dpl_raycast_fan *fan;
    double x, y, c, s; /* c, s: of the yaw */
    double max_range;
};

/* Sorted beams first .. end - 1; beam n is beam 0 again. */
struct beams {
    size_t first, end;
};

static inline double square(struct vector v)
{
    return v.x * v.x + v.y * v.y;
}

/* ---- which beams ---- */

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* In sectors from -90 degrees in the sensor's frame. */
static inline int sector_of(const struct sensor *sensor, struct vector v, double slack)
{
    int sectors = sensor->fan->sectors;
    double turn =
        dpl__raycast_turn(sensor->c * v.x + sensor->s * v.y, sensor->c * v.y - sensor->s * v.x);
    /* Not below 0 even if `turn` is no number: coordinates may overflow. */
    int sector = (int)larger((turn + slack + 4.0) * (0.25 * sectors), 0.0);
    return sector - (sector < sectors ? 0 : sectors);
}

/* The beams from direction `from` to direction `to`, less than half a turn, and perhaps a few
 * beside them. `way` 1.0: counterclockwise, -1.0: clockwise. */
static inline struct beams beams_between(const struct sensor *sensor, struct vector from,
                                         struct vector to, double way)
{
    const struct dpl_raycast_fan *fan = sensor->fan;
    int a = sector_of(sensor, from, -way * turn_slack), b = sector_of(sensor, to, way * turn_slack);
    int first = way < 0.0 ? b : a, last = way < 0.0 ? a : b;
    last += last < first ? fan->sectors : 0;
    return (struct beams){fan->first[first], fan->first[last + 1]};
}

/* ---- where they end ---- */

/* A segment seen from the sensor, turned so that the beams that meet it have a denominator above
 * 0. */
struct line {
    double wx, wy, dx, dy;
    double along_beam; /* times the denominator; not negative */
};

/* Without branches: most of the beams drawn meet the segment, and which of them do so behind
 * another is hard to foresee. */
static void draw_line_part(struct dpl_raycast_fan *fan, const struct line *l, size_t first,
                           size_t end)
{
    const double *dx = fan->dx, *dy = fan->dy;
    double *range = fan->range;
    struct line line = *l;
    for (size_t i = first; i < end; i++) {
        double denominator = dx[i] * line.dy - dy[i] * line.dx;
        double along_segment = line.wx * dy[i] - line.wy * dx[i];
        double distance = line.along_beam / denominator;
        bool hit = (along_segment >= 0.0) & (along_segment <= denominator) & (distance < range[i]);
        range[i] = hit ? distance : range[i];
    }
}

static void draw_line(struct dpl_raycast_fan *fan, const struct line *line, struct beams beams)
{
    draw_line_part(fan, line, beams.first, beams.end < fan->n ? beams.end : fan->n);
    if (beams.end > fan->n) {
        draw_line_part(fan, line, 0, beams.end - fan->n);
    }
}

static void draw_segment(const struct sensor *sensor, const struct dpl_raycast_outline *o)
{
    struct vector from = {o->x - sensor->x, o->y - sensor->y};
    struct vector to = {from.x + o->dx, from.y + o->dy};
    double area = from.x * o->dy - from.y * o->dx, way = copysign(1.0, area);
    struct line line = {way * from.x, way * from.y, way * o->dx, way * o->dy, fabs(area)};
    double a = square(from), b = square(to);
    double near = a < b ? a : b, far = a < b ? b : a;
    if (near > too_near * far && line.along_beam > too_flat * far) {
        draw_line(sensor->fan, &line, beams_between(sensor, from, to, way));
        return;
    }
    /* The sensor is at an end, or in line with it. */
    struct beams all = {0, sensor->fan->n};
    draw_line(sensor->fan, &line, all);
    if (area == 0.0) {
        struct line turned = {-line.wx, -line.wy, -line.dx, -line.dy, 0.0};
        draw_line(sensor->fan, &turned, all);
    }
}

/* A circle seen from the sensor. */
struct ball {
    double wx, wy, radius;
};

/* From inside a circle a beam meets its far side. */
static void draw_circle_part(struct dpl_raycast_fan *fan, const struct ball *b, size_t first,
                             size_t end)
{
    for (size_t i = first; i < end; i++) {
        double middle = b->wx * fan->dx[i] + b->wy * fan->dy[i];
        double aside = b->wx * fan->dy[i] - b->wy * fan->dx[i];
        double rest = b->radius * b->radius - aside * aside;
        if (rest < 0.0) {
            continue;
        }
        double half = sqrt(rest);
        double distance = middle - half >= 0.0 ? middle - half : middle + half;
        if (distance >= 0.0 && distance < fan->range[i]) {
            fan->range[i] = distance;
        }
    }
}

static void draw_circle(const struct sensor *sensor, const struct dpl_raycast_outline *o)
{
    struct dpl_raycast_fan *fan = sensor->fan;
    struct ball b = {o->x - sensor->x, o->y - sensor->y, o->radius};
    double square_away = b.wx * b.wx + b.wy * b.wy;
    double square_tangent = square_away - b.radius * b.radius; /* length of a tangent, squared */
    struct beams beams = {0, fan->n};
    if (square_tangent > too_near * square_away) {
        double t = sqrt(square_tangent), r = b.radius;
        beams = beams_between(sensor, (struct vector){b.wx * t + b.wy * r, b.wy * t - b.wx * r},
                              (struct vector){b.wx * t - b.wy * r, b.wy * t + b.wx * r}, 1.0);
    }
    draw_circle_part(fan, &b, beams.first, beams.end < fan->n ? beams.end : fan->n);
    if (beams.end > fan->n) {
        draw_circle_part(fan, &b, 0, beams.end - fan->n);
    }
}

static void draw(const struct sensor *sensor, const struct dpl_raycast_outline *o)
{
    if (o->radius > 0.0) {
        draw_circle(sensor, o);
    } else {
        draw_segment(sensor, o);
    }
}

/* ---- what can be seen ---- */

/* A box seen from the sensor: x of its left and right side, y of its lower and upper one. */
struct view {
    double x[2], y[2];
};

static inline struct view view_of(const struct sensor *sensor, const struct dpl__raycast_box *box)
{
    return (struct view){{box->x[0] - sensor->x, box->x[1] - sensor->x},
                         {box->y[0] - sensor->y, box->y[1] - sensor->y}};
}

/* From the sensor to the nearest point of a box, squared; INFINITY for an empty one. */
static inline double square_to(const struct view *v)
{
    double x = larger(larger(v->x[0], -v->x[1]), 0.0);
    double y = larger(larger(v->y[0], -v->y[1]), 0.0);
    return x * x + y * y;
}

/* Corners of a box: which side in x, which in y. */
struct corners {
    uint8_t from_x, from_y, to_x, to_y;
};

/* The two corners between which a sensor outside sees a box that lies below it, at its height or
 * above it, and to its left, across or to its right. */
static const struct corners outermost[3][3] = {
    {{0, 1, 1, 0}, {0, 1, 1, 1}, {0, 0, 1, 1}},
    {{1, 1, 1, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}},
    {{1, 1, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 1}},
};

static inline struct beams beams_to(const struct sensor *sensor, const struct view *v)
{
    int row = 1 + (v->y[0] > 0.0) - (v->y[1] < 0.0), column = 1 + (v->x[0] > 0.0) - (v->x[1] < 0.0);
    struct corners c = outermost[row][column];
    struct vector from = {v->x[c.from_x], v->y[c.from_y]}, to = {v->x[c.to_x], v->y[c.to_y]};
    return beams_between(sensor, from, to, 1.0);
}

static bool any_longer(const struct dpl_raycast_fan *fan, size_t first, size_t end, double distance)
{
    for (size_t i = first; i < end; i++) {
        if (fan->range[i] > distance) {
            return true;
        }
    }
    return false;
}

/* Whether a beam that was not stopped before goes through a box. */
static bool is_visible(const struct sensor *sensor, const struct dpl__raycast_box *box)
{
    const struct dpl_raycast_fan *fan = sensor->fan;
    struct view v = view_of(sensor, box);
    double square_near = square_to(&v);
    if (!(square_near > 0.0)) {
        return true;
    }
    double near = sqrt(square_near);
    if (near >= sensor->max_range) {
        return false;
    }
    struct beams b = beams_to(sensor, &v);
    return any_longer(fan, b.first, b.end < fan->n ? b.end : fan->n, near) ||
           (b.end > fan->n && any_longer(fan, 0, b.end - fan->n, near));
}

static void draw_leaf(const struct dpl_raycast_index *index, const struct sensor *sensor,
                      size_t leaf)
{
    size_t first = leaf * DPL_RAYCAST_TREE_LEAF, end = first + DPL_RAYCAST_TREE_LEAF;
    for (size_t i = first; i < end && i < index->n; i++) {
        draw(sensor, &index->outlines[i]);
    }
}

/* Near boxes first: they hide those behind. */
static void draw_tree(const struct dpl_raycast_index *index, const struct sensor *sensor)
{
    size_t stack[DPL_RAYCAST_TREE_DEPTH_MAX] = {1}, n = 1;
    while (n > 0) {
        size_t at = stack[--n];
        if (!is_visible(sensor, &index->boxes[at])) {
            continue;
        }
        if (at >= index->n_leaves) {
            draw_leaf(index, sensor, at - index->n_leaves);
            continue;
        }
        struct view a = view_of(sensor, &index->boxes[2 * at]);
        struct view b = view_of(sensor, &index->boxes[2 * at + 1]);
        size_t second_nearer = square_to(&b) < square_to(&a);
        stack[n++] = 2 * at + 1 - second_nearer;
        stack[n++] = 2 * at + second_nearer;
    }
}

static void start_fan(struct dpl_raycast_fan *fan, const struct sensor *sensor)
{
    for (size_t i = 0; i < fan->n; i++) {
        fan->dx[i] = sensor->c * fan->cosine[i] - sensor->s * fan->sine[i];
        fan->dy[i] = sensor->s * fan->cosine[i] + sensor->c * fan->sine[i];
        fan->range[i] = sensor->max_range;
    }
}

void dpl_raycast_scan_fan(const struct dpl_raycast_index *index, struct dpl_raycast_fan *fan,
                          const struct dpl_raycast_scan *scan, double *ranges)
{
    struct sensor sensor = {fan, scan->x, scan->y, cos(scan->yaw), sin(scan->yaw), scan->max_range};
    start_fan(fan, &sensor);
    for (size_t i = 0; i < index->n_moving; i++) {
        if (index->moving[i].owner != scan->owner) {
            draw(&sensor, &index->moving[i]);
        }
    }
    draw_tree(index, &sensor);
    for (size_t i = 0; i < fan->n; i++) {
        double range = fan->range[i];
        ranges[fan->number[i]] = range < scan->max_range ? range : (double)INFINITY;
    }
}
