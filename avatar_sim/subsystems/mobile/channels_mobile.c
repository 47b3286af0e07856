/* SPDX-License-Identifier: Apache-2.0 */
/* Channels of mobile robots: motors, encoders, lasers, and where the robot is. */
#include "channels_mobile.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/field.h>
#include <doppel/math/pose3.h>
#include <doppel/sim/laser.h>

#include <doppel/sim/channel_rows.h>

/* ---- motors and encoders ---- */

static int put_speed(struct dpl_world *world, int motor, const void *value)
{
    dpl_world_set_motor(world, motor, *(const double *)value);
    return 0;
}

static void describe_speed(const struct dpl_world *world, int motor, struct dpl_channel_desc *inout)
{
    double most = dpl_world_wheel(world, motor)->max_speed;
    inout->min = -most;
    inout->max = most;
}

static int put_ramp(struct dpl_world *world, int motor, const void *value)
{
    dpl_world_set_motor_ramp(world, motor, *(const double *)value);
    return 0;
}

static void stop_motor(struct dpl_world *world, int motor)
{
    dpl_world_set_motor(world, motor, 0.0);
}

static const struct dpl_channel_row motor_rows[] = {
    {
        .name = "speed",
        .type = &dpl_channel_number,
        .dir = DPL_CHANNEL_IN,
        .unit = "rad/s",
        .summary = "setpoint of the wheel; positive rolls forward",
        .put = put_speed,
        .describe = describe_speed,
        .release = stop_motor,
    },
    {
        .name = "ramp",
        .type = &dpl_channel_number,
        .dir = DPL_CHANNEL_IN,
        .unit = "rad/s^2",
        .summary = "how fast the motor changes its speed; 0: at once",
        .put = put_ramp,
    },
};
const struct dpl_channel_table dpl__motor_channels = {motor_rows, DPL_COUNT(motor_rows)};

static struct dpl_world_encoder encoder(const struct dpl_world *world, int id)
{
    struct dpl_world_encoder reading = {0};
    dpl_world_get_encoder(world, id, &reading);
    return reading;
}

static int get_angle(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    (void)inout_stamp;
    *(double *)ret_value = encoder(world, id).angle_rad;
    return 0;
}

static int get_velocity(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    (void)inout_stamp;
    *(double *)ret_value = encoder(world, id).velocity_rad_s;
    return 0;
}

static const struct dpl_channel_row encoder_rows[] = {
    DPL_CHANNEL_READ("angle", &dpl_channel_number, DPL_CHANNEL_OUT, "rad", 0,
                     "since the start, unwrapped, in whole counts", get_angle, NULL),
    DPL_CHANNEL_READ("velocity", &dpl_channel_number, DPL_CHANNEL_OUT, "rad/s", 0,
                     "of the wheel, exact", get_velocity, NULL),
};
const struct dpl_channel_table dpl__encoder_channels = {encoder_rows, DPL_COUNT(encoder_rows)};

/* ---- lasers ---- */

static int put_on(struct dpl_world *world, int laser, const void *value)
{
    dpl_world_enable_laser(world, laser, *(const bool *)value);
    return 0;
}

static int get_ranges(const struct dpl_world *world, int laser, void *ret_value,
                      dpl_ns *inout_stamp)
{
    struct dpl_world_scan scan;
    int err = dpl_world_get_scan(world, laser, &scan);
    if (err == 0 && ret_value) {
        memcpy(ret_value, scan.ranges_m, scan.n * sizeof scan.ranges_m[0]);
    }
    *inout_stamp = err == 0 ? scan.stamp : 0;
    return err;
}

static void describe_ranges(const struct dpl_world *world, int id, struct dpl_channel_desc *inout)
{
    const struct dpl_sim_laser *laser = dpl_world_laser(world, id);
    inout->size = (uint32_t)dpl_sim_laser_beams(laser);
    inout->max = laser->max_range;
}

static int get_scans(const struct dpl_world *world, int laser, void *ret_value, dpl_ns *inout_stamp)
{
    struct dpl_world_scan scan = {.stamp = *inout_stamp};
    (void)dpl_world_get_scan(world, laser, &scan);
    *(int64_t *)ret_value = (int64_t)scan.sequence;
    *inout_stamp = scan.stamp;
    return 0;
}

/* First angle, angle from beam to beam, least and greatest range, seconds from scan to scan. */
static int get_fan(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct dpl_sim_laser *laser = dpl_world_laser(world, id);
    double step = 2.0 * DPL_PI / laser->steps, *fan = ret_value;
    fan[0] = (laser->first - laser->front) * step;
    fan[1] = step;
    fan[2] = laser->min_range;
    fan[3] = laser->max_range;
    fan[4] = laser->rate_hz > 0.0 ? 1.0 / laser->rate_hz : 0.0;
    *inout_stamp = 0;
    return 0;
}

static int get_mount(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct dpl_sim_laser *laser = dpl_world_laser(world, id);
    struct dpl_pose3 mount =
        dpl_pose3_from_planar((struct dpl_pose2){laser->x, laser->y, laser->yaw});
    mount.position.z = laser->z;
    memcpy(ret_value, &mount, sizeof mount);
    *inout_stamp = 0;
    return 0;
}

