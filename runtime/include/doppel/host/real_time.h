/* SPDX-License-Identifier: Apache-2.0 */
/* Real time for programs that a run waits for: emulators and served worlds. A run does it for its
 * own threads. */
#ifndef DOPPEL_HOST_REAL_TIME_H
#define DOPPEL_HOST_REAL_TIME_H

#include <doppel/diag.h>
#include <doppel/host/app.h>

/* How to allow what was refused. */
#define DPL_REAL_TIME_ALLOW                                                                        \
    "allow it by rtprio and memlock in /etc/security/limits.conf, by LimitRTPRIO= and "            \
    "LimitMEMLOCK= in the systemd unit, or by `setcap cap_sys_nice,cap_ipc_lock+ep` on the "       \
    "installed program"

/* Gives the calling thread this policy, with the priority of worlds, which is below that of a run's
 * executors; threads that it starts later have it too. 0, or -errno with reterr. */
int dpl_real_time_enter(enum dpl_policy policy, struct dpl_diag *reterr);

/* Keeps in memory what the process has now, so that nothing waits for a page; what it allocates
 * later is not kept. 0, or -errno with reterr. Blocks while pages are read. */
int dpl_real_time_lock_memory(struct dpl_diag *reterr);

#endif
