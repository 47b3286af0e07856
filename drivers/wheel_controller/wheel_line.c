/* SPDX-License-Identifier: Apache-2.0 */
/* A wheel base on a byte stream: the part on the control thread. */
#include <doppel/drive/wheel_line.h>

#include <errno.h>

#define DEFAULT_PERIOD_MS 20
#define LONGEST_RAMP_S    0.1   /* after a gap the ramp continues without a jump */
#define FIRST_FEEDBACK    DPL_S /* time for a base that was just switched on or found */

static void publish(struct dpl_wheel_line *line)
{
    line->samples.slot[dpl_latest_back(&line->samples.sync)] = line->sample;
    dpl_latest_publish(&line->samples.sync);
}

static void take_setpoint(struct dpl_wheel_line *line)
{
    if (dpl_latest_update(&line->setpoints.sync)) {
        line->setpoint = line->setpoints.slot[dpl_latest_front(&line->setpoints.sync)];
    }
    bool may_move = dpl_device_is_commanded(line->device) && !dpl_device_is_halted(line->device);
    bool falls = !may_move && !line->uncommanded;
    line->uncommanded = !may_move;
    if (falls) {
        line->sample.stops++;
        line->sample.late_stops++;
        publish(line);
    }
}

/* The motion that is allowed now. A setpoint from before a stop or of another connection moves
 * nothing; after a touch the base may drive backward and turn. */
static struct dpl_twist2 allowed(const struct dpl_wheel_line *line)
{
    const struct dpl_wheel_line_setpoint *setpoint = &line->setpoint;
    const struct dpl_wheel_line_sample *sample = &line->sample;
    if (!setpoint->enabled || !sample->valid || line->uncommanded ||
        setpoint->generation != sample->generation || setpoint->stops != sample->stops) {
        return (struct dpl_twist2){0};
    }
    struct dpl_twist2 aim = setpoint->aim;
    if (line->properties->stop_on_bumper && sample->pressed && aim.linear > 0.0) {
        aim.linear = 0.0;
    }
    return aim;
}

static void send_command(struct dpl_wheel_line *line, dpl_ns now)
{
    bool brakes =
        line->uncommanded || line->setpoint.brakes || line->setpoint.stops != line->sample.stops;
    double dt_s = dpl_clamp(dpl_ns_to_s(now - line->last_sent), 0.0, LONGEST_RAMP_S);
    struct dpl_twist2 twist = dpl_drive_limiter_step(
        &line->limiter, brakes ? &line->braking : &line->limits, allowed(line), dt_s);
    line->last_sent = now;
    line->ops->command(line, dpl_drive_wheels_from_twist(&line->nominal, twist),
                       line->setpoint.enabled);
}

static void send_rest(struct dpl_wheel_line *line, dpl_ns now)
{
    dpl_drive_limiter_reset(&line->limiter, (struct dpl_twist2){0});
    line->last_sent = now;
    line->ops->command(line, (struct dpl_drive_wheels){0}, line->setpoint.enabled);
}

/* ---- measurements ---- */

/* The first measurement of a connection gives the reference for the next one; the odometry
 * continues from its pose. */
static void integrate(struct dpl_wheel_line *line, const struct dpl_wheel_feedback *feedback)
{
    struct dpl_wheel_line_sample *sample = &line->sample;
    if (sample->valid) {
        struct dpl_drive_wheels turned = {feedback->angles.left - line->last.left,
                                          feedback->angles.right - line->last.right};
        if (dpl_odometry_update(&sample->odometry, &line->odometry, turned,
                                dpl_ns_to_s(feedback->stamp - sample->stamp)) == 0) {
            sample->angles.left += turned.left;
            sample->angles.right += turned.right;
        }
    } else {
        sample->odometry.twist = (struct dpl_twist2){0};
    }
    line->last = feedback->angles;
}

