/* SPDX-License-Identifier: Apache-2.0 */
/* The frequency response of a chain by the paper's method: impulses in windows of 7500 samples at
 * 1.6 kHz, the mean over the windows of the ratio of real to ideal spectrum. */
#ifndef TRANSPARENCY_RESPONSE_H
#define TRANSPARENCY_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>

#define CHAIN_WINDOW   7500 /* servo ticks: 1600/7500 = 0.2133 Hz per bin */
#define CHAIN_N_BINS   94   /* up to 20 Hz */
#define CHAIN_RATE_HZ  1600.0
#define CHAIN_PERIOD_S 0.625e-3
#define CHAIN_ONSET    400 /* ticks from the start of a window to its impulse */
#define CHAIN_N_SHAPES 4   /* impulses */

/* From bin 1 on: Hz, amplitude ratio relative to a reference, unwrapped phase. */
struct chain_response {
    double frequency_hz[CHAIN_N_BINS], gain_db[CHAIN_N_BINS], phase_deg[CHAIN_N_BINS];
    double static_gain_db; /* of bin 0 */
};

/* A window's spectrum in the bins of interest. */
struct spectrum {
    double re[CHAIN_N_BINS + 1], im[CHAIN_N_BINS + 1];
};

/* Sum of ratios of spectra. */
struct ratio_mean {
    struct spectrum sum;
    int n;
};

/* A table of cosines for spectrum_add, to be freed; NULL when there is no memory. */
double *spectrum_cosines(void);

/* Adds the sample at `tick` (0 to CHAIN_WINDOW - 1) to a window's spectrum. */
void spectrum_add(struct spectrum *spectrum, const double *cosines, int tick, double value);

/* Adds one window. */
void ratio_add(struct ratio_mean *mean, const struct spectrum *ideal, const struct spectrum *real);

/* The response from the mean of at least one window, relative to `reference`; 0: relative to bin 0,
 * which is the only bin that an offset of a signal changes. */
void ratio_response(const struct ratio_mean *mean, double reference,
                    struct chain_response *ret_response);

/* The number of bins at or below `to_hz`. */
size_t chain_bins_to(const struct chain_response *response, double to_hz);

/* Smallest and largest gain over the bins up to `to_hz` and 0 Hz, dB. */
void response_gain_range(const struct chain_response *response, double to_hz, double *ret_least,
                         double *ret_greatest);

/* The paper's kind of impulse: half-sine of 15, 20, 25, 30 ms and 60, 50, 40, 30 N for `shape` 0 to
 * 3, at the time `tick` after its start. */
double impulse_at(int shape, int tick);

/* A straight line through phases over frequency: the corresponding delay, and the residuals. */
struct phase_fit {
    double delay_ms; /* of the slope */
    double offset_deg;
    double rmse_deg, mean_abs_deg, max_abs_deg; /* of the residuals */
};

/* Least squares over n >= 2 points (Hz, deg); without `intercept` the line goes through the origin.
 */
struct phase_fit phase_fit_line(const double *frequency_hz, const double *phase_deg, size_t n,
                                bool intercept);

#endif
