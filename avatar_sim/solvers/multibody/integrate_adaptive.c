/* SPDX-License-Identifier: Apache-2.0 */
/* Integrators that choose their own steps within those that are asked for: Dormand and Prince 5(4)
 * (1980), and Gragg's modified midpoint rule with extrapolation (Hairer, Norsett, Wanner 1993,
 * II.9). Loops are closed after each accepted step. Where the law of a restraint or a limit changes
 * inside of a step, the step ends there. */
#include <doppel/math/geometry.h>

#include "system.h"

enum { COLUMNS = 6, MOST_TRIES = 60 };
static const double LEAST_STEP = 1e-12; /* s */

/* Rows of the tableau, then what the error is made of. */
static const double TABLE[7][7] = {
    {0.0},
    {1.0 / 5.0},
    {3.0 / 40.0, 9.0 / 40.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0},
};
static const double ERROR[7] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};

static double scale_of(const struct dpl__mb *m, double a, double b)
{
    double relative = m->settings.relative > 0.0 ? m->settings.relative : 1e-8;
    double absolute = m->settings.absolute > 0.0 ? m->settings.absolute : 1e-8;
    return absolute + relative * fmax(fabs(a), fabs(b));
}

/* A step from work[0], where the derivative is work[1], to work[2]. Returns the error, 1 for as
 * much as is allowed, and the factor by which the next step may be longer. */
static double try_dormand_prince(struct dpl__mb *m, double step, double *ret_factor)
{
    const double *start = m->work[0];
    double *y = m->work[2], *const *k = &m->work[3], sum = 0.0;
    memcpy(k[0], m->work[1], (size_t)m->ny * sizeof *y);
    for (int stage = 1; stage < 7; stage++) {
        for (int i = 0; i < m->ny; i++) {
            double slope = 0.0;
            for (int j = 0; j < stage; j++) {
                slope += TABLE[stage][j] * k[j][i];
            }
            y[i] = start[i] + step * slope;
        }
        dpl__mb_derivative_at(m, y, k[stage]);
    }
    for (int i = 0; i < m->ny; i++) {
        double slope = 0.0;
        for (int j = 0; j < 7; j++) {
            slope += ERROR[j] * k[j][i];
        }
        double part = step * slope / scale_of(m, start[i], y[i]);
        sum += part * part;
    }
    double error = sqrt(sum / m->ny);
    *ret_factor = dpl_clamp(0.9 * pow(fmax(error, 1e-10), -0.2), 0.2, 5.0);
    return error;
}

