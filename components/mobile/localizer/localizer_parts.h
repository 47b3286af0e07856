/* SPDX-License-Identifier: Apache-2.0 */
/* The Localizer's parts. Internal to this folder. */
#ifndef LOCALIZER_PARTS_H
#define LOCALIZER_PARTS_H

#include "loc_track.h"
#include "localizer.h"

struct localizer {
    struct localizer_config config; /* without the plan */
    struct memory_block *memory;    /* of the plan */
    const struct dpl_raycast_index *plan;
    struct loc_history history;
    struct loc_scan scan;
    struct loc_match match;
    struct loc_track track;
    enum localizer_state state;
    double scan_came_s; /* stamp of the newest scan, used or not; NAN: none */
    bool scan_waits;    /* for the odometry of its instant */
    double *scratch;    /* [beams_max] */
    uint64_t relocations;
};

struct loc_observation localizer__observation(struct localizer *l, size_t every);

#endif
