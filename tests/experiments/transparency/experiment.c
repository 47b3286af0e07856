/* SPDX-License-Identifier: Apache-2.0 */
/* Computes responses from the signals of a run. */
#include "experiment.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "experiment_trace.h"
#include "response.h"
#include "spring_mass_damper.h"

#define MOVE_TICKS  4
#define SETTLE_ROWS 6400 /* of a random force: until the start of the run has no effect */

const char *const experiment_stage_names[N_STAGES] = {
    [STAGE_FILTER] = "force filter",        [STAGE_MODEL] = "dynamic model",
    [STAGE_PLANNER] = "trajectory planner", [STAGE_PATH] = "buffer, blended moves, spline",
    [STAGE_SERVO] = "servo and axes",
};
const char *const experiment_dof_names[EXPERIMENT_N_DOFS] = {"x", "z", "pitch"};

static const int dof_numbers[EXPERIMENT_N_DOFS] = {0, 2, 4};

/* Signals that change with the planner's period are used only at its times. */
static bool is_slow(int signal)
{
    return signal == SIGNAL_STAGES + STAGE_MODEL || signal == SIGNAL_STAGES + STAGE_PLANNER;
}

static void add_window(const struct experiment_trace *trace, const double *cosines, size_t first,
                       int dof, struct spectrum spectra[N_SIGNALS])
{
    for (int tick = 0; tick < CHAIN_WINDOW; tick++) {
        for (int s = 0; s < N_SIGNALS; s++) {
            double value = trace->signals[s][first + tick][dof];
            if (!is_slow(s)) {
                spectrum_add(&spectra[s], cosines, tick, value);
            } else if (tick % MOVE_TICKS == 0) {
                spectrum_add(&spectra[s], cosines, tick, MOVE_TICKS * value);
            }
        }
    }
}

static void keep_times(const struct experiment_trace *trace, size_t first, int dof,
                       struct experiment_dof *ret_dof)
{
    for (int i = 0; i < EXPERIMENT_N_TIME; i++) {
        size_t row = first + CHAIN_ONSET + (size_t)i;
        ret_dof->time_ms[i] = 1e3 * CHAIN_PERIOD_S * i;
        ret_dof->ideal_mm[i] = 1e3 * trace->signals[SIGNAL_IDEAL][row][dof];
        ret_dof->real_mm[i] = 1e3 * trace->signals[SIGNAL_STAGES + STAGE_SERVO][row][dof];
    }
}

static void keep_force(const struct experiment_trace *trace, size_t first, int dof,
                       struct experiment_dof *ret_dof)
{
    for (size_t shape = 0; shape < CHAIN_N_SHAPES; shape++) {
        /* Each impulse begins one tick later in its window than the one before. */
        size_t from = first + shape * CHAIN_WINDOW + CHAIN_ONSET + shape;
        for (size_t i = 0; i < EXPERIMENT_N_FORCE; i++) {
            ret_dof->force[shape][i] = trace->signals[SIGNAL_FORCE][from + i][dof];
        }
    }
}

static void keep_extremes(const struct experiment_trace *trace, size_t first, int dof,
                          struct experiment_dof *ret_dof)
{
    double cross = 0.0, main = 0.0;
    for (size_t row = first; row < first + (size_t)CHAIN_N_SHAPES * CHAIN_WINDOW; row++) {
        for (int i = 0; i < DPL_SIX; i++) {
            double way = fabs(trace->signals[SIGNAL_STAGES + STAGE_SERVO][row][i]) *
                         (i < 3 ? 1.0 : EXPERIMENT_ARM_M);
            double *greatest = i == dof ? &main : &cross;
            *greatest = fmax(*greatest, way);
        }
        ret_dof->deflection =
            fmax(ret_dof->deflection, fabs(trace->signals[SIGNAL_IDEAL][row][dof]));
        ret_dof->n_acted += (row - first) % MOVE_TICKS == 0 && trace->acted[row] != 0.0;
    }
    ret_dof->crosstalk = cross / main;
}

