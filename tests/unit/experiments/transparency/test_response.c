/* SPDX-License-Identifier: Apache-2.0 */
/* Responses of signals whose relation is known. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "response.h"

/* Real is `gain` times ideal, `late` ticks later, plus `offset`, in windows of each impulse. */
static struct chain_response known(double gain, int late, double offset, double reference)
{
    struct ratio_mean mean = {.n = 0};
    struct chain_response response;
    double *cosines = spectrum_cosines();
    cr_assert_not_null(cosines);
    for (int shape = 0; shape < CHAIN_N_SHAPES; shape++) {
        struct spectrum spectra[2] = {0};
        for (int tick = 0; tick < CHAIN_WINDOW; tick++) {
            double ideal = impulse_at(shape, tick - CHAIN_ONSET);
            double real = gain * impulse_at(shape, tick - CHAIN_ONSET - late) + offset;
            spectrum_add(&spectra[0], cosines, tick, ideal);
            spectrum_add(&spectra[1], cosines, tick, real);
        }
        ratio_add(&mean, &spectra[0], &spectra[1]);
    }
    free(cosines);
    ratio_response(&mean, reference, &response);
    return response;
}

Test(response, a_late_copy_has_its_delay_and_nothing_else)
{
    struct chain_response response = known(1.0, 26, 0.0, 1.0);
    struct phase_fit fit = phase_fit_line(response.frequency_hz, response.phase_deg,
                                          chain_bins_to(&response, 20.0), false);
    double least, greatest;
    response_gain_range(&response, 20.0, &least, &greatest);
    cr_assert_float_eq(fit.delay_ms, 26 * 0.625, 1e-9);
    cr_assert_lt(fit.max_abs_deg, 1e-9);
    cr_assert_lt(greatest - least, 1e-9);
}

Test(response, the_phase_goes_on_beyond_half_a_turn)
{
    struct chain_response response = known(1.0, 100, 0.0, 1.0);
    cr_assert_float_eq(response.phase_deg[CHAIN_N_BINS - 1], -360.0 * CHAIN_N_BINS * 100.0 / 7500.0,
                       1e-6);
}

Test(response, gain_is_against_the_reference_or_bin_0)
{
    struct chain_response absolute = known(0.5, 4, 0.0, 1.0), relative = known(0.5, 4, 0.0, 0.0);
    cr_assert_float_eq(absolute.gain_db[10], 20.0 * log10(0.5), 1e-9);
    cr_assert_float_eq(relative.gain_db[10], 0.0, 1e-9);
    cr_assert_float_eq(relative.static_gain_db, 20.0 * log10(0.5), 1e-9);
}

Test(response, an_offset_spoils_bin_0_only)
{
    struct chain_response clean = known(1.0, 4, 0.0, 1.0), offset = known(1.0, 4, 0.01, 1.0);
    cr_assert_gt(fabs(offset.static_gain_db), 0.1);
    for (int i = 0; i < CHAIN_N_BINS; i++) {
        cr_assert_float_eq(offset.gain_db[i], clean.gain_db[i], 1e-9);
        cr_assert_float_eq(offset.phase_deg[i], clean.phase_deg[i], 1e-9);
    }
}

Test(response, bins_are_a_fifth_of_a_hertz_apart)
{
    struct chain_response response = known(1.0, 0, 0.0, 1.0);
    cr_assert_float_eq(response.frequency_hz[0], 1600.0 / 7500.0, 1e-12);
    cr_assert_eq(chain_bins_to(&response, 7.0), 32);
    cr_assert_eq(chain_bins_to(&response, 11.0), 51);
    cr_assert_eq(chain_bins_to(&response, 0.1), 0);
    cr_assert_eq(chain_bins_to(&response, 1e3), CHAIN_N_BINS);
}

Test(response, impulses_are_half_sines_of_their_length)
{
    for (int shape = 0; shape < CHAIN_N_SHAPES; shape++) {
        int length = (15 + 5 * shape) * 8 / 5;
        cr_assert_eq(impulse_at(shape, 0), 0.0);
        cr_assert_eq(impulse_at(shape, length + 1), 0.0);
        cr_assert_gt(impulse_at(shape, 1), 0.0);
        cr_assert_float_eq(impulse_at(shape, length / 2), 60.0 - 10.0 * shape, 1e-9);
    }
}
