/* SPDX-License-Identifier: Apache-2.0 */
/* A flat world of walls and pillars for tests of the navigator: rays, touching, random offices. */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include <doppel/math/geometry.h>

#define SIM_MAX_SEGMENTS 256
#define SIM_MAX_CIRCLES  64

struct sim_world {
    size_t n_segments, n_circles;
    struct sim_segment {
        double x1, y1, x2, y2;
    } segments[SIM_MAX_SEGMENTS];
    struct sim_circle {
        double x, y, radius;
    } circles[SIM_MAX_CIRCLES];
    double width, height;
};

void sim_world_add_wall(struct sim_world *world, double x1, double y1, double x2, double y2);
void sim_world_add_pillar(struct sim_world *world, double x, double y, double radius);

/* A box with the middle (x, y), turned by `angle`. */
void sim_world_add_box(struct sim_world *world, struct dpl_pose2 middle, double length,
                       double width);

/* An empty room from (0, 0) to (width, height). */
void sim_world_make_room(struct sim_world *world, double width, double height);

/* An office: rooms with doors, desks with legs, boxes, pillars, narrow gaps, a dead end. */
void sim_world_make_office(struct sim_world *world, uint64_t seed);

/* Distance from a point to the nearest surface. */
double sim_world_distance(const struct sim_world *world, double x, double y);

/* Distance to the first surface along each of `count` rays, `max_m` if there is none. */
void sim_world_cast(const struct sim_world *world, struct dpl_pose2 laser, double start_rad,
                    double step_rad, size_t count, double max_m, float *ret_ranges);

/* A random place with `room_m` around it. */
struct dpl_pose2 sim_world_random_pose(const struct sim_world *world, uint64_t seed, double room_m);

#endif
