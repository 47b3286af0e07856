/* SPDX-License-Identifier: Apache-2.0 */
/* Cross-sections of boxes, cylinders, spheres and capsules: see laser_outline.h. */
#include "laser_outline.h"

#include <math.h>

static struct dpl_raycast_outline circle(struct dpl_pose2 centre, double radius, int owner)
{
    return (struct dpl_raycast_outline){
        .x = centre.x, .y = centre.y, .radius = radius, .owner = owner};
}

/* From (x0, y0) to (x1, y1) of the frame. */
static struct dpl_raycast_outline segment(struct dpl_pose2 frame, const double from[2],
                                          const double to[2], int owner)
{
    double c = cos(frame.theta), s = sin(frame.theta);
    double dx = to[0] - from[0], dy = to[1] - from[1];
    return (struct dpl_raycast_outline){
        .x = frame.x + c * from[0] - s * from[1],
        .y = frame.y + s * from[0] + c * from[1],
        .dx = c * dx - s * dy,
        .dy = s * dx + c * dy,
        .owner = owner,
    };
}

static size_t box_outline(const struct dpl_sim_shape *shape, struct dpl_pose2 pose, int owner,
                          struct dpl_raycast_outline *outlines)
{
    double x = 0.5 * shape->size_x, y = 0.5 * shape->size_y;
    const double corners[5][2] = {{x, y}, {-x, y}, {-x, -y}, {x, -y}, {x, y}};
    for (size_t i = 0; i < 4; i++) {
        outlines[i] = segment(pose, corners[i], corners[i + 1], owner);
    }
    return 4;
}

/* Two round ends and two straight sides. */
static size_t lying_outline(const struct dpl_sim_shape *shape, struct dpl_pose2 pose, double radius,
                            struct dpl_raycast_outline *outlines)
{
    double half = 0.5 * shape->height;
    int owner = outlines[0].owner;
    for (size_t i = 0; i < 2; i++) {
        double side = i ? radius : -radius, end = i ? half : -half;
        struct dpl_pose2 centre = dpl_pose2_compose(pose, (struct dpl_pose2){end, 0.0, 0.0});
        outlines[2 * i] = circle(centre, radius, owner);
        outlines[2 * i + 1] =
            segment(pose, (double[2]){-half, side}, (double[2]){half, side}, owner);
    }
    return 4;
}

/* The radius at `dz` above the centre of a ball; 0 beyond it. */
static double ball_radius(double radius, double dz)
{
    return fabs(dz) < radius ? sqrt(radius * radius - dz * dz) : 0.0;
}

size_t dpl__laser_outline(const struct dpl_sim_shape *shape, struct dpl_pose2 frame, double z,
                          int owner, struct dpl_raycast_outline *outlines)
{
    struct dpl_pose2 pose =
        dpl_pose2_compose(frame, (struct dpl_pose2){shape->x, shape->y, shape->yaw});
    double dz = z - shape->z, radius = 0.0;
    switch (shape->kind) {
    case DPL_SIM_BOX:
        return fabs(dz) <= 0.5 * shape->size_z ? box_outline(shape, pose, owner, outlines) : 0;
    case DPL_SIM_CYLINDER: radius = fabs(dz) <= 0.5 * shape->height ? shape->radius : 0.0; break;
    case DPL_SIM_SPHERE: radius = ball_radius(shape->radius, dz); break;
    case DPL_SIM_CAPSULE:
        if (!shape->lying) {
            dz = fmax(0.0, fabs(dz) - 0.5 * shape->height);
        }
        radius = ball_radius(shape->radius, dz);
        if (shape->lying && radius > 0.0) {
            outlines[0].owner = owner;
            return lying_outline(shape, pose, radius, outlines);
        }
        break;
    }
    outlines[0] = circle(pose, radius, owner);
    return radius > 0.0 ? 1 : 0;
}
