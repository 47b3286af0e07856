/* SPDX-License-Identifier: Apache-2.0 */
/* The only time type: nanoseconds since the start of the run's clock, real or simulated. */
#ifndef DOPPEL_TIME_H
#define DOPPEL_TIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int64_t dpl_ns;

#define DPL_US ((dpl_ns)1000)
#define DPL_MS ((dpl_ns)1000000)
#define DPL_S  ((dpl_ns)1000000000)

static inline double dpl_ns_to_s(dpl_ns ns)
{
    return (double)ns * 1e-9;
}

/* Rounds to the nearest nanosecond; the caller keeps |s| below 9.2e9. */
static inline dpl_ns dpl_ns_from_s(double s)
{
    return (dpl_ns)(s * 1e9 + (s < 0.0 ? -0.5 : 0.5));
}

/* The reason why everything must stand still. */
enum dpl_halt {
    DPL_HALT_NONE,
    DPL_HALT_LOST,   /* a device of the application is lost */
    DPL_HALT_ENDING, /* the run ends: see dpl_component_set_moving */
};

/* The time information of a callback. Components and drivers do not read a clock. */
struct dpl_tick {
    dpl_ns now;     /* the cycle's nominal time: its release time */
    dpl_ns period;  /* the component's own period, also in a rate group; 0 when it has none */
    uint64_t cycle; /* number of the component's own cycle, from 0 at the start of the executor */
    int halt;       /* enum dpl_halt; not 0: everything that moves must stop */
};

#ifdef __cplusplus
}
#endif

#endif
