/* SPDX-License-Identifier: Apache-2.0 */
/* Six decoupled spring-mass-dampers: two states each. */
#include "spring_mass_damper.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define PI 3.14159265358979323846

struct dpl_smd_config dpl_smd_paper_config(double natural_hz, double period_s, enum dpl_hold hold)
{
    struct dpl_smd_config config = {.period_s = period_s, .hold = hold};
    for (int i = 0; i < DPL_SIX; i++) {
        config.stiffness[i] = i < 3 ? 5000.0 : 200.0;
        config.natural_hz[i] = natural_hz;
        config.damping_ratio[i] = 0.2;
    }
    return config;
}

static bool positive(double value)
{
    return isfinite(value) && value > 0.0;
}

static int init_dof(struct dpl_smd *model, const struct dpl_smd_config *config, int i)
{
    double k = config->stiffness[i], w = 2.0 * PI * config->natural_hz[i];
    double ratio = config->damping_ratio[i];
    if (!positive(k) || !positive(w) || !isfinite(ratio) || ratio < 0.0) {
        return -EINVAL;
    }
    double mass = k / (w * w), damping = 2.0 * ratio * k / w;
    struct dpl_lti lti = {
        .n_states = 2,
        .n_inputs = 1,
        .a = {{0.0, 1.0}, {-k / mass, -damping / mass}},
        .b = {{0.0}, {1.0 / mass}},
    };
    struct dpl_lti_discrete discrete;
    int r = dpl_discretize(&lti, config->period_s, config->hold, &discrete);
    if (r < 0) {
        return r;
    }
    model->mass[i] = mass;
    model->damping[i] = damping;
    for (int row = 0; row < 2; row++) {
        memcpy(model->ad[i][row], discrete.ad[row], sizeof model->ad[i][row]);
        model->b0[i][row] = discrete.b0[row][0];
        model->b1[i][row] = discrete.b1[row][0];
    }
    return 0;
}

int dpl_smd_init(struct dpl_smd *ret_model, const struct dpl_smd_config *config)
{
    struct dpl_smd model = {.hold = config->hold};
    for (int i = 0; i < DPL_SIX; i++) {
        int r = init_dof(&model, config, i);
        if (r < 0) {
            return r;
        }
    }
    *ret_model = model;
    return 0;
}

/* With a zero-order hold b1 is 0 and the new wrench acts from the last sample on; with a
 * first-order hold the old wrench acts at the last sample. */
void dpl_smd_step(const struct dpl_smd *model, struct dpl_smd_state *state,
                  const double wrench[DPL_SIX])
{
    bool first = model->hold == DPL_HOLD_FIRST;
    for (int i = 0; i < DPL_SIX; i++) {
        double from = first ? state->input[i] : wrench[i], to = first ? wrench[i] : 0.0;
        double x = state->x[i][0], v = state->x[i][1];
        for (int row = 0; row < 2; row++) {
            state->x[i][row] = model->ad[i][row][0] * x + model->ad[i][row][1] * v +
                               model->b0[i][row] * from + model->b1[i][row] * to;
        }
        state->input[i] = wrench[i];
    }
}