static void measure(const struct experiment_trace *trace, const double *cosines, int which,
                    struct experiment_dof *ret_dof)
{
    struct ratio_mean stages[N_STAGES] = {0}, ideal = {.n = 0}, real = {.n = 0};
    int dof = dof_numbers[which];
    double stiffness =
        dpl_smd_paper_config(trace->natural_hz, CHAIN_PERIOD_S, DPL_HOLD_FIRST).stiffness[dof];
    size_t first = (size_t)which * CHAIN_N_SHAPES * CHAIN_WINDOW;
    *ret_dof = (struct experiment_dof){.deflection = 0.0};
    for (size_t window = 0; window < CHAIN_N_SHAPES; window++) {
        struct spectrum spectra[N_SIGNALS] = {0};
        add_window(trace, cosines, first + window * CHAIN_WINDOW, dof, spectra);
        for (int s = 0; s < N_STAGES; s++) {
            ratio_add(&stages[s], &spectra[SIGNAL_IDEAL], &spectra[SIGNAL_STAGES + s]);
        }
        ratio_add(&ideal, &spectra[SIGNAL_FORCE], &spectra[SIGNAL_IDEAL]);
        ratio_add(&real, &spectra[SIGNAL_FORCE], &spectra[SIGNAL_STAGES + STAGE_SERVO]);
    }
    for (int s = 0; s < N_STAGES; s++) {
        ratio_response(&stages[s], 1.0, &ret_dof->stages[s]);
    }
    ratio_response(&ideal, 1.0 / stiffness, &ret_dof->ideal);
    ratio_response(&real, 1.0 / stiffness, &ret_dof->real);
    keep_times(trace, first, dof, ret_dof);
    keep_force(trace, first, dof, ret_dof);
    keep_extremes(trace, first, dof, ret_dof);
}

/* Whether the machine moved approximately as expected: otherwise it was not in admittance
 * control. */
static int check_followed(const struct experiment_trace *trace, const struct experiment *experiment,
                          struct dpl_diag *reterr)
{
    for (int i = 0; i < EXPERIMENT_N_DOFS; i++) {
        const struct experiment_dof *dof = &experiment->dofs[i];
        double real = 0.0;
        for (int k = 0; k < EXPERIMENT_N_TIME; k++) {
            real = fmax(real, 1e-3 * fabs(dof->real_mm[k]));
        }
        if (!(real > 0.5 * dof->deflection) || !(real < 2.0 * dof->deflection)) {
            return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = trace->file},
                            "the platform moved by %g along %s instead of %g: was the machine not "
                            "in admittance?",
                            real, experiment_dof_names[i], dof->deflection);
        }
    }
    return 0;
}

static int read_impulses(const char *file, double natural_hz, double start_s,
                         struct experiment *ret_experiment, struct dpl_diag *reterr)
{
    struct experiment_trace trace = {
        .file = file,
        .natural_hz = natural_hz,
        .start_s = start_s,
        .n = (size_t)EXPERIMENT_N_DOFS * CHAIN_N_SHAPES * CHAIN_WINDOW,
    };
    double *cosines = spectrum_cosines();
    int r = !cosines ? dpl_fail(reterr, -ENOMEM, (struct dpl_place){.file = file}, "no memory")
                     : experiment_trace_read(&trace, true, reterr);
    if (r == 0) {
        ret_experiment->natural_hz = natural_hz;
        for (int i = 0; i < EXPERIMENT_N_DOFS; i++) {
            measure(&trace, cosines, i, &ret_experiment->dofs[i]);
        }
        r = check_followed(&trace, ret_experiment, reterr);
    }
    experiment_trace_finish(&trace);
    free(cosines);
    return r;
}

/* The ideal answer a number of rows, not necessarily whole, before `row`: the cubic through four
 * samples. */
