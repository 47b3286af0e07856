/* SPDX-License-Identifier: Apache-2.0 */
/* The clocks of the system, for programs, threads of worlds, and what measures the runtime itself.
 * Components and drivers go by their tick, dpl_component_now and dpl_device_now. Any thread; never
 * blocks. */
#ifndef DOPPEL_SYSTEM_CLOCK_H
#define DOPPEL_SYSTEM_CLOCK_H

#include <doppel/time.h>

/* Since some instant in the past, the same for all processes until the machine is started anew
 * (CLOCK_MONOTONIC). */
dpl_ns dpl_monotonic_now(void);

/* Since 1970 in UTC, as somebody set it: it may jump (CLOCK_REALTIME). */
dpl_ns dpl_calendar_now(void);

#endif
