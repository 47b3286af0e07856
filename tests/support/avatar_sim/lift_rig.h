/* SPDX-License-Identifier: Apache-2.0 */
/* A car and a counterweight on a rope over a sheave. */
#ifndef DOPPEL_TEST_LIFT_RIG_H
#define DOPPEL_TEST_LIFT_RIG_H

#include <math.h>

#include <doppel/math/gravity.h>

#include "mechanism_rig.h"

#define G DPL_STANDARD_GRAVITY_M_S2

struct lift {
    double car, counterweight; /* kg */
    double free[2];            /* m, without force */
    double from_rest[2];       /* m, up, from where each end would hang at rest */
    double damping;            /* share */
    const char *grip;          /* attributes of the rope */
    const char *more;          /* elements; NULL: none */
};

enum { CAR, COUNTERWEIGHT, WHEEL };       /* bodies */
enum { SHEAVE, CAR_RAIL, CW_RAIL, ROPE }; /* joints; but for the rope also their values */

static const double lift_ea = 1e7, lift_radius = 0.3, lift_moment = 20.0;
static const double lift_axle = 60.0; /* m over the ground */

static inline double lift_stiffness(const struct lift *lift, int leg)
{
    return lift_ea / lift->free[leg];
}

/* The golden elevator: floors of 3.2 m, 38.2 m of rope at floor 0. */
static inline struct lift lift_at(int floor, double load)
{
    return (struct lift){
        .car = 800.0 + load,
        .counterweight = 1115.0,
        .free = {38.2 - 3.2 * floor, 3.0 + 3.2 * floor},
        .grip = "",
    };
}

static inline void lift_open(struct mechanism_rig *rig, const struct lift *lift, double step_s)
{
    char text[2048];
    double at[2];
    for (int i = 0; i < 2; i++) {
        double weight = (i == 0 ? lift->car : lift->counterweight) * G;
        at[i] = lift_axle - lift->free[i] - weight / lift_stiffness(lift, i) + lift->from_rest[i];
    }
    snprintf(text, sizeof text,
             "<mechanism>"
             "<RigidObject name='car' mass='%.17g'><position x='1' z='%.17g'/>"
             "<inertia xx='900' yy='900' zz='900'/></RigidObject>"
             "<RigidObject name='counterweight' mass='%.17g'><position x='-1' z='%.17g'/>"
             "<inertia xx='900' yy='900' zz='900'/></RigidObject>"
             "<RigidObject name='wheel' mass='200'><position z='%.17g'/>"
             "<inertia xx='11' yy='%.17g' zz='11'/></RigidObject>"
             "<Joint name='sheave' type='hinge' child='wheel'><frame><position z='%.17g'/></frame>"
             "<axis y='-1' z='0'/></Joint>"
             "<Joint name='car_rail' type='slider' child='car'/>"
             "<Joint name='cw_rail' type='slider' child='counterweight'/>"
             "<Joint name='rope' type='rope' parent='car' child='counterweight'><childFrame/>"
             "<rope ea='%.17g' free='%.17g' free_child='%.17g' damping='%.17g' sheave='sheave' "
             "radius='%.17g' %s/></Joint>%s</mechanism>",
             lift->car, at[0], lift->counterweight, at[1], lift_axle, lift_moment, lift_axle,
             lift_ea, lift->free[0], lift->free[1], lift->damping, lift_radius, lift->grip,
             lift->more ? lift->more : "");
    rig_open(rig, text, step_s);
}

/* A brake that nothing overcomes. */
static inline void lift_hold(struct mechanism_rig *rig)
{
    rig->state->joints.limit[SHEAVE] = 1e9;
}

/* The torque that carries the weights, so that nothing turns. */
static inline void lift_balance(struct mechanism_rig *rig, const struct lift *lift)
{
    rig->state->joints.driven[SHEAVE] = true;
    rig->state->joints.push[SHEAVE] = lift_radius * (lift->car - lift->counterweight) * G;
}

/* How often a value that the solver publishes swings around 0 in a second. */
static inline double lift_frequency(struct mechanism_rig *rig, const double *value, double seconds)
{
    double first = -1.0, last = 0.0, before = *value, dt = rig->world->dt, now = 0.0;
    int n = 0;
    while (now < seconds) {
        dpl_world_step(rig->world, 1);
        now += dt;
        if (before < 0.0 && *value >= 0.0) {
            last = now - dt * *value / (*value - before);
            n += first >= 0.0;
            first = first < 0.0 ? last : first;
        }
        before = *value;
    }
    return n > 0 ? n / (last - first) : 0.0;
}

static inline void lift_cut(const struct mechanism_rig *rig)
{
    struct dpl_world_channels *channels;
    size_t cut = rig_channel(rig, "m/rope/cut", true, &channels);
    dpl_world_channels_share(channels, cut, true);
    dpl_world_channels_share(channels, cut, false);
    dpl_world_channels_destroy(channels);
}

#endif
