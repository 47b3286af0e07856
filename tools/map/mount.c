/* SPDX-License-Identifier: Apache-2.0 */
#include "mount.h"

#include <math.h>
#include <string.h>

#define ROUNDS     8
#define KERNEL_M   0.03
#define KNOWN_M    0.02
#define KNOWN_RAD  0.035
#define CORRELATED 2.0 /* the errors of neighbouring steps share a pose */

enum { WAY_SCALE, YAW, X, Y, UNKNOWNS };

struct sums {
    double a[UNKNOWNS][UNKNOWNS], b[UNKNOWNS];
    double square, weight; /* of the residuals */
};

/* How the laser moved from one scan to another. */
static struct dpl_pose2 laser_step(const struct mapper *mapper, size_t from, size_t to)
{
    const struct recorded_scan *scans = mapper->recording->scans;
    return dpl_pose2_relative(dpl_pose2_compose(mapper->poses[from], scans[from].mount),
                              dpl_pose2_compose(mapper->poses[to], scans[to].mount));
}

/* The wheels' way along an arc that turns as the laser did: wheels err more in turns. */
static struct dpl_pose2 wheels_step(const struct mapper *mapper, size_t from, size_t to,
                                    double turn)
{
    const struct recorded_scan *scans = mapper->recording->scans;
    struct dpl_pose2 said = dpl_pose2_relative(scans[from].odometry, scans[to].odometry);
    double chord = hypot(said.x, said.y) * (said.x < 0.0 ? -1.0 : 1.0);
    return (struct dpl_pose2){chord * cos(0.5 * turn), chord * sin(0.5 * turn), turn};
}

static void add_step(const double at[UNKNOWNS], struct dpl_pose2 did, struct dpl_pose2 said,
                     struct sums *sums)
{
    double c = cos(at[YAW]), s = sin(at[YAW]);
    double turned = cos(did.theta) - 1.0, sine = sin(did.theta);
    double rows[2][UNKNOWNS] = {{said.x, said.y, turned, -sine}, {said.y, -said.x, sine, turned}};
    double e[2] = {c * did.x - s * did.y, s * did.x + c * did.y};
    for (int i = 0; i < 2; i++) {
        e[i] -= at[WAY_SCALE] * rows[i][WAY_SCALE] + at[X] * rows[i][X] + at[Y] * rows[i][Y];
    }
    double t = hypot(e[0], e[1]) / KERNEL_M, w = 1.0 / ((1.0 + t * t) * (1.0 + t * t));
    for (int i = 0; i < 2; i++) {
        for (int r = 0; r < UNKNOWNS; r++) {
            for (int k = 0; k < UNKNOWNS; k++) {
                sums->a[r][k] += w * rows[i][r] * rows[i][k];
            }
            sums->b[r] += w * rows[i][r] * e[i];
        }
        sums->square += w * e[i] * e[i];
        sums->weight += w;
    }
}

/* Gauss-Jordan: `b` becomes the solution, `a` its inverse. False: a direction was not seen. */
static bool solve(struct sums *sums)
{
    for (int i = 0; i < UNKNOWNS; i++) {
        double pivot = sums->a[i][i];
        if (!(pivot > 1e-9)) {
            return false;
        }
        sums->a[i][i] = 1.0;
        for (int k = 0; k < UNKNOWNS; k++) {
            sums->a[i][k] /= pivot;
        }
        sums->b[i] /= pivot;
        for (int r = 0; r < UNKNOWNS; r++) {
            double factor = sums->a[r][i];
            if (r == i) {
                continue;
            }
            sums->a[r][i] = 0.0;
            for (int k = 0; k < UNKNOWNS; k++) {
                sums->a[r][k] -= factor * sums->a[i][k];
            }
            sums->b[r] -= factor * sums->b[i];
        }
    }
    return true;
}

static void add_steps(const struct mapper *mapper, const double at[UNKNOWNS], struct sums *sums)
{
    size_t from = 0;
    for (size_t to = 1; to < mapper->recording->n; to++) {
        if (mapper_is_held_out(mapper, to)) {
            continue;
        }
        struct dpl_pose2 did = laser_step(mapper, from, to);
        add_step(at, did, wheels_step(mapper, from, to, did.theta), sums);
        from = to;
    }
}

void mount_estimate(const struct mapper *mapper, struct mount_estimate *ret_estimate)
{
    double at[UNKNOWNS] = {[WAY_SCALE] = 1.0};
    struct sums sums;
    *ret_estimate = (struct mount_estimate){0};
    for (int round = 0; round < ROUNDS; round++) {
        memset(&sums, 0, sizeof sums);
        add_steps(mapper, at, &sums);
        if (!solve(&sums)) {
            return;
        }
        for (int i = 0; i < UNKNOWNS; i++) {
            at[i] += sums.b[i];
        }
    }
    double variance = CORRELATED * sums.square / fmax(sums.weight, 1.0);
    double x = sums.a[X][X], y = sums.a[Y][Y];
    *ret_estimate = (struct mount_estimate){
        .mount = {at[X], at[Y], at[YAW]},
        .sigma_m = sqrt(variance * fmax(x, y)),
        .sigma_rad = sqrt(variance * sums.a[YAW][YAW]),
    };
    ret_estimate->known = ret_estimate->sigma_m <= KNOWN_M && ret_estimate->sigma_rad <= KNOWN_RAD;
}

int mount_build(struct recording *recording, const struct mapper_options *options,
                struct mapper *ret_mapper, struct mount_estimate *ret_estimate,
                struct dpl_diag *reterr)
{
    int err = mapper_build(recording, options, ret_mapper, reterr);
    if (err < 0) {
        return err;
    }
    mount_estimate(ret_mapper, ret_estimate);
    if (!ret_estimate->known) {
        return 0;
    }
    mapper_finish(ret_mapper);
    for (size_t i = 0; i < recording->n; i++) {
        recording->scans[i].mount = ret_estimate->mount;
    }
    return mapper_build(recording, options, ret_mapper, reterr);
}