/* n substeps of the midpoint rule, smoothed at the end. */
static void midpoint(struct dpl__mb *m, double step, int n, double *ret_y)
{
    double h = step / n, *before = m->work[3], *now = m->work[4], *f = m->work[5];
    for (int i = 0; i < m->ny; i++) {
        before[i] = m->work[0][i];
        now[i] = before[i] + h * m->work[1][i];
    }
    for (int k = 1; k < n; k++) {
        dpl__mb_derivative_at(m, now, f);
        for (int i = 0; i < m->ny; i++) {
            double next = before[i] + 2.0 * h * f[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    dpl__mb_derivative_at(m, now, f);
    for (int i = 0; i < m->ny; i++) {
        ret_y[i] = 0.5 * (now[i] + before[i] + h * f[i]);
    }
}

static double try_gragg(struct dpl__mb *m, double step, double *ret_factor)
{
    double *const *columns = &m->work[6], *y = m->work[2], error = (double)INFINITY;
    double work = 0.0, best = (double)INFINITY;
    *ret_factor = 0.2;
    for (int j = 0; j < COLUMNS; j++) {
        int n = 2 * (j + 1);
        double sum = 0.0;
        midpoint(m, step, n, y);
        work += n;
        for (int i = 0; i < m->ny; i++) {
            double value = y[i], last = value;
            for (int k = 0; k < j; k++) { /* columns hold the row before */
                double old = columns[k][i], ratio = (double)n / (2.0 * (j - k));
                columns[k][i] = last = value;
                value += (value - old) / (ratio * ratio - 1.0);
            }
            columns[j][i] = value;
            y[i] = value;
            double part = (value - last) / scale_of(m, m->work[0][i], value);
            sum += part * part;
        }
        if (j == 0) {
            continue;
        }
        error = sqrt(sum / m->ny);
        double factor = dpl_clamp(0.8 * pow(fmax(error, 1e-14), -1.0 / (2.0 * j + 1.0)), 0.05, 4.0);
        if (work / factor < best) {
            best = work / factor;
            *ret_factor = factor;
        }
        if (error <= 1.0 && j > 1) {
            break;
        }
    }
    return error;
}

static double attempt(struct dpl__mb *m, double step, double *ret_factor)
{
    m->failed = false;
    m->tries = true;
    double error = m->settings.integrator == DPL_MB_GRAGG ? try_gragg(m, step, ret_factor)
                                                          : try_dormand_prince(m, step, ret_factor);
    m->tries = false;
    if (m->failed || !isfinite(error)) {
        *ret_factor = 0.25;
        return (double)INFINITY;
    }
    return error;
}

/* ---- where laws change ---- */

/* What a law depends on, and its knots. */
static double argument(const struct dpl__mb *m, const struct dpl__mb_restraint *restraint)
{
    double rate, along[3], point[3];
    double value = restraint->joint >= 0
                       ? dpl__mb_joint_value(m, &m->joints[restraint->joint], 0, &rate)
                       : dpl__mb_pair(m, restraint, &rate, along, point);
    return restraint->type == DPL_MB_SPRING   ? value
           : restraint->type == DPL_MB_DAMPER ? rate
                                              : fabs(rate);
}

static int piece_of(const double *knots, int n, double value)
{
    int piece = 0;
    while (piece < n && value >= knots[piece]) {
        piece++;
    }
    return piece;
}

/* The piece of restraint or limit `i` at the state of now; ret_beyond: how far the value is beyond
 * the knot between this piece and piece `from`. */
static int piece_at(const struct dpl__mb *m, int i, int from, double *ret_beyond)
{
    double value, ends[2], rate;
    const double *knots = ends;
    int n = 2;
    if (i < m->n_restraints) {
        const struct dpl__mb_restraint *restraint = &m->restraints[i];
        if (restraint->law.n_knots == 0 ||
            (restraint->joint >= 0 && m->joints[restraint->joint].role < 0)) {
            return 0;
        }
        knots = restraint->law.knots;
        n = (int)restraint->law.n_knots;
        value = argument(m, restraint);
    } else {
        const struct dpl__mb_joint *joint = &m->joints[m->acting[i - m->n_restraints]];
        if (!joint->limit.is_there) {
            return 0;
        }
        ends[0] = joint->limit.lower;
        ends[1] = joint->limit.upper;
        value = dpl__mb_joint_value(m, joint, 0, &rate);
    }
    int piece = piece_of(knots, n, value);
    if (piece != from && from >= 0) {
        *ret_beyond = fabs(value - knots[piece > from ? from : from - 1]);
    } else if (from >= 0) { /* before it: to the nearest one */
        double up = piece < n ? knots[piece] - value : (double)INFINITY;
        double down = piece > 0 ? value - knots[piece - 1] : (double)INFINITY;
        *ret_beyond = -fmin(up, down);
    }
    return piece;
}

/* The state becomes that of now, without closing loops. */
static void visit(struct dpl__mb *m, const double *y)
{
    memcpy(m->y, y, (size_t)m->ny * sizeof *y);
    dpl__mb_touch(m);
    m->in_step = true;
    dpl__mb_refresh(m);
    m->in_step = false;
}

/* The first restraint or limit that is in another piece than before the step; -1: none. */
static int changed(const struct dpl__mb *m, double *ret_beyond)
{
    for (int i = 0; i < m->n_restraints + m->n_acting; i++) {
        if (piece_at(m, i, m->pieces[i], ret_beyond) != m->pieces[i]) {
            return i;
        }
    }
    return -1;
}

/* Shortens a step that goes beyond a knot until it ends just behind it. */
static double shorten(struct dpl__mb *m, double step)
{
    double low = 0.0, high = step, beyond, before, factor;
    visit(m, m->work[2]);
    int which = changed(m, &beyond);
    visit(m, m->work[0]);
    for (int round = 0; which >= 0 && round < MOST_TRIES && high > LEAST_STEP; round++) {
        if (high - low < 1e-15 * step + 1e-16 || beyond < 1e-14) {
            break;
        }
        piece_at(m, which, m->pieces[which], &before); /* at `low`, below 0 */
        double share = dpl_clamp(before / (before - beyond), 0.01, 0.99);
        double middle = low + (round % 3 == 2 ? 0.5 : share) * (high - low), now;
        if (round % 3 != 2) { /* a little beyond the guess: so the knot is enclosed soon */
            middle = fmin(high, middle + 1e-7 * (high - low));
        }
        attempt(m, middle, &factor);
        visit(m, m->work[2]);
        int other = changed(m, &now);
        if (other >= 0) {
            high = middle;
            which = other;
            beyond = now;
            memcpy(m->work[m->n_work - 1], m->work[2], (size_t)m->ny * sizeof(double));
            visit(m, m->work[m->n_work - 2]);
        } else {
            low = middle;
            memcpy(m->work[m->n_work - 2], m->work[2], (size_t)m->ny * sizeof(double));
        }
    }
    attempt(m, high, &factor);
    return high;
}

static void record_pieces(struct dpl__mb *m)
{
    double beyond;
    for (int i = 0; i < m->n_restraints + m->n_acting; i++) {
        m->pieces[i] = piece_at(m, i, -1, &beyond);
    }
}

/* How many steps and how many knots a step that is asked for may have inside before it counts as
 * stalled: a law that jumps against the motion holds it at its knot for ever. */
enum { MOST_STEPS = 10000, MOST_KNOTS = 50 };

/* What is left of a step that is asked for. */
struct errand {
    double left, least; /* s */
    int steps, knots;
    bool is_stalled;
};

/* One step inside; returns its length. */
static double advance(struct dpl__mb *m, struct errand *errand)
{
    double most = errand->left,
           step = m->try_step > 0.0 ? fmin(m->try_step, most) : fmin(1e-3, most);
    double factor, beyond, error;
    step = most - step < 1e-3 * step ? most : fmin(most, fmax(step, errand->least));
    dpl__mb_derivative(m, m->work[1]);
    memcpy(m->work[0], m->y, (size_t)m->ny * sizeof(double));
    record_pieces(m);
    while ((error = attempt(m, step, &factor)) > 1.0 && step > errand->least) {
        step = fmax(errand->least, step * fmin(factor, 0.9));
        m->try_step = step;
    }
    errand->is_stalled = errand->is_stalled || error > 1.0;
    if (step < most || step >= m->try_step || factor * step > m->try_step) {
        m->try_step = fmax(errand->least, factor * step);
    }
    if (!errand->is_stalled && m->n_restraints + m->n_acting > 0) {
        visit(m, m->work[2]);
        if (changed(m, &beyond) >= 0) {
            memcpy(m->work[m->n_work - 2], m->work[0], (size_t)m->ny * sizeof(double));
            step = shorten(m, step);
            errand->knots++;
        }
    }
    memcpy(m->y, m->work[2], (size_t)m->ny * sizeof(double));
    dpl__mb_arrive(m);
    return step;
}

void dpl__mb_step_adaptive(struct dpl__mb *m, double step)
{
    struct errand errand = {.left = step, .least = LEAST_STEP};
    bool told = false;
    while (errand.left > 1e-15 * step) {
        errand.left -= advance(m, &errand);
        errand.is_stalled =
            errand.is_stalled || ++errand.steps > MOST_STEPS || errand.knots > MOST_KNOTS;
        if (errand.is_stalled && !told) {
            errand.least = fmax(LEAST_STEP, 1e-3 * step);
            dpl__mb_event(m, DPL_MB_EVENT_STALLED, NULL, m->try_step);
            told = true;
        }
    }
}
