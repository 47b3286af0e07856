/* SPDX-License-Identifier: Apache-2.0 */
/* CANopen from hostile frames, as slcan text: each is decoded in all ways and, where it means
 * something, written again; all SDO requests go to a server, all answers to a reader; then all go
 * to an emulated bus of two drives, and, as answers, to the driver's bus, while time passes by the
 * first byte's ms. Aborts when a frame changes by being decoded and encoded, a server answers with
 * what no client understands, a text is not one, or a drive tells a state that there is not. */
#include "can_line.h"
#include "cia402_bus.h"
#include "fuzz.h"
#include <doppel/protocol/canopen_server.h>

static void require_equal(const struct dpl_can_frame *a, struct dpl_can_frame b)
{
    require(dpl_can_frame_equal(a, &b));
}

/* Only the bytes that mean something are compared: the frame is cut to them. */
static void check_frame(struct dpl_can_frame frame)
{
    struct dpl_canopen_cob cob = dpl_canopen_classify(&frame);
    enum dpl_canopen_nmt_command command;
    enum dpl_canopen_state state;
    struct dpl_canopen_emcy emcy;
    uint8_t node;
    if (cob.service == DPL_CANOPEN_OTHER) {
        return;
    }
    require(dpl_canopen_cob_id(cob.service, cob.node, cob.pdo) == frame.id);
    if (cob.service == DPL_CANOPEN_NMT && dpl_canopen_nmt_decode(&frame, &command, &node) == 0 &&
        frame.length == 2) {
        require_equal(&frame, dpl_canopen_nmt(command, node));
    } else if (cob.service == DPL_CANOPEN_EMCY && dpl_canopen_emcy_decode(&frame, &emcy) == 0) {
        require_equal(&frame, dpl_canopen_emcy(cob.node, &emcy));
        require(dpl_canopen_emcy_name(emcy.code) != NULL);
    } else if (cob.service == DPL_CANOPEN_HEARTBEAT &&
               dpl_canopen_heartbeat_decode(&frame, &state) == 0 && frame.length == 1) {
        frame.data[0] &= 0x7f;
        require_equal(&frame, dpl_canopen_heartbeat(cob.node, state));
    }
}

static bool same(const struct dpl_canopen_sdo *a, const struct dpl_canopen_sdo *b)
{
    return a->kind == b->kind && a->index == b->index && a->sub == b->sub && a->size == b->size &&
           a->value == b->value && a->toggle == b->toggle && a->is_last == b->is_last &&
           memcmp(a->data, b->data, sizeof a->data) == 0;
}

static void check_sdo(const struct dpl_can_frame *frame)
{
    struct dpl_canopen_sdo sdo, again;
    if (dpl_canopen_sdo_request_decode(frame, &sdo) == 0 && sdo.kind != DPL_SDO_UNSUPPORTED) {
        struct dpl_can_frame back = dpl_canopen_sdo_request(frame->id & 0x7f, &sdo);
        require(dpl_canopen_sdo_request_decode(&back, &again) == 0);
        require(same(&again, &sdo));
    }
    if (dpl_canopen_sdo_answer_decode(frame, &sdo) == 0 && sdo.kind != DPL_SDO_UNSUPPORTED) {
        struct dpl_can_frame back = dpl_canopen_sdo_answer(frame->id & 0x7f, &sdo);
        require(dpl_canopen_sdo_answer_decode(&back, &again) == 0);
        require(same(&again, &sdo));
    }
}

static const struct dpl_canopen_entry entries[] = {
    {0x1000, 0, 4, DPL_CANOPEN_CONST, 0x20192}, {0x1008, 0, 0, DPL_CANOPEN_CONST, 0},
    {0x1017, 0, 2, DPL_CANOPEN_RW, 0},          {0x2000, 1, 1, DPL_CANOPEN_WO, 0},
    {0x6404, 0, 0, DPL_CANOPEN_RW, 1},
};
enum { N_ENTRIES = sizeof entries / sizeof entries[0] };

struct talk {
    uint32_t values[N_ENTRIES];
    char texts[2][DPL_CANOPEN_TEXT_MAX + 1];
    struct dpl_canopen_dictionary dictionary;
    struct dpl_canopen_server server;
    struct dpl_canopen_reader reader;
};

static void begin_talk(struct talk *talk)
{
    *talk = (struct talk){.texts = {"a name of more than one segment"}};
    talk->dictionary = (struct dpl_canopen_dictionary){
        .entries = entries, .n = N_ENTRIES, .values = talk->values, .texts = talk->texts};
    talk->server.dictionary = &talk->dictionary;
}

