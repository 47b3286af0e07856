/* SPDX-License-Identifier: Apache-2.0 */
/* Wavefront from the goal over the cells that the robot's centre may enter. */
#include "planner.h"

#include <string.h>

#define N           DPL_NAV_MAP_CELLS
#define MAX_DISC    5    /* cells per radius */
#define BARRIER_M   0.25 /* radius of a barrier */
#define NEAR_GOAL   2    /* cells around a blocked goal */
#define START_CELLS 2    /* around the robot; there only the obstacles themselves block */

/* Neighbours, straight ones first: of equal paths the straight one is taken. */
static const int neighbour_i[8] = {1, -1, 0, 0, 1, 1, -1, -1};
static const int neighbour_j[8] = {0, 0, 1, -1, 1, -1, 1, -1};

static bool is_inside(int i, int j)
{
    return i >= 0 && j >= 0 && i < N && j < N;
}

static void block_disc(struct dpl_nav_planner *planner, int i, int j, double radius_cells)
{
    int reach = (int)fmin(ceil(radius_cells), MAX_DISC);
    for (int di = -reach; di <= reach; di++) {
        for (int dj = -reach; dj <= reach; dj++) {
            if (di * di + dj * dj < radius_cells * radius_cells && is_inside(i + di, j + dj)) {
                planner->blocked[(i + di) * N + j + dj] = true;
            }
        }
    }
}

static bool is_occupied(const struct dpl_nav_map *map, int i, int j)
{
    return dpl_nav_map_is_occupied(map, (struct dpl_nav_cell){map->i0 + i, map->j0 + j});
}

static void block_barriers(struct dpl_nav_planner *planner, const struct dpl_nav_map *map,
                           double now_s)
{
    for (size_t n = 0; n < DPL_NAV_BARRIERS; n++) {
        struct dpl_nav_cell cell = dpl_nav_map_cell(map->barriers[n].x, map->barriers[n].y);
        if (now_s < map->barriers[n].until_s && dpl_nav_map_contains(map, cell)) {
            block_disc(planner, cell.i - map->i0, cell.j - map->j0, BARRIER_M / DPL_NAV_MAP_CELL_M);
        }
    }
}

static void widen(struct dpl_nav_planner *planner, const struct dpl_nav_map *map,
                  const struct dpl_nav_plan_request *request, int robot_i, int robot_j)
{
    memset(planner->blocked, 0, sizeof planner->blocked);
    for (int row = 0; row < N; row++) {
        for (int column = 0; column < N; column++) {
            if (map->evidence[row][column] >= DPL_NAV_MAP_OCCUPIED) {
                int i = (row - map->i0) & (N - 1), j = (column - map->j0) & (N - 1);
                block_disc(planner, i, j, request->radius_m / DPL_NAV_MAP_CELL_M);
            }
        }
    }
    block_barriers(planner, map, request->now_s);
    for (int i = robot_i - START_CELLS; i <= robot_i + START_CELLS; i++) {
        for (int j = robot_j - START_CELLS; j <= robot_j + START_CELLS; j++) {
            if (is_inside(i, j) && !is_occupied(map, i, j)) {
                planner->blocked[i * N + j] = false;
            }
        }
    }
}

static size_t enqueue(struct dpl_nav_planner *planner, size_t tail, int index, int steps)
{
    planner->steps[index] = (uint16_t)steps;
    planner->queue[tail] = (uint16_t)index;
    return tail + 1;
}

/* Starts with the goal, or with the free cells next to it. */
static size_t seed(struct dpl_nav_planner *planner, int goal_i, int goal_j)
{
    if (!planner->blocked[goal_i * N + goal_j]) {
        return enqueue(planner, 0, goal_i * N + goal_j, 1);
    }
    size_t tail = 0;
    for (int i = goal_i - NEAR_GOAL; i <= goal_i + NEAR_GOAL; i++) {
        for (int j = goal_j - NEAR_GOAL; j <= goal_j + NEAR_GOAL; j++) {
            if (is_inside(i, j) && !planner->blocked[i * N + j]) {
                tail = enqueue(planner, tail, i * N + j, 1);
            }
        }
    }
    return tail;
}

