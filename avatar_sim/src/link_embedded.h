/* SPDX-License-Identifier: Apache-2.0 */
/* Opens avatar links to worlds in this process. */
#ifndef DOPPEL_SIM_LINK_EMBEDDED_H
#define DOPPEL_SIM_LINK_EMBEDDED_H

#include "hosted_world.h"

/* Before the world moves, or on its thread. Errors as those of hosted_world_link. */
int link_embedded_open(struct hosted_world *world, const struct dpl_link_config *config,
                       struct dpl_link **ret_link, struct dpl_diag *reterr);

/* The same for a world that moves, without joining it: find the devices first, then
 * hosted_world_join. Readings are valid after the world's next step. */
int link_embedded_prepare(struct hosted_world *world, const struct dpl_link_config *config,
                          struct hosted_link **ret_link, struct dpl_diag *reterr);

void link_embedded_describe_laser(const struct dpl_sim_laser *laser, struct dpl_link_laser *ret);

#endif
