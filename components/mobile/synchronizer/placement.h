/* SPDX-License-Identifier: Apache-2.0 */
/* When the avatar is put on the real robot, and what came of it. A pose that is asked for may be
 * refused, because something stands there: the answer comes with a later tick. */
#ifndef DPL_SYNC_PLACEMENT_H
#define DPL_SYNC_PLACEMENT_H

#include <stdint.h>

#include "monitor.h"

#define DPL_SYNC_PLACING_S 2.0

/* What is known of the last pose that the avatar was to be put at. */
enum dpl_sync_placing {
    DPL_SYNC_PLACED, /* it stands there; also while none was asked for */
    DPL_SYNC_PLACE_PENDING,
    DPL_SYNC_PLACE_REFUSED
};

/* An avatar whose world was started anew stands at its start, not where the real robot has got to
 * meanwhile: it is astray. No command leads it there, so it is put on the real robot as soon as
 * both are seen, and until then no other state than LOST would be true. */
struct dpl_sync_placement {
    bool on_divergence, on_return;
    bool knows_restarts;
    uint32_t restarts; /* of the avatar, as told last */
    bool astray;
    bool decided;      /* the real robot's place is no guess */
    bool pending;      /* asked for, no answer yet */
    bool doubtful;     /* the one before was refused: it is not taken for granted again */
    bool unplaced;     /* the one before was refused, and the avatar has not come near since */
    double not_before; /* s: earliest time for the next attempt */
    bool far;          /* a new world, a relocation or a return far away, and not put yet */
    double far_from_s; /* since then */
    /* The real robot was found elsewhere: until the avatar is near it, or there was no need. */
    bool relocated;
    unsigned placed, rejoined, refused; /* rejoined: put because it was astray */
};

/* `on_divergence`: whenever they diverge. `on_return`: when they have as a pose comes back that was
 * missing. */
void dpl_sync_placement_init(struct dpl_sync_placement *placement, bool on_divergence,
                             bool on_return);

/* The avatar says how often its world began anew. True when it has since the last call: then it is
 * astray, and what was asked of the world before counts no more. */
bool dpl_sync_placement_set_restarts(struct dpl_sync_placement *placement, uint32_t restarts,
                                     double now_s);

/* The real robot was found elsewhere than it was taken to be, or for the first time: no command
 * led there, so as after a return the avatar is put there if it is far away. */
void dpl_sync_placement_set_relocated(struct dpl_sync_placement *placement);

/* Each tick: whether it is known where the real robot is (true without a Localizer), and whether
 * the avatar is near that, so that it can drive. Only an avatar that is astray is put at a guess.
 * An avatar that is only supposed to be there, before the world's answer, is not near. */
void dpl_sync_placement_update(struct dpl_sync_placement *placement, bool decided, bool near);

/* Whether the avatar shall be put now; `age_s` is that of the older pose. Call after
 * dpl_sync_placement_update. */
bool dpl_sync_placement_is_due(const struct dpl_sync_placement *placement,
                               const struct dpl_sync_monitor *monitor, double now_s, double age_s);

/* Whether the avatar is now being put on the real robot after a new world, a relocation or a return
 * far away, or waits for the world's answer: the distance is no error of following then. Where that
 * takes longer than DPL_SYNC_PLACING_S it is one. Call once a tick, after
 * dpl_sync_placement_is_due. */
bool dpl_sync_placement_is_placing(struct dpl_sync_placement *placement,
                                   const struct dpl_sync_monitor *monitor, double now_s);

/* Whether the avatar is taken to be where it was asked to be put, without an answer yet: then no
 * distance is measured. */
bool dpl_sync_placement_is_supposed(const struct dpl_sync_placement *placement);

/* A pose was asked for. */
void dpl_sync_placement_ask(struct dpl_sync_placement *placement, double now_s);

enum dpl_sync_settled {
    DPL_SYNC_SETTLED_NOTHING, /* nothing was asked for */
    DPL_SYNC_SETTLED_PLACED,
    DPL_SYNC_SETTLED_REFUSED,
    DPL_SYNC_SETTLED_PENDING /* until then nobody knows which pose of the avatar is of when */
};

/* Takes the answer of this tick. */
enum dpl_sync_settled dpl_sync_placement_settle(struct dpl_sync_placement *placement,
                                                enum dpl_sync_placing placing);

#endif
