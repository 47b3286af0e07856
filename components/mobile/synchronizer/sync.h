/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization of an avatar with a real robot: one call a period takes the latest poses of both
 * and the application's command, and gives the command for the avatar and what is known about
 * the pair. Pure logic: no allocation, no clock, no input or output; the caller owns the state,
 * which is large (about 0.5 MB) and belongs to one thread. */
#ifndef DPL_SYNC_SYNC_H
#define DPL_SYNC_SYNC_H

#include "alignment.h"
#include "control_law.h"
#include "correction.h"
#include "monitor.h"
#include "motion_map.h"
#include "observer.h"
#include "placement.h"
#include "warp.h"

/* Least noise of the real robot's pose. */
#define DPL_SYNC_REAL_FLOOR_M   0.0005
#define DPL_SYNC_REAL_FLOOR_RAD (0.03 * (DPL_PI / 180.0))

enum dpl_sync_strategy {
    DPL_SYNC_NONE,     /* the avatar gets the real robot's command */
    DPL_SYNC_FIG12,    /* the paper's algorithm */
    DPL_SYNC_KANAYAMA, /* tracking on raw poses */
    DPL_SYNC_ADAPTIVE  /* tracking on estimated poses, with identified drives */
};

/* What a latency of the real robot is that no drive has. What is measured is the same. */
enum dpl_sync_slow_answer {
    DPL_SYNC_SLOW_POSES,    /* its poses are older than their stamps say */
    DPL_SYNC_SLOW_COMMANDS, /* the stamps are right, and the commands are that long on the way */
    DPL_SYNC_SLOW_AUTO /* poses, but commands with a Localizer: then scanner and wheels, two devices
                        * that agree in time, would have to lie alike */
};

enum dpl_sync_on_lost { DPL_SYNC_ON_LOST_CONTINUE, DPL_SYNC_ON_LOST_STOP };

/* SI units and radians throughout. */
struct dpl_sync_config {
    enum dpl_sync_strategy strategy;
    double period_s;
    double axle_m, acceleration; /* of the real robot's profile; acceleration per wheel */
    double avatar_axle_m, avatar_acceleration; /* of the avatar's; 0: as the real robot's */
    double max_velocity, max_angular;          /* of the real robot */
    double avatar_headroom;                    /* avatar's linear limit over max_velocity, >= 1 */
    double real_noise_m, real_noise_rad, avatar_noise_m, avatar_noise_rad;
    double real_delay_s; /* subtracted from stamps that are times of receipt */
    enum dpl_sync_slow_answer slow_answer;
    double safe_radius, variance_distance, variance_direction;
    double warp_s;        /* the avatar follows the past by this much; 0 to 1 s */
    bool teleport;        /* put the avatar on the real robot when they diverge */
    bool place_on_return; /* the same when they have while a pose was missing; trackers only */
    enum dpl_sync_on_lost on_lost;
    enum dpl_sync_align align;
    int align_samples;
    double velocity_step; /* m/s per tick, fig12 only */
    bool fig12_accumulate;
    enum dpl_sync_faster fig12_faster;
    struct dpl_sync_map real_map, avatar_map; /* identity, or a saved calibration */
};

struct dpl_sync_pose_input {
    bool valid; /* false: no pose was ever received, or the device is gone */
    struct dpl_pose2 pose;
    double stamp_s; /* of acquisition, on the clock of now_s */
    /* Times that the robot began anew elsewhere; only the avatar's counts, and only with a pose. */
    uint32_t restarts;
    bool has_bumper, pressed;
};

struct dpl_sync_input {
    double now_s;
    struct dpl_sync_pose_input real, avatar;
    bool has_command; /* false: nobody commands the real robot; its measured motion is followed */
    struct dpl_twist2 command;
    enum dpl_sync_placing placing; /* what came of the last set_pose of the output */
    /* With one the real robot's pose is its correction times `real`, in the avatar's frame. */
    struct dpl_sync_localization localization;
};

/* What is known of one robot. */
struct dpl_sync_robot_status {
    double pose_age_s; /* before the first pose: since the first step */
    double latency_s, lag_s;
    struct dpl_sync_map map;
    struct dpl_sync_map_certainty certainty;
    bool lag_at_end; /* the slowest drive that can be found: the true one may be slower */
    struct dpl_sync_wheels wheels;
    struct dpl_twist2 velocity, bias;
    double slip; /* -dv / v while |v| > 0.03 m/s, else 0 */
    double nis_average;
    bool blocked, pressed;
    unsigned rejected, outliers, jumps; /* poses, since the start */
};

