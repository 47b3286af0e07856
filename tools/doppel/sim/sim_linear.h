/* SPDX-License-Identifier: Apache-2.0 */
/* doppel sim --equilibrium and --linearize: analyses of a robot in STAR's format. */
#ifndef DOPPEL_CLI_SIM_LINEAR_H
#define DOPPEL_CLI_SIM_LINEAR_H

#include "sim_loaded.h"

/* Moves the world's only robot in STAR's format to a pose near its start in which it rests. 0, or
 * -errno with reterr. */
int sim_settle(const struct sim_loaded *loaded, struct dpl_diag *reterr);

/* Writes dx/dt = A x + B u, y = C x + D u of that robot as it is now, with eigenvalues, natural
 * frequencies and damping ratios, as JSON, and prints the latter. 0, or -errno with reterr. */
int sim_linearize(const struct sim_loaded *loaded, const char *file, struct dpl_diag *reterr);

#endif
