/* SPDX-License-Identifier: Apache-2.0 */
/* What is in the way of a robot. A robot that is far from everything is not tested: it keeps a
 * bound of its distance, which its way uses up. */
#include <math.h>

#include "planar_state.h"

#define CANDIDATES_MAX 256

static const double touch_m = 1e-4;  /* nearer bodies touch */
static const double horizon_m = 1.0; /* how far around a robot is looked for others */
static const int halvings = 16;      /* of a motion, to find where it ends */

/* What is near a robot. */
struct around {
    struct neighbour {
        const struct dpl_planar_robot *robot; /* NULL: obstacle */
        unsigned obstacle;
        double gap; /* at the start of the motion */
    } items[CANDIDATES_MAX];
    size_t n;
};

/* ---- distances ---- */

static double gap_of_shapes(const struct dpl_planar_robot *robot, struct dpl_pose2 pose,
                            const struct dpl_footprint *other, double ret_point[2])
{
    double least = (double)INFINITY;
    for (size_t i = 0; i < robot->n_shapes; i++) {
        struct dpl_footprint mine = dpl__footprint_at(&robot->shapes[i], pose);
        double point[2] = {0.0, 0.0},
               gap = dpl__footprint_gap(&mine, other, ret_point ? point : NULL);
        if (gap < least) {
            least = gap;
            if (ret_point) {
                ret_point[0] = point[0], ret_point[1] = point[1];
            }
        }
    }
    return least;
}

/* The distance of a robot at a pose to an obstacle or to another robot. */
static double gap_to(const struct dpl_planar *planar, const struct dpl_planar_robot *robot,
                     struct dpl_pose2 pose, const struct neighbour *neighbour, double ret_point[2])
{
    const struct dpl_planar_robot *other = neighbour->robot;
    if (!other) {
        return gap_of_shapes(robot, pose, &planar->tree.items[neighbour->obstacle], ret_point);
    }
    double least = (double)INFINITY;
    for (size_t i = 0; i < other->n_shapes; i++) {
        struct dpl_footprint shape = dpl__footprint_at(&other->shapes[i], other->pose);
        double point[2] = {0.0, 0.0},
               gap = gap_of_shapes(robot, pose, &shape, ret_point ? point : NULL);
        if (gap < least) {
            least = gap;
            if (ret_point) {
                ret_point[0] = point[0], ret_point[1] = point[1];
            }
        }
    }
    return least;
}

/* ---- who is near ---- */

/* Insertion: robots move little between two times. */
static void sort_by_x(struct dpl_planar *planar)
{
    for (size_t i = 1; i < planar->n && !planar->is_sorted; i++) {
        unsigned moved = planar->by_x[i];
        size_t k = i;
        for (; k > 0 && planar->robots[planar->by_x[k - 1]].pose.x > planar->robots[moved].pose.x;
             k--) {
            planar->by_x[k] = planar->by_x[k - 1];
        }
        planar->by_x[k] = moved;
    }
    planar->is_sorted = true;
}

/* The first robot in `by_x` that is not left of x. Others of this step may have moved since. */
static size_t first_from(const struct dpl_planar *planar, double x)
{
    size_t low = 0, high = planar->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        bool is_left = planar->robots[planar->by_x[middle]].pose.x < x;
        low = is_left ? middle + 1 : low;
        high = is_left ? high : middle;
    }
    return low;
}

/* Notes what is nearer than `within`; returns its distance, or `within`. */
static double look_at(const struct dpl_planar *planar, const struct dpl_planar_robot *robot,
                      struct dpl_pose2 pose, double within, const struct neighbour *neighbour,
                      struct around *around)
{
    double gap = gap_to(planar, robot, pose, neighbour, NULL);
    if (gap >= within) {
        return within;
    }
    if (around->n == CANDIDATES_MAX) {
        return 0.0; /* too many to remember: it is looked for again in the next step */
    }
    around->items[around->n] = *neighbour;
    around->items[around->n++].gap = gap;
    return gap;
}

/* Notes what is nearer than `within`; returns the least distance, at most `within`. */
static double look_at_obstacles(const struct dpl_planar *planar,
                                const struct dpl_planar_robot *robot, struct dpl_pose2 pose,
                                double within, struct around *around)
{
    unsigned found[CANDIDATES_MAX];
    size_t n = dpl__footprint_tree_find(&planar->tree, pose.x, pose.y, robot->reach + within, found,
                                        CANDIDATES_MAX);
    double least = n > CANDIDATES_MAX ? 0.0 : within;
    for (size_t i = 0; i < n && i < CANDIDATES_MAX; i++) {
        const struct neighbour obstacle = {.obstacle = found[i]};
        least = fmin(least, look_at(planar, robot, pose, within, &obstacle, around));
    }
    return least;
}

