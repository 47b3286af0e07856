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
#include "scenery.h"

/* All lasers at one height share an index. */
struct view {
    double z;
    struct dpl_raycast_index *index;
    struct dpl_raycast_outline *moving; /* outlines of the robots, filled anew for a scan */
};

struct laser {
    const struct dpl_sim_laser *model;
    const struct dpl_sim_site *site;
    size_t n;     /* beams of a layer */
    size_t total; /* ranges of a scan */
    bool enabled;
    /* Of a planar one: */
    struct view *view;
    struct dpl_raycast_fan *fan; /* beams in the robot's frame without yaw of the mount */
    /* Of one with layers: */
    struct dpl__scenery *scenery;
    int unseen_robot; /* its own, of a mobile robot; of a mechanism -1: it sees the other bodies */
    struct dpl_vector3 *along;  /* [total] beams in the frame of the mount */
    struct dpl_pose3 from_pose; /* of its body, with sweep.from_time */

    double *exact;    /* [total] */
    float *ranges;    /* [total] of the newest scan */
    float *next;      /* [total] of the sweep that runs */
    double scan_time; /* s of a whole turn; 0: the laser does not turn */
    struct dpl__laser_sweep sweep;
    struct dpl__sample_clock clock;
    dpl_ns stamp;
    uint64_t sequence;
    struct dpl_random rng;
};

int dpl__laser_build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr);
void dpl__laser_step(void *state, const struct dpl_sim_tick *tick);

/* ---- one with layers: laser_layers.c ---- */

int dpl__laser_layers_build(struct laser *laser);

/* Where its body is now. */
struct dpl_pose3 dpl__laser_body(const struct laser *laser);

/* The distances along all beams, INFINITY beyond max_range. What is around is where the scenery was
 * refreshed last. */
void dpl__laser_cast_layers(const struct laser *laser, double max_range, double *ranges);

/* The distance along one beam of a layer from where the body was at `at`, in the step that ends
 * `now`. What is around is where the scenery was refreshed last. */
double dpl__laser_cast_swept(const struct laser *laser, dpl_ns now, dpl_ns at, size_t range,
                             double max_range);

#endif
