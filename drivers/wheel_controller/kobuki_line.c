/* SPDX-License-Identifier: Apache-2.0 */
/* The line to a Kobuki base: the part on the control thread. */
#include "kobuki_line.h"

#include <errno.h>

#define TIMER_MS    20
#define FIRST_FRAME DPL_S /* time for a base that was just switched on or found */

static int write_bytes(void *user, const void *bytes, size_t n)
{
    const struct kobuki_line *line = user;
    return line->stream ? dpl_stream_write(line->stream, bytes, n) : -ENOTCONN;
}

static void publish(struct kobuki_line *line)
{
    line->samples.slot[dpl_latest_back(&line->samples.sync)] = line->io.sample;
    dpl_latest_publish(&line->samples.sync);
}

static void take_setpoint(struct kobuki_line *line)
{
    if (dpl_latest_update(&line->setpoints.sync)) {
        line->io.setpoint = line->setpoints.slot[dpl_latest_front(&line->setpoints.sync)];
    }
}

static void tell_firmware(struct kobuki_line *line)
{
    struct dpl_kobuki_version v = line->io.firmware;
    unsigned major = dpl_kobuki_version_major(v), minor = dpl_kobuki_version_minor(v),
             patch = dpl_kobuki_version_patch(v);
    if (line->io.verdict == line->told) {
        return;
    }
    line->told = line->io.verdict;
    switch (line->told) {
    case KOBUKI_FIRMWARE_UNKNOWN: break;
    case KOBUKI_FIRMWARE_GOOD:
        dpl_device_log(line->device, DPL_LOG_INFO, "Kobuki with firmware %u.%u.%u", major, minor,
                       patch);
        break;
    case KOBUKI_FIRMWARE_UNTESTED:
        dpl_device_log(line->device, DPL_LOG_WARN,
                       "Kobuki with firmware %u.%u.%u; 1.1.4 or 1.2.0 is recommended", major, minor,
                       patch);
        break;
    case KOBUKI_FIRMWARE_REFUSED:
        dpl_device_lost(line->device,
                        "its firmware %u.%u.%u uses another protocol; this driver needs 1.x, "
                        "1.1.4 or 1.2.0 recommended",
                        major, minor, patch);
        break;
    }
}

static void tell_contact(struct kobuki_line *line)
{
    const struct kobuki_sample *sample = &line->io.sample;
    uint64_t contacts = sample->stops - sample->late_stops;
    if (contacts != line->bumped) {
        line->bumped = contacts;
        static const char *const causes[] = {
            [KOBUKI_STOP_TOUCH] = "stopped by a touch",
            [KOBUKI_STOP_EDGE] = "stopped at an edge",
            [KOBUKI_STOP_WHEEL_DROP] = "held, a wheel hangs",
        };
        dpl_device_log(line->device, DPL_LOG_WARN, "%s: bumper %u, cliff %u, wheel drop %u",
                       causes[sample->stopped_by], sample->bumper, sample->cliff,
                       sample->wheel_drop);
    }
}

/* This thread sends the application's command or a stop. When another device is lost, it stops at
 * once and does not wait for the cycle in which the application gets the halt. The runtime logs and
 * counts both cases. */
static void ask_for_commander(struct kobuki_line *line)
{
    take_setpoint(line);
    bool may_move = dpl_device_is_commanded(line->device) && !dpl_device_is_halted(line->device);
    if (kobuki_io_set_commanded(&line->io, may_move)) {
        publish(line);
    }
}

static void on_opened(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct kobuki_line *line = user;
    line->stream = stream;
    kobuki_io_opened(&line->io, now);
    publish(line);
}

static void on_data(struct dpl_stream *stream, void *user, const uint8_t *bytes, size_t n,
                    dpl_ns now)
{
    struct kobuki_line *line = user;
    ask_for_commander(line);
    if (!kobuki_io_data(&line->io, bytes, n, now)) {
        return;
    }
    publish(line);
    tell_firmware(line);
    tell_contact(line);
    if (line->io.verdict != KOBUKI_FIRMWARE_REFUSED) {
        dpl_stream_settled(stream);
        dpl_device_found(line->device);
    }
}

static void on_timer(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct kobuki_line *line = user;
    dpl_ns silence = line->silence;
    if (!line->io.sample.valid && silence < FIRST_FRAME) {
        silence = FIRST_FRAME;
    }
    if (now - line->io.last_frame <= silence) {
        ask_for_commander(line);
        kobuki_io_timer(&line->io, now);
        return;
    }
    kobuki_io_halt(&line->io, now);
    dpl_stream_reopen(stream, line->io.sample.valid
                                  ? "the base has fallen silent"
                                  : "nothing on this port speaks as a Kobuki does");
}

static void on_lost(struct dpl_stream *stream, void *user, const char *why)
{
    (void)stream;
    const struct kobuki_line *line = user;
    dpl_device_lost(line->device, "%s: %s", line->address, why);
}

static const struct dpl_stream_ops stream_ops = {
    .opened = on_opened,
    .data = on_data,
    .timer = on_timer,
    .lost = on_lost,
};

/* ---- opening and closing ---- */

int kobuki_line_open(struct kobuki_line *line, struct dpl_device *device,
                     const struct kobuki_line_config *config, struct dpl_diag *reterr)
{
    line->device = device;
    line->address = config->address;
    line->silence = config->silence;
    dpl_latest_init(&line->setpoints.sync);
    dpl_latest_init(&line->samples.sync);
    struct kobuki_io_config io = config->io;
    io.send = write_bytes;
    io.user = line;
    kobuki_io_init(&line->io, &io);
    struct dpl_stream_config stream = {
        .address = config->address,
        .baud = config->baud,
        .timer_ms = TIMER_MS,
        .settles = true,
        .ops = &stream_ops,
        .user = line,
    };
    return dpl_device_open_stream(device, &stream, &line->stream, reterr);
}

void kobuki_line_close(struct kobuki_line *line)
{
    if (!line->stream) {
        return;
    }
    kobuki_io_halt(&line->io, dpl_device_now(line->device));
    dpl_stream_close(line->stream);
    line->stream = NULL;
}

/* ---- the thread of the calls ---- */

void kobuki_line_command(struct kobuki_line *line, const struct kobuki_setpoint *setpoint)
{
    line->setpoints.slot[dpl_latest_back(&line->setpoints.sync)] = *setpoint;
    dpl_latest_publish(&line->setpoints.sync);
}

const struct kobuki_sample *kobuki_line_newest(struct kobuki_line *line)
{
    bool is_new = dpl_latest_update(&line->samples.sync);
    return is_new ? &line->samples.slot[dpl_latest_front(&line->samples.sync)] : NULL;
}
