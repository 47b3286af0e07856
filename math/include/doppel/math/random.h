/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded pseudo-random numbers: the same seed gives the same sequence on every machine.
 * Generator: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
 * OOPSLA 2014). Header only; the caller owns the state; not thread-safe. */
#ifndef DOPPEL_MATH_RANDOM_H
#define DOPPEL_MATH_RANDOM_H

#include <math.h>
#include <stdint.h>

#include <doppel/math/hash.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_random {
    uint64_t state;
};

/* Streams with different `stream` are independent for the same seed. */
static inline struct dpl_random dpl_random_seeded(uint64_t seed, uint64_t stream)
{
    return (struct dpl_random){.state = seed * 0x9e3779b97f4a7c15u ^ stream * 0xd1342543de82ef95u};
}

/* A separate stream for each name, with the same seed. */
static inline struct dpl_random dpl_random_named(uint64_t seed, const char *name)
{
    return dpl_random_seeded(seed, dpl_hash_text(name));
}

static inline uint64_t dpl_random_u64(struct dpl_random *rng)
{
    uint64_t z = rng->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in [low, high). */
static inline double dpl_random_uniform(struct dpl_random *rng, double low, double high)
{
    return low + (high - low) * ((double)(dpl_random_u64(rng) >> 11) * 0x1p-53);
}

/* Normal with mean 0 and deviation 1 (Box and Muller 1958; the second value is not kept). */
static inline double dpl_random_normal(struct dpl_random *rng)
{
    double u = 1.0 - dpl_random_uniform(rng, 0.0, 1.0);
    double v = dpl_random_uniform(rng, 0.0, 1.0);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

#ifdef __cplusplus
}
#endif

#endif
