/* SPDX-License-Identifier: Apache-2.0 */
#include "over_time.h"

#include <math.h>

bool sweep_over_time_matters(const struct sweep_study *study)
{
    for (size_t i = 0; i < study->n_measures; i++) {
        if (study->measures[i].reduce != SWEEP_LAST) {
            return true;
        }
    }
    return study->n_stops > 0;
}

void sweep_over_time_begin(struct sweep_over_time *over, const struct sweep_study *study)
{
    *over = (struct sweep_over_time){.study = study};
}

static void add(struct sweep_over_time *over, size_t measure)
{
    double value = over->now[measure], *kept = &over->kept[measure];
    bool is_first = over->n[measure] == 0.0;
    switch (over->study->measures[measure].reduce) {
    case SWEEP_LAST: *kept = value; break;
    case SWEEP_LEAST: *kept = is_first ? value : fmin(*kept, value); break;
    case SWEEP_LARGEST: *kept = is_first ? value : fmax(*kept, value); break;
    case SWEEP_MEAN: *kept += value; break;
    case SWEEP_RMS: *kept += value * value; break;
    }
    over->n[measure] += 1.0;
}

static double value_of(const struct sweep_over_time *over, size_t measure)
{
    double n = over->n[measure], kept = over->kept[measure];
    if (n == 0.0) {
        return (double)NAN;
    }
    switch (over->study->measures[measure].reduce) {
    case SWEEP_MEAN: return kept / n;
    case SWEEP_RMS: return sqrt(kept / n);
    default: return kept;
    }
}

bool sweep_over_time_take(struct sweep_over_time *over, double time_s)
{
    const struct sweep_study *study = over->study;
    double values[SWEEP_MEASURES_MAX];
    for (size_t i = 0; i < study->n_measures; i++) {
        if (time_s >= study->measures[i].after_s && !isnan(over->now[i])) {
            add(over, i);
        }
        values[i] = value_of(over, i);
    }
    for (size_t i = 0; i < study->n_stops && !over->stopped; i++) {
        bool holds;
        sweep_accept_holds(study, &study->stops[i], values, &holds, NULL);
        over->stopped = holds ? study->stops[i].when : NULL;
    }
    return over->stopped != NULL;
}

void sweep_over_time_end(const struct sweep_over_time *over, double *measures)
{
    for (size_t i = 0; i < over->study->n_measures; i++) {
        if (over->study->measures[i].reduce != SWEEP_LAST) {
            measures[i] = value_of(over, i);
        }
    }
}
