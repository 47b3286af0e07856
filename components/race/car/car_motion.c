/* SPDX-License-Identifier: Apache-2.0 */
/* Motion of planar bodies among walls. */
#include "car_motion.h"

#include <math.h>

struct dpl_pose2 car_motion_arc(struct dpl_pose2 from, struct dpl_twist2 twist, double t)
{
    double half = twist.angular * t / 2.0;
    double chord = fabs(half) < 1e-4 ? 1.0 - half * half / 6.0 : sin(half) / half;
    double way = twist.linear * t * chord;
    return (struct dpl_pose2){
        .x = from.x + way * cos(from.theta + half),
        .y = from.y + way * sin(from.theta + half),
        .theta = dpl_wrap_angle(from.theta + 2.0 * half),
    };
}

/* The indices of the walls that a motion can reach. */
struct near_walls {
    size_t n;
    unsigned short index[CAR_WALLS_MAX];
};

static void find_near(struct near_walls *near, struct car_point from, double reach,
                      const struct car_segment *walls, size_t n)
{
    near->n = 0;
    for (size_t i = 0; i < n && i < CAR_WALLS_MAX; i++) {
        if (car_point_distance(from, &walls[i]) <= reach) {
            near->index[near->n++] = (unsigned short)i;
        }
    }
}

static double clearance(const struct car_footprint *outline, const struct near_walls *near,
                        const struct car_segment *walls)
{
    double nearest = (double)INFINITY;
    for (size_t i = 0; i < near->n && nearest > 0.0; i++) {
        nearest = fmin(nearest, car_footprint_distance(outline, &walls[near->index[i]]));
    }
    return nearest;
}

bool car_motion_contact(const struct car_footprint *footprint, struct dpl_pose2 from,
                        struct dpl_twist2 twist, double t, const struct car_segment *walls,
                        size_t n, double *ret_t)
{
    double speed = fabs(twist.linear) + fabs(twist.angular) * footprint->radius;
    double reach = footprint->radius + fabs(twist.linear) * t + CAR_MOTION_RESOLUTION_M;
    struct near_walls near;
    find_near(&near, (struct car_point){from.x, from.y}, reach, walls, n);
    for (double now = 0.0; near.n > 0;) {
        struct car_footprint outline =
            car_footprint_at(footprint, car_motion_arc(from, twist, now));
        double distance = clearance(&outline, &near, walls);
        if (distance == 0.0) {
            *ret_t = now;
            return true;
        }
        if (now >= t || speed == 0.0) {
            break;
        }
        now = fmin(t, now + fmax(distance, CAR_MOTION_RESOLUTION_M) / speed);
    }
    return false;
}

/* The side of the line on which a point is: positive to the left. */
static double side_of(const struct car_segment *line, struct car_point p)
{
    return (line->b.x - line->a.x) * (p.y - line->a.y) -
           (line->b.y - line->a.y) * (p.x - line->a.x);
}

static bool chord_crosses(struct car_point a, struct car_point b, const struct car_segment *line,
                          double *ret_part)
{
    double before = side_of(line, a), after = side_of(line, b);
    bool changes = (before < 0.0 && after >= 0.0) || (before > 0.0 && after <= 0.0);
    struct car_segment chord = {a, b};
    return changes && car_segments_meet(&chord, line, ret_part);
}

bool car_motion_crosses(struct dpl_pose2 from, struct dpl_twist2 twist, double t,
                        const struct car_segment *line, double *ret_t)
{
    const double step_rad = DPL_PI / 180.0;
    double turns = ceil(dpl_clamp(fabs(twist.angular) * t / step_rad, 1.0, 720.0));
    struct dpl_pose2 pose = from;
    for (double i = 0.0; i < turns; i += 1.0) {
        struct dpl_pose2 next = car_motion_arc(from, twist, t * (i + 1.0) / turns);
        double part;
        if (chord_crosses((struct car_point){pose.x, pose.y}, (struct car_point){next.x, next.y},
                          line, &part)) {
            *ret_t = t * (i + part) / turns;
            return true;
        }
        pose = next;
    }
    return false;
}

double car_lag_advance(const struct car_lag *lag, double *value, double target, double t)
{
    double before = *value, goal = dpl_clamp(target, -lag->limit, lag->limit);
    double decay = lag->time_constant_s > 0.0 ? exp(-t / lag->time_constant_s) : 0.0;
    double after = goal + (before - goal) * decay;
    double most = lag->rate > 0.0 ? lag->rate * t : (double)INFINITY;
    if (fabs(after - before) > most) {
        *value = before + copysign(most, after - before);
        return (before + *value) / 2.0;
    }
    *value = after;
    return t > 0.0 ? goal + (before - goal) * (1.0 - decay) * lag->time_constant_s / t : after;
}

/* ---- a car with steered front wheels ---- */

struct dpl_twist2 car_ackermann_drive(struct car_ackermann *car, double speed, double angle,
                                      double t)
{
    double mean_speed = car_lag_advance(&car->motor, &car->speed, speed, t);
    double mean_angle = car_lag_advance(&car->steering, &car->angle, angle, t);
    return (struct dpl_twist2){
        .linear = mean_speed,
        .angular = mean_speed * tan(mean_angle) / car->wheel_base,
    };
}

/* ---- a car with two driven wheels ---- */

struct dpl_twist2 car_differential_drive(struct car_differential *car, double left, double right,
                                         double t)
{
    double mean_left = car_lag_advance(&car->motor, &car->left, left, t);
    double mean_right = car_lag_advance(&car->motor, &car->right, right, t);
    return (struct dpl_twist2){
        .linear = (mean_left + mean_right) / 2.0,
        .angular = (mean_right - mean_left) / car->track_width,
    };
}

static void sense(struct car_body *body)
{
    for (size_t i = 0; i < body->n_sensors; i++) {
        const struct car_mount *sensor = &body->sensors[i];
        struct dpl_pose2 mount = {sensor->at.x, sensor->at.y, sensor->angle_rad};
        struct dpl_pose2 eye = dpl_pose2_compose(body->pose, mount);
        body->ranges[i] = car_ray_range((struct car_point){eye.x, eye.y}, eye.theta,
                                        body->around->walls, body->around->n_walls, body->reach);
    }
}

void car_body_place(struct car_body *body, struct dpl_pose2 pose)
{
    body->pose = pose;
    body->pose.theta = dpl_wrap_angle(pose.theta);
    body->twist = (struct dpl_twist2){0};
    sense(body);
}

enum dpl_car_outcome car_body_move(struct car_body *body, double t)
{
    const struct car_surroundings *around = body->around;
    enum dpl_car_outcome outcome = DPL_CAR_DRIVES;
    double end = t, crossed;
    if (car_motion_contact(&body->footprint, body->pose, body->twist, t, around->walls,
                           around->n_walls, &end)) {
        outcome = DPL_CAR_HIT;
    }
    if (around->has_finish &&
        car_motion_crosses(body->pose, body->twist, end, &around->finish, &crossed)) {
        outcome = DPL_CAR_FINISHED;
        end = crossed;
    }
    body->pose = car_motion_arc(body->pose, body->twist, end);
    if (outcome == DPL_CAR_DRIVES) {
        sense(body);
    }
    return outcome;
}
