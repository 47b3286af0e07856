/* SPDX-License-Identifier: Apache-2.0 */
/* Motion modes of a wheel base. */
#include <doppel/drive/drive_motion.h>

#include <errno.h>

enum { BISECTIONS = 30 };

static const double lead_reserve = 2.0;

struct dpl_motion_config dpl_motion_default(struct dpl_drive_limits limits, double lead_s)
{
    return (struct dpl_motion_config){
        .limits = limits,
        .move_tolerance_m = 0.05,
        .rotate_tolerance_rad = dpl_deg_to_rad(1.0),
        .lead_s = lead_s,
    };
}

void dpl_motion_init(struct dpl_motion *motion)
{
    *motion = (struct dpl_motion){.mode = DPL_MOTION_STOPPED};
}

int dpl_motion_drive(struct dpl_motion *motion, struct dpl_twist2 aim)
{
    if (!isfinite(aim.linear) || !isfinite(aim.angular)) {
        return -EINVAL;
    }
    *motion = (struct dpl_motion){.mode = DPL_MOTION_DRIVE, .aim = aim};
    return 0;
}

/* Signed path of a move: backwards when the path or the velocity is negative. */
static int signed_path(double path, double velocity, double *ret_path)
{
    if (!isfinite(path) || !isfinite(velocity) || velocity == 0.0) {
        return -EINVAL;
    }
    *ret_path = path < 0.0 || velocity < 0.0 ? -fabs(path) : fabs(path);
    return 0;
}

int dpl_motion_move(struct dpl_motion *motion, const struct dpl_odometry *odometry,
                    double distance_m, double linear_m_s)
{
    double path;
    if (signed_path(distance_m, linear_m_s, &path) != 0) {
        return -EINVAL;
    }
    *motion = (struct dpl_motion){
        .mode = DPL_MOTION_MOVE,
        .aim = {.linear = copysign(linear_m_s, path)},
        .goal = odometry->travelled_m + path,
    };
    return 0;
}

int dpl_motion_rotate(struct dpl_motion *motion, const struct dpl_odometry *odometry,
                      double angle_rad, double angular_rad_s)
{
    double path;
    if (signed_path(angle_rad, angular_rad_s, &path) != 0) {
        return -EINVAL;
    }
    *motion = (struct dpl_motion){
        .mode = DPL_MOTION_ROTATE,
        .aim = {.angular = copysign(angular_rad_s, path)},
        .goal = odometry->turned_rad + path,
    };
    return 0;
}

void dpl_motion_stop(struct dpl_motion *motion)
{
    dpl_motion_init(motion);
}

/* Path from a speed to standstill. The odometry shows the effect of a command `lead_s` later. A
 * control loop with such a delay oscillates unless its reserve is longer than this time. */
static double brake_path(const struct dpl_axis_limits *limits, double lead_s, double speed)
{
    return dpl_axis_stop_distance(limits, speed) + lead_reserve * lead_s * speed;
}

/* The highest speed, at most `aim`, from which the axis can still stop within `path`. */
static double approach_speed(const struct dpl_axis_limits *limits, double lead_s, double path,
                             double aim)
{
    double low = 0.0, high = aim;
    if (brake_path(limits, lead_s, aim) <= path) {
        return aim;
    }
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = (low + high) / 2.0;
        if (brake_path(limits, lead_s, middle) <= path) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Speed of an axis that has the path `left` to its goal in the direction of `aim`; 0 when done. */
static double toward_goal(const struct dpl_motion_config *config,
                          const struct dpl_axis_limits *limits, double left, double aim)
{
    double speed = fabs(dpl_clamp(aim, -limits->velocity, limits->velocity));
    double path = copysign(1.0, aim) * left;
    /* At least the dead band, otherwise the goal would never be reached. */
    double least = fmin(speed, 1.001 * limits->dead_band);
    return copysign(fmax(approach_speed(limits, config->lead_s, path, speed), least), aim);
}

static bool is_done(double left, double aim, double tolerance)
{
    return copysign(1.0, aim) * left <= tolerance;
}

struct dpl_twist2 dpl_motion_step(struct dpl_motion *motion, const struct dpl_motion_config *config,
                                  const struct dpl_odometry *odometry)
{
    bool moves = motion->mode == DPL_MOTION_MOVE;
    if (!moves && motion->mode != DPL_MOTION_ROTATE) {
        return motion->aim;
    }
    double left = motion->goal - (moves ? odometry->travelled_m : odometry->turned_rad);
    double aim = moves ? motion->aim.linear : motion->aim.angular;
    if (is_done(left, aim, moves ? config->move_tolerance_m : config->rotate_tolerance_rad)) {
        dpl_motion_stop(motion);
        return motion->aim;
    }
    if (moves) {
        double v = toward_goal(config, &config->limits.linear, left, aim);
        return (struct dpl_twist2){.linear = v};
    }
    double w = toward_goal(config, &config->limits.angular, left, aim);
    return (struct dpl_twist2){.angular = w};
}

bool dpl_motion_is_running(const struct dpl_motion *motion)
{
    bool drives = motion->aim.linear != 0.0 || motion->aim.angular != 0.0;
    return motion->mode == DPL_MOTION_DRIVE ? drives : motion->mode != DPL_MOTION_STOPPED;
}
