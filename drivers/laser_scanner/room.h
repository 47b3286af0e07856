/* SPDX-License-Identifier: Apache-2.0 */
/* A rectangular room with a laser in it: the world of the mock scanner. Pure logic. */
#ifndef LASER_SCANNER_ROOM_H
#define LASER_SCANNER_ROOM_H

#include <doppel/math/geometry.h>

/* Distance along the ray to the walls at right angles to one axis; infinite when the ray is
 * parallel to them. */
static inline double room_axis_distance(double half, double position, double direction)
{
    if (direction == 0.0) {
        return (double)INFINITY;
    }
    return ((direction > 0.0 ? half : -half) - position) / direction;
}

/* Distance in m from `sensor` along `angle_rad` (in the sensor's frame) to the walls of a room with
 * its centre at the origin, `length_m` along x and `width_m` along y. The sensor must be inside;
 * outside gives 0. */
static inline double room_distance(double length_m, double width_m, struct dpl_pose2 sensor,
                                   double angle_rad)
{
    double half_x = length_m / 2.0, half_y = width_m / 2.0;
    if (!(fabs(sensor.x) <= half_x && fabs(sensor.y) <= half_y)) {
        return 0.0;
    }
    double heading = sensor.theta + angle_rad;
    double along_x = room_axis_distance(half_x, sensor.x, cos(heading));
    double along_y = room_axis_distance(half_y, sensor.y, sin(heading));
    return fmin(along_x, along_y);
}

#endif
