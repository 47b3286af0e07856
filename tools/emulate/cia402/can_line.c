/* SPDX-License-Identifier: Apache-2.0 */
/* The slcan adapter and its bus. */
#include "can_line.h"

#define VERSION       0x1013u
#define SERIAL        0x44504c31u /* "DPL1" */
#define FIRST_SPEED   125000u
#define LONGEST_QUEUE (100 * DPL_MS) /* longest queue that a host may fill */
/* An emulator's loop and its host are sometimes late by some ms; frames up to this time ahead of
 * the bus are sent at once. It is shorter than LONGEST_QUEUE, so that a host that waits for each
 * answer is never refused. */
#define EARLY         (20 * DPL_MS)

/* ---- answers of the adapter ---- */

static void flush_answers(struct can_line *line)
{
    if (line->n_answers > 0) {
        line->send(line->user, line->answers, line->n_answers, line->now);
        line->n_answers = 0;
    }
}

static void answer(struct can_line *line, enum dpl_slcan_kind kind, uint32_t value)
{
    char text[DPL_SLCAN_LINE_MAX];
    struct dpl_slcan_message message = {.kind = kind, .value = value};
    size_t n = dpl_slcan_encode(&message, text);
    if (line->n_answers + n > sizeof line->answers) {
        flush_answers(line);
    }
    memcpy(line->answers + line->n_answers, text, n);
    line->n_answers += n;
}

/* ---- the bus ---- */

/* The bus transmits one frame after the other. */
static void carry(struct can_line *line, const struct dpl_can_frame *frame)
{
    unsigned bits = dpl_can_frame_bits(frame->length, true);
    if (line->busy_until < line->now) {
        line->busy_until = line->now;
    }
    line->bits += bits;
    line->busy_until += (dpl_ns)bits * DPL_S / line->bit_rate;
}

static void send_to_host(struct can_line *line, const struct dpl_can_frame *frame)
{
    char text[DPL_SLCAN_LINE_MAX];
    struct dpl_slcan_message message = {
        .kind = DPL_SLCAN_FRAME,
        .frame = *frame,
        .has_stamp = line->stamps,
        .stamp_ms = (uint16_t)(line->now / DPL_MS % DPL_SLCAN_STAMP_MODULUS),
    };
    line->frames_out++;
    flush_answers(line);
    line->send(line->user, (const uint8_t *)text, dpl_slcan_encode(&message, text), line->now);
}

static bool is_next_due(const struct can_line *line)
{
    return line->n_held > 0 && can_line_next(line) <= line->now;
}

static void send_carried(struct can_line *line)
{
    while (is_next_due(line)) {
        const struct can_line_held *held = &line->held[line->first_held];
        line->first_held = (line->first_held + 1) % CAN_LINE_HELD_MAX;
        line->n_held--;
        send_to_host(line, &held->frame);
    }
}

/* A drive waits until the bus is free; its frame waits in the drive. */
static void hear_drive(void *user, const struct dpl_can_frame *frame)
{
    struct can_line *line = user;
    if (!line->is_open) {
        return;
    }
    if (line->n_held == CAN_LINE_HELD_MAX) {
        line->lost_frames++;
        return;
    }
    carry(line, frame);
    line->held[(line->first_held + line->n_held++) % CAN_LINE_HELD_MAX] =
        (struct can_line_held){*frame, line->busy_until};
    send_carried(line);
}

static void hear_host(struct can_line *line, const struct dpl_can_frame *frame)
{
    bool is_full = line->busy_until - line->now > LONGEST_QUEUE;
    if (!line->is_open || is_full) {
        line->refused_frames += is_full;
        answer(line, DPL_SLCAN_REFUSED, 0);
        return;
    }
    carry(line, frame);
    line->frames_in++;
    answer(line, DPL_SLCAN_DONE, frame->extended ? 'Z' : 'z');
    for (size_t i = 0; i < line->n_drives; i++) {
        cia402_drive_hear(&line->drives[i], frame, line->now);
    }
}