static void check_talk(struct talk *talk, const struct dpl_can_frame *frame)
{
    struct dpl_canopen_sdo sdo, answer, next;
    if (dpl_canopen_sdo_request_decode(frame, &sdo) == 0 &&
        dpl_canopen_serve(&talk->server, &sdo, &answer)) {
        struct dpl_can_frame back = dpl_canopen_sdo_answer(1, &answer);
        require(dpl_canopen_sdo_answer_decode(&back, &answer) == 0);
        require(answer.kind != DPL_SDO_UNSUPPORTED);
    }
    require(memchr(talk->texts[1], '\0', sizeof talk->texts[1]) != NULL);
    require(strcmp(talk->texts[0], "a name of more than one segment") == 0);
    if (dpl_canopen_sdo_answer_decode(frame, &sdo) == 0 &&
        dpl_canopen_read_on(&talk->reader, &sdo, &next) <= 0) {
        require(talk->reader.n <= sizeof talk->reader.bytes);
        talk->reader = (struct dpl_canopen_reader){0};
    }
}

static void ignore_line(void *user, const uint8_t *bytes, size_t n, dpl_ns now)
{
}

static int ignore_bytes(void *user, const void *bytes, size_t n)
{
    return 0;
}

static void ignore_text(void *user, enum dpl_log_level level, const char *text)
{
}

static void run_line(const uint8_t *data, size_t size, dpl_ns step)
{
    static struct can_line line;
    struct cia402_drive_config drives[2] = {
        {.node = 1, .counts_per_m = 1e6, .rated_force_n = 1e3},
        {.node = 2, .counts_per_m = -1e5, .rated_force_n = 10.0, .start_m = 0.1},
    };
    drives[0].motor = drives[1].motor = drive_motor_config_default();
    can_line_init(&line, drives, 2);
    line.send = ignore_line;
    can_line_power(&line, 0);
    dpl_ns now = 0;
    for (size_t at = 0; at < size; at += 16, now += step) {
        can_line_receive(&line, data + at, size - at < 16 ? size - at : 16, now);
        can_line_advance(&line, now);
    }
    for (size_t i = 0; i < line.n_drives; i++) {
        require(line.drives[i].state < DPL_CIA402_STATES);
    }
}

static void run_bus(const uint8_t *data, size_t size, dpl_ns step)
{
    static struct cia402_bus bus;
    struct cia402_bus_config config = {
        .settings = {.nodes = {1, 2, 3, 4, 5, 6},
                     .counts_per_m = 1e6,
                     .rated_force_n = 1e3,
                     .bit_rate = 1000000,
                     .period = 4 * DPL_MS,
                     .heartbeat = 40 * DPL_MS,
                     .silence = 100 * DPL_MS,
                     .process_data = 100 * DPL_MS,
                     .reference_timeout = 100 * DPL_MS,
                     .start_timeout = DPL_S,
                     .quick_stop_m_s2 = 10.0,
                     .standstill_m_s = 0.002},
        .write = ignore_bytes,
        .log = ignore_text,
    };
    int err = 0;
    cia402_bus_init(&bus, &config);
    cia402_bus_opened(&bus, 0);
    cia402_bus_timer(&bus, 60 * DPL_MS, &err);
    cia402_bus_data(&bus, (const uint8_t *)"\r\r", 2, 60 * DPL_MS);
    bus.command = (struct cia402_command){.sequence = 1, .on = true, .stamp = DPL_S};
    dpl_ns now = 64 * DPL_MS;
    for (size_t at = 0; at < size; at += 16, now += step) {
        cia402_bus_data(&bus, data + at, size - at < 16 ? size - at : 16, now);
        cia402_bus_timer(&bus, now, &err);
        require(bus.mode <= DPL_AXES_FAULT && bus.sample.fault_axis < DPL_AXES_N);
    }
    cia402_bus_halt(&bus, now);
    cia402_bus_off(&bus);
    cia402_bus_closed(&bus);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dpl_slcan_parser parser;
    struct dpl_slcan_message message;
    if (size < 2 || size > 1 << 14) {
        return 0;
    }
    struct dpl_byte_view input = {data + 1, size - 1};
    struct talk talk;
    begin_talk(&talk);
    dpl_slcan_parser_init(&parser);
    while (dpl_slcan_parser_next(&parser, &input, &message)) {
        if (message.kind == DPL_SLCAN_FRAME) {
            check_frame(message.frame);
            check_sdo(&message.frame);
            check_talk(&talk, &message.frame);
        }
    }
    run_line(data + 1, size - 1, data[0] % 64 * DPL_MS);
    run_bus(data + 1, size - 1, data[0] % 64 * DPL_MS);
    return 0;
}