struct dpl_sync_status {
    double time_s;
    enum dpl_sync_state state;
    bool ready;                              /* there are poses; else what follows of them is NaN */
    struct dpl_pose2 real_pose, avatar_pose; /* estimated, now, in the avatar's frame */
    double ex, ey, et;                       /* of the real robot seen from the avatar */
    double position_error;                   /* absolute */
    bool seen;    /* these are of poses; else of what was predicted from old ones, or NaN */
    bool placing; /* the avatar is being put on the real robot: the error counts nowhere */
    /* The errors that `state` follows: before a teleport. */
    double judged_error, judged_heading;
    bool diverged_by_heading; /* DIVERGED, and the position alone is not */
    bool astray; /* the avatar's world was restarted, and it is not back on the robot yet */
    double rms_5s, rms, max_position_error; /* of errors that count; the last two of all */
    double max_heading_error;               /* likewise */
    enum dpl_sync_fidelity_cause cause;     /* what takes most from fidelity or tracking */
    bool measured; /* both were seen since the start; else all of these errors are NaN */
    /* Tracking: 0 until then; while not `seen` of what was predicted. NaN in the others: unknown,
     * as without a Localizer (see fidelity.h for all of them). */
    double tracking, fidelity, fidelity_covariance, fidelity_agreement;
    double scan_age_s, error_sigma, error_limit;
    bool fidelity_begun;            /* false: the Localizer may not have used a scan yet */
    bool contact_mismatch;          /* one of them is held back, the other is not */
    bool localized;                 /* the real robot's pose is of the Localizer now */
    bool silent;                    /* there is a Localizer, but it says nothing usable of now */
    const char *flaw;               /* why its newest message is refused; NULL: it is not */
    unsigned refused_localizations; /* steps whose newest message was refused */
    unsigned relocations;           /* times that its pose jumped to where the Localizer found it */
    struct dpl_pose2 jump;          /* the last of them: the new pose in the frame of the old one */
    unsigned strayed; /* times that it jumped because the odometry got too far from it bit by bit */
    bool warn, saturated, fallback; /* fallback: adaptive runs as kanayama */
    unsigned teleports, rejoins, refused_places, overruns, fallback_ticks;
    struct dpl_sync_robot_status real, avatar;
};

struct dpl_sync_output {
    int n_drive; /* commands for the avatar, in this order: 0 to 2 */
    struct dpl_twist2 drive[2];
    bool stops;        /* the one command is the stop of OnLost, whatever the strategy */
    bool has_set_pose; /* SetPose of the avatar, before the commands */
    struct dpl_pose2 set_pose;
    double place_distance; /* m: from where the avatar was seen last to there; NaN: never seen */
    struct dpl_sync_status status;
};

/* Read-only outside of sync*.c. */
struct dpl_sync {
    struct dpl_sync_config config;
    struct dpl_sync_limits real_limits, avatar_limits;
    struct dpl_sync_observer real, avatar;
    struct dpl_sync_measured_twist measured;
    struct dpl_sync_alignment alignment;
    struct dpl_sync_correction correction;
    struct dpl_sync_localization
        localization;               /* as heard in this step; a refused one is not valid */
    const char *flaw;               /* why it was refused; NULL: it was not */
    unsigned refused_localizations; /* steps whose newest message was refused */
    double unheard_s; /* for so long poses of the real robot have come without a valid one */
    double first_s;   /* time of the first step */
    struct dpl_sync_fig12 fig12;
    struct dpl_sync_monitor monitor;
    struct dpl_sync_placement placement;
    struct dpl_sync_pose_input raw[2]; /* real (aligned or corrected), avatar: as measured */
    struct dpl_twist2 command;         /* of the real robot, after its limits */
    bool has_command;
    bool has_bumpers, pressed[2]; /* both have one; real, avatar: in this step */
    bool missing;                 /* a robot says nothing in this step */
    bool started, fallback;
    double newest_s[2]; /* real, avatar: stamp of the newest credible pose, or the first step */
    double last_now_s, elapsed_s, unhealthy_s, healthy_s;
    unsigned overruns, fallback_ticks;
    unsigned rejected[2], outliers[2], jumps[2]; /* real, avatar */
    struct dpl_sync_warp warp;
};

/* The reference robot of the paper at a period of 100 ms, strategy adaptive. */
struct dpl_sync_config dpl_sync_config_default(void);

/* Copies the config. -EINVAL for a value that is not finite or out of its range. Does not allocate.
 */
int dpl_sync_init(struct dpl_sync *sync, const struct dpl_sync_config *config);

/* Between two steps: the command that the real robot has now. Without it a command that changes
 * within a period counts from the period's end on, and the robot seems quicker than it is. Does
 * nothing before the first step, or at a time that is not finite or not after the last step. */
void dpl_sync_hear(struct dpl_sync *sync, double now_s, bool has_command,
                   struct dpl_twist2 command);

/* One period. Always fills `ret_output`, with finite commands. A time that is not finite or not
 * after the last one repeats nothing: the output holds no command. */
void dpl_sync_step(struct dpl_sync *sync, const struct dpl_sync_input *input,
                   struct dpl_sync_output *ret_output);

#endif
