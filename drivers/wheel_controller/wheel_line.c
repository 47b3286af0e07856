/* SPDX-License-Identifier: Apache-2.0 */
/* A wheel base on a byte stream: the part on the control thread. */
#include <doppel/drive/wheel_line.h>

#include <errno.h>

#define DEFAULT_PERIOD_MS 20
#define LONGEST_RAMP_S    0.1
#define FIRST_FEEDBACK    DPL_S /* time for a base that was just switched on or found */

/* ---- the command ---- */

void dpl_wheel_control_opened(struct dpl_wheel_control *control, dpl_ns now)
{
    control->sample.valid = control->sample.pressed = false;
    control->sample.generation++;
    dpl_wheel_control_halt(control, now);
}

bool dpl_wheel_control_set_commanded(struct dpl_wheel_control *control, bool is_commanded)
{
    bool falls = !is_commanded && !control->uncommanded;
    control->uncommanded = !is_commanded;
    if (falls) {
        control->sample.stops++;
        control->sample.late_stops++;
    }
    return falls;
}

static struct dpl_twist2 allowed(const struct dpl_wheel_control *control)
{
    const struct dpl_wheel_line_setpoint *setpoint = &control->setpoint;
    const struct dpl_wheel_line_sample *sample = &control->sample;
    if (!setpoint->enabled || !sample->valid || control->uncommanded || control->barred ||
        setpoint->generation != sample->generation || setpoint->stops != sample->stops) {
        return (struct dpl_twist2){0};
    }
    struct dpl_twist2 aim = setpoint->aim;
    if (control->blocked && aim.linear > 0.0) {
        aim.linear = 0.0;
    }
    return aim;
}

struct dpl_twist2 dpl_wheel_control_step(struct dpl_wheel_control *control, dpl_ns now)
{
    bool brakes = control->uncommanded || control->setpoint.brakes ||
                  control->setpoint.stops != control->sample.stops;
    double dt_s = dpl_clamp(dpl_ns_to_s(now - control->last_sent), 0.0, control->longest_ramp_s);
    control->last_sent = now;
    return dpl_drive_limiter_step(&control->limiter, brakes ? &control->braking : &control->limits,
                                  allowed(control), dt_s);
}

void dpl_wheel_control_halt(struct dpl_wheel_control *control, dpl_ns now)
{
    dpl_drive_limiter_reset(&control->limiter, (struct dpl_twist2){0});
    control->last_sent = now;
}

static void publish(struct dpl_wheel_line *line)
{
    line->samples.slot[dpl_latest_back(&line->samples.sync)] = line->control.sample;
    dpl_latest_publish(&line->samples.sync);
}

/* The base gets the application's command or a stop. When another device is lost, it stops at once
 * and does not wait for the cycle in which the application gets the halt. The runtime logs and
 * counts both cases. */
static void receive_setpoint(struct dpl_wheel_line *line)
{
    if (dpl_latest_update(&line->setpoints.sync)) {
        line->control.setpoint = line->setpoints.slot[dpl_latest_front(&line->setpoints.sync)];
    }
    bool may_move = dpl_device_is_commanded(line->device) && !dpl_device_is_halted(line->device);
    if (dpl_wheel_control_set_commanded(&line->control, may_move)) {
        publish(line);
    }
}

static void send_twist(struct dpl_wheel_line *line, struct dpl_twist2 twist)
{
    line->ops->command(line, dpl_drive_wheels_from_twist(&line->control.nominal, twist),
                       line->control.setpoint.enabled);
}

static void send_command(struct dpl_wheel_line *line, dpl_ns now)
{
    line->control.blocked = line->properties->stop_on_bumper && line->control.sample.pressed;
    send_twist(line, dpl_wheel_control_step(&line->control, now));
}

static void halt(struct dpl_wheel_line *line, dpl_ns now)
{
    if (line->ops->halt) {
        line->ops->halt(line, now);
        return;
    }
    dpl_wheel_control_halt(&line->control, now);
    send_twist(line, (struct dpl_twist2){0});
}

/* ---- measurements ---- */

/* The first measurement of a connection gives the reference for the next one; the odometry
 * continues from its pose. */
