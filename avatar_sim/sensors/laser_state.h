/* SPDX-License-Identifier: Apache-2.0 */
/* A laser in a running world. laser_settings.c has its settings, laser.c measures. */
#ifndef DOPPEL_SIM_LASER_STATE_H
#define DOPPEL_SIM_LASER_STATE_H

#include <stdbool.h>

#include <doppel/math/random.h>
#include <doppel/sim/laser.h>

#include "laser.h"
#include "laser_sweep.h"
#include "raycast.h"
#include "sample_clock.h"

/* All lasers at one height share an index. */
struct view {
    double z;
    struct dpl_raycast_index *index;
    struct dpl_raycast_outline *moving; /* outlines of the robots, filled anew for a scan */
};

struct laser {
    const struct dpl_sim_laser *model;
    const struct dpl_sim_site *site;
    size_t n; /* beams */
    bool enabled;
    struct view *view;
    struct dpl_raycast_fan *fan; /* beams in the robot's frame without yaw of the mount */
    double *exact;               /* [n] */
    float *ranges;               /* [n] of the newest scan */
    float *next;                 /* [n] of the sweep that runs */
    double scan_time;            /* s of a whole turn; 0: the laser does not turn */
    struct dpl__laser_sweep sweep;
    struct dpl__sample_clock clock;
    dpl_ns stamp;
    uint64_t sequence;
    struct dpl_random rng;
};

int dpl__laser_build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr);
void dpl__laser_step(void *state, const struct dpl_sim_tick *tick);

#endif
