/* SPDX-License-Identifier: Apache-2.0 */
/* Criteria A6 and A7 on one axis: the chain with servo and forward kinematics, the effect of
 * feed-forward, and a random force. */
#include "acceptance.h"
#include "chain.h"
#include "response.h"

#include <math.h>
#include <stdio.h>

/* A row of section 1.4. */
struct servo_row {
    const char *name;
    bool recorded_late, no_acceleration, no_velocity, semi_implicit;
    double delay_ms[2];                 /* of the 3 and the 6 Hz model */
    double least_db[2], greatest_db[2]; /* to 7 and to 11 Hz */
    double rest_deg[2];
};

static const struct servo_row servo_rows[] = {
    {.name = "servo",
     .delay_ms = {15.583, 15.583},
     .least_db = {-0.057, -0.119},
     .rest_deg = {0.046, 0.145}},
    {.name = "servo and FK",
     .recorded_late = true,
     .delay_ms = {16.208, 16.208},
     .least_db = {-0.057, -0.119},
     .rest_deg = {0.046, 0.145}},
    {.name = "no acceleration feed-forward",
     .recorded_late = true,
     .no_acceleration = true,
     .delay_ms = {16.294, 16.294},
     .greatest_db = {0.252, 0.564},
     .rest_deg = {0.222, 0.803}},
    {.name = "no feed-forward",
     .recorded_late = true,
     .no_acceleration = true,
     .no_velocity = true,
     .delay_ms = {24.419, 24.419},
     .least_db = {-0.270, -0.657},
     .rest_deg = {0.078, 0.268}},
    {.name = "semi-implicit model",
     .recorded_late = true,
     .semi_implicit = true,
     .delay_ms = {14.726, 14.167},
     .rest_deg = {1.1, 1.9}},
};

static int measure_row(const struct servo_row *row, double natural_hz,
                       struct chain_response *ret_response)
{
    struct chain_axis axis = chain_axis_default();
    struct chain_spec spec = {.natural_hz = natural_hz,
                              .filtered = true,
                              .semi_implicit = row->semi_implicit,
                              .axis = &axis};
    axis.measure_delay = row->recorded_late ? 1 : 0;
    axis.servo.velocity_feedforward = row->no_velocity ? 0.0 : 1.0;
    axis.servo.acceleration_feedforward = row->no_acceleration ? 0.0 : 1.0;
    return chain_measure(&spec, ret_response);
}

static void one_row(const char *chain, double natural_hz, const char *what,
                    const double expectation[3])
{
    char name[96];
    snprintf(name, sizeof name, "A6 %s, %g Hz model: %s", chain, natural_hz, what);
    row_near(name, expectation[0], expectation[1], expectation[2]);
}

/* Checks the row's numbers; values that only the exact model has are omitted for the other one. */
static void reproduce(const struct servo_row *row, const struct chain_response *response,
                      double natural_hz)
{
    static const char *const what[2][3] = {
        {"least gain 0-7 Hz dB", "greatest gain 0-7 Hz dB", "phase residual 0-7 Hz deg"},
        {"least gain 0-11 Hz dB", "greatest gain 0-11 Hz dB", "phase residual 0-11 Hz deg"}};
    for (int i = 0; i < 2; i++) {
        double to_hz = i == 0 ? 7.0 : 11.0, least, greatest;
        size_t n = chain_bins_to(response, to_hz);
        struct phase_fit fit =
            phase_fit_line(response->frequency_hz, response->phase_deg, n, false);
        response_gain_range(response, to_hz, &least, &greatest);
        if (i == 0) {
            one_row(row->name, natural_hz, "delay 0-7 Hz ms",
                    (double[]){fit.delay_ms, row->delay_ms[natural_hz > 4.0], 0.002});
        }
        if (!row->semi_implicit) {
            one_row(row->name, natural_hz, what[i][0], (double[]){least, row->least_db[i], 0.001});
            one_row(row->name, natural_hz, what[i][1],
                    (double[]){greatest, row->greatest_db[i], 0.001});
            one_row(row->name, natural_hz, what[i][2],
                    (double[]){fit.max_abs_deg, row->rest_deg[i], 0.005});
        }
    }
}

/* 0.1 units above or below: the specification gives two digits of these. */
static void reproduce_semi_implicit(const struct chain_response *response, double natural_hz)
{
    static const double gain[2][2] = {{-0.09, 0.12}, {-0.20, 0.18}};
    const double *expected = gain[natural_hz > 4.0];
    double least, greatest;
    size_t n = chain_bins_to(response, 7.0);
    struct phase_fit fit = phase_fit_line(response->frequency_hz, response->phase_deg, n, false);
    response_gain_range(response, 7.0, &least, &greatest);
    one_row("semi-implicit model", natural_hz, "least gain 0-7 Hz dB",
            (double[]){least, expected[0], 0.005});
    one_row("semi-implicit model", natural_hz, "greatest gain 0-7 Hz dB",
            (double[]){greatest, expected[1], 0.005});
    one_row("semi-implicit model", natural_hz, "phase residual 0-7 Hz deg",
            (double[]){fit.max_abs_deg, 1.1, 0.05});
}

