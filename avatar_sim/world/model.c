/* SPDX-License-Identifier: Apache-2.0 */
/* Building a model and refusing numbers that make no sense: see doppel/sim/model.h. */
#include <doppel/sim/model.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nothing in a world is larger or further away than this: keeps grids and solvers sane. */
static const double extent_max_m = 10000.0;

static const struct dpl_place nowhere;

struct dpl_sim_model *dpl_sim_model_create(void)
{
    struct dpl_sim_model *model = calloc(1, sizeof *model);
    if (!model) {
        return NULL;
    }
    model->step = DPL_MS;
    model->iterations = 10;
    model->seed = 1;
    model->ground_friction = 1.0;
    return model;
}

void dpl_sim_model_destroy(struct dpl_sim_model *model)
{
    if (!model) {
        return;
    }
    free(model->obstacles);
    free(model->robots);
    free(model);
}

/* Makes room for one more item: 0, -ENOSPC, -ENOMEM. */
static int grow(void **items, size_t *capacity, size_t n, size_t size, size_t max)
{
    if (n >= max) {
        return -ENOSPC;
    }
    if (n < *capacity) {
        return 0;
    }
    size_t wanted = *capacity ? 2 * *capacity : 8;
    void *larger = realloc(*items, wanted * size);
    if (!larger) {
        return -ENOMEM;
    }
    *items = larger;
    *capacity = wanted;
    return 0;
}

static bool within(double value, double low, double high)
{
    return value >= low && value <= high; /* false for NaN */
}

static int check_size(double value, const char *what, struct dpl_diag *reterr)
{
    if (!within(value, 1e-4, extent_max_m)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "%s is %g m, expected 0.0001 to %g m", what,
                        value, extent_max_m);
    }
    return 0;
}

static int check_place(const double values[4], struct dpl_diag *reterr)
{
    for (int i = 0; i < 4; i++) {
        if (!within(values[i], -extent_max_m, extent_max_m)) {
            return dpl_fail(reterr, -EINVAL, nowhere, "position is %g, expected within %g m",
                            values[i], extent_max_m);
        }
    }
    return 0;
}

static int check_range(double value, double low, double high, const char *what,
                       struct dpl_diag *reterr)
{
    if (!within(value, low, high)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "%s is %g, expected %g to %g", what, value, low,
                        high);
    }
    return 0;
}

int dpl_sim_shape_check(const struct dpl_sim_shape *shape, struct dpl_diag *reterr)
{
    int rc = check_place((double[4]){shape->x, shape->y, shape->z, shape->yaw}, reterr);
    switch (shape->kind) {
    case DPL_SIM_BOX:
        rc = rc ? rc : check_size(shape->size_x, "size_x", reterr);
        rc = rc ? rc : check_size(shape->size_y, "size_y", reterr);
        return rc ? rc : check_size(shape->size_z, "size_z", reterr);
    case DPL_SIM_CYLINDER:
    case DPL_SIM_CAPSULE: rc = rc ? rc : check_size(shape->height, "height", reterr); break;
    case DPL_SIM_SPHERE: break;
    }
    return rc ? rc : check_size(shape->radius, "radius", reterr);
}

static int check_wheel(const struct dpl_sim_wheel *w, struct dpl_diag *reterr)
{
    const struct {
        double value, low, high;
        const char *what;
    } limits[] = {
        {w->x, -10.0, 10.0, "x of a wheel"},
        {w->y, -10.0, 10.0, "y of a wheel"},
        {w->radius, 0.005, 2.0, "radius of a wheel"},
        {w->mass, 0.001, 1000.0, "mass of a wheel"},
        {w->friction, 0.0, 10.0, "friction of a wheel"},
        {w->max_torque, 0.0, 10000.0, "max_torque of a motor"},
        {w->max_speed, 0.0, 1000.0, "max_speed of a motor"},
        {w->latency_s, 0.0, 4.0, "latency of a motor"},
        {w->lag_s, 0.0, 10.0, "lag of a motor"},
        {w->speed_noise, 0.0, 1.0, "speed_noise of a motor"},
        {w->counts_per_turn, 0.0, 1e9, "counts_per_turn of an encoder"},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        int rc =
            check_range(limits[i].value, limits[i].low, limits[i].high, limits[i].what, reterr);
        if (rc) {
            return rc;
        }
    }
    return 0;
}

