/* SPDX-License-Identifier: Apache-2.0 */
/* A world that gives snapshots something to keep: robots with noise, delays and ramps that run into
 * boxes and into each other, are put elsewhere, and have lasers that are switched on and off. What
 * it is told at a step follows from the number of the step. */
#ifndef DOPPEL_TEST_SNAPSHOT_SCENE_H
#define DOPPEL_TEST_SNAPSHOT_SCENE_H

#include <stdlib.h>
#include <string.h>

#include <doppel/math/random.h>
#include <doppel/sim/devices.h>
#include <doppel/sim/world.h>

#include "scene.h"

enum { SNAPSHOT_ROBOTS = 4, SNAPSHOT_BEAMS = 1081 };

/* All that a world of these lets its users see after a step. */
struct snapshot_view {
    dpl_ns now;
    struct dpl_world_robot robots[SNAPSHOT_ROBOTS];
    struct dpl_world_encoder encoders[2 * SNAPSHOT_ROBOTS];
    dpl_ns scan_stamps[SNAPSHOT_ROBOTS];
    uint64_t scan_sequences[SNAPSHOT_ROBOTS];
    double range_sums[SNAPSHOT_ROBOTS]; /* each beam with a weight of its own */
};

static inline struct scene_robot snapshot_robot(int number)
{
    char name[16];
    snprintf(name, sizeof name, "robot%d", number);
    struct scene_robot robot = scene_robot(name, number % 2 ? 1.0 : -1.0, number / 2 ? 1.0 : -1.0);
    for (size_t i = 0; i < robot.n_wheels; i++) {
        robot.wheels[i].latency_s = 0.01 * number;
        robot.wheels[i].lag_s = 0.02 * (number % 2);
        robot.wheels[i].speed_noise = 0.02;
        robot.wheels[i].counts_per_turn = 4096.0;
    }
    robot.lasers[0].noise = 0.01;
    robot.lasers[0].dropout = 0.01;
    robot.lasers[0].rate_hz = 20.0 + number;
    return robot;
}

static inline struct dpl_sim_model *snapshot_model(size_t n_boxes)
{
    struct dpl_sim_model *model = dpl_sim_model_create();
    struct dpl_random rng = dpl_random_seeded(11, 0);
    while (model->n_obstacles < n_boxes) {
        double x = dpl_random_uniform(&rng, -2.5, 2.5), y = dpl_random_uniform(&rng, -2.5, 2.5);
        struct dpl_sim_obstacle box = scene_box(x, y, 0.3);
        box.shape.yaw = dpl_random_uniform(&rng, 0.0, 3.0);
        if (fabs(fabs(x) - 1.0) > 0.5 || fabs(fabs(y) - 1.0) > 0.5) {
            dpl_sim_model_add_obstacle(model, &box, NULL);
        }
    }
    for (int i = 0; i < SNAPSHOT_ROBOTS; i++) {
        struct scene_robot robot = snapshot_robot(i);
        scene_add(model, &robot, NULL);
    }
    return model;
}

static inline void snapshot_command_robot(struct dpl_world *world, int robot, int step)
{
    struct dpl_random rng = dpl_random_seeded((uint64_t)step, (uint64_t)robot);
    if (step % 200 == 10 * robot) {
        for (int i = 0; i < 2; i++) {
            dpl_world_set_motor_ramp(world, 2 * robot + i, dpl_random_uniform(&rng, -20.0, 100.0));
            dpl_world_set_motor(world, 2 * robot + i, dpl_random_uniform(&rng, -5.0, 20.0));
        }
        dpl_world_enable_laser(world, robot, dpl_random_uniform(&rng, 0.0, 1.0) < 0.8);
    }
    if (step % 1500 == 100 * robot + 700) {
        double x = dpl_random_uniform(&rng, -3.0, 3.0), y = dpl_random_uniform(&rng, -3.0, 3.0);
        dpl_world_set_pose(world, robot, (struct dpl_pose2){x, y, 0.001 * step});
    }
}

static inline void snapshot_see(const struct dpl_world *world, struct snapshot_view *ret_view)
{
    memset(ret_view, 0, sizeof *ret_view); /* views are compared byte by byte */
    ret_view->now = dpl_world_now(world);
    for (int i = 0; i < SNAPSHOT_ROBOTS; i++) {
        struct dpl_world_robot robot;
        struct dpl_world_scan scan;
        dpl_world_get_robot(world, i, &robot);
        ret_view->robots[i].pose = robot.pose;
        ret_view->robots[i].twist = robot.twist;
        ret_view->robots[i].contacts = robot.contacts;
        ret_view->robots[i].touched = robot.touched;
        ret_view->robots[i].ejections = robot.ejections;
        dpl_world_get_encoder(world, 2 * i, &ret_view->encoders[2 * i]);
        dpl_world_get_encoder(world, 2 * i + 1, &ret_view->encoders[2 * i + 1]);
        if (dpl_world_get_scan(world, i, &scan) == 0) {
            ret_view->scan_stamps[i] = scan.stamp;
            ret_view->scan_sequences[i] = scan.sequence;
            for (size_t k = 0; k < scan.n; k++) {
                ret_view->range_sums[i] += (double)(k + 1) * (double)scan.ranges_m[k];
            }
        }
    }
}

/* Step number `step`, the first is 0. */
static inline void snapshot_step(struct dpl_world *world, int step, struct snapshot_view *ret_view)
{
    for (int i = 0; i < SNAPSHOT_ROBOTS; i++) {
        snapshot_command_robot(world, i, step);
    }
    dpl_world_step(world, 1);
    snapshot_see(world, ret_view);
}

#endif
