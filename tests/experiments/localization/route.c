/* SPDX-License-Identifier: Apache-2.0 */
#include "route.h"

#include <string.h>

#define LOOK_CELLS 5
#define NEAR_CELLS 4
#define TURN_GAIN  2.5
#define TURN_MAX   1.2
#define LOOK_RAD_S 0.6
#define LOOKS      200 /* of 50 ms: 6 rad */

static int cell_of(const struct route *route, double x, double y)
{
    int i = (int)floor((x - route->x1) / ROUTE_CELL_M),
        j = (int)floor((y - route->y1) / ROUTE_CELL_M);
    bool inside = i >= 0 && j >= 0 && i < route->nx && j < route->ny;
    return inside ? j * route->nx + i : -1;
}

static double middle_x(const struct route *route, int cell)
{
    return route->x1 + (cell % route->nx + 0.5) * ROUTE_CELL_M;
}

static double middle_y(const struct route *route, int cell)
{
    return route->y1 + (cell / route->nx + 0.5) * ROUTE_CELL_M;
}

static double distance_to(const struct dpl_raycast_outline *o, double x, double y)
{
    if (o->radius > 0.0) {
        return fmax(0.0, hypot(x - o->x, y - o->y) - o->radius);
    }
    double length2 = o->dx * o->dx + o->dy * o->dy;
    double t = length2 > 0.0 ? ((x - o->x) * o->dx + (y - o->y) * o->dy) / length2 : 0.0;
    t = dpl_clamp(t, 0.0, 1.0);
    return hypot(x - o->x - t * o->dx, y - o->y - t * o->dy);
}

static double clearance(const struct room *room, double x, double y)
{
    double least = (double)INFINITY;
    for (size_t i = 0; i < room->n; i++) {
        for (size_t k = 0; k < room->objects[i].n; k++) {
            least = fmin(least, distance_to(&room->objects[i].outlines[k], x, y));
        }
    }
    return least;
}

static int reach(struct route *route, int goal)
{
    static const int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
    int head = 0, tail = 0;
    memset(route->steps, 0xff, sizeof route->steps);
    route->steps[goal] = 0;
    route->queue[tail++] = (uint32_t)goal;
    while (head < tail) {
        int cell = (int)route->queue[head++];
        for (int k = 0; k < 4; k++) {
            int i = cell % route->nx + dx[k], j = cell / route->nx + dy[k];
            int to = j * route->nx + i;
            if (i >= 0 && j >= 0 && i < route->nx && j < route->ny && !route->blocked[to] &&
                route->steps[to] == UINT16_MAX) {
                route->steps[to] = (uint16_t)(route->steps[cell] + 1);
                route->queue[tail++] = (uint32_t)to;
            }
        }
    }
    return tail;
}

static int random_free_cell(struct route *route)
{
    for (int i = 0; i < 100000; i++) {
        int cell = (int)dpl_random_uniform(&route->rng, 0.0, route->nx * route->ny);
        if (!route->blocked[cell]) {
            return cell;
        }
    }
    return 0;
}

static int nearest_way(const struct route *route, int cell)
{
    for (int ring = 0; ring < 6; ring++) {
        for (int d = -ring; d <= ring; d++) {
            int options[4][2] = {{d, -ring}, {d, ring}, {-ring, d}, {ring, d}};
            for (int k = 0; k < 4; k++) {
                int i = cell % route->nx + options[k][0], j = cell / route->nx + options[k][1];
                if (i >= 0 && j >= 0 && i < route->nx && j < route->ny &&
                    route->steps[j * route->nx + i] != UINT16_MAX) {
                    return j * route->nx + i;
                }
            }
        }
    }
    return -1;
}

