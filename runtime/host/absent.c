/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for devices that are not there when a run opens them. No callback runs meanwhile: devices
 * that are open wait, too, and what they have sent is discarded afterwards (stream.c). */
#include "absent.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "host_calls.h"
#include "log.h"
#include "runtime.h"

#define LOOK (200 * DPL_MS)

bool dpl__is_absent(int err)
{
    static const int errors[] = {
        ENOENT,       ENODEV,    ENXIO,        EIO,           EBUSY, EACCES,
        EPERM,        ENETDOWN,  ECONNREFUSED, ECONNRESET,    EINTR, EHOSTDOWN,
        EHOSTUNREACH, ETIMEDOUT, ENETUNREACH,  EADDRNOTAVAIL,
    };
    for (size_t i = 0; i < DPL_COUNT(errors); i++) {
        if (err == -errors[i]) {
            return true;
        }
    }
    return false;
}

int dpl__absence(const struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    if (!runtime->waited || atomic_load(&runtime->stop_requested) == 0) {
        return -ENODEV;
    }
    return dpl_fail(reterr, -ECANCELED, (struct dpl_place){0},
                    "stopped while the run waited for it: %s", runtime->waits_for);
}

static void tell(struct dpl_runtime *runtime, const char *owner, const char *why, dpl_ns left)
{
    if (strcmp(runtime->waits_for, why) != 0) {
        snprintf(runtime->waits_for, sizeof runtime->waits_for, "%s", why);
        dpl__log_printf(runtime->log, DPL_LOG_WARN, owner, "%s; waits for it, at most %.0f s", why,
                        dpl_ns_to_s(left));
        dpl__log_drain(runtime->log);
    }
    if (runtime->options.beat) {
        runtime->options.beat(runtime->options.beat_user, DPL_BEAT_WAITS, why);
    }
}

bool dpl__await_device(struct dpl_runtime *runtime, const char *owner, int err, const char *why)
{
    dpl_ns now = dpl_monotonic_now();
    if (runtime->options.device_wait <= 0 || !dpl__is_absent(err)) {
        return false;
    }
    if (runtime->wait_until == 0) {
        runtime->wait_until = now + runtime->options.device_wait;
    }
    /* From here on a stop request comes to the run, and no longer ends the process. */
    atomic_store(&runtime->waiting, true);
    bool waits = now < runtime->wait_until && atomic_load(&runtime->stop_requested) == 0;
    if (waits) {
        runtime->waited = true;
        tell(runtime, owner, why, runtime->wait_until - now);
        nanosleep(&(struct timespec){.tv_nsec = (long)LOOK}, NULL);
    }
    return waits;
}
