/* SPDX-License-Identifier: Apache-2.0 */
/* One run: two mock plants, one command stream, the synchronization between them, and the true
 * error measured every 10 ms, for every period. */
#ifndef DPL_ACCEPTANCE_RUN_H
#define DPL_ACCEPTANCE_RUN_H

#include "mismatch.h"
#include "scenarios.h"
#include "sync.h"

#include <stddef.h>

enum method {
    METHOD_NONE,
    METHOD_FIG12_ACCUMULATE,
    METHOD_FIG12_RESET,
    METHOD_KANAYAMA,
    METHOD_ADAPTIVE,
    N_METHODS
};

struct run_spec {
    enum mismatch_id mismatch;
    enum scenario_id scenario;
    enum method method;
    double period_s;
    uint64_t seed;
    uint64_t noise; /* the same robots and commands, with other noise; 0: that of the seed */
    bool teleport;
};

/* Metres, radians, seconds; of the true error, from the start of the measurement of the
 * scenario. */
struct run_result {
    double rms, mean, max, final, heading_rms;
    double recovery_s; /* from the end of the event until the error stays below 20 mm */
    bool recovered;
    double block_max;             /* largest error from 3 s to 8 s */
    double m11_before, m11_moved; /* avatar's m11 at 3 s, and its largest change until 6 s */
    double m11_error, m22_error;  /* error of the avatar's map at 20 s */
    double heading_at_2s;         /* signed, of the real robot relative to the avatar */
    double steady_heading;        /* mean from 10 s to the end of the command */
    double seen_rms; /* as far as the poses of the real robot say it, at their stamps */
    unsigned set_poses, fallback_ticks, ticks;
};

extern const char *const method_names[N_METHODS];

/* Runs in the caller's thread; `sync` is scratch memory. */
void run_once(const struct run_spec *spec, struct dpl_sync *sync, struct run_result *ret_result);

/* Runs all on `n_threads` threads; results in the order of the specs. 0, or -ENOMEM. */
int run_all(const struct run_spec *specs, size_t n_specs, int n_threads,
            struct run_result *ret_results);

#endif
