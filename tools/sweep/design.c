/* SPDX-License-Identifier: Apache-2.0 */
#include "design.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <doppel/math/random.h>

uint64_t sweep_seed(uint64_t seed, uint64_t number, const char *stream)
{
    struct dpl_random rng = dpl_random_named(seed, stream);
    rng.state = dpl_random_u64(&rng) ^ number * 0x9e3779b97f4a7c15u;
    return dpl_random_u64(&rng) >> 11;
}

/* A generator for a number of a stream. */
static struct dpl_random stream(uint64_t seed, uint64_t number, const char *name)
{
    return dpl_random_seeded(sweep_seed(seed, number, name), number);
}

/* In (0, 1): no quantile of it is infinite. */
static double unit(struct dpl_random *rng)
{
    return ((double)(dpl_random_u64(rng) >> 12) + 0.5) * 0x1p-52;
}

static double inside(double x)
{
    x -= floor(x);
    return fmin(fmax(x, 0x1p-53), 1.0 - 0x1p-53);
}

static void fill_grid(const struct sweep_design *design, double *points)
{
    for (size_t i = 0; i < design->n_points; i++) {
        size_t rest = i;
        for (size_t d = design->n_dimensions; d-- > 0;) {
            size_t level = rest % design->levels[d];
            rest /= design->levels[d];
            points[i * design->n_dimensions + d] =
                ((double)level + 0.5) / (double)design->levels[d];
        }
    }
}

static void fill_random(const struct sweep_design *design, double *points)
{
    for (size_t i = 0; i < design->n_points; i++) {
        struct dpl_random rng = stream(design->seed, i, "point");
        for (size_t d = 0; d < design->n_dimensions; d++) {
            points[i * design->n_dimensions + d] = unit(&rng);
        }
    }
}

/* McKay, Beckman, Conover, Technometrics 21 (1979): each of n strata once in each dimension. */
static int fill_lhs(const struct sweep_design *design, double *points)
{
    size_t n = design->n_points, *order = malloc((n + 1) * sizeof *order);
    if (!order) {
        return -ENOMEM;
    }
    for (size_t d = 0; d < design->n_dimensions; d++) {
        struct dpl_random rng = stream(design->seed, d, "lhs");
        for (size_t i = 0; i < n; i++) {
            size_t k = (size_t)(dpl_random_u64(&rng) % (i + 1));
            order[i] = order[k];
            order[k] = i;
        }
        for (size_t i = 0; i < n; i++) {
            points[i * design->n_dimensions + d] = ((double)order[i] + unit(&rng)) / (double)n;
        }
    }
    free(order);
    return 0;
}

/* A shift for each dimension, modulo 1 (Cranley, Patterson 1976), keeps the sequence even and
 * leaves no point at an edge. */
static void fill_sobol(const struct sweep_design *design, double *points)
{
    for (size_t d = 0; d < design->n_dimensions; d++) {
        struct dpl_random rng = stream(design->seed, d, "sobol");
        double shift = unit(&rng);
        for (size_t i = 0; i < design->n_points; i++) {
            points[i * design->n_dimensions + d] = inside(sweep_sobol((uint32_t)i, d) + shift);
        }
    }
}

static unsigned next_prime(unsigned after)
{
    for (unsigned n = after + 1;; n++) {
        unsigned k = 2;
        while (k * k <= n && n % k != 0) {
            k++;
        }
        if (k * k > n) {
            return n;
        }
    }
}

/* Digits of each dimension are permuted, or neighbouring large bases would be alike; 0 stays, so
 * that the digits end. */
static void fill_halton(const struct sweep_design *design, double *points)
{
    unsigned base = 1, digit[512];
    for (size_t d = 0; d < design->n_dimensions; d++) {
        struct dpl_random rng = stream(design->seed, d, "halton");
        base = next_prime(base);
        digit[0] = 0;
        for (unsigned i = 1; i < base; i++) {
            unsigned k = 1 + (unsigned)(dpl_random_u64(&rng) % i);
            digit[i] = digit[k];
            digit[k] = i;
        }
        double shift = unit(&rng);
        for (size_t i = 0; i < design->n_points; i++) {
            double x = 0.0, weight = 1.0 / base;
            for (size_t rest = i + 1; rest > 0; rest /= base, weight /= base) {
                x += weight * digit[rest % base];
            }
            points[i * design->n_dimensions + d] = inside(x + shift);
        }
    }
}

int sweep_design_points(const struct sweep_design *design, double *ret_points)
{
    if (design->n_dimensions > SWEEP_DIMENSIONS_MAX ||
        (design->type == SWEEP_SOBOL && design->n_dimensions > SWEEP_SOBOL_MAX)) {
        return -EINVAL;
    }
    switch (design->type) {
    case SWEEP_GRID: fill_grid(design, ret_points); return 0;
    case SWEEP_RANDOM: fill_random(design, ret_points); return 0;
    case SWEEP_LHS: return fill_lhs(design, ret_points);
    case SWEEP_SOBOL: fill_sobol(design, ret_points); return 0;
    case SWEEP_HALTON: fill_halton(design, ret_points); return 0;
    case SWEEP_LIST: break;
    }
    return -EINVAL;
}
