/* SPDX-License-Identifier: Apache-2.0 */
/* A SCIP 2 device, one request at a time. Some statuses (TM 01..04, SS 02) are from general
 * knowledge of the SCIP 2.0 documents. */
#include "urg_scanner.h"

#include <string.h>

#include "urg_replies.h"

#define REPLY_MAX 20480

void urg_init(struct urg_scanner *urg, const struct urg_config *config)
{
    memset(urg, 0, sizeof *urg);
    urg->config = *config;
    urg->is_scip11 = config->is_scip11;
    urg->baud = DPL_SCIP_FIRST_BAUD;
    dpl_scip_lines_init(&urg->lines, true);
}

void urg_connected(struct urg_scanner *urg)
{
    dpl_scip_lines_init(&urg->lines, true);
    urg->is_streaming = urg->is_once_asked = false;
}

/* ---- scans ---- */

static void send_scan(struct urg_scanner *urg, const struct dpl_scip_request *request,
                      unsigned remaining, dpl_ns now)
{
    char out[REPLY_MAX];
    struct dpl_scip_writer writer = dpl_scip_writer_on(out, sizeof out);
    struct dpl_scip_measurement measurement = {
        .stamp_ms = urg_stamp_of(urg, urg->stamp),
        .ranges_mm = urg->ranges_mm,
        .intensities = urg->intensities,
        .steps = urg->steps,
        .echoes = 1,
        .range_min_mm = urg->config.geometry.range_min_mm,
    };
    if (dpl_scip_write_scan(&writer, request, remaining, &measurement) == 0 && !writer.overflow) {
        urg->scans_sent++;
        urg->config.send(urg->config.user, out, writer.length, now);
    }
}

static void switch_off(struct urg_scanner *urg)
{
    urg->is_laser_on = urg->is_streaming = urg->is_once_asked = urg->has_scan = false;
}

/* A stream that has turned the laser on turns it off after its last scan. */
static void stream_scan(struct urg_scanner *urg, dpl_ns now)
{
    if (urg->to_skip > 0) {
        urg->to_skip--;
        return;
    }
    urg->to_skip = urg->stream.scan.interval;
    bool is_endless = urg->stream.scan.count == 0;
    if (!is_endless) {
        urg->remaining--;
    }
    send_scan(urg, &urg->stream, urg->remaining, now);
    if (!is_endless && urg->remaining == 0) {
        urg->is_streaming = false;
        if (urg->is_laser_borrowed) {
            switch_off(urg);
        }
    }
}

/* High when near, approximately as for real scanners. */
static uint32_t intensity_of(uint32_t mm)
{
    return mm < 20 ? 0 : 4000000u / (mm + 1000u);
}

void urg_measured(struct urg_scanner *urg, const uint32_t *ranges_mm, size_t steps, dpl_ns stamp,
                  dpl_ns now)
{
    if (!urg->is_laser_on) {
        return;
    }
    urg->steps = steps < DPL_SCIP_MAX_STEPS ? steps : DPL_SCIP_MAX_STEPS;
    for (size_t i = 0; i < urg->steps; i++) {
        urg->ranges_mm[i] = ranges_mm[i];
        urg->intensities[i] = intensity_of(ranges_mm[i]);
    }
    urg->stamp = stamp;
    urg->has_scan = true;
    if (urg->is_once_asked) {
        urg->is_once_asked = false;
        send_scan(urg, &urg->once, 0, now);
    }
    if (urg->is_streaming) {
        stream_scan(urg, now);
    }
}

static void start_stream(struct urg_scanner *urg, const struct dpl_scip_request *request,
                         dpl_ns now)
{
    urg->is_laser_borrowed = !urg->is_laser_on || (urg->is_laser_borrowed && urg->is_streaming);
    urg->is_laser_on = urg->is_streaming = true;
    urg->stream = *request;
    urg->remaining = request->scan.count;
    urg->to_skip = 0;
    urg_answer(urg, request, DPL_SCIP_OK, now);
}

