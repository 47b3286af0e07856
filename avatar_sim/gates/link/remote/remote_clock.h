/* SPDX-License-Identifier: Apache-2.0 */
/* What a served world's clock is behind ours, from round trips (Cristian, Probabilistic clock
 * synchronization, Distributed Computing 3, 1989). The functions do not allocate or block. */
#ifndef REMOTE_CLOCK_H
#define REMOTE_CLOCK_H

#include <stdbool.h>

#include <doppel/time.h>

struct remote_clock {
    bool known;
    dpl_ns offset; /* ours = world's + offset */
    dpl_ns trip;   /* the round trip that showed it; its error is half of this at most */
    int answers;   /* until it is known */
};

/* Nothing is known of the world's clock: a new world, or one that was lost. */
void remote_clock_begin(struct remote_clock *clock);

/* The world had `theirs` between `sent` and `now` of our clock. The first answers can have waited
 * for long, when one side was stopped: the offset is known from the first short round trip on, or
 * after some long ones. */
void remote_clock_add(struct remote_clock *clock, dpl_ns sent, dpl_ns theirs, dpl_ns now);

#endif
