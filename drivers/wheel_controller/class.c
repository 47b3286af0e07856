/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/drv/wheel_controller.h>

#define STATE struct dpl_wheel_state
#define TRUTH struct dpl_wheel_truth
#define OWNER struct dpl_wheel_owner

static const struct dpl_field twist[] = {
    DPL_NUMBER(struct dpl_twist2, linear, "linear", "m/s", NULL, 0, 0, "forward"),
    DPL_NUMBER(struct dpl_twist2, angular, "angular", "rad/s", NULL, 0, 0, "to the left"),
};

static const struct dpl_field way[] = {
    DPL_NUMBER(struct dpl_wheel_move, distance_m, "distance", "m", NULL, 0, 0, "forward"),
    DPL_NUMBER(struct dpl_wheel_move, linear_m_s, "speed", "m/s", NULL, DPL_ABOVE_0, DPL_NO_END,
               "at most"),
};

static const struct dpl_field turn[] = {
    DPL_NUMBER(struct dpl_wheel_rotate, angle_rad, "angle", "rad", NULL, 0, 0, "to the left"),
    DPL_NUMBER(struct dpl_wheel_rotate, angular_rad_s, "speed", "rad/s", NULL, DPL_ABOVE_0,
               DPL_NO_END, "at most"),
};

static const struct dpl_field pose[] = {
    DPL_NUMBER(struct dpl_pose2, x, "x", "m", NULL, 0, 0, "of the odometry's frame"),
    DPL_NUMBER(struct dpl_pose2, y, "y", "m", NULL, 0, 0, "of the odometry's frame"),
    DPL_NUMBER(struct dpl_pose2, theta, "theta", "rad", NULL, 0, 0, "of the odometry's frame"),
};

static const struct dpl_field place[] = {
    DPL_NUMBER(struct dpl_pose2, x, "x", "m", NULL, 0, 0, "of the world's frame"),
    DPL_NUMBER(struct dpl_pose2, y, "y", "m", NULL, 0, 0, "of the world's frame"),
    DPL_NUMBER(struct dpl_pose2, theta, "theta", "rad", NULL, 0, 0, "of the world's frame"),
};

static const struct dpl_field owner[] = {
    DPL_INT(OWNER, number, "owner", NULL, 0, 0, "who asks"),
};

static const struct dpl_field state[] = {
    DPL_EXPORT_BOOL(STATE, valid, "valid", 0, "false until the device has reported once"),
    DPL_EXPORT_INT(STATE, stamp, "stamp", "ns", 0, "acquisition, on the run's clock"),
    DPL_EXPORT_NUMBER(STATE, pose.x, "x", "m", 0, "odometry"),
    DPL_EXPORT_NUMBER(STATE, pose.y, "y", "m", 0, "odometry"),
    DPL_EXPORT_NUMBER(STATE, pose.theta, "theta", "rad", 0, "odometry"),
    DPL_EXPORT_NUMBER(STATE, twist.linear, "linear", "m/s", 0, "measured"),
    DPL_EXPORT_NUMBER(STATE, twist.angular, "angular", "rad/s", 0, "measured"),
    DPL_EXPORT_NUMBER(STATE, left_rad, "left", "rad", 0, "unwrapped angle of the wheel"),
    DPL_EXPORT_NUMBER(STATE, right_rad, "right", "rad", 0, "unwrapped angle of the wheel"),
    DPL_EXPORT_NUMBER(STATE, left_m, "left_travel", "m", 0, "travel of the wheel"),
    DPL_EXPORT_NUMBER(STATE, right_m, "right_travel", "m", 0, "travel of the wheel"),
    DPL_EXPORT_NUMBER(STATE, axle_m, "axle", "m", 0, "distance of the wheels"),
    DPL_EXPORT_BOOL(STATE, has_gyro, "has_gyro", 0, "the base has a gyro"),
    DPL_EXPORT_NUMBER(STATE, gyro_rad, "gyro", "rad", 0, "unwrapped turn by the gyro"),
    DPL_EXPORT_BOOL(STATE, has_bumper, "has_bumper", 0, "the base has a bumper in front"),
    DPL_EXPORT_BOOL(STATE, pressed, "pressed", 0, "something touches the bumper"),
    DPL_EXPORT_BOOL(STATE, running, "running", 0, "a motion is under way"),
    DPL_EXPORT_INT(STATE, restarts, "restarts", NULL, 0, "times it was placed in another position"),
};

