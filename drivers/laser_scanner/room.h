/* SPDX-License-Identifier: Apache-2.0 */
/* A rectangular room with a laser in it: the world of the mock scanner. Pure logic. */
#ifndef LASER_SCANNER_ROOM_H
#define LASER_SCANNER_ROOM_H

#include <doppel/math/geometry.h>

/* Distance in m from `sensor` along `angle_rad` (in the sensor's frame) to the walls of a room with
 * its centre at the origin, `length_m` along x and `width_m` along y. The sensor must be inside;
 * outside gives 0. */
double room_distance(double length_m, double width_m, struct dpl_pose2 sensor, double angle_rad);

#endif