/* The gate for a chain that should be transparent. */
static void gate(const char *chain, const struct chain_response *response, double natural_hz)
{
    static const struct {
        double to_hz, gain_db, rest_deg;
    } limits[] = {{7.0, 0.10, 0.10}, {11.0, 0.20, 0.25}, {20.0, 0.50, 1.0}};
    for (int i = 0; i < 3; i++) {
        char name[96];
        double least, greatest;
        size_t n = chain_bins_to(response, limits[i].to_hz);
        struct phase_fit fit =
            phase_fit_line(response->frequency_hz, response->phase_deg, n, false);
        response_gain_range(response, limits[i].to_hz, &least, &greatest);
        snprintf(name, sizeof name, "A6 %s, %g Hz model: |gain| to %g Hz, dB", chain, natural_hz,
                 limits[i].to_hz);
        row_at_most(name, fmax(greatest, -least), limits[i].gain_db, "");
        if (i < 2) {
            snprintf(name, sizeof name, "A6 %s, %g Hz model: phase residual to %g Hz, deg", chain,
                     natural_hz, limits[i].to_hz);
            row_at_most(name, fit.max_abs_deg, limits[i].rest_deg, "");
        }
        if (i == 0) {
            snprintf(name, sizeof name, "A6 %s, %g Hz model: delay, ms", chain, natural_hz);
            row_near(name, fit.delay_ms, 16.2, 0.1);
        }
    }
}

/* Values of section 1.4 above 11 Hz. Its plant takes approximate steps, the one of this project
 * exact ones: a difference of 0.005 dB at 20 Hz (20 semi-implicit Euler steps per cycle would
 * agree). */
static void reproduce_far(const struct chain_response *response, double natural_hz)
{
    static const struct {
        double to_hz, least_db, delay_ms;
    } rows[] = {{15.0, -0.171, 16.13}, {20.0, -0.207, 16.09}};
    for (int i = 0; i < 2; i++) {
        char what[40];
        double least, greatest;
        size_t n = chain_bins_to(response, rows[i].to_hz);
        struct phase_fit fit =
            phase_fit_line(response->frequency_hz, response->phase_deg, n, false);
        response_gain_range(response, rows[i].to_hz, &least, &greatest);
        snprintf(what, sizeof what, "least gain 0-%g Hz dB", rows[i].to_hz);
        one_row("servo and FK", natural_hz, what, (double[]){least, rows[i].least_db, 0.006});
        snprintf(what, sizeof what, "delay 0-%g Hz ms", rows[i].to_hz);
        one_row("servo and FK", natural_hz, what, (double[]){fit.delay_ms, rows[i].delay_ms, 0.01});
    }
}

static double most_apart(const struct chain_response *a, const struct chain_response *b)
{
    double most = 0.0;
    for (int i = 0; i < CHAIN_N_BINS; i++) {
        most = fmax(most, fabs(a->gain_db[i] - b->gain_db[i]));
        most = fmax(most, fabs(a->phase_deg[i] - b->phase_deg[i]));
    }
    return most;
}

static int a6_row(const struct servo_row *row)
{
    struct chain_response responses[2];
    bool full = row == &servo_rows[1];
    for (int i = 0; i < 2; i++) {
        double natural_hz = i == 0 ? 3.0 : 6.0;
        int r = measure_row(row, natural_hz, &responses[i]);
        if (r < 0) {
            return r;
        }
        reproduce(row, &responses[i], natural_hz);
        if (row->semi_implicit) {
            reproduce_semi_implicit(&responses[i], natural_hz);
        }
        if (full) {
            reproduce_far(&responses[i], natural_hz);
            gate(row->name, &responses[i], natural_hz);
        }
    }
    if (full) {
        row_at_most("A6 3 and 6 Hz model, apart to 20 Hz, dB or deg",
                    most_apart(&responses[0], &responses[1]), 1e-3, "");
    }
    return 0;
}

/* The application's order: the effort acts in the cycle in which the position was measured. */
static int a6_prompt(double natural_hz)
{
    struct chain_axis axis = chain_axis_default();
    struct chain_spec spec = {.natural_hz = natural_hz, .filtered = true, .axis = &axis};
    struct chain_response response;
    axis.output_delay = 0;
    int r = chain_measure(&spec, &response);
    if (r == 0) {
        gate("servo without output delay and FK", &response, natural_hz);
    }
    return r;
}

/* The specification does not give the band of the force: here it is the band of the planner's rate.
 * A force that is white to 800 Hz is aliased by that rate: the rest of the filtered force around
 * 400 Hz (0.6 %, from both sides) falls onto the model's resonance; this result is printed with the
 * row. */
static int a7(double natural_hz)
{
    struct chain_axis axis = chain_axis_default();
    struct chain_spec spec = {.natural_hz = natural_hz, .filtered = true, .axis = &axis};
    struct chain_response response;
    char name[96];
    double share[2] = {0.0, 0.0};
    int r = chain_measure(&spec, &response);
    if (r < 0) {
        return r;
    }
    size_t n = chain_bins_to(&response, 7.0);
    struct phase_fit fit = phase_fit_line(response.frequency_hz, response.phase_deg, n, false);
    struct chain_random random = {.delay_s = 1e-3 * fit.delay_ms,
                                  .n_ticks = asked->quick ? 96000 : 960000};
    for (int i = 0; r == 0 && i < 2; i++) {
        random.band_hz = i == 0 ? 200.0 : 0.0;
        r = chain_random_error(&spec, &random, &share[i]);
    }
    snprintf(name, sizeof name, "A7 %g Hz model, random force to 200 Hz: RMS error, share",
             natural_hz);
    row_at_most(name, share[0], 0.01, "");
    printf("    of a force that is white to 800 Hz: %.4f\n", share[1]);
    return r;
}

int acceptance_one_axis(void)
{
    int r = 0;
    puts("A6  the chain on one axis, with servo and forward kinematics");
    for (size_t i = 0; r == 0 && i < sizeof servo_rows / sizeof servo_rows[0]; i++) {
        r = a6_row(&servo_rows[i]);
    }
    r = r == 0 ? a6_prompt(3.0) : r;
    r = r == 0 ? a6_prompt(6.0) : r;
    puts("A7  a random force");
    r = r == 0 ? a7(3.0) : r;
    return r == 0 ? a7(6.0) : r;
}
