/* SPDX-License-Identifier: Apache-2.0 */
/* The Localizer's parts. Internal to this folder. */
#ifndef LOCALIZER_PARTS_H
#define LOCALIZER_PARTS_H

#include "diagnosis.h"
#include "loc_track.h"
#include "localizer.h"

#define LOCALIZER_STRANGE 64

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
    struct diagnosis diagnosis;
    double diagnosed_s; /* instant of the newest scan that was diagnosed; NAN: none */
    bool *moved;        /* [n_objects] those that are named as moved */
    size_t looked_at;   /* the next object to be looked at */
    int newest_moved;   /* negative: none */
    double strange[LOCALIZER_STRANGE][2];
};

struct loc_observation localizer__observation(struct localizer *l, size_t every);

/* ---- diagnosis ---- */

bool localizer__diagnosis_create(struct localizer *l);
void localizer__diagnosis_destroy(struct localizer *l);

/* After a scan that was used, or could not be, or that equals the one before. */
void localizer__diagnose_scan(struct localizer *l, bool usable);
void localizer__diagnose_equal(struct localizer *l, double stamp_s);

#endif