static int check_laser(const struct dpl_sim_laser *l, struct dpl_diag *reterr)
{
    if (l->steps < 1 || l->steps > 100000 || l->first < 0 || l->last < l->first ||
        l->last >= l->steps + l->first || dpl_sim_laser_beams(l) > DPL_SIM_BEAMS_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "laser '%s' has steps %d, first %d, last %d; expected at most one turn and "
                        "%d beams",
                        l->name, l->steps, l->first, l->last, DPL_SIM_BEAMS_MAX);
    }
    int rc = check_place((double[4]){l->x, l->y, l->z, l->yaw}, reterr);
    rc = rc ? rc : check_range(l->max_range, 0.01, 1000.0, "max_range of a laser", reterr);
    rc = rc ? rc : check_range(l->min_range, 0.0, l->max_range, "min_range of a laser", reterr);
    rc = rc ? rc : check_range(l->resolution, 0.0, 1.0, "resolution of a laser", reterr);
    rc = rc ? rc : check_range(l->noise, 0.0, 1.0, "noise of a laser", reterr);
    rc = rc ? rc : check_range(l->dropout, 0.0, 1.0, "dropout of a laser", reterr);
    return rc ? rc : check_range(l->rate_hz, 0.1, 1000.0, "rate_hz of a laser", reterr);
}

static int check_parts(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    int rc = 0;
    for (size_t i = 0; i < robot->n_shapes && !rc; i++) {
        rc = dpl_sim_shape_check(&robot->shapes[i], reterr);
    }
    for (size_t i = 0; i < robot->n_wheels && !rc; i++) {
        rc = check_wheel(&robot->wheels[i], reterr);
    }
    for (size_t i = 0; i < robot->n_casters && !rc; i++) {
        const struct dpl_sim_caster *c = &robot->casters[i];
        rc = check_range(c->gap, 0.0, 0.1, "gap of a caster", reterr);
        rc = rc ? rc : check_size(c->radius, "radius of a caster", reterr);
        rc = rc ? rc : check_place((double[4]){c->x, c->y}, reterr);
    }
    for (size_t i = 0; i < robot->n_lasers && !rc; i++) {
        rc = check_laser(&robot->lasers[i], reterr);
    }
    return rc;
}

/* Names are parts of the paths of channels, which stand in tables and on command lines. */
static int check_word(const char *name, const char *what, struct dpl_diag *reterr)
{
    for (const char *c = name; *c; c++) {
        if (strchr("/,=\"", *c) || (unsigned char)*c < ' ') {
            return dpl_fail(reterr, -EINVAL, nowhere,
                            "the name '%s' of a %s has a character that no name may have: one of "
                            "/ , = \" or a control character",
                            name, what);
        }
    }
    return 0;
}

static int check_words(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    int rc = check_word(robot->name, "robot", reterr);
    for (size_t i = 0; i < robot->n_wheels && rc == 0; i++) {
        rc = check_word(robot->wheels[i].motor, "motor", reterr);
        rc = rc ? rc : check_word(robot->wheels[i].encoder, "encoder", reterr);
    }
    for (size_t i = 0; i < robot->n_lasers && rc == 0; i++) {
        rc = check_word(robot->lasers[i].name, "laser", reterr);
    }
    for (size_t i = 0; robot->is_machine && i < DPL_SIM_AXES && rc == 0; i++) {
        rc = check_word(robot->machine.axes[i].name, "axis", reterr);
    }
    return rc;
}

/* Two devices of one kind must not share a name; a wheel may lack a motor or an encoder. */
static int check_names(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    for (size_t i = 0; i < robot->n_wheels; i++) {
        const struct dpl_sim_wheel *a = &robot->wheels[i];
        for (size_t k = 0; k < i; k++) {
            const struct dpl_sim_wheel *b = &robot->wheels[k];
            if (*a->motor && dpl_name_equal(a->motor, b->motor)) {
                return dpl_fail(reterr, -EINVAL, nowhere, "two motors are called '%s'", a->motor);
            }
            if (*a->encoder && dpl_name_equal(a->encoder, b->encoder)) {
                return dpl_fail(reterr, -EINVAL, nowhere, "two encoders are called '%s'",
                                a->encoder);
            }
        }
    }
    for (size_t i = 1; i < robot->n_lasers; i++) {
        if (dpl_name_equal(robot->lasers[0].name, robot->lasers[i].name)) {
            return dpl_fail(reterr, -EINVAL, nowhere, "two lasers are called '%s'",
                            robot->lasers[i].name);
        }
    }
    return 0;
}

