/* SPDX-License-Identifier: Apache-2.0 */
/* Linear models with six inputs and six outputs, discretized exactly: pure logic. The order of the
 * degrees of freedom is x y z (m, N) and roll pitch yaw (rad, Nm). */
#ifndef DYNAMIC_MODEL_LINEAR_MODEL_H
#define DYNAMIC_MODEL_LINEAR_MODEL_H

#include <doppel/math/six.h>

#include "discretize.h"

/* y = c x + d u of a continuous system dx/dt = a x + b u with six inputs; c: six rows, n_states
 * columns. */
struct dpl_linear_system {
    struct dpl_lti lti;
    double c[DPL_SIX][DPL_LTI_STATES_MAX];
    double d[DPL_SIX][DPL_SIX];
};

/* mass x'' + damping x' + stiffness x = wrench: kg, N s/m, N/m and their rotational and mixed
 * equivalents, full matrices. */
struct dpl_linear_mechanics {
    double mass[DPL_SIX][DPL_SIX];
    double damping[DPL_SIX][DPL_SIX];
    double stiffness[DPL_SIX][DPL_SIX];
};

/* Constant after dpl_linear_model_init. */
struct dpl_linear_model {
    enum dpl_hold hold;
    struct dpl_lti_discrete discrete;
    double c[DPL_SIX][DPL_LTI_STATES_MAX];
    double d[DPL_SIX][DPL_SIX];
};

struct dpl_linear_state {
    double x[DPL_LTI_STATES_MAX];
    double input[DPL_SIX];
};

/* Reads mechanics from a text: 18 rows of six numbers, the mass matrix first, then damping, then
 * stiffness; blank rows, and text from '#' to the end of the line, are skipped. Returns 0; -EINVAL
 * when a row is bad, missing or too many, with the place, counted from 1, in ret_line and
 * ret_column. */
int dpl_linear_mechanics_parse(const char *text, struct dpl_linear_mechanics *ret_mechanics,
                               int *ret_line, int *ret_column);

/* States: six deflections, then their six rates. Returns 0; -EINVAL when a value is not finite,
 * -EDOM when the mass matrix is singular. */
int dpl_linear_system_from_mechanics(const struct dpl_linear_mechanics *mechanics,
                                     struct dpl_linear_system *ret_system);

/* Returns the result of dpl_discretize, and -EINVAL unless there are six inputs and c and d are
 * finite. */
int dpl_linear_model_init(struct dpl_linear_model *ret_model,
                          const struct dpl_linear_system *system, double period_s,
                          enum dpl_hold hold);

/* Growth rate of the model from rest, 1/s; 0: it does not grow. A model that only does not come to
 * rest (no damping, a free mass) does not grow; growth that would take years is not found. Computed
 * from powers of the step matrix, by squaring. */
double dpl_linear_model_growth(const struct dpl_linear_model *model, double period_s);

/* Moves the state by one period and returns the outputs (m, rad) at the new state. The meaning of
 * `wrench` (N, Nm) is that of dpl_smd_step. Finite wrenches only. */
void dpl_linear_model_step(const struct dpl_linear_model *model, struct dpl_linear_state *state,
                           const double wrench[DPL_SIX], double ret_output[DPL_SIX]);

#endif
