/* SPDX-License-Identifier: Apache-2.0 */
/* One drive of one robot with the Localizer, and how far its poses were from the truth. */
#ifndef LOCALIZATION_TRIAL_H
#define LOCALIZATION_TRIAL_H

#include "robot.h"

struct trial {
    /* What it is. */
    const char *world;      /* a file; NULL: a corridor */
    double seconds, from_s; /* judged from `from_s` on */
    struct robot_faults faults;
    double map_sigma_m; /* of each object of the plan */
    double room_scale;  /* the room is larger than its plan by this share; 0: as large */
    double moved_share, moved_m;
    double glass_share;   /* of the walls: panes, which the plan has */
    double unknown_share; /* of the walls: the plan has not got them */
    double speed;         /* m/s */
    double known_revolution_s;
    enum localizer_calibrate calibrate;
    double blind_from_s, blind_until_s; /* scans are missing; frozen: repeat with new stamps */
    bool frozen;
    double silent_s,
        silent_every_s; /* the base drives on unheard for so long, so often; 0: never */
    bool search_at_start;
    bool no_diagnosis;
    bool commands;      /* the Localizer is told the twists that the robot is sent */
    bool looks_first;   /* turns once around before it drives */
    bool knows_noise;   /* the Localizer is told the wheels' slip, and that the plan is exact */
    bool known_mount;   /* of the laser, in x and y */
    bool bounds;        /* how well the calibration can be known at all is computed beside */
    double start_off_m; /* the Localizer starts this far off */
    double (*cpu_now)(void); /* s of this thread; NULL: nothing is measured */
    double kidnap_at_s;      /* 0: never */
    bool judged;
};

struct trial_result {
    double rms_m, max_m, rms_rad, nees; /* NEES / 3: mean */
    double nis;
    double lateral_rms_m, along_max_m, along_sigmas, along_end_m;
    size_t n, n_flagged, n_inside; /* scans, those with an unobservable direction, within 3 sigma */
    size_t n_held;                 /* scans whose interval of 95 % holds the true position */
    double rms_interval_m;         /* of its half width */
    size_t n_off; /* scans at which the pose was searched, or not that of the right place */
    struct localizer_calibration calibration;
    double reached_s[LOCALIZER_N_PARAMETERS]; /* error below its limit from then on */
    double parameter_error[LOCALIZER_N_PARAMETERS];
    double bound_sigma[LOCALIZER_N_PARAMETERS]; /* with `bounds`: 1 sigma of any estimator */
    double map_error_m, agreement;
    unsigned n_moved, n_moved_named, n_wrongly_named;
    double blind_state_s, blind_end_m, blind_max_m, return_m;
    uint64_t relocations, verdicts;
    double found_s, resolved_s; /* from the start, or the kidnapping; INFINITY: never */
    unsigned wrong;             /* decisions for a wrong place */
    double scan_us, worst_us;   /* CPU of all steps a scan; of the longest one */
};

void trial_init(struct trial *ret_trial);
void trial_run(const struct trial *trial, uint64_t seed, struct trial_result *ret_result);

#endif