static void scan_once(struct urg_scanner *urg, const struct dpl_scip_request *request, dpl_ns now)
{
    if (!urg->is_laser_on) {
        urg_answer(urg, request, DPL_SCIP_LASER_OFF, now);
    } else if (urg->has_scan) {
        send_scan(urg, request, 0, now);
    } else { /* just turned on: with its first turn */
        urg->once = *request;
        urg->is_once_asked = true;
    }
}

static void scan(struct urg_scanner *urg, const struct dpl_scip_request *request, dpl_ns now)
{
    const char *status;
    bool is_unknown = dpl_scip_range_chars(request->scan.encoding) == 0 ||
                      (dpl_scip_is_multi_echo(request) && !urg->config.identity->has_echoes);
    if (is_unknown || urg->is_time_mode) {
        urg_answer(urg, request, DPL_SCIP_UNKNOWN, now);
    } else if (dpl_scip_request_check(request, &urg->config.geometry, &status) < 0) {
        urg_answer(urg, request, status, now);
    } else if (dpl_scip_is_stream(request)) {
        start_stream(urg, request, now);
    } else {
        scan_once(urg, request, now);
    }
}

/* ---- other requests ---- */

static const char *turn_on(struct urg_scanner *urg)
{
    if (urg->is_time_mode) {
        return DPL_SCIP_UNKNOWN;
    }
    if (urg->is_laser_on) {
        urg->is_laser_borrowed = false;
        return DPL_SCIP_LASER_ON_ALREADY;
    }
    urg->is_laser_on = true;
    urg->is_laser_borrowed = false;
    return DPL_SCIP_OK;
}

static const char *quit(struct urg_scanner *urg)
{
    if (urg->is_time_mode) {
        return DPL_SCIP_UNKNOWN;
    }
    switch_off(urg);
    return DPL_SCIP_OK;
}

static const char *reset(struct urg_scanner *urg, bool all, dpl_ns now)
{
    switch_off(urg);
    urg->is_time_mode = false;
    if (all) {
        urg->baud = DPL_SCIP_FIRST_BAUD;
        urg->motor = 0;
        urg->clock_zero = now;
    }
    return DPL_SCIP_OK;
}

static const char *reboot(struct urg_scanner *urg, bool was_asked, dpl_ns now)
{
    if (!was_asked) {
        urg->is_reboot_asked = true;
        return DPL_SCIP_BAD_START;
    }
    reset(urg, true, now);
    return DPL_SCIP_OK;
}

static const char *change_baud(struct urg_scanner *urg, unsigned baud)
{
    static const unsigned known[] = {19200, 38400, 57600, 115200, 250000, 500000, 750000};
    if (urg->config.is_ethernet) {
        return DPL_SCIP_UNKNOWN_ETHERNET;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i] == baud) {
            const char *status = urg->baud == baud ? "03" : DPL_SCIP_OK;
            urg->baud = baud;
            return status;
        }
    }
    return "02";
}

static void time_mode(struct urg_scanner *urg, const struct dpl_scip_request *request, dpl_ns now)
{
    bool is_on = urg->is_time_mode;
    if (request->parameter == 1 && is_on) {
        char out[64];
        struct dpl_scip_writer writer = dpl_scip_writer_on(out, sizeof out);
        dpl_scip_write_time(&writer, request, urg_stamp_of(urg, now));
        urg->config.send(urg->config.user, out, writer.length, now);
        return;
    }
    const char *status = "04";
    if (request->parameter == 0) {
        status = is_on ? "02" : DPL_SCIP_OK;
        switch_off(urg);
        urg->is_time_mode = true;
    } else if (request->parameter == 2) {
        status = is_on ? DPL_SCIP_OK : "03";
        urg->is_time_mode = false;
    }
    urg_answer(urg, request, status, now);
}

