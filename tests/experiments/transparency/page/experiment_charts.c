/* SPDX-License-Identifier: Apache-2.0 */
/* The curves of each picture. */
#include "experiment_charts.h"

#include <math.h>

#include "filter_charts.h"
#include "picture.h"
#include "random_charts.h"
#include "response.h"

#define SEEN_HZ 15.0 /* of responses */
static int number_of(const struct experiment *experiment)
{
    return experiment->natural_hz > 4.0;
}

/* Amplitude or phase of deflection over force: ideal and real. */
static int chart_response(const char *folder, const struct experiment *experiment, bool phase,
                          struct dpl_diag *reterr)
{
    static const char *const names[2][2] = {{"amplitude-3hz", "amplitude-6hz"},
                                            {"phase-3hz", "phase-6hz"}};
    static const char *const titles[2][2] = {
        {"Deflection over force, 3 Hz model", "Deflection over force, 6 Hz model"},
        {"Phase of deflection over force, 3 Hz model",
         "Phase of deflection over force, 6 Hz model"}};
    const struct experiment_dof *x = &experiment->dofs[0];
    size_t n = chain_bins_to(&x->ideal, SEEN_HZ);
    struct picture picture = {
        .folder = folder,
        .name = names[phase][number_of(experiment)],
        .chart[0] = {.title = titles[phase][number_of(experiment)],
                     .x_label = "frequency, Hz",
                     .y_label = phase ? "phase, deg" : "amplitude times stiffness, dB"},
    };
    picture_draw(&picture, "real", x->real.frequency_hz,
                 phase ? x->real.phase_deg : x->real.gain_db, n);
    picture_draw(&picture, "ideal", x->ideal.frequency_hz,
                 phase ? x->ideal.phase_deg : x->ideal.gain_db, n);
    picture_dash(&picture, series_color(1));
    return picture_save(&picture, reterr);
}

static const char *const curve_labels[EXPERIMENT_N_KINDS][2] = {
    {"3 Hz model", "6 Hz model"}, {"3 Hz, no friction", "6 Hz, no friction"}};

static int chart_gain(const char *folder, const struct experiments *experiments,
                      struct dpl_diag *reterr)
{
    struct picture picture = {
        .folder = folder,
        .name = "gain",
        .chart[0] = {.title = "Gain of the chain in x: real over ideal deflection",
                     .x_label = "frequency, Hz",
                     .y_label = "gain, dB"},
    };
    for (int i = 0; i < 4; i++) {
        const struct chain_response *chain =
            &experiments->impulses[i / 2][i % 2].dofs[0].stages[STAGE_SERVO];
        picture_draw(&picture, curve_labels[i / 2][i % 2], chain->frequency_hz, chain->gain_db,
                     chain_bins_to(chain, SEEN_HZ));
        if (i >= 2) {
            picture_dash(&picture, series_color((size_t)i));
        }
    }
    return picture_save(&picture, reterr);
}

/* The phase without a pure delay: the difference to the fit through the origin up to 7 Hz. */
static int chart_residual(const char *folder, const struct experiments *experiments,
                          struct dpl_diag *reterr)
{
    double rest[4][CHAIN_N_BINS];
    struct picture picture = {
        .folder = folder,
        .name = "residual",
        .chart[0] = {.title = "Phase of the chain in x without its delay",
                     .x_label = "frequency, Hz",
                     .y_label = "phase, deg"},
    };
    for (int i = 0; i < 4; i++) {
        const struct chain_response *chain =
            &experiments->impulses[i / 2][i % 2].dofs[0].stages[STAGE_SERVO];
        struct phase_fit fit =
            phase_fit_line(chain->frequency_hz, chain->phase_deg, chain_bins_to(chain, 7.0), false);
        size_t n = chain_bins_to(chain, SEEN_HZ);
        for (size_t k = 0; k < n; k++) {
            rest[i][k] = chain->phase_deg[k] + 0.36 * fit.delay_ms * chain->frequency_hz[k];
        }
        picture_draw(&picture, curve_labels[i / 2][i % 2], chain->frequency_hz, rest[i], n);
        if (i >= 2) {
            picture_dash(&picture, series_color((size_t)i));
        }
    }
    return picture_save(&picture, reterr);
}

static int chart_impulse(const char *folder, const struct experiment *experiment,
                         struct dpl_diag *reterr)
{
    static const char *const names[2] = {"impulse-3hz", "impulse-6hz"};
    static const char *const titles[2] = {"Answer to the first impulse in x, 3 Hz model",
                                          "Answer to the first impulse in x, 6 Hz model"};
    const struct experiment_dof *x = &experiment->dofs[0];
    struct picture picture = {
        .folder = folder,
        .name = names[number_of(experiment)],
        .chart[0] = {.title = titles[number_of(experiment)],
                     .x_label = "time since the impulse began, ms",
                     .y_label = "deflection, mm"},
    };
    picture_draw(&picture, "real", x->time_ms, x->real_mm, EXPERIMENT_N_TIME);
    picture_draw(&picture, "ideal", x->time_ms, x->ideal_mm, EXPERIMENT_N_TIME);
    picture_dash(&picture, series_color(1));
    return picture_save(&picture, reterr);
}

