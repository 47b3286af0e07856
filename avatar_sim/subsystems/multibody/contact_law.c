/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of the law of contact: Hunt, Crossley (1975), J. Appl. Mech. 42, 440, with a force
 * that is linear in the depth. */
#include <math.h>

#include "multibody_contact.h"

/* Radians of a contact's oscillation in a step, for stiffness that nobody gave. */
static const double TURN_A_STEP = 0.25;
static const double IMPACT_M_S = 1.0, CREEP_M_S = 0.005;
/* Of mass / step: four points then damp no more than 0.8 of it along a direction, and 2.4 about
 * one, where the least of Runge-Kutta's limits is 2.78. */
static const double DAMPING_SHARE = 0.2;

/* Points that bear it on a plane. */
static double bearing(enum dpl_star_shape_kind kind)
{
    switch (kind) {
    case DPL_STAR_SPHERE: return 1.0;
    case DPL_STAR_CAPSULE: return 2.0;
    default: return 4.0;
    }
}

double dpl__multibody_dissipation(double restitution, double speed)
{
    if (restitution >= 1.0) {
        return 0.0;
    }
    double low = 0.0, high = 1.0 / restitution;
    for (int i = 0; i < 100; i++) {
        double x = 0.5 * (low + high);
        double too_much = log1p(x) - log1p(-x * restitution) - x * (1.0 + restitution);
        if (too_much > 0.0) { /* the rebound would be slower than this */
            high = x;
        } else {
            low = x;
        }
    }
    return 0.5 * (low + high) / speed;
}

struct dpl_multibody_touching dpl__multibody_touching(const struct dpl_star_shape *shape,
                                                      double mass,
                                                      enum dpl_mb_integrator integrator,
                                                      double step)
{
    bool is_fixed_step = integrator == DPL_MB_RK4;
    double rate = TURN_A_STEP / step;
    struct dpl_multibody_touching law = {
        .stiffness =
            shape->stiffness > 0.0 ? shape->stiffness : mass * rate * rate / bearing(shape->kind),
        .dissipation = dpl__multibody_dissipation(shape->restitution, IMPACT_M_S),
        .friction = shape->friction,
        .creep = shape->creep_speed > 0.0 ? shape->creep_speed : CREEP_M_S,
        .most = is_fixed_step && mass > 0.0 ? DAMPING_SHARE * mass / step : (double)INFINITY,
    };
    return law;
}

double dpl__multibody_contact_steps(const struct dpl_star_shape *shape, double mass, double step)
{
    if (!(mass > 0.0) || !(shape->stiffness > 0.0)) {
        return (double)INFINITY;
    }
    return acos(-1.0) * sqrt(mass / (shape->stiffness * bearing(shape->kind))) / step;
}