static void choose_goal(struct route *route, struct dpl_pose2 at)
{
    int here = cell_of(route, at.x, at.y);
    for (int i = 0; i < 50; i++) {
        int goal = random_free_cell(route);
        if (route->back_and_forth) {
            int at_end = here % route->nx > route->nx / 2 ? 8 : route->nx - 9;
            goal = route->ny / 2 * route->nx + at_end;
        }
        reach(route, goal);
        int way = here >= 0 ? nearest_way(route, here) : -1;
        if (way >= 0 && route->steps[way] > 10) {
            route->goal = goal;
            return;
        }
    }
    route->goal = -1;
}

void route_init(struct route *route, const struct room *room, double clearance_m,
                struct dpl_random rng)
{
    memset(route, 0, sizeof *route);
    route->rng = rng;
    route->x1 = room->x1;
    route->y1 = room->y1;
    route->speed = 0.3;
    route->nx = (int)ceil((room->x2 - room->x1) / ROUTE_CELL_M);
    route->ny = (int)ceil((room->y2 - room->y1) / ROUTE_CELL_M);
    for (int i = 0; i < route->nx * route->ny; i++) {
        route->blocked[i] = clearance(room, middle_x(route, i), middle_y(route, i)) < clearance_m;
    }
    route->goal = -1;
}

struct dpl_pose2 route_start(struct route *route)
{
    int cell = 0, n_free = 0;
    for (int i = 0; i < route->nx * route->ny; i++) {
        n_free += !route->blocked[i];
    }
    for (int i = 0; i < 100; i++) {
        cell = random_free_cell(route);
        if (reach(route, cell) * 2 > n_free) {
            break;
        }
    }
    double theta = dpl_random_uniform(&route->rng, -DPL_PI, DPL_PI);
    if (route->back_and_forth) {
        cell = route->ny / 2 * route->nx + route->nx * 3 / 10;
    }
    return (struct dpl_pose2){middle_x(route, cell), middle_y(route, cell), theta};
}

bool route_is_free(const struct route *route, double x, double y)
{
    int cell = cell_of(route, x, y);
    return cell >= 0 && !route->blocked[cell];
}

/* Next cell towards the goal, diagonal ones too where both sides are free. */
static int next_cell(const struct route *route, int cell)
{
    int best = cell;
    for (int dj = -1; dj <= 1; dj++) {
        for (int di = -1; di <= 1; di++) {
            int i = cell % route->nx + di, j = cell / route->nx + dj;
            if (i < 0 || j < 0 || i >= route->nx || j >= route->ny) {
                continue;
            }
            int to = j * route->nx + i;
            best = route->steps[to] < route->steps[best] ? to : best;
        }
    }
    return best;
}

struct dpl_twist2 route_drive(struct route *route, struct dpl_pose2 at)
{
    if (route->looks > 0) {
        route->looks--;
        return (struct dpl_twist2){0.0, LOOK_RAD_S};
    }
    int cell = cell_of(route, at.x, at.y);
    cell = cell >= 0 && route->goal >= 0 ? nearest_way(route, cell) : -1;
    if (cell < 0 || route->steps[cell] < NEAR_CELLS) {
        bool first = route->goal < 0;
        choose_goal(route, at);
        bool looks = !route->back_and_forth && (!first || route->look_first);
        route->looks = looks ? LOOKS : 0;
        cell = cell_of(route, at.x, at.y);
        cell = cell >= 0 && route->goal >= 0 ? nearest_way(route, cell) : -1;
    }
    if (cell < 0) {
        return (struct dpl_twist2){0.0, 0.3};
    }
    for (int i = 0; i < LOOK_CELLS; i++) {
        cell = next_cell(route, cell);
    }
    double angle = atan2(middle_y(route, cell) - at.y, middle_x(route, cell) - at.x);
    double off = dpl_wrap_angle(angle - at.theta);
    return (struct dpl_twist2){route->speed * fmax(0.0, cos(off)) * (fabs(off) < 0.8),
                               dpl_clamp(TURN_GAIN * off, -TURN_MAX, TURN_MAX)};
}
