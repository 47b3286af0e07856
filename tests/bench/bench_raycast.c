/* SPDX-License-Identifier: Apache-2.0 */
/* How long one ray takes among the outlines of the world named as the argument, cast in the
 * directions of a scanner from random places. Prints the time; fails above the limit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <doppel/math/geometry.h>
#include <doppel/math/random.h>
#include <doppel/sim/load.h>

#include "laser_outline.h"

enum { RAYS = 682, SCANS = 200, ROUNDS = 15, OUTLINES = 4096 };

static const double most_ns = 400.0, height_m = 0.2;

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *zeroed(void *context, size_t n, size_t size)
{
    (void)context;
    return calloc(n, size);
}

static struct dpl_raycast_index *index_of(const char *file, size_t *ret_n)
{
    static struct dpl_raycast_outline outlines[OUTLINES];
    struct dpl_sim_model *model = NULL;
    struct dpl_diag error = {0};
    if (dpl_sim_load_world(file, 1, NULL, &model, &error) < 0) {
        dpl_diag_print(stderr, &error);
        exit(1);
    }
    size_t n = 0;
    for (size_t i = 0; i < model->n_obstacles && n + DPL_OUTLINES_A_SHAPE <= OUTLINES; i++) {
        n += dpl__laser_outline(&model->obstacles[i].shape, (struct dpl_pose2){0}, height_m, (int)i,
                                &outlines[n]);
    }
    dpl_sim_model_destroy(model);
    *ret_n = n;
    return dpl_raycast_index_create(&(struct dpl_raycast_memory){zeroed, NULL}, outlines, n, 0);
}

/* Seconds for all rays; *inout_sum: so that none is left out. */
static double cast_s(const struct dpl_raycast_index *index, struct dpl_random *rng,
                     double *inout_sum)
{
    static double cosines[RAYS], sines[RAYS];
    for (int i = 0; i < RAYS; i++) {
        cosines[i] = cos((i - RAYS / 2) * DPL_PI / 512.0);
        sines[i] = sin((i - RAYS / 2) * DPL_PI / 512.0);
    }
    double start = cpu_s();
    for (int scan = 0; scan < SCANS; scan++) {
        double x = dpl_random_uniform(rng, -8.0, 8.0), y = dpl_random_uniform(rng, -6.0, 6.0);
        for (int i = 0; i < RAYS; i++) {
            struct dpl_raycast_hit hit;
            struct dpl_raycast_ray ray = {x, y, cosines[i], sines[i], 5.6, DPL_RAYCAST_NO_OWNER};
            dpl_raycast_ray(index, &ray, &hit);
            *inout_sum += hit.nx;
        }
    }
    return cpu_s() - start;
}

int main(int argc, char **argv)
{
    size_t n = 0;
    struct dpl_raycast_index *index = argc == 2 ? index_of(argv[1], &n) : NULL;
    if (!index) {
        fprintf(stderr, "usage: bench_raycast WORLD\n");
        return 1;
    }
    struct dpl_random rng = dpl_random_seeded(1, 0);
    double best = (double)INFINITY, sum = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        best = fmin(best, cast_s(index, &rng, &sum));
    }
    double ns = 1e9 * best / ((double)SCANS * RAYS);
    printf("%zu outlines: %.0f ns a ray (checksum %.3f)\n", n, ns, sum);
    return ns > most_ns;
}
