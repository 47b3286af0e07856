/* SPDX-License-Identifier: Apache-2.0 */
/* --view and --record of an emulated device: a run beside its loop, with one component that has
 * the device's name. Its exports are what the loop has done, its live properties are faults, and
 * stopping it pulls the cable. The world of the device, if it is in this process, is shown. The
 * loop never waits for the run. */
#ifndef EMULATE_OBSERVED_H
#define EMULATE_OBSERVED_H

#include "../doppel/observe/observe.h"
#include "device.h"

struct observed;

/* Of a session that is open: starts the run on a thread of its own, which session->observed is
 * shown after each step of the loop. Returns when viewers may come. 0; or -errno, with reterr
 * if the reason is not printed yet: then there is none. Allocates and blocks. */
int observed_start(const struct observe_wanted *wanted, const struct emulated_device *device,
                   uint64_t seed, struct session *session, struct dpl_diag *reterr);

/* After the loop and before session_finish: ends the run. 0; -ERANGE: it has failed, with
 * reterr. observed_destroy follows session_finish. NULL: nothing. */
int observed_stop(struct observed *observed, struct dpl_diag *reterr);
void observed_destroy(struct observed *observed);

#endif
