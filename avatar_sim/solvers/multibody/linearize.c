/* SPDX-License-Identifier: Apache-2.0 */
/* Linear equations around a state, and poses of rest, by central differences of the exact
 * accelerations. */
#include <errno.h>

#include <doppel/math/orthogonal.h>

#include "analysis.h"

enum { ROUNDS = 100 };
static const double DIFFERENCE = 1e-5, AT_REST = 1e-10, STEP_MOST = 0.3, DAMPING_LEAST = 1e-9;

/* A state around which others are looked at. */
struct centre {
    struct dpl__mb *m;
    double *y;    /* [ny] */
    int n;        /* independent coordinates */
    int *links;   /* [n]: theirs */
    double *a[2]; /* [n] */
};

static double sign_of(const struct dpl__mb *m, int link)
{
    return m->joints[m->joint_of[link]].sign;
}

/* The independent coordinates of now. */
static void list_links(struct centre *centre)
{
    int cluster = 0, place = 0, n = 0, link;
    while ((link = dpl__mb_next_free(centre->m, &cluster, &place)) >= 0 && n < centre->n) {
        centre->links[n++] = link;
    }
}

static int centre_create(struct dpl__mb *m, struct centre *ret_centre, size_t more)
{
    int cluster = 0, place = 0, n = 0;
    while (dpl__mb_next_free(m, &cluster, &place) >= 0) {
        n++;
    }
    size_t numbers = (size_t)m->ny + 3 * (size_t)n + more;
    double *block = m->memory.take(m->memory.user, numbers * sizeof *block);
    if (!block) {
        return -ENOMEM;
    }
    *ret_centre = (struct centre){.m = m, .y = block + 3 * n + more, .n = n};
    ret_centre->a[0] = block;
    ret_centre->a[1] = block + n;
    ret_centre->links = (int *)(void *)(block + 2 * n);
    list_links(ret_centre);
    dpl__mb_refresh(m);
    memcpy(ret_centre->y, m->y, (size_t)m->ny * sizeof *block);
    return 0;
}

static void centre_destroy(struct centre *centre)
{
    centre->m->memory.give(centre->m->memory.user, centre->a[0]);
}

/* Accelerations of the independent coordinates at the state of now, with loops closed; dependents
 * stay what they are. */
static void accelerations(struct centre *centre, double *ret_a)
{
    struct dpl__mb *m = centre->m;
    m->in_step = true;
    dpl__mb_touch(m);
    dpl__mb_project(m);
    dpl__mb_evaluate(m);
    m->in_step = false;
    for (int i = 0; i < centre->n; i++) {
        ret_a[i] = sign_of(m, centre->links[i]) * m->a[centre->links[i]];
    }
}

static void go_back(struct centre *centre)
{
    memcpy(centre->m->y, centre->y, (size_t)centre->m->ny * sizeof(double));
    dpl__mb_touch(centre->m);
}

/* The derivatives of the accelerations by number `at` of the state (x, then v). */
static void differ(struct centre *centre, int at, double sign, double *ret_column, int stride)
{
    for (int side = 0; side < 2; side++) {
        go_back(centre);
        centre->m->y[at] += side ? DIFFERENCE : -DIFFERENCE;
        accelerations(centre, centre->a[side]);
    }
    for (int i = 0; i < centre->n; i++) {
        ret_column[i * stride] = sign * (centre->a[1][i] - centre->a[0][i]) / (2.0 * DIFFERENCE);
    }
}

int dpl_mb_linearize(const struct dpl_mb_system *system, double *ret_a, double *ret_b)
{
    struct dpl__mb *m = system->m;
    struct centre centre;
    if (!dpl__mb_is_plain(m)) {
        return -ENOTSUP;
    }
    if (centre_create(m, &centre, 0) < 0) {
        return -ENOMEM;
    }
    int n = centre.n;
    memset(ret_a, 0, 4 * (size_t)n * (size_t)n * sizeof *ret_a);
    memset(ret_b, 0, 2 * (size_t)n * (size_t)n * sizeof *ret_b);
    for (int j = 0; j < n; j++) {
        int link = centre.links[j];
        double sign = sign_of(m, link), *below = &ret_a[2 * n * n];
        ret_a[2 * n * j + n + j] = 1.0;
        differ(&centre, link, sign, below + j, 2 * n);
        differ(&centre, m->nx + link, sign, below + n + j, 2 * n);
        /* accelerations are linear in efforts: no small difference is needed */
        for (int side = 0; side < 2; side++) {
            go_back(&centre);
            m->probe_link = link;
            m->probe = side ? sign : 0.0;
            accelerations(&centre, centre.a[side]);
            m->probe = 0.0;
        }
        for (int i = 0; i < n; i++) {
            ret_b[n * (n + i) + j] = centre.a[1][i] - centre.a[0][i];
        }
    }
    go_back(&centre);
    centre_destroy(&centre);
    return 0;
}

