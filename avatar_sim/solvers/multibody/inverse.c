/* SPDX-License-Identifier: Apache-2.0 */
/* The efforts that make accelerations, by the recursion of Newton and Euler over the tree; loops
 * hand the efforts of dependents to the independent coordinates. */
#include <errno.h>

#include "analysis.h"

bool dpl__mb_is_plain(const struct dpl__mb *m)
{
    return m->n_floats == 0 && m->n_sphericals == 0;
}

int dpl__mb_next_free(const struct dpl__mb *m, int *inout_cluster, int *inout_place)
{
    while (*inout_cluster < m->n_clusters) {
        const struct dpl__mb_cluster *cluster = &m->clusters[*inout_cluster];
        int n = cluster->n_chords > 0 ? cluster->n - cluster->rank : cluster->n;
        if (*inout_place < n) {
            int place = (*inout_place)++;
            return cluster->first + (cluster->n_chords > 0 ? cluster->frees[place] : place);
        }
        ++*inout_cluster;
        *inout_place = 0;
    }
    return -1;
}

/* Which coordinate of its joint a link has. */
static int coordinate_of(const struct dpl__mb *m, int link)
{
    const struct dpl__mb_joint *joint = &m->joints[m->joint_of[link]];
    return joint->sign < 0.0 ? joint->link - link : link - joint->link;
}

size_t dpl_mb_independent(const struct dpl_mb_system *system, int *ret_joints, int *ret_coordinates,
                          size_t n)
{
    const struct dpl__mb *m = system->m;
    size_t count = 0;
    int cluster = 0, place = 0, link;
    while (dpl__mb_is_plain(m) && (link = dpl__mb_next_free(m, &cluster, &place)) >= 0) {
        if (count < n) {
            ret_joints[count] = m->joint_of[link];
            ret_coordinates[count] = coordinate_of(m, link);
        }
        count++;
    }
    return count;
}

/* Accelerations of all coordinates from those of the independent ones. */
static void complete(struct dpl__mb *m, const double *accelerations)
{
    int at = 0, place = 0, link, n = 0;
    while ((link = dpl__mb_next_free(m, &at, &place)) >= 0) {
        m->a[link] = m->joints[m->joint_of[link]].sign * accelerations[n++];
    }
    for (int k = 0; k < m->n_clusters; k++) {
        const struct dpl__mb_cluster *cluster = &m->clusters[k];
        double *a = &m->a[cluster->first];
        int f = cluster->n - cluster->rank;
        for (int i = 0; cluster->n_chords > 0 && i < cluster->rank; i++) {
            double sum = cluster->bias[cluster->deps[i]];
            for (int j = 0; j < f; j++) {
                sum += cluster->b[i * f + j] * a[cluster->frees[j]];
            }
            a[cluster->deps[i]] = sum;
        }
    }
}

/* What links need besides what acts on them, from the leaves on; `force` holds their bias. */
static void recur(struct dpl__mb *m, double *ret_efforts)
{
    for (int i = 1; i < m->n_links; i++) {
        double times[8];
        const double *parent = m->acceleration[m->parent[i]];
        for (int k = 0; k < 8; k++) {
            m->acceleration[i][k] = parent[k] + m->drift[i][k] + m->s[i][k] * m->a[i];
        }
        dpl__times6(m->articulated[i], m->acceleration[i], times);
        dpl__add8(m->force[i], 1.0, times);
    }
    for (int i = m->n_links - 1; i >= 1; i--) {
        ret_efforts[i] = dpl__dot8(m->s[i], m->force[i]) - m->effort[i];
        if (m->parent[i] != 0) {
            dpl__add8(m->force[m->parent[i]], 1.0, m->force[i]);
        }
    }
}

int dpl_mb_inverse(const struct dpl_mb_system *system, const double *accelerations,
                   double *ret_efforts)
{
    struct dpl__mb *m = system->m;
    if (!dpl__mb_is_plain(m)) {
        return -ENOTSUP;
    }
    double *all = m->memory.take(m->memory.user, (size_t)m->n_links * sizeof *all);
    if (!all) {
        return -ENOMEM;
    }
    dpl__mb_evaluate(m); /* the bias of loops */
    complete(m, accelerations);
    m->velocities_hold = false; /* inertias and forces of single links again */
    dpl__mb_refresh(m);
    dpl__mb_forces(m);
    memset(m->acceleration[0], 0, sizeof m->acceleration[0]);
    for (int i = 0; i < 3; i++) {
        m->acceleration[0][4 + i] = -m->gravity[i];
    }
    recur(m, all);
    m->velocities_hold = false;
    int at = 0, place = 0, link, n = 0;
    while ((link = dpl__mb_next_free(m, &at, &place)) >= 0) {
        const struct dpl__mb_cluster *cluster = &m->clusters[at];
        double sum = all[link];
        int f = cluster->n - cluster->rank;
        for (int i = 0; cluster->n_chords > 0 && i < cluster->rank; i++) {
            sum += cluster->b[i * f + place - 1] * all[cluster->first + cluster->deps[i]];
        }
        ret_efforts[n++] = m->joints[m->joint_of[link]].sign * sum;
    }
    m->memory.give(m->memory.user, all);
    return 0;
}
