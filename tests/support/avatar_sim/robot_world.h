/* SPDX-License-Identifier: Apache-2.0 */
/* A world of robots that a test builds from a model and drives; a suite begins with
 * robot_world_begin and ends with robot_world_end. */
#ifndef DOPPEL_TEST_ROBOT_WORLD_H
#define DOPPEL_TEST_ROBOT_WORLD_H

#include <math.h>

#include <criterion/criterion.h>
#include <doppel/sim/devices.h>
#include <doppel/sim/world.h>

#include "scene.h"

static struct dpl_sim_model *model;
static struct dpl_world *world;

static inline void robot_world_begin(void)
{
    model = dpl_sim_model_create();
    cr_assert_not_null(model);
}

static inline void robot_world_end(void)
{
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    world = NULL;
}

static inline void add_robot(struct scene_robot robot)
{
    struct dpl_diag diag;
    cr_assert_eq(scene_add(model, &robot, &diag), 0, "%s", diag.text);
}

static inline void add_obstacle(struct dpl_sim_obstacle obstacle)
{
    cr_assert_eq(dpl_sim_model_add_obstacle(model, &obstacle, NULL), 0);
}

static inline struct dpl_world *create(void)
{
    struct dpl_world *made = NULL;
    struct dpl_diag diag;
    cr_assert_eq(dpl_world_create(model, &made, &diag), 0, "%s", diag.text);
    return made;
}

static inline void drive(struct dpl_world *w, double linear, double angular)
{
    double half = 0.5 * scene_axle;
    dpl_world_set_motor(w, 0, (linear - angular * half) / scene_wheel_radius);
    dpl_world_set_motor(w, 1, (linear + angular * half) / scene_wheel_radius);
}

static inline struct dpl_world_robot robot_of(struct dpl_world *w)
{
    struct dpl_world_robot robot;
    dpl_world_get_robot(w, 0, &robot);
    return robot;
}

/* Speeds up gently, then keeps the speed: what the driver above would do. Returns the distance. */
static inline void drive_profile(struct dpl_world *w, double linear, double angular, double seconds)
{
    double dt = dpl_ns_to_s(dpl_world_model(w)->step);
    long n = lround(seconds / dt);
    for (long i = 0; i < n; i++) {
        double share = fmin(1.0, (double)(i + 1) * dt / 0.5);
        drive(w, share * linear, share * angular);
        dpl_world_step(w, 1);
    }
}

/* The integral of the profile above. */
static inline double profile_time(double seconds)
{
    return seconds - 0.25;
}

/* A box of 1 m around (2, 0); the robot is a cylinder of radius 0.2. */
static inline void make_box_ahead(void)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    add_obstacle(scene_box(2.0, 0.0, 1.0));
    world = create();
}

#endif
