/* SPDX-License-Identifier: Apache-2.0 */
/* Durations in bins: each power of two is divided into equal parts. One thread writes, without
 * read-modify-write instructions; readers may see a count that is one too low. */
#include "histogram.h"

#define FIRST_BITS 6 /* the first bin has all values below 64 ns */
#define CUT_BITS   4 /* 16 bins per octave */

static unsigned bin_of(uint64_t ns)
{
    if (ns < (uint64_t)1 << FIRST_BITS) {
        return 0;
    }
    unsigned top = 63 - (unsigned)__builtin_clzll(ns);
    unsigned part = (unsigned)(ns >> (top - CUT_BITS)) & ((1u << CUT_BITS) - 1);
    unsigned bin = 1 + ((top - FIRST_BITS) << CUT_BITS) + part;
    return bin < DPL__HISTOGRAM_BINS ? bin : DPL__HISTOGRAM_BINS - 1;
}

dpl_ns dpl__histogram_edge(unsigned bin)
{
    if (bin == 0) {
        return 0;
    }
    unsigned octave = FIRST_BITS + ((bin - 1) >> CUT_BITS);
    unsigned part = (bin - 1) & ((1u << CUT_BITS) - 1);
    return (dpl_ns)((1u << CUT_BITS) + part) << (octave - CUT_BITS);
}

static void add(atomic_ullong *counter, unsigned long long value)
{
    unsigned long long old = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, old + value, memory_order_relaxed);
}

void dpl__histogram_add(struct dpl__histogram *histogram, dpl_ns value, dpl_ns at)
{
    uint64_t ns = value < 0 ? 0 : (uint64_t)value;
    add(&histogram->bins[bin_of(ns)], 1);
    add(&histogram->count, 1);
    add(&histogram->sum_ns, ns);
    if (ns > atomic_load_explicit(&histogram->max_ns, memory_order_relaxed)) {
        atomic_store_explicit(&histogram->max_ns, ns, memory_order_relaxed);
        atomic_store_explicit(&histogram->max_at, at, memory_order_relaxed);
    }
}

/* The last bin has no upper edge: its values are at most the maximum. */
static dpl_ns upper_edge(const struct dpl__histogram *histogram, unsigned bin)
{
    dpl_ns max = (dpl_ns)atomic_load_explicit(&histogram->max_ns, memory_order_relaxed);
    dpl_ns edge = dpl__histogram_edge(bin + 1);
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
