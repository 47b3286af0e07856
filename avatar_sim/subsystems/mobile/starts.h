/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the robots of a model fit where they start. */
#ifndef DOPPEL_SIM_STARTS_H
#define DOPPEL_SIM_STARTS_H

#include <doppel/sim/model.h>

/* A robot, by its number in the model, and what it starts in (-EBUSY's text, without a place). */
typedef void dpl__start_finding(void *user, size_t robot, const struct dpl_diag *diag);

/* Calls `finding` for each mobile robot whose shapes, at its start, reach deeper than the solver's
 * play into an obstacle or another robot. Machines start where their axes are: not looked at. 0 or
 * -ENOMEM. Builds the bodies of a world for it; allocates. */
int dpl__starts_check(const struct dpl_sim_model *model, dpl__start_finding *finding, void *user);

#endif
