/* SPDX-License-Identifier: Apache-2.0 */
/* `doppel emulate firmata`. */
#include <errno.h>
#include <stdio.h>

#include "device.h"
#include "firmata_kit.h"

struct firmata_device {
    struct session session;
    struct firmata_kit kit;
};

static void on_connected(void *device, dpl_ns now)
{
    struct firmata_device *self = device;
    firmata_kit_connected(&self->kit, now);
}

static void on_received(void *device, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct firmata_device *self = device;
    firmata_kit_receive(&self->kit, bytes, n, now);
}

static dpl_ns on_tick(void *device, dpl_ns now)
{
    struct firmata_device *self = device;
    return firmata_kit_tick(&self->kit, now);
}

static const struct session_device ops = {
    .connected = on_connected,
    .received = on_received,
    .tick = on_tick,
};

static void send_message(void *user, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct firmata_device *self = user;
    session_send(&self->session, bytes, n, now);
}

static void print_text(void *user, const char *text)
{
    struct firmata_device *self = user;
    char said[200], line[220];
    snprintf(line, sizeof line, "the host says \"%s\"", dpl_peer_name(text, said, sizeof said));
    session_print_host(&self->session, line);
}

/* ---- options ---- */

struct options {
    const char *board;
    struct option_list wires, inputs, echoes;
};

static const struct options defaults = {.board = "uno"};

#define OPTION(...) DEVICE_OPTION(struct options, __VA_ARGS__)

static const struct option options[] = {
    {OPTION("board", "NAME", OPTION_STRING, board, "uno or mega (uno)"), .values = "uno|mega"},
    {OPTION("wire", "A=B", OPTION_LIST, wires, "joins two pins, such as 9=A0; may be repeated")},
    {OPTION("input", "PIN=RATIO", OPTION_LIST, inputs,
            "a voltage at a pin, part of the reference; may be repeated")},
    {OPTION("echo", "PIN=US", OPTION_LIST, echoes,
            "a sensor that answers pings with pulses of this length; may be repeated")},
};

static int add_all(struct firmata_kit *kit, const struct option_list *list,
                   int (*add)(struct firmata_kit *, const char *, struct dpl_diag *),
                   struct dpl_diag *reterr)
{
    int err = 0;
    for (size_t i = 0; i < list->n && err == 0; i++) {
        err = add(kit, list->items[i], reterr);
    }
    return err;
}

static int set_up(struct firmata_device *self, const struct options *own, struct dpl_diag *reterr)
{
    struct firmata_kit *kit = &self->kit;
    int err = firmata_kit_init(kit, own->board, reterr);
    err = err < 0 ? err : add_all(kit, &own->wires, firmata_kit_add_wire, reterr);
    err = err < 0 ? err : add_all(kit, &own->inputs, firmata_kit_add_input, reterr);
    err = err < 0 ? err : add_all(kit, &own->echoes, firmata_kit_add_echo, reterr);
    if (err < 0) {
        return err;
    }
    kit->send = send_message;
    kit->text = print_text;
    kit->user = self;
    firmata_kit_start(kit);
    return 0;
}

/* ---- running ---- */

static int firmata_open(void *device, const struct emulate_options *all, const void *own,
                        struct dpl_diag *reterr)
{
    struct firmata_device *self = device;
    int err = set_up(self, own, reterr);
    return err < 0 ? err : emulate_open_port(all, &self->session, reterr);
}

static const struct dpl_field values[] = {
    DPL_EXPORT_INT(struct firmata_device, kit.board.parser.messages, "messages", NULL,
                   DPL_FIELD_TRACE, "of the host"),
    DPL_EXPORT_INT(struct firmata_device, kit.board.refused, "refused", NULL, DPL_FIELD_TRACE,
                   "messages"),
    DPL_EXPORT_INT(struct firmata_device, kit.board.parser.dropped_bytes, "invalid_bytes", NULL,
                   DPL_FIELD_TRACE, "of the host"),
};

static void print_summary(const void *device)
{
    const struct firmata_device *self = device;
    const struct dpl_firmata_board *board = &self->kit.board;
    fprintf(stderr,
            "doppel emulate firmata: %llu messages received, %llu refused, %llu invalid bytes\n",
            (unsigned long long)board->parser.messages, (unsigned long long)board->refused,
            (unsigned long long)board->parser.dropped_bytes);
}

#define NO_WORLD "a board has --wire, --input and --echo: --world and --log are not for it"

const struct emulated_device emulated_firmata = {
    .set = {.name = "firmata",
            .summary = "a Firmata board with wired pins",
            DEVICE_OPTIONS(options, defaults)},
    .no_world = NO_WORLD,
    .no_log = NO_WORLD,
    .ops = &ops,
    .size = sizeof(struct firmata_device),
    .open = firmata_open,
    .values = values,
    .n_values = DPL_COUNT(values),
    .print_summary = print_summary,
};
