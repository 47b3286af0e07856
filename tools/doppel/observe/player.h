/* SPDX-License-Identifier: Apache-2.0 */
/* A recording that passes as if it ran now: which messages are due at a time of this computer.
 * Times called `wall` are of its monotonic clock, given by the caller; others are of the recording.
 * One thread at a time; functions that read allocate. */
#ifndef DOPPEL_CLI_PLAYER_H
#define DOPPEL_CLI_PLAYER_H

#include <doppel/time.h>

#include "bag.h"

struct player_held;

/* Called for each message that is due. */
struct player_sink {
    void (*give)(void *user, const struct dpl_mcap_message *message);
    void *user;
};

/* Zero-initialise; then `rate`, `loops` and `paused` as wanted. */
struct player {
    struct bag bag;
    void (*tell)(double share); /* set before: how much is read, 0 to 1. NULL: nobody asks */
    dpl_ns start, end;          /* of the first and the last message */
    double rate;                /* seconds of the recording in a second; above 0 */
    bool loops;                 /* begins again at its end */
    bool paused;                /* also when it has come to its end */
    dpl_ns position, since;     /* where it was at this wall time */
    struct dpl_mcap_message next;
    bool has_next;
    int err;                  /* of reading: -ENOMEM ends it */
    struct player_held *held; /* channels whose newest message holds until the next one */
    size_t n_held;
};

/* Opens a recording that has messages, at its start. 0, or -errno with reterr; -ENODATA: it has
 * none. Reads it once if some topic holds. */
int player_open(struct player *player, const char *file, struct dpl_diag *reterr);
void player_close(struct player *player);

/* Whether a channel's newest message holds until the next one (metadata "latched"). */
bool player_is_latched(const struct dpl_mcap_channel *channel);

dpl_ns player_position(const struct player *player, dpl_ns wall);
/* Whether the last message was given, and it does not begin again. */
bool player_has_ended(const struct player *player);

void player_pause(struct player *player, dpl_ns wall);
/* Goes on; at its end from the start. */
void player_resume(struct player *player, dpl_ns wall, const struct player_sink *sink);
void player_set_rate(struct player *player, double rate, dpl_ns wall);
/* Goes to a time, at most to its start or end, and gives what holds then. */
void player_seek(struct player *player, dpl_ns to, dpl_ns wall, const struct player_sink *sink);
/* Gives what is due, at most about 4 MB: the rest with the next call. */
void player_turn(struct player *player, dpl_ns wall, const struct player_sink *sink);

#endif