static double look_at_robots(struct dpl_planar *planar, const struct dpl_planar_robot *robot,
                             struct dpl_pose2 pose, double within, struct around *around)
{
    double reach = robot->reach + planar->widest + within, least = within;
    sort_by_x(planar);
    for (size_t i = first_from(planar, pose.x - reach); i < planar->n; i++) {
        const struct dpl_planar_robot *other = &planar->robots[planar->by_x[i]];
        if (other->pose.x > pose.x + reach) {
            break;
        }
        double far = dpl_pose2_distance(pose, other->pose) - robot->reach - other->reach;
        const struct neighbour neighbour = {.robot = other};
        if (other != robot && far < within) {
            least = fmin(least, look_at(planar, robot, pose, within, &neighbour, around));
        }
    }
    return least;
}

/* ---- motions ---- */

/* The first of what is near that the robot would come into: it touches, and is nearer than before.
 */
static bool comes_into(const struct dpl_planar *planar, const struct dpl_planar_robot *robot,
                       struct dpl_pose2 pose, const struct around *around,
                       const struct neighbour **ret_neighbour)
{
    for (size_t i = 0; i < around->n; i++) {
        double gap = gap_to(planar, robot, pose, &around->items[i], NULL);
        if (gap <= touch_m && (gap < around->items[i].gap || gap <= 0.0)) {
            *ret_neighbour = &around->items[i];
            return true;
        }
    }
    return false;
}

/* Between a share of the motion that is free and one that is not. */
static double find_end(const struct dpl_planar *planar, const struct dpl_planar_robot *robot,
                       const struct dpl_planar_twist *twist, double time_s,
                       const struct around *around, const double between[2])
{
    double free = between[0], taken = between[1];
    double least = ldexp(taken - free, -halvings); /* a robot that pushes on gets no further */
    for (int i = 0; i < halvings; i++) {
        double middle = i == 0 ? free + least : 0.5 * (free + taken);
        const struct neighbour *in_the_way;
        struct dpl_pose2 pose = dpl__planar_along(robot->pose, twist, middle * time_s);
        if (taken - free <= least) {
            break;
        }
        bool hits = comes_into(planar, robot, pose, around, &in_the_way);
        taken = hits ? middle : taken;
        free = hits ? free : middle;
    }
    return free;
}

static double free_share(const struct dpl_planar *planar, const struct dpl_planar_robot *robot,
                         const struct dpl_planar_twist *twist, double time_s, double way,
                         const struct around *around, struct dpl_planar_hit *ret_hit)
{
    int n = (int)ceil(fmin(way / robot->stride, 1e4));
    for (int i = 1; i <= n; i++) {
        double share = (double)i / n;
        struct dpl_pose2 pose = dpl__planar_along(robot->pose, twist, share * time_s);
        const struct neighbour *in_the_way;
        if (comes_into(planar, robot, pose, around, &in_the_way)) {
            const double between[2] = {(double)(i - 1) / n, share};
            double end = find_end(planar, robot, twist, time_s, around, between);
            pose = dpl__planar_along(robot->pose, twist, end * time_s);
            gap_to(planar, robot, pose, in_the_way, ret_hit->point);
            ret_hit->contact =
                in_the_way->robot ? in_the_way->robot->body : -1 - (int)in_the_way->obstacle;
            return end;
        }
    }
    return 1.0;
}

double dpl__planar_free(struct dpl_planar *planar, struct dpl_planar_robot *robot,
                        const struct dpl_planar_twist *twist, double time_s,
                        struct dpl_planar_hit *ret_hit)
{
    /* no point of it moves further */
    double way = (hypot(twist->ahead, twist->left) + fabs(twist->turn) * robot->reach) * time_s;
    if (way == 0.0) {
        return 1.0;
    }
    if (way > planar->longest) {
        planar->odometer += way - planar->longest;
        planar->longest = way;
    }
    double others = planar->odometer - robot->odometer_then;
    robot->clear -= way;
    robot->clear_robots -= way;
    if (robot->clear > touch_m && robot->clear_robots - others > touch_m) {
        return 1.0;
    }
    struct around around = {.n = 0};
    double within = way + touch_m + horizon_m;
    robot->clear = look_at_obstacles(planar, robot, robot->pose, within, &around) - way;
    robot->clear_robots = look_at_robots(planar, robot, robot->pose, within, &around) - way;
    robot->odometer_then = planar->odometer;
    bool is_free = robot->clear > touch_m && robot->clear_robots > touch_m;
    return is_free ? 1.0 : free_share(planar, robot, twist, time_s, way, &around, ret_hit);
}

bool dpl__planar_is_taken(struct dpl_planar *planar, const struct dpl_planar_robot *robot,
                          struct dpl_pose2 pose)
{
    struct around around = {.n = 0};
    planar->is_sorted = false;
    return look_at_obstacles(planar, robot, pose, touch_m, &around) <= 0.0 ||
           look_at_robots(planar, robot, pose, touch_m, &around) <= 0.0;
}
