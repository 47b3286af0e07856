/* SPDX-License-Identifier: Apache-2.0 */
/* Lines about a peer: what another program does may cause lines in a log, but not as many as it
 * likes, and what it calls itself may be printed, but not drive the terminal. */
#ifndef DOPPEL_PEER_LOG_H
#define DOPPEL_PEER_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/time.h>

#define DPL_PEER_LOG_BURST 10          /* lines at once */
#define DPL_PEER_LOG_EVERY (1 * DPL_S) /* then one each */

/* Of one kind of line, whoever causes it. Zeroed: nothing was written yet. One thread at a time. */
struct dpl_peer_log {
    bool started;
    dpl_ns since;   /* when `spent` was right */
    unsigned spent; /* lines of the burst that are used up */
    uint64_t held;  /* lines not written since the last one that was */
};

/* Whether a line may be written at `now` (any clock that does not go back). *ret_held: how many
 * lines were not since the last one, which the line shall say. Neither blocks nor allocates. */
static inline bool dpl_peer_log_may(struct dpl_peer_log *log, dpl_ns now, uint64_t *ret_held)
{
    if (!log->started) {
        *log = (struct dpl_peer_log){.started = true, .since = now};
    }
    dpl_ns earned = (now - log->since) / DPL_PEER_LOG_EVERY;
    if (earned > 0) {
        log->spent = earned >= (dpl_ns)log->spent ? 0 : log->spent - (unsigned)earned;
        log->since += earned * DPL_PEER_LOG_EVERY;
    }
    if (log->spent >= DPL_PEER_LOG_BURST) {
        log->held++;
        return false;
    }
    log->spent++;
    *ret_held = log->held;
    log->held = 0;
    return true;
}

/* Copies what a peer calls itself: printable ASCII as it is but for quotes and backslashes, every
 * other byte as \xNN. Ends with "..." where there is no room for all; `size` at least 4. Returns
 * `to`. */
static inline const char *dpl_peer_name(const char *from, char *to, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;
    for (; *from != '\0'; from++) {
        unsigned char c = (unsigned char)*from;
        bool plain = c >= ' ' && c <= '~' && c != '\'' && c != '"' && c != '\\';
        size_t needed = plain ? 1 : 4;
        if (at + needed + 4 > size) {
            break;
        }
        if (plain) {
            to[at] = (char)c;
        } else {
            to[at] = '\\';
            to[at + 1] = 'x';
            to[at + 2] = digits[c >> 4];
            to[at + 3] = digits[c & 15];
        }
        at += needed;
    }
    for (int i = 0; *from != '\0' && i < 3; i++) {
        to[at++] = '.';
    }
    to[at] = '\0';
    return to;
}

#endif
