/* SPDX-License-Identifier: Apache-2.0 */
/* Whether what acts along single joints is too stiff for steps of a fixed length: the two
 * eigenvalues of each joint with all others free to move, against where the integrator is stable
 * (Hairer and Wanner 1996, IV.2; of the semi-implicit step in closed form). The largest eigenvalue
 * of the whole system is no smaller than that of a joint whose springs alone act. */
#include <complex.h>
#include <errno.h>
#include <stdio.h>

#include "system.h"

/* Along one joint: N/m and N s/m, or N m/rad and N m s/rad. */
struct along {
    double stiffness, damping;
};

static double steepest(const struct dpl_mb_piecewise *law, double x)
{
    double most, slope;
    dpl_mb_law(law, x, &most);
    for (size_t i = 0; i < law->n_knots; i++) {
        double knot = law->knots[i];
        double below = knot - 1e-9 * fmax(1.0, fabs(knot));
        dpl_mb_law(law, knot, &slope);
        most = fmax(most, slope);
        dpl_mb_law(law, below, &slope);
        most = fmax(most, slope);
    }
    return fmax(0.0, most);
}

/* What its restraints do near the pose of now, and its motor, unless it is at its limit. */
static struct along along_of(const struct dpl__mb *m, int number)
{
    const struct dpl__mb_joint *joint = &m->joints[number];
    struct along sum = {0.0, 0.0};
    double rate, value = dpl__mb_joint_value(m, joint, 0, &rate);
    if (joint->motor.mode == DPL_MB_MOTOR_POSITION || joint->motor.mode == DPL_MB_MOTOR_VELOCITY) {
        sum.stiffness = joint->motor.mode == DPL_MB_MOTOR_POSITION ? joint->motor.kp : 0.0;
        sum.damping = joint->motor.kd;
    }
    for (int r = 0; r < m->n_restraints; r++) {
        const struct dpl__mb_restraint *restraint = &m->restraints[r];
        if (restraint->joint != number) {
            continue;
        }
        if (restraint->type == DPL_MB_SPRING) {
            sum.stiffness += steepest(&restraint->law, value);
        } else if (restraint->type == DPL_MB_DAMPER) {
            sum.damping += steepest(&restraint->law, 0.0);
        } else {
            sum.damping +=
                fmax(0.0, dpl_mb_law(&restraint->law, 0.0, NULL)) / restraint->regularization;
        }
    }
    return sum;
}

/* Its acceleration by an effort along it, for an effort of 1: of a system without other inputs. The
 * effort is as large as what acts there already, which would hide a smaller one by rounding. */
static double mobility_of(struct dpl_mb_system *system, int number)
{
    double accelerations[2] = {0.0, 0.0}, effort = 0.0;
    for (int pushed = 0; pushed < 2; pushed++) {
        struct dpl_mb_joint_state state;
        if (dpl_mb_apply(system, number, 0, effort) < 0) {
            return 0.0;
        }
        dpl_mb_update(system);
        if (dpl_mb_joint(system, number, &state) == 0) {
            accelerations[pushed] = state.acceleration[0];
            effort = pushed ? effort : fmax(1.0, fabs(state.effort[0]));
        }
    }
    dpl_mb_apply(system, number, 0, 0.0);
    return effort > 0.0 ? fmax(0.0, (accelerations[1] - accelerations[0]) / effort) : 0.0;
}

/* Whether a step makes what swings, or falls back, no larger. `k` in 1/s^2, `c` in 1/s. */
static bool is_stable(enum dpl_mb_integrator integrator, double k, double c, double step)
{
    if (integrator == DPL_MB_SEMI_IMPLICIT) {
        return step * step * k <= 4.0 + 2.0 * step * c; /* what damps is implicit */
    }
    double complex root = csqrt(0.25 * c * c - k);
    for (int sign = -1; sign < 2; sign += 2) {
        double complex z = step * (-0.5 * c + sign * root);
        double complex growth = 1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0)));
        if (!(cabs(growth) <= 1.0 + 1e-9)) {
            return false;
        }
    }
    return true;
}

static double longest_step(enum dpl_mb_integrator integrator, double k, double c, double step)
{
    double low = 0.0;
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (low + step);
        bool good = is_stable(integrator, k, c, middle);
        low = good ? middle : low;
        step = good ? step : middle;
    }
    return low;
}

static void warn(const struct dpl_mb_graph *graph, int number, const char *what, double step,
                 double longest, void (*report)(void *user, const struct dpl_diag *diag),
                 void *user)
{
    const struct dpl_mb_joint *joint = &graph->joints[number];
    struct dpl_diag diag = {.severity = DPL_SEVERITY_WARNING,
                            .place = {.line = joint->line, .column = joint->column}};
    char path[DPL_DIAG_TEXT_MAX / 2];
    dpl_mb_path(graph, DPL_MB_JOINT, number, path, sizeof path);
    snprintf(diag.text, sizeof diag.text,
             "joint '%s': %s too stiff for steps of %.3g s, which make it swing: shorter ones than "
             "%.2g s follow it, and integrators with steps of their own (dopri5, gragg)",
             path, what, step, longest);
    report(user, &diag);
}

/* How many things of a joint were told. */
static int check(struct dpl_mb_system *system, const struct dpl_mb_graph *graph, int number,
                 double step, void (*report)(void *user, const struct dpl_diag *diag), void *user)
{
    const struct dpl__mb *m = system->m;
    const struct dpl__mb_joint *joint = &m->joints[number];
    enum dpl_mb_integrator integrator = m->settings.integrator;
    struct along along = along_of(m, number);
    double mobility = mobility_of(system, number);
    const char *what = joint->motor.mode != DPL_MB_MOTOR_NONE && joint->is_restrained
                           ? "its motor and restraints are"
                       : joint->motor.mode != DPL_MB_MOTOR_NONE ? "its motor is"
                                                                : "its restraints are";
    for (int limit = 0; limit < 2; limit++) {
        if (limit == 1 && !joint->limit.is_there) {
            break;
        }
        double k = along.stiffness + (limit ? joint->limit.stiffness : 0.0);
        double c = along.damping + (limit ? joint->limit.damping : 0.0);
        if (!is_stable(integrator, mobility * k, mobility * c, step)) {
            warn(graph, number, limit ? "its limit is" : what, step,
                 longest_step(integrator, mobility * k, mobility * c, step), report, user);
            return 1;
        }
    }
    return 0;
}

int dpl_mb_check_step(const struct dpl_mb_graph *graph, const struct dpl_mb_settings *settings,
                      double step, void (*report)(void *user, const struct dpl_diag *diag),
                      void *user)
{
    struct dpl_mb_system *system;
    int told = 0;
    if (settings->integrator == DPL_MB_DOPRI5 || settings->integrator == DPL_MB_GRAGG) {
        return 0;
    }
    int err = dpl_mb_system_create(graph, settings, NULL, NULL, NULL, &system, NULL);
    if (err) {
        return err;
    }
    for (int j = 0; j < system->m->n_joints; j++) {
        const struct dpl__mb_joint *joint = &system->m->joints[j];
        bool acts =
            joint->limit.is_there || joint->motor.mode != DPL_MB_MOTOR_NONE || joint->is_restrained;
        if (acts && joint->role >= 0) {
            told += check(system, graph, j, step, report, user);
        }
    }
    dpl_mb_system_destroy(system);
    return told;
}
