/* SPDX-License-Identifier: Apache-2.0 */
/* Time warp: a ring, at most one entry every few milliseconds so that any period fits. */
#include "warp.h"

#define MIN_SPACING_S (DPL_SYNC_MAX_WARP_S / (DPL_SYNC_WARP_SLOTS - 8))

void dpl_sync_warp_init(struct dpl_sync_warp *warp, double delay_s)
{
    *warp = (struct dpl_sync_warp){.delay_s = delay_s};
}

/* The entry `back` places before the newest kept one. */
static struct dpl_sync_reference kept(const struct dpl_sync_warp *warp, unsigned back)
{
    return warp->slot[(warp->next + 2 * DPL_SYNC_WARP_SLOTS - 1 - back) % DPL_SYNC_WARP_SLOTS];
}

static void keep(struct dpl_sync_warp *warp, struct dpl_sync_reference newest)
{
    if (warp->count > 0 && newest.time_s - kept(warp, 0).time_s < MIN_SPACING_S) {
        return;
    }
    warp->slot[warp->next] = newest;
    warp->next = (warp->next + 1) % DPL_SYNC_WARP_SLOTS;
    warp->count += warp->count < DPL_SYNC_WARP_SLOTS;
}

static struct dpl_sync_reference between(struct dpl_sync_reference a, struct dpl_sync_reference b,
                                         double time_s)
{
    double part = dpl_clamp((time_s - a.time_s) / fmax(b.time_s - a.time_s, 1e-9), 0.0, 1.0);
    double turn = dpl_wrap_angle(b.pose.theta - a.pose.theta);
    return (struct dpl_sync_reference){
        .time_s = time_s,
        .pose = {a.pose.x + part * (b.pose.x - a.pose.x), a.pose.y + part * (b.pose.y - a.pose.y),
                 dpl_wrap_angle(a.pose.theta + part * turn)},
        .twist = {a.twist.linear + part * (b.twist.linear - a.twist.linear),
                  a.twist.angular + part * (b.twist.angular - a.twist.angular)},
    };
}

struct dpl_sync_reference dpl_sync_warp_step(struct dpl_sync_warp *warp,
                                             struct dpl_sync_reference newest)
{
    struct dpl_sync_reference later = newest;
    double wanted = newest.time_s - warp->delay_s;
    if (warp->delay_s <= 0.0) {
        return newest;
    }
    keep(warp, newest);
    for (unsigned i = 0; i < warp->count; i++) {
        struct dpl_sync_reference earlier = kept(warp, i);
        if (earlier.time_s <= wanted) {
            return between(earlier, later, wanted);
        }
        later = earlier;
    }
    return later;
}
