/* SPDX-License-Identifier: Apache-2.0 */
#include "protection.h"

#include <stdlib.h>
#include <string.h>

#include <doppel/math/linear.h>

#define INFLATION   1.6  /* measured: what the level needs to hold in 99.9 % of the rows */
#define DEVIATIONS  3.72 /* in the plane: 1 in 1000 */
#define SEPARATION  2.6
#define PRIOR_M     0.15 /* so that the information can be inverted */
#define PRIOR_RAD   0.0524
#define NIS_LIMIT   12.0
#define FADES       0.9 /* a scan */
#define LEAST_PIVOT 1e-9
#define LEAST_PRIOR 1e-12

bool protection_init(struct protection *protection, const uint32_t *group, size_t n_groups)
{
    *protection = (struct protection){.group = group};
    protection->sums = calloc(n_groups + 1, sizeof *protection->sums);
    protection->touched = calloc(n_groups + 1, sizeof *protection->touched);
    return protection->sums && protection->touched;
}

void protection_finish(struct protection *protection)
{
    free(protection->sums);
    free(protection->touched);
}

static struct protection_sum *touch(struct protection *protection, uint32_t group)
{
    struct protection_sum *sum = &protection->sums[group];
    if (!sum->touched) {
        memset(sum, 0, sizeof *sum);
        sum->touched = true;
        protection->touched[protection->n_touched++] = group;
    }
    return sum;
}

static void add(struct protection_sum *to, const struct protection_sum *from, double sign)
{
    for (int r = 0; r < LOC_DIMS; r++) {
        to->b[r] += sign * from->b[r];
        for (int c = 0; c <= r; c++) {
            to->a[r][c] += sign * from->a[r][c];
        }
    }
}

/* By objects, the unknown offset of each surface taken out. */
static void sum_objects(struct protection *protection, const struct loc_match *match,
                        struct protection_sum *total)
{
    double prior = 1.0 / (match->map_error_m * match->map_error_m);
    for (size_t i = 0; i < protection->n_touched; i++) {
        protection->sums[protection->touched[i]].touched = false;
    }
    protection->n_touched = 0;
    for (size_t i = 0; i < match->n_touched; i++) {
        const struct loc_surface *s = &match->surfaces[match->touched[i]];
        double share = 1.0 / (s->h + prior);
        struct protection_sum one;
        for (int r = 0; r < LOC_DIMS; r++) {
            one.b[r] = s->b[r] - s->g[r] * s->f * share;
            for (int c = 0; c <= r; c++) {
                one.a[r][c] = s->a[r][c] - s->g[r] * s->g[c] * share;
            }
        }
        add(touch(protection, protection->group[match->touched[i]]), &one, 1.0);
        add(total, &one, 1.0);
    }
}

/* The position that the information is for, and its covariance. */
struct solution {
    double x[LOC_DIMS], position[3], heading;
};

static void solve(const struct protection_sum *sum, struct solution *ret)
{
    double factor[LOC_DIMS][LOC_DIMS], column[LOC_DIMS];
    memcpy(factor, sum->a, sizeof factor);
    dpl_cholesky(&factor[0][0], LOC_DIMS, LEAST_PIVOT);
    dpl_cholesky_solve(&factor[0][0], LOC_DIMS, sum->b, ret->x);
    for (int k = 0; k < 3; k++) {
        double unit[LOC_DIMS] = {0.0};
        unit[k] = 1.0;
        dpl_cholesky_solve(&factor[0][0], LOC_DIMS, unit, column);
        if (k == 0) {
            ret->position[0] = column[0];
            ret->position[1] = column[1];
        } else {
            *(k == 1 ? &ret->position[2] : &ret->heading) = column[k];
        }
    }
}

static double largest(const double c[3])
{
    return 0.5 * (c[0] + c[2]) + hypot(0.5 * (c[0] - c[2]), c[1]);
}

/* Without the object that the position depends on most. */
static double separation(const struct protection *protection, const struct protection_sum *total,
                         const struct solution *all)
{
    double most = 0.0, separated = 0.0;
    for (size_t i = 0; i < protection->n_touched; i++) {
        struct protection_sum rest = *total;
        struct solution without;
        add(&rest, &protection->sums[protection->touched[i]], -1.0);
        solve(&rest, &without);
        double off = hypot(without.x[0] - all->x[0], without.x[1] - all->x[1]);
        double bound = off + SEPARATION * sqrt(largest(without.position));
        separated = bound > most ? off : separated;
        most = fmax(most, bound);
    }
    return separated;
}

static void begin_sum(const struct protection_input *input, struct protection_sum *total)
{
    memset(total, 0, sizeof *total);
    total->a[LOC_X][LOC_X] = total->a[LOC_Y][LOC_Y] = 1.0 / (PRIOR_M * PRIOR_M);
    total->a[LOC_YAW][LOC_YAW] = 1.0 / (PRIOR_RAD * PRIOR_RAD);
    total->a[LOC_BIAS][LOC_BIAS] = 1.0 / fmax(input->bias_variance, LEAST_PRIOR);
    total->a[LOC_SCALE][LOC_SCALE] = 1.0 / fmax(input->scale_variance, LEAST_PRIOR);
}

void protection_scan(struct protection *protection, const struct protection_input *input,
                     struct protection_result *ret_result)
{
    struct protection_sum total;
    struct solution all;
    double both[3];
    begin_sum(input, &total);
    sum_objects(protection, input->match, &total);
    solve(&total, &all);
    for (int i = 0; i < 3; i++) {
        both[i] = input->position[i] + all.position[i];
    }
    protection->fading_m *= FADES;
    if (input->nis > NIS_LIMIT) {
        protection->fading_m = fmax(protection->fading_m, 0.5 * input->innovation_m);
    }
    *ret_result = (struct protection_result){
        .sigma_m = sqrt(largest(all.position)),
        .sigma_rad = sqrt(all.heading),
        .separation_m = separation(protection, &total, &all),
        .offset_m = hypot(all.x[0], all.x[1]),
        .contradicted_m = protection->fading_m,
    };
    ret_result->level_m = INFLATION * (DEVIATIONS * sqrt(largest(both)) + ret_result->separation_m +
                                       ret_result->offset_m) +
                          ret_result->contradicted_m;
}
