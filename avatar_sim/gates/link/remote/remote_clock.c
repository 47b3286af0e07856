/* SPDX-License-Identifier: Apache-2.0 */
#include "remote_clock.h"

#include <stdint.h>

#define SHORT_TRIP   (10 * DPL_MS)
#define MANY_ANSWERS 10 /* on a line that has no short trips, the best of so many */

void remote_clock_begin(struct remote_clock *clock)
{
    *clock = (struct remote_clock){.trip = INT64_MAX};
}

/* An old estimate wears out, so that clocks may drift. */
void remote_clock_add(struct remote_clock *clock, dpl_ns sent, dpl_ns theirs, dpl_ns now)
{
    dpl_ns trip = now - sent;
    if (trip <= clock->trip) {
        clock->offset = sent + trip / 2 - theirs;
        clock->trip = trip;
    } else {
        clock->trip += clock->trip / 100 + 1;
    }
    if (!clock->known) {
        clock->answers++;
        clock->known = clock->trip <= SHORT_TRIP || clock->answers >= MANY_ANSWERS;
    }
}
