/* SPDX-License-Identifier: Apache-2.0 */
#include "pacing.h"

#include <doppel/system_clock.h>

void dpl__pacing_begin(struct dpl__pacing *pacing, double rate, dpl_ns end)
{
    pacing->end = end;
    dpl__pacing_rebase(pacing, 0, dpl_monotonic_now());
    dpl__pacing_set_rate(pacing, rate);
    dpl__pacing_hold(pacing, DPL__NO_HOLD);
}

void dpl__pacing_rebase(struct dpl__pacing *pacing, dpl_ns sim_now, dpl_ns monotonic)
{
    pacing->from_sim = sim_now;
    pacing->from_real = monotonic;
}

static bool ends_first(const struct dpl__pacing *pacing, dpl_ns hold)
{
    return pacing->end > 0 && pacing->end <= hold;
}

void dpl__pacing_hold(struct dpl__pacing *pacing, dpl_ns hold)
{
    pacing->until = ends_first(pacing, hold) ? pacing->end : hold + 1;
    pacing->changed = true;
    atomic_store_explicit(&pacing->paused, false, memory_order_relaxed);
    atomic_store_explicit(&pacing->hold, hold, memory_order_release);
}

void dpl__pacing_set_rate(struct dpl__pacing *pacing, double rate)
{
    pacing->changed = true;
    atomic_store_explicit(&pacing->rate, rate, memory_order_relaxed);
}

dpl_ns dpl__pacing_limit(const struct dpl__pacing *pacing)
{
    dpl_ns hold = atomic_load_explicit(&pacing->hold, memory_order_relaxed);
    return ends_first(pacing, hold) ? pacing->end : hold;
}

dpl_ns dpl__pacing_target(const struct dpl__pacing *pacing, dpl_ns to)
{
    double rate = atomic_load_explicit(&pacing->rate, memory_order_relaxed);
    return rate > 0.0 ? pacing->from_real + (dpl_ns)((double)(to - pacing->from_sim) / rate) : 0;
}
