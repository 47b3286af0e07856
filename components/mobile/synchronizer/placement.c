/* SPDX-License-Identifier: Apache-2.0 */
/* Placement of the avatar. */
#include "placement.h"

#define FRESH_S 0.3 /* older poses are no ground to move anything */
#define RETRY_S 0.5

void dpl_sync_placement_init(struct dpl_sync_placement *placement, bool on_divergence,
                             bool on_return)
{
    *placement = (struct dpl_sync_placement){
        .on_divergence = on_divergence,
        .on_return = on_return,
        .decided = true,
        .not_before = -(double)INFINITY,
    };
}

bool dpl_sync_placement_set_restarts(struct dpl_sync_placement *placement, uint32_t restarts,
                                     double now_s)
{
    bool anew = placement->knows_restarts && placement->restarts != restarts;
    placement->knows_restarts = true;
    placement->restarts = restarts;
    if (anew) {
        placement->astray = true;
        placement->pending = placement->doubtful = placement->unplaced = false;
        placement->not_before = now_s;
    }
    return anew;
}

void dpl_sync_placement_set_relocated(struct dpl_sync_placement *placement)
{
    placement->relocated = true;
}

void dpl_sync_placement_update(struct dpl_sync_placement *placement, bool decided, bool near)
{
    bool there = decided && near && !dpl_sync_placement_is_supposed(placement);
    placement->decided = decided;
    placement->relocated = placement->relocated && !there;
    placement->unplaced = placement->unplaced && !there;
}

static bool is_relocated(const struct dpl_sync_placement *placement)
{
    return placement->relocated && placement->decided &&
           (placement->on_return || placement->on_divergence);
}

bool dpl_sync_placement_is_due(const struct dpl_sync_placement *placement,
                               const struct dpl_sync_monitor *monitor, double now_s, double age_s)
{
    bool diverged =
        monitor->diverged && placement->decided &&
        (placement->on_divergence || (placement->on_return && monitor->diverged_at_return));
    bool again = placement->unplaced && placement->decided;
    return (placement->astray || diverged || again || is_relocated(placement)) &&
           !placement->pending && age_s < FRESH_S && now_s >= placement->not_before;
}

bool dpl_sync_placement_is_placing(struct dpl_sync_placement *placement,
                                   const struct dpl_sync_monitor *monitor, double now_s)
{
    bool returned = monitor->diverged && monitor->diverged_at_return && placement->on_return;
    bool far = placement->astray || returned || is_relocated(placement);
    if (far && !placement->far) {
        placement->far_from_s = now_s;
    }
    placement->far = far;
    return dpl_sync_placement_is_supposed(placement) ||
           (far && now_s - placement->far_from_s < DPL_SYNC_PLACING_S);
}

bool dpl_sync_placement_is_supposed(const struct dpl_sync_placement *placement)
{
    return placement->pending && !placement->doubtful;
}

void dpl_sync_placement_ask(struct dpl_sync_placement *placement, double now_s)
{
    placement->pending = true;
    placement->not_before = now_s + RETRY_S;
}

enum dpl_sync_settled dpl_sync_placement_settle(struct dpl_sync_placement *placement,
                                                enum dpl_sync_placing placing)
{
    if (!placement->pending) {
        return DPL_SYNC_SETTLED_NOTHING;
    }
    if (placing == DPL_SYNC_PLACE_PENDING) {
        return DPL_SYNC_SETTLED_PENDING;
    }
    placement->pending = false;
    if (placing == DPL_SYNC_PLACE_REFUSED) {
        placement->refused++;
        placement->doubtful = placement->unplaced = true;
        return DPL_SYNC_SETTLED_REFUSED;
    }
    placement->placed += !placement->astray;
    placement->rejoined += placement->astray;
    placement->astray = placement->doubtful = placement->unplaced = false;
    return DPL_SYNC_SETTLED_PLACED;
}
