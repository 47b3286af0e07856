/* SPDX-License-Identifier: Apache-2.0 */
#include "rotation.h"

enum { CHECK_EVERY = 100 };
static const double CLOSED = 1e-13, CHART_MOST = 0.8, REDUNDANT_MOST = 1e-8;

void dpl__mb_event(struct dpl__mb *m, enum dpl_mb_event_type type,
                   const struct dpl__mb_cluster *cluster, double value)
{
    if (m->n_events == DPL__MB_EVENTS && type == DPL_MB_EVENT_REPARTITION) {
        return;
    }
    m->n_events -= m->n_events == DPL__MB_EVENTS;
    int joint = -1;
    for (int c = 0; cluster && c < cluster->n_chords && joint < 0; c++) {
        joint = m->chords[cluster->first_chord + c].joint;
    }
    m->events[(m->first_event + m->n_events++) % DPL__MB_EVENTS] =
        (struct dpl_mb_event){.type = type, .time = m->time, .joint = joint, .value = value};
}

void dpl__mb_touch(struct dpl__mb *m)
{
    m->positions_hold = m->velocities_hold = m->is_told = false;
}

/* Newton on the used rows, by the dependents. The predicted state is close, so one step does it,
 * and a second one only confirms. */
static void close_loops(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    double *x = &m->x[cluster->first], last = (double)INFINITY;
    for (int round = 0; round < 10; round++) {
        double open = dpl__mb_used_rows(m, cluster);
        if (open <= CLOSED * cluster->size ||
            (open < 1e3 * CLOSED * cluster->size && open > 0.5 * last)) {
            return;
        }
        last = open;
        bool works =
            round == 4 ? dpl__mb_partition(m, cluster, cluster->rank) : dpl__mb_factor(m, cluster);
        if (!works) {
            break;
        }
        if (round == 4) {
            dpl__mb_event(m, DPL_MB_EVENT_REPARTITION, cluster, cluster->norm);
        }
        for (int i = 0; i < cluster->rank; i++) {
            cluster->t[i] = cluster->residual[cluster->pivots[i]];
        }
        dpl__mb_solve(cluster, cluster->t);
        for (int i = 0; i < cluster->rank; i++) {
            x[cluster->deps[i]] -= cluster->t[i];
        }
        dpl__mb_positions(m, cluster);
    }
    cluster->stopped = true;
    dpl__mb_event(m, DPL_MB_EVENT_SINGULAR, cluster, last);
}

void dpl__mb_project(struct dpl__mb *m)
{
    for (int k = 0; k < m->n_clusters; k++) {
        struct dpl__mb_cluster *cluster = &m->clusters[k];
        dpl__mb_positions(m, cluster);
        if (cluster->n_chords > 0 && !cluster->stopped) {
            close_loops(m, cluster);
        } else if (cluster->n_chords > 0) {
            dpl__mb_used_rows(m, cluster);
        }
    }
    m->positions_hold = true;
    m->velocities_hold = false;
}

/* Turns of chords, with whole ones counted. */
static void unwrap(struct dpl__mb *m)
{
    for (int c = 0; c < m->n_chords; c++) {
        struct dpl__mb_chord *chord = &m->chords[c];
        if (chord->joint >= 0) {
            double q[3];
            dpl__mb_displacements(chord->type, &chord->now[0], &chord->now[1], chord->q, q);
            memcpy(chord->q, q, sizeof q);
        }
    }
}

/* Puts the turn of a spherical joint into its seat, when its middle turn comes near to where the
 * outer ones agree. */
static void renew_chart(struct dpl__mb *m, struct dpl__mb_joint *joint)
{
    int base = joint->sign < 0.0 ? joint->link - 2 : joint->link;
    if (fabs(m->x[base + 1]) < CHART_MOST) {
        return;
    }
    dpl__mb_refresh(m);
    bool flipped = joint->sign < 0.0;
    struct dpl__mb_frame parent, child, turned;
    int outer = flipped ? 1 : 0;
    dpl__compose(&m->frame[joint->links[outer]], &joint->frames[outer], &parent);
    child = m->frame[base + 2];
    dpl__relative(&parent, &child, &turned);
    dpl__mb_set_chart(m, joint, &turned);
    double rates[3], turn[3];
    for (int i = 0; i < 3; i++) {
        turn[i] = m->velocity[base + 2][i] - m->velocity[m->parent[base]][i];
    }
    dpl__turn_back(&child, turn, rates);
    for (int i = 0; i < 3; i++) {
        m->x[base + i] = 0.0;
        m->v[base + i] = rates[m->axis[base + i]]; /* against the pair: z first */
    }
    struct dpl__mb_cluster *cluster = &m->clusters[m->cluster[base]];
    dpl__mb_touch(m);
    cluster->knows_past = false;
    if (cluster->n_chords > 0 && !cluster->stopped) {
        dpl__mb_positions(m, cluster);
        dpl__mb_partition(m, cluster, cluster->rank);
    }
}

static void check_redundant(struct dpl__mb *m)
{
    for (int k = 0; k < m->n_clusters; k++) {
        struct dpl__mb_cluster *cluster = &m->clusters[k];
        if (cluster->n_chords == 0 || cluster->stopped || cluster->rank == cluster->n_rows) {
            continue;
        }
        double open = dpl__mb_all_rows(m, cluster);
        if (open > REDUNDANT_MOST * cluster->size && m->settings.correction != DPL_MB_LAGGED) {
            dpl__mb_event(m, DPL_MB_EVENT_INCONSISTENT, cluster, open);
        }
    }
}

void dpl__mb_accept(struct dpl__mb *m)
{
    unwrap(m);
    for (int k = 0; k < m->n_sphericals; k++) {
        renew_chart(m, &m->joints[m->sphericals[k]]);
    }
    if (++m->steps % CHECK_EVERY == 0 && m->positions_hold) {
        check_redundant(m);
    }
}