static double earlier(const experiment_six *ideal, size_t row, double rows, int dof)
{
    size_t whole = (size_t)rows;
    double part = rows - (double)whole, p = part * (1.0 - part);
    const experiment_six *at = ideal + row - whole;
    return at[0][dof] * (1.0 - part) * (1.0 + part) * (2.0 - part) / 2.0 +
           at[-1][dof] * part * (1.0 + part) * (2.0 - part) / 2.0 -
           at[1][dof] * p * (2.0 - part) / 6.0 - at[-2][dof] * p * (1.0 + part) / 6.0;
}

static void keep_random(const struct experiment_trace *trace, double delay_ms,
                        struct experiment_random *ret_random)
{
    const experiment_six *ideal = (const experiment_six *)trace->signals[SIGNAL_IDEAL];
    ret_random->delay_s = 1e-3 * delay_ms;
    for (size_t i = 0; i < EXPERIMENT_N_RANDOM; i++) {
        size_t row = SETTLE_ROWS + i;
        ret_random->time_s[i] = CHAIN_PERIOD_S * (double)i;
        ret_random->force[i] = trace->signals[SIGNAL_FORCE][row][0];
        ret_random->real_mm[i] = 1e3 * trace->signals[SIGNAL_STAGES + STAGE_SERVO][row][0];
        ret_random->ideal_mm[i] = 1e3 * ideal[row][0];
        ret_random->delayed_mm[i] =
            1e3 * earlier(ideal, row, ret_random->delay_s / CHAIN_PERIOD_S, 0);
    }
}

static int read_random(const char *file, double start_s, const struct experiment *impulses,
                       struct experiment_random *ret_random, struct dpl_diag *reterr)
{
    struct experiment_trace trace = {
        .file = file,
        .natural_hz = impulses->natural_hz,
        .start_s = start_s,
        .n = EXPERIMENT_RANDOM_ROWS,
    };
    int r = experiment_trace_read(&trace, false, reterr);
    for (int i = 0; r == 0 && i < EXPERIMENT_N_DOFS; i++) {
        const struct chain_response *chain = &impulses->dofs[i].stages[STAGE_SERVO];
        struct phase_fit fit =
            phase_fit_line(chain->frequency_hz, chain->phase_deg, chain_bins_to(chain, 7.0), false);
        double wrong = 0.0, right = 0.0;
        int dof = dof_numbers[i];
        for (size_t row = SETTLE_ROWS; row < trace.n; row++) {
            double real = trace.signals[SIGNAL_STAGES + STAGE_SERVO][row][dof];
            double ideal = earlier((const experiment_six *)trace.signals[SIGNAL_IDEAL], row,
                                   1e-3 * fit.delay_ms / CHAIN_PERIOD_S, dof);
            wrong += (real - ideal) * (real - ideal);
            right += ideal * ideal;
        }
        double n = (double)(trace.n - SETTLE_ROWS);
        ret_random->rms[i] = sqrt(right / n);
        ret_random->error[i] = sqrt(wrong / right);
        if (dof == 0) {
            keep_random(&trace, fit.delay_ms, ret_random);
        }
    }
    experiment_trace_finish(&trace);
    return r;
}

int experiments_read(const char *folder, double start_s, struct experiments *ret_experiments,
                     struct dpl_diag *reterr)
{
    static const char *const kinds[EXPERIMENT_N_KINDS] = {"", "-smooth"};
    int r = 0;
    for (int i = 0; r == 0 && i < EXPERIMENT_N_KINDS * 2; i++) {
        int kind = i / 2, model = i % 2, hz = 3 * (model + 1);
        struct experiment *experiment = &ret_experiments->impulses[kind][model];
        char *file = ret_experiments->files[i];
        snprintf(file, sizeof ret_experiments->files[i], "%s/%d-hz%s/trace.csv", folder, hz,
                 kinds[kind]);
        r = read_impulses(file, hz, start_s, experiment, reterr);
        if (r < 0) {
            break;
        }
        snprintf(file, sizeof ret_experiments->files[i], "%s/%d-hz%s-random/trace.csv", folder, hz,
                 kinds[kind]);
        r = read_random(file, start_s, experiment, &ret_experiments->random[kind][model], reterr);
    }
    return r;
}
