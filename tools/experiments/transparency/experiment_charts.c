/* SPDX-License-Identifier: Apache-2.0 */
/* Which curves go into which picture. */
#include "experiment_charts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "butterworth.h"
#include "phase_fit.h"
#include "svg.h"

#define SEEN_HZ 15.0 /* of responses */
#define N_FINE  300
#define N_SWEEP 10
#define N_DRAWN 8 /* curves of a picture, at most */

/* A picture that is being put together. */
struct picture {
    const char *folder, *name;
    struct chart chart;
    struct series series[N_DRAWN];
    size_t n;
};

static void draw(struct picture *picture, const char *label, const double *x, const double *y,
                 size_t n)
{
    picture->series[picture->n] = (struct series){
        .label = label,
        .color = series_color(picture->n),
        .x = x,
        .y = y,
        .n = n,
        .width = 2.0,
    };
    picture->n++;
}

/* The newest curve as a broken line in `color`. */
static void dash(struct picture *picture, const char *color)
{
    struct series *newest = &picture->series[picture->n - 1];
    newest->dashed = true;
    newest->width = 1.4;
    newest->color = color;
}

static int save(const struct picture *picture, struct dpl_diag *reterr)
{
    char file[1024];
    struct dpl_place place = {.file = picture->folder};
    snprintf(file, sizeof file, "%s/%s.svg", picture->folder, picture->name);
    FILE *out = fopen(file, "wb");
    if (out == NULL) {
        return dpl_fail(reterr, -errno, place, "cannot write %s.svg: %s", picture->name,
                        strerror(errno));
    }
    svg_chart(out, &picture->chart, picture->series, picture->n, true);
    bool bad = ferror(out) != 0;
    bad |= fclose(out) != 0;
    return bad ? dpl_fail(reterr, -EIO, place, "cannot write %s.svg", picture->name) : 0;
}

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
        .chart = {.title = titles[phase][number_of(experiment)],
                  .x_label = "frequency, Hz",
                  .y_label = phase ? "phase, deg" : "amplitude times stiffness, dB"},
    };
    draw(&picture, "real", x->real.frequency_hz, phase ? x->real.phase_deg : x->real.gain_db, n);
    draw(&picture, "ideal", x->ideal.frequency_hz, phase ? x->ideal.phase_deg : x->ideal.gain_db,
         n);
    dash(&picture, series_color(1));
    return save(&picture, reterr);
}

static const char *const curve_labels[EXPERIMENT_N_KINDS][2] = {
    {"3 Hz model", "6 Hz model"}, {"3 Hz, no friction", "6 Hz, no friction"}};

static int chart_gain(const char *folder, const struct experiments *experiments,
                      struct dpl_diag *reterr)
{
    struct picture picture = {
        .folder = folder,
        .name = "gain",
        .chart = {.title = "Gain of the chain in x: real over ideal deflection",
                  .x_label = "frequency, Hz",
                  .y_label = "gain, dB"},
    };
    for (int i = 0; i < 4; i++) {
        const struct chain_response *chain =
            &experiments->impulses[i / 2][i % 2].dofs[0].stages[STAGE_SERVO];
        draw(&picture, curve_labels[i / 2][i % 2], chain->frequency_hz, chain->gain_db,
             chain_bins_to(chain, SEEN_HZ));
        if (i >= 2) {
            dash(&picture, series_color((size_t)i));
        }
    }
    return save(&picture, reterr);
}

/* What the phase has beyond a pure delay: that of the fit through the origin up to 7 Hz. */
static int chart_residual(const char *folder, const struct experiments *experiments,
                          struct dpl_diag *reterr)
{
    double rest[4][CHAIN_N_BINS];
    struct picture picture = {
        .folder = folder,
        .name = "residual",
        .chart = {.title = "Phase of the chain in x without its delay",
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
        draw(&picture, curve_labels[i / 2][i % 2], chain->frequency_hz, rest[i], n);
        if (i >= 2) {
            dash(&picture, series_color((size_t)i));
        }
    }
    return save(&picture, reterr);
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
        .chart = {.title = titles[number_of(experiment)],
                  .x_label = "time since the impulse began, ms",
                  .y_label = "deflection, mm"},
    };
    draw(&picture, "real", x->time_ms, x->real_mm, EXPERIMENT_N_TIME);
    draw(&picture, "ideal", x->time_ms, x->ideal_mm, EXPERIMENT_N_TIME);
    dash(&picture, series_color(1));
    return save(&picture, reterr);
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

/* Real less ideal, the ideal one moved by the chain's delay. */
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
        .chart = {.title = titles[number_of(experiment)],
                  .x_label = "time since the impulse began, ms",
                  .y_label = "difference, um"},
    };
    draw(&picture, NULL, x->time_ms, moved, EXPERIMENT_N_TIME);
    return save(&picture, reterr);
}

