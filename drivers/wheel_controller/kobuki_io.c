/* SPDX-License-Identifier: Apache-2.0 */
/* Kobuki feedback to odometry, setpoints to base commands. */
#include "kobuki_io.h"

/* feedback comes every 20 ms; without it the timer sends commands */
#define COMMAND_GAP     (30 * DPL_MS)
#define REQUEST_GAP     DPL_S
#define ANSWER_PATIENCE (5 * DPL_S / 2) /* a base that has told no firmware by then is driven */
#define OUTPUT_POWER    DPL_KOBUKI_OUTPUT_POWER
#define LED1_GREEN      0x0100
#define VERSION_MAJOR   1
#define ANSWERS_TRUSTED 3 /* in a row, with one version, to refuse a base or to take it again */
/* A base that returns within this time, with a clock that continued like the host's, was not
 * switched off. Its clock wraps after 65 s; frames may be late. */
#define AWAY_MAX        (30 * DPL_S)
#define CLOCKS_APART    DPL_S
#define WHEEL_MAX_M_S   1.0 /* faster than any base of this kind */

void kobuki_io_init(struct kobuki_io *io, const struct kobuki_io_config *config,
                    struct dpl_wheel_control *control)
{
    *io = (struct kobuki_io){.config = *config, .control = control};
    dpl_kobuki_parser_init(&io->parser, 0);
    dpl_device_clock_init(&io->clock, 16);
}

/* ---- output ---- */

static void send(struct kobuki_io *io, const struct dpl_kobuki_command *command)
{
    uint8_t payload[DPL_KOBUKI_MAX_COMMAND], frame[DPL_KOBUKI_MAX_COMMAND + 4];
    int length = dpl_kobuki_command_encode(command, payload, sizeof payload);
    if (length > 0) {
        size_t n = dpl_kobuki_frame_write(payload, (size_t)length, frame);
        io->config.send(io->config.user, frame, n);
    }
}

static void request_versions(struct kobuki_io *io, dpl_ns now)
{
    io->last_request = now;
    send(io, &(struct dpl_kobuki_command){
                 .id = DPL_KOBUKI_REQUEST,
                 .request = DPL_KOBUKI_REQUEST_HARDWARE | DPL_KOBUKI_REQUEST_FIRMWARE |
                            DPL_KOBUKI_REQUEST_UDID,
             });
}

/* The power sockets for a host and its sensors stay on; the light shows whether the motors accept
 * commands. */
static void send_power(struct kobuki_io *io)
{
    bool enabled = io->control->setpoint.enabled;
    send(io, &(struct dpl_kobuki_command){
                 .id = DPL_KOBUKI_OUTPUT,
                 .output = (uint16_t)(OUTPUT_POWER | (enabled ? LED1_GREEN : 0)),
             });
    io->power_sent = enabled;
}

/* The base converts (v, w) to wheel speeds with the geometry in its firmware: it gets the (v, w)
 * that results in the wheel speeds of the nominal geometry. */
static void send_twist(struct kobuki_io *io, struct dpl_twist2 twist)
{
    static const struct dpl_drive_geometry firmware = {
        DPL_KOBUKI_WHEEL_RADIUS_M, DPL_KOBUKI_WHEEL_RADIUS_M, DPL_KOBUKI_AXLE_M};
    struct dpl_drive_wheels wheels = dpl_drive_wheels_from_twist(&io->control->nominal, twist);
    struct dpl_kobuki_base base = dpl_kobuki_base_from_twist(
        dpl_drive_twist_from_wheels(&firmware, wheels), DPL_KOBUKI_AXLE_M);
    send(io, &(struct dpl_kobuki_command){
                 .id = DPL_KOBUKI_BASE,
                 .base = {.speed_mm_s = base.speed_mm_s, .radius_mm = base.radius_mm},
             });
}

/* Another firmware may understand other commands: nothing moves before it is known, or while it is
 * refused. */
