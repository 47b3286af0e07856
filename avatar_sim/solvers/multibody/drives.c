/* SPDX-License-Identifier: Apache-2.0 */
/* Motors that give an acceleration: their efforts are those with which the accelerations along
 * their joints are what is wanted. Accelerations are affine in efforts, so one evaluation without
 * them and one with each effort alone say which. Joints in different branches do not feel each
 * other: their efforts are tried in one evaluation. */
#include "system.h"

/* A joint whose own mobility is mostly that of the others gets no effort of its own. */
static const double LEAST_PIVOT = 1e-9;
/* Another round of corrections where accelerations miss by more than this share. */
static const double CLOSE = 1e-11;

static int branch_of(const struct dpl__mb *m, const struct dpl__mb_joint *joint)
{
    return m->branch[joint->links[joint->links[1] > 0 ? 1 : 0]];
}

void dpl__mb_list_driven(struct dpl__mb *m)
{
    struct dpl__mb_drives *drives = &m->drives;
    drives->n = drives->n_rounds = 0;
    for (int j = 0; j < m->n_joints && drives->n < drives->most; j++) {
        const struct dpl__mb_joint *joint = &m->joints[j];
        if (joint->motor.mode != DPL_MB_MOTOR_ACCELERATION || joint->role < 0) {
            continue;
        }
        int round = 0;
        for (int k = 0; k < drives->n; k++) {
            round += branch_of(m, &m->joints[drives->joints[k]]) == branch_of(m, joint);
        }
        drives->joints[drives->n] = j;
        drives->round[drives->n++] = round;
        drives->n_rounds = round >= drives->n_rounds ? round + 1 : drives->n_rounds;
    }
}

/* Accelerations along the joints with these efforts. */
static void respond(struct dpl__mb *m, double *ret_accelerations)
{
    const struct dpl_mb_system system = {m};
    dpl__mb_accelerate(m);
    for (int k = 0; k < m->drives.n; k++) {
        struct dpl_mb_joint_state state;
        dpl_mb_joint(&system, m->drives.joints[k], &state);
        ret_accelerations[k] = state.acceleration[0];
    }
}

static double *found(struct dpl__mb *m, int k)
{
    return &m->joints[m->drives.joints[k]].found;
}

/* `free`: accelerations without efforts. Fills `matrix`: accelerations by efforts. */
static void try_efforts(struct dpl__mb *m, const double *free, double *scratch)
{
    struct dpl__mb_drives *drives = &m->drives;
    int n = drives->n;
    memset(drives->matrix, 0, (size_t)n * (size_t)n * sizeof *drives->matrix);
    for (int round = 0; round < drives->n_rounds; round++) {
        for (int k = 0; k < n; k++) {
            *found(m, k) = drives->round[k] == round ? 1.0 : 0.0;
        }
        respond(m, scratch);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) {
                int branch = branch_of(m, &m->joints[drives->joints[i]]);
                if (drives->round[k] == round &&
                    branch_of(m, &m->joints[drives->joints[k]]) == branch) {
                    drives->matrix[i * n + k] = scratch[i] - free[i];
                }
            }
        }
    }
}

/* Elimination in `scratch` with the largest pivot first, of rows that are not done. Returns how
 * many pivots there are, in their order. */
static int eliminate(struct dpl__mb_drives *drives, bool *is_done, double *right, int *ret_order)
{
    int n = drives->n;
    double *a = drives->scratch;
    for (int rank = 0;; rank++) {
        int best = -1;
        for (int i = 0; i < n; i++) {
            if (!is_done[i] && (best < 0 || a[i * n + i] > a[best * n + best])) {
                best = i;
            }
        }
        if (best < 0 || !(a[best * n + best] > LEAST_PIVOT)) {
            return rank;
        }
        is_done[best] = true;
        ret_order[rank] = best;
        for (int i = 0; i < n; i++) {
            double share = is_done[i] ? 0.0 : a[i * n + best] / a[best * n + best];
            for (int k = 0; share != 0.0 && k < n; k++) {
                a[i * n + k] -= share * a[best * n + k];
            }
            right[i] -= share * right[best];
        }
    }
}

/* Efforts of the joints in `open` for which their accelerations change by `right`, which is lost.
 * Each joint's mobility counts as 1. What the others say already gets no effort. */
