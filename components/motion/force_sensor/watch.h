/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether a force sensor still measures: pure logic. */
#ifndef FORCE_SENSOR_WATCH_H
#define FORCE_SENSOR_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/math/six.h>

struct force_watch_config {
    int64_t stale_after_ns; /* without a new measurement */
    int64_t stuck_after_ns; /* of readings that are equal bit by bit; 0: never */
};

/* Verdict on the reading of a cycle. */
enum force_verdict {
    FORCE_FRESH,
    FORCE_NOTHING_NEW, /* since the last cycle, for less than stale_after_ns */
    FORCE_STALE,
    FORCE_STUCK,
    FORCE_NOT_FINITE,
};

/* Zero-initialise. */
struct force_watch {
    bool begun, seen; /* a cycle has begun; a measurement was seen */
    uint64_t sequence;
    int64_t measured_at_ns; /* when the sequence last increased */
    int64_t changed_at_ns;  /* when a value last changed */
    double wrench[DPL_SIX];
};

struct force_reading {
    bool measured; /* false: no measurement yet */
    uint64_t sequence;
    double wrench[DPL_SIX];
};

/* Checks the reading of the cycle at now_ns. A device without a first measurement is stale when
 * stale_after_ns have passed since the first call. */
enum force_verdict force_watch_check(struct force_watch *watch,
                                     const struct force_watch_config *config, int64_t now_ns,
                                     const struct force_reading *reading);

#endif
