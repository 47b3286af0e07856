/* SPDX-License-Identifier: Apache-2.0 */
/* See backlash.h. */
#include "backlash.h"

#include <math.h>

#include <doppel/math/geometry.h>

double dpl__backlash_rate(const struct dpl__backlash_settings *settings, double inertia)
{
    return fmax(sqrt(settings->stiffness / inertia), settings->damping / inertia);
}

void dpl__backlash_follow(struct dpl__backlash *backlash, double position, bool turns)
{
    double moved = position - backlash->position;
    backlash->lead -= turns ? remainder(moved, 2.0 * DPL_PI) : moved;
    backlash->position = position;
}

/* Pushes outside of the play, and never pulls. */
static double contact_of(const struct dpl__backlash *backlash,
                         const struct dpl__backlash_settings *settings, double joint_speed)
{
    double side = backlash->lead < 0.0 ? -1.0 : 1.0;
    double depth = fabs(backlash->lead) - 0.5 * settings->play;
    if (!(depth > 0.0)) {
        return 0.0;
    }
    double rate = side * (backlash->speed - joint_speed);
    return side * fmax(0.0, settings->stiffness * depth + settings->damping * rate);
}

void dpl__backlash_advance(struct dpl__backlash *backlash,
                           const struct dpl__backlash_settings *settings, double inertia,
                           double push, double friction, double joint_speed, double dt)
{
    backlash->contact = contact_of(backlash, settings, joint_speed);
    double speed = backlash->speed + dt * (push - backlash->contact) / inertia;
    double least = fmax(0.0, fabs(speed) - dt * friction / inertia); /* friction only stops */
    backlash->speed = copysign(least, speed);
    backlash->lead += dt * (backlash->speed - joint_speed);
    backlash->position += dt * joint_speed;
}
