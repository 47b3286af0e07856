/* SPDX-License-Identifier: Apache-2.0 */
/* Gears, belts and ropes: what couples bodies and prevents nothing by itself. */
#ifndef DOPPEL_SIM_COUPLING_H
#define DOPPEL_SIM_COUPLING_H

#include <doppel/sim/mechanism.h>

/* Whether a joint that is to be added makes sense as what it couples. 0, or -EINVAL with reterr. */
int dpl__coupling_check(const struct dpl_sim_mechanism *mechanism,
                        const struct dpl_sim_joint *joint, struct dpl_diag *reterr);

#endif
