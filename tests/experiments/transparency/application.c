/* SPDX-License-Identifier: Apache-2.0 */
/* Criteria A6 and A7 for runs of the application. The plant of the specification has no friction:
 * with friction two limits are wider where the answer is small. */
#include "acceptance.h"

#include <math.h>
#include <stdio.h>

#include "chain.h"
#include "experiment.h"
#include "response.h"

#define KINEMATICS_MS 0.625 /* delay by forward kinematics, until the pose is published */

struct limits {
    double gain_db[3], rest_deg[2]; /* to 7, 11, 20 Hz; to 7, 11 Hz */
};

static const struct limits limits_of[EXPERIMENT_N_KINDS] = {
    [EXPERIMENT_MACHINE] = {{0.10, 0.20, 1.00}, {0.10, 0.50}},
    [EXPERIMENT_SMOOTH] = {{0.10, 0.20, 0.50}, {0.10, 0.25}},
};

static void check_run(const char *run, const struct experiment_dof *dof,
                      const struct limits *limits)
{
    static const double to_hz[] = {7.0, 11.0, 20.0};
    const struct chain_response *chain = &dof->stages[STAGE_SERVO];
    char name[128];
    for (int i = 0; i < 3; i++) {
        double least, greatest;
        size_t n = chain_bins_to(chain, to_hz[i]);
        struct phase_fit fit = phase_fit_line(chain->frequency_hz, chain->phase_deg, n, false);
        response_gain_range(chain, to_hz[i], &least, &greatest);
        snprintf(name, sizeof name, "A6 %s: |gain| to %g Hz, dB", run, to_hz[i]);
        row_at_most(name, fmax(greatest, -least), limits->gain_db[i], "");
        if (i < 2) {
            snprintf(name, sizeof name, "A6 %s: phase residual to %g Hz, deg", run, to_hz[i]);
            row_at_most(name, fit.max_abs_deg, limits->rest_deg[i], "");
        }
        if (i == 0) {
            snprintf(name, sizeof name, "A6 %s: delay with FK cycle, ms", run);
            row_near(name, fit.delay_ms + KINEMATICS_MS, 16.2, 0.1);
        }
    }
    snprintf(name, sizeof name, "A6 %s: other degrees of freedom, share", run);
    row_at_most(name, dof->crosstalk, 1e-3, "");
    snprintf(name, sizeof name, "A6 %s: planner ticks that changed something", run);
    row_at_most(name, (double)dof->n_acted, 0.0, "");
}

/* Without friction the application is equal to the pure logic of one axis in the same order:
 * filter, model, planner, path and servo in one cycle, with the effort acting at once. */
static int compare_with_logic(const struct experiment *experiment)
{
    struct chain_axis axis = chain_axis_default();
    struct chain_spec spec = {
        .natural_hz = experiment->natural_hz, .filtered = true, .axis = &axis};
    struct chain_response logic;
    axis.output_delay = axis.measure_delay = 0;
    int r = chain_measure(&spec, &logic);
    for (int which = 0; r == 0 && which < EXPERIMENT_N_DOFS; which++) {
        const struct chain_response *chain = &experiment->dofs[which].stages[STAGE_SERVO];
        size_t n = chain_bins_to(chain, 11.0);
        double gain = 0.0, phase = 0.0;
        for (size_t i = 0; i < n; i++) {
            gain = fmax(gain, fabs(chain->gain_db[i] - logic.gain_db[i]));
            phase = fmax(phase, fabs(chain->phase_deg[i] - logic.phase_deg[i]));
        }
        char name[128];
        snprintf(name, sizeof name, "A6 %g Hz, no friction, %s: gain off pure logic to 11 Hz, dB",
                 experiment->natural_hz, experiment_dof_names[which]);
        row_at_most(name, gain, 0.005, "");
        snprintf(name, sizeof name, "A6 %g Hz, no friction, %s: phase off pure logic to 11 Hz, deg",
                 experiment->natural_hz, experiment_dof_names[which]);
        row_at_most(name, phase, 0.005, "");
    }
    return r;
}

static void check_all(const struct experiments *experiments)
{
    for (int kind = 0; kind < EXPERIMENT_N_KINDS; kind++) {
        const char *friction = kind == EXPERIMENT_SMOOTH ? "no friction" : "friction";
        char run[48];
        puts(kind == EXPERIMENT_SMOOTH ? "A6  the application, without friction"
                                       : "A6  the application, with friction");
        for (int i = 0; i < 2 * EXPERIMENT_N_DOFS; i++) {
            const struct experiment *model = &experiments->impulses[kind][i / EXPERIMENT_N_DOFS];
            int which = i % EXPERIMENT_N_DOFS;
            snprintf(run, sizeof run, "%g Hz, %s, %s", model->natural_hz, friction,
                     experiment_dof_names[which]);
            check_run(run, &model->dofs[which], &limits_of[kind]);
        }
    }
    puts("A7  the application, a random force to 20 Hz");
    for (int i = 0; i < 4 * EXPERIMENT_N_DOFS; i++) {
        int kind = i / (2 * EXPERIMENT_N_DOFS), model = i / EXPERIMENT_N_DOFS % 2;
        char name[128];
        snprintf(name, sizeof name, "A7 %d Hz, %s, %s: RMS error, share", 3 * (model + 1),
                 kind == EXPERIMENT_SMOOTH ? "no friction" : "friction",
                 experiment_dof_names[i % EXPERIMENT_N_DOFS]);
        row_at_most(name, experiments->random[kind][model].error[i % EXPERIMENT_N_DOFS], 0.01, "");
    }
}

int acceptance_application(void)
{
    static struct experiments experiments; /* too large for the stack; the error refers to it */
    struct dpl_diag error;
    if (!asked->operand) {
        return 0;
    }
    int r = experiments_read(asked->operand, acceptance.start_s, &experiments, &error);
    if (r < 0) {
        dpl_diag_print(stderr, &error);
        return r;
    }
    check_all(&experiments);
    for (int i = 0; r == 0 && i < 2; i++) {
        r = compare_with_logic(&experiments.impulses[EXPERIMENT_SMOOTH][i]);
    }
    return r;
}
