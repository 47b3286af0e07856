/* SPDX-License-Identifier: Apache-2.0 */
/* The Localizer's parts. Internal to this folder. */
#ifndef LOCALIZER_PARTS_H
#define LOCALIZER_PARTS_H

#include "diagnosis.h"
#include "integrity.h"
#include "loc_hypotheses.h"
#include "loc_influence.h"
#include "loc_nudge.h"
#include "loc_search.h"
#include "loc_sure.h"
#include "loc_track.h"
#include "localizer.h"

/* What it does with scans. */
enum localizer_mode {
    LOCALIZER__TRACKS,
    LOCALIZER__SEARCHES, /* the whole plan */
    LOCALIZER__REFINES,  /* the places that the search found */
    LOCALIZER__CHOOSES,  /* between hypotheses */
};

/* A second look at a place that is followed on meanwhile. */
enum localizer_look {
    LOCALIZER__NO_LOOK,
    LOCALIZER__LOOK_SEARCHES,
    LOCALIZER__LOOK_REFINES,
    LOCALIZER__LOOK_COMPARES,
};

#define LOCALIZER_STRANGE 128 /* places that a scan may show */

struct localizer {
    struct localizer_config config; /* without the plan */
    struct memory_block *memory;    /* of the plan */
    const struct dpl_raycast_index *plan;
    struct loc_history history;
    struct loc_scan scan, searched; /* the newest; the one that the search is about */
    struct loc_match match;
    struct loc_influence influence; /* none, but with LOCALIZER_CALIBRATE_IDENTIFY */
    struct loc_track track;
    struct loc_search search;
    struct loc_nudge nudge;
    struct loc_hypotheses hypotheses;
    enum localizer_mode mode;
    struct loc_doubt doubt;
    enum localizer_look look;
    bool coasts, map_wrong;
    bool chooses;       /* not all hypotheses have used the newest scan */
    bool settled;       /* the start is explained: one scan fits, or many do not speak against it */
    unsigned unsettled; /* scans in a row that do not speak against the start */
    bool resumed;       /* a search found nothing, and no scan explains the old pose yet */
    bool searched_start;        /* other places than the start have been looked at */
    unsigned unfit;             /* scans in a row that speak against the pose */
    struct loc_filter sound;    /* after the newest scan that did not speak against the pose */
    struct loc_filter expected; /* the same, and by odometry since then, whatever else is tried */
    double expected_since_s;
    struct loc_sure sure;  /* what of the calibration a wrong place has not taught */
    double best_start;     /* agreement of scans with the start, the best so far */
    unsigned improvements; /* scans that made it better */
    double poor_from_s;    /* stamp of the first of scans that the plan explains badly; NAN: none */
    double scan_came_s;    /* stamp of the newest scan, used or not; NAN: none */
    size_t refined;        /* places */
    int turns;             /* of the laser, that were tried */
    bool scan_waits;       /* for the odometry of its instant */
    double *scratch;       /* [beams_max] */
    uint64_t relocations;
    struct dpl_pose2 jump;       /* the last of them: the new pose in the frame of the old one */
    struct dpl_pose2 known;      /* the newest pose that was known, and by odometry since then */
    double known_s;              /* the instant of it; NAN: there was no odometry yet */
    struct integrity *integrity; /* NULL: it does not run */
    double monitored_s;          /* instant of the newest scan that it was told; NAN: none */
    struct diagnosis diagnosis;
    double diagnosed_s; /* instant of the newest scan that was diagnosed; NAN: none */
    double lag_stamp_s, lag_heading_rad; /* of the newest scan with a pose; NAN: none */
    double lag_from_s;                   /* stamp of the one before that was told; NAN: none */
    bool sees_nothing;                   /* the newest scan: a covered or broken laser */
    bool was_late;                       /* the verdict LATENCY held after the scan before */
    bool *moved;                         /* [n_objects] those that are named as moved */
    size_t looked_at;                    /* the next object to be looked at */
    int newest_moved;                    /* negative: none */
    double strange[LOCALIZER_STRANGE][2];
};

struct loc_start localizer__start(const struct localizer_config *config);

