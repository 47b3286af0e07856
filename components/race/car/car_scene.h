/* SPDX-License-Identifier: Apache-2.0 */
/* The scene of a race as a file, for pictures together with the rows of the log. */
#ifndef CAR_CAR_SCENE_H
#define CAR_CAR_SCENE_H

#include <stdio.h>

#include "car.h"

/* Writes JSON, metres: "walls" and "finish" as [x1, y1, x2, y2] each (a finish without ends is
 * clipped to the bounds of walls and car), "sensors_deg", "footprint" as corners [forward, left],
 * and "end": the final pose of the car. Not for a cycle. */
void car_scene_write(const struct car *car, FILE *file);

#endif
