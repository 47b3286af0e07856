/* SPDX-License-Identifier: Apache-2.0 */
/* Observer of one robot: from the commands it is sent and the poses it reports, where it is now,
 * where it will be, and how it answers commands (motion map, latency, lag). */
#ifndef DPL_SYNC_OBSERVER_H
#define DPL_SYNC_OBSERVER_H

#include "motion_map.h"
#include "pose_filter.h"
#include "profile_model.h"

/* Of an error that is 0 or so large, as likely: the deviation. */
#define DPL_SYNC_EITHER 0.7071067811865476

struct dpl_sync_observer_config {
    double axle_m, acceleration;
    double position_noise, heading_noise; /* of one pose: standard deviations, m and rad */
    double window_s;                      /* shortest window for the motion map */
    struct dpl_sync_map map;              /* to start from */
};

struct dpl_sync_stamped_pose {
    struct dpl_pose2 pose;
    double stamp_s;
};

enum dpl_sync_observation {
    DPL_SYNC_POSE_USED,
    DPL_SYNC_POSE_OLD,      /* not newer than the last one, or over 2 s old */
    DPL_SYNC_POSE_REJECTED, /* not finite, absurdly far, or from the future */
    DPL_SYNC_POSE_OUTLIER,
    DPL_SYNC_POSE_JUMP /* the robot really is elsewhere: the filter started again there */
};

struct dpl_sync_observer {
    struct dpl_sync_profile profile;
    struct dpl_sync_filter filter;
    struct dpl_sync_map_estimator estimator;
    struct dpl_sync_lag_bank bank;
    struct dpl_sync_bias_model measured; /* while nobody commands it */
    double window_s;
    bool commanded; /* false: nobody commands this robot, it is pushed */
    bool has_window, has_pose;
    bool held_back;     /* it does far less than its commands promise */
    double held_s;      /* since then */
    bool learns_ramp;   /* set after the start: it may accelerate harder than was said */
    double quickness;   /* acceleration that its motion shows, in that of its configuration */
    double shown_age_s; /* mean age of the poses when they came, as their stamps say */
    double newest_s, period_s; /* stamp of the newest pose, used or an outlier; mean between two */
    struct dpl_sync_stamped_pose start; /* of the window */
    struct dpl_sync_stamped_pose last;  /* newest accepted pose, as measured */
};

void dpl_sync_observer_init(struct dpl_sync_observer *observer,
                            const struct dpl_sync_observer_config *config);

/* Whether a measured pose can be one at all: finite, on the earth, at most 50 ms in the future. */
bool dpl_sync_pose_is_credible(const struct dpl_sync_stamped_pose *measured, double now_s);

/* Moves the command history to `now_s`; first call of each tick. */
void dpl_sync_observer_advance(struct dpl_sync_observer *observer, double now_s);

/* Offers the latest pose; the same pose again is harmless. */
enum dpl_sync_observation dpl_sync_observer_pose(struct dpl_sync_observer *observer,
                                                 struct dpl_sync_stamped_pose measured,
                                                 double now_s);

/* The command sent now, after saturation; NULL when nobody commands the robot. */
void dpl_sync_observer_command(struct dpl_sync_observer *observer,
                               const struct dpl_twist2 *command);

/* The robot was put at `pose` by SetPose: keeps what is known of its drive. */
void dpl_sync_observer_set_pose(struct dpl_sync_observer *observer, struct dpl_pose2 pose,
                                double now_s);

/* Estimate at a time up to 0.4 s ahead, with the last command held. The forecast must be fresh:
 * call dpl_sync_observer_forecast after the last command of the tick. */
void dpl_sync_observer_forecast(struct dpl_sync_observer *observer);
struct dpl_sync_estimate dpl_sync_observer_predict(const struct dpl_sync_observer *observer,
                                                   double to_s);

/* How much less certain the pose of that estimate is than that of the newest one that was used. A
 * robot that is not heard when it should be may have stopped there: this is as likely as that it
 * drives on. Deviations in m and rad. */
struct dpl_sync_sigma dpl_sync_observer_growth(const struct dpl_sync_observer *observer,
                                               double now_s, double to_s);

/* Its speed at such a time, to be followed: what the noise of the poses makes of a robot that is
 * told to stand still is none. */
struct dpl_twist2 dpl_sync_observer_speed(const struct dpl_sync_observer *observer, double at_s);

/* What its commands alone promise at such a time, through the motion map; none without a command.
 */
struct dpl_twist2 dpl_sync_observer_promise(const struct dpl_sync_observer *observer, double at_s);

/* Seconds since the stamp of the newest accepted pose; infinite before the first. */
double dpl_sync_observer_age(const struct dpl_sync_observer *observer, double now_s);

/* Whether the next pose may still be on its way: the newest one, used or an outlier, came less than
 * two periods of the poses ago. False before the second pose. */
bool dpl_sync_observer_is_heard(const struct dpl_sync_observer *observer, double now_s);

/* How much older the poses are than their stamps say: the part of the identified latency that no
 * drive has, less what the stamps admit. A long way of the commands looks the same; only the
 * user knows (config.slow_answer of the synchronization). */
double dpl_sync_observer_hidden_delay(const struct dpl_sync_observer *observer);

/* How many times harder its wheels accelerate than its configuration says, as its motion shows: 1
 * or a power of 2. */
double dpl_sync_observer_quickness(const struct dpl_sync_observer *observer);

struct dpl_sync_lag dpl_sync_observer_lag(const struct dpl_sync_observer *observer);

#endif
