/* SPDX-License-Identifier: Apache-2.0 */
#include "report_plan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doppel/sim/load.h>

#define ROUND 24 /* corners of a circle */

/* ---- outlines of shapes ---- */

struct corners {
    double x[2 * ROUND], y[2 * ROUND];
    size_t n;
};

/* At a point of the shape's own frame. */
static void add_corner(struct corners *corners, const struct dpl_sim_shape *shape, double x,
                       double y)
{
    struct dpl_pose2 at = {shape->x, shape->y, shape->yaw};
    struct dpl_pose2 corner = dpl_pose2_compose(at, (struct dpl_pose2){x, y, 0.0});
    corners->x[corners->n] = corner.x;
    corners->y[corners->n++] = corner.y;
}

/* A circle, or with `half` > 0 the outline of two circles at -half and half on the x axis. */
static void add_round(struct corners *corners, const struct dpl_sim_shape *shape, double half)
{
    for (int i = 0; i < ROUND; i++) {
        double angle = ((double)i + 0.5) * 2.0 * DPL_PI / ROUND - DPL_PI / 2.0;
        double x = shape->radius * cos(angle);
        add_corner(corners, shape, x + (i < ROUND / 2 ? half : -half), shape->radius * sin(angle));
    }
}

static struct corners corners_of(const struct dpl_sim_shape *shape)
{
    struct corners corners = {.n = 0};
    if (shape->kind == DPL_SIM_BOX) {
        static const double signs[4][2] = {{1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
        for (int i = 0; i < 4; i++) {
            add_corner(&corners, shape, signs[i][0] * shape->size_x / 2.0,
                       signs[i][1] * shape->size_y / 2.0);
        }
    } else {
        bool lies = shape->kind == DPL_SIM_CAPSULE && shape->lying;
        add_round(&corners, shape, lies ? shape->height / 2.0 : 0.0);
    }
    return corners;
}

/* ---- footprints ---- */

struct point {
    double x, y;
};

static int by_x_then_y(const void *a, const void *b)
{
    const struct point *p = a, *q = b;
    return p->x < q->x ? -1 : p->x > q->x ? 1 : p->y < q->y ? -1 : p->y > q->y;
}

static double turn(struct point a, struct point b, struct point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* The convex hull: A. M. Andrew, Another efficient algorithm for convex hulls in two dimensions,
 * Information Processing Letters 9 (1979). hull has room for 2 n. Returns its corners. */
static size_t make_hull(struct point *points, size_t n, struct point *hull)
{
    size_t k = 0;
    qsort(points, n, sizeof *points, by_x_then_y);
    for (size_t i = 0; i < n; i++) {
        while (k >= 2 && turn(hull[k - 2], hull[k - 1], points[i]) <= 0.0) {
            k--;
        }
        hull[k++] = points[i];
    }
    for (size_t i = n - 1, lower = k + 1; i-- > 0;) {
        while (k >= lower && turn(hull[k - 2], hull[k - 1], points[i]) <= 0.0) {
            k--;
        }
        hull[k++] = points[i];
    }
    return k > 1 ? k - 1 : k; /* the first one is also the last */
}

/* Of the shapes of its first body; a hull with too many corners loses some. */
static int add_footprint(struct report_plan *plan, const struct dpl_sim_robot *robot)
{
    struct footprint *print = &plan->footprints[plan->n_footprints];
    struct point *points = calloc(robot->n_shapes * 2 * ROUND + 1, 3 * sizeof *points);
    size_t n = 0;
    if (!points) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < robot->n_shapes; i++) {
        struct corners corners = corners_of(&robot->shapes[i]);
        for (size_t k = 0; k < corners.n; k++) {
            points[n++] = (struct point){corners.x[k], corners.y[k]};
        }
    }
    struct point *hull = points + robot->n_shapes * 2 * ROUND + 1;
    size_t corners = n > 2 ? make_hull(points, n, hull) : 0;
    size_t step = corners / REPORT_PLAN_CORNERS_MAX + 1;
    for (size_t i = 0; i < corners; i += step) {
        print->x[print->n] = hull[i].x;
        print->y[print->n++] = hull[i].y;
    }
    snprintf(print->robot, sizeof print->robot, "%s", robot->name);
    plan->n_footprints += print->n > 2;
    free(points);
    return 0;
}

/* ---- plans ---- */

static int add_objects(struct report_plan *plan, const struct dpl_sim_model *model)
{
    size_t most = model->n_obstacles * (2 * ROUND + 1) + 1;
    plan->x = malloc(most * sizeof *plan->x);
    plan->y = malloc(most * sizeof *plan->y);
    if (!plan->x || !plan->y) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < model->n_obstacles; i++) {
        struct corners corners = corners_of(&model->obstacles[i].shape);
        memcpy(plan->x + plan->n, corners.x, corners.n * sizeof *plan->x);
        memcpy(plan->y + plan->n, corners.y, corners.n * sizeof *plan->y);
        plan->n += corners.n;
        plan->x[plan->n] = plan->y[plan->n] = (double)NAN;
        plan->n++;
    }
    plan->n_objects = model->n_obstacles;
    return 0;
}

static int fill(struct report_plan *plan, const struct dpl_sim_model *model)
{
    snprintf(plan->name, sizeof plan->name, "%s", model->name);
    plan->has_finish = model->has_finish;
    const struct dpl_sim_line *finish = &model->finish;
    memcpy(plan->finish, (double[4]){finish->x1, finish->y1, finish->x2, finish->y2},
           sizeof plan->finish);
    int err = add_objects(plan, model);
    for (size_t i = 0; err == 0 && i < model->n_robots && plan->n_footprints < ROBOTS_MAX; i++) {
        err = add_footprint(plan, &model->robots[i]);
    }
    return err;
}

int report_plan_read(const char *file, struct dpl_catalog *catalog, struct report_plan *ret_plan,
                     struct dpl_diag *reterr)
{
    struct dpl_sim_model *model = NULL;
    *ret_plan = (struct report_plan){.n = 0};
    struct dpl_sim_load_options options = {.catalog = catalog, .absent_is_warning = true};
    int err = dpl_sim_load_world_with(file, &options, &model, reterr);
    if (err < 0) {
        return err;
    }
    err = fill(ret_plan, model);
    dpl_sim_model_destroy(model);
    if (err < 0) {
        report_plan_finish(ret_plan);
        return dpl_fail(reterr, err, (struct dpl_place){.file = file}, "out of memory");
    }
    return 0;
}

void report_plan_finish(struct report_plan *plan)
{
    free(plan->x);
    free(plan->y);
    *plan = (struct report_plan){.n = 0};
}

/* ---- of a run ---- */

/* In the world of the avatar, or of a robot that is simulated alone. */
static const json_t *device_in_world(const struct robot *robot)
{
    return robot_device(robot, "simulation");
}

const char *report_plan_file(const struct result *result, struct dpl_catalog *catalog)
{
    const char *own = robots_text(result->record, "world");
    for (size_t i = 0; i < result->n_robots; i++) {
        const json_t *device = device_in_world(&result->robots[i]);
        const char *named = robots_property(device, "World");
        if (*named && access(named, R_OK) == 0) {
            return named;
        }
        if (*named && catalog) {
            return dpl_catalog_find_profile(catalog, "worlds", named, NULL);
        }
    }
    return *own ? own : NULL;
}

const struct footprint *report_plan_footprint(const struct report_plan *plan,
                                              const struct robot *robot)
{
    const char *name = robots_property(device_in_world(robot), "RobotName");
    for (size_t i = 0; i < plan->n_footprints; i++) {
        if (strcmp(plan->footprints[i].robot, name) == 0) {
            return &plan->footprints[i];
        }
    }
    return plan->n_footprints == 1 ? &plan->footprints[0] : NULL;
}
