/* SPDX-License-Identifier: Apache-2.0 */
/* Flat world: geometry and random offices. */
#include "sim_world.h"

#include <assert.h>

#include <doppel/math/random.h>

void sim_world_add_wall(struct sim_world *world, double x1, double y1, double x2, double y2)
{
    assert(world->n_segments < SIM_MAX_SEGMENTS);
    world->segments[world->n_segments++] = (struct sim_segment){x1, y1, x2, y2};
}

void sim_world_add_pillar(struct sim_world *world, double x, double y, double radius)
{
    assert(world->n_circles < SIM_MAX_CIRCLES);
    world->circles[world->n_circles++] = (struct sim_circle){x, y, radius};
}

void sim_world_add_box(struct sim_world *world, struct dpl_pose2 middle, double length,
                       double width)
{
    double sx[4] = {1, -1, -1, 1}, sy[4] = {1, 1, -1, -1}, x[4], y[4];
    for (int i = 0; i < 4; i++) {
        struct dpl_pose2 corner = {sx[i] * length / 2.0, sy[i] * width / 2.0, 0.0};
        corner = dpl_pose2_compose(middle, corner);
        x[i] = corner.x;
        y[i] = corner.y;
    }
    for (int i = 0; i < 4; i++) {
        sim_world_add_wall(world, x[i], y[i], x[(i + 1) % 4], y[(i + 1) % 4]);
    }
}

void sim_world_make_room(struct sim_world *world, double width, double height)
{
    *world = (struct sim_world){.width = width, .height = height};
    sim_world_add_box(world, (struct dpl_pose2){width / 2.0, height / 2.0, 0.0}, width, height);
}

/* A wall of the office along x or y with a door of `door` metres somewhere in it. */
static void add_door_wall(struct sim_world *world, struct dpl_random *rng, struct sim_segment wall)
{
    double length = hypot(wall.x2 - wall.x1, wall.y2 - wall.y1);
    double door = dpl_random_uniform(rng, 0.6, 1.0);
    double at = dpl_random_uniform(rng, 0.2, length - door - 0.2);
    double ux = (wall.x2 - wall.x1) / length, uy = (wall.y2 - wall.y1) / length;
    sim_world_add_wall(world, wall.x1, wall.y1, wall.x1 + at * ux, wall.y1 + at * uy);
    sim_world_add_wall(world, wall.x1 + (at + door) * ux, wall.y1 + (at + door) * uy, wall.x2,
                       wall.y2);
}

/* A desk: a top that the laser does not see, and four thin legs that it does. */
static void add_legs(struct sim_world *world, struct dpl_pose2 middle, double length, double width)
{
    for (int i = 0; i < 4; i++) {
        struct dpl_pose2 leg = {(i & 1 ? 0.5 : -0.5) * length, (i & 2 ? 0.5 : -0.5) * width, 0.0};
        leg = dpl_pose2_compose(middle, leg);
        sim_world_add_pillar(world, leg.x, leg.y, 0.015);
    }
}

static struct dpl_pose2 anywhere(const struct sim_world *world, struct dpl_random *rng)
{
    double x = dpl_random_uniform(rng, 0.3, world->width - 0.3);
    double y = dpl_random_uniform(rng, 0.3, world->height - 0.3);
    return (struct dpl_pose2){x, y, dpl_random_uniform(rng, -DPL_PI, DPL_PI)};
}

/* Two parallel walls that end at a third. */
static void add_dead_end(struct sim_world *world, struct dpl_random *rng)
{
    struct dpl_pose2 at = anywhere(world, rng);
    double depth = dpl_random_uniform(rng, 0.6, 1.5), half = dpl_random_uniform(rng, 0.26, 0.45);
    double x[4] = {0.0, depth, depth, 0.0}, y[4] = {half, half, -half, -half};
    for (int i = 0; i < 3; i++) {
        struct dpl_pose2 a = dpl_pose2_compose(at, (struct dpl_pose2){x[i], y[i], 0.0});
        struct dpl_pose2 b = dpl_pose2_compose(at, (struct dpl_pose2){x[i + 1], y[i + 1], 0.0});
        sim_world_add_wall(world, a.x, a.y, b.x, b.y);
    }
}

void sim_world_make_office(struct sim_world *world, uint64_t seed)
{
    struct dpl_random rng = dpl_random_seeded(seed, 100);
    double width = dpl_random_uniform(&rng, 7.0, 11.0);
    double height = dpl_random_uniform(&rng, 5.0, 9.0);
    sim_world_make_room(world, width, height);
    double split = dpl_random_uniform(&rng, 0.35, 0.65) * width;
    double left = dpl_random_uniform(&rng, 0.35, 0.65) * height;
    double right = dpl_random_uniform(&rng, 0.35, 0.65) * height;
    add_door_wall(world, &rng, (struct sim_segment){split, 0.0, split, left});
    add_door_wall(world, &rng, (struct sim_segment){split, left, split, height});
    add_door_wall(world, &rng, (struct sim_segment){0.0, left, split, left});
    add_door_wall(world, &rng, (struct sim_segment){split, right, width, right});
    for (int i = 0; i < 4; i++) {
        double length = dpl_random_uniform(&rng, 0.8, 1.6);
        struct dpl_pose2 at = anywhere(world, &rng);
        if (i & 1) {
            at.theta = 0.0;
        }
        add_legs(world, at, length, dpl_random_uniform(&rng, 0.5, 0.8));
    }
    for (int i = 0; i < 7; i++) {
        double length = dpl_random_uniform(&rng, 0.2, 0.9);
        struct dpl_pose2 at = anywhere(world, &rng);
        sim_world_add_box(world, at, length, dpl_random_uniform(&rng, 0.2, 0.7));
    }
    for (int i = 0; i < 5; i++) {
        struct dpl_pose2 at = anywhere(world, &rng);
        sim_world_add_pillar(world, at.x, at.y, dpl_random_uniform(&rng, 0.04, 0.2));
    }
    add_dead_end(world, &rng);
}