/* The forces: all four impulses along x. */
static int chart_force(const char *folder, const struct experiment *experiment,
                       struct dpl_diag *reterr)
{
    static const char *const names[2] = {"force-3hz", "force-6hz"};
    static const char *const titles[2] = {"Input force of the 3 Hz test, the four impulses in x",
                                          "Input force of the 6 Hz test, the four impulses in x"};
    static const char *const labels[CHAIN_N_SHAPES] = {"first", "second", "third", "fourth"};
    const struct experiment_dof *x = &experiment->dofs[0];
    struct picture picture = {
        .folder = folder,
        .name = names[number_of(experiment)],
        .chart[0] = {.title = titles[number_of(experiment)],
                     .x_label = "time since the impulse began, ms",
                     .y_label = "force, N"},
    };
    for (int i = 0; i < CHAIN_N_SHAPES; i++) {
        picture_draw(&picture, labels[i], x->time_ms, x->force[i], EXPERIMENT_N_FORCE);
    }
    return picture_save(&picture, reterr);
}

/* The ideal answer between two samples; before the first: at rest. */
static double ideal_at(const struct experiment_dof *dof, double sample)
{
    int whole = (int)floor(sample);
    double part = sample - whole;
    double before = whole >= 0 && whole < EXPERIMENT_N_TIME ? dof->ideal_mm[whole] : 0.0;
    double after = whole >= -1 && whole < EXPERIMENT_N_TIME - 1 ? dof->ideal_mm[whole + 1] : 0.0;
    return (1.0 - part) * before + part * after;
}

/* Real minus ideal, with the ideal one delayed by the chain's delay. */
static int chart_error(const char *folder, const struct experiment *experiment,
                       struct dpl_diag *reterr)
{
    static const char *const names[2] = {"error-3hz", "error-6hz"};
    static const char *const titles[2] = {
        "Real less ideal deflection, the ideal one moved by the delay, 3 Hz model",
        "Real less ideal deflection, the ideal one moved by the delay, 6 Hz model"};
    const struct experiment_dof *x = &experiment->dofs[0];
    const struct chain_response *chain = &x->stages[STAGE_SERVO];
    struct phase_fit fit =
        phase_fit_line(chain->frequency_hz, chain->phase_deg, chain_bins_to(chain, 7.0), false);
    double moved[EXPERIMENT_N_TIME], delay = fit.delay_ms / (1e3 * CHAIN_PERIOD_S);
    for (int i = 0; i < EXPERIMENT_N_TIME; i++) {
        moved[i] = 1e3 * (x->real_mm[i] - ideal_at(x, i - delay));
    }
    struct picture picture = {
        .folder = folder,
        .name = names[number_of(experiment)],
        .chart[0] = {.title = titles[number_of(experiment)],
                     .x_label = "time since the impulse began, ms",
                     .y_label = "difference, um"},
    };
    picture_draw(&picture, NULL, x->time_ms, moved, EXPERIMENT_N_TIME);
    return picture_save(&picture, reterr);
}

/* Phase delay after each stage. */
static int chart_stages(const char *folder, const struct experiment *experiment,
                        struct dpl_diag *reterr)
{
    double delay[N_STAGES][CHAIN_N_BINS];
    struct picture picture = {
        .folder = folder,
        .name = "stages",
        .chart[0] = {.title = "Delay from the force to the output of each stage, 3 Hz model, x",
                     .x_label = "frequency, Hz",
                     .y_label = "phase delay, ms",
                     .y_from_zero = true},
    };
    static const char *const labels[N_STAGES] = {"filter", "model", "planner", "moves and spline",
                                                 "servo"};
    for (int s = 0; s < N_STAGES; s++) {
        const struct chain_response *stage = &experiment->dofs[0].stages[s];
        size_t n = chain_bins_to(stage, SEEN_HZ);
        for (size_t k = 0; k < n; k++) {
            delay[s][k] = -stage->phase_deg[k] / (0.36 * stage->frequency_hz[k]);
        }
        picture_draw(&picture, labels[s], stage->frequency_hz, delay[s], n);
    }
    picture_dash(&picture, series_color(STAGE_SERVO));
    picture.series[STAGE_PLANNER].dashed = true;
    picture.series[STAGE_PLANNER].width = 2.6;
    return picture_save(&picture, reterr);
}

/* All charts for one model. */
static int chart_model(const char *folder, const struct experiment *experiment,
                       struct dpl_diag *reterr)
{
    int r = chart_response(folder, experiment, false, reterr);
    r = r == 0 ? chart_response(folder, experiment, true, reterr) : r;
    r = r == 0 ? chart_force(folder, experiment, reterr) : r;
    r = r == 0 ? chart_impulse(folder, experiment, reterr) : r;
    return r == 0 ? chart_error(folder, experiment, reterr) : r;
}

int experiment_charts(const char *folder, const struct experiments *experiments,
                      struct dpl_diag *reterr)
{
    const struct experiment *models = experiments->impulses[EXPERIMENT_MACHINE];
    int r = chart_gain(folder, experiments, reterr);
    r = r == 0 ? chart_residual(folder, experiments, reterr) : r;
    r = r == 0 ? chart_model(folder, &models[0], reterr) : r;
    r = r == 0 ? chart_model(folder, &models[1], reterr) : r;
    r = r == 0 ? chart_stages(folder, &models[0], reterr) : r;
    r = r == 0 ? filter_charts(folder, reterr) : r;
    return r == 0 ? random_charts(folder, experiments->random[EXPERIMENT_MACHINE], reterr) : r;
}