static bool may_be_foreign(const struct kobuki_io *io)
{
    return io->verdict == KOBUKI_FIRMWARE_UNKNOWN || io->verdict == KOBUKI_FIRMWARE_REFUSED;
}

/* With a hanging wheel the base must not move; after a contact or at an edge in front it must not
 * drive forward, but may drive backward and turn. */
static void command(struct kobuki_io *io, dpl_ns now)
{
    struct dpl_wheel_control *control = io->control;
    bool stops = io->config.stop_on_bumper;
    control->barred = may_be_foreign(io) || (stops && control->sample.details.wheel_drop != 0);
    control->blocked =
        stops && (control->sample.details.bumper != 0 || control->sample.details.cliff != 0);
    if (control->setpoint.enabled != io->power_sent) {
        send_power(io);
    }
    send_twist(io, dpl_wheel_control_step(control, now));
}

void kobuki_io_halt(struct kobuki_io *io, dpl_ns now)
{
    dpl_wheel_control_halt(io->control, now);
    send_twist(io, (struct dpl_twist2){0});
}

/* ---- input ---- */

static enum kobuki_verdict verdict_of(struct dpl_kobuki_version version)
{
    unsigned minor = dpl_kobuki_version_minor(version), patch = dpl_kobuki_version_patch(version);
    bool is_good = (minor == 1 && patch == 4) || (minor == 2 && patch == 0);
    if (dpl_kobuki_version_major(version) != VERSION_MAJOR) {
        return KOBUKI_FIRMWARE_REFUSED;
    }
    return is_good ? KOBUKI_FIRMWARE_GOOD : KOBUKI_FIRMWARE_UNTESTED;
}

/* Whether an answer that changes whether the base is refused is trusted by now. One frame can be
 * wrong and still have the right checksum, which is a single byte. */
static bool is_trusted(struct kobuki_io *io, struct dpl_kobuki_version version)
{
    bool is_same = io->n_doubted > 0 && io->doubted.size == version.size &&
                   io->doubted.number == version.number;
    io->doubted = version;
    io->n_doubted = is_same ? io->n_doubted + 1 : 1;
    return io->n_doubted >= ANSWERS_TRUSTED;
}

static void check_firmware(struct kobuki_io *io, struct dpl_kobuki_version version, dpl_ns now)
{
    enum kobuki_verdict verdict = verdict_of(version);
    bool was_refused = io->verdict == KOBUKI_FIRMWARE_REFUSED;
    bool changes = (verdict == KOBUKI_FIRMWARE_REFUSED) != was_refused;
    if (changes && !is_trusted(io, version)) {
        request_versions(io, now);
        return;
    }
    io->n_doubted = 0;
    io->firmware = version;
    io->verdict = verdict;
}

/* Turn since the frame before, by the gyro; a frame without one, and the first one, count as by the
 * wheels. */
static double gyro_turned(struct kobuki_io *io, const struct dpl_kobuki_feedback *feedback,
                          double by_wheels)
{
    struct dpl_wheel_line_sample *sample = &io->control->sample;
    double turned = by_wheels;
    if (dpl_kobuki_feedback_has(feedback, DPL_KOBUKI_INERTIA)) {
        double heading = dpl_kobuki_angle_rad(&feedback->inertia);
        turned = io->heading_known ? dpl_wrap_angle(heading - io->last_heading_rad) : by_wheels;
        io->last_heading_rad = heading;
        io->heading_known = true;
        sample->has_gyro = true;
    }
    sample->gyro_rad += turned;
    return turned;
}

static double heading_turned(struct kobuki_io *io, const struct dpl_kobuki_feedback *feedback,
                             double by_wheels)
{
    double by_gyro = gyro_turned(io, feedback, by_wheels);
    return io->config.heading == KOBUKI_HEADING_WHEELS ? by_wheels : by_gyro;
}

