/* SPDX-License-Identifier: Apache-2.0 */
/* Rejoining: an avatar whose world was started anew stands at its start, not where the real robot
 * has got to meanwhile. It is put on the real robot as soon as both are seen; until then it is
 * astray: no command leads it there, and no other state than LOST would be true. */
#ifndef DPL_SYNC_REJOIN_H
#define DPL_SYNC_REJOIN_H

#include <stdbool.h>
#include <stdint.h>

#define DPL_SYNC_REJOIN_RETRY_S 0.5 /* after a place where the avatar does not fit */

struct dpl_sync_rejoin {
    bool known;        /* `restarts` is one that the avatar has told */
    uint32_t restarts; /* of the avatar, as told last */
    bool astray;
    bool trying; /* it was put by the newest step: no longer astray if that is not refused */
    double next_try_s;
};

/* The avatar says how often it began anew. True when it has done so since the last call. */
bool dpl_sync_rejoin_note(struct dpl_sync_rejoin *rejoin, uint32_t restarts, double now_s);

enum dpl_sync_rejoin_action {
    DPL_SYNC_REJOIN_NOTHING,
    DPL_SYNC_REJOIN_PUT,  /* put the avatar on the real robot now */
    DPL_SYNC_REJOIN_DONE, /* it was put: it is no longer astray */
};

/* Once a step. `can`: both are seen, fresh enough to put one on the other. */
enum dpl_sync_rejoin_action dpl_sync_rejoin_step(struct dpl_sync_rejoin *rejoin, bool can,
                                                 double now_s);

/* The avatar was not put: it stays astray, and is put again later. Nothing unless it was tried. */
void dpl_sync_rejoin_refuse(struct dpl_sync_rejoin *rejoin, double now_s);

#endif
