/* SPDX-License-Identifier: Apache-2.0 */
/* Counts contacts: from the pairs of bodies in contact at each step, how often the contact of a
 * pair began. A solver makes and breaks the contact of a body that slides along a wall many times
 * per second, so a contact ends only after a pause. Pure. */
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

/* The bodies a and b are in contact now. Returns true if the contact begins. If there are
 * DPL_TOUCHES_MAX contacts already, a further one is ignored: false. */
bool dpl__touches_see(struct dpl_touches *touches, int a, int b, dpl_ns now);

/* Ends the contacts that were not seen for longer than the pause. */
void dpl__touches_expire(struct dpl_touches *touches, dpl_ns now);

#endif
