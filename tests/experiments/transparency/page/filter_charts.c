/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing is measured here: the filter is the one of ForceFilter, at its rate. */
#include "filter_charts.h"

#include <math.h>

#include <doppel/math/geometry.h>

#include "butterworth.h"
#include "picture.h"
#include "response.h"

#define N_FINE   300
#define N_SWEEP  10
#define SLOW_HZ  1.0 /* cut-off of the filter that is drawn over decades */
#define N_DECADE 100

/* A frequency up to which the phase should be that of a delay, and its name. */
static const struct band {
    double hz;
    const char *phase, *linearity, *delay;
    const char *phase_title, *linearity_title, *delay_title;
} bands[] = {
    {7.0, "filter-phase", "sweep-linearity", "sweep-delay",
     "Phase of the force filter without its delay, by cut-off, to 7 Hz",
     "Phase of the force filter to 7 Hz: RMS off a delay",
     "Delay of the force filter to 7 Hz over its cut-off"},
    {11.0, "filter-phase-11hz", "sweep-linearity-11hz", "sweep-delay-11hz",
     "Phase of the force filter without its delay, by cut-off, to 11 Hz",
     "Phase of the force filter to 11 Hz: RMS off a delay",
     "Delay of the force filter to 11 Hz over its cut-off"},
};

static double phase_at(const struct dpl_butterworth *filter, double hz)
{
    return dpl_butterworth_response_at(filter, hz).phase_rad * 180.0 / DPL_PI;
}

/* The designed filter's phase on a fine grid, 0 to `to_hz`. */
static struct phase_fit filter_phase(double cutoff_hz, double to_hz, double *ret_hz,
                                     double *ret_deg)
{
    struct dpl_butterworth filter = {0};
    dpl_butterworth_design(2, cutoff_hz, CHAIN_RATE_HZ, &filter);
    for (int i = 0; i < N_FINE; i++) {
        ret_hz[i] = to_hz * (i + 1) / N_FINE;
        ret_deg[i] = phase_at(&filter, ret_hz[i]);
    }
    return phase_fit_line(ret_hz, ret_deg, N_FINE, false);
}

/* Difference between the filter's phase and that of a delay, for some cut-off frequencies. */
static int chart_phase(const char *folder, const struct band *band, struct dpl_diag *reterr)
{
    static const double cutoffs[] = {20.0, 30.0, 40.0, 60.0};
    static const char *const labels[] = {"20 Hz", "30 Hz", "40 Hz", "60 Hz"};
    double hz[4][N_FINE], rest[4][N_FINE];
    struct picture picture = {
        .folder = folder,
        .name = band->phase,
        .chart[0] = {.title = band->phase_title,
                     .x_label = "frequency, Hz",
                     .y_label = "phase, deg"},
    };
    for (int i = 0; i < 4; i++) {
        struct phase_fit fit = filter_phase(cutoffs[i], band->hz, hz[i], rest[i]);
        for (int k = 0; k < N_FINE; k++) {
            rest[i][k] += 0.36 * fit.delay_ms * hz[i][k];
        }
        picture_draw(&picture, labels[i], hz[i], rest[i], N_FINE);
    }
    return picture_save(&picture, reterr);
}

/* The effect of the cut-off on linearity and delay. */
static int chart_sweep(const char *folder, const struct band *band, bool delay,
                       struct dpl_diag *reterr)
{
    double cutoff[N_SWEEP], value[N_SWEEP], hz[N_FINE], deg[N_FINE];
    struct picture picture = {
        .folder = folder,
        .name = delay ? band->delay : band->linearity,
        .chart[0] = {.title = delay ? band->delay_title : band->linearity_title,
                     .x_label = "cut-off, Hz",
                     .y_label = delay ? "delay, ms" : "phase, deg",
                     .y_from_zero = true},
    };
    for (int i = 0; i < N_SWEEP; i++) {
        cutoff[i] = 15.0 + 5.0 * i;
        struct phase_fit fit = filter_phase(cutoff[i], band->hz, hz, deg);
        value[i] = delay ? fit.delay_ms : fit.rmse_deg;
    }
    picture_draw(&picture, NULL, cutoff, value, N_SWEEP);
    return picture_save(&picture, reterr);
}

/* The whole phase of a slow filter, two decades to each side, as in textbooks; and the delay of its
 * lowest frequencies, which is a curve on a logarithmic axis. */
static int chart_decades(const char *folder, struct dpl_diag *reterr)
{
    double hz[4 * N_DECADE + 1], deg[4 * N_DECADE + 1], line[4 * N_DECADE + 1];
    struct dpl_butterworth filter = {0};
    struct picture picture = {
        .folder = folder,
        .name = "filter-phase-1hz",
        .chart[0] = {.title = "Phase of the force filter with a cut-off of 1 Hz",
                     .x_label = "frequency, Hz",
                     .y_label = "phase, deg",
                     .x_log = true},
    };
    dpl_butterworth_design(2, SLOW_HZ, CHAIN_RATE_HZ, &filter);
    double delay_s = -phase_at(&filter, 0.01 * SLOW_HZ) / (360.0 * 0.01 * SLOW_HZ);
    for (int i = 0; i <= 4 * N_DECADE; i++) {
        hz[i] = SLOW_HZ * pow(10.0, (double)i / N_DECADE - 2.0);
        deg[i] = phase_at(&filter, hz[i]);
        double straight = -360.0 * delay_s * hz[i];
        line[i] = straight >= -180.0 ? straight : (double)NAN;
    }
    picture_draw(&picture, "filter", hz, deg, 4 * N_DECADE + 1);
    picture_draw(&picture, "a delay", hz, line, 4 * N_DECADE + 1);
    picture_dash(&picture, series_color(1));
    return picture_save(&picture, reterr);
}

int filter_charts(const char *folder, struct dpl_diag *reterr)
{
    int r = chart_decades(folder, reterr);
    for (size_t i = 0; r == 0 && i < sizeof bands / sizeof bands[0]; i++) {
        r = chart_phase(folder, &bands[i], reterr);
        r = r == 0 ? chart_sweep(folder, &bands[i], false, reterr) : r;
        r = r == 0 ? chart_sweep(folder, &bands[i], true, reterr) : r;
    }
    return r;
}
