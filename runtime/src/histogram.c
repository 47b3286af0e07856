/* SPDX-License-Identifier: Apache-2.0 */
/* Durations in logarithmic bins, a quarter of an octave each. Written by one thread without
 * read-modify-write instructions; readers may see a count that is one behind. */
#include "histogram.h"

#include <math.h>

#define FIRST_BIN 23 /* takes what is below 64 ns */

/* 2^(63 + k/4): where the quarters of an octave begin when the top bit is bit 63. */
static const uint64_t quarters[] = {
    0x9837f0518db8a970u,
    0xb504f333f9de6485u,
    0xd744fccad69d6af5u,
};

static unsigned bin_of(uint64_t ns)
{
    if (ns < 64) {
        return FIRST_BIN;
    }
    unsigned zeros = (unsigned)__builtin_clzll(ns);
    uint64_t mantissa = ns << zeros;
    unsigned bin = 4 * (63 - zeros);
    for (unsigned i = 0; i < 3; i++) {
        bin += mantissa >= quarters[i];
    }
    return bin < DPL__HISTOGRAM_BINS ? bin : DPL__HISTOGRAM_BINS - 1;
}

static void add(atomic_ullong *counter, unsigned long long value)
{
    unsigned long long old = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, old + value, memory_order_relaxed);
}

void dpl__histogram_add(struct dpl__histogram *histogram, dpl_ns value)
{
    uint64_t ns = value < 0 ? 0 : (uint64_t)value;
    add(&histogram->bins[bin_of(ns)], 1);
    add(&histogram->count, 1);
    add(&histogram->sum_ns, ns);
    if (ns > atomic_load_explicit(&histogram->max_ns, memory_order_relaxed)) {
        atomic_store_explicit(&histogram->max_ns, ns, memory_order_relaxed);
    }
}

/* The last bin has no edge: what it holds is at most the maximum. */
static dpl_ns upper_edge(const struct dpl__histogram *histogram, unsigned bin)
{
    dpl_ns max = (dpl_ns)atomic_load_explicit(&histogram->max_ns, memory_order_relaxed);
    dpl_ns edge = (dpl_ns)exp2((bin + 1) / 4.0);
    return bin == DPL__HISTOGRAM_BINS - 1 && max > edge ? max : edge;
}

dpl_ns dpl__histogram_quantile(const struct dpl__histogram *histogram, double q)
{
    unsigned long long total = 0;
    for (unsigned i = 0; i < DPL__HISTOGRAM_BINS; i++) {
        total += atomic_load_explicit(&histogram->bins[i], memory_order_relaxed);
    }
    if (total == 0) {
        return 0;
    }
    double wanted = q * (double)total;
    double seen = 0.0;
    unsigned last = 0;
    for (unsigned i = 0; i < DPL__HISTOGRAM_BINS; i++) {
        unsigned long long n = atomic_load_explicit(&histogram->bins[i], memory_order_relaxed);
        seen += (double)n;
        last = n > 0 ? i : last;
        if (n > 0 && seen >= wanted) {
            break;
        }
    }
    return upper_edge(histogram, last);
}

double dpl__histogram_mean_ns(const struct dpl__histogram *histogram)
{
    unsigned long long n = atomic_load_explicit(&histogram->count, memory_order_relaxed);
    unsigned long long sum = atomic_load_explicit(&histogram->sum_ns, memory_order_relaxed);
    return n > 0 ? (double)sum / (double)n : 0.0;
}
