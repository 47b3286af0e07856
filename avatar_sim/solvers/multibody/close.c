/* SPDX-License-Identifier: Apache-2.0 */
/* Closes the loops of a state that was given, and makes its velocities fit. */
#include <errno.h>
#include <stdio.h>

#include <doppel/math/orthogonal.h>

#include "build.h"

static const double FITS = 1e-6;

static struct dpl_place place_of_joint(const struct dpl__mb_making *making, int joint)
{
    const struct dpl_mb_joint *of = &making->graph->joints[joint];
    return (struct dpl_place){.line = of->line, .column = of->column};
}

static void warn(const struct dpl__mb_making *making, int joint, const char *what)
{
    char path[DPL_DIAG_TEXT_MAX / 2];
    struct dpl_diag diag = {.severity = DPL_SEVERITY_WARNING};
    if (!making->report) {
        return;
    }
    diag.place = place_of_joint(making, joint);
    dpl_mb_path(making->graph, DPL_MB_JOINT, joint, path, sizeof path);
    snprintf(diag.text, sizeof diag.text, "joint '%s' %s", path, what);
    making->report(making->user, &diag);
}

static int fail_open(const struct dpl__mb_making *making, const struct dpl__mb_chord *chord,
                     double open)
{
    char path[DPL_DIAG_TEXT_MAX / 2];
    bool gear = chord->gear >= 0;
    if (!making->graph) {
        return dpl_fail(making->reterr, -EDOM, (struct dpl_place){0},
                        "a loop cannot be closed: %s %d stays open by %.3g m or rad",
                        gear ? "gear" : "joint", gear ? chord->gear : chord->joint, open);
    }
    dpl_mb_path(making->graph, gear ? DPL_MB_GEAR : DPL_MB_JOINT, gear ? chord->gear : chord->joint,
                path, sizeof path);
    struct dpl_place place = {0};
    if (gear) {
        const struct dpl_mb_gear *of = &making->graph->gears[chord->gear];
        place = (struct dpl_place){.line = of->line, .column = of->column};
    } else {
        place = place_of_joint(making, chord->joint);
    }
    return dpl_fail(making->reterr, -EDOM, place,
                    "a loop cannot be closed: %s '%s' stays open by %.3g m or rad",
                    gear ? "gear" : "joint", path, open);
}

static const char *const DOES_NOT_FIT =
    "has a velocity that does not fit to the others of its loop";

/* Velocities of a loop's coordinates that fulfil linear conditions one after the other: each one is
 * met by what is at right angles to all before. */
struct velocities {
    struct dpl_basis basis;
    double *row, *v;
};

/* The row times the velocities shall be `value`; left out where those before decide it. */
static void demand(struct velocities *velocities, double value)
{
    struct dpl_basis *basis = &velocities->basis;
    double missing = value - dpl_dot(velocities->row, velocities->v, basis->length);
    if (basis->n == basis->length) {
        return;
    }
    double *kept = basis->vectors + (basis->length + 1) * basis->length;
    memcpy(kept, velocities->row, (size_t)basis->length * sizeof *kept);
    if (!dpl_basis_add(basis, velocities->row, 1e-7)) {
        return;
    }
    const double *fresh = &basis->vectors[(basis->n - 1) * basis->length];
    double share = missing / dpl_dot(kept, fresh, basis->length);
    for (int j = 0; j < basis->length; j++) {
        velocities->v[j] += share * fresh[j];
    }
}

static void demand_one(struct velocities *velocities, int local, double value)
{
    memset(velocities->row, 0, (size_t)velocities->basis.length * sizeof(double));
    velocities->row[local] = 1.0;
    demand(velocities, value);
}

/* The rates that were given for chords: taken, or checked. */
static void chord_rates(struct dpl__mb *m, struct dpl__mb_cluster *cluster,
                        struct velocities *velocities, const struct dpl__mb_making *making,
                        bool check)
{
    for (int c = cluster->first_chord; c < cluster->first_chord + cluster->n_chords; c++) {
        const struct dpl__mb_chord *chord = &m->chords[c];
        for (int i = 0; chord->gear < 0 && i < dpl_mb_joint_freedoms(chord->type); i++) {
            double motion[8], rate = m->joints[chord->joint].velocity[i];
            if (rate == 0.0 && !chord->is_held) {
                continue;
            }
            dpl__mb_coordinate(chord->type, i, &chord->now[0], &chord->now[1], motion);
            dpl__mb_row_jacobian(m, cluster, chord, motion, velocities->row);
            if (!check) {
                demand(velocities, rate);
            } else if (fabs(rate - dpl_dot(velocities->row, velocities->v, cluster->n)) >
                       FITS * fmax(1.0, fabs(rate))) {
                warn(making, chord->joint, DOES_NOT_FIT);
            }
        }
    }
}