static double largest(const double *a, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i]));
    }
    return most;
}

static bool has_stopped(const struct dpl__mb *m)
{
    for (int k = 0; k < m->n_clusters; k++) {
        if (m->clusters[k].stopped) {
            return true;
        }
    }
    return false;
}

/* Back from a step that has torn loops: they may move again. */
static void mend(struct centre *centre)
{
    struct dpl__mb *m = centre->m;
    go_back(centre);
    for (int k = 0; k < m->n_clusters; k++) {
        struct dpl__mb_cluster *cluster = &m->clusters[k];
        dpl__mb_positions(m, cluster);
        if (cluster->stopped) {
            dpl__mb_used_rows(m, cluster);
            cluster->stopped = !dpl__mb_partition(m, cluster, cluster->whole);
        }
    }
    m->n_events = 0;
    list_links(centre);
}

/* One damped step towards rest; `matrix`: n * n, then scratch. Returns the accelerations' square;
 * INFINITY: loops do not close there. */
static double approach(struct centre *centre, double *matrix, double damping)
{
    struct dpl__mb *m = centre->m;
    int n = centre->n;
    double *right = matrix + n * n, *step = right + n, *scratch = step + n;
    for (int j = 0; j < n; j++) {
        differ(centre, centre->links[j], 1.0, matrix + j, n);
    }
    go_back(centre);
    accelerations(centre, centre->a[0]);
    for (int i = 0; i < n; i++) {
        right[i] = -centre->a[0][i];
    }
    double scale = largest(matrix, n * n);
    dpl_damped_least_squares(matrix, right, n, n, fmax(DAMPING_LEAST, damping) * scale, scratch,
                             step);
    double share = fmin(1.0, STEP_MOST / fmax(STEP_MOST, largest(step, n)));
    go_back(centre);
    for (int j = 0; j < n; j++) {
        m->x[centre->links[j]] += share * step[j];
    }
    accelerations(centre, centre->a[1]);
    if (has_stopped(m)) {
        mend(centre);
        return (double)INFINITY;
    }
    return dpl_dot(centre->a[1], centre->a[1], n);
}

int dpl_mb_equilibrium(struct dpl_mb_system *system, struct dpl_diag *reterr)
{
    struct dpl__mb *m = system->m;
    struct centre centre;
    const struct dpl_place nowhere = {0};
    if (!dpl__mb_is_plain(m)) {
        return dpl_fail(reterr, -ENOTSUP, nowhere,
                        "poses of rest are not found with bodies that float or spherical joints");
    }
    if (has_stopped(m)) {
        return dpl_fail(reterr, -EDOM, nowhere, "a loop has stopped in a singular pose");
    }
    int count = (int)dpl_mb_independent(system, NULL, NULL, 0);
    size_t square = (size_t)count * (size_t)count;
    if (centre_create(m, &centre, 4 * square + 8 * (size_t)count + (size_t)m->ny) < 0) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "no memory is left");
    }
    double *kept = centre.y - m->ny, *matrix = centre.a[0] + 3 * centre.n, damping = 1e-3;
    memcpy(kept, centre.y, (size_t)m->ny * sizeof *kept);
    memset(centre.y + m->nx, 0, (size_t)m->nv * sizeof *kept);
    go_back(&centre);
    accelerations(&centre, centre.a[0]);
    double sum = dpl_dot(centre.a[0], centre.a[0], centre.n);
    for (int round = 0; round < ROUNDS && sqrt(sum) > AT_REST; round++) {
        double now = approach(&centre, matrix, damping);
        if (now < sum) {
            sum = now;
            damping *= 0.1;
            memcpy(centre.y, m->y, (size_t)m->ny * sizeof *kept);
            memset(centre.y + m->nx, 0, (size_t)m->nv * sizeof *kept);
        } else {
            damping = fmax(10.0 * damping, 1e-6);
        }
    }
    bool found = sqrt(sum) <= 1e3 * AT_REST;
    if (!found) {
        memcpy(centre.y, kept, (size_t)m->ny * sizeof *kept);
    }
    go_back(&centre);
    dpl__mb_forget(m);
    dpl__mb_project(m);
    if (found) {
        dpl__mb_accept(m);
    }
    centre_destroy(&centre);
    return found
               ? 0
               : dpl_fail(reterr, -EDOM, nowhere,
                          "no pose of rest was found near this one: accelerations of %.3g are left",
                          sqrt(sum));
}
