/* SPDX-License-Identifier: Apache-2.0 */
/* Mobile bases in a model: made of a description, and refused when numbers make no sense. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "classes.h"
#include "encoder.h"
#include "laser.h"
#include "mobile_state.h"
#include "model_checks.h"
#include "steering.h"
#include "touch.h"
#include "wheel_motor.h"

static const struct dpl_place nowhere;

static void *copy(struct dpl_arena *memory, const void *items, size_t n, size_t size)
{
    void *made = dpl_arena_alloc(memory, n * size);
    return n > 0 ? memcpy(made, items, n * size) : made;
}

static void add_entry(struct dpl_arena *memory, struct dpl_sim_robot *robot, const char *name,
                      const struct dpl_sim_entry *wanted)
{
    struct dpl_sim_entry entry = *wanted;
    snprintf(entry.name, sizeof entry.name, "%s", name);
    dpl__robot_add_entry(memory, robot, &entry);
}

/* Every wheel has both, also one whose motor or encoder has no name. */
static void add_wheel_entries(struct dpl_arena *memory, struct dpl_sim_robot *robot,
                              struct dpl_sim_mobile *base)
{
    for (size_t i = 0; i < base->n_wheels; i++) {
        struct dpl_sim_wheel *wheel = &base->wheels[i];
        add_entry(memory, robot, wheel->motor,
                  &(struct dpl_sim_entry){
                      .class_ = &dpl_wheel_motor, .settings = wheel, .joint = (int)i});
        add_entry(memory, robot, wheel->encoder,
                  &(struct dpl_sim_entry){.class_ = &dpl_encoder,
                                          .settings = &wheel->counts_per_turn,
                                          .joint = (int)i});
    }
    if (base->has_steering) {
        add_entry(memory, robot, base->steering.name,
                  &(struct dpl_sim_entry){.class_ = &dpl_steering,
                                          .settings = &base->steering,
                                          .joint = (int)base->n_wheels});
    }
    add_entry(memory, robot, "", &(struct dpl_sim_entry){.class_ = &dpl_touch, .joint = -1});
}

void dpl__mobile_assemble(struct dpl_arena *memory, const struct dpl_sim_mobile_robot *from,
                          struct dpl_sim_robot *ret_robot)
{
    struct dpl_sim_mobile *base = copy(memory, &from->base, 1, sizeof *base);
    struct dpl_sim_robot robot = {
        .start = from->start,
        .subsystem = &dpl_mobile_subsystem,
        .part = base,
        .shapes = copy(memory, from->shapes, from->n_shapes, sizeof *from->shapes),
        .n_shapes = from->n_shapes,
    };
    snprintf(robot.name, sizeof robot.name, "%s", from->name);
    base->wheels = copy(memory, base->wheels, base->n_wheels, sizeof *base->wheels);
    base->casters = copy(memory, base->casters, base->n_casters, sizeof *base->casters);
    add_wheel_entries(memory, &robot, base);
    for (size_t i = 0; i < from->n_lasers; i++) {
        struct dpl_sim_laser *laser = copy(memory, &from->lasers[i], 1, sizeof *laser);
        add_entry(memory, &robot, laser->name,
                  &(struct dpl_sim_entry){.class_ = &dpl_laser, .settings = laser, .joint = -1});
    }
    *ret_robot = robot;
}

int dpl_sim_model_add_mobile(struct dpl_sim_model *model, const struct dpl_sim_mobile_robot *from,
                             struct dpl_diag *reterr)
{
    struct dpl_sim_robot robot;
    dpl__mobile_assemble(model->memory, from, &robot);
    return dpl_sim_model_add_robot(model, &robot, reterr);
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
        {w->heading, -10.0, 10.0, "heading of a wheel"},
        {w->roller_angle, -1.5, 1.5, "rollers of a wheel"},
        {w->max_torque, 0.0, 10000.0, "max_torque of a motor"},
        {w->max_speed, 0.0, 1000.0, "max_speed of a motor"},
        {w->latency_s, 0.0, 4.0, "latency of a motor"},
        {w->lag_s, 0.0, 10.0, "lag of a motor"},
        {w->speed_noise, 0.0, 1.0, "speed_noise of a motor"},
        {w->counts_per_turn, 0.0, 1e9, "counts_per_turn of an encoder"},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        int rc = dpl__check_range(limits[i].value, limits[i].low, limits[i].high, limits[i].what,
                                  reterr);
        if (rc) {
            return rc;
        }
    }
    return 0;
}

static int check_caster(const struct dpl_sim_caster *caster, struct dpl_diag *reterr)
{
    int rc = dpl__check_range(caster->gap, 0.0, 0.1, "gap of a caster", reterr);
    rc = rc ? rc : dpl__check_size(caster->radius, "radius of a caster", reterr);
    return rc ? rc : dpl__check_place((double[4]){caster->x, caster->y}, reterr);
}

static int check_mass(const struct dpl_sim_mobile *base, struct dpl_diag *reterr)
{
    int rc = dpl__check_range(base->mass, 0.01, 10000.0, "mass of the chassis", reterr);
    rc = rc ? rc : dpl__check_range(base->friction, 0.0, 10.0, "friction of the chassis", reterr);
    return rc ? rc
              : dpl__check_place((double[4]){base->mass_x, base->mass_y, base->mass_z}, reterr);
}

int dpl__mobile_check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    const struct dpl_sim_mobile *base = robot->part;
    for (size_t i = 0; i < base->n_wheels; i++) {
        const struct dpl_sim_wheel *wheel = &base->wheels[i];
        if (wheel->heading != 0.0 || wheel->has_rollers || wheel->steered) {
            return dpl_fail(
                reterr, -EINVAL, nowhere,
                "robot '%s' has a wheel that is steered, or has a heading or rollers: these need "
                "solver=\"planar\"",
                robot->name);
        }
    }
    if (base->has_steering) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "robot '%s' has a <steering>: it needs solver=\"planar\"", robot->name);
    }
    return dpl__mobile_check_parts(robot, reterr);
}

int dpl__mobile_check_parts(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    const struct dpl_sim_mobile *base = robot->part;
    if (robot->n_shapes < 1) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "robot '%s' has 0 chassis shapes, expected at least one", robot->name);
    }
    int rc = check_mass(base, reterr);
    for (size_t i = 0; i < base->n_wheels && rc == 0; i++) {
        rc = check_wheel(&base->wheels[i], reterr);
    }
    for (size_t i = 0; i < base->n_casters && rc == 0; i++) {
        rc = check_caster(&base->casters[i], reterr);
    }
    return rc;
}
