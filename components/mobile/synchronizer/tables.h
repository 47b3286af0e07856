/* SPDX-License-Identifier: Apache-2.0 */
/* Ports, properties and published variables of the Synchronizer component. */
#ifndef SYNCHRONIZER_TABLES_H
#define SYNCHRONIZER_TABLES_H

#include <doppel/component.h>
#include <doppel/field.h>
#include <doppel/time.h>

#include "pose_history.h"
#include "sync.h"

enum sync_port {
    SYNC_PORT_REAL,
    SYNC_PORT_AVATAR,
    SYNC_PORT_COMMAND,
    SYNC_PORT_REAL_POSE,
    SYNC_PORT_TRUTH,
    SYNC_N_PORTS,
};

enum sync_on_return {
    SYNC_ON_RETURN_PLACE,
    SYNC_ON_RETURN_DRIVE,
};

struct sync_properties {
    int strategy; /* enum dpl_sync_strategy */
    double period_ms;
    double axle_m, acceleration_m_s2, max_velocity_m_s, max_angular_rad_s, avatar_headroom;
    double real_noise_m, real_noise_deg, avatar_noise_m, avatar_noise_deg, real_delay_ms;
    int slow_answer; /* enum dpl_sync_slow_answer */
    double safe_radius_m, variance_distance_m, variance_direction_deg;
    double warp_ms;
    bool teleport;
    int on_return; /* enum sync_on_return */
    int on_lost, align;
    int64_t align_samples;
    double velocity_step_m_s;
    bool accumulate;
    int faster;
    double settle_s;
};

/* Distance between the true poses, where both sides know theirs. */
struct sync_truth {
    double distance_mm, heading_deg; /* now; NaN: unknown */
    double rms_mm, max_mm, final_mm; /* since the start; NaN: unknown */
    double heading_rms_deg, heading_max_deg;
    double sum2_m2, heading_sum2_rad2;
    int64_t n;
};

/* What one robot's estimator says, in the units of the columns. */
struct sync_robot_view {
    double x, y, theta, pose_age_s, latency_s, lag_s;
    double m11, m12, m21, m22, scale_left, scale_right, axle_m; /* NaN: not known */
    double m11_sigma, m12_sigma, m21_sigma, m22_sigma;
    double dv, dw, slip, nis;
    bool blocked, pressed, clamped;
    int64_t rejected, outliers, jumps;
};

/* Where the real robot's pose comes from. */
enum sync_pose_source {
    SYNC_POSE_ODOMETRY,
    SYNC_POSE_LOCALIZER,
};

/* The Localizer's states, after that in which none says anything. */
enum sync_localizer {
    SYNC_LOCALIZER_NONE,
    SYNC_LOCALIZER_INIT = 1 + DPL_SYNC_LOCALIZER_INIT,
    SYNC_LOCALIZER_TRACKING = 1 + DPL_SYNC_LOCALIZER_TRACKING,
};
#define SYNC_LOCALIZER_CHOICES "none|INIT|TRACKING|DEGRADED|COASTING|AMBIGUOUS|LOST|MAP_WRONG"

struct sync_view {
    int state;
    double ex, ey, et_deg, distance_mm, heading_deg, fidelity; /* NaN: a pose is missing */
    double rms_5s_mm, rms_mm, max_mm, heading_max_deg;         /* NaN: nothing was measured */
    int fidelity_cause;                                        /* enum dpl_sync_fidelity_cause */
    double tracking, min_tracking, min_fidelity;
    double fidelity_covariance, fidelity_agreement, scan_age_s; /* NaN: not known */
    double error_sigma_mm, error_limit_mm;
    int pose_source; /* enum sync_pose_source */
    int localizer;   /* enum sync_localizer */
    bool localized, contact_mismatch;
    int64_t relocations, strayed, contact_mismatch_ticks, localizer_refused;
    double drive_v, drive_w;
    bool warn, saturated, fallback, astray;
    int64_t teleports, rejoins, refused_places, overruns, fallback_ticks, warn_ticks,
        diverged_ticks, diverged_heading_ticks, lost_ticks, unknown_ticks, placing_ticks, ticks;
    struct sync_robot_view real, avatar;
};

/* Who moves the avatar, as the last TakeWheel told. */
enum sync_hold {
    SYNC_AVATAR_FREE,      /* the HIL driver, as the application commands the base */
    SYNC_AVATAR_TAKEN,     /* we; if we were late since, we have lost it */
    SYNC_AVATAR_OF_OTHERS, /* another component */
    SYNC_AVATAR_ALONE,     /* we: it is no side of a HIL driver, and nobody can take it */
};

