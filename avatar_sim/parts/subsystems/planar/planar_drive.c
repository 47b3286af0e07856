/* SPDX-License-Identifier: Apache-2.0 */
/* Wheels to motion, motion to pose. */
#include "planar_drive.h"

#include <errno.h>
#include <math.h>

#include <doppel/math/linear.h>

/* A direction in which a wheel holds the base: row . (ahead, left, turn) = factor * its speed. */
struct hold {
    double row[3], factor;
};

static struct hold hold_along(const struct dpl_sim_wheel *wheel, double angle, double factor)
{
    double c = cos(angle), s = sin(angle);
    return (struct hold){{c, s, wheel->x * s - wheel->y * c}, factor};
}

/* One or two of them; their number. */
static int holds_of(const struct dpl_sim_wheel *wheel, struct hold *ret_holds)
{
    if (wheel->has_rollers) {
        double angle = wheel->heading + wheel->roller_angle;
        ret_holds[0] = hold_along(wheel, angle, wheel->radius * cos(wheel->roller_angle));
        return 1;
    }
    ret_holds[0] = hold_along(wheel, wheel->heading, wheel->radius);
    ret_holds[1] = hold_along(wheel, wheel->heading + 0.5 * DPL_PI, 0.0);
    return 2;
}

/* Solves the normal equations N x = b, which are eliminated in place. */
static int solve(const double (*normal)[3], const double *b, double *ret_x)
{
    double rows[3][4];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            rows[i][k] = normal[i][k];
        }
        rows[i][3] = b[i];
    }
    if (dpl_eliminate(&rows[0][0], 3, 4, 1e-9)) {
        return -EDOM;
    }
    for (int i = 2; i >= 0; i--) {
        ret_x[i] = rows[i][3];
        for (int k = i + 1; k < 3; k++) {
            ret_x[i] -= rows[i][k] * ret_x[k];
        }
        ret_x[i] /= rows[i][i];
    }
    return 0;
}

int dpl__planar_shares(const struct dpl_sim_mobile *base, struct dpl_planar_twist *ret_shares)
{
    double normal[3][3] = {{0}};
    struct hold holds[2];
    for (size_t w = 0; w < base->n_wheels; w++) {
        for (int h = holds_of(&base->wheels[w], holds) - 1; h >= 0; h--) {
            for (int i = 0; i < 9; i++) {
                normal[i / 3][i % 3] += holds[h].row[i / 3] * holds[h].row[i % 3];
            }
        }
    }
    for (size_t w = 0; w < base->n_wheels; w++) {
        double b[3], x[3];
        holds_of(&base->wheels[w], holds);
        for (int i = 0; i < 3; i++) {
            b[i] = holds[0].factor * holds[0].row[i];
        }
        if (solve((const double(*)[3])normal, b, x)) {
            return -EDOM;
        }
        ret_shares[w] = (struct dpl_planar_twist){x[0], x[1], x[2]};
    }
    return 0;
}

struct dpl_pose2 dpl__planar_along(struct dpl_pose2 from, const struct dpl_planar_twist *twist,
                                   double time_s)
{
    double angle = twist->turn * time_s, half = sin(0.5 * angle);
    /* sin(a)/a and (1 - cos(a))/a, by their series where a is small */
    bool is_small = fabs(angle) < 1e-4;
    double a = is_small ? 1.0 - angle * angle / 6.0 : sin(angle) / angle;
    double b = is_small ? angle * (0.5 - angle * angle / 24.0) : 2.0 * half * half / angle;
    double ahead = (a * twist->ahead - b * twist->left) * time_s;
    double left = (b * twist->ahead + a * twist->left) * time_s;
    double c = cos(from.theta), s = sin(from.theta);
    return (struct dpl_pose2){
        .x = from.x + c * ahead - s * left,
        .y = from.y + s * ahead + c * left,
        .theta = dpl_wrap_angle(from.theta + angle),
    };
}
