/* SPDX-License-Identifier: Apache-2.0 */
/* The published car of the race-car test bench, in its own integer arithmetic: millimetres, whole
 * degrees (0 along +x, 90 along +y), mm/s and milliseconds. The arithmetic, to the digit:
 *
 * division: truncates towards zero; by zero it yields 0, as on the original's Cortex-M4.
 * sine, cosine: of whole degrees, times 10000, rounded to the nearest integer.
 * move: way = |velocity| * ms / 1000; dx = cos * way / 10000, dy = sin * way / 10000; a velocity
 *     <= 0 moves along the heading turned by 180; a position below 0 becomes 0.
 * slope: dy * 1000 / dx of a segment.
 * ray: from the car to position + trig * length / 10000; length is the line of sight. Its
 *     line is y = slope * x / 1000 + b with b = y0 - slope * x0 / 1000: it meets a wall x = c at
 *     y = slope * c / 1000 + b and a wall y = c at x = (c - b) * 1000 / slope (at x0 where the ray
 *     is vertical).
 * hit, finish: the segment from the old to the new position meets a wall x = c at
 *     y = y0 + slope * (c - x0) / 1000 and a wall y = c at x = x0 + (c - y0) * 1000 / slope.
 * bounds: such a point counts if it lies within the bounds of both segments, ends included.
 * range: integer square root (downwards) of dx^2 + dy^2; the nearest wall counts; none: 2^31.
 *
 * Integers have 64 bits here: no overflow within the limits below. The original has 32
 * bits: at x > 37 m the product of a steep ray's slope and x overflows there, and its ranges are
 * wrong; here they are right. Walls and the finish must be parallel to an axis, because the
 * formulas support no others. */
#ifndef CAR_CAR_PAPER_H
#define CAR_CAR_PAPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAR_PAPER_WALLS_MAX   512
#define CAR_PAPER_SENSORS_MAX 16
#define CAR_PAPER_NO_HIT      (INT64_C(1) << 31) /* printed as MAX */
#define CAR_PAPER_LIMIT_MM    1000000000         /* of every coordinate */
#define CAR_PAPER_WAY_MAX_MM  5000000            /* of a ray, and of the move of a tick */

struct car_paper_segment {
    int64_t x1, y1, x2, y2; /* mm */
};

struct car_paper_config {
    int64_t tick_ms;
    int64_t sight_mm; /* length of a sensor's ray */
    size_t n_sensors;
    int64_t sensor_deg[CAR_PAPER_SENSORS_MAX]; /* added to the heading */
    size_t n_walls;
    struct car_paper_segment walls[CAR_PAPER_WALLS_MAX];
    bool has_finish;
    struct car_paper_segment finish;
};

enum car_paper_outcome {
    CAR_PAPER_DRIVES,
    CAR_PAPER_FINISHED,
    CAR_PAPER_HIT,
};

struct car_paper {
    struct car_paper_config config;
    int64_t sine[360]; /* times 10000 */
    int64_t x_mm, y_mm;
    int64_t heading_deg;                      /* 0 to 359 */
    int64_t velocity_mm_s;                    /* negative or 0: backwards */
    int64_t ranges_mm[CAR_PAPER_SENSORS_MAX]; /* of the sensing at the end of the last tick */
};

/* Copies the configuration. -EINVAL when a wall or the finish is not parallel to an axis, or a
 * number is out of its limits; *ret_wall is its index (n_walls: the finish; larger: no wall). */
int car_paper_init(struct car_paper *car, const struct car_paper_config *config, size_t *ret_wall);

/* Sets the car to a pose, at rest, and reads the sensors there. Angles may be any whole degrees. */
void car_paper_place(struct car_paper *car, int64_t x_mm, int64_t y_mm, int64_t heading_deg);

/* Sets heading and velocity of this tick from the actuators. Afterwards the car's fields are the
 * row of the log; its ranges are still those of the previous heading. */
void car_paper_command(struct car_paper *car, int64_t heading_deg, int64_t velocity_mm_s);

/* The rest of a tick: move, hit test, finish test, and sensors if the race continues. */
enum car_paper_outcome car_paper_move(struct car_paper *car);

#endif
