/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a step has led through a singular pose of a loop: steps have a length, so they hardly
 * ever end in one. The least pivot of the loop's derivatives says how far away such a pose is.
 * Where it falls by much within a step, or the determinant changes its sign, the way is searched
 * for a pose where the least pivot of any choice of rows and coordinates vanishes. There motions
 * branch; one that goes through with its velocity stays on its branch, if the step was good: the
 * energy tells. */
#include "system.h"

/* FALLS, NEARS: of the least pivot in one step; then one of the next ones may get there. NEAR: what
 * is left of it, at most, in a singular pose. UNSOUND: of the kinetic energy, what the balance of a
 * step may be off. TURNS: of the largest rate of a dependent by an independent one, at least 1,
 * what one may change in a step of first order. */
static const double FALLS = 0.75, NEARS = 0.9, NEAR = 0.05, UNSOUND = 1e-5, TURNS = 0.02;
static const double GOLDEN = 0.6180339887498949;
enum { SEARCH_ROUNDS = 16 };

static bool has_moved(const struct dpl__mb *m, const struct dpl__mb_cluster *cluster)
{
    return memcmp(cluster->past, &m->x[cluster->first], (size_t)cluster->n * sizeof *m->x) != 0;
}

static bool is_suspicious(const struct dpl__mb_cluster *cluster, bool works)
{
    return cluster->is_new || !works || cluster->past_falls ||
           cluster->flips != cluster->past_flips || cluster->least < 0.5 * cluster->past_least;
}

static double weakest_at(struct dpl__mb *m, struct dpl__mb_cluster *cluster, double share)
{
    const double *from = cluster->past, *to = cluster->past + (2 * cluster->n);
    for (int i = 0; i < cluster->n; i++) {
        m->x[cluster->first + i] = from[i] + share * (to[i] - from[i]);
    }
    dpl__mb_positions(m, cluster);
    return dpl__mb_weakest(m, cluster);
}

/* The least value between `low` and `high`, by golden sections; ends at one below `enough`. */
static double search(struct dpl__mb *m, struct dpl__mb_cluster *cluster, double enough)
{
    double low = 0.0, high = 1.0;
    double left = high - GOLDEN * (high - low), right = low + GOLDEN * (high - low);
    double at_left = weakest_at(m, cluster, left), at_right = weakest_at(m, cluster, right);
    for (int round = 0; round < SEARCH_ROUNDS && fmin(at_left, at_right) > enough; round++) {
        if (at_left < at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - GOLDEN * (high - low);
            at_left = weakest_at(m, cluster, left);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + GOLDEN * (high - low);
            at_right = weakest_at(m, cluster, right);
        }
    }
    return fmin(at_left, at_right);
}

static size_t rates_of(const struct dpl__mb_cluster *cluster)
{
    return (size_t)(cluster->rank * (cluster->n - cluster->rank));
}

/* Steps of higher order are divided, or have their errors estimated. */
static void report_turn(struct dpl__mb *m, const struct dpl__mb_cluster *cluster)
{
    double most = 1.0, turn = 0.0;
    for (size_t i = 0; i < rates_of(cluster); i++) {
        most = fmax(most, fabs(cluster->b[i]));
        turn = fmax(turn, fabs(cluster->b[i] - cluster->past_b[i]));
    }
    if (m->settings.integrator == DPL_MB_SEMI_IMPLICIT && turn > TURNS * most) {
        dpl__mb_event(m, DPL_MB_EVENT_COARSE, cluster, turn / most);
    }
}

