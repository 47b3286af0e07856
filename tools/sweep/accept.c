/* SPDX-License-Identifier: Apache-2.0 */
#include "accept.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *sweep_judgement_word(enum sweep_judgement_state state)
{
    static const char *const words[] = {"accepted", "open", "refused"};
    return words[state];
}

size_t sweep_count_results(const struct sweep_table *table)
{
    size_t n = 0;
    for (size_t i = 0; i < table->n; i++) {
        n += table->rows[i].result != NULL;
    }
    return n;
}

bool sweep_is_good(const struct sweep_study *study, const struct sweep_accept *accept,
                   const struct sweep_result *result)
{
    bool holds = false;
    return result && result->status == SWEEP_DONE &&
           sweep_accept_holds(study, accept, result->measures, &holds, NULL) == 0 && holds;
}

static enum sweep_judgement_state state_of(const struct sweep_interval *interval, double min,
                                           double max)
{
    if (interval->low >= min && interval->high <= max) {
        return SWEEP_ACCEPTED;
    }
    return interval->high < min || interval->low > max ? SWEEP_REFUSED : SWEEP_OPEN;
}

static void judge_rate(const struct sweep_table *table, const struct sweep_accept *accept,
                       struct sweep_judgement *judgement)
{
    size_t good = 0, n = 0;
    for (size_t i = 0; i < table->n; i++) {
        n += table->rows[i].result != NULL;
        good += sweep_is_good(&table->study, accept, table->rows[i].result);
    }
    judgement->n = n;
    judgement->interval = sweep_rate(good, n, accept->confidence);
    judgement->state = state_of(&judgement->interval, accept->rate, 1.0);
    snprintf(judgement->text, sizeof judgement->text,
             "%zu of %zu runs: %.100s; rate %.4f, %.4g %% sure that it is from %.4f to %.4f; at "
             "least %g",
             good, n, accept->when, judgement->interval.value, 100.0 * accept->confidence,
             judgement->interval.low, judgement->interval.high, accept->rate);
}

static void judge_quantile(const struct sweep_table *table, const struct sweep_accept *accept,
                           struct sweep_judgement *judgement)
{
    double *values = calloc(table->n + 1, sizeof *values);
    char limits[80] = "";
    size_t n = 0;
    for (size_t i = 0; values && i < table->n; i++) {
        const struct sweep_result *result = table->rows[i].result;
        if (result && result->status == SWEEP_DONE && !isnan(result->measures[accept->measure])) {
            values[n++] = result->measures[accept->measure];
        }
    }
    judgement->n = n;
    if (values) {
        judgement->interval = sweep_quantile(values, n, accept->quantile, accept->confidence,
                                             table->study.design.seed);
    }
    judgement->state = state_of(&judgement->interval, accept->min, accept->max);
    int at =
        isfinite(accept->min) ? snprintf(limits, sizeof limits, "; at least %g", accept->min) : 0;
    if (isfinite(accept->max)) {
        snprintf(limits + at, sizeof limits - (size_t)at, "; at most %g", accept->max);
    }
    snprintf(judgement->text, sizeof judgement->text,
             "quantile %g of %s in %zu runs: %.6g, %.4g %% sure that it is from %.6g to %.6g%s",
             accept->quantile, table->study.measures[accept->measure].name, n,
             judgement->interval.value, 100.0 * accept->confidence, judgement->interval.low,
             judgement->interval.high, limits);
    free(values);
}

void sweep_judge(const struct sweep_table *table, const struct sweep_accept *accept,
                 struct sweep_judgement *ret_judgement)
{
    *ret_judgement = (struct sweep_judgement){.interval = {(double)NAN, (double)NAN, (double)NAN}};
    if (accept->when) {
        judge_rate(table, accept, ret_judgement);
    } else {
        judge_quantile(table, accept, ret_judgement);
    }
    if (ret_judgement->n == 0) { /* nothing tells, whatever the sums of nothing are */
        ret_judgement->state = SWEEP_OPEN;
        snprintf(ret_judgement->text, sizeof ret_judgement->text,
                 "no run has a number for it yet: %.100s",
                 accept->when ? accept->when : table->study.measures[accept->measure].name);
    }
}
