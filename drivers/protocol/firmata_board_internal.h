/* SPDX-License-Identifier: Apache-2.0 */
/* Internal interface between the files of the board: functions (firmata_board.c); messages to the
 * host, outputs and external signals on its wires (firmata_board_report.c). */
#ifndef DPL_PROTOCOL_FIRMATA_BOARD_INTERNAL_H
#define DPL_PROTOCOL_FIRMATA_BOARD_INTERNAL_H

#include <doppel/protocol/firmata_board.h>

#define DPL__FIRMATA_IGNORED 0x7f /* the mode of a pin without abilities */

void dpl__firmata_board_send_version(struct dpl_firmata_board *board, dpl_ns now);
void dpl__firmata_board_send_firmware(struct dpl_firmata_board *board, dpl_ns now);
void dpl__firmata_board_send_capabilities(struct dpl_firmata_board *board, dpl_ns now);
void dpl__firmata_board_send_mapping(struct dpl_firmata_board *board, dpl_ns now);
void dpl__firmata_board_send_state(struct dpl_firmata_board *board, unsigned pin, dpl_ns now);
void dpl__firmata_board_send_text(struct dpl_firmata_board *board, const char *text, dpl_ns now);
void dpl__firmata_board_send_ping(struct dpl_firmata_board *board, unsigned pin, dpl_ns duration,
                                  dpl_ns now);
/* Reports the inputs of a port; unchanged ones only when `forced`. */
void dpl__firmata_board_send_port(struct dpl_firmata_board *board, unsigned port, bool forced,
                                  dpl_ns now);
void dpl__firmata_board_send_analog(struct dpl_firmata_board *board, unsigned pin, dpl_ns now);

/* The pin of an analog channel; -1: none. */
int dpl__firmata_board_pin_of(const struct dpl_firmata_board *board, unsigned channel);

#endif
