/* SPDX-License-Identifier: Apache-2.0 */
/* How fast a world runs: solver steps and laser beams a second of CPU time, and what a simulated
 * minute of one robot with a laser costs. Prints a table; fails below the limits the project
 * promises. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <doppel/math/random.h>
#include <doppel/sim/devices.h>
#include <doppel/sim/mobile.h>
#include <doppel/sim/world.h>

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct dpl_sim_wheel wheel(const char *name, double y)
{
    struct dpl_sim_wheel w = {.y = y,
                              .radius = 0.065,
                              .mass = 0.3,
                              .friction = 1.0,
                              .max_torque = 4.0,
                              .max_speed = 20.0};
    snprintf(w.motor, sizeof w.motor, "%s", name);
    return w;
}

static int add_robot(struct dpl_sim_model *model, double rate_hz)
{
    struct dpl_sim_shape shape = {
        .kind = DPL_SIM_CYLINDER, .z = 0.15, .radius = 0.2, .height = 0.2};
    struct dpl_sim_wheel wheels[] = {wheel("left", 0.15), wheel("right", -0.15)};
    struct dpl_sim_caster casters[] = {{.x = 0.15, .radius = 0.03, .gap = 0.0005},
                                       {.x = -0.15, .radius = 0.03, .gap = 0.0005}};
    struct dpl_sim_laser laser = {.name = "laser",
                                  .z = 0.2,
                                  .steps = 1440,
                                  .last = 1080,
                                  .front = 540,
                                  .max_range = 30.0,
                                  .noise = 0.01,
                                  .rate_hz = rate_hz};
    struct dpl_sim_mobile_robot robot = {
        .name = "robot",
        .base = {.mass = 8.0,
                 .friction = 0.3,
                 .mass_x = -0.02,
                 .mass_z = 0.1,
                 .wheels = wheels,
                 .casters = casters,
                 .n_wheels = 2,
                 .n_casters = 2},
        .shapes = &shape,
        .lasers = &laser,
        .n_shapes = 1,
        .n_lasers = 1,
    };
    return dpl_sim_model_add_mobile(model, &robot, NULL);
}

/* Boxes of half a metre on a square that grows with their number, none near the robot. */
static struct dpl_world *make_world(struct dpl_sim_model *model, int n_boxes, double rate_hz)
{
    struct dpl_random rng = dpl_random_seeded(1, (uint64_t)n_boxes);
    double half = 1.5 * sqrt((double)n_boxes);
    while (model->n_obstacles < (size_t)n_boxes) {
        struct dpl_sim_obstacle box = {
            .shape = {.kind = DPL_SIM_BOX,
                      .x = dpl_random_uniform(&rng, -half, half),
                      .y = dpl_random_uniform(&rng, -half, half),
                      .z = 0.25,
                      .yaw = dpl_random_uniform(&rng, 0.0, 3.0),
                      .size_x = 0.5,
                      .size_y = 0.5,
                      .size_z = 0.5},
            .friction = 0.5,
        };
        if (hypot(box.shape.x, box.shape.y) > 1.5) {
            dpl_sim_model_add_obstacle(model, &box, NULL);
        }
    }
    struct dpl_world *world = NULL;
    if (add_robot(model, rate_hz) || dpl_world_create(model, &world, NULL)) {
        exit(1);
    }
    return world;
}

static double minute_cost_s(dpl_ns step, double *ret_steps_s)
{
    struct dpl_sim_model *model = dpl_sim_model_create();
    model->step = step;
    struct dpl_world *world = make_world(model, 100, 10.0);
    dpl_world_enable_laser(world, 0, true);
    dpl_world_set_motor(world, 0, 2.0);
    dpl_world_set_motor(world, 1, 4.0);
    double start = cpu_s();
    dpl_world_run_until(world, 60 * DPL_S);
    double cost = cpu_s() - start;
    *ret_steps_s = (double)(60 * DPL_S / step) / cost;
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    return cost;
}

/* The best of several rounds: other programs take turns on the processor. */
static double beams_s(int n_boxes)
{
    enum { SCANS = 100, ROUNDS = 25 };
    static double ranges[DPL_SIM_BEAMS_MAX];
    struct dpl_sim_model *model = dpl_sim_model_create();
    struct dpl_world *world = make_world(model, n_boxes, 10.0);
    double best = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = cpu_s();
        for (int i = 0; i < SCANS; i++) {
            dpl_world_set_pose(world, 0, (struct dpl_pose2){0.01 * i, 0.005 * i, 0.05 * i});
            dpl_world_measure_exact(world, 0, ranges);
        }
        best = fmax(best, SCANS * 1081.0 / (cpu_s() - start));
    }
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    return best;
}

int main(void)
{
    static const int boxes[] = {100, 1000, 10000};
    static const double limits[] = {25e6, 11e6, 10e6};
    bool slow = false;
    double steps_1 = 0.0, steps_5 = 0.0;
    double cost_1 = minute_cost_s(DPL_MS, &steps_1);
    double cost_5 = minute_cost_s(5 * DPL_MS, &steps_5);
    printf("one robot, laser at 10 Hz, 100 boxes: a simulated minute costs\n");
    printf("  1 ms steps  %6.3f s of CPU  %7.0f steps/s\n", cost_1, steps_1);
    printf("  5 ms steps  %6.3f s of CPU  %7.0f steps/s\n", cost_5, steps_5);
    printf("laser of 1081 beams, 270 degrees, 30 m\n");
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        double rate = beams_s(boxes[i]);
        printf("  %5d boxes  %6.2f million beams/s\n", boxes[i], rate * 1e-6);
        slow |= rate < limits[i];
    }
    if (cost_1 > 0.9 || cost_5 > 0.2 || slow) {
        printf("too slow: expected at most 0.9 s and 0.2 s a minute, and at least 25, 11 and 10 "
               "million beams/s\n");
        return 1;
    }
    return 0;
}