/* Velocities of a loop: those that were given are kept as far as they can be, those of independent
 * coordinates next. `scratch`: (n + 4) * n numbers. */
static bool start_velocities(struct dpl__mb *m, struct dpl__mb_cluster *cluster, double *scratch,
                             const struct dpl__mb_making *making)
{
    int n = cluster->n;
    double *given = &m->v[cluster->first];
    struct velocities velocities = {
        .basis = {scratch, n, 0}, .row = scratch + n * n, .v = scratch + (n + 2) * n};
    memset(velocities.v, 0, (size_t)n * sizeof *given);
    if (!dpl__mb_partition(m, cluster, -1)) {
        return false;
    }
    cluster->whole = cluster->rank;
    for (int i = 0; i < cluster->rank; i++) {
        int row = cluster->pivots[i];
        dpl__mb_row_jacobian(m, cluster, &m->chords[cluster->chords[row]], &cluster->rows[8 * row],
                             velocities.row);
        demand(&velocities, 0.0);
    }
    for (int held = 1; held >= 0; held--) {
        for (int j = 0; j < n; j++) {
            bool is_held = m->joints[m->joint_of[cluster->first + j]].is_held;
            if (is_held == (held == 1) && (is_held || given[j] != 0.0)) {
                demand_one(&velocities, j, given[j]);
            }
        }
        chord_rates(m, cluster, &velocities, making, false);
    }
    for (int j = 0; j < n - cluster->rank; j++) {
        demand_one(&velocities, cluster->frees[j], given[cluster->frees[j]]);
    }
    chord_rates(m, cluster, &velocities, making, true);
    for (int j = 0; j < n; j++) {
        double size = fmax(1.0, fabs(given[j]));
        if (given[j] != 0.0 && fabs(given[j] - velocities.v[j]) > FITS * size) {
            warn(making, m->joint_of[cluster->first + j], DOES_NOT_FIT);
        }
    }
    memcpy(given, velocities.v, (size_t)n * sizeof *given);
    dpl__mb_dependents(m, cluster);
    return true;
}

static void start_chords(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    for (int c = cluster->first_chord; c < cluster->first_chord + cluster->n_chords; c++) {
        struct dpl__mb_chord *chord = &m->chords[c];
        if (chord->gear < 0) {
            dpl__mb_displacements(chord->type, &chord->now[0], &chord->now[1],
                                  m->joints[chord->joint].displacement, chord->q);
        }
    }
}

static void prepare_chords(struct dpl__mb *m, const struct dpl__mb_cluster *cluster)
{
    for (int c = cluster->first_chord; c < cluster->first_chord + cluster->n_chords; c++) {
        struct dpl__mb_chord *chord = &m->chords[c];
        if (chord->gear < 0) {
            memcpy(chord->q, m->joints[chord->joint].displacement, sizeof chord->q);
        }
    }
}

/* Chords with both ends in one link: they never move, so they hold or they do not. Gears read their
 * displacements. */
static int check_idle(struct dpl__mb *m, const struct dpl__mb_making *making)
{
    for (int c = 0; c < m->n_chords; c++) {
        struct dpl__mb_chord *chord = &m->chords[c];
        if (chord->cluster >= 0 || chord->gear >= 0) {
            continue;
        }
        dpl__mb_chord_now(m, chord);
        memcpy(chord->q, m->joints[chord->joint].displacement, sizeof chord->q);
        for (int row = 0; row < chord->n_rows; row++) {
            double motion[8];
            double open = fabs(dpl__mb_chord_row(m, chord, row, motion));
            if (open > 1e-9) {
                return fail_open(making, chord, open);
            }
        }
        double q[3];
        dpl__mb_displacements(chord->type, &chord->now[0], &chord->now[1], chord->q, q);
        memcpy(chord->q, q, sizeof q);
    }
    return 0;
}

int dpl__mb_close_all(struct dpl__mb *m, double *scratch, const struct dpl__mb_making *making)
{
    int result = check_idle(m, making);
    if (result < 0) {
        return result;
    }
    for (int k = 0; k < m->n_clusters; k++) {
        struct dpl__mb_cluster *cluster = &m->clusters[k];
        dpl__mb_positions(m, cluster);
        if (cluster->n_chords == 0) {
            continue;
        }
        int chord;
        double open;
        prepare_chords(m, cluster);
        if (!dpl__mb_assemble(m, cluster, scratch, &chord, &open)) {
            return fail_open(making, &m->chords[chord], open);
        }
        cluster->stopped = false;
        start_chords(m, cluster);
        if (!start_velocities(m, cluster, scratch, making)) {
            return fail_open(making, &m->chords[cluster->first_chord], 0.0);
        }
    }
    dpl__mb_touch(m);
    dpl__mb_forget(m);
    return 0;
}