/* ---- commands ---- */

/* Commands that an adapter accepts only while the bus is closed. */
static void set_up(struct can_line *line, const struct dpl_slcan_message *message)
{
    bool is_timing = message->kind == DPL_SLCAN_TIMING;
    if (line->is_open || (is_timing && dpl_slcan_timing_rate(message->value) == 0)) {
        answer(line, DPL_SLCAN_REFUSED, 0);
        return;
    }
    if (is_timing) {
        line->bit_rate = dpl_slcan_timing_rate(message->value);
    } else if (message->kind == DPL_SLCAN_SPEED) {
        line->bit_rate = dpl_slcan_speed(message->value);
    } else if (message->kind == DPL_SLCAN_STAMPS) {
        line->stamps = message->value != 0;
    } else {
        line->is_open = true;
    }
    answer(line, DPL_SLCAN_DONE, 0);
}

static void follow(struct can_line *line, const struct dpl_slcan_message *message)
{
    switch (message->kind) {
    case DPL_SLCAN_FRAME: hear_host(line, &message->frame); break;
    case DPL_SLCAN_SPEED:
    case DPL_SLCAN_TIMING:
    case DPL_SLCAN_STAMPS:
    case DPL_SLCAN_OPEN: set_up(line, message); break;
    case DPL_SLCAN_CLOSE:
        answer(line, line->is_open ? DPL_SLCAN_DONE : DPL_SLCAN_REFUSED, 0);
        line->is_open = false;
        line->n_held = 0;
        break;
    case DPL_SLCAN_ASK_VERSION: answer(line, DPL_SLCAN_VERSION, VERSION); break;
    case DPL_SLCAN_ASK_SERIAL: answer(line, DPL_SLCAN_SERIAL, SERIAL); break;
    case DPL_SLCAN_ASK_FLAGS: answer(line, DPL_SLCAN_FLAGS, 0); break;
    case DPL_SLCAN_DONE: answer(line, DPL_SLCAN_DONE, 0); break; /* an empty line */
    default: answer(line, DPL_SLCAN_REFUSED, 0); break;
    }
}

void can_line_receive(struct can_line *line, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct dpl_byte_view input = {bytes, n};
    struct dpl_slcan_message message;
    uint64_t errors = line->parser.errors;
    line->now = now;
    send_carried(line);
    while (dpl_slcan_parser_next(&line->parser, &input, &message)) {
        follow(line, &message);
    }
    for (; errors < line->parser.errors; errors++) {
        answer(line, DPL_SLCAN_REFUSED, 0);
    }
    flush_answers(line);
}

/* ---- life cycle ---- */

void can_line_connected(struct can_line *line)
{
    dpl_slcan_parser_init(&line->parser);
    line->is_open = false;
    line->stamps = false;
    line->bit_rate = FIRST_SPEED;
    line->n_answers = 0;
    line->n_held = 0;
}

dpl_ns can_line_next(const struct can_line *line)
{
    return line->n_held > 0 ? line->held[line->first_held].carried - EARLY : INT64_MAX;
}

void can_line_advance(struct can_line *line, dpl_ns now)
{
    line->now = now;
    send_carried(line);
    for (size_t i = 0; i < line->n_drives; i++) {
        cia402_drive_advance(&line->drives[i], now);
    }
}

void can_line_power(struct can_line *line, dpl_ns now)
{
    line->now = now;
    for (size_t i = 0; i < line->n_drives; i++) {
        cia402_drive_power(&line->drives[i], now);
    }
}

void can_line_init(struct can_line *line, const struct cia402_drive_config *drives, size_t n)
{
    *line = (struct can_line){.n_drives = n};
    for (size_t i = 0; i < n; i++) {
        cia402_drive_init(&line->drives[i], &drives[i]);
        line->drives[i].send = hear_drive;
        line->drives[i].user = line;
    }
    can_line_connected(line);
}
