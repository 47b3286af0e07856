/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a map: as a world, and as a picture beside the raw scans. */
#ifndef DOPPEL_MAP_MAP_FILE_H
#define DOPPEL_MAP_MAP_FILE_H

#include <stdio.h>

#include "mapper.h"
#include "quality.h"
#include "walls.h"

#define MAP_WALL_THICKNESS 0.02 /* m, behind the visible surface */

struct map_world {
    const char *name;        /* of the world */
    const char *recording;   /* for the comment */
    const char *robot_model; /* as the world names it */
    const struct walls *walls;
    const struct quality *quality;
};

/* Writes the world. The base stands at the origin, where it was at the first scan. */
void map_file_write_world(FILE *out, const struct map_world *world);

/* Writes an SVG: the scans where odometry says they are, and below them the walls with the scans
 * and the way. 0 or -ENOMEM. */
int map_file_write_picture(FILE *out, struct mapper *mapper, const struct walls *walls);

#endif
