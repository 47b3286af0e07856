/* SPDX-License-Identifier: Apache-2.0 */
/* A SCIP host as a table of steps: the request of each step, and the step after its answer. */
#include "scip_host.h"

#include <stdio.h>
#include <string.h>

#include <doppel/drv/laser_scanner.h>

#define ANSWER_TIME (140 * DPL_MS)
/* a cold scanner may answer BM or send its first scan after this time */
#define SPIN_UP     (2 * DPL_S)
#define TRIES_MAX   3
#define TIME_READS  5
#define LAG_SAMPLES 20
#define LEAST_TURNS 2.5 /* one scan may be lost, and the next be half a turn late */
#define GIVE_UP     (500 * DPL_MS)

struct step_row {
    enum dpl_scip_command command;
    unsigned parameter;
    enum scip_step then;    /* after an answer of 00 */
    enum scip_step or_else; /* after another answer */
    enum scip_step unheard; /* after TRIES_MAX attempts without an answer */
    bool gives_up;          /* instead of `unheard` */
};

static const struct step_row steps[] = {
    [SCIP_QUIT] = {DPL_SCIP_QUIT, 0, SCIP_VERSION, SCIP_TO_SCIP20, SCIP_TO_SCIP20, false},
    [SCIP_TO_SCIP20] = {DPL_SCIP_SCIP20, 0, SCIP_VERSION, SCIP_VERSION, SCIP_VERSION, true},
    [SCIP_LEAVE_TIME] = {DPL_SCIP_TIME, 2, SCIP_QUIT, SCIP_QUIT, SCIP_QUIT, true},
    [SCIP_VERSION] = {DPL_SCIP_VERSION, 0, SCIP_PARAMETERS, SCIP_PARAMETERS, SCIP_PARAMETERS, true},
    [SCIP_PARAMETERS] = {DPL_SCIP_PARAMETERS, 0, SCIP_ENTER_TIME, SCIP_QUIT, SCIP_QUIT, true},
    [SCIP_ENTER_TIME] = {DPL_SCIP_TIME, 0, SCIP_READ_TIME, SCIP_IDLE, SCIP_IDLE, false},
    [SCIP_READ_TIME] = {DPL_SCIP_TIME, 1, SCIP_READ_TIME, SCIP_EXIT_TIME, SCIP_EXIT_TIME, false},
    [SCIP_EXIT_TIME] = {DPL_SCIP_TIME, 2, SCIP_IDLE, SCIP_IDLE, SCIP_IDLE, true},
    [SCIP_LASER_ON] = {DPL_SCIP_LASER_ON, 0, SCIP_STREAM, SCIP_STREAM, SCIP_STREAM, true},
    [SCIP_LASER_OFF] = {DPL_SCIP_QUIT, 0, SCIP_IDLE, SCIP_IDLE, SCIP_IDLE, true},
};

void scip_host_init(struct scip_host *host, const struct scip_host_config *config)
{
    memset(host, 0, sizeof *host);
    host->config = *config;
    dpl_scip_reply_parser_init(&host->parser);
    dpl_device_clock_init(&host->clock, 24);
}

static void send_request(struct scip_host *host, const struct dpl_scip_request *request, dpl_ns now)
{
    char line[DPL_SCIP_MAX_REQUEST + 2];
    memcpy(line, request->text, request->length);
    line[request->length] = '\n';
    host->sent_at = now;
    host->tries++;
    host->config.send(host->config.user, line, request->length + 1);
}

static void send_step(struct scip_host *host, dpl_ns now)
{
    if (host->step == SCIP_STREAM) {
        host->pending = host->stream;
    } else {
        const struct step_row *row = &steps[host->step];
        dpl_scip_request_plain(row->command, row->parameter, &host->pending);
    }
    send_request(host, &host->pending, now);
}

static void go(struct scip_host *host, enum scip_step step, dpl_ns now)
{
    host->step = step;
    host->tries = 0;
    host->heard_at = now;
    if (step != SCIP_IDLE && step != SCIP_STREAMING) {
        send_step(host, now);
    }
}

