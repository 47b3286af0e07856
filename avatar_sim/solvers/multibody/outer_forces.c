/* SPDX-License-Identifier: Apache-2.0 */
/* Forces that code outside adds in each evaluation. */
#include <errno.h>

#include "system.h"

void dpl_mb_set_forces(struct dpl_mb_system *system, dpl_mb_forces *forces, void *user)
{
    system->m->forces = forces;
    system->m->forces_user = user;
    system->m->is_told = false;
}

void dpl__mb_outer_forces(struct dpl__mb *m)
{
    struct dpl_mb_system system = {m};
    m->forces(m->forces_user, &system);
}

/* The wrench of a damper of three directions at a place, against a motion (lanes of 8). */
static void damper_wrench(const double c[6], const double from[3], const double *motion,
                          double *ret_wrench)
{
    double v[3];
    dpl__cross3(motion, from, v);
    for (int i = 0; i < 3; i++) {
        v[i] += motion[4 + i];
    }
    const double force[3] = {c[0] * v[0] + c[3] * v[1] + c[5] * v[2],
                             c[3] * v[0] + c[1] * v[1] + c[4] * v[2],
                             c[5] * v[0] + c[4] * v[1] + c[2] * v[2]};
    memset(ret_wrench, 0, 8 * sizeof *ret_wrench);
    dpl__cross3(from, force, ret_wrench);
    memcpy(ret_wrench + 4, force, sizeof force);
}

/* The force after the step is f - step C a, of the acceleration a: inertia of step C, which is not
 * heavy. Accelerations of links have gravity's opposite in them. */
static void soften(struct dpl__mb *m, int link, const double c[6], const double from[3])
{
    double wrench[8], motion[8];
    for (int j = 0; j < 6; j++) {
        memset(motion, 0, sizeof motion);
        motion[dpl__mb_lane(j)] = m->implicit;
        damper_wrench(c, from, motion, wrench);
        dpl__add8(&m->articulated[link][8 * j], 1.0, wrench);
    }
    memset(motion, 0, sizeof motion);
    for (int i = 0; i < 3; i++) {
        motion[4 + i] = m->implicit * m->gravity[i];
    }
    damper_wrench(c, from, motion, wrench);
    dpl__add8(m->force[link], 1.0, wrench);
}

int dpl_mb_act(struct dpl_mb_system *system, int body, const double force[3], const double at[3],
               const double damping[6])
{
    struct dpl__mb *m = system->m;
    if (body < 0 || body >= m->n_bodies || m->parts[body].link < 0) {
        return -ENOENT;
    }
    int link = m->parts[body].link;
    dpl__mb_add_force(m, link, 1.0, force, at);
    if (link > 0 && damping && m->implicit > 0.0) {
        const double *point = m->points[m->branch[link]];
        const double from[3] = {at[0] - point[0], at[1] - point[1], at[2] - point[2]};
        soften(m, link, damping, from);
    }
    return 0;
}
