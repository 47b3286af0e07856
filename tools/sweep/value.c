/* SPDX-License-Identifier: Apache-2.0 */
/* From the coordinates of a point to the values of its run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "statistics.h"
#include "study.h"

static size_t index_of(double unit, size_t n)
{
    size_t i = (size_t)(unit * (double)n);
    return i < n ? i : n - 1;
}

/* A value of a group: its mean, and its row of the covariance's Cholesky factor. */
static double correlated(const struct sweep_study *study, size_t vary, const double *unit)
{
    const struct sweep_vary *at = &study->varies[vary];
    double value = at->mean;
    for (size_t k = at->group; k <= vary; k++) {
        value += at->factor[k - at->group] * sweep_normal_quantile(unit[k]);
    }
    return value;
}

/* A grid begins and ends with the ends of a range. */
static double of_level(const struct sweep_vary *vary, double unit)
{
    bool has_ends = vary->kind == SWEEP_UNIFORM || vary->kind == SWEEP_LOG;
    return has_ends && vary->levels > 1
               ? (double)index_of(unit, vary->levels) / (double)(vary->levels - 1)
               : unit;
}

static double number_of(const struct sweep_study *study, size_t vary, const double *unit)
{
    const struct sweep_vary *at = &study->varies[vary];
    double u = study->design.type == SWEEP_GRID ? of_level(at, unit[vary]) : unit[vary];
    switch (at->kind) {
    case SWEEP_UNIFORM: return at->from + u * (at->to - at->from);
    case SWEEP_LOG: return at->from * exp(u * log(at->to / at->from));
    case SWEEP_STEP: return at->from + at->step * (double)index_of(u, at->n_choices);
    case SWEEP_NORMAL:
        return at->factor ? correlated(study, vary, unit)
                          : at->mean + at->sigma * sweep_normal_quantile(u);
    case SWEEP_CHOICE: break;
    }
    return (double)NAN;
}

void sweep_value(const struct sweep_study *study, size_t vary, const double *unit,
                 char ret_text[SWEEP_VALUE_SIZE])
{
    const struct sweep_vary *at = &study->varies[vary];
    if (at->kind == SWEEP_CHOICE) {
        snprintf(ret_text, SWEEP_VALUE_SIZE, "%s",
                 at->choices[index_of(unit[vary], at->n_choices)]);
        return;
    }
    dpl__number_write(number_of(study, vary, unit), ret_text, SWEEP_VALUE_SIZE);
}
