/* SPDX-License-Identifier: Apache-2.0 */
/* Inverse dynamics and energy. */
#include "delta_dynamics.h"

#include <math.h>

#include <doppel/math/gravity.h>

#include "delta_chain.h"
#include "delta_vector.h"

/* How the mass of a pair of rods acts on its two ends: the force that accelerates the elbow is
 * m (own a_elbow + mixed a_platform), that of the platform m (mixed a_elbow + far a_platform); the
 * weights are m g elbow_weight and m g platform_weight. */
struct rod_model {
    double own, mixed, far, elbow_weight, platform_weight;
};

static const struct rod_model uniform = {1.0 / 3.0, 1.0 / 6.0, 1.0 / 3.0, 0.5, 0.5};

/* The parts of the arm that do not depend on the configuration: arm and rotor about the hinge. */
static double hinge_inertia(const struct dpl_delta *d)
{
    return d->arm_inertia_kg_m2 + d->arm_kg * d->arm_centre_m * d->arm_centre_m +
           d->gear * d->gear * d->rotor_inertia_kg_m2;
}

static int torque_of(const struct dpl_delta *delta, const struct dpl_delta_motion *motion,
                     const struct rod_model *rod, double *ret_torque_nm)
{
    static const double up[3] = {0.0, 0.0, DPL_STANDARD_GRAVITY_M_S2};
    struct dpl__delta_chains chains;
    int error = dpl__delta_chains_set(delta, motion->p, motion->q, &chains);
    if (error) {
        return error;
    }
    double pair_kg = 2.0 * delta->rod_kg, carried_kg = delta->platform_kg + delta->payload_kg;
    double at_elbow[DPL_DELTA_ARMS][3], at_platform[3];
    for (int k = 0; k < 3; k++) {
        at_platform[k] = carried_kg * (motion->a[k] + up[k]);
    }
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        double qd = motion->qd[i], qdd = motion->qdd[i];
        for (int k = 0; k < 3; k++) {
            double elbow = chains.slope[i][k] * qdd + chains.bend[i][k] * qd * qd;
            at_elbow[i][k] = pair_kg * (rod->own * elbow + rod->mixed * motion->a[k] +
                                        rod->elbow_weight * up[k]);
            at_platform[k] += pair_kg * (rod->mixed * elbow + rod->far * motion->a[k] +
                                         rod->platform_weight * up[k]);
        }
    }
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        double weight = delta->arm_kg * DPL_STANDARD_GRAVITY_M_S2 * delta->arm_centre_m;
        ret_torque_nm[i] = hinge_inertia(delta) * motion->qdd[i] - weight * cos(motion->q[i]) +
                           dpl__delta_dot(chains.slope[i], at_elbow[i]) +
                           chains.lever[i] * dpl__delta_dot(chains.inverse[i], at_platform);
    }
    return 0;
}

int dpl_delta_torque(const struct dpl_delta *delta, const struct dpl_delta_motion *motion,
                     double *ret_torque_nm)
{
    return torque_of(delta, motion, &uniform, ret_torque_nm);
}

int dpl_delta_torque_point_mass(const struct dpl_delta *delta,
                                const struct dpl_delta_motion *motion, double share,
                                double *ret_torque_nm)
{
    const struct rod_model points = {
        .own = share, .far = 1.0 - share, .elbow_weight = share, .platform_weight = 1.0 - share};
    return torque_of(delta, motion, &points, ret_torque_nm);
}

int dpl_delta_holding_torque(const struct dpl_delta *delta, const double *p, double *ret_torque_nm)
{
    struct dpl_delta_motion rest = {.p = {p[0], p[1], p[2]}};
    int error = dpl_delta_motion_of_joints(delta, &rest);
    return error ? error : dpl_delta_torque(delta, &rest, ret_torque_nm);
}

/* The velocity of an elbow: its arm turns by qd. */
static void elbow_velocity(const struct dpl_delta *delta, int arm, double q, double qd,
                           double *ret_v)
{
    double out = -delta->arm_m * sin(q) * qd;
    ret_v[0] = out * dpl_delta_azimuth[arm][0];
    ret_v[1] = out * dpl_delta_azimuth[arm][1];
    ret_v[2] = -delta->arm_m * cos(q) * qd;
}

struct dpl_delta_energy dpl_delta_energy(const struct dpl_delta *delta,
                                         const struct dpl_delta_motion *motion)
{
    double carried_kg = delta->platform_kg + delta->payload_kg, pair_kg = 2.0 * delta->rod_kg;
    double vv = dpl__delta_dot(motion->v, motion->v), z = motion->p[2];
    double kinetic = 0.5 * carried_kg * vv, moment = carried_kg * z; /* kg m */
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        double q = motion->q[i], qd = motion->qd[i], elbow[3];
        elbow_velocity(delta, i, q, qd, elbow);
        kinetic +=
            0.5 * hinge_inertia(delta) * qd * qd +
            pair_kg / 6.0 * (dpl__delta_dot(elbow, elbow) + dpl__delta_dot(elbow, motion->v) + vv);
        moment -= delta->arm_kg * delta->arm_centre_m * sin(q);
        moment += 0.5 * pair_kg * (z - delta->arm_m * sin(q));
    }
    return (struct dpl_delta_energy){kinetic, moment * DPL_STANDARD_GRAVITY_M_S2};
}
