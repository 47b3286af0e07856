/* SPDX-License-Identifier: Apache-2.0 */
/* The clocks of the system, for programs, threads of worlds, and measurements of the runtime
 * itself. Components and drivers use their tick, dpl_component_now and dpl_device_now. Any thread;
 * never blocks. */
#ifndef DOPPEL_SYSTEM_CLOCK_H
#define DOPPEL_SYSTEM_CLOCK_H

#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* CLOCK_MONOTONIC: time since a fixed point, the same for all processes until the computer
 * restarts. */
dpl_ns dpl_monotonic_now(void);

/* CLOCK_REALTIME: time since 1970 in UTC. It can jump when somebody sets it. */
dpl_ns dpl_calendar_now(void);

#ifdef __cplusplus
}
#endif

#endif