static enum scip_event fail(struct scip_host *host, const char *why)
{
    host->why = why;
    return SCIP_FAILED;
}

/* ---- time ---- */

/* The answer was stamped at a time between request and arrival; the shortest round trip gives the
 * best estimate. */
static void take_time(struct scip_host *host, uint32_t stamp_ms, dpl_ns now)
{
    dpl_ns round_trip = now - host->sent_at;
    host->reads++;
    if (host->offset_known && round_trip >= host->round_trip) {
        return;
    }
    host->offset_known = true;
    host->round_trip = round_trip;
    host->offset_ms = stamp_ms;
    host->offset = now - round_trip / 2;
}

/* The time when the scanner's clock showed `stamp_ms`, from the answer to TM1. */
static dpl_ns by_answer(const struct scip_host *host, uint32_t stamp_ms)
{
    return host->offset + dpl_scip_stamp_delta_ms(host->offset_ms, stamp_ms) * DPL_MS;
}

/* The minimum filter gives the earliest arrival of a scan with this stamp. The arrival is later
 * than the measurement by the turn and the transmission. The first scans give this delay, together
 * with the answers to TM1. */
static void stamp_scan(struct scip_host *host, uint32_t stamp_ms, dpl_ns now)
{
    dpl_ns earliest = dpl_device_clock_map(&host->clock, stamp_ms, now);
    if (!host->config.device_stamps) {
        host->stamp = now;
        return;
    }
    if (host->offset_known && host->lag_samples < LAG_SAMPLES) {
        dpl_ns lag = earliest - by_answer(host, stamp_ms);
        bool is_least = host->lag_samples == 0 || lag < host->lag;
        host->lag = lag < 0 ? 0 : is_least ? lag : host->lag;
        host->lag_samples++;
    }
    host->stamp = earliest - host->lag;
}

/* ---- replies ---- */

static enum scip_event take_parameters(struct scip_host *host, dpl_ns now)
{
    const struct dpl_scip_reply *reply = &host->parser.reply;
    struct dpl_scip_geometry geometry;
    const char *key;
    if (dpl_scip_reply_geometry(reply, &geometry, &key) < 0 ||
        dpl_scip_geometry_check(&geometry, &key) < 0) {
        return fail(host, "its answer to PP is not valid");
    }
    host->geometry = geometry;
    /* Until TM1 gives a better value: a scan is sent when its last step is measured. */
    host->lag = dpl_scip_scan_period_ns(&geometry) * (geometry.end_step - geometry.first_step) /
                geometry.steps_per_turn;
    struct dpl_scip_scan_fields fields = {
        .family = 'M',
        .encoding = host->config.intensity ? 'E' : 'D',
        .start = (uint16_t)geometry.first_step,
        .end = (uint16_t)geometry.end_step,
        .cluster = host->config.cluster,
        .interval = host->config.interval,
    };
    if (dpl_scip_request_scan(fields, &host->stream) < 0) {
        return fail(host, "its steps do not fit a request");
    }
    if (dpl_scip_scan_values(&fields) > DPL_LASER_RANGES_MAX) {
        return fail(host, "its scans have more ranges than there is room for: Cluster merges some");
    }
    go(host, SCIP_ENTER_TIME, now);
    return SCIP_NOTHING;
}

static void take_version(struct scip_host *host)
{
    const struct dpl_scip_reply *reply = &host->parser.reply;
    for (size_t i = 0; i < reply->lines; i++) {
        if (strncmp(reply->text[i], "FIRM:", 5) == 0) {
            snprintf(host->firmware, sizeof host->firmware, "%.63s", reply->text[i] + 5);
        }
    }
}

static enum scip_event enter_idle(struct scip_host *host, dpl_ns now)
{
    bool was_known = host->step == SCIP_LASER_OFF;
    go(host, SCIP_IDLE, now);
    return was_known ? SCIP_NOTHING : SCIP_KNOWN;
}

static enum scip_event advance(struct scip_host *host, enum scip_step next, dpl_ns now)
{
    if (next == SCIP_IDLE) {
        return enter_idle(host, now);
    }
    go(host, next, now);
    return SCIP_NOTHING;
}

