/* SPDX-License-Identifier: Apache-2.0 */
/* Distances inside a rectangle. */
#include "room.h"

/* Distance along the ray to the walls at right angles to one axis; infinite when the ray is
 * parallel to them. */
static double axis_distance(double half, double position, double direction)
{
    if (direction == 0.0) {
        return (double)INFINITY;
    }
    return ((direction > 0.0 ? half : -half) - position) / direction;
}

double room_distance(double length_m, double width_m, struct dpl_pose2 sensor, double angle_rad)
{
    double half_x = length_m / 2.0, half_y = width_m / 2.0;
    if (!(fabs(sensor.x) <= half_x && fabs(sensor.y) <= half_y)) {
        return 0.0;
    }
    double heading = sensor.theta + angle_rad;
    double along_x = axis_distance(half_x, sensor.x, cos(heading));
    double along_y = axis_distance(half_y, sensor.y, sin(heading));
    return fmin(along_x, along_y);
}
