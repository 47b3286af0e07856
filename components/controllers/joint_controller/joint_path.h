/* SPDX-License-Identifier: Apache-2.0 */
/* Movements of a group of joints through waypoints: from one to the next with a quintic, which has
 * velocity and acceleration 0 where it ends. Pure. */
#ifndef JOINT_CONTROLLER_JOINT_PATH_H
#define JOINT_CONTROLLER_JOINT_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/time.h>

enum { WAYPOINTS_MAX = 256, JOINT_PATH_MAX = 32 /* joints */ };

/* A list of waypoints. */
struct waypoints {
    size_t n, n_joints;
    double t_s[WAYPOINTS_MAX]; /* since the movement began: above 0, increasing */
    double position[WAYPOINTS_MAX][JOINT_PATH_MAX];
};

/* An error and where it is: offset of the byte in the text. */
struct waypoints_error {
    size_t offset;
    const char *what; /* static text */
};

/* Reads rows "t q1 q2 ..." (doppel/math/number_rows.h), all with the same number of joints and
 * with numbers of at most 1e6. An empty text has none. 0, or -EINVAL with *reterr. */
int waypoints_parse(struct waypoints *ret, const char *text, struct waypoints_error *reterr);

/* One movement of all joints from a position and a velocity to rest at another position. */
struct joint_move {
    size_t n_joints;
    double duration_s;                                     /* above 0 */
    double from[JOINT_PATH_MAX], velocity[JOINT_PATH_MAX]; /* at the beginning; acceleration 0 */
    double to[JOINT_PATH_MAX];
};

/* Where joint `i` is after `t_s`, and how fast (ret_velocity may be NULL): before the beginning as
 * at it; after the end at rest. */
double joint_move_at(const struct joint_move *move, size_t i, double t_s, double *ret_velocity);

/* Follows a list of waypoints, or a single movement. The caller owns the struct and the list. */
struct joint_follower {
    const struct waypoints *list; /* NULL: a single movement */
    bool repeats;                 /* after the last waypoint it goes on to the first one */
    size_t target;                /* number of the waypoint that it goes to */
    struct joint_move move;       /* to there */
    dpl_ns began, duration;       /* of that movement */
};

/* From rest at `from` to the first waypoint of a list that has one, and so on. */
void joint_follower_begin(struct joint_follower *follower, const struct waypoints *list,
                          bool repeats, const double *from, dpl_ns now);

/* A single movement. */
void joint_follower_move(struct joint_follower *follower, const struct joint_move *move,
                         dpl_ns now);

/* Position and velocity of all joints at time `at`, which must not go back. False: they are at the
 * end and stay there. */
bool joint_follower_step(struct joint_follower *follower, dpl_ns at, double *ret_position,
                         double *ret_velocity);

#endif
