/* SPDX-License-Identifier: Apache-2.0 */
/* How much later scans are stamped than the odometry of the same instant. Pure; allocates. */
#ifndef DOPPEL_MAP_DELAY_H
#define DOPPEL_MAP_DELAY_H

#include "recording.h"
#include "scan_points.h"

/* Finds the delay that makes the turns between successive scans, matched against each other without
 * odometry's help, agree best with the turns of the odometry (least squares over -0.1 to 0.4 s with
 * outliers bounded; the idea: Censi et al., IEEE T-RO 29(2), 2013, use the same two sources for the
 * mount). 0 s where that cannot be seen: scans more than 0.3 s apart, or fewer than 20 pairs with a
 * turn of at least 1 deg. 0 or -ENOMEM, -ENOSPC. */
int delay_estimate(const struct recording *recording, const struct scan_points_options *options,
                   double *ret_delay_s);

/* Gives each scan the odometry of `delay_s` earlier, interpolated between those of the scans. 0 or
 * -ENOMEM. */
int delay_apply(struct recording *recording, double delay_s);

#endif
