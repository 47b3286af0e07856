/* SPDX-License-Identifier: Apache-2.0 */
/* How long one ray, and one beam of a fan, take among the outlines of the world named as the
 * argument, cast from random places: in the directions of a scanner, and in a few all around.
 * Prints the times; fails above the limit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <doppel/math/geometry.h>
#include <doppel/math/random.h>
#include <doppel/sim/load.h>

#include "laser_outline.h"

enum { RAYS = 682, PROBES = 16, SCANS = 200, ROUNDS = 15, OUTLINES = 4096 };

static const double most_ns = 500.0, height_m = 0.17, reach_m = 5.6;

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

struct caster {
    const struct dpl_raycast_index *index;
    struct dpl_raycast_fan *fan;
    int n;
    double cosines[RAYS], sines[RAYS];
};

static void make_fan(struct caster *caster, int n, double step_rad)
{
    caster->n = n;
    for (int i = 0; i < n; i++) {
        caster->cosines[i] = cos((i - n / 2) * step_rad);
        caster->sines[i] = sin((i - n / 2) * step_rad);
    }
    caster->fan = dpl_raycast_fan_create(&(struct dpl_raycast_memory){zeroed, NULL},
                                         caster->cosines, caster->sines, (size_t)n);
}

static void cast_rays(const struct caster *caster, double x, double y, double *ranges)
{
    for (int i = 0; i < caster->n; i++) {
        struct dpl_raycast_hit hit;
        struct dpl_raycast_ray ray = {
            x, y, caster->cosines[i], caster->sines[i], reach_m, DPL_RAYCAST_NO_OWNER};
        dpl_raycast_ray(caster->index, &ray, &hit);
        ranges[i] = hit.range;
    }
}

static void cast_fan(const struct caster *caster, double x, double y, double *ranges)
{
    struct dpl_raycast_scan scan = {x, y, 0.0, reach_m, DPL_RAYCAST_NO_OWNER};
    dpl_raycast_scan_fan(caster->index, caster->fan, &scan, ranges);
}

/* ns a ray, the best of several rounds; *ret_hits: so that none is left out. */
static double cost_ns(const struct caster *caster,
                      void (*cast)(const struct caster *, double, double, double *),
                      size_t *ret_hits)
{
    static double ranges[RAYS];
    double best = (double)INFINITY;
    size_t hits = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct dpl_random rng = dpl_random_seeded(1, 0);
        double start = cpu_s();
        for (int scan = 0; scan < SCANS; scan++) {
            double x = dpl_random_uniform(&rng, -8.0, 8.0), y = dpl_random_uniform(&rng, -6.0, 6.0);
            cast(caster, x, y, ranges);
            hits += isfinite(ranges[scan % caster->n]) != 0;
        }
        best = fmin(best, cpu_s() - start);
    }
    *ret_hits = hits;
    return 1e9 * best / ((double)SCANS * caster->n);
}

/* The time of a ray; NaN: the fan did not hit the same. */
static double compare(const struct caster *caster)
{
    size_t ray_hits, fan_hits;
    double ray_ns = cost_ns(caster, cast_rays, &ray_hits);
    double fan_ns = cost_ns(caster, cast_fan, &fan_hits);
    printf("%.0f ns a ray, %.0f ns a beam of a fan of %d (%.1f times as fast)\n", ray_ns, fan_ns,
           caster->n, ray_ns / fan_ns);
    return ray_hits == fan_hits ? ray_ns : (double)NAN;
}

int main(int argc, char **argv)
{
    size_t n = 0;
    struct dpl_raycast_index *index = argc == 2 ? index_of(argv[1], &n) : NULL;
    if (!index) {
        fprintf(stderr, "usage: bench_raycast WORLD\n");
        return 1;
    }
    static struct caster scanner, probes;
    scanner.index = probes.index = index;
    make_fan(&scanner, RAYS, DPL_PI / 512.0);
    make_fan(&probes, PROBES, 2.0 * DPL_PI / PROBES);
    printf("%zu outlines\n", n);
    double scanner_ns = compare(&scanner), probes_ns = compare(&probes);
    return !(scanner_ns <= most_ns) || isnan(probes_ns);
}
