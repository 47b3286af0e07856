/* SPDX-License-Identifier: Apache-2.0 */
/* A wheel base on a byte stream: the calls of class wheel_controller, on the thread of the device's
 * component. */
#include <doppel/drive/wheel_line.h>

#include <errno.h>

static void fill_report(struct dpl_wheel_line *line)
{
    const struct dpl_wheel_line_sample *sample = &line->newest;
    line->report.frames = (int64_t)sample->frames;
    line->report.reconnects = sample->generation > 0 ? (int64_t)sample->generation - 1 : 0;
    line->report.stops = (int64_t)(sample->stops - sample->late_stops);
    line->report.rejected = (int64_t)sample->odometry.rejected;
    line->report.pressed = sample->pressed;
}

/* Takes the newest sample. A new connection, a touch, or a late commander ends the motion mode. */
static void receive(struct dpl_wheel_line *line)
{
    if (!dpl_latest_update(&line->samples.sync)) {
        return;
    }
    const struct dpl_wheel_line_sample *sample =
        &line->samples.slot[dpl_latest_front(&line->samples.sync)];
    bool is_first = line->newest.generation == 0;
    if ((sample->generation != line->newest.generation && !is_first) ||
        sample->stops != line->newest.stops) {
        dpl_wheel_base_stop(&line->base);
        line->brakes = true;
    }
    line->newest = *sample;
    line->base.odometry = sample->odometry;
    line->base.odometry.pose = dpl_pose2_compose(line->frame, sample->odometry.pose);
    line->base.last = sample->angles;
    line->base.stamp = sample->stamp;
    line->base.measured = sample->valid;
    fill_report(line);
}

static void send(struct dpl_wheel_line *line)
{
    line->setpoints.slot[dpl_latest_back(&line->setpoints.sync)] = (struct dpl_wheel_line_setpoint){
        .aim = dpl_wheel_base_aim(&line->base),
        .enabled = line->base.enabled,
        .brakes = line->brakes,
        .generation = line->newest.generation,
        .stops = line->newest.stops,
    };
    dpl_latest_publish(&line->setpoints.sync);
}

static int begin(struct dpl_device *device)
{
    receive(device->state);
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

static int finish(struct dpl_device *device, int err)
{
    send(device->state);
    return err;
}

/* After an accepted command the base no longer brakes for cause. */
static int obey(struct dpl_device *device, int err)
{
    struct dpl_wheel_line *line = device->state;
    line->brakes = line->brakes && err < 0;
    return finish(device, err);
}

static int set_enabled(struct dpl_device *device, bool enabled)
{
    struct dpl_wheel_line *line = device->state;
    receive(line);
    dpl_wheel_base_enable(&line->base, enabled);
    send(line);
    return enabled && dpl_device_is_lost(device) ? -ENODEV : 0;
}

static int line_enable(struct dpl_device *device, const void *in, void *out)
{
    return set_enabled(device, true);
}

static int line_disable(struct dpl_device *device, const void *in, void *out)
{
    return set_enabled(device, false);
}

static int line_drive(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_twist2 *twist = in;
    struct dpl_wheel_line *line = device->state;
    int err = begin(device);
    return err ? err
               : obey(device, dpl_wheel_base_drive(&line->base, twist->linear, twist->angular));
}

static int line_move(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_wheel_move *asked = in;
    struct dpl_wheel_line *line = device->state;
    int err = begin(device);
    return err ? err
               : obey(device,
                      dpl_wheel_base_move(&line->base, asked->distance_m, asked->linear_m_s));
}

static int line_rotate(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_wheel_rotate *asked = in;
    struct dpl_wheel_line *line = device->state;
    int err = begin(device);
    return err ? err
               : obey(device,
                      dpl_wheel_base_rotate(&line->base, asked->angle_rad, asked->angular_rad_s));
}

static int line_stop(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_wheel_line *line = device->state;
    int err = begin(device);
    dpl_wheel_base_stop(&line->base);
    return finish(device, err);
}

static int line_halt(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_wheel_line *line = device->state;
    int err = begin(device);
    dpl_wheel_base_stop(&line->base);
    line->brakes = true;
    return finish(device, err);
}

/* Moves and rotations need a new velocity in each cycle. */
static int line_execute(struct dpl_device *device, const void *in, void *out)
{
    int err = begin(device);
    return finish(device, err);
}

static int line_read(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_wheel_state *ret = out;
    const struct dpl_wheel_line *line = device->state;
    int err = begin(device);
    if (err < 0) {
        return err;
    }
    dpl_wheel_base_read(&line->base, ret);
    ret->has_bumper = line->newest.has_bumper;
    ret->pressed = line->newest.pressed;
    ret->has_gyro = line->newest.has_gyro;
    ret->gyro_rad = line->newest.gyro_rad;
    return 0;
}

static int line_set_position(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pose2 *pose = in;
    struct dpl_wheel_line *line = device->state;
    receive(line);
    struct dpl_pose2 back = dpl_pose2_relative(line->newest.odometry.pose, (struct dpl_pose2){0});
    line->frame = dpl_pose2_compose(*pose, back);
    dpl_wheel_base_set_position(&line->base, pose); /* until the next measurement */
    return 0;
}

const dpl_device_call_fn dpl_wheel_line_api[DPL_DRV_WHEEL_CONTROLLER_N_CALLS] = {
    [DPL_DRV_WHEEL_CONTROLLER_ENABLE] = line_enable,
    [DPL_DRV_WHEEL_CONTROLLER_DISABLE] = line_disable,
    [DPL_DRV_WHEEL_CONTROLLER_DRIVE] = line_drive,
    [DPL_DRV_WHEEL_CONTROLLER_MOVE] = line_move,
    [DPL_DRV_WHEEL_CONTROLLER_ROTATE] = line_rotate,
    [DPL_DRV_WHEEL_CONTROLLER_STOP] = line_stop,
    [DPL_DRV_WHEEL_CONTROLLER_EXECUTE] = line_execute,
    [DPL_DRV_WHEEL_CONTROLLER_READ] = line_read,
    [DPL_DRV_WHEEL_CONTROLLER_SET_POSITION] = line_set_position,
    [DPL_DRV_WHEEL_CONTROLLER_HALT] = line_halt,
};
