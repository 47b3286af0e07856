/* SPDX-License-Identifier: Apache-2.0 */
/* Where the laser is on the robot, from a mapping run and the odometry. Pure. */
#ifndef DOPPEL_MAP_MOUNT_H
#define DOPPEL_MAP_MOUNT_H

#include "mapper.h"

struct mount_estimate {
    struct dpl_pose2 mount;    /* of the laser in the base, between the wheels */
    double sigma_m, sigma_rad; /* the larger one of x and y; of the direction */
    bool known;                /* at most 20 mm and 2 deg */
};

/* When the robot turns by t, a laser at m moves by (R(t) - 1) m besides what the wheels tell; when
 * it drives straight, the laser sees its own direction. Least squares over the steps from scan to
 * scan, robust against slip, with the scale of the ways as a further unknown. (The idea of
 * calibrating from both sensors' motions: Censi et al., IEEE T-RO 29(2), 2013.) */
void mount_estimate(const struct mapper *mapper, struct mount_estimate *ret_estimate);

/* mapper_build for a recording that does not know where its laser is: builds, estimates, and, if
 * the mount is known then, gives it to all scans and builds again. */
int mount_build(struct recording *recording, const struct mapper_options *options,
                struct mapper *ret_mapper, struct mount_estimate *ret_estimate,
                struct dpl_diag *reterr);

#endif
