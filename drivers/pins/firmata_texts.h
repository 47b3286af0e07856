/* SPDX-License-Identifier: Apache-2.0 */
/* Log lines with texts from the other end of a Firmata wire, escaped and limited in rate. */
#ifndef DPL_PINS_FIRMATA_TEXTS_H
#define DPL_PINS_FIRMATA_TEXTS_H

#include <doppel/device.h>
#include <doppel/peer_log.h>

/* `who` is the sender, e.g. "board". For the thread that owns `log`; does not block or allocate. */
static inline void firmata_log_text(struct dpl_device *device, struct dpl_peer_log *log,
                                    const char *who, const char *text)
{
    uint64_t held;
    char said[200];
    if (!dpl_peer_log_may(log, dpl_device_now(device), &held)) {
        return;
    }
    if (held > 0) {
        dpl_device_log(device, DPL_LOG_INFO, "%llu texts of the %s were left out",
                       (unsigned long long)held, who);
    }
    dpl_device_log(device, DPL_LOG_INFO, "the %s says: %s", who,
                   dpl_peer_name(text, said, sizeof said));
}

#endif