/* QT is refused by a SCIP 1.1 device ("E") and in time mode (0E). */
static enum scip_step after_quit(const struct scip_host *host)
{
    const char *status = host->parser.reply.status;
    if (strcmp(status, "E") == 0) {
        return SCIP_TO_SCIP20;
    }
    return strcmp(status, DPL_SCIP_UNKNOWN) == 0 ? SCIP_LEAVE_TIME : SCIP_VERSION;
}

static enum scip_event take_stream_answer(struct scip_host *host, dpl_ns now)
{
    if (dpl_scip_reply_is(&host->parser.reply, DPL_SCIP_OK)) {
        go(host, SCIP_STREAMING, now);
        return SCIP_NOTHING;
    }
    bool is_off = dpl_scip_reply_is(&host->parser.reply, DPL_SCIP_LASER_OFF);
    if (!is_off || ++host->refusals >= TRIES_MAX) {
        return fail(host, "it refuses to send scans");
    }
    go(host, SCIP_LASER_ON, now);
    return SCIP_NOTHING;
}

static enum scip_event take_answer(struct scip_host *host, dpl_ns now)
{
    const struct dpl_scip_reply *reply = &host->parser.reply;
    bool is_good = dpl_scip_reply_is(reply, DPL_SCIP_OK);
    switch (host->step) {
    case SCIP_QUIT: return advance(host, after_quit(host), now);
    case SCIP_PARAMETERS:
        return is_good ? take_parameters(host, now) : fail(host, "it does not answer PP");
    case SCIP_STREAM: return take_stream_answer(host, now);
    case SCIP_VERSION: take_version(host); break;
    case SCIP_READ_TIME:
        if (is_good && reply->kind == DPL_SCIP_REPLY_TIME) {
            take_time(host, reply->stamp_ms, now);
        }
        is_good = is_good && host->reads < TIME_READS;
        break;
    default: break;
    }
    const struct step_row *row = &steps[host->step];
    return advance(host, is_good ? row->then : row->or_else, now);
}

/* A status other than a scan during streaming means that the scanner has stopped. */
static enum scip_event take_scan(struct scip_host *host, dpl_ns now)
{
    const struct dpl_scip_reply *reply = &host->parser.reply;
    if (!dpl_scip_reply_is(reply, DPL_SCIP_STREAM)) {
        if (host->step == SCIP_STREAMING && !dpl_scip_reply_is(reply, DPL_SCIP_OK)) {
            host->restarts++;
            go(host, SCIP_LASER_ON, now);
        }
        return SCIP_NOTHING;
    }
    if (host->step == SCIP_STREAM) { /* its acceptance was lost by a transmission error */
        go(host, SCIP_STREAMING, now);
    }
    if (host->step != SCIP_STREAMING || reply->kind != DPL_SCIP_REPLY_SCAN) {
        return SCIP_NOTHING;
    }
    host->heard_at = now;
    host->is_silent = host->is_wrong = false;
    host->scans++;
    host->is_warm = true;
    host->refusals = 0;
    stamp_scan(host, reply->stamp_ms, now);
    return SCIP_SCAN;
}

static bool is_waiting(const struct scip_host *host)
{
    return host->step != SCIP_IDLE && host->step != SCIP_STREAMING;
}

static enum scip_event take_reply(struct scip_host *host, dpl_ns now)
{
    const struct dpl_scip_reply *reply = &host->parser.reply;
    bool is_stream = reply->is_known && dpl_scip_is_stream(&reply->request);
    if (is_stream && (host->step != SCIP_STREAM || dpl_scip_reply_is(reply, DPL_SCIP_STREAM))) {
        bool is_ours = dpl_scip_echo_matches(&host->stream, reply->echo, reply->echo_length);
        return is_ours ? take_scan(host, now) : SCIP_NOTHING;
    }
    if (is_waiting(host) &&
        dpl_scip_echo_matches(&host->pending, reply->echo, reply->echo_length)) {
        return take_answer(host, now);
    }
    return SCIP_NOTHING; /* late, or from an earlier request */
}

