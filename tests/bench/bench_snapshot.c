/* SPDX-License-Identifier: Apache-2.0 */
/* What a snapshot of a world costs: its bytes and the time to save and to restore it, for the
 * worlds named as arguments, while their robots drive. Prints a table; fails where a world of the
 * size of an office takes longer than the project promises. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <doppel/sim/devices.h>
#include <doppel/sim/load.h>
#include <doppel/sim/world.h>

enum { ROUNDS = 200, STEPS_A_ROUND = 20 };

static const double most_s = 1e-3;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct dpl_world *make_world(const char *file, struct dpl_sim_model **ret_model)
{
    struct dpl_world *world = NULL;
    struct dpl_diag error = {0};
    if (dpl_sim_load_world(file, 1, NULL, ret_model, &error) < 0 ||
        dpl_world_create(*ret_model, &world, &error) < 0) {
        dpl_diag_print(stderr, &error);
        exit(1);
    }
    for (int i = 0; dpl_world_wheel(world, i); i++) {
        dpl_world_set_motor(world, i, 3.0 + i);
    }
    for (int i = 0; dpl_world_laser(world, i); i++) {
        dpl_world_enable_laser(world, i, true);
    }
    dpl_world_step(world, 2000);
    return world;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof *values, by_size);
    return values[ROUNDS / 2];
}

/* Steps between, as in use: a copy that was just made lies in the processor's cache. */
static double measure(const char *file)
{
    static double save_s[ROUNDS], restore_s[ROUNDS];
    struct dpl_sim_model *model;
    struct dpl_world *world = make_world(file, &model);
    size_t size = 2 * dpl_world_snapshot_size(world);
    void *snapshot = malloc(size);
    for (int i = 0; i < ROUNDS && snapshot; i++) {
        double start = now_s();
        int rc = dpl_world_save(world, snapshot, size);
        save_s[i] = now_s() - start;
        dpl_world_step(world, STEPS_A_ROUND);
        start = now_s();
        rc = rc ? rc : dpl_world_restore(world, snapshot, size);
        restore_s[i] = now_s() - start;
        if (rc < 0) {
            exit(1);
        }
        dpl_world_step(world, STEPS_A_ROUND);
    }
    double save = median(save_s), restore = median(restore_s);
    printf("  %-12s %4zu obstacles  %8zu bytes  save %6.1f us  restore %6.1f us\n", model->name,
           model->n_obstacles, dpl_world_snapshot_size(world), save * 1e6, restore * 1e6);
    free(snapshot);
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    return save > restore ? save : restore;
}

int main(int argc, char **argv)
{
    double worst = 0.0;
    printf("snapshots, median of %d\n", ROUNDS);
    for (int i = 1; i < argc; i++) {
        double took = measure(argv[i]);
        worst = took > worst ? took : worst;
    }
    if (argc < 2 || worst > most_s) {
        printf("expected at least one world, and at most %.0f us\n", most_s * 1e6);
        return 1;
    }
    return 0;
}