/* Why the avatar was not put somewhere. */
enum sync_refusal {
    SYNC_REFUSAL_HALTED,   /* nothing is to move now */
    SYNC_REFUSAL_NO_WORLD, /* it is a base of its own, or one that cannot be put anywhere */
    SYNC_REFUSAL_BLOCKED,  /* something stands there */
    SYNC_REFUSAL_ERROR,    /* of its base, with its code */
};

struct sync_state {
    struct dpl_sync sync;
    dpl_ns cycle;  /* the component's own period; 0: none */
    dpl_ns period; /* between corrections: the longer of Period and `cycle` */
    dpl_ns next_step;
    int strategy;
    double safe_radius_mm;
    dpl_ns started_at;
    bool started;
    enum sync_hold hold;
    struct sync_truth truth;
    struct pose_history avatar_truth; /* since the truth of the real robot may come late */
    struct sync_view view;
    int64_t refused;      /* commands that the avatar did not take */
    bool avatar_by_truth; /* its base knows its true pose; else the odometry is all there is */
    enum dpl_sync_placing placing;
    enum sync_refusal refusal; /* of the last place that was refused: why, and the error */
    int refusal_code;
    double place_mm;       /* how far away the avatar is to be put; NaN: not measured */
    double refusal_told_s; /* since it was put somewhere the last time; NaN: not told since then */
    int64_t clamped_ticks[2]; /* real, avatar: in a row */
    double flaw_told_s;       /* when a refused message was told last; NaN: never */
    bool blocked_told;        /* of the real robot, as logged last */
    int64_t blocked_ticks;    /* in a row that it is otherwise */
    int64_t n_judged,
        n_held;           /* corrections with a true distance, and those whose interval held it */
    double interval_held; /* share of them; NaN: none */
};

#define SYNC_N_PROPERTIES 26
#define SYNC_N_EXPORTS    110
extern const struct dpl_port_desc sync_ports[SYNC_N_PORTS];
extern const struct dpl_field sync_property_table[SYNC_N_PROPERTIES];
extern const struct dpl_field sync_export_table[SYNC_N_EXPORTS];

/* Nothing is measured and nothing counted. */
void sync_view_init(struct sync_view *view);

/* Takes over the status of one tick; counts what is counted in ticks. */
void sync_view_fill(struct sync_view *view, const struct dpl_sync_status *status);

/* Takes over what the Localizer said in that tick. */
void sync_view_localizer(struct sync_view *view, const struct dpl_sync_localization *localization);

struct dpl_sync_config sync_config_from(const struct sync_properties *properties);

struct dpl_component;
struct dpl_tick;

/* ---- inputs.c ---- */

/* The true poses of both robots at the same time. That of the real robot may come late, from a
 * world in another process. false: one of them is not known. */
bool sync_read_truths(struct dpl_component *self, struct dpl_pose2 *ret_real,
                      struct dpl_pose2 *ret_avatar);

/* The application's newest command; false: it drives nothing, or there was none. */
bool sync_read_command(struct dpl_component *self, struct dpl_twist2 *ret_command);

/* All of it, for one correction. */
struct dpl_sync_input sync_gather(struct dpl_component *self, const struct dpl_tick *tick);

/* Notes that the avatar was not put at its place. `code`: an error, positive or negative. */
void sync_refuse_place(struct sync_state *state, int code);

/* ---- robot_limits.c ---- */

/* Takes over the limits that are given (above 0); the others keep the value of the config. */
void sync_limits_given(struct dpl_sync_config *inout_config, const struct sync_properties *props);

/* Asks the drivers, by GetParameter of the two service ports, for the limits that are not given,
 * and logs what is used. What a driver of the real robot does not tell keeps the value of the
 * config, and is told as a warning; so is an avatar that is too slow to catch up with the real
 * robot. At start only: calls services. */
void sync_limits_ask(struct dpl_component *self, unsigned real_port, unsigned avatar_port,
                     struct dpl_sync_config *inout_config);

/* ---- report.c ---- */

/* After a correction: compares the component's state with its view before, and with the status that
 * the correction gave. Does not allocate. */
void sync_report(struct dpl_component *self, const struct sync_view *before,
                 const struct dpl_sync_status *status);

#endif
