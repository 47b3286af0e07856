/* SPDX-License-Identifier: Apache-2.0 */
/* What a joint that closes a loop forbids, row by row. A row is a motion of its second end relative
 * to the first one, through the second end's origin and along the axes of the first end; products
 * with it are exact derivatives of the residuals, also where loops are open. */
#include "system.h"

enum row_kind {
    ALONG,  /* the second origin is not displaced along axis b of the first end */
    ACROSS, /* axis a of the second end is at right angles to axis b of the first end */
    THREAD, /* what it is displaced along z is pitch times the turn */
    GEAR,   /* of gears */
};

struct row_rule {
    enum row_kind kind;
    int a, b;
};

static const struct {
    int n;
    struct row_rule rules[DPL__MB_MAX_ROWS];
} rules_of[DPL_MB_JOINT_TYPES] = {
    [DPL_MB_RX] = {5,
                   {{ALONG, 0, 0}, {ALONG, 0, 1}, {ALONG, 0, 2}, {ACROSS, 0, 1}, {ACROSS, 0, 2}}},
    [DPL_MB_RY] = {5,
                   {{ALONG, 0, 0}, {ALONG, 0, 1}, {ALONG, 0, 2}, {ACROSS, 1, 2}, {ACROSS, 1, 0}}},
    [DPL_MB_RZ] = {5,
                   {{ALONG, 0, 0}, {ALONG, 0, 1}, {ALONG, 0, 2}, {ACROSS, 2, 0}, {ACROSS, 2, 1}}},
    [DPL_MB_TX] = {5,
                   {{ALONG, 0, 1}, {ALONG, 0, 2}, {ACROSS, 0, 1}, {ACROSS, 1, 2}, {ACROSS, 2, 0}}},
    [DPL_MB_TY] = {5,
                   {{ALONG, 0, 2}, {ALONG, 0, 0}, {ACROSS, 0, 1}, {ACROSS, 1, 2}, {ACROSS, 2, 0}}},
    [DPL_MB_TZ] = {5,
                   {{ALONG, 0, 0}, {ALONG, 0, 1}, {ACROSS, 0, 1}, {ACROSS, 1, 2}, {ACROSS, 2, 0}}},
    [DPL_MB_RIGID] = {6,
                      {{ALONG, 0, 0},
                       {ALONG, 0, 1},
                       {ALONG, 0, 2},
                       {ACROSS, 0, 1},
                       {ACROSS, 1, 2},
                       {ACROSS, 2, 0}}},
    [DPL_MB_CYLINDRICAL] = {4, {{ALONG, 0, 0}, {ALONG, 0, 1}, {ACROSS, 2, 0}, {ACROSS, 2, 1}}},
    [DPL_MB_UNIVERSAL] = {4, {{ALONG, 0, 0}, {ALONG, 0, 1}, {ALONG, 0, 2}, {ACROSS, 1, 0}}},
    [DPL_MB_PLANAR] = {3, {{ALONG, 0, 2}, {ACROSS, 2, 0}, {ACROSS, 2, 1}}},
    [DPL_MB_SPHERICAL] = {3, {{ALONG, 0, 0}, {ALONG, 0, 1}, {ALONG, 0, 2}}},
    [DPL_MB_SCREW] =
        {5, {{ALONG, 0, 0}, {ALONG, 0, 1}, {THREAD, 0, 2}, {ACROSS, 2, 0}, {ACROSS, 2, 1}}},
};

int dpl__mb_row_count(enum dpl_mb_joint_type type)
{
    return rules_of[type].n;
}

void dpl__mb_chord_now(const struct dpl__mb *m, struct dpl__mb_chord *chord)
{
    if (chord->gear >= 0) {
        return;
    }
    for (int end = 0; end < 2; end++) {
        dpl__compose(&m->frame[chord->links[end]], &chord->frames[end], &chord->now[end]);
    }
}

double dpl__mb_chord_row(const struct dpl__mb *m, const struct dpl__mb_chord *chord, int row,
                         double *ret_row)
{
    memset(ret_row, 0, 8 * sizeof *ret_row);
    if (chord->gear >= 0) {
        double rate;
        return dpl__mb_joint_value(m, &m->joints[chord->ends[0]], 0, &rate) +
               chord->ratio * dpl__mb_joint_value(m, &m->joints[chord->ends[1]], 0, &rate) -
               chord->constant;
    }
    const struct row_rule *rule = &rules_of[chord->type].rules[row];
    const struct dpl__mb_frame *first = &chord->now[0], *second = &chord->now[1];
    const double *b = first->axes[rule->b];
    if (rule->kind == ACROSS) {
        const double *a = second->axes[rule->a];
        dpl__cross3(a, b, ret_row);
        return dpl__dot3(a, b);
    }
    double along = (second->at[0] - first->at[0]) * b[0] + (second->at[1] - first->at[1]) * b[1] +
                   (second->at[2] - first->at[2]) * b[2];
    dpl__cross3(second->at, b, ret_row);
    memcpy(ret_row + 4, b, 3 * sizeof *b);
    if (rule->kind == THREAD) {
        double q[3];
        dpl__mb_displacements(chord->type, first, second, chord->q, q);
        dpl__add8(ret_row, -chord->pitch, (const double[8]){b[0], b[1], b[2]});
        along -= chord->pitch * q[0];
    }
    return along;
}