/* Phase delay behind each stage. */
static int chart_stages(const char *folder, const struct experiment *experiment,
                        struct dpl_diag *reterr)
{
    double delay[N_STAGES][CHAIN_N_BINS];
    struct picture picture = {
        .folder = folder,
        .name = "stages",
        .chart = {.title = "Delay from the force to the output of each stage, 3 Hz model, x",
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
        draw(&picture, labels[s], stage->frequency_hz, delay[s], n);
    }
    dash(&picture, series_color(STAGE_SERVO));
    picture.series[STAGE_PLANNER].dashed = true;
    picture.series[STAGE_PLANNER].width = 2.6;
    return save(&picture, reterr);
}

/* The designed filter's phase on a fine grid, 0 to `to_hz`. */
static struct phase_fit filter_phase(double cutoff_hz, double to_hz, double *ret_hz,
                                     double *ret_deg)
{
    struct dpl_butterworth filter = {0};
    dpl_butterworth_design(2, cutoff_hz, CHAIN_RATE_HZ, &filter);
    for (int i = 0; i < N_FINE; i++) {
        ret_hz[i] = to_hz * (i + 1) / N_FINE;
        ret_deg[i] =
            dpl_butterworth_response_at(&filter, ret_hz[i]).phase_rad * 180.0 / 3.14159265358979;
    }
    return phase_fit_line(ret_hz, ret_deg, N_FINE, false);
}

/* How far the filter's phase is from that of a delay, for some cut-off frequencies. */
static int chart_filter(const char *folder, struct dpl_diag *reterr)
{
    static const double cutoffs[] = {20.0, 30.0, 40.0, 60.0};
    static const char *const labels[] = {"20 Hz", "30 Hz", "40 Hz", "60 Hz"};
    double hz[4][N_FINE], rest[4][N_FINE];
    struct picture picture = {
        .folder = folder,
        .name = "filter-phase",
        .chart = {.title = "Phase of the force filter without its delay, by cut-off",
                  .x_label = "frequency, Hz",
                  .y_label = "phase, deg"},
    };
    for (int i = 0; i < 4; i++) {
        struct phase_fit fit = filter_phase(cutoffs[i], 7.0, hz[i], rest[i]);
        for (int k = 0; k < N_FINE; k++) {
            rest[i][k] += 0.36 * fit.delay_ms * hz[i][k];
        }
        draw(&picture, labels[i], hz[i], rest[i], N_FINE);
    }
    return save(&picture, reterr);
}

/* What the choice of the cut-off costs: linearity or delay. */
static int chart_sweep(const char *folder, bool delay, struct dpl_diag *reterr)
{
    double cutoff[N_SWEEP], value[N_SWEEP], hz[N_FINE], deg[N_FINE];
    struct picture picture = {
        .folder = folder,
        .name = delay ? "sweep-delay" : "sweep-linearity",
        .chart = {.title = delay ? "Delay of the force filter over its cut-off"
                                 : "Phase of the force filter to 7 Hz: RMS off a delay",
                  .x_label = "cut-off, Hz",
                  .y_label = delay ? "delay, ms" : "phase, deg",
                  .y_from_zero = true},
    };
    for (int i = 0; i < N_SWEEP; i++) {
        cutoff[i] = 15.0 + 5.0 * i;
        struct phase_fit fit = filter_phase(cutoff[i], 7.0, hz, deg);
        value[i] = delay ? fit.delay_ms : fit.rmse_deg;
    }
    draw(&picture, NULL, cutoff, value, N_SWEEP);
    return save(&picture, reterr);
}

/* All that shows one model. */
static int chart_model(const char *folder, const struct experiment *experiment,
                       struct dpl_diag *reterr)
{
    int r = chart_response(folder, experiment, false, reterr);
    r = r == 0 ? chart_response(folder, experiment, true, reterr) : r;
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
    r = r == 0 ? chart_filter(folder, reterr) : r;
    r = r == 0 ? chart_sweep(folder, false, reterr) : r;
    return r == 0 ? chart_sweep(folder, true, reterr) : r;
}
