/* SPDX-License-Identifier: Apache-2.0 */
/* The connection of the unit to its elevator: a Modbus/TCP master, by libmodbus. Blocks until the
 * server has answered, at most 2 s a request. */
#ifndef ELEVATOR_LINE_H
#define ELEVATOR_LINE_H

#include <modbus/modbus.h>

#include "elevator_table.h"

struct elevator_range {
    int first, count;
};

/* Car calls, landing calls up, landing calls down: one range each, or one range for everything. */
struct elevator_ranges {
    struct elevator_range at[4];
    int n;
};

struct elevator_line {
    modbus_t *modbus; /* NULL: closed */
    struct elevator_ranges inputs, lamps;
    char error[192]; /* what the last call that failed says */
};

/* Connects. Allocates. Calls return 0; -EIO: there is no server, or it was lost; -EREMOTEIO: it
 * refuses an address that the unit needs. Close the line also after an error. */
int elevator_line_open(struct elevator_line *line, const char *host, unsigned port);

/* Finds which calls and lamps the server has: not every one maps the addresses of floors that there
 * are not. Before this, bits cannot be read nor lamps written. */
int elevator_line_find_calls(struct elevator_line *line, unsigned floors);

void elevator_line_close(struct elevator_line *line); /* a closed one too */

int elevator_line_read_registers(struct elevator_line *line, uint16_t *ret_registers);
int elevator_line_read_bits(struct elevator_line *line, uint8_t *ret_bits);
int elevator_line_read_reset(struct elevator_line *line, bool *ret_is_pressed);
int elevator_line_write_coils(struct elevator_line *line, const uint8_t *coils, bool with_reset);
int elevator_line_write_lamps(struct elevator_line *line, const uint8_t *coils);
int elevator_line_write_holdings(struct elevator_line *line, const uint16_t *registers);

#endif