/* Counts steps outward from the goal until the robot's cell is reached. */
static bool spread(struct dpl_nav_planner *planner, size_t tail, int robot)
{
    for (size_t head = 0; head < tail; head++) {
        int index = planner->queue[head], i = index / N, j = index % N;
        if (index == robot) {
            return true;
        }
        for (int k = 0; k < 8; k++) {
            int ni = i + neighbour_i[k], nj = j + neighbour_j[k], next = ni * N + nj;
            if (is_inside(ni, nj) && !planner->blocked[next] && planner->steps[next] == 0) {
                tail = enqueue(planner, tail, next, planner->steps[index] + 1);
            }
        }
    }
    return false;
}

static int next_on_way(const struct dpl_nav_planner *planner, int index)
{
    int best = index, i = index / N, j = index % N;
    for (int k = 0; k < 8; k++) {
        int ni = i + neighbour_i[k], nj = j + neighbour_j[k], next = ni * N + nj;
        if (is_inside(ni, nj) && planner->steps[next] > 0 &&
            planner->steps[next] < planner->steps[best]) {
            best = next;
        }
    }
    return best;
}

static bool is_straight_free(const struct dpl_nav_planner *planner, int from, int to)
{
    int di = to / N - from / N, dj = to % N - from % N;
    int count = 2 * (di * di > dj * dj ? (di < 0 ? -di : di) : (dj < 0 ? -dj : dj));
    for (int k = 1; k < count; k++) {
        double part = (double)k / count;
        int i = (int)lround(from / N + part * di), j = (int)lround(from % N + part * dj);
        if (planner->blocked[i * N + j]) {
            return false;
        }
    }
    return true;
}

/* The last cell of the path that is in straight free view from the start. */
static int place_ahead(const struct dpl_nav_planner *planner, int robot, double ahead_m)
{
    int place = robot, cell = robot, count = (int)(ahead_m / DPL_NAV_MAP_CELL_M);
    for (int k = 0; k < count; k++) {
        int next = next_on_way(planner, cell);
        if (next == cell) {
            break;
        }
        cell = next;
        place = k < 2 || is_straight_free(planner, robot, cell) ? cell : place;
    }
    return place;
}

static int within(double value)
{
    return (int)dpl_clamp(value, 0.0, N - 1);
}

bool dpl_nav_plan(struct dpl_nav_planner *planner, const struct dpl_nav_map *map,
                  const struct dpl_nav_plan_request *request, struct dpl_nav_plan *ret_plan)
{
    struct dpl_nav_cell from = dpl_nav_map_cell(request->robot.x, request->robot.y);
    struct dpl_nav_cell to = dpl_nav_map_cell(request->goal.x, request->goal.y);
    int robot_i = within((double)from.i - map->i0), robot_j = within((double)from.j - map->j0);
    int goal_i = within((double)to.i - map->i0), goal_j = within((double)to.j - map->j0);
    widen(planner, map, request, robot_i, robot_j);
    memset(planner->steps, 0, sizeof planner->steps);
    int robot = robot_i * N + robot_j;
    if (!spread(planner, seed(planner, goal_i, goal_j), robot)) {
        return false;
    }
    int place = place_ahead(planner, robot, request->ahead_m);
    bool is_goal = planner->steps[place] == 1 && dpl_nav_map_contains(map, to);
    struct dpl_pose2 middle = {(map->i0 + place / N + 0.5) * DPL_NAV_MAP_CELL_M,
                               (map->j0 + place % N + 0.5) * DPL_NAV_MAP_CELL_M, 0.0};
    *ret_plan = (struct dpl_nav_plan){is_goal ? request->goal : middle,
                                      planner->steps[robot] * DPL_NAV_MAP_CELL_M};
    return true;
}