int dpl_sim_robot_check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    if (robot->is_machine) {
        int err = check_words(robot, reterr);
        err = err ? err
                  : check_place((double[4]){robot->start.x, robot->start.y, robot->start.theta},
                                reterr);
        return err ? err : dpl_sim_machine_check(&robot->machine, reterr);
    }
    if (robot->n_shapes < 1 || robot->n_shapes > DPL_SIM_SHAPES_MAX ||
        robot->n_wheels > DPL_SIM_WHEELS_MAX || robot->n_casters > DPL_SIM_CASTERS_MAX ||
        robot->n_lasers > DPL_SIM_LASERS_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "robot '%s' has %zu chassis shapes, %zu wheels, %zu casters, %zu lasers; "
                        "expected 1 to %d, at most %d, %d, %d",
                        robot->name, robot->n_shapes, robot->n_wheels, robot->n_casters,
                        robot->n_lasers, DPL_SIM_SHAPES_MAX, DPL_SIM_WHEELS_MAX,
                        DPL_SIM_CASTERS_MAX, DPL_SIM_LASERS_MAX);
    }
    int rc = check_range(robot->mass, 0.01, 10000.0, "mass of the chassis", reterr);
    rc = rc ? rc : check_range(robot->friction, 0.0, 10.0, "friction of the chassis", reterr);
    rc = rc ? rc
            : check_place((double[4]){robot->start.x, robot->start.y, robot->start.theta}, reterr);
    rc = rc ? rc : check_place((double[4]){robot->mass_x, robot->mass_y, robot->mass_z}, reterr);
    rc = rc ? rc : check_parts(robot, reterr);
    rc = rc ? rc : check_words(robot, reterr);
    return rc ? rc : check_names(robot, reterr);
}

int dpl_sim_model_add_obstacle(struct dpl_sim_model *model, const struct dpl_sim_obstacle *obstacle,
                               struct dpl_diag *reterr)
{
    int rc = dpl_sim_shape_check(&obstacle->shape, reterr);
    rc = rc ? rc : check_range(obstacle->friction, 0.0, 10.0, "friction", reterr);
    if (rc) {
        return rc;
    }
    void *items = model->obstacles;
    rc = grow(&items, &model->obstacles_capacity, model->n_obstacles, sizeof *obstacle,
              DPL_SIM_OBSTACLES_MAX);
    if (rc) {
        return dpl_fail(reterr, rc, nowhere, "no room for more than %zu obstacles",
                        model->n_obstacles);
    }
    model->obstacles = items;
    model->obstacles[model->n_obstacles++] = *obstacle;
    return 0;
}

int dpl_sim_model_add_robot(struct dpl_sim_model *model, const struct dpl_sim_robot *robot,
                            struct dpl_diag *reterr)
{
    int rc = dpl_sim_robot_check(robot, reterr);
    if (rc) {
        return rc;
    }
    for (size_t i = 0; i < model->n_robots; i++) {
        if (dpl_name_equal(model->robots[i].name, robot->name)) {
            return dpl_fail(reterr, -EINVAL, nowhere, "two robots are called '%s'", robot->name);
        }
    }
    void *items = model->robots;
    rc = grow(&items, &model->robots_capacity, model->n_robots, sizeof *robot, DPL_SIM_ROBOTS_MAX);
    if (rc) {
        return dpl_fail(reterr, rc, nowhere, "no room for more than %zu robots", model->n_robots);
    }
    model->robots = items;
    model->robots[model->n_robots++] = *robot;
    return 0;
}

struct dpl_sim_shape dpl_sim_wall(const double from[2], const double to[2], double thickness,
                                  double height)
{
    double dx = to[0] - from[0], dy = to[1] - from[1];
    return (struct dpl_sim_shape){
        .kind = DPL_SIM_BOX,
        .x = 0.5 * (from[0] + to[0]),
        .y = 0.5 * (from[1] + to[1]),
        .z = 0.5 * height,
        .yaw = atan2(dy, dx),
        .size_x = hypot(dx, dy),
        .size_y = thickness,
        .size_z = height,
    };
}

static double shape_reach(const struct dpl_sim_shape *shape)
{
    double centre = hypot(shape->x, shape->y);
    switch (shape->kind) {
    case DPL_SIM_BOX: return centre + 0.5 * hypot(shape->size_x, shape->size_y);
    case DPL_SIM_CAPSULE:
        return centre + shape->radius + (shape->lying ? 0.5 * shape->height : 0.0);
    case DPL_SIM_SPHERE:
    case DPL_SIM_CYLINDER: break;
    }
    return centre + shape->radius;
}

double dpl_sim_robot_radius(const struct dpl_sim_robot *robot)
{
    double radius = 0.0;
    for (size_t i = 0; i < robot->n_shapes; i++) {
        radius = fmax(radius, shape_reach(&robot->shapes[i]));
    }
    return radius;
}
