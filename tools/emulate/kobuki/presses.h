/* SPDX-License-Identifier: Apache-2.0 */
/* Manual actions on a Kobuki: a pressed bumper, a cliff sensor over an edge, a wheel in the air, a
 * pressed button. Pure: times are arguments. */
#ifndef EMULATE_PRESSES_H
#define EMULATE_PRESSES_H

#include <doppel/diag.h>

#include "kobuki_base.h"

enum { PRESSES_MAX = 32 };

struct presses {
    size_t n;
    struct {
        size_t part; /* row of the table of parts */
        dpl_ns from, to;
    } items[PRESSES_MAX];
};

/* Adds "NAME" (always pressed) or "NAME,FROM,TO" (seconds since the start of the emulator), such as
 * bumper_left,3,3.5. -EINVAL with reterr. */
int presses_add(struct presses *presses, const char *text, struct dpl_diag *reterr);

/* Adds the presses at `now` to the sensor values. */
void presses_apply(const struct presses *presses, dpl_ns now, struct kobuki_sensors *sensors);

#endif