static const struct dpl_channel_row laser_rows[] = {
    {
        .name = "on",
        .type = &dpl_channel_flag,
        .dir = DPL_CHANNEL_SHARED,
        .summary = "whether it measures; off at the start",
        .put = put_on,
    },
    DPL_CHANNEL_READ("ranges", &dpl_channel_block, DPL_CHANNEL_OUT, "m", 0,
                     "the newest scan; 0: no return", get_ranges, describe_ranges),
    DPL_CHANNEL_READ("scans", &dpl_channel_integer, DPL_CHANNEL_OUT, NULL, 0, "how many there were",
                     get_scans, NULL),
    DPL_CHANNEL_READ("fan", &dpl_channel_vector, DPL_CHANNEL_CONSTANT, NULL, 5,
                     "first angle, step (rad), least and greatest range (m), period (s)", get_fan,
                     NULL),
    DPL_CHANNEL_READ("mount", &dpl_channel_pose, DPL_CHANNEL_CONSTANT, NULL, 0,
                     "in the robot's frame", get_mount, NULL),
};
const struct dpl_channel_table dpl__laser_channels = {laser_rows, DPL_COUNT(laser_rows)};

/* ---- the robot ---- */

static struct dpl_world_robot robot(const struct dpl_world *world, int id)
{
    struct dpl_world_robot truth = {0};
    dpl_world_get_robot(world, id, &truth);
    return truth;
}

/* A channel of one member of the truth. */
#define TRUTH(name, type, member)                                                                  \
    static int get_##name(const struct dpl_world *world, int id, void *ret_value,                  \
                          dpl_ns *inout_stamp)                                                     \
    {                                                                                              \
        (void)inout_stamp;                                                                         \
        *(type *)ret_value = (type)robot(world, id).member;                                        \
        return 0;                                                                                  \
    }
TRUTH(x, double, pose.x)
TRUTH(y, double, pose.y)
TRUTH(heading, double, pose.theta)
TRUTH(linear, double, twist.linear)
TRUTH(angular, double, twist.angular)
TRUTH(contacts, int64_t, contacts)
TRUTH(touched, int64_t, touched)
TRUTH(ejections, int64_t, ejections)

static int get_pose(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    struct dpl_pose3 pose = dpl_pose3_from_planar(robot(world, id).pose);
    (void)inout_stamp;
    memcpy(ret_value, &pose, sizeof pose);
    return 0;
}

static int put_place(struct dpl_world *world, int id, const void *value)
{
    const double *at = value;
    return dpl_world_set_pose(world, id, (struct dpl_pose2){at[0], at[1], at[2]});
}

/* x, y, heading */
static int get_planar(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    struct dpl_pose2 pose = robot(world, id).pose;
    (void)inout_stamp;
    memcpy(ret_value, (double[3]){pose.x, pose.y, pose.theta}, 3 * sizeof(double));
    return 0;
}

static int get_twist(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    struct dpl_twist2 twist = robot(world, id).twist;
    (void)inout_stamp;
    memcpy(ret_value, (double[2]){twist.linear, twist.angular}, 2 * sizeof(double));
    return 0;
}

static int get_start(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    struct dpl_pose2 start = dpl_world_model(world)->robots[id].start;
    *inout_stamp = 0;
    memcpy(ret_value, (double[3]){start.x, start.y, start.theta}, 3 * sizeof(double));
    return 0;
}

#define OUT(name, type, unit, text)                                                                \
    DPL_CHANNEL_READ(#name, &dpl_channel_##type, DPL_CHANNEL_OUT, unit, 0, text, get_##name, NULL)

static const struct dpl_channel_row robot_rows[] = {
    OUT(x, number, "m", "of its frame, on the ground"),
    OUT(y, number, "m", "of its frame, on the ground"),
    OUT(heading, number, "rad", "counter-clockwise from x, in (-pi, pi]"),
    OUT(linear, number, "m/s", "along its heading"),
    OUT(angular, number, "rad/s", "counter-clockwise"),
    OUT(pose, pose, NULL, "of its frame"),
    OUT(contacts, integer, NULL, "how often it began to touch anything but the ground"),
    OUT(touched, integer, NULL,
        "bit i: something touches it in sector i of 24, from ahead counter-clockwise"),
    OUT(ejections, integer, NULL, "how often the solver threw it out of something"),
    DPL_CHANNEL_READ("planar", &dpl_channel_vector, DPL_CHANNEL_OUT, NULL, 3,
                     "x, y (m), heading (rad)", get_planar, NULL),
    DPL_CHANNEL_READ("twist", &dpl_channel_vector, DPL_CHANNEL_OUT, NULL, 2,
                     "along its heading (m/s), counter-clockwise (rad/s)", get_twist, NULL),
    DPL_CHANNEL_READ("start", &dpl_channel_vector, DPL_CHANNEL_CONSTANT, NULL, 3,
                     "where it begins: x, y (m), heading (rad)", get_start, NULL),
    {
        .name = "place",
        .type = &dpl_channel_vector,
        .dir = DPL_CHANNEL_REQUEST,
        .size = 3,
        .summary = "puts it at x, y (m), heading (rad), if it fits there",
        .put = put_place,
    },
};
const struct dpl_channel_table dpl__mobile_channels = {robot_rows, DPL_COUNT(robot_rows)};
