/* SPDX-License-Identifier: Apache-2.0 */
/* Properties and state of the Localizer, for its glue. */
#ifndef LOCALIZER_TABLES_H
#define LOCALIZER_TABLES_H

#include <doppel/component.h>
#include <doppel/drv/floor_plan.h>
#include <doppel/field.h>
#include <doppel/time.h>

#include "integrity.h"
#include "localizer.h"
#include "pose_history.h"
#include "truth_error.h"

enum loc_port {
    LOC_PORT_SCAN,
    LOC_PORT_ODOMETRY,
    LOC_PORT_AVATAR,
    LOC_PORT_TRUTH,
    LOC_PORT_POSE,
    LOC_PORT_CALIBRATION,
    LOC_PORT_COMMAND,
    LOC_PORT_DIAGNOSIS,
    LOC_N_PORTS,
};

#define LOC_NAME_MAX_BYTES 64 /* of an object, in the event */

enum loc_start {
    LOC_START_WORLD,
    LOC_START_SEARCH,
};

struct loc_properties {
    double scan_time_ms, map_error_mm, scan_correlation;
    int start, calibrate;
    double start_x_m, start_y_m, start_theta_rad, start_sigma_m, start_sigma_deg;
    double time_offset_ms, range_bias_mm, range_scale;
    double sigma_wheel, sigma_axle, sigma_time_ms, sigma_mount_mm, sigma_mount_deg, sigma_bias_mm,
        sigma_scale;
    double odometry_noise_mm;
    bool gyro, diagnose, diagnose_objects, start_trust;
    double measure_from_s;
};

/* The newest odometry. */
struct loc_odometry {
    bool valid;
    dpl_ns stamp;
    struct dpl_pose2 pose; /* in the odometry's frame */
};

/* What the trace and the summary show, in the units of their names. */
struct loc_view {
    int state, held_by;
    double x, y, theta;
    double sigma_mm, sigma_deg, doubt_mm, protection_mm;
    int basis, reason;
    double agreement, short_share, long_share, nis, map_error_mm;
    bool unobservable;
    int64_t hypotheses, relocations;
    double avatar_agreement, scan_distance_mm;
    double true_mm, true_heading_deg, true_rms_mm, true_max_mm, true_heading_rms_deg, nees, inside;
    double forgot_from_s, forgot_until_s;
    double value[LOCALIZER_N_PARAMETERS], sigma[LOCALIZER_N_PARAMETERS];
};

struct loc_state {
    struct localizer *localizer; /* NULL: odometry, plan or start are not known yet */
    struct dpl_floor_plan plan;
    bool *moved; /* [plan.n_objects] objects that were reported */
    struct loc_odometry odometry;
    struct pose_history avatar, truth; /* true poses */
    dpl_ns started_at, calibration_at;
    bool started;
    bool restarts; /* it has localized before, in this run */
    struct truth_error error;
    struct localizer_estimate estimate;
    struct integrity_verdict integrity;
    struct localizer_calibration calibration;
    struct localizer_forgetting forgetting;
    uint64_t told_forgetting, told_relocations; /* of them, those that were told */
    struct localizer_view seen;                 /* of the avatar */
    bool has_fresh_scan;     /* the newest used scan is not too old to tell anything of now */
    double seen_stamp_s;     /* of the scan that `seen` is about */
    double came_stamp_s;     /* of the newest scan that came; NAN: none */
    double scan_period_s;    /* between the newest two; 0: not known */
    double returned_stamp_s; /* of the newest scan with a beam that returned, or of the first
                                scan; NAN: none came */
    bool is_blind;           /* no beam has returned for long */
    struct loc_view view;
    int verdict;
    int64_t n_verdicts;
    int64_t n_scans, n_lost, n_coasting, n_moved;
};

#define LOC_N_PROPERTIES 26
#define LOC_N_EXPORTS    54

extern const struct dpl_port_desc loc_ports[LOC_N_PORTS];
extern const struct dpl_field loc_property_table[LOC_N_PROPERTIES];
extern const struct dpl_field loc_export_table[LOC_N_EXPORTS];

/* All but plan, axle and start. */
void loc_config_from(const struct loc_properties *properties, struct localizer_config *ret_config);

/* Everything that is not known yet is NAN. */
void loc_view_init(struct loc_view *view);
void loc_view_fill(struct loc_state *state);

/* Of an object of the plan, for people; "?": it has none. */
const char *loc_name_of(const struct dpl_floor_plan *plan, size_t object);

/* s since the start of the run, of a stamp; NAN stays NAN. */
double loc_time_of_run(const struct loc_state *state, double stamp_s);

const char *loc_state_name(enum localizer_state state);

#endif
