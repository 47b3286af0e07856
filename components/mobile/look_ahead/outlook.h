/* SPDX-License-Identifier: Apache-2.0 */
/* Rollouts of one motion: where they begin, and what they say together. */
#ifndef LOOK_AHEAD_OUTLOOK_H
#define LOOK_AHEAD_OUTLOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/math/geometry.h>

#define OUTLOOK_NAME_SIZE    64
#define OUTLOOK_CONTACTS_MAX 16

/* A rollout. `poses` and `pose_s` are borrowed. */
struct outlook_rollout {
    bool valid; /* it could begin */
    bool touched;
    double touched_s, x, y; /* of the contact, in the world's frame */
    const char *object;
    double clearance_m;
    size_t n_poses; /* 1 or more if valid */
    const struct dpl_pose2 *poses;
    const double *pose_s;
};

struct outlook {
    size_t n;           /* rollouts that could begin */
    double probability; /* share of them that touch; 0 without any */
    bool contact;
    /* Of the earliest contact: time, what and where it is, and the way and turn until then */
    double contact_s, x, y, way_m, turn_rad;
    char object[OUTLOOK_NAME_SIZE];
    double clearance_m; /* least of all; NAN: not known */
    /* Mean and covariance (xx xy yy xt yt tt) of the poses at the last time that all have */
    double predicted_s;
    struct dpl_pose2 predicted;
    double covariance[6];
    /* Contacts of all, as seen from where their rollouts began */
    size_t n_contacts;
    double contacts[OUTLOOK_CONTACTS_MAX][2];
};

void outlook_make(const struct outlook_rollout *rollouts, size_t n, struct outlook *ret_outlook);

/* Slows a command down to what can still stop before a predicted contact. */

struct veto_limits {
    double deceleration_m_s2, deceleration_rad_s2;
    double latency_s; /* from a command to its effect */
    double margin_m;  /* that is left */
};

/* A contact that is to come if the base is driven so. */
struct veto_contact {
    struct dpl_twist2 twist; /* that was looked at */
    double way_m, turn_rad;  /* that the base can still make, both along its path */
};

/* The largest speed that can stop within `way`, both above 0 or 0. */
double veto_speed(double way, double deceleration, double latency_s);

/* *ret_command is `asked`, slower where it leads where the contact is: in the direction that was
 * looked at, ahead or back. A turn is slowed only if the base was to turn on the spot. True: it is
 * slower than asked. */
bool veto_command(const struct veto_limits *limits, const struct veto_contact *contact,
                  struct dpl_twist2 asked, struct dpl_twist2 *ret_command);

#define SPREAD_MAX 16

/* Where rollouts begin and how their wheels turn: draws around the believed pose. The draws are the
 * same in each look, so that a look differs from the one before only by what has changed. */
struct spread {
    size_t n;
    double draws[SPREAD_MAX][5]; /* standard normal: x, y, turn, left and right wheel; the first are
                                    0: the mean */
};

struct spread_start {
    struct dpl_pose2 offset;        /* in the frame that the covariance is given in */
    double scale_left, scale_right; /* of the wheels' speeds */
};

/* `n` is 1 to SPREAD_MAX. */
void spread_init(struct spread *spread, size_t n, uint64_t seed);

/* Draw `i`. The covariance is xx xy yy xt yt tt (m, rad); one that is not positive definite counts
 * as the nearest that Cholesky's factor makes of it. `wheel_sigma`: of the scales, left and right.
 */
struct spread_start spread_draw(const struct spread *spread, size_t i, const double covariance[6],
                                const double wheel_sigma[2]);

#endif
