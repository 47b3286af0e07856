/* SPDX-License-Identifier: Apache-2.0 */
/* Counts touches: from the pairs of bodies in contact at each step, how often a pair began to
 * touch. A solver makes and breaks the contact of a body that scrapes along a wall many times a
 * second, so a touch has ended only after a pause. Pure. */
#ifndef DOPPEL_SIM_TOUCHES_H
#define DOPPEL_SIM_TOUCHES_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/time.h>

#define DPL_TOUCHES_MAX   256
#define DPL_TOUCHES_PAUSE (100 * DPL_MS)

/* Zero-initialise. */
struct dpl_touches {
    struct {
        int a, b;
        dpl_ns last;
    } pairs[DPL_TOUCHES_MAX];
    size_t n;
};

/* The bodies a and b touch now. True when a touch begins. Beyond DPL_TOUCHES_MAX touches at once a
 * further one is not followed: false. */
bool dpl__touches_see(struct dpl_touches *touches, int a, int b, dpl_ns now);

/* Ends the touches that were last seen longer ago than the pause. */
void dpl__touches_expire(struct dpl_touches *touches, dpl_ns now);

#endif