enum dpl__mb_passage dpl__mb_detect_passage(struct dpl__mb *m, struct dpl__mb_cluster *cluster,
                                            bool works)
{
    size_t bytes = (size_t)cluster->n * sizeof *m->x;
    double *x = &m->x[cluster->first];
    cluster->has_moved = !cluster->knows_past || has_moved(m, cluster);
    if (!cluster->knows_past || !cluster->has_moved) {
        return DPL__MB_CLEAR;
    }
    bool suspicious = is_suspicious(cluster, works);
    bool compares = works && !cluster->is_new;
    if (compares) {
        report_turn(m, cluster);
    }
    cluster->past_falls = !compares || cluster->least < FALLS * cluster->past_least;
    m->nears = m->nears || !compares || cluster->least < NEARS * cluster->past_least;
    if (!suspicious) {
        return DPL__MB_CLEAR;
    }
    memcpy(cluster->past + (2 * cluster->n), x, bytes);
    double before = weakest_at(m, cluster, 0.0), now = weakest_at(m, cluster, 1.0);
    enum dpl__mb_passage passage = DPL__MB_CLEAR;
    if (now < NEAR * before) {
        passage = DPL__MB_INTO;
    } else {
        double enough = fmin(NEAR * fmax(before, now), 0.5 * before);
        passage = search(m, cluster, enough) <= enough ? DPL__MB_THROUGH : DPL__MB_CLEAR;
    }
    memcpy(x, cluster->past + (2 * cluster->n), bytes);
    dpl__mb_positions(m, cluster);
    dpl__mb_used_rows(m, cluster);
    return passage;
}

void dpl__mb_keep_past(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    size_t bytes = (size_t)cluster->n * sizeof *m->x;
    if (!cluster->has_moved && !cluster->is_new) {
        return;
    }
    cluster->knows_past = cluster->rank >= cluster->whole;
    cluster->past_least = cluster->least;
    cluster->past_flips = cluster->flips;
    cluster->is_new = false;
    memcpy(cluster->past, &m->x[cluster->first], bytes);
    memcpy(cluster->past + cluster->n, &m->v[cluster->first], bytes);
    memcpy(cluster->past_b, cluster->b, rates_of(cluster) * sizeof *cluster->b);
}

void dpl__mb_forget(struct dpl__mb *m)
{
    for (int k = 0; k < m->n_clusters; k++) {
        m->clusters[k].knows_past = m->clusters[k].past_falls = false;
    }
    m->n_energies = 0;
}

void dpl__mb_keep_rates(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    memcpy(&m->v[cluster->first], cluster->past + cluster->n, (size_t)cluster->n * sizeof *m->v);
}

/* Whether the energy goes on as in the steps before. */
static bool is_sound(const struct dpl__mb *m, double energy, double kinetic)
{
    const double *past = m->energies;
    if (m->n_energies == 0) {
        return false;
    }
    double slope = m->n_energies > 1 ? past[0] - past[1] : 0.0;
    double bend = m->n_energies > 2 ? past[0] - 2.0 * past[1] + past[2] : slope;
    return fabs(energy - past[0] - slope) <= 3.0 * fabs(bend) + UNSOUND * kinetic;
}

static void settle(struct dpl__mb *m, struct dpl__mb_cluster *cluster, bool is_good)
{
    if (cluster->stopped) {
        return; /* told already */
    }
    if (!is_good) {
        cluster->stopped = true;
        dpl__mb_event(m, DPL_MB_EVENT_SINGULAR, cluster, cluster->norm);
    } else if (cluster->passage == DPL__MB_THROUGH) {
        dpl__mb_event(m, DPL_MB_EVENT_PASSED, cluster, cluster->norm);
    }
}

void dpl__mb_settle_passages(struct dpl__mb *m)
{
    bool is_asked = m->is_asked, nears = m->nears;
    m->is_asked = m->nears = false;
    if (!nears && !is_asked) {
        m->n_energies = 0;
        return;
    }
    const struct dpl_mb_system system = {m};
    double kinetic = dpl_mb_kinetic(&system), energy = kinetic + dpl_mb_potential(&system);
    bool is_good = !is_asked || is_sound(m, energy, kinetic);
    for (int k = 0; is_asked && k < m->n_clusters; k++) {
        struct dpl__mb_cluster *cluster = &m->clusters[k];
        if (cluster->passage != DPL__MB_CLEAR) {
            settle(m, cluster, is_good);
            cluster->passage = DPL__MB_CLEAR;
        }
    }
    m->energies[2] = m->energies[1];
    m->energies[1] = m->energies[0];
    m->energies[0] = energy;
    m->n_energies = is_good ? (m->n_energies < 3 ? m->n_energies + 1 : 3) : 0;
}
