/* SPDX-License-Identifier: Apache-2.0 */
/* Slows a command down to what can still stop before a predicted contact. */
#ifndef LOOK_AHEAD_VETO_H
#define LOOK_AHEAD_VETO_H

#include <stdbool.h>

#include <doppel/math/geometry.h>

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

#endif
