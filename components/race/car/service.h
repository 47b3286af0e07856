/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the Car to its track. */
#ifndef CAR_SERVICE_H
#define CAR_SERVICE_H

#include <doppel/component.h>

#include "car.h"

struct car_track {
    struct car_surroundings around;
    bool has_start;
    struct dpl_pose2 start;
};

/* Gets the track from the provider of TrackService at `port`. 0, or the error of the provider, with
 * reterr. */
int car_track_ask(struct dpl_component *self, unsigned port, struct car_track *ret_track,
                  struct dpl_diag *reterr);

/* Sends the pose of the car to the track. The world only displays the car; an error does not affect
 * the race, so there is no result. */
void car_track_show(struct dpl_component *self, unsigned port, struct dpl_pose2 pose);

#endif
