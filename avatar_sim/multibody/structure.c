/* SPDX-License-Identifier: Apache-2.0 */
/* What a system tells about its structure. */
#include <errno.h>

#include <doppel/math/orthogonal.h>

#include "system.h"

void dpl_mb_topology(const struct dpl_mb_system *system, struct dpl_mb_topology *ret_topology)
{
    const struct dpl__mb *m = system->m;
    *ret_topology = (struct dpl_mb_topology){.chords = (size_t)m->n_chords};
    for (int k = 0; k < m->n_clusters; k++) {
        const struct dpl__mb_cluster *cluster = &m->clusters[k];
        ret_topology->rows += (size_t)cluster->n_rows;
        ret_topology->rank += (size_t)cluster->rank;
        ret_topology->clusters += cluster->n_chords > 0;
    }
    for (int i = 1; i < m->n_links; i++) {
        ret_topology->coordinates += m->kernel[i] == DPL__MB_FREE ? 6 : 1;
        int next = i + 1; /* links without a body of their own are parts of a joint */
        ret_topology->links +=
            next == m->n_links || m->joint_of[next] != m->joint_of[i] || m->joint_of[i] < 0;
    }
    ret_topology->freedom = ret_topology->coordinates - ret_topology->rank;
}

void dpl_mb_cluster(const struct dpl_mb_system *system, size_t i,
                    struct dpl_mb_cluster *ret_cluster)
{
    const struct dpl__mb *m = system->m;
    *ret_cluster = (struct dpl_mb_cluster){0};
    for (int k = 0; k < m->n_clusters; k++) {
        const struct dpl__mb_cluster *cluster = &m->clusters[k];
        if (cluster->n_chords == 0 || i-- > 0) {
            continue;
        }
        *ret_cluster =
            (struct dpl_mb_cluster){.coordinates = (size_t)cluster->n,
                                    .chords = (size_t)cluster->n_chords,
                                    .rows = (size_t)cluster->n_rows,
                                    .rank = (size_t)cluster->rank,
                                    .joints = &m->list[m->list_of[k]],
                                    .n_joints = (size_t)(m->list_of[k + 1] - m->list_of[k])};
        for (int link = cluster->first; link < cluster->first + cluster->n; link++) {
            ret_cluster->links += link + 1 == cluster->first + cluster->n ||
                                  m->joint_of[link + 1] != m->joint_of[link];
        }
        return;
    }
}

int dpl_mb_joint_role(const struct dpl_mb_system *system, int joint)
{
    const struct dpl__mb *m = system->m;
    return joint < 0 || joint >= m->n_joints ? -1 : m->joints[joint].role;
}

int dpl_mb_mobility(const struct dpl_mb_system *system, int joint, int i, bool *ret_independent,
                    double *ret_share)
{
    struct dpl__mb *m = system->m;
    if (joint < 0 || joint >= m->n_joints || m->joints[joint].role != 0 || i < 0 ||
        i >= dpl_mb_joint_freedoms(m->joints[joint].type)) {
        return -ENOENT;
    }
    *ret_independent = true;
    *ret_share = 1.0;
    const struct dpl__mb_joint *from = &m->joints[joint];
    struct dpl__mb_cluster *cluster = &m->clusters[m->cluster[from->link]];
    if (cluster->n_chords == 0 || from->type == DPL_MB_FLOAT) {
        return 0;
    }
    int n = cluster->n, local = dpl__mb_chain_link(from, i) - cluster->first;
    size_t numbers = (size_t)(cluster->rank + 1) * (size_t)n;
    double *scratch = m->memory.take(m->memory.user, numbers * sizeof *scratch);
    if (!scratch) {
        return -ENOMEM;
    }
    struct dpl_basis basis = {scratch, n, 0};
    double *row = scratch + (cluster->rank * n);
    dpl__mb_refresh(m);
    for (int k = 0; k < cluster->rank; k++) {
        int used = cluster->pivots[k];
        dpl__mb_row_jacobian(m, cluster, &m->chords[cluster->chords[used]],
                             &cluster->rows[8 * used], row);
        dpl_basis_add(&basis, row, 1e-9);
    }
    for (int k = 0; k < basis.n; k++) {
        *ret_share -= scratch[k * n + local] * scratch[k * n + local];
    }
    for (int k = 0; k < cluster->rank; k++) {
        *ret_independent = *ret_independent && cluster->deps[k] != local;
    }
    m->memory.give(m->memory.user, scratch);
    return 0;
}
