/* SPDX-License-Identifier: Apache-2.0 */
/* A new state of a system that runs. */
#include <errno.h>

#include "build.h"

/* What closing loops changes, to be put back. */
struct kept {
    double *y;
    struct dpl__mb_chord *chords;
    struct dpl__mb_joint *joints;
    struct dpl__mb_frame *seats;
    double *scratch;
};

static size_t carve_kept(const struct dpl__mb *m, struct kept *kept, char *base)
{
    struct dpl__mb_arena arena = {base, 0};
    kept->y = dpl__mb_carve(&arena, (size_t)m->ny, sizeof(double));
    kept->chords = dpl__mb_carve(&arena, (size_t)m->n_chords, sizeof *kept->chords);
    kept->joints = dpl__mb_carve(&arena, (size_t)m->n_joints, sizeof *kept->joints);
    kept->seats = dpl__mb_carve(&arena, (size_t)m->n_links, sizeof *kept->seats);
    kept->scratch = dpl__mb_carve(&arena, dpl__mb_assemble_numbers(m), sizeof(double));
    return arena.used;
}

/* memcpy with a size of 0 may not have NULL. */
static void copy(void *to, const void *from, int n, size_t size)
{
    if (n > 0) {
        memcpy(to, from, (size_t)n * size);
    }
}

static void keep(const struct dpl__mb *m, const struct kept *kept)
{
    copy(kept->y, m->y, m->ny, sizeof *m->y);
    copy(kept->chords, m->chords, m->n_chords, sizeof *m->chords);
    copy(kept->joints, m->joints, m->n_joints, sizeof *m->joints);
    copy(kept->seats, m->seat, m->n_links, sizeof *m->seat);
}

static void put_back(struct dpl__mb *m, const struct kept *kept)
{
    copy(m->y, kept->y, m->ny, sizeof *m->y);
    copy(m->chords, kept->chords, m->n_chords, sizeof *m->chords);
    copy(m->joints, kept->joints, m->n_joints, sizeof *m->joints);
    copy(m->seat, kept->seats, m->n_links, sizeof *m->seat);
    for (int k = 0; k < m->n_clusters; k++) {
        struct dpl__mb_cluster *cluster = &m->clusters[k];
        dpl__mb_positions(m, cluster);
        if (cluster->n_chords > 0 && !cluster->stopped) {
            dpl__mb_partition(m, cluster, -1);
        }
    }
    dpl__mb_touch(m);
    dpl__mb_forget(m);
}

/* The state of now as that of the start, with what is new. */
static int prepare(const struct dpl_mb_system *system, const int *joints,
                   const double *displacements, const double *velocities, size_t n,
                   struct dpl_diag *reterr)
{
    struct dpl__mb *m = system->m;
    for (int j = 0; j < m->n_joints; j++) {
        struct dpl_mb_joint_state state;
        struct dpl__mb_joint *joint = &m->joints[j];
        joint->is_held = false;
        if (joint->role >= 0 && dpl_mb_joint(system, j, &state) == 0) {
            memcpy(joint->displacement, state.displacement, sizeof joint->displacement);
            memcpy(joint->velocity, state.velocity, sizeof joint->velocity);
        }
    }
    for (size_t k = 0; k < n; k++) {
        int j = joints[k], i = 0;
        if (j < 0 || j >= m->n_joints || m->joints[j].role < 0 ||
            m->joints[j].type == DPL_MB_FLOAT) {
            return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                            "joint %d has no displacement to set", j);
        }
        for (size_t before = 0; before < k; before++) {
            i += joints[before] == j;
        }
        if (i >= dpl_mb_joint_freedoms(m->joints[j].type)) {
            return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                            "joint %d has %d coordinates, not more", j, i);
        }
        m->joints[j].is_held = true;
        m->joints[j].displacement[i] = displacements[k];
        m->joints[j].velocity[i] = velocities[k];
    }
    return 0;
}

int dpl_mb_set(struct dpl_mb_system *system, const int *joints, const double *displacements,
               const double *velocities, size_t n, struct dpl_diag *reterr)
{
    struct dpl__mb *m = system->m;
    struct kept kept;
    const struct dpl__mb_making making = {.reterr = reterr};
    size_t bytes = carve_kept(m, &kept, NULL);
    char *block = m->memory.take(m->memory.user, bytes + 64);
    if (!block) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "no memory is left");
    }
    dpl__mb_refresh(m);
    carve_kept(m, &kept, block);
    keep(m, &kept);
    int result = prepare(system, joints, displacements, velocities, n, reterr);
    if (result == 0) {
        dpl__mb_start(m);
        copy(m->x + m->n_links, kept.y + m->n_links, 7 * m->n_floats, sizeof(double));
        result = dpl__mb_close_all(m, kept.scratch, &making);
    }
    for (int j = 0; j < m->n_joints; j++) {
        m->joints[j].is_held = kept.joints[j].is_held;
    }
    if (result < 0) {
        put_back(m, &kept);
    } else {
        dpl__mb_project(m); /* rows to rounding; moves nothing else */
    }
    m->memory.give(m->memory.user, block);
    return result;
}
