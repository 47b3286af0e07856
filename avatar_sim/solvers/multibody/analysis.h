/* SPDX-License-Identifier: Apache-2.0 */
/* What analyses share. They are for systems without free links and without spherical joints in the
 * tree, whose coordinates are no displacements. */
#ifndef DOPPEL_SIM_MULTIBODY_ANALYSIS_H
#define DOPPEL_SIM_MULTIBODY_ANALYSIS_H

#include "system.h"

bool dpl__mb_is_plain(const struct dpl__mb *m);

/* Goes through the links with independent coordinates, from cluster 0 and place 0 on; the place is
 * behind that which was returned. -1: there are no more. */
int dpl__mb_next_free(const struct dpl__mb *m, int *inout_cluster, int *inout_place);

#endif
