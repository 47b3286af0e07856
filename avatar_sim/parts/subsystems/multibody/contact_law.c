/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of the law of contact: Hunt, Crossley (1975), J. Appl. Mech. 42, 440, with a force
 * that is linear in the depth. */
#include <math.h>

#include "multibody_contact.h"

/* Radians of a contact's oscillation in a step, for stiffness that nobody gave. */
static const double TURN_A_STEP = 0.25;
static const double IMPACT_M_S = 1.0, CREEP_M_S = 0.005;
/* The largest rate, in 1 / step, that damping of contacts makes: Runge-Kutta's limit is 2.78. */
static const double MOST_RATE = 2.5;
/* The largest turn a step of stiffness that nobody gave, also where a body tilts: the limit is 2.
 */
static const double MOST_TURN = 0.7;

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

/* Half edges of the box around a shape, in its own axes. */
static void half_edges(const struct dpl_star_shape *shape, double ret[3])
{
    for (int i = 0; i < 3; i++) {
        double along = i == 2 ? 0.5 * shape->height : 0.0;
        ret[i] = 0.5 * shape->size[i];
        switch (shape->kind) {
        case DPL_STAR_SPHERE: ret[i] = shape->radius; break;
        case DPL_STAR_CAPSULE: ret[i] = along + shape->radius; break;
        case DPL_STAR_CYLINDER: ret[i] = i == 2 ? along : shape->radius; break;
        case DPL_STAR_HULL:
            for (size_t k = 0; k < shape->n_points; k++) {
                ret[i] = fmax(ret[i], fabs(shape->points[k][i]));
            }
            break;
        default: break;
        }
    }
}

/* The inverse of the least mass that a push at a corner of the box around a shape finds, along one
 * of the axes of its body. Joints only make it heavier. */
static double mobility(const struct dpl_star_shape *shape, const struct dpl_mb_body *body)
{
    double half[3], arm[3], most = 0.0;
    half_edges(shape, half);
    for (int i = 0; i < 3; i++) {
        arm[i] = fabs(shape->place.position[i] - body->centre[i]);
        for (int k = 0; k < 3; k++) {
            arm[i] += fabs(shape->place.rotation[3 * i + k]) * half[k];
        }
    }
    for (int i = 0; i < 3; i++) { /* along axis i it turns about the two others */
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double turns = 0.0;
        turns += body->inertia[j] > 0.0 ? arm[k] * arm[k] / body->inertia[j] : 0.0;
        turns += body->inertia[k] > 0.0 ? arm[j] * arm[j] / body->inertia[k] : 0.0;
        most = fmax(most, turns);
    }
    return 1.0 / body->mass + most;
}

struct dpl_multibody_touching dpl__multibody_touching(const struct dpl_star_shape *shape,
                                                      const struct dpl_mb_body *body,
                                                      enum dpl_mb_integrator integrator,
                                                      double step)
{
    double points = bearing(shape->kind), rate = TURN_A_STEP / step, most = MOST_TURN / step;
    struct dpl_multibody_touching law = {
        .stiffness = shape->stiffness,
        .dissipation = dpl__multibody_dissipation(shape->restitution, IMPACT_M_S),
        .friction = shape->friction,
        .creep = shape->creep_speed > 0.0 ? shape->creep_speed : CREEP_M_S,
        .most = (double)INFINITY,
    };
    if (!(body->mass > 0.0)) {
        return law; /* its stiffness was given */
    }
    double light = points * mobility(shape, body);
    if (!(law.stiffness > 0.0)) {
        law.stiffness = fmin(body->mass * rate * rate / points, most * most / light);
    }
    if (integrator == DPL_MB_RK4) {
        law.most = MOST_RATE / (step * light);
    }
    return law;
}

double dpl__multibody_contact_steps(const struct dpl_star_shape *shape, double mass, double step)
{
    if (!(mass > 0.0) || !(shape->stiffness > 0.0)) {
        return (double)INFINITY;
    }
    return acos(-1.0) * sqrt(mass / (shape->stiffness * bearing(shape->kind))) / step;
}