void dpl_wheel_line_feed(struct dpl_wheel_line *line, const struct dpl_wheel_feedback *feedback)
{
    struct dpl_wheel_line_sample *sample = &line->sample;
    if (!line->stream || (sample->valid && feedback->stamp <= sample->stamp)) {
        return;
    }
    integrate(line, feedback);
    bool touched = feedback->pressed && !sample->pressed;
    sample->stamp = feedback->stamp;
    sample->valid = true;
    sample->has_bumper = feedback->has_bumper;
    sample->pressed = feedback->pressed;
    sample->frames++;
    line->last_feed = dpl_device_now(line->device);
    if (touched && line->properties->stop_on_bumper) {
        sample->stops++;
        send_rest(line, line->last_feed);
        dpl_device_log(line->device, DPL_LOG_WARN, "stopped by a touch");
    }
    publish(line);
    dpl_stream_settled(line->stream);
    dpl_device_found(line->device);
}

int dpl_wheel_line_write(struct dpl_wheel_line *line, const void *bytes, size_t n)
{
    return line->stream ? dpl_stream_write(line->stream, bytes, n) : -ENOTCONN;
}

/* ---- the stream ---- */

static void on_opened(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_wheel_line *line = user;
    line->stream = stream;
    line->sample.valid = line->sample.pressed = false;
    line->sample.generation++;
    line->last_feed = now;
    line->ops->opened(line, now);
    send_rest(line, now);
    publish(line);
}

static void on_data(struct dpl_stream *stream, void *user, const uint8_t *bytes, size_t n,
                    dpl_ns now)
{
    struct dpl_wheel_line *line = user;
    take_setpoint(line);
    line->ops->data(line, bytes, n, now);
}

static void on_timer(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_wheel_line *line = user;
    dpl_ns silence = line->silence;
    if (!line->sample.valid && silence < FIRST_FEEDBACK) {
        silence = FIRST_FEEDBACK;
    }
    take_setpoint(line);
    if (now - line->last_feed <= silence) {
        send_command(line, now);
        return;
    }
    send_rest(line, now);
    dpl_stream_reopen(stream, line->sample.valid ? "the base is silent" : line->no_feedback);
}

static void on_lost(struct dpl_stream *stream, void *user, const char *why)
{
    const struct dpl_wheel_line *line = user;
    dpl_device_lost(line->device, "%s: %s", line->properties->address, why);
}

static const struct dpl_stream_ops stream_ops = {
    .opened = on_opened,
    .data = on_data,
    .timer = on_timer,
    .lost = on_lost,
};

/* ---- opening and closing ---- */

static void set_limits(struct dpl_wheel_line *line)
{
    const struct dpl_wheel_line_properties *props = line->properties;
    line->limits = line->braking = line->base.motion_config.limits;
    line->braking.linear.acceleration = props->stop_m_s2;
    line->braking.angular.acceleration = 2.0 * props->stop_m_s2 / props->base.axle_m;
    line->braking.linear.jerk = line->braking.angular.jerk = 0.0;
}

int dpl_wheel_line_open(struct dpl_wheel_line *line, struct dpl_device *device,
                        const struct dpl_wheel_line_config *config, struct dpl_diag *reterr)
{
    const struct dpl_wheel_line_properties *props = config->properties;
    *line = (struct dpl_wheel_line){.device = device, .properties = props, .ops = config->ops};
    int err = dpl_wheel_base_init(&line->base, &props->base, config->lead_s, reterr);
    if (err < 0) {
        return err;
    }
    uint32_t period_ms = config->period_ms ? config->period_ms : DEFAULT_PERIOD_MS;
    line->frame = line->base.odometry.pose;
    line->nominal = line->base.nominal;
    line->odometry = line->base.odometry_config;
    line->silence = dpl_ns_from_s(props->silence_ms * 1e-3);
    line->no_feedback = config->no_feedback ? config->no_feedback : "no measurement comes";
    set_limits(line);
    dpl_odometry_init(&line->sample.odometry);
    dpl_latest_init(&line->setpoints.sync);
    dpl_latest_init(&line->samples.sync);
    struct dpl_stream_config stream = {
        .address = props->address,
        .baud = (uint32_t)props->baud,
        .timer_ms = period_ms,
        .settles = true,
        .ops = &stream_ops,
        .user = line,
    };
    return dpl_device_open_stream(device, &stream, &line->stream, reterr);
}

void dpl_wheel_line_close(struct dpl_wheel_line *line)
{
    if (!line->stream) {
        return;
    }
    send_rest(line, dpl_device_now(line->device));
    if (line->ops->closing) {
        line->ops->closing(line);
    }
    dpl_stream_close(line->stream);
    line->stream = NULL;
}