static void integrate(struct kobuki_io *io, const struct dpl_kobuki_feedback *feedback,
                      dpl_ns stamp)
{
    const struct dpl_drive_geometry *geometry = &io->control->odometry.geometry;
    const struct dpl_kobuki_core *core = &feedback->core;
    struct dpl_wheel_line_sample *sample = &io->control->sample;
    int left = dpl_kobuki_tick_delta(io->last.encoder_left, core->encoder_left);
    int right = dpl_kobuki_tick_delta(io->last.encoder_right, core->encoder_right);
    struct dpl_drive_wheels turned = {left * io->config.tick_rad, right * io->config.tick_rad};
    sample->angles.left += turned.left;
    sample->angles.right += turned.right;
    io->rolled_m.left += turned.left * geometry->wheel_radius_left_m;
    io->rolled_m.right += turned.right * geometry->wheel_radius_right_m;
    struct dpl_twist2 step = dpl_drive_twist_from_wheels(geometry, turned);
    step.angular = heading_turned(io, feedback, step.angular);
    dpl_odometry_update(&sample->odometry, &io->control->odometry,
                        dpl_drive_wheels_from_twist(geometry, step),
                        dpl_ns_to_s(stamp - sample->stamp));
    sample->odometry.rolled_m = io->rolled_m;
}

/* A new contact, edge or hanging wheel stops the base at once. */
static void watch_contacts(struct kobuki_io *io, const struct dpl_kobuki_core *core, dpl_ns now)
{
    struct dpl_wheel_line_sample *sample = &io->control->sample;
    bool dropped = (core->wheel_drop & ~sample->details.wheel_drop) != 0;
    bool at_edge = (core->cliff & ~sample->details.cliff) != 0;
    bool touched = (core->bumper & ~sample->details.bumper) != 0;
    sample->details.bumper = core->bumper;
    sample->details.cliff = core->cliff;
    sample->details.wheel_drop = core->wheel_drop;
    sample->pressed = core->bumper != 0;
    if ((dropped || at_edge || touched) && io->config.stop_on_bumper) {
        sample->stops++;
        io->stopped_by = dropped   ? KOBUKI_STOP_WHEEL_DROP
                         : at_edge ? KOBUKI_STOP_EDGE
                                   : KOBUKI_STOP_TOUCH;
        kobuki_io_halt(io, now);
    }
}

/* Whether a first frame continues the previous connection: then the wheel counters continue too. */
static bool continues(const struct kobuki_io *io, const struct dpl_kobuki_core *core, dpl_ns now)
{
    dpl_ns away = now - io->last_arrival;
    dpl_ns by_its_clock = (uint16_t)(core->time_ms - io->last.time_ms) * DPL_MS;
    dpl_ns apart = away - by_its_clock;
    if (io->last_arrival == 0 || away > AWAY_MAX || apart > CLOCKS_APART || -apart > CLOCKS_APART) {
        return false;
    }
    const struct dpl_drive_geometry *geometry = &io->control->odometry.geometry;
    double left = dpl_kobuki_tick_delta(io->last.encoder_left, core->encoder_left);
    double right = dpl_kobuki_tick_delta(io->last.encoder_right, core->encoder_right);
    double most = WHEEL_MAX_M_S * dpl_ns_to_s(away) / io->config.tick_rad;
    return fabs(left) * geometry->wheel_radius_left_m <= most &&
           fabs(right) * geometry->wheel_radius_right_m <= most;
}

/* The first frame of a connection. */
static void begin_core(struct kobuki_io *io, const struct dpl_kobuki_feedback *feedback,
                       dpl_ns stamp, dpl_ns now)
{
    struct dpl_wheel_line_sample *sample = &io->control->sample;
    if (continues(io, &feedback->core, now)) {
        integrate(io, feedback, stamp);
    } else {
        io->heading_known = false;
        heading_turned(io, feedback, 0.0);
    }
    sample->odometry.twist = (struct dpl_twist2){0};
}

