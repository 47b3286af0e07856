/* SPDX-License-Identifier: Apache-2.0 */
#include "robot.h"

#include <string.h>

#define TICK_M       (0.035 * 0.002436916871)
#define RANGE_MIN_M  0.02
#define RESOLUTION_M 0.001
#define MOUNT_X_M    0.0
#define GYRO_DRIFT   0.0002 /* rad/s */
#define ACCELERATION 0.8    /* m/s^2 of a wheel */
#define PANES_MOST   8      /* that one beam goes through */

void robot_faults_init(struct robot_faults *ret_faults)
{
    *ret_faults = (struct robot_faults){
        .value = {1.0, 1.0, 1.0},
        .slip_m = 0.003,
        .noise_scale = 1.0,
        .scan_period_s = 0.1,
        .n_beams = ROBOT_BEAMS_MAX,
    };
}

void robot_init(struct robot *robot, const struct robot_faults *faults,
                const struct dpl_raycast_index *room, struct route *route, struct dpl_random rng)
{
    memset(robot, 0, sizeof *robot);
    robot->faults = *faults;
    robot->room = room;
    robot->route = route;
    robot->rng = rng;
    for (int i = 0; i < faults->people; i++) {
        robot->people[i] = (struct robot_person){
            .angle = dpl_random_uniform(&robot->rng, -DPL_PI, DPL_PI),
            .distance = dpl_random_uniform(&robot->rng, 0.45, 1.45),
            .radius = 0.15,
        };
    }
    robot_place(robot, route_start(route));
}

void robot_place(struct robot *robot, struct dpl_pose2 pose)
{
    for (int i = 0; i < ROBOT_TRACK; i++) {
        robot->track[i] = pose;
    }
}

double robot_time(const struct robot *robot)
{
    return (double)robot->steps * ROBOT_STEP_S;
}

struct dpl_pose2 robot_pose(const struct robot *robot, double at_s)
{
    double place = fmin(at_s / ROBOT_STEP_S, (double)robot->steps);
    place = fmax(place, fmax(0.0, (double)(robot->steps - ROBOT_TRACK + 2)));
    long before = (long)floor(place), after = before < robot->steps ? before + 1 : before;
    const struct dpl_pose2 *a = &robot->track[before % ROBOT_TRACK];
    const struct dpl_pose2 *b = &robot->track[after % ROBOT_TRACK];
    double share = place - (double)before;
    return (struct dpl_pose2){
        a->x + share * (b->x - a->x), a->y + share * (b->y - a->y),
        dpl_wrap_angle(a->theta + share * dpl_wrap_angle(b->theta - a->theta))};
}

static double approach(double value, double wanted)
{
    double most = ACCELERATION * ROBOT_STEP_S;
    return value + dpl_clamp(wanted - value, -most, most);
}

/* What the ground sees while the wheel's rim does `rolled_m`: the encoder counts the rim. */
static double slipped(struct robot *robot, double rolled_m)
{
    return rolled_m + robot->faults.slip_m * sqrt(fabs(rolled_m)) * dpl_random_normal(&robot->rng);
}

static void move_people(struct robot *robot)
{
    for (int i = 0; i < robot->faults.people; i++) {
        struct robot_person *p = &robot->people[i];
        p->turning += 0.05 * dpl_random_normal(&robot->rng) - 0.01 * p->turning;
        p->angle += p->turning * ROBOT_STEP_S;
        double way = p->distance + 0.004 * dpl_random_normal(&robot->rng);
        p->distance = dpl_clamp(way, 0.45, 1.45);
    }
}

void robot_carry(struct robot *robot, struct dpl_pose2 to)
{
    robot->steps++;
    robot->track[robot->steps % ROBOT_TRACK] = to;
    move_people(robot);
}

void robot_step(struct robot *robot)
{
    const double *value = robot->faults.value;
    double axle = ROBOT_AXLE_M * value[LOCALIZER_AXLE_SCALE];
    struct dpl_pose2 at = robot->track[robot->steps % ROBOT_TRACK];
    if (robot->steps % 10 == 0) {
        robot->twist = robot->stands ? (struct dpl_twist2){0} : route_drive(robot->route, at);
    }
    double half = 0.5 * axle * robot->twist.angular;
    robot->speed_left = approach(robot->speed_left, robot->twist.linear - half);
    robot->speed_right = approach(robot->speed_right, robot->twist.linear + half);
    double rolled_left = robot->speed_left * ROBOT_STEP_S;
    double rolled_right = robot->speed_right * ROBOT_STEP_S;
    double left = slipped(robot, rolled_left), right = slipped(robot, rolled_right);
    double turn = (right - left) / axle, way = 0.5 * (left + right);
    at.x += way * cos(at.theta + 0.5 * turn);
    at.y += way * sin(at.theta + 0.5 * turn);
    at.theta = dpl_wrap_angle(at.theta + turn);
    robot->path_m += fabs(way);
    robot->left_m += rolled_left / value[LOCALIZER_SCALE_LEFT];
    robot->right_m += rolled_right / value[LOCALIZER_SCALE_RIGHT];
    robot->gyro_rad += turn + GYRO_DRIFT * ROBOT_STEP_S +
                       ROBOT_GYRO_NOISE * sqrt(ROBOT_STEP_S) * dpl_random_normal(&robot->rng);
    robot_carry(robot, at);
}

