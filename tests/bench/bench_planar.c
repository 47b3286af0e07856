/* SPDX-License-Identifier: Apache-2.0 */
/* Bases by kinematics (solver planar) against bases by Bullet, in one run: steps a second of CPU
 * time with 100 boxes, and what a robot costs among 10 and among 1000. Prints a table; fails below
 * the limits the project promises. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <doppel/sim/devices.h>
#include <doppel/sim/load.h>
#include <doppel/sim/world.h>

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum kind { BULLET, PLANAR, STEERED };

static struct dpl_sim_model *load(const char *file, int robots, int boxes, enum kind kind)
{
    char texts[4][32];
    snprintf(texts[0], sizeof texts[0], "ROBOTS=%d", robots);
    snprintf(texts[1], sizeof texts[1], "BOXES=%d", boxes);
    snprintf(texts[2], sizeof texts[2], "PLANAR=%d", kind != BULLET);
    snprintf(texts[3], sizeof texts[3], "STEERED=%d", kind == STEERED);
    const struct dpl_sim_set params[] = {
        {.text = texts[0]}, {.text = texts[1]}, {.text = texts[2]}, {.text = texts[3]}};
    struct dpl_sim_load_options options = {.params = params, .n_params = 4};
    struct dpl_sim_model *model;
    struct dpl_diag error = {0};
    if (dpl_sim_load_world_with(file, &options, &model, &error) < 0) {
        dpl_diag_print(stderr, &error);
        exit(1);
    }
    return model;
}

/* Microseconds of CPU time a step, the best of three: every robot drives on a circle. */
static double step_us(const char *file, int robots, int boxes, enum kind kind, unsigned steps)
{
    struct dpl_sim_model *model = load(file, robots, boxes, kind);
    struct dpl_world *world;
    double best = 1e9;
    if (dpl_world_create(model, &world, NULL) < 0) {
        exit(1);
    }
    for (int i = 0; i < robots; i++) {
        dpl_world_set_motor(world, 2 * i, 3.0);
        dpl_world_set_motor(world, 2 * i + 1, 5.0);
    }
    dpl_world_step(world, 1000);
    for (int i = 0; i < 3; i++) {
        double begin = cpu_s();
        dpl_world_step(world, steps);
        double took = 1e6 * (cpu_s() - begin) / steps;
        best = took < best ? took : best;
    }
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    return best;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: bench_planar tests/bench/fleet.xml\n");
        return 2;
    }
    double bullet = step_us(argv[1], 1, 100, BULLET, 50000);
    double planar = step_us(argv[1], 1, 100, PLANAR, 500000);
    double few = step_us(argv[1], 10, 1000, PLANAR, 50000) / 10.0;
    double many = step_us(argv[1], 1000, 1000, PLANAR, 2000) / 1000.0;
    printf("one robot, 100 boxes: bullet %.3f us a step, planar %.4f us: %.1f times faster\n",
           bullet, planar, bullet / planar);
    double steered = step_us(argv[1], 1, 100, STEERED, 500000);
    printf("one base with steered wheels: %.4f us a step, %.2f times one with two wheels\n",
           steered, steered / planar);
    printf("a robot of planar: %.4f us among 10, %.4f us among 1000: %.2f times\n", few, many,
           many / few);
    return bullet / planar < 20.0 || bullet / steered < 20.0 || many / few > 1.2;
}
