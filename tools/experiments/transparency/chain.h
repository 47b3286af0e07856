/* SPDX-License-Identifier: Apache-2.0 */
/* The paper's experiment on one axis: impulses of force through filter, model and path, against the
 * exact answer of the same model; and what the chain does to each frequency. */
#ifndef TRANSPARENCY_CHAIN_H
#define TRANSPARENCY_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

#define CHAIN_WINDOW   7500 /* servo ticks: 1600/7500 = 0.2133 Hz a bin */
#define CHAIN_N_BINS   94   /* up to 20 Hz */
#define CHAIN_RATE_HZ  1600.0
#define CHAIN_PERIOD_S 0.625e-3

struct chain_spec {
    double natural_hz; /* of the model */
    bool filtered;
};

/* Of bin 1 and on: Hz, amplitude ratio against that of bin 0, unwrapped phase. */
struct chain_response {
    double frequency_hz[CHAIN_N_BINS], gain_db[CHAIN_N_BINS], phase_deg[CHAIN_N_BINS];
    double static_gain_db; /* of bin 0 */
};

/* Runs half-sine impulses (15 to 30 ms, 60 to 30 N), each in a window of its own; the response is
 * the mean over the windows of the ratio of the spectra. Returns 0 or a negative errno. */
int chain_measure(const struct chain_spec *spec, struct chain_response *ret_response);

/* How many bins lie at or below `to_hz`. */
size_t chain_bins_to(const struct chain_response *response, double to_hz);

#endif