static const char *fall_asleep(struct urg_scanner *urg)
{
    if (urg->is_time_mode) {
        return DPL_SCIP_UNKNOWN;
    }
    switch_off(urg);
    urg->is_asleep = true;
    return DPL_SCIP_OK;
}

/* Requests that are answered with a status only. */
static const char *obey(struct urg_scanner *urg, const struct dpl_scip_request *request,
                        bool was_reboot_asked, dpl_ns now)
{
    switch (request->command) {
    case DPL_SCIP_LASER_ON: return turn_on(urg);
    case DPL_SCIP_QUIT: return quit(urg);
    case DPL_SCIP_RESET: return reset(urg, true, now);
    case DPL_SCIP_RESET_PART: return reset(urg, false, now);
    case DPL_SCIP_REBOOT: return reboot(urg, was_reboot_asked, now);
    case DPL_SCIP_BAUD: return change_baud(urg, request->parameter);
    case DPL_SCIP_MOTOR: urg->motor = request->parameter; return DPL_SCIP_OK;
    case DPL_SCIP_SLEEP: return fall_asleep(urg);
    case DPL_SCIP_SENSITIVE:
    case DPL_SCIP_SCIP20: return DPL_SCIP_OK;
    default: return DPL_SCIP_UNKNOWN;
    }
}

/* Requests that do not wake a sleeping scanner. */
static bool only_asks(enum dpl_scip_command command)
{
    return command == DPL_SCIP_EMPTY || command == DPL_SCIP_VERSION ||
           command == DPL_SCIP_PARAMETERS || command == DPL_SCIP_STATE ||
           command == DPL_SCIP_CONDITION || command == DPL_SCIP_SLEEP;
}

static void serve(struct urg_scanner *urg, const struct dpl_scip_request *request, dpl_ns now)
{
    bool was_reboot_asked = urg->is_reboot_asked;
    urg->is_reboot_asked = false;
    urg->is_asleep = urg->is_asleep && only_asks(request->command);
    switch (request->command) {
    case DPL_SCIP_EMPTY: break;
    case DPL_SCIP_VERSION: urg_answer_version(urg, request, now); break;
    case DPL_SCIP_PARAMETERS: urg_answer_parameters(urg, request, now); break;
    case DPL_SCIP_STATE: urg_answer_state(urg, request, now); break;
    case DPL_SCIP_CONDITION: urg_answer_condition(urg, request, now); break;
    case DPL_SCIP_TIME: time_mode(urg, request, now); break;
    case DPL_SCIP_SCAN: scan(urg, request, now); break;
    default: urg_answer(urg, request, obey(urg, request, was_reboot_asked, now), now); break;
    }
}

static void leave_scip11(struct urg_scanner *urg, struct dpl_scip_line line, dpl_ns now)
{
    char out[32];
    struct dpl_scip_writer writer = dpl_scip_writer_on(out, sizeof out);
    urg->is_scip11 = false;
    dpl_scip_write_scip11(&writer, line.text, line.length, '0');
    urg->config.send(urg->config.user, out, writer.length, now);
}

static void handle_line(struct urg_scanner *urg, struct dpl_scip_line line, dpl_ns now)
{
    struct dpl_scip_request request;
    const char *status = DPL_SCIP_UNKNOWN;
    int err =
        line.too_long ? -1 : dpl_scip_request_parse(line.text, line.length, &request, &status);
    if (err == 0 && request.command == DPL_SCIP_EMPTY) {
        return;
    }
    urg->requests++;
    if (err == 0 && urg->is_scip11 && request.command == DPL_SCIP_SCIP20) {
        leave_scip11(urg, line, now);
    } else if (err != 0 || urg->is_scip11) {
        urg_refuse_line(urg, line, status, now);
    } else {
        serve(urg, &request, now);
    }
}

void urg_receive(struct urg_scanner *urg, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct dpl_byte_view input = {bytes, n};
    struct dpl_scip_line line;
    while (dpl_scip_lines_next(&urg->lines, &input, &line)) {
        handle_line(urg, line, now);
    }
}
