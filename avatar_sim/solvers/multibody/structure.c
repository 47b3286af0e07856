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

/* Coordinates of the chords of a cluster; *ret_before: of those before joint `joint`. */
static int chord_coordinates(const struct dpl__mb *m, const struct dpl__mb_cluster *cluster,
                             int joint, int *ret_before)
{
    int n = 0;
    for (int c = cluster->first_chord; c < cluster->first_chord + cluster->n_chords; c++) {
        if (m->chords[c].joint >= 0) {
            *ret_before = m->chords[c].joint == joint ? n : *ret_before;
            n += dpl_mb_joint_freedoms(m->chords[c].type);
        }
    }
    return n;
}

/* How all coordinates move with the independent one number `k`: [n] of the tree, then those of the
 * chords. `row`: [n] scratch. */
static void motion_with(const struct dpl__mb *m, const struct dpl__mb_cluster *cluster, int k,
                        double *row, double *ret)
{
    int n = cluster->n, f = n - cluster->rank, at = n;
    double motion[8];
    memset(ret, 0, (size_t)n * sizeof *ret);
    ret[cluster->frees[k]] = 1.0;
    for (int i = 0; i < cluster->rank; i++) {
        ret[cluster->deps[i]] = cluster->b[i * f + k];
    }
    for (int c = cluster->first_chord; c < cluster->first_chord + cluster->n_chords; c++) {
        const struct dpl__mb_chord *chord = &m->chords[c];
        int freedoms = chord->joint >= 0 ? dpl_mb_joint_freedoms(chord->type) : 0;
        for (int i = 0; i < freedoms; i++) {
            dpl__mb_coordinate(chord->type, i, &chord->now[0], &chord->now[1], motion);
            dpl__mb_row_jacobian(m, cluster, chord, motion, row);
            ret[at++] = dpl_dot(row, ret, n);
        }
    }
}

/* The square of a coordinate in an orthonormal basis of all motions; below 0: no memory. */
static double share_of(struct dpl__mb *m, const struct dpl__mb_cluster *cluster, int place,
                       int length)
{
    int f = cluster->n - cluster->rank;
    size_t numbers = (size_t)(f + 1) * (size_t)length + (size_t)cluster->n;
    double *scratch = m->memory.take(m->memory.user, numbers * sizeof *scratch), share = 0.0;
    if (!scratch) {
        return -1.0;
    }
    struct dpl_basis basis = {scratch, length, 0};
    double *vector = scratch + f * length, *row = vector + length;
    for (int k = 0; k < f; k++) {
        motion_with(m, cluster, k, row, vector);
        dpl_basis_add(&basis, vector, 1e-12);
    }
    for (int k = 0; k < basis.n; k++) {
        share += scratch[k * length + place] * scratch[k * length + place];
    }
    m->memory.give(m->memory.user, scratch);
    return share;
}

int dpl_mb_mobility(const struct dpl_mb_system *system, int joint, int i, bool *ret_independent,
                    double *ret_share)
{
    struct dpl__mb *m = system->m;
    if (joint < 0 || joint >= m->n_joints || m->joints[joint].role < 0 || i < 0 ||
        i >= dpl_mb_joint_freedoms(m->joints[joint].type)) {
        return -ENOENT;
    }
    const struct dpl__mb_joint *from = &m->joints[joint];
    int number = from->role == 0 ? m->cluster[from->link] : m->chords[from->chord].cluster;
    if (from->role == 0 && (m->clusters[number].n_chords == 0 || from->type == DPL_MB_FLOAT)) {
        *ret_independent = true;
        *ret_share = 1.0;
        return 0;
    }
    *ret_independent = false;
    *ret_share = 0.0;
    if (number < 0) {
        return 0; /* both ends are in one link */
    }
    const struct dpl__mb_cluster *cluster = &m->clusters[number];
    int before = 0, length = cluster->n + chord_coordinates(m, cluster, joint, &before);
    int place =
        from->role == 0 ? dpl__mb_chain_link(from, i) - cluster->first : cluster->n + before + i;
    dpl__mb_refresh(m);
    *ret_share = share_of(m, cluster, place, length);
    for (int k = 0; k < cluster->n - cluster->rank; k++) {
        *ret_independent = *ret_independent || cluster->frees[k] == place;
    }
    return *ret_share < 0.0 ? -ENOMEM : 0;
}
