/* SPDX-License-Identifier: Apache-2.0 */
/* One axis from force to reference, at 1.6 kHz, and its spectrum. */
#include "chain.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "butterworth.h"
#include "path.h"
#include "spring_mass_damper.h"

#define PI       3.14159265358979323846
#define N_SHAPES 4
#define N_ONSETS                                                                                   \
    4 /* each shape begins at each of the four ticks of a move: what the planner's                 \
       * coarser sampling folds into the spectrum cancels in the mean */
#define N_WINDOWS (N_SHAPES * N_ONSETS)
#define ONSET     400 /* ticks from the begin of a window to its impulse */

struct chain {
    struct dpl_butterworth filter;
    struct dpl_butterworth_state filter_state;
    struct dpl_smd ideal, model;
    struct dpl_smd_state ideal_state, model_state;
    struct dpl_path path;
    bool filtered;
};

struct spectra {
    double re[2][CHAIN_N_BINS + 1], im[2][CHAIN_N_BINS + 1]; /* ideal, real */
};

static void no_brake(void *context, const double pose[DPL_POSE_DOF],
                     const double step[DPL_POSE_DOF], double ret_pose[DPL_POSE_DOF])
{
    for (int i = 0; i < DPL_POSE_DOF; i++) {
        ret_pose[i] = pose[i];
    }
}

static int open_chain(const struct chain_spec *spec, struct chain *chain)
{
    const double home[DPL_POSE_DOF] = {0.0};
    struct dpl_path_config path = {.servo_period_s = CHAIN_PERIOD_S,
                                   .time_base = dpl_time_base_default(),
                                   .brake.next = no_brake};
    struct dpl_smd_config model =
        dpl_smd_paper_config(spec->natural_hz, 4.0 * CHAIN_PERIOD_S, DPL_HOLD_ZERO);
    struct dpl_smd_config ideal =
        dpl_smd_paper_config(spec->natural_hz, CHAIN_PERIOD_S, DPL_HOLD_FIRST);
    *chain = (struct chain){.filtered = spec->filtered};
    int r = dpl_butterworth_design(2, 40.0, CHAIN_RATE_HZ, &chain->filter);
    r = r == 0 ? dpl_smd_init(&chain->model, &model) : r;
    r = r == 0 ? dpl_smd_init(&chain->ideal, &ideal) : r;
    return r == 0 ? dpl_path_reset(&chain->path, &path, home) : r;
}

/* Half-sine impulses of 15, 20, 25 and 30 ms with 60, 50, 40 and 30 N. */
static double force_at(int window, int tick)
{
    int shape = window % N_SHAPES, onset = ONSET + window / N_SHAPES;
    double t = CHAIN_PERIOD_S * (tick - onset), length = 15e-3 + 5e-3 * shape;
    return t > 0.0 && t < length ? (60.0 - 10.0 * shape) * sin(PI * t / length) : 0.0;
}

/* The model's deflection is that of the planner's own instant: it is written before the wrench of
 * that instant moves it on. */
static void plan(struct chain *chain, const double wrench[DPL_SMD_DOF])
{
    double last[2][DPL_POSE_DOF], pose[DPL_POSE_DOF];
    uint64_t sequence = dpl_pose_buffer_resume(&chain->path.buffer, last);
    for (int i = 0; i < DPL_POSE_DOF; i++) {
        pose[i] = chain->model_state.x[i][0];
    }
    dpl_pose_buffer_write(&chain->path.buffer, sequence, pose);
    dpl_smd_step(&chain->model, &chain->model_state, wrench);
}

static void run_tick(struct chain *chain, double force, bool planner, double ret_x[2])
{
    double wrench[DPL_SMD_DOF] = {force};
    struct dpl_axis_reference reference;
    dpl_smd_step(&chain->ideal, &chain->ideal_state, wrench);
    if (chain->filtered) {
        wrench[0] = dpl_butterworth_step(&chain->filter, &chain->filter_state, force);
    }
    if (planner) {
        plan(chain, wrench);
    }
    dpl_path_step(&chain->path, &reference);
    ret_x[0] = chain->ideal_state.x[0][0];
    ret_x[1] = reference.position[0];
}

static void add_sample(struct spectra *spectra, const double cosine[], int tick, const double x[2])
{
    for (int bin = 0; bin <= CHAIN_N_BINS; bin++) {
        int at = bin * tick % CHAIN_WINDOW;
        double c = cosine[at], s = cosine[(at + 3 * CHAIN_WINDOW / 4) % CHAIN_WINDOW];
        for (int i = 0; i < 2; i++) {
            spectra->re[i][bin] += c * x[i];
            spectra->im[i][bin] -= s * x[i];
        }
    }
}

/* Adds real over ideal to the mean. */
static void add_ratio(const struct spectra *s, double re[], double im[])
{
    for (int bin = 0; bin <= CHAIN_N_BINS; bin++) {
        double a = s->re[0][bin], b = s->im[0][bin], c = s->re[1][bin], d = s->im[1][bin];
        double square = a * a + b * b;
        re[bin] += (c * a + d * b) / square / N_WINDOWS;
        im[bin] += (d * a - c * b) / square / N_WINDOWS;
    }
}

static void respond(const double re[], const double im[], struct chain_response *ret_response)
{
    double before = 0.0, turns = 0.0;
    ret_response->static_gain_db = 20.0 * log10(hypot(re[0], im[0]));
    for (int i = 0; i < CHAIN_N_BINS; i++) {
        double phase = atan2(im[i + 1], re[i + 1]);
        turns += phase - before > PI ? -2.0 * PI : 0.0;
        turns += phase - before < -PI ? 2.0 * PI : 0.0;
        before = phase;
        ret_response->frequency_hz[i] = (i + 1) * CHAIN_RATE_HZ / CHAIN_WINDOW;
        ret_response->gain_db[i] =
            20.0 * log10(hypot(re[i + 1], im[i + 1])) - ret_response->static_gain_db;
        ret_response->phase_deg[i] = (phase + turns) * 180.0 / PI;
    }
}

int chain_measure(const struct chain_spec *spec, struct chain_response *ret_response)
{
    double re[CHAIN_N_BINS + 1] = {0.0}, im[CHAIN_N_BINS + 1] = {0.0};
    struct chain chain;
    int r = open_chain(spec, &chain);
    double *cosine = malloc(CHAIN_WINDOW * sizeof *cosine);
    if (r < 0 || cosine == NULL) {
        free(cosine);
        return r < 0 ? r : -ENOMEM;
    }
    for (int i = 0; i < CHAIN_WINDOW; i++) {
        cosine[i] = cos(2.0 * PI * i / CHAIN_WINDOW);
    }
    for (int window = 0; window < N_WINDOWS; window++) {
        struct spectra spectra = {0};
        for (int tick = 0; tick < CHAIN_WINDOW; tick++) {
            double x[2];
            run_tick(&chain, force_at(window, tick), tick % 4 == 0, x);
            add_sample(&spectra, cosine, tick, x);
        }
        add_ratio(&spectra, re, im);
    }
    free(cosine);
    respond(re, im, ret_response);
    return 0;
}

size_t chain_bins_to(const struct chain_response *response, double to_hz)
{
    size_t n = 0;
    while (n < CHAIN_N_BINS && response->frequency_hz[n] <= to_hz) {
        n++;
    }
    return n;
}
