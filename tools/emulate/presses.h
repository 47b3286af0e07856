/* SPDX-License-Identifier: Apache-2.0 */
/* What a tester does to a Kobuki by hand: a bumper pushed in, a cliff sensor over an edge, a wheel
 * in the air, a button down. Pure: times are arguments. */
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

/* Adds "NAME" (held all the time) or "NAME,FROM,TO" (seconds since the start of the emulator), such
 * as bumper_left,3,3.5. -EINVAL with reterr. */
int presses_add(struct presses *presses, const char *text, struct dpl_diag *reterr);

/* Adds what is held at `now` to what the sensors see. */
void presses_apply(const struct presses *presses, dpl_ns now, struct kobuki_sensors *sensors);

#endif