/* The newest scan, with its odometry. */
void localizer__use_scan(struct localizer *l);

/* ---- searches ---- */

/* A pose that moves by so much is that of another place, not a correction. */
bool localizer__is_far(struct dpl_pose2 shift);

/* Of so many beams one is looked at where places are compared, and where they are refined
 * (loc_scan_every). */
#define LOCALIZER_CHOOSE_EVERY 8
#define LOCALIZER_REFINE_EVERY 4

struct loc_observation localizer__observe(struct localizer *l, struct loc_scan *scan, size_t every);

/* Begins a search around the plan with the newest scan, and forgets all hypotheses. */
void localizer__look_around(struct localizer *l);

/* Makes hypotheses of some places that the search has found. True: of all of them. */
bool localizer__refine(struct localizer *l);

/* The pose that is followed is the known one. `jumped`: counts the jump from the one that was known
 * before, if it is far. */
void localizer__know(struct localizer *l, bool jumped);

/* The newest scan does not speak against the pose. */
void localizer__expect(struct localizer *l);

/* Makes hypotheses of some turns of the laser. True: of all, or none is possible. */
bool localizer__refine_turns(struct localizer *l);

/* Whether `found` is where the robot was expected, but for a laser that has turned on it. Then the
 * turn goes into the mount, and what was learnt since it is forgotten. */
bool localizer__take_turned_laser(struct localizer *l, struct loc_filter *found);

/* From the pose that is followed to the hypotheses that there are. */
void localizer__choose_openly(struct localizer *l);

/* ---- doubts about a place that is followed ---- */

/* After a scan at the place that is followed. */
void localizer__look_again(struct localizer *l);

/* A cycle's slice of the second look. */
void localizer__look_slice(struct localizer *l, size_t most);

void localizer__end_look(struct localizer *l);

/* There is a strong reason to look for other places, and they are not known yet. */
bool localizer__is_doubted(const struct localizer *l);

/* A slice of the choice between hypotheses. */
void localizer__choose(struct localizer *l, size_t most);

/* What the scans taught goes: since the old place was sure; since the place was lost. */
void localizer__forget_place(struct localizer *l);
void localizer__resume_calibration(struct localizer *l);

/* Begins a search because scans do not fit any more. */
void localizer__begin_search(struct localizer *l);

/* There is a pose that was followed, or that the start said. */
bool localizer__is_followed(const struct localizer *l);

/* By the filter and odometry. */
struct dpl_pose2 localizer__tracked_base(const struct localizer *l, double at_s);

/* A cycle's slice of whatever search is running. */
void localizer__search_step(struct localizer *l);

/* The newest scan in the hypotheses that have not used it, before the next one comes. */
void localizer__finish_choice(struct localizer *l);

/* ---- integrity monitor ---- */

/* False: out of memory. `outlines` are those of the plan. */
bool localizer__integrity_create(struct localizer *l, const struct dpl_raycast_outline *outlines);

/* After a scan that was used, or could not be. */
void localizer__integrity_scan(struct localizer *l);

/* The state that is published: no place that the estimator claims is known but as the monitor says.
 */
enum localizer_state localizer__judged(const struct localizer *l, enum localizer_state claimed);

/* ---- diagnosis ---- */

bool localizer__diagnosis_create(struct localizer *l);
void localizer__diagnosis_destroy(struct localizer *l);

/* Wheels are not trusted, or have long been alone: turns come from the gyro. */
bool localizer__goes_by_gyro(const struct localizer *l);

/* How the way is known without scans. */
struct loc_motion localizer__motion(const struct localizer *l);

/* After a scan that was used, or could not be; and one that equals the one before. */
void localizer__diagnose_scan(struct localizer *l);
void localizer__diagnose_equal(struct localizer *l, double stamp_s);
/* After one that is not used for want of odometry. `forget`: as of diagnosis_unused_scan. */
void localizer__diagnose_unused(struct localizer *l, bool forget);
/* Places where the newest scan shows what the plan does not have; borrows from `l`. */
void localizer__strange_view(struct localizer *l, struct strangers_view *ret_view);
void localizer__diagnosis_step(struct localizer *l, double now_s);

#endif
