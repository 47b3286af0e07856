/* SPDX-License-Identifier: Apache-2.0 */
/* Taps: how observers see the messages of an output port. A tap is a connection with a ring and no
 * target, which wiring makes when a run is observed. While nobody listens, it is not among the
 * port's outputs and its part of the pool is not used: the port sends exactly as without it. While
 * somebody listens, a message costs one more reference and one more slot. A full ring drops its
 * oldest message, and counts. The pool has a block for each slot and one for the observer, so
 * observers never take a block from the application.
 *
 * Order: listen, take and release, ignore, take until empty, settle; then listen again. Listen,
 * ignore and settle are called by the thread that runs the component, between two callbacks
 * (mailbox.h); take and release by one observing thread. */
#ifndef DOPPEL_RUNTIME_TAP_H
#define DOPPEL_RUNTIME_TAP_H

#include "port.h"

#define DPL__TAP_BYTES (1u << 20) /* of blocks for a tap's ring, about */
#define DPL__TAP_LEAST 4u         /* slots */
#define DPL__TAP_MOST  1024u

/* Gives an output port a tap; returns the number of blocks that its pool needs more. */
size_t dpl__tap_create(struct dpl_arena *arena, struct dpl__port *port);

void dpl__tap_listen(struct dpl__port *port);
void dpl__tap_ignore(struct dpl__port *port);
/* When the observer and the ring have no block any more, which they took from the application's
 * part of the pool, too: the port sends as before. */
void dpl__tap_settle(struct dpl__port *port);

/* The oldest message, or NULL. The caller releases it before it takes the next one. */
const struct dpl_message *dpl__tap_take(struct dpl__connection *tap);
void dpl__tap_release(const struct dpl_message *message);
/* Messages that the ring has dropped. Any thread. */
uint64_t dpl__tap_dropped(const struct dpl__connection *tap);

#endif
