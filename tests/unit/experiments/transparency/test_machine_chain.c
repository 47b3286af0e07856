/* SPDX-License-Identifier: Apache-2.0 */
/* The chain of one axis and that of the machine agree; what makes them opaque shows. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>

#include "machine_chain.h"
#include "response.h"

static double delay_ms(const struct chain_response *response)
{
    return phase_fit_line(response->frequency_hz, response->phase_deg, chain_bins_to(response, 7.0),
                          false)
        .delay_ms;
}

Test(machine_chain, a_machine_pushed_along_x_answers_as_one_axis_does)
{
    struct chain_axis axis = chain_axis_default();
    struct chain_spec single = {.natural_hz = 3.0, .filtered = true, .axis = &axis};
    struct machine_spec machine = {3.0, 0, 0.5, &axis};
    struct chain_response response;
    struct machine_result result;
    cr_assert_eq(chain_measure(&single, &response), 0);
    cr_assert_eq(machine_measure(&machine, &result), 0);
    cr_assert_float_eq(delay_ms(&response), delay_ms(&result.response), 1e-3);
    cr_assert_eq(result.n_acted, 0);
    cr_assert_eq(result.n_faults, 0);
}

Test(machine_chain, a_force_beyond_the_acceleration_limit_is_counted)
{
    struct chain_axis axis = chain_axis_default();
    struct machine_spec machine = {6.0, 0, 4.0, &axis};
    struct machine_result result;
    cr_assert_eq(machine_measure(&machine, &result), 0);
    cr_assert_gt(result.n_acted, 0);
}

Test(machine_chain, each_cycle_of_recording_is_a_cycle_of_delay)
{
    struct chain_axis axis = chain_axis_default(), prompt = axis;
    struct chain_spec spec = {.natural_hz = 6.0, .filtered = true, .axis = &axis};
    struct chain_response late, early;
    prompt.measure_delay = 0;
    cr_assert_eq(chain_measure(&spec, &late), 0);
    spec.axis = &prompt;
    cr_assert_eq(chain_measure(&spec, &early), 0);
    cr_assert_float_eq(delay_ms(&late) - delay_ms(&early), 0.625, 1e-6);
}

Test(machine_chain, a_random_force_is_followed_at_the_right_delay_only)
{
    struct chain_axis axis = chain_axis_default();
    struct chain_spec spec = {.natural_hz = 3.0, .filtered = true, .axis = &axis};
    struct chain_random random = {.band_hz = 20.0, .delay_s = 16.207e-3, .n_ticks = 16000};
    double right, wrong;
    cr_assert_eq(chain_random_error(&spec, &random, &right), 0);
    random.delay_s = 12e-3;
    cr_assert_eq(chain_random_error(&spec, &random, &wrong), 0);
    cr_assert_lt(right, 0.01);
    cr_assert_gt(wrong, 0.05);
    random.delay_s = 1.0;
    cr_assert_eq(chain_random_error(&spec, &random, &wrong), -EINVAL);
}

Test(machine_chain, a_plant_that_cannot_be_is_refused)
{
    struct chain_axis axis = chain_axis_default();
    struct machine_spec machine = {3.0, 0, 0.5, &axis};
    struct machine_result result;
    axis.plant.motor_kg = -1.0;
    cr_assert_eq(machine_measure(&machine, &result), -EINVAL);
}
