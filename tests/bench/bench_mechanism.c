/* SPDX-License-Identifier: Apache-2.0 */
/* How fast a world of bodies and joints runs: steps a second of CPU time, and how many times real
 * time that is. Prints a line; fails below ten times real time. */
#include <stdio.h>
#include <time.h>

#include <doppel/sim/load.h>
#include <doppel/sim/world.h>

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    enum { STEPS = 40000 };
    struct dpl_sim_model *model;
    struct dpl_world *world;
    struct dpl_diag error = {0};
    if (argc != 2 || dpl_sim_load_world(argv[1], 1, NULL, &model, &error) < 0 ||
        dpl_world_create(model, &world, &error) < 0) {
        dpl_diag_print(stderr, &error);
        return 1;
    }
    dpl_world_step(world, 1000);
    double begin = cpu_s();
    dpl_world_step(world, STEPS);
    double took = cpu_s() - begin, factor = STEPS * dpl_ns_to_s(model->step) / took;
    printf("%s: %.0f thousand steps a CPU second, %.1f times real time with steps of %g ms\n",
           model->name, 1e-3 * STEPS / took, factor, 1e3 * dpl_ns_to_s(model->step));
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    return factor < 10.0;
}
