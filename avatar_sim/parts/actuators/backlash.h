/* SPDX-License-Identifier: Apache-2.0 */
/* A rotor that pushes its joint only at both ends of a play: two inertias, with an elastic stop
 * between them that never pulls. All in the units of the joint: the rotor's angle, speed, inertia
 * and torque are those of its shaft divided, or multiplied, by the ratio of the gear. */
#ifndef DOPPEL_SIM_BACKLASH_H
#define DOPPEL_SIM_BACKLASH_H

#include <stdbool.h>

struct dpl__backlash_settings {
    double play;      /* rad or m, from one end to the other; 0: there is none */
    double stiffness; /* of a stop, N m/rad or N/m */
    double damping;   /* the same, N m s/rad or N s/m */
};

struct dpl__backlash {
    double lead;     /* rad or m: of the rotor before the joint; 0: in the middle of its play */
    double speed;    /* rad/s or m/s, of the rotor */
    double position; /* of the joint where `lead` was counted */
    double contact;  /* N m or N that the rotor gives the joint now */
};

/* The highest rate, 1/s, at which a stop and a rotor of that inertia (kg m^2 or kg) move each
 * other. */
double dpl__backlash_rate(const struct dpl__backlash_settings *settings, double inertia);

/* Where the joint is now, while a step begins; a turn may have jumped by whole turns. */
void dpl__backlash_follow(struct dpl__backlash *backlash, double position, bool turns);

/* Advances the rotor by `dt` seconds, during which the joint moves with `joint_speed`: `push` (N m
 * or N) acts on it, `friction` against its motion. Stable if dt times all rates is well below 1. */
void dpl__backlash_advance(struct dpl__backlash *backlash,
                           const struct dpl__backlash_settings *settings, double inertia,
                           double push, double friction, double joint_speed, double dt);

#endif
