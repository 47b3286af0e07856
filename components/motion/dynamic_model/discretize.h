/* SPDX-License-Identifier: Apache-2.0 */
/* Linear systems in continuous time and their exact discrete equivalents for a sample period: pure
 * logic. */
#ifndef DYNAMIC_MODEL_DISCRETIZE_H
#define DYNAMIC_MODEL_DISCRETIZE_H

#define DPL_LTI_STATES_MAX 24
#define DPL_LTI_INPUTS_MAX 6

/* The input between two samples. */
enum dpl_hold {
    DPL_HOLD_ZERO,  /* constant: the state at a sample depends on the inputs before it */
    DPL_HOLD_FIRST, /* linear: the state depends on the input of its own sample too */
};

/* dx/dt = a x + b u; n_states rows, a: n_states columns, b: n_inputs columns. Time is in seconds;
 * states and inputs may have any units. */
struct dpl_lti {
    int n_states, n_inputs;
    double a[DPL_LTI_STATES_MAX][DPL_LTI_STATES_MAX];
    double b[DPL_LTI_STATES_MAX][DPL_LTI_INPUTS_MAX];
};

/* x[k+1] = ad x[k] + b0 u[k] + b1 u[k+1]; b1 is 0 for a zero-order hold. Shapes as in dpl_lti. */
struct dpl_lti_discrete {
    int n_states, n_inputs;
    double ad[DPL_LTI_STATES_MAX][DPL_LTI_STATES_MAX];
    double b0[DPL_LTI_STATES_MAX][DPL_LTI_INPUTS_MAX];
    double b1[DPL_LTI_STATES_MAX][DPL_LTI_INPUTS_MAX];
};

/* Discretizes exactly: the matrix exponential of the system with its input as further states (Van
 * Loan, "Computing integrals involving the matrix exponential", 1978), by scaling, a Taylor series
 * and squaring (Moler and Van Loan, 2003, method 3). The series computes small entries with a small
 * relative error; solving with the whole matrix would not. Returns 0; -EINVAL for counts out of
 * range, a period that is not positive or a value that is not finite; -ERANGE when the system is
 * too fast for the period (norm of a times the period above 2^20) or its exponential overflows.
 * Uses about 50 KB of stack; does not allocate. */
int dpl_discretize(const struct dpl_lti *lti, double period_s, enum dpl_hold hold,
                   struct dpl_lti_discrete *ret_discrete);

#endif