static double segment_distance(const struct sim_segment *s, double x, double y)
{
    double dx = s->x2 - s->x1, dy = s->y2 - s->y1, length2 = dx * dx + dy * dy;
    double part = length2 > 0.0 ? ((x - s->x1) * dx + (y - s->y1) * dy) / length2 : 0.0;
    part = dpl_clamp(part, 0.0, 1.0);
    double ex = x - s->x1 - part * dx, ey = y - s->y1 - part * dy;
    return sqrt(ex * ex + ey * ey);
}

double sim_world_distance(const struct sim_world *world, double x, double y)
{
    double best = 1e9;
    for (size_t i = 0; i < world->n_segments; i++) {
        best = fmin(best, segment_distance(&world->segments[i], x, y));
    }
    for (size_t i = 0; i < world->n_circles; i++) {
        const struct sim_circle *c = &world->circles[i];
        best = fmin(best, fmax(hypot(x - c->x, y - c->y) - c->radius, 0.0));
    }
    return best;
}

struct fan {
    struct dpl_pose2 laser;
    double start_rad, step_rad;
    size_t count;
    float *ranges;
};

static double hit_segment(const struct sim_segment *s, double c, double sn)
{
    double ex = s->x2 - s->x1, ey = s->y2 - s->y1;
    double det = ex * sn - ey * c;
    if (fabs(det) < 1e-12) {
        return 1e9;
    }
    double t = (ex * s->y1 - ey * s->x1) / det;
    double u = (c * s->y1 - sn * s->x1) / det;
    return t > 0.0 && u >= 0.0 && u <= 1.0 ? t : 1e9;
}

static double hit_circle(const struct sim_circle *circle, double c, double s)
{
    double along = circle->x * c + circle->y * s, across = circle->y * c - circle->x * s;
    double half2 = circle->radius * circle->radius - across * across;
    return half2 <= 0.0 || along <= 0.0 ? 1e9 : along - sqrt(half2);
}

/* Calls for the rays whose direction lies in [from, from + sweep] only: most see one surface. */
static void cast_over(const struct fan *fan, double from, double sweep,
                      const struct sim_segment *segment, const struct sim_circle *circle)
{
    for (int turn = -1; turn <= 1; turn++) {
        double low = (from + turn * 2.0 * DPL_PI - fan->start_rad) / fan->step_rad;
        double high = low + sweep / fan->step_rad;
        low = fmax(ceil(low - 1e-6), 0.0);
        high = fmin(floor(high + 1e-6), (double)fan->count - 1.0);
        for (double n = low; n <= high; n += 1.0) {
            double angle = fan->start_rad + n * fan->step_rad, c = cos(angle), s = sin(angle);
            double range = segment ? hit_segment(segment, c, s) : hit_circle(circle, c, s);
            float *best = &fan->ranges[(size_t)n];
            *best = range < (double)*best ? (float)range : *best;
        }
    }
}

static void cast_segment(const struct fan *fan, const struct sim_segment *segment)
{
    struct dpl_pose2 a = {segment->x1, segment->y1, 0.0}, b = {segment->x2, segment->y2, 0.0};
    a = dpl_pose2_relative(fan->laser, a);
    b = dpl_pose2_relative(fan->laser, b);
    struct sim_segment local = {a.x, a.y, b.x, b.y};
    double from = atan2(a.y, a.x), sweep = dpl_wrap_angle(atan2(b.y, b.x) - from);
    cast_over(fan, sweep < 0.0 ? from + sweep : from, fabs(sweep), &local, NULL);
}

static void cast_circle(const struct fan *fan, const struct sim_circle *circle)
{
    struct dpl_pose2 at = dpl_pose2_relative(fan->laser, (struct dpl_pose2){circle->x, circle->y});
    struct sim_circle local = {at.x, at.y, circle->radius};
    double distance = hypot(at.x, at.y);
    double half = distance > circle->radius ? asin(circle->radius / distance) : DPL_PI;
    cast_over(fan, atan2(at.y, at.x) - half, 2.0 * half, NULL, &local);
}

void sim_world_cast(const struct sim_world *world, struct dpl_pose2 laser, double start_rad,
                    double step_rad, size_t count, double max_m, float *ret_ranges)
{
    struct fan fan = {laser, start_rad, step_rad, count, ret_ranges};
    for (size_t i = 0; i < count; i++) {
        ret_ranges[i] = (float)max_m;
    }
    for (size_t i = 0; i < world->n_segments; i++) {
        cast_segment(&fan, &world->segments[i]);
    }
    for (size_t i = 0; i < world->n_circles; i++) {
        cast_circle(&fan, &world->circles[i]);
    }
}

struct dpl_pose2 sim_world_random_pose(const struct sim_world *world, uint64_t seed, double room_m)
{
    struct dpl_random rng = dpl_random_seeded(seed, 101);
    struct dpl_pose2 pose = anywhere(world, &rng);
    for (int i = 0; i < 10000 && sim_world_distance(world, pose.x, pose.y) < room_m; i++) {
        pose = anywhere(world, &rng);
    }
    return pose;
}
