/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects count as gone for the monitor: those that the estimator no longer relies on, but
 * only on firm ground, since a wrong place makes all objects look gone. */
#ifndef INTEGRITY_STRIKE_H
#define INTEGRITY_STRIKE_H

#include "loc_match.h"

struct strike {
    size_t n;
    double *fell_s;   /* [n] since when the estimator does not rely on it; NAN: it does */
    double *struck_s; /* [n] NAN: it is there */
    double last_s;
};

/* False: out of memory; strike_finish frees what there is. */
bool strike_init(struct strike *strike, size_t n_objects);
void strike_finish(struct strike *strike);

/* `reliability` [n] is the estimator's; `match` is the monitor's own. `firm`: the pose is OK, and
 * one scan fixes it to 50 mm and 2 degrees without what has fallen. */
void strike_scan(struct strike *strike, const double *reliability, double stamp_s, bool firm,
                 struct loc_match *match);

/* The place is doubted: what was struck within the last 10 s comes back. */
void strike_doubt(struct strike *strike, double stamp_s, struct loc_match *match);

#endif
