/* SPDX-License-Identifier: Apache-2.0 */
/* Butterworth low-pass of any order up to 12 as second-order sections: pure logic. */
#ifndef FORCE_FILTER_BUTTERWORTH_H
#define FORCE_FILTER_BUTTERWORTH_H

#define DPL_BUTTERWORTH_ORDER_MAX    12
#define DPL_BUTTERWORTH_SECTIONS_MAX 6

/* y[k] = b0 u[k] + b1 u[k-1] + b2 u[k-2] - a1 y[k-1] - a2 y[k-2]; a[0] is 1. */
struct dpl_butterworth_section {
    double b[3], a[3];
};

/* The designed filter: constant after dpl_butterworth_design. */
struct dpl_butterworth {
    int order, n_sections;
    double rate_hz;
    struct dpl_butterworth_section sections[DPL_BUTTERWORTH_SECTIONS_MAX];
};

/* State for one signal; owned by the caller. */
struct dpl_butterworth_state {
    double z[DPL_BUTTERWORTH_SECTIONS_MAX][2];
    double output;
};

/* Response of a filter to a sine. */
struct dpl_butterworth_response {
    double gain;      /* amplitude ratio */
    double phase_rad; /* unwrapped: from 0 down to -order pi/2 */
};

/* Designs by the bilinear transformation, prewarped so that the gain at `cutoff_hz` is exactly
 * 1/sqrt(2) (Oppenheim and Schafer, "Discrete-Time Signal Processing", 7.1.2). Returns 0, or
 * -EINVAL unless 1 <= order <= 12 and 0 < cutoff_hz < rate_hz/2, both finite. Does not allocate. */
int dpl_butterworth_design(int order, double cutoff_hz, double rate_hz,
                           struct dpl_butterworth *ret_filter);

/* Sets the state of a constant input `value`, so that no transient follows. */
void dpl_butterworth_reset(const struct dpl_butterworth *filter,
                           struct dpl_butterworth_state *state, double value);

/* Takes the next sample and returns the filtered one, in the unit of the input. An input that is
 * not finite does not change the state: the function returns the last output again, and the caller
 * counts the fault. */
double dpl_butterworth_step(const struct dpl_butterworth *filter,
                            struct dpl_butterworth_state *state, double input);

/* The designed filter's response at `frequency_hz`, 0 to rate_hz/2. */
struct dpl_butterworth_response dpl_butterworth_response_at(const struct dpl_butterworth *filter,
                                                            double frequency_hz);

/* The analog prototype's response, 1 <= order <= 12, for comparison with the digital one. */
struct dpl_butterworth_response dpl_butterworth_analog_at(int order, double cutoff_hz,
                                                          double frequency_hz);

#endif
