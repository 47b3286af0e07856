/* SPDX-License-Identifier: Apache-2.0 */
/* Checks readings by their sequence number and by their bits. */
#include "watch.h"

#include <math.h>
#include <string.h>

static bool all_finite(const double wrench[DPL_SIX])
{
    bool finite = true;
    for (int i = 0; i < DPL_SIX; i++) {
        finite &= isfinite(wrench[i]) != 0;
    }
    return finite;
}

static void begin(struct force_watch *watch, int64_t now_ns)
{
    if (!watch->begun) {
        watch->begun = true;
        watch->measured_at_ns = watch->changed_at_ns = now_ns;
    }
}

enum force_verdict force_watch_check(struct force_watch *watch,
                                     const struct force_watch_config *config, int64_t now_ns,
                                     const struct force_reading *reading)
{
    begin(watch, now_ns);
    if (!reading->measured || (watch->seen && reading->sequence == watch->sequence)) {
        bool stale = now_ns - watch->measured_at_ns >= config->stale_after_ns;
        return stale ? FORCE_STALE : FORCE_NOTHING_NEW;
    }
    watch->seen = true;
    watch->sequence = reading->sequence;
    watch->measured_at_ns = now_ns;
    if (memcmp(watch->wrench, reading->wrench, sizeof watch->wrench) != 0) {
        memcpy(watch->wrench, reading->wrench, sizeof watch->wrench);
        watch->changed_at_ns = now_ns;
    }
    if (!all_finite(reading->wrench)) {
        return FORCE_NOT_FINITE;
    }
    bool stuck =
        config->stuck_after_ns > 0 && now_ns - watch->changed_at_ns >= config->stuck_after_ns;
    return stuck ? FORCE_STUCK : FORCE_FRESH;
}
