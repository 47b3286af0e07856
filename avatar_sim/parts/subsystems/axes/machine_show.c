/* SPDX-License-Identifier: Apache-2.0 */
/* What viewers see of a machine: rails, sliders, links and platform. Sizes are for the eye; where
 * the parts are follows from the geometry and the platform's pose. */
#include <math.h>

#include <doppel/math/vector3.h>

#include "machine.h"

static const double slider[3] = {0.11, 0.075, 0.055}, rail[2] = {0.05, 0.04};  /* m */
static const double past_end = 0.09, link_radius = 0.013, plate_height = 0.05; /* m */

static struct dpl_vector3 vector_of(const double v[3])
{
    return (struct dpl_vector3){v[0], v[1], v[2]};
}

static struct dpl_vector3 at(const struct dpl_sim_axis *axis, double q)
{
    return dpl_vector3_add(vector_of(axis->rail), dpl_vector3_times(vector_of(axis->direction), q));
}

/* The frame whose axis `from` (x or z) points along a unit vector. */
static struct dpl_quaternion turned(struct dpl_vector3 from, struct dpl_vector3 along)
{
    struct dpl_vector3 c = dpl_vector3_cross(from, along);
    double w = 1.0 + dpl_vector3_dot(from, along);
    struct dpl_vector3 side = {from.z, from.x, from.y};
    struct dpl_quaternion q = {.x = c.x, .y = c.y, .z = c.z, .w = w};
    if (w < 1e-9) {
        q = (struct dpl_quaternion){.x = side.x, .y = side.y, .z = side.z};
    }
    return dpl_quaternion_normalise(q);
}

static const struct dpl_vector3 ex = {1.0, 0.0, 0.0}, ez = {0.0, 0.0, 1.0};

/* Where the slider is that holds this joint; NAN: the link does not reach. */
static double slider_of(const struct dpl_sim_axis *axis, struct dpl_vector3 joint)
{
    struct dpl_vector3 u = vector_of(axis->direction);
    struct dpl_vector3 d = dpl_vector3_minus(joint, vector_of(axis->rail));
    double along = dpl_vector3_dot(d, u);
    return along +
           axis->branch * sqrt(axis->link * axis->link - dpl_vector3_dot(d, d) + along * along);
}

struct showing {
    struct dpl_pose3 start; /* the machine's frame in the world */
    dpl_sim_show *show;
    void *user;
};

static void show(const struct showing *to, struct dpl_sim_solid solid)
{
    solid.pose = dpl_pose3_compose(to->start, solid.pose);
    to->show(to->user, 0, &solid);
}

static void show_rail(const struct showing *to, const struct dpl_sim_axis *axis)
{
    double length = axis->high - axis->low + 2.0 * past_end;
    struct dpl_vector3 middle = at(axis, 0.5 * (axis->low + axis->high));
    middle.z -= 0.5 * (rail[1] + slider[2]);
    show(to, (struct dpl_sim_solid){.kind = DPL_SOLID_BOX,
                                    .pose = {middle, turned(ex, vector_of(axis->direction))},
                                    .size = {length, rail[0], rail[1]}});
}

static void show_leg(const struct showing *to, const struct dpl_sim_axis *axis,
                     struct dpl_vector3 joint)
{
    double q = slider_of(axis, joint);
    if (!isfinite(q)) {
        return;
    }
    struct dpl_vector3 foot = at(axis, q), link = dpl_vector3_minus(joint, foot);
    double length = dpl_vector3_length(link);
    struct dpl_vector3 middle = dpl_vector3_add(foot, dpl_vector3_times(link, 0.5));
    show(to, (struct dpl_sim_solid){.kind = DPL_SOLID_BOX,
                                    .pose = {foot, turned(ex, vector_of(axis->direction))},
                                    .size = {slider[0], slider[1], slider[2]}});
    show(to,
         (struct dpl_sim_solid){.kind = DPL_SOLID_CYLINDER,
                                .pose = {middle, turned(ez, dpl_vector3_times(link, 1.0 / length))},
                                .radius = link_radius,
                                .height = length});
}

/* A plate through the joints, and a smaller one up to the tool centre point. */
static void show_platform(const struct showing *to, const struct dpl_sim_machine *machine,
                          const struct dpl_pose3 *platform)
{
    double radius = 0.0, low = 0.0;
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        const double *joint = machine->axes[i].joint;
        radius = fmax(radius, hypot(joint[0], joint[1]));
        low += joint[2] / DPL_AXES_N;
    }
    const double heights[2] = {low, 0.5 * low}, radii[2] = {radius, 0.55 * radius};
    for (size_t i = 0; i < 2; i++) {
        struct dpl_pose3 in_platform = {{0.0, 0.0, heights[i]}, {.w = 1.0}};
        show(to, (struct dpl_sim_solid){.kind = DPL_SOLID_CYLINDER,
                                        .pose = dpl_pose3_compose(*platform, in_platform),
                                        .radius = radii[i],
                                        .height = plate_height});
    }
}

void dpl__machine_show_around(const struct dpl_sim_robot *robot, const struct dpl_pose3 *body,
                              dpl_sim_show *show_solid, void *user)
{
    const struct dpl_sim_machine *machine = robot->part;
    const struct dpl_pose3 start = dpl_pose3_from_planar(robot->start);
    struct showing to = {start, show_solid, user};
    struct dpl_pose3 platform = {.orientation = {.w = 1.0}};
    if (body) {
        platform = dpl_pose3_relative(start, *body);
        show_platform(&to, machine, &platform);
    }
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        const struct dpl_sim_axis *axis = &machine->axes[i];
        struct dpl_pose3 joint = {vector_of(axis->joint), {.w = 1.0}};
        if (body) {
            show_leg(&to, axis, dpl_pose3_compose(platform, joint).position);
        } else {
            show_rail(&to, axis);
        }
    }
}
