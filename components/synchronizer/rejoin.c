/* SPDX-License-Identifier: Apache-2.0 */
/* Rejoining after a restart of the avatar's world. */
#include "rejoin.h"

bool dpl_sync_rejoin_note(struct dpl_sync_rejoin *rejoin, uint32_t restarts, double now_s)
{
    bool anew = rejoin->known && rejoin->restarts != restarts;
    rejoin->known = true;
    rejoin->restarts = restarts;
    if (anew) {
        rejoin->astray = true;
        rejoin->trying = false;
        rejoin->next_try_s = now_s;
    }
    return anew;
}

enum dpl_sync_rejoin_action dpl_sync_rejoin_step(struct dpl_sync_rejoin *rejoin, bool can,
                                                 double now_s)
{
    if (rejoin->trying) {
        rejoin->trying = rejoin->astray = false;
        return DPL_SYNC_REJOIN_DONE;
    }
    if (!rejoin->astray || !can || now_s < rejoin->next_try_s) {
        return DPL_SYNC_REJOIN_NOTHING;
    }
    rejoin->trying = true;
    return DPL_SYNC_REJOIN_PUT;
}

void dpl_sync_rejoin_refuse(struct dpl_sync_rejoin *rejoin, double now_s)
{
    if (rejoin->trying) {
        rejoin->trying = false;
        rejoin->next_try_s = now_s + DPL_SYNC_REJOIN_RETRY_S;
    }
}
