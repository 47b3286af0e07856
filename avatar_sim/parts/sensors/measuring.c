/* SPDX-License-Identifier: Apache-2.0 */
/* See measuring.h. */
#include "measuring.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/math/hash.h>

static void seed(struct dpl__measuring *measuring)
{
    const struct dpl_sim_site *site = measuring->site;
    const struct dpl__measuring_settings *settings = measuring->settings;
    /* Two sensors of one seed have different noise, and none changes when others are added. */
    uint64_t stream = 31 * dpl_hash_text(site->entry->class_->type) +
                      dpl_hash_text(site->entry->name) + 2 * (uint64_t)site->robot;
    uint64_t by = settings->seed ? (uint64_t)settings->seed : site->model->seed;
    measuring->spread =
        dpl_spread_make(dpl_random_seeded(by, stream), true, settings->noise, settings->drift);
    measuring->losses = dpl_random_seeded(by, stream + 1);
}

int dpl__measuring_build(struct dpl__measuring *measuring, const struct dpl_sim_site *site,
                         const struct dpl__measuring_settings *settings, size_t n_values)
{
    double every = site->entry->every ? site->entry->every : 1.0;
    if (settings->rate_hz > 0.0) {
        every *= fmax(round(1.0 / (settings->rate_hz * site->dt)), 1.0);
    }
    *measuring = (struct dpl__measuring){
        .settings = settings,
        .site = site,
        .period = site->model->step * (dpl_ns)every,
        .latency = dpl_ns_from_s(settings->latency_s),
        .n_values = n_values,
    };
    measuring->capacity = (size_t)(measuring->latency / measuring->period) + 2;
    measuring->values =
        dpl_world_alloc(site->world, measuring->capacity * n_values, sizeof *measuring->values);
    measuring->stamps =
        dpl_world_alloc(site->world, measuring->capacity, sizeof *measuring->stamps);
    if (!measuring->values || !measuring->stamps) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < measuring->capacity; i++) {
        measuring->stamps[i] = -1;
    }
    seed(measuring);
    return 0;
}

bool dpl__measuring_is_due(const struct dpl__measuring *measuring, dpl_ns now)
{
    return measuring->settings->rate_hz <= 0.0 || now - measuring->taken >= measuring->period;
}

double dpl__measuring_spoil(struct dpl__measuring *measuring, dpl_ns now, double truth)
{
    return truth + measuring->settings->bias + dpl_spread_at(&measuring->spread, dpl_ns_to_s(now));
}

static bool is_lost(struct dpl__measuring *measuring)
{
    double share = measuring->settings->dropout;
    return share > 0.0 && dpl_random_uniform(&measuring->losses, 0.0, 1.0) < share;
}

/* In place of a lost measurement the one before arrives again. */
void dpl__measuring_take(struct dpl__measuring *measuring, dpl_ns now, const double *values)
{
    size_t before = measuring->at, n = measuring->n_values;
    size_t at = before + 1 == measuring->capacity ? 0 : before + 1;
    bool lost = is_lost(measuring);
    memcpy(&measuring->values[at * n], lost ? &measuring->values[before * n] : values,
           n * sizeof *values);
    measuring->stamps[at] = lost ? measuring->stamps[before] : now;
    measuring->at = at;
    measuring->taken = now;
}

const double *dpl__measuring_newest(const struct dpl__measuring *measuring, dpl_ns *ret_stamp)
{
    dpl_ns wait = measuring->latency - (dpl_world_now(measuring->site->world) - measuring->taken);
    size_t back = wait > 0 ? (size_t)((wait + measuring->period - 1) / measuring->period) : 0;
    size_t at = (measuring->at + measuring->capacity - back) % measuring->capacity;
    if (measuring->stamps[at] < 0) {
        return NULL;
    }
    *ret_stamp = measuring->stamps[at];
    return &measuring->values[at * measuring->n_values];
}
