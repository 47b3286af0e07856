/* SPDX-License-Identifier: Apache-2.0 */
/* The quarters of a recording must say what the whole says. The deviations of a fit hold for noise;
 * commands that reach the robot late now and then are none, and make a ramp that is wrong by many
 * deviations. */
#include "drive_parts.h"

#include <math.h>

#define PARTS         4
#define CONTRADICTION 3.0 /* errors of the parts over their deviations, RMS */

/* Sums of squared errors over deviations. */
struct parts {
    size_t n;
    double square[DRIVE_N_PARAMETERS];
};

/* A part that does not show the ramp says nothing about the rest either. */
static void add(struct parts *parts, const struct drive_fit *part, const struct drive_fit *whole)
{
    if (part->identified[DRIVE_RAMP] != whole->identified[DRIVE_RAMP]) {
        return;
    }
    parts->n++;
    for (int i = 0; i < DRIVE_N_PARAMETERS; i++) {
        double off = (part->value[i] - whole->value[i]) / part->sigma[i];
        parts->square[i] += off * off;
    }
}

static void widen_sigmas(const struct parts *parts, struct drive_fit *fit)
{
    for (int i = 0; i < DRIVE_N_PARAMETERS && parts->n > 1; i++) {
        double more = sqrt(parts->square[i] / (double)(parts->n - 1));
        fit->sigma[i] *= fmax(more, 1.0);
        fit->identified[i] = fit->identified[i] && more <= CONTRADICTION;
    }
}

/* The others are those that go with the nominal ramp, and no surer than before. */
static int fit_without_ramp(const struct drive_sample *samples, size_t n,
                            const struct drive_config *config, struct drive_fit *inout_fit)
{
    struct drive_fit judged = *inout_fit;
    int err = drive_fit_at_once(samples, n, config, false, inout_fit);
    for (int i = 0; i < DRIVE_N_PARAMETERS && err == 0; i++) {
        inout_fit->sigma[i] = fmax(inout_fit->sigma[i], judged.sigma[i]);
        inout_fit->identified[i] = inout_fit->identified[i] && judged.identified[i];
    }
    return err;
}

int drive_fit(const struct drive_sample *samples, size_t n, const struct drive_config *config,
              struct drive_fit *ret_fit)
{
    struct parts parts = {0};
    int err = drive_fit_at_once(samples, n, config, true, ret_fit);
    for (size_t i = 0; i < PARTS && err == 0; i++) {
        struct drive_fit part;
        size_t from = n * i / PARTS, until = n * (i + 1) / PARTS;
        if (drive_fit_at_once(&samples[from], until - from, config, true, &part) == 0) {
            add(&parts, &part, ret_fit);
        }
    }
    if (err < 0) {
        return err;
    }
    bool had_ramp = ret_fit->identified[DRIVE_RAMP];
    widen_sigmas(&parts, ret_fit);
    return had_ramp && !ret_fit->identified[DRIVE_RAMP]
               ? fit_without_ramp(samples, n, config, ret_fit)
               : 0;
}
