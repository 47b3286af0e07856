/* SPDX-License-Identifier: Apache-2.0 */
#include "system.h"

double dpl_mb_kinetic(const struct dpl_mb_system *system)
{
    struct dpl__mb *m = system->m;
    double sum = 0.0;
    dpl__mb_refresh(m);
    for (int i = 1; i < m->n_links; i++) {
        sum += 0.5 * dpl__dot8(m->momentum[i], m->velocity[i]);
    }
    return sum;
}

static void centre_now(const struct dpl__mb *m, int link, double *ret_place)
{
    double c[4];
    dpl__turn(&m->frame[link], m->centre[link], c);
    for (int i = 0; i < 3; i++) {
        ret_place[i] = c[i] + m->frame[link].at[i] + m->points[m->branch[link]][i];
    }
}

/* J in the spring of a limit. */
static double limit_energy(struct dpl__mb *m, struct dpl__mb_joint *joint)
{
    const struct dpl_mb_limit *limit = &joint->limit;
    if (!limit->is_there || joint->role < 0) {
        return 0.0;
    }
    double rate, value = dpl__mb_joint_value(m, joint, 0, &rate);
    double beyond = fmax(value - limit->upper, fmin(value - limit->lower, 0.0));
    return 0.5 * limit->stiffness * beyond * beyond;
}

double dpl_mb_potential(const struct dpl_mb_system *system)
{
    struct dpl__mb *m = system->m;
    double sum = 0.0;
    dpl__mb_refresh(m);
    for (int i = 1; i < m->n_links; i++) {
        double place[3];
        centre_now(m, i, place);
        sum -= m->mass[i] * dpl__dot3(m->gravity, place);
    }
    return sum + dpl_mb_springs(system);
}

double dpl_mb_springs(const struct dpl_mb_system *system)
{
    struct dpl__mb *m = system->m;
    double sum = 0.0, rate;
    dpl__mb_refresh(m);
    for (int r = 0; r < m->n_restraints; r++) {
        const struct dpl__mb_restraint *restraint = &m->restraints[r];
        if (restraint->type != DPL_MB_SPRING ||
            (restraint->joint >= 0 && m->joints[restraint->joint].role < 0)) {
            continue;
        }
        double along[3], point[3];
        double value = restraint->joint >= 0
                           ? dpl__mb_joint_value(m, &m->joints[restraint->joint], 0, &rate)
                           : dpl__mb_pair(m, restraint, &rate, along, point);
        sum += dpl_mb_law_work(&restraint->law, value);
    }
    for (int j = 0; j < m->n_joints; j++) {
        sum += limit_energy(m, &m->joints[j]);
    }
    return sum;
}

void dpl_mb_momentum(const struct dpl_mb_system *system, double ret_linear[3],
                     double ret_angular[3])
{
    struct dpl__mb *m = system->m;
    dpl__mb_refresh(m);
    memset(ret_linear, 0, 3 * sizeof *ret_linear);
    memset(ret_angular, 0, 3 * sizeof *ret_angular);
    for (int i = 1; i < m->n_links; i++) {
        const double *momentum = m->momentum[i];
        for (int k = 0; k < 3; k++) {
            ret_linear[k] += momentum[4 + k];
            ret_angular[k] += momentum[k];
        }
        dpl__cross3_add(m->points[m->branch[i]], momentum + 4, ret_angular);
    }
}
