/* SPDX-License-Identifier: Apache-2.0 */
/* Opens links to worlds in this process. */
#ifndef DOPPEL_SIM_LINK_EMBEDDED_H
#define DOPPEL_SIM_LINK_EMBEDDED_H

#include "hosted_world.h"

struct dpl_device;

/* A link of this process to a world that does not move yet: channels are found before the world
 * moves, and can be read at once. `device`: whose commander must be on time
 * (dpl_device_is_commanded), else the world releases what the link has put; NULL: nobody's.
 * -ENOENT: the world has no such part; -ENOMEM. */
int link_embedded_open(struct hosted_world *world, const struct dpl_link_config *config,
                       struct dpl_device *device, struct dpl_link **ret_link,
                       struct dpl_diag *reterr);

/* For a server: a link to a world that moves, on whichever thread. Find its channels first, then
 * join: from then on nothing more can be found. There is a first frame after the world's next step.
 * It does not count as an owner of its part (parts[].users). */
int link_embedded_prepare(struct hosted_world *world, const struct dpl_link_config *config,
                          struct dpl_link **ret_link, struct dpl_diag *reterr);
void link_embedded_join(struct dpl_link *link);

#endif
