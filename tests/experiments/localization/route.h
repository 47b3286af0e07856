/* SPDX-License-Identifier: Apache-2.0 */
/* A driver for the experiment's robot: from place to place in a room, on shortest ways through a
 * grid, by the true pose. */
#ifndef LOCALIZATION_ROUTE_H
#define LOCALIZATION_ROUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "room.h"

#define ROUTE_CELLS_MAX 80000
#define ROUTE_CELL_M    0.1

struct route {
    double x1, y1, speed; /* m/s */
    int nx, ny;
    bool blocked[ROUTE_CELLS_MAX];
    uint16_t steps[ROUTE_CELLS_MAX]; /* to the goal; UINT16_MAX: no way */
    uint32_t queue[ROUTE_CELLS_MAX];
    int goal;
    int looks; /* calls of route_drive that it still turns on the spot: at each place, once around
                */
    bool look_first;     /* turns once around at the start, too */
    bool back_and_forth; /* along the room's longer side, not to chance places */
    struct dpl_random rng;
};

void route_init(struct route *route, const struct room *room, double clearance_m,
                struct dpl_random rng);

/* A pose from which there are ways to most of the room. */
struct dpl_pose2 route_start(struct route *route);

/* What to drive from the pose. */
struct dpl_twist2 route_drive(struct route *route, struct dpl_pose2 at);

bool route_is_free(const struct route *route, double x, double y);

#endif
