/* SPDX-License-Identifier: Apache-2.0 */
/* How long a world in STAR's format takes to load: reading the file, making its system, one step;
 * and all of it as a world of Doppel. Prints a line for each file. Arguments: files. CPU time, the
 * least and the median of several runs. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <doppel/sim/load.h>
#include <doppel/sim/star.h>
#include <doppel/sim/world.h>

enum { RUNS = 25 };

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static _Noreturn void fail(const char *file, const char *why)
{
    fprintf(stderr, "%s: %s\n", file, why);
    exit(1);
}

struct times {
    double read, create, step, world; /* ms */
};

static struct times measure(const char *file, struct dpl_mb_topology *ret_topology,
                            size_t *ret_bodies)
{
    struct dpl_star_world *star = NULL;
    struct dpl_mb_system *system = NULL;
    struct dpl_sim_model *model;
    struct dpl_world *world;
    struct dpl_diags diags = {0};
    struct dpl_diag diag = {0};
    double t[5];
    t[0] = cpu_ms();
    if (dpl_star_read(file, NULL, &star, &diags)) {
        fail(file, diags.n > 0 ? diags.items[0].text : "cannot be read");
    }
    t[1] = cpu_ms();
    if (dpl_mb_system_create(star->graph, NULL, NULL, NULL, NULL, &system, &diag)) {
        fail(file, diag.text);
    }
    t[2] = cpu_ms();
    if (dpl_mb_step(system, 1e-3)) {
        fail(file, "it does not move");
    }
    t[3] = cpu_ms();
    dpl_mb_topology(system, ret_topology);
    *ret_bodies = star->graph->n_bodies - 1;
    dpl_mb_system_destroy(system);
    dpl_star_destroy(star);
    dpl_diags_finish(&diags);
    t[4] = cpu_ms();
    if (dpl_sim_load_world(file, 1, NULL, &model, &diag) ||
        dpl_world_create(model, &world, &diag)) {
        fail(file, diag.text);
    }
    double whole = cpu_ms() - t[4];
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    return (struct times){t[1] - t[0], t[2] - t[1], t[3] - t[2], whole};
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print(const char *what, double *values)
{
    qsort(values, RUNS, sizeof *values, by_size);
    printf("  %-28s %8.3f %8.3f\n", what, values[0], values[RUNS / 2]);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        static double read[RUNS], create[RUNS], both[RUNS], step[RUNS], world[RUNS];
        struct dpl_mb_topology topology;
        size_t n_bodies = 0;
        for (int run = 0; run < RUNS; run++) {
            struct times times = measure(argv[i], &topology, &n_bodies);
            read[run] = times.read;
            create[run] = times.create;
            both[run] = times.read + times.create;
            step[run] = times.step;
            world[run] = times.world;
        }
        printf("%s: %zu bodies, %zu clusters, %zu free (ms: least, median)\n", argv[i], n_bodies,
               topology.clusters, topology.freedom);
        print("read", read);
        print("create", create);
        print("read and create", both);
        print("first step of 1 ms", step);
        print("the same file as a world", world);
    }
    return 0;
}
