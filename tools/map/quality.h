/* SPDX-License-Identifier: Apache-2.0 */
/* How well the walls explain the scans. Pure; allocates. */
#ifndef DOPPEL_MAP_QUALITY_H
#define DOPPEL_MAP_QUALITY_H

#include "mapper.h"
#include "walls.h"

struct quality {
    bool of_held_out; /* of the scans that are not in the map; false: of those that are */
    size_t n_scans;   /* that were judged */
    size_t n_lost;    /* less than half of whose beams lie on the map */
    double median_m;  /* distance of a beam's end from the nearest wall, scan at its matched pose */
    double ninety_m;  /* 90 % are nearer */
    double odometry_m;  /* the median with the scans where odometry alone says they are */
    double noise_m;     /* of the laser, from beam to beam (surfels.h) */
    double scatter_m;   /* of the ends around their surfaces: the noise, and errors of the poses */
    double vague_share; /* of the ends, where what is around them shows no direction of a surface */
};

/* Of at most 200000 beams, evenly spread over the scans. 0 or -ENOMEM. */
int quality_measure(struct mapper *mapper, const struct walls *walls, struct quality *ret_quality);

#endif
