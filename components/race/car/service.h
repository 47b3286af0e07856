/* SPDX-License-Identifier: Apache-2.0 */
/* What the Car asks and tells its track. */
#ifndef CAR_SERVICE_H
#define CAR_SERVICE_H

#include <doppel/component.h>

#include "car.h"

struct car_track {
    struct car_surroundings around;
    bool has_start;
    struct dpl_pose2 start;
};

/* Asks the provider of TrackService at `port`. 0, or what it returns, with reterr. */
int car_track_ask(struct dpl_component *self, unsigned port, struct car_track *ret_track,
                  struct dpl_diag *reterr);

/* Tells it where the car is. The world only shows the car: whether it does changes nothing for the
 * race, so there is no result. */
void car_track_show(struct dpl_component *self, unsigned port, struct dpl_pose2 pose);

#endif
