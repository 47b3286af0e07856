/* SPDX-License-Identifier: Apache-2.0 */
/* Outlier gate: among poses that do not fit what is believed, finds those that fit each other.
 * Poses that are wrong by chance agree with nothing; when some agree, the belief is what is wrong.
 * A rejected pose is compared after the motion that the belief has made since, because a robot that
 * is elsewhere than believed moves alike, and without it, because a robot that was stopped does not
 * move at all. Three in a row that lie on one way, at one speed, agree too: a robot that was let
 * go, or that started while no pose came, moves unlike the belief. */
#ifndef DPL_SYNC_OUTLIER_GATE_H
#define DPL_SYNC_OUTLIER_GATE_H

#include "doppel/math/geometry.h"

#include <stdbool.h>

#define DPL_SYNC_RIVALS 8

struct dpl_sync_rival {
    struct dpl_pose2 measured, believed; /* at the same time */
    double time_s;
};

struct dpl_sync_outlier_gate {
    struct dpl_sync_rival rivals[DPL_SYNC_RIVALS]; /* the latest, a ring */
    int n, next;
    int wary;          /* so many poses have to fit until two that agree are enough again */
    bool begun;        /* some pose has agreed with another since the start */
    int standing;      /* poses that the belief is made of, up to a few */
    double most_speed; /* m/s of a way that is believed; 0: none is */
    bool on_way;       /* the newest of the rejected poses were on one */
};

/* A belief made of one pose, that two others outvote. The gate is zeroed before the first call;
 * what it knows of wrong poses stays, and its `most_speed`. */
void dpl_sync_outlier_gate_init(struct dpl_sync_outlier_gate *gate);

/* A pose fitted: the rejected ones were wrong. */
void dpl_sync_outlier_gate_accept(struct dpl_sync_outlier_gate *gate);

/* A pose did not fit. True when enough of the latest ones that did not agree with it: the belief
 * should start again there, with dpl_sync_outlier_gate_init. */
bool dpl_sync_outlier_gate_reject(struct dpl_sync_outlier_gate *gate,
                                  const struct dpl_sync_rival *newest);

/* Speed along from the rejected pose before the newest to the newest one, m/s. False where the
 * newest are not on one way. */
bool dpl_sync_outlier_gate_speed(const struct dpl_sync_outlier_gate *gate, double *ret_speed);

/* The belief is the very first pose, and the others so far agree neither with it nor with each
 * other: each may be wrong. */
bool dpl_sync_outlier_gate_is_disputed(const struct dpl_sync_outlier_gate *gate);

/* Where the newest rejected pose has the robot now that is believed to be at `believed`. False
 * where no pose waits for the vote, or poses were wrong lately: then it is one more of them. */
bool dpl_sync_outlier_gate_rival(const struct dpl_sync_outlier_gate *gate,
                                 struct dpl_pose2 believed, struct dpl_pose2 *ret_pose);

#endif