static double update_row(struct dpl__mb *m, struct dpl__mb_cluster *cluster, int row)
{
    const struct dpl__mb_chord *chord = &m->chords[cluster->chords[row]];
    cluster->residual[row] =
        dpl__mb_chord_row(m, chord, row - chord->first_row, &cluster->rows[8 * row]);
    return fabs(cluster->residual[row]);
}

static void update_ends(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    for (int c = cluster->first_chord; c < cluster->first_chord + cluster->n_chords; c++) {
        dpl__mb_chord_now(m, &m->chords[c]);
    }
}

double dpl__mb_all_rows(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    double largest = 0.0;
    update_ends(m, cluster);
    for (int row = 0; row < cluster->n_rows; row++) {
        largest = fmax(largest, update_row(m, cluster, row));
    }
    return largest;
}

double dpl__mb_used_rows(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    double largest = 0.0;
    update_ends(m, cluster);
    for (int i = 0; i < cluster->rank; i++) {
        largest = fmax(largest, update_row(m, cluster, cluster->pivots[i]));
    }
    return largest;
}

/* How the coordinate of a gear's end depends on those of the cluster. */
static void gear_end(const struct dpl__mb *m, const struct dpl__mb_cluster *cluster, int number,
                     double factor, double *inout_k)
{
    const struct dpl__mb_joint *joint = &m->joints[number];
    if (joint->role == 0) {
        inout_k[joint->link - cluster->first] += factor * joint->sign;
        return;
    }
    const struct dpl__mb_chord *chord = &m->chords[joint->chord];
    double motion[8];
    dpl__mb_coordinate(chord->type, 0, &chord->now[0], &chord->now[1], motion);
    for (int k = chord->first_path; k < chord->first_path + chord->n_path; k++) {
        int local = m->path[k].local;
        inout_k[local] +=
            factor * m->path[k].sign * dpl__dot8(motion, m->s[cluster->first + local]);
    }
}

void dpl__mb_row_jacobian(const struct dpl__mb *m, const struct dpl__mb_cluster *cluster,
                          const struct dpl__mb_chord *chord, const double *row, double *ret_k)
{
    memset(ret_k, 0, (size_t)cluster->n * sizeof *ret_k);
    if (chord->gear >= 0) {
        gear_end(m, cluster, chord->ends[0], 1.0, ret_k);
        gear_end(m, cluster, chord->ends[1], chord->ratio, ret_k);
        return;
    }
    for (int k = chord->first_path; k < chord->first_path + chord->n_path; k++) {
        int local = m->path[k].local;
        ret_k[local] = m->path[k].sign * dpl__dot8(row, m->s[cluster->first + local]);
    }
}

/* The acceleration of a chord's second end relative to the first one, as that one sees it, from
 * spatial accelerations of its links. */
static void relative_drift(const struct dpl__mb *m, const struct dpl__mb_chord *chord,
                           const double (*acceleration)[8], double *ret_drift)
{
    const double *first = m->velocity[chord->links[0]], *second = m->velocity[chord->links[1]];
    double relative[8], turning[8];
    for (int i = 0; i < 8; i++) {
        relative[i] = second[i] - first[i];
    }
    dpl__cross_motion(first, relative, turning);
    for (int i = 0; i < 8; i++) {
        ret_drift[i] =
            acceleration[chord->links[1]][i] - acceleration[chord->links[0]][i] - turning[i];
    }
}

double dpl__mb_row_bias(const struct dpl__mb *m, const struct dpl__mb_chord *chord, int row,
                        const double *motion)
{
    double drift[8], bias = 0.0;
    if (chord->gear >= 0) {
        const double factors[2] = {1.0, chord->ratio};
        for (int end = 0; end < 2; end++) {
            const struct dpl__mb_joint *joint = &m->joints[chord->ends[end]];
            if (joint->role == 1) {
                const struct dpl__mb_chord *other = &m->chords[joint->chord];
                double along[8];
                dpl__mb_coordinate(other->type, 0, &other->now[0], &other->now[1], along);
                relative_drift(m, other, (const double(*)[8])m->acceleration, drift);
                bias += factors[end] * dpl__dot8(along, drift);
            }
        }
        return bias;
    }
    relative_drift(m, chord, (const double(*)[8])m->acceleration, drift);
    bias = dpl__dot8(motion, drift);
    if (chord->type == DPL_MB_UNIVERSAL && rules_of[chord->type].rules[row].kind == ACROSS) {
        /* the row's own change; on the other joints it is at right angles to what they allow */
        double turn[4], change[4], axis[4];
        for (int i = 0; i < 3; i++) {
            turn[i] = m->velocity[chord->links[1]][i] - m->velocity[chord->links[0]][i];
        }
        dpl__cross3(turn, chord->now[1].axes[1], axis);
        dpl__cross3(axis, chord->now[0].axes[0], change);
        bias += dpl__dot3(change, turn);
    }
    return bias;
}