static void solve(struct dpl__mb_drives *drives, const bool *open, double *right, double *ret)
{
    int n = drives->n, order[DPL_MB_DRIVEN_MAX];
    double *a = drives->scratch, scale[DPL_MB_DRIVEN_MAX];
    bool is_done[DPL_MB_DRIVEN_MAX];
    for (int i = 0; i < n; i++) {
        double own = drives->matrix[i * n + i];
        is_done[i] = !open[i] || !(own > 0.0);
        scale[i] = is_done[i] ? 0.0 : 1.0 / sqrt(own);
        right[i] *= scale[i];
        ret[i] = 0.0;
    }
    for (int i = 0; i < n * n; i++) {
        a[i] = scale[i / n] * scale[i % n] * drives->matrix[i];
    }
    int rank = eliminate(drives, is_done, right, order);
    for (int r = rank - 1; r >= 0; r--) {
        int i = order[r];
        double sum = right[i];
        for (int s = r + 1; s < rank; s++) {
            sum -= a[i * n + order[s]] * ret[order[s]];
        }
        ret[i] = sum / a[i * n + i];
    }
    for (int i = 0; i < n; i++) {
        ret[i] *= scale[i];
    }
}

/* Of the open ones that whose effort would be the most above what its motor can; -1: none. */
static int above_most(struct dpl__mb *m, const bool *open, const double *change)
{
    double most = 1.0;
    int worst = -1;
    for (int k = 0; k < m->drives.n; k++) {
        double limit = m->joints[m->drives.joints[k]].motor.max;
        double share = limit > 0.0 ? fabs(*found(m, k) + change[k]) / limit : 0.0;
        if (open[k] && share > most) {
            worst = k;
            most = share;
        }
    }
    return worst;
}

/* Adds efforts that change accelerations by `missing`. One that is above the most of its motor is
 * the most from then on, and the others do with that. */
static void correct(struct dpl__mb *m, bool *inout_open, const double *missing)
{
    struct dpl__mb_drives *drives = &m->drives;
    int n = drives->n, worst;
    double right[DPL_MB_DRIVEN_MAX], change[DPL_MB_DRIVEN_MAX], given[DPL_MB_DRIVEN_MAX];
    memset(given, 0, sizeof given); /* what those at their most change by */
    do {
        for (int i = 0; i < n; i++) {
            right[i] = missing[i];
            for (int k = 0; k < n; k++) {
                right[i] -= drives->matrix[i * n + k] * given[k];
            }
        }
        solve(drives, inout_open, right, change);
        worst = above_most(m, inout_open, change);
        if (worst >= 0) {
            double limit = m->joints[drives->joints[worst]].motor.max;
            given[worst] = copysign(limit, *found(m, worst) + change[worst]) - *found(m, worst);
            inout_open[worst] = false;
        }
    } while (worst >= 0);
    for (int k = 0; k < n; k++) {
        *found(m, k) += inout_open[k] ? change[k] : given[k];
    }
}

/* By how much the largest of the open ones misses, beside what there was without efforts. */
static double miss(const struct dpl__mb *m, const bool *open, const double *free,
                   const double *accelerations, double *ret_missing)
{
    double most = 0.0;
    for (int k = 0; k < m->drives.n; k++) {
        double wanted = m->joints[m->drives.joints[k]].setpoint;
        ret_missing[k] = open[k] ? wanted - accelerations[k] : 0.0;
        most = fmax(most, fabs(ret_missing[k]) / fmax(1e-9, fabs(wanted) + fabs(free[k])));
    }
    return most;
}

static void drive(struct dpl__mb *m)
{
    double free[DPL_MB_DRIVEN_MAX], now[DPL_MB_DRIVEN_MAX], missing[DPL_MB_DRIVEN_MAX];
    bool open[DPL_MB_DRIVEN_MAX];
    for (int k = 0; k < m->drives.n; k++) {
        *found(m, k) = 0.0;
        open[k] = true;
    }
    respond(m, free);
    try_efforts(m, free, now);
    for (int k = 0; k < m->drives.n; k++) {
        *found(m, k) = 0.0;
    }
    miss(m, open, free, free, missing);
    for (int round = 0; round < 2; round++) {
        correct(m, open, missing);
        respond(m, now);
        if (miss(m, open, free, now, missing) <= CLOSE) {
            return;
        }
    }
}

void dpl__mb_evaluate(struct dpl__mb *m)
{
    if (m->drives.n > 0) {
        drive(m);
    } else {
        dpl__mb_accelerate(m);
    }
}