static void count_fault(struct scip_host *host)
{
    enum dpl_scip_fault fault = host->parser.fault;
    if (fault == DPL_SCIP_FAULT_TOO_MUCH_DATA || fault == DPL_SCIP_FAULT_TOO_LITTLE_DATA) {
        host->wrong_length++;
        host->is_wrong = true;
    } else {
        host->checksum_errors++;
    }
}

enum scip_event scip_host_next(struct scip_host *host, struct dpl_byte_view *input, dpl_ns now)
{
    for (;;) {
        int got = dpl_scip_reply_next(&host->parser, input);
        if (got == 0) {
            return SCIP_NOTHING;
        }
        if (got < 0) {
            count_fault(host);
            continue;
        }
        enum scip_event event = take_reply(host, now);
        if (event != SCIP_NOTHING) {
            return event;
        }
    }
}

/* ---- time-outs ---- */

void scip_host_opened(struct scip_host *host, dpl_ns now)
{
    dpl_scip_reply_parser_init(&host->parser);
    dpl_device_clock_init(&host->clock, 24);
    host->offset_known = false;
    host->is_warm = host->is_silent = host->is_wrong = false;
    host->reads = host->lag_samples = host->refusals = 0;
    host->lag = 0;
    host->config.send(host->config.user, "\n", 1); /* ends an incomplete request */
    go(host, SCIP_QUIT, now);
}

static enum scip_event unheard(struct scip_host *host, dpl_ns now)
{
    if (host->tries < TRIES_MAX) {
        send_step(host, now);
        return SCIP_NOTHING;
    }
    if (host->step == SCIP_STREAM || steps[host->step].gives_up) {
        return fail(host, "no answer in the protocol SCIP");
    }
    return advance(host, steps[host->step].unheard, now);
}

/* With a slow turn, or with skipped scans, the limit for silence is longer. */
static dpl_ns longest_silence(const struct scip_host *host)
{
    dpl_ns between = dpl_scip_scan_period_ns(&host->geometry) * (host->config.interval + 1);
    dpl_ns silence = host->is_warm ? host->config.silence : SPIN_UP;
    dpl_ns least = (dpl_ns)(LEAST_TURNS * (double)between);
    return silence > least ? silence : least;
}

const char *scip_host_lack(const struct scip_host *host)
{
    return host->is_wrong  ? "its scans have another number of ranges than it was asked for"
           : host->is_warm ? "its scans have stopped"
                           : "it sends no scans";
}

/* Silence is reported at once, because a robot may drive with these scans. The connection is kept
 * longer, so that a few lost scans do not cause a new handshake. */
static enum scip_event watch_silence(struct scip_host *host, dpl_ns now)
{
    dpl_ns silent = now - host->heard_at, longest = longest_silence(host), patience = longest;
    if (host->is_warm) {
        patience = 2 * longest > GIVE_UP ? 2 * longest : GIVE_UP;
    }
    if (silent > patience) {
        return fail(host, scip_host_lack(host));
    }
    if (host->is_silent || silent <= longest) {
        return SCIP_NOTHING;
    }
    host->is_silent = true;
    return SCIP_SILENT;
}

enum scip_event scip_host_timer(struct scip_host *host, bool wanted, dpl_ns now)
{
    bool is_starting = host->step == SCIP_LASER_ON || host->step == SCIP_STREAM;
    if (host->step == SCIP_IDLE) {
        if (wanted) {
            go(host, SCIP_LASER_ON, now);
        }
        return SCIP_NOTHING;
    }
    if (host->step == SCIP_STREAMING) {
        if (!wanted) {
            go(host, SCIP_LASER_OFF, now);
            return SCIP_NOTHING;
        }
        return watch_silence(host, now);
    }
    dpl_ns patience = is_starting ? SPIN_UP / TRIES_MAX : ANSWER_TIME;
    return now - host->sent_at > patience ? unheard(host, now) : SCIP_NOTHING;
}

void scip_host_quit(struct scip_host *host)
{
    host->config.send(host->config.user, "QT\n", 3);
}
