/* SPDX-License-Identifier: Apache-2.0 */
#include "things.h"

#define AROUND        72
#define PILLAR_M      0.12
#define PILLAR_AT_M   0.9
#define SIGHT_M       5.6
#define SIGHT_RAD     (2.0 * DPL_PI / 3.0) /* to either side */
#define SLACK_M       0.01
#define PERSON_M      0.15
#define NEAREST_M     0.7
#define FARTHEST_M    1.8
#define STEPS_ASIDE_M 0.4
#define STANDS_S      8.0
#define EVERY_S       20.0

static double free_way(const struct dpl_raycast_index *room, struct dpl_pose2 at, double angle)
{
    struct dpl_raycast_ray ray = {at.x, at.y, cos(angle), sin(angle), 10.0, DPL_RAYCAST_NO_OWNER};
    struct dpl_raycast_hit hit;
    dpl_raycast_ray(room, &ray, &hit);
    return hit.range;
}

double things_clearance(const struct dpl_raycast_index *room, struct dpl_pose2 at)
{
    double least = (double)INFINITY;
    for (int i = 0; i < AROUND; i++) {
        least = fmin(least, free_way(room, at, 2.0 * DPL_PI * i / AROUND));
    }
    return least;
}

static void block_way(struct route *route, double x, double y)
{
    for (int i = 0; i < route->nx * route->ny; i++) {
        double cx = route->x1 + (i % route->nx + 0.5) * ROUTE_CELL_M;
        double cy = route->y1 + (i / route->nx + 0.5) * ROUTE_CELL_M;
        route->blocked[i] = route->blocked[i] || hypot(cx - x, cy - y) < PILLAR_M + 0.3;
    }
    route->goal = -1;
}

struct dpl_raycast_outline things_pillar(const struct dpl_raycast_index *room, struct dpl_pose2 at,
                                         struct route *route)
{
    double angle = at.theta + 1.0;
    for (int i = 0; i < 60 && !(free_way(room, at, angle) > PILLAR_AT_M + PILLAR_M); i++) {
        angle += 0.1;
    }
    struct dpl_raycast_outline pillar = {.x = at.x + PILLAR_AT_M * cos(angle),
                                         .y = at.y + PILLAR_AT_M * sin(angle),
                                         .radius = PILLAR_M,
                                         .owner = DPL_RAYCAST_NO_OWNER};
    block_way(route, pillar.x, pillar.y);
    return pillar;
}

bool things_are_in_sight(const struct dpl_raycast_index *room, struct dpl_pose2 at,
                         const struct dpl_raycast_outline *pillar)
{
    double angle = atan2(pillar->y - at.y, pillar->x - at.x);
    double distance = hypot(pillar->x - at.x, pillar->y - at.y) - pillar->radius;
    return fabs(dpl_wrap_angle(angle - at.theta)) < SIGHT_RAD && distance < SIGHT_M &&
           free_way(room, at, angle) > distance - SLACK_M;
}

void bystanders_step(struct bystanders *bystanders, const struct dpl_raycast_index *room,
                     double now_s, struct dpl_pose2 robot, struct robot_bystander *person)
{
    if (now_s >= bystanders->next_s) {
        double angle = dpl_random_uniform(&bystanders->random, -DPL_PI, DPL_PI);
        double away = dpl_random_uniform(&bystanders->random, NEAREST_M, FARTHEST_M);
        bystanders->next_s = now_s + EVERY_S;
        *person = (struct robot_bystander){.there = free_way(room, robot, angle) > away + PERSON_M,
                                           .x = robot.x + away * cos(angle),
                                           .y = robot.y + away * sin(angle),
                                           .radius = PERSON_M};
    }
    bool goes = now_s >= bystanders->next_s - EVERY_S + STANDS_S;
    bool in_way = hypot(person->x - robot.x, person->y - robot.y) < STEPS_ASIDE_M;
    person->there = person->there && !goes && !in_way;
}
