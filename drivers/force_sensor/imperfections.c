/* SPDX-License-Identifier: Apache-2.0 */
/* Computes a sensor's reading from the force: first the added errors, then the converter. */
#include "imperfections.h"

#include <math.h>

#define PI 3.14159265358979323846

static double added(const struct force_imperfections *p, struct dpl_random *rng, double t_s, int i)
{
    double sum = p->offset[i] + p->drift_s[i] * t_s;
    if (p->hum[i] > 0.0) {
        sum += p->hum[i] * sin(2.0 * PI * p->hum_hz * t_s);
    }
    if (p->noise[i] > 0.0) {
        sum += p->noise[i] * dpl_random_normal(rng);
    }
    return sum;
}

bool force_imperfections_apply(const struct force_imperfections *imperfections,
                               struct dpl_random *rng, double t_s, const double applied[DPL_SIX],
                               double ret_reading[DPL_SIX])
{
    bool saturated = false;
    for (int i = 0; i < DPL_SIX; i++) {
        double more = added(imperfections, rng, t_s, i), value = applied[i];
        double range = imperfections->range[i], step = imperfections->resolution[i];
        value = more != 0.0 ? value + more : value;
        if (step > 0.0) {
            value = step * round(value / step);
        }
        if (range > 0.0 && fabs(value) >= range) {
            value = copysign(range, value);
            saturated = true;
        }
        ret_reading[i] = value;
    }
    return saturated;
}

/* Parsing a plan of faults, and finding the active ones. */

#define EXPECTED                                                                                   \
    "expected a row \"t stuck|dropout|nan duration\", \"t spike duration VALUE [AXIS]\" or \"t "   \
    "lost [duration]\""

static const char *const kinds[] = {
    [FAULT_STUCK] = "stuck", [FAULT_DROPOUT] = "dropout", [FAULT_NAN] = "nan",
    [FAULT_SPIKE] = "spike", [FAULT_LOST] = "lost",
};

static bool read_number(struct dpl_rows *rows, double *ret_value)
{
    bool good = dpl_rows_number(rows, ret_value);
    dpl_rows_skip_blanks(rows);
    return good;
}

static bool read_row(struct dpl_rows *rows, struct fault_row *ret_row)
{
    struct fault_row row = {.axis = 0};
    size_t kind = 0;
    if (!read_number(rows, &row.t_s) ||
        !dpl_rows_word(rows, kinds, sizeof kinds / sizeof kinds[0], &kind)) {
        return false;
    }
    row.kind = (enum fault_kind)kind;
    bool for_good = row.kind == FAULT_LOST && dpl_rows_end_of_row(*rows->at);
    row.duration_s = (double)INFINITY;
    bool good = for_good || read_number(rows, &row.duration_s);
    if (good && row.kind == FAULT_SPIKE) {
        good = read_number(rows, &row.value);
        dpl_rows_word(rows, dpl_six_names, DPL_SIX, &row.axis);
    }
    *ret_row = row;
    return good && dpl_rows_end_of_row(*rows->at);
}

int fault_plan_parse(const char *text, struct fault_plan *ret_plan, struct force_error *reterr)
{
    struct dpl_rows rows = dpl_rows_begin(text);
    struct fault_plan plan = {.n = 0};
    for (;;) {
        dpl_rows_skip_to_row(&rows);
        if (*rows.at == '\0') {
            *ret_plan = plan;
            return 0;
        }
        struct fault_row row;
        const char *begin = rows.at;
        if (!read_row(&rows, &row)) {
            *reterr = (struct force_error){EXPECTED, (size_t)(rows.at - text)};
            return -EINVAL;
        }
        if (plan.n == FAULT_PLAN_MAX || row.duration_s < 0.0) {
            *reterr = (struct force_error){plan.n == FAULT_PLAN_MAX ? "too many faults (at most 64)"
                                                                    : "a duration is negative",
                                           (size_t)(begin - text)};
            return -EINVAL;
        }
        plan.rows[plan.n++] = row;
    }
}

struct fault_effect fault_plan_at(const struct fault_plan *plan, double t_s)
{
    struct fault_effect effect = {.lost = false};
    for (size_t i = 0; i < plan->n; i++) {
        const struct fault_row *row = &plan->rows[i];
        if (t_s < row->t_s || t_s >= row->t_s + row->duration_s) {
            continue;
        }
        switch (row->kind) {
        case FAULT_STUCK: effect.stuck = true; break;
        case FAULT_DROPOUT: effect.dropout = true; break;
        case FAULT_NAN: effect.nan = true; break;
        case FAULT_SPIKE: effect.added[row->axis] += row->value; break;
        case FAULT_LOST: effect.lost = true; break;
        }
    }
    return effect;
}
