/* SPDX-License-Identifier: Apache-2.0 */
/* What Doppel adds to Bullet: a step of a world (actuators, solver, state, contacts, sensors)
 * against Bullet's own step of the same world, called directly, in one run. One robot that drives
 * on a circle among 100 boxes. Prints both; fails above the ratio the project promises. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <doppel/sim/devices.h>
#include <doppel/sim/load.h>
#include <doppel/sim/subsystem.h>
#include <doppel/sim/world.h>

#include "mobile_state.h"

enum { ROUNDS = 15, STEPS = 20000 };
static const double promised = 1.05;

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct dpl_sim_model *load(const char *file)
{
    const struct dpl_sim_set params[] = {
        {.text = "ROBOTS=1"}, {.text = "BOXES=100"}, {.text = "PLANAR=0"}};
    struct dpl_sim_load_options options = {.params = params, .n_params = 3};
    struct dpl_sim_model *model;
    struct dpl_diag error = {0};
    if (dpl_sim_load_world_with(file, &options, &model, &error) < 0) {
        dpl_diag_print(stderr, &error);
        exit(1);
    }
    return model;
}

/* Microseconds a step: of the world, or (`is_direct`) of Bullet alone. */
static double round_us(struct dpl_world *world, bool is_direct)
{
    struct dpl_mobile *mobile = dpl_world_subsystem(world, &dpl_mobile_subsystem);
    double dt = dpl_ns_to_s(dpl_world_model(world)->step), begin = cpu_s();
    if (is_direct) {
        for (int i = 0; i < STEPS; i++) {
            dpl__solver_step(mobile->solver, dt);
        }
    } else {
        dpl_world_step(world, STEPS);
    }
    return 1e6 * (cpu_s() - begin) / STEPS;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: bench_direct tests/bench/fleet.xml\n");
        return 2;
    }
    struct dpl_sim_model *model = load(argv[1]);
    struct dpl_world *world;
    if (dpl_world_create(model, &world, NULL) < 0) {
        return 1;
    }
    dpl_world_set_motor(world, 0, 3.0);
    dpl_world_set_motor(world, 1, 5.0);
    dpl_world_step(world, 1000);
    double ours = 1e9, direct = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        double a = round_us(world, false), b = round_us(world, true);
        ours = a < ours ? a : ours;
        direct = b < direct ? b : direct;
    }
    printf("one robot, 100 boxes: %.3f us a step, Bullet alone %.3f us: %.3f times\n", ours, direct,
           ours / direct);
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    return ours / direct > promised;
}