static void integrate(struct dpl_wheel_line *line, const struct dpl_wheel_feedback *feedback)
{
    struct dpl_wheel_line_sample *sample = &line->control.sample;
    if (sample->valid) {
        struct dpl_drive_wheels turned = {feedback->angles.left - line->last.left,
                                          feedback->angles.right - line->last.right};
        if (dpl_odometry_update(&sample->odometry, &line->control.odometry, turned,
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
    struct dpl_wheel_line_sample *sample = &line->control.sample;
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
    if (touched && line->properties->stop_on_bumper) {
        sample->stops++;
        halt(line, line->now);
        dpl_device_log(line->device, DPL_LOG_WARN, "stopped by a touch");
    }
    dpl_wheel_line_heard(line, true);
}

void dpl_wheel_line_heard(struct dpl_wheel_line *line, bool works)
{
    line->last_feed = line->now;
    publish(line);
    if (works) {
        dpl_stream_settled(line->stream);
        dpl_device_found(line->device);
    }
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
    line->now = line->last_feed = now;
    dpl_wheel_control_opened(&line->control, now);
    line->ops->opened(line, now);
    if (line->ops->command) {
        send_twist(line, (struct dpl_twist2){0});
    }
    publish(line);
}

static void on_data(struct dpl_stream *stream, void *user, const uint8_t *bytes, size_t n,
                    dpl_ns now)
{
    struct dpl_wheel_line *line = user;
    line->now = now;
    receive_setpoint(line);
    line->ops->data(line, bytes, n, now);
}

static void on_lost(struct dpl_stream *stream, void *user, const char *why)
{
    const struct dpl_wheel_line *line = user;
    dpl_device_lost(line->device, "%s: %s", line->properties->address, why);
}

/* Without a stream a base that is away is told once: then another node may drive it. */
static void lose(struct dpl_wheel_line *line, dpl_ns now, const char *why)
{
    if (!line->ops->lack || line->is_reached) {
        halt(line, now);
    }
    if (line->ops->lack) {
        line->is_reached = false;
        on_lost(line->stream, line, why);
    } else {
        dpl_stream_reopen(line->stream, why);
    }
}

/* Whether the base can be commanded; of a byte stream the stream knows it. */
static bool is_reached(struct dpl_wheel_line *line, dpl_ns now)
{
    const char *lack = line->ops->lack ? line->ops->lack(line) : NULL;
    if (lack) {
        lose(line, now, lack);
    } else if (line->ops->lack && !line->is_reached) {
        line->is_reached = true;
        on_opened(line->stream, line, now);
    }
    return !lack;
}

static void on_timer(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_wheel_line *line = user;
    line->stream = stream;
    line->now = now;
    if (!is_reached(line, now)) {
        return;
    }
    bool valid = line->control.sample.valid;
    dpl_ns silence = line->silence;
    if (!valid && silence < FIRST_FEEDBACK) {
        silence = FIRST_FEEDBACK;
    }
    if (now - line->last_feed > silence) {
        lose(line, now, valid ? line->silent : line->no_feedback);
        return;
    }
    receive_setpoint(line);
    if (line->ops->timer) {
        line->ops->timer(line, now);
    } else {
        send_command(line, now);
    }
}

static const struct dpl_stream_ops stream_ops = {
    .opened = on_opened,
    .data = on_data,
    .timer = on_timer,
    .lost = on_lost,
};

/* ---- opening and closing ---- */

static void set_control(struct dpl_wheel_line *line, const struct dpl_wheel_line_config *config)
{
    const struct dpl_wheel_line_properties *props = config->properties;
    struct dpl_wheel_control *control = &line->control;
    control->nominal = line->base.nominal;
    control->odometry = line->base.odometry_config;
    control->odometry.twist_filter_s = config->twist_filter_s;
    control->limits = control->braking = line->base.motion_config.limits;
    control->braking.linear.acceleration = props->stop_m_s2;
    control->braking.angular.acceleration = 2.0 * props->stop_m_s2 / props->base.axle_m;
    control->braking.linear.jerk = control->braking.angular.jerk = 0.0;
    control->longest_ramp_s =
        config->longest_ramp_s > 0.0 ? config->longest_ramp_s : LONGEST_RAMP_S;
    dpl_odometry_init(&control->sample.odometry);
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
    line->frame = line->base.odometry.pose;
    line->silence = dpl_ns_from_s(props->silence_ms * 1e-3);
    line->no_feedback = config->no_feedback ? config->no_feedback : "no measurement comes";
    line->silent = config->silent ? config->silent : "the base is silent";
    set_control(line, config);
    dpl_latest_init(&line->setpoints.sync);
    dpl_latest_init(&line->samples.sync);
    struct dpl_stream_config stream = {
        .address = config->ops->lack ? "timer:" : props->address,
        .baud = (uint32_t)props->baud,
        .timer_ms = config->period_ms ? config->period_ms : DEFAULT_PERIOD_MS,
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
    halt(line, dpl_device_now(line->device));
    if (line->ops->closing) {
        line->ops->closing(line);
    }
    dpl_stream_close(line->stream);
    line->stream = NULL;
}