static void apply_core(struct kobuki_io *io, const struct dpl_kobuki_feedback *feedback, dpl_ns now)
{
    const struct dpl_kobuki_core *core = &feedback->core;
    struct dpl_wheel_line_sample *sample = &io->control->sample;
    dpl_ns stamp = io->config.stamp == KOBUKI_STAMP_DEVICE
                       ? dpl_device_clock_map(&io->clock, core->time_ms, now)
                       : now;
    if (!sample->valid) {
        begin_core(io, feedback, stamp, now);
        sample->stamp = stamp;
    } else if (stamp > sample->stamp) {
        integrate(io, feedback, stamp);
        sample->stamp = stamp;
    } else {
        return; /* the clock's filter has just improved: the next frame has these ticks too */
    }
    sample->valid = true;
    sample->details.battery_v = core->battery_decivolt * 0.1;
    sample->details.charger = core->charger;
    io->last = *core;
    io->last_arrival = now > 0 ? now : 1;
}

static bool apply_frame(struct kobuki_io *io, const struct dpl_kobuki_frame *frame, dpl_ns now)
{
    struct dpl_kobuki_feedback feedback;
    if (dpl_kobuki_feedback_decode(frame->payload, frame->length, &feedback, NULL) < 0) {
        return false;
    }
    if (dpl_kobuki_feedback_has(&feedback, DPL_KOBUKI_FIRMWARE)) {
        check_firmware(io, feedback.firmware, now);
    }
    if (dpl_kobuki_feedback_has(&feedback, DPL_KOBUKI_HARDWARE)) {
        io->hardware = feedback.hardware;
    }
    if (!dpl_kobuki_feedback_has(&feedback, DPL_KOBUKI_CORE)) {
        return false;
    }
    apply_core(io, &feedback, now);
    watch_contacts(io, &feedback.core, now);
    return true;
}

bool kobuki_io_data(struct kobuki_io *io, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct dpl_wheel_line_sample *sample = &io->control->sample;
    const struct dpl_kobuki_parser before = io->parser;
    struct dpl_byte_view input = {bytes, n};
    struct dpl_kobuki_frame frame;
    bool any = false;
    while (dpl_kobuki_parser_next(&io->parser, &input, &frame)) {
        any |= apply_frame(io, &frame, now);
    }
    sample->frames += io->parser.frames - before.frames;
    sample->details.checksum_errors +=
        (int64_t)(io->parser.checksum_errors - before.checksum_errors);
    sample->details.dropped_bytes += (int64_t)(io->parser.dropped_bytes - before.dropped_bytes);
    if (any) {
        command(io, now);
    }
    return any;
}

/* ---- connection ---- */

void kobuki_io_opened(struct kobuki_io *io, dpl_ns now)
{
    dpl_kobuki_parser_init(&io->parser, 0);
    dpl_device_clock_init(&io->clock, 16);
    struct dpl_wheel_line_sample *sample = &io->control->sample;
    sample->has_bumper = true;
    sample->details.bumper = sample->details.cliff = sample->details.wheel_drop = 0;
    io->verdict = KOBUKI_FIRMWARE_UNKNOWN;
    io->opened_at = now;
    io->n_doubted = 0;
    send_twist(io, (struct dpl_twist2){0});
    send_power(io);
    request_versions(io, now);
}

void kobuki_io_timer(struct kobuki_io *io, dpl_ns now)
{
    if (now - io->control->last_sent >= COMMAND_GAP) {
        command(io, now);
    }
    if (io->verdict == KOBUKI_FIRMWARE_UNKNOWN && io->n_doubted == 0 && io->control->sample.valid &&
        now - io->opened_at > ANSWER_PATIENCE) {
        io->verdict = KOBUKI_FIRMWARE_UNTOLD;
    }
    bool asks = may_be_foreign(io) || io->verdict == KOBUKI_FIRMWARE_UNTOLD;
    if (asks && now - io->last_request >= REQUEST_GAP) {
        request_versions(io, now);
    }
}
