/* SPDX-License-Identifier: Apache-2.0 */
/* A machine of a model in the terms of those who compute with it. */
#ifndef DOPPEL_SIM_MACHINE_INTERNAL_H
#define DOPPEL_SIM_MACHINE_INTERNAL_H

#include <doppel/sim/axes.h>
#include <doppel/sim/model.h>
#include <doppel/sim/show.h>

#include "axis_plant.h"
#include "hexa_geometry.h"

void dpl__machine_geometry(const struct dpl_sim_machine *machine,
                           struct dpl_hexa_geometry *ret_geometry);
void dpl__machine_plant(const struct dpl_sim_axis *axis, struct dpl_axis_plant_config *ret_config);

/* How the platform's weight pushes each axis at a pose, N along growing position: the forces that
 * do the same work, by the Jacobian. All 0 without a weight and where the Jacobian has no inverse.
 */
void dpl__machine_weight(const struct dpl_sim_machine *machine,
                         const struct dpl_hexa_geometry *geometry, const double pose[DPL_SIX],
                         double ret_force_n[DPL_AXES_N]);

/* See dpl_subsystem_class.show_around: rails; sliders, links and platform. */
void dpl__machine_show_around(const struct dpl_sim_robot *robot, const struct dpl_pose3 *body,
                              dpl_sim_show *show, void *user);

/* The parts of dpl_sim_machine_check: a leg, its name also against those before it; the drive of an
 * axis; whether a pose, which `what` names, can be reached. 0, or -EINVAL with reterr. */
int dpl__machine_check_leg(const struct dpl_sim_machine *machine, size_t leg,
                           struct dpl_diag *reterr);
int dpl__machine_check_drive(const struct dpl_sim_axis *axis, struct dpl_diag *reterr);
int dpl__machine_check_pose(const struct dpl_sim_machine *machine, const double pose[DPL_SIX],
                            const char *what, struct dpl_diag *reterr);

#endif