struct localizer_odometry robot_odometry(const struct robot *robot)
{
    return (struct localizer_odometry){
        .stamp_s = robot_time(robot),
        .left_m = TICK_M * floor(robot->left_m / TICK_M),
        .right_m = TICK_M * floor(robot->right_m / TICK_M),
        .has_gyro = true,
        .gyro_rad = robot->gyro_rad,
    };
}

/* Distance along the ray to a round thing; INFINITY: the ray misses it. */
static double distance_to(const struct dpl_raycast_ray *ray, double x, double y, double radius)
{
    x -= ray->x;
    y -= ray->y;
    double along = x * ray->dx + y * ray->dy, across = x * ray->dy - y * ray->dx;
    double chord = radius * radius - across * across;
    return chord > 0.0 && along > 0.0 ? along - sqrt(chord) : (double)INFINITY;
}

/* People walk around where the robot is; a bystander stays. */
static double nearest_person(const struct robot *robot, const struct dpl_raycast_ray *ray)
{
    struct dpl_pose2 at = robot->track[robot->steps % ROBOT_TRACK];
    const struct robot_bystander *by = &robot->bystander;
    double nearest = by->there ? distance_to(ray, by->x, by->y, by->radius) : (double)INFINITY;
    for (int i = 0; i < robot->faults.people; i++) {
        const struct robot_person *p = &robot->people[i];
        double x = at.x + p->distance * cos(p->angle), y = at.y + p->distance * sin(p->angle);
        nearest = fmin(nearest, distance_to(ray, x, y, p->radius));
    }
    return nearest;
}

/* Beams go through panes, but for those that meet them nearly at a right angle. */
static void see_through(const struct robot *robot, const struct dpl_raycast_ray *ray,
                        struct dpl_raycast_hit *hit)
{
    double least = cos(robot->faults.glass_seen_rad), way = 0.0;
    struct dpl_raycast_ray on = *ray;
    for (int i = 0; i < PANES_MOST && robot->glass && isfinite(hit->range) && hit->owner >= 0 &&
                    robot->glass[hit->owner];
         i++) {
        if (fabs(hit->nx * ray->dx + hit->ny * ray->dy) > least) {
            return;
        }
        way = hit->range;
        on.x = ray->x + way * ray->dx;
        on.y = ray->y + way * ray->dy;
        on.max_range = ray->max_range - way;
        on.owner = hit->owner;
        dpl_raycast_ray(robot->room, &on, hit);
        hit->range += way;
    }
}

static float measure(struct robot *robot, const struct dpl_raycast_ray *ray)
{
    const double *value = robot->faults.value;
    struct dpl_raycast_hit hit;
    dpl_raycast_ray(robot->room, ray, &hit);
    see_through(robot, ray, &hit);
    double range = fmin(hit.range, nearest_person(robot, ray));
    double noise = dpl_random_normal(&robot->rng), drop = dpl_random_uniform(&robot->rng, 0.0, 1.0);
    if (drop < robot->faults.dropout || !isfinite(range)) {
        return 0.0f;
    }
    range += value[LOCALIZER_RANGE_BIAS] + value[LOCALIZER_RANGE_SCALE] * range +
             robot->faults.noise_scale * fmax(ROBOT_NOISE_M, ROBOT_NOISE_SHARE * range) * noise;
    range = RESOLUTION_M * round(range / RESOLUTION_M);
    return range >= RANGE_MIN_M && range <= ROBOT_RANGE_MAX_M ? (float)range : 0.0f;
}

static double step_angle(const struct robot *robot)
{
    return 2.0 * DPL_PI / 1024.0 * (ROBOT_BEAMS_MAX / (double)robot->faults.n_beams);
}

static double start_angle(const struct robot *robot)
{
    return -step_angle(robot) * (double)(robot->faults.n_beams / 2);
}

struct dpl_raycast_ray robot_beam(const struct robot *robot, double middle_s, size_t i)
{
    const double *value = robot->faults.value;
    size_t n = robot->faults.n_beams;
    double step = step_angle(robot), start = start_angle(robot);
    struct dpl_pose2 mount = {MOUNT_X_M + value[LOCALIZER_MOUNT_X], value[LOCALIZER_MOUNT_Y],
                              value[LOCALIZER_MOUNT_YAW]};
    double late =
        ((double)i - 0.5 * (double)(n - 1)) * step / (2.0 * DPL_PI) * robot->faults.revolution_s;
    struct dpl_pose2 laser = dpl_pose2_compose(robot_pose(robot, middle_s + late), mount);
    double angle = laser.theta + start + (double)i * step;
    return (struct dpl_raycast_ray){
        laser.x, laser.y, cos(angle), sin(angle), ROBOT_RANGE_MAX_M + 0.5, DPL_RAYCAST_NO_OWNER};
}

struct localizer_scan robot_scan(struct robot *robot, double at_s)
{
    size_t n = robot->faults.n_beams;
    double middle = at_s - robot->faults.value[LOCALIZER_TIME_OFFSET];
    for (size_t i = 0; i < n; i++) {
        struct dpl_raycast_ray ray = robot_beam(robot, middle, i);
        robot->ranges[i] = measure(robot, &ray);
    }
    return (struct localizer_scan){
        .stamp_s = at_s,
        .n = n,
        .ranges = robot->ranges,
        .start_angle = start_angle(robot),
        .step_angle = step_angle(robot),
        .range_min = RANGE_MIN_M,
        .range_max = ROBOT_RANGE_MAX_M,
        .mount = {MOUNT_X_M, 0.0, 0.0},
    };
}