static const struct dpl_field truth[] = {
    DPL_EXPORT_INT(TRUTH, stamp, "stamp", "ns", 0, "on the run's clock"),
    DPL_EXPORT_NUMBER(TRUTH, pose.x, "x", "m", 0, "where the robot is"),
    DPL_EXPORT_NUMBER(TRUTH, pose.y, "y", "m", 0, "where the robot is"),
    DPL_EXPORT_NUMBER(TRUTH, pose.theta, "theta", "rad", 0, "how it stands"),
    DPL_EXPORT_INT(TRUTH, restarts, "restarts", NULL, 0, "times it was placed in another position"),
};

static const struct dpl_call calls[DPL_DRV_WHEEL_CONTROLLER_N_CALLS] = {
    [DPL_DRV_WHEEL_CONTROLLER_ENABLE] = DPL_CALL(COMMAND, "enable", "motors on, standing still"),
    [DPL_DRV_WHEEL_CONTROLLER_DISABLE] = DPL_CALL(STOP, "disable", "stop, motors off"),
    [DPL_DRV_WHEEL_CONTROLLER_DRIVE] =
        DPL_CALL(COMMAND, "drive", "drives on at a twist", DPL_CALL_IN(struct dpl_twist2, twist)),
    [DPL_DRV_WHEEL_CONTROLLER_MOVE] =
        DPL_CALL(COMMAND, "move", "drives a distance", DPL_CALL_IN(struct dpl_wheel_move, way)),
    [DPL_DRV_WHEEL_CONTROLLER_ROTATE] = DPL_CALL(COMMAND, "rotate", "turns by an angle",
                                                 DPL_CALL_IN(struct dpl_wheel_rotate, turn)),
    [DPL_DRV_WHEEL_CONTROLLER_STOP] =
        DPL_CALL(STOP, "stop", "within the limits that hold for driving"),
    [DPL_DRV_WHEEL_CONTROLLER_HALT] =
        DPL_CALL(STOP, "halt", "safety stop: as hard as the base allows"),
    [DPL_DRV_WHEEL_CONTROLLER_EXECUTE] =
        DPL_CALL(CYCLE, "execute", "once a cycle, before read", DPL_CALL_TICK, DPL_CALL_OR_NOTHING),
    [DPL_DRV_WHEEL_CONTROLLER_READ] =
        DPL_CALL(READING, "read", "odometry and what the base does", DPL_CALL_OUT(STATE, state)),
    [DPL_DRV_WHEEL_CONTROLLER_SET_POSITION] =
        DPL_CALL(SETTING, "set_position", "the odometry goes on from a pose",
                 DPL_CALL_IN(struct dpl_pose2, pose)),
    [DPL_DRV_WHEEL_CONTROLLER_PLACE] =
        DPL_CALL(COMMAND, "place", "moves the robot itself", DPL_CALL_IN(struct dpl_pose2, place),
                 DPL_CALL_OR_ENOTSUP),
    [DPL_DRV_WHEEL_CONTROLLER_PLACING] =
        DPL_CALL(READING, "placing", "result of the last `place`", DPL_CALL_OR_NOTHING),
    [DPL_DRV_WHEEL_CONTROLLER_READ_TRUTH] =
        DPL_CALL(READING, "read_truth", "true pose of the robot", DPL_CALL_OUT(TRUTH, truth),
                 DPL_CALL_OR_ENOTSUP),
    [DPL_DRV_WHEEL_CONTROLLER_TAKE_SIMULATION] =
        DPL_CALL(COMMAND, "take_simulation", "HIL only: the caller alone moves that side",
                 DPL_CALL_IN(OWNER, owner), DPL_CALL_OR_ENOTSUP),
    [DPL_DRV_WHEEL_CONTROLLER_KEEP_SIMULATION] =
        DPL_CALL(COMMAND, "keep_simulation", "HIL only: the owner keeps moving that side",
                 DPL_CALL_IN(OWNER, owner), DPL_CALL_OR_ENOTSUP),
    [DPL_DRV_WHEEL_CONTROLLER_RELEASE_SIMULATION] =
        DPL_CALL(STOP, "release_simulation", "HIL only: that side follows the base again",
                 DPL_CALL_IN(OWNER, owner), DPL_CALL_OR_ENOTSUP),
};

const struct dpl_device_class dpl_wheel_controller_class = {
    .name = DPL_WHEEL_CONTROLLER_CLASS,
    .summary = "a mobile base with odometry",
    .calls = calls,
    .n_calls = DPL_COUNT(calls),
};
