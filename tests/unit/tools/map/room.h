/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated recording: a robot with a laser in a room of 6 x 4 m, its origin in the middle. */
#ifndef TEST_MAP_ROOM_H
#define TEST_MAP_ROOM_H

#include <criterion/criterion.h>
#include <math.h>

#include <doppel/math/random.h>

#include "recording.h"

#define ROOM_X     3.0
#define ROOM_Y     2.0
#define ROOM_BEAMS 341
#define ROOM_STEP  0.012271846

struct room_case {
    size_t n;                      /* scans, 0.1 s apart */
    double odometry_scale;         /* of the turn in the odometry: 1 is right */
    double delay_s;                /* by which scans are stamped late */
    size_t person_from, person_to; /* scans in which somebody stands at (1, 1.4) */
    size_t slip_at;                /* scan before which a wheel slips; 0: none */
    double slip_rad;               /* that the odometry turns then, and the robot does not */
    double noise_m;                /* of a range; 0: 5 mm */
    bool has_frame;                /* 40 mm before a wall, 100 mm wide, as of a door */
};

/* A drive on a circle of 0.8 m around the middle, with a changing speed. */
static struct dpl_pose2 room_pose(double t_s)
{
    double a = 0.35 * t_s + 0.3 * sin(1.1 * t_s);
    return (struct dpl_pose2){0.8 * cos(a), 0.8 * sin(a), dpl_wrap_angle(a + 0.5 * DPL_PI)};
}

static double room_range(double x, double y, double angle, bool person)
{
    double c = cos(angle), s = sin(angle);
    double rx = c > 0.0 ? (ROOM_X - x) / c : c < 0.0 ? (-ROOM_X - x) / c : (double)INFINITY;
    double ry = s > 0.0 ? (ROOM_Y - y) / s : s < 0.0 ? (-ROOM_Y - y) / s : (double)INFINITY;
    double range = fmin(rx, ry);
    double along = (1.0 - x) * c + (1.4 - y) * s, across = (1.0 - x) * s - (1.4 - y) * c;
    if (person && along > 0.0 && fabs(across) < 0.15) {
        range = fmin(range, along - sqrt(0.15 * 0.15 - across * across));
    }
    return range;
}

#define FRAME_X1 0.52
#define FRAME_X2 0.62
#define FRAME_Y  (ROOM_Y - 0.04)

/* From inside the room the frame shows its face and the side that is turned to the laser. */
static double frame_range(double x, double y, double angle)
{
    double c = cos(angle), s = sin(angle), range = (double)INFINITY;
    double to_face = s > 0.0 ? (FRAME_Y - y) / s : (double)INFINITY, at = x + to_face * c;
    if (at > FRAME_X1 && at < FRAME_X2) {
        range = to_face;
    }
    double side = c > 0.0 ? FRAME_X1 : FRAME_X2, to_side = (side - x) / c;
    double up = y + to_side * s;
    return to_side > 0.0 && up > FRAME_Y && up < ROOM_Y ? fmin(range, to_side) : range;
}

/* The odometry starts at the first true pose; its turns are wrong by the scale. */
static inline struct recording room_record(const struct room_case *room)
{
    struct recording recording = {0};
    struct dpl_random rng = dpl_random_seeded(7, 0);
    struct dpl_pose2 before = room_pose(0.0), driven = before;
    double noise_m = room->noise_m > 0.0 ? room->noise_m : 0.005;
    for (size_t i = 0; i < room->n; i++) {
        double t = 0.1 * (double)i;
        struct dpl_pose2 now = room_pose(t), at = room_pose(fmax(0.0, t - room->delay_s));
        struct dpl_pose2 moved = dpl_pose2_relative(before, now);
        moved.theta *= room->odometry_scale;
        moved.theta += i > 0 && i == room->slip_at ? room->slip_rad : 0.0;
        driven = dpl_pose2_compose(driven, moved);
        before = now;
        struct recorded_scan scan = {t, driven, {0}, -2.086, ROOM_STEP, 0, 0};
        cr_assert_eq(recording_add_scan(&recording, &scan), 0);
        for (size_t k = 0; k < ROOM_BEAMS; k++) {
            double angle = at.theta - 2.086 + (double)k * ROOM_STEP;
            bool person = i >= room->person_from && i < room->person_to;
            double r = room_range(at.x, at.y, angle, person);
            r = room->has_frame ? fmin(r, frame_range(at.x, at.y, angle)) : r;
            r += noise_m * dpl_random_normal(&rng);
            cr_assert_eq(recording_add_range(&recording, r), 0);
        }
    }
    return recording;
}

#endif
