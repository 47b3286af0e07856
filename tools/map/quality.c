/* SPDX-License-Identifier: Apache-2.0 */
#include "quality.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define BEAMS_MAX 200000

static int compare(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static bool is_judged(const struct mapper *mapper, size_t scan)
{
    return mapper->options.hold_out == 0 || mapper_is_held_out(mapper, scan);
}

static double distance_at(const struct walls *walls, const struct scan_point *p,
                          struct dpl_pose2 pose)
{
    double c = cos(pose.theta), s = sin(pose.theta);
    return walls_distance(walls, pose.x + c * p->x - s * p->y, pose.y + s * p->x + c * p->y);
}

static void sort(double *values, size_t n)
{
    qsort(values, n, sizeof *values, compare);
}

static size_t count_beams(struct mapper *mapper, struct quality *quality)
{
    size_t beams = 0;
    for (size_t i = 0; i < mapper->recording->n; i++) {
        if (is_judged(mapper, i)) {
            beams += mapper->recording->scans[i].n;
            quality->n_scans++;
            quality->n_lost += mapper->shares[i] < 0.5;
        }
    }
    return beams;
}

/* What the map was made of. */
static void measure_surfels(const struct surfels *map, struct quality *quality)
{
    double flat = 0.0, spread = 0.0, all = 0.0;
    for (size_t i = 0; i < map->n; i++) {
        const struct surfel *s = &map->items[i];
        all += s->own.n;
        flat += s->has_normal ? s->own.n : 0.0;
        spread += s->has_normal ? s->own.n * s->spread : 0.0;
    }
    quality->noise_m = surfels_noise(map);
    quality->scatter_m = flat > 0.0 ? spread / flat : (double)NAN;
    quality->vague_share = all > 0.0 ? 1.0 - flat / all : (double)NAN;
}

int quality_measure(struct mapper *mapper, const struct walls *walls, struct quality *ret_quality)
{
    struct quality quality = {.of_held_out = mapper->options.hold_out > 0};
    size_t beams = count_beams(mapper, &quality), stride = beams / BEAMS_MAX + 1, n = 0;
    double *matched = calloc(beams + 1, sizeof *matched);
    double *driven = calloc(beams + 1, sizeof *driven);
    for (size_t i = 0; i < mapper->recording->n && matched && driven; i++) {
        size_t n_points = is_judged(mapper, i) ? mapper_points(mapper, i) : 0;
        struct dpl_pose2 odometry = mapper_odometry(mapper->recording, i);
        for (size_t k = i % stride; k < n_points; k += stride) {
            matched[n] = distance_at(walls, &mapper->points[k], mapper->poses[i]);
            driven[n++] = distance_at(walls, &mapper->points[k], odometry);
        }
    }
    int err = matched && driven ? 0 : -ENOMEM;
    if (err == 0) {
        sort(matched, n);
        sort(driven, n);
        quality.median_m = n > 0 ? matched[n / 2] : (double)NAN;
        quality.ninety_m = n > 0 ? matched[n * 9 / 10] : (double)NAN;
        measure_surfels(&mapper->map, &quality);
        quality.odometry_m = n > 0 ? driven[n / 2] : (double)NAN;
        *ret_quality = quality;
    }
    free(matched);
    free(driven);
    return err;
}
