/* SPDX-License-Identifier: Apache-2.0 */
/* Log lines about a peer, which is another program. Limits the rate of lines that a peer can cause,
 * and makes the peer's name safe to print on a terminal. */
#ifndef DOPPEL_PEER_LOG_H
#define DOPPEL_PEER_LOG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_PEER_LOG_BURST 10          /* lines without delay */
#define DPL_PEER_LOG_EVERY (1 * DPL_S) /* then one line in each period */

/* State for one kind of line, for all peers together. Zeroed: no line written yet. One thread at a
 * time. */
struct dpl_peer_log {
    bool started;
    dpl_ns since;   /* time to which `spent` refers */
    unsigned spent; /* used lines of the burst */
    uint64_t held;  /* lines suppressed since the last written line */
};

/* Whether a line may be written at `now` (any clock that does not go back). *ret_held: number of
 * lines suppressed since the last written one; the line shall contain it. Does not block or
 * allocate. */
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

/* Writes a line as vsnprintf does, with the number of lines that were suppressed before it. False:
 * it may not be written at `now`; `text` is unchanged. Does not block or allocate. */
__attribute__((format(printf, 5, 0))) static inline bool
dpl_peer_log_line(struct dpl_peer_log *log, dpl_ns now, char *text, size_t size, const char *format,
                  va_list args)
{
    uint64_t held;
    if (!dpl_peer_log_may(log, now, &held)) {
        return false;
    }
    int n = vsnprintf(text, size, format, args);
    if (n >= 0 && (size_t)n < size && held > 0) {
        snprintf(text + n, size - (size_t)n, " (%llu lines like this were left out)",
                 (unsigned long long)held);
    }
    return n >= 0;
}

/* Copies the name that a peer gives: printable ASCII unchanged except for quotes and backslashes;
 * every other byte as \xNN. Ends with "..." when the buffer is too small; `size` at least 4.
 * Returns `to`. */
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

#ifdef __cplusplus
}
#endif

#endif
