/* SPDX-License-Identifier: Apache-2.0 */
/* A Firmata board with its wiring: an Uno or Mega, wires between its pins, fixed voltages, and
 * ultrasonic sensors that answer pings. Pure: bytes as for the board, time is an argument. */
#ifndef EMULATE_FIRMATA_KIT_H
#define EMULATE_FIRMATA_KIT_H

#include <doppel/diag.h>

#include <doppel/protocol/firmata_board.h>

enum {
    FIRMATA_WIRES_MAX = 64,
};

struct firmata_wire {
    unsigned a, b;
};

struct firmata_kit {
    struct dpl_firmata_board board;
    /* private */
    struct dpl_firmata_board_config config;
    struct firmata_wire wires[FIRMATA_WIRES_MAX];
    size_t n_wires;
    double inputs[DPL_FIRMATA_PINS_MAX]; /* ratio; negative: not fixed */
    dpl_ns echoes[DPL_FIRMATA_PINS_MAX]; /* length of the answering pulse; 0: no sensor */
    void (*send)(void *user, const uint8_t *bytes, size_t n, dpl_ns now);
    void (*text)(void *user, const char *text);
    void *user;
};

/* `model` is "uno" or "mega"; otherwise -EINVAL with reterr. `text` may be NULL. Afterwards add
 * wiring with firmata_kit_add_*, then start. */
int firmata_kit_init(struct firmata_kit *kit, const char *model, struct dpl_diag *reterr);

/* "A=B", two pins as numbers or analog names ("A0"); "PIN=RATIO", 0 to 1; "PIN=US", the length of
 * the answer to a ping. -EINVAL with reterr, which names the wrong option. */
int firmata_kit_add_wire(struct firmata_kit *kit, const char *text, struct dpl_diag *reterr);
int firmata_kit_add_input(struct firmata_kit *kit, const char *text, struct dpl_diag *reterr);
int firmata_kit_add_echo(struct firmata_kit *kit, const char *text, struct dpl_diag *reterr);

/* Set send, text and user before. */
void firmata_kit_start(struct firmata_kit *kit);
void firmata_kit_connected(struct firmata_kit *kit, dpl_ns now);
void firmata_kit_disconnected(struct firmata_kit *kit, dpl_ns now);
void firmata_kit_receive(struct firmata_kit *kit, const uint8_t *bytes, size_t n, dpl_ns now);
dpl_ns firmata_kit_tick(struct firmata_kit *kit, dpl_ns now);

#endif
