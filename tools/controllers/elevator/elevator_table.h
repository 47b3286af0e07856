/* SPDX-License-Identifier: Apache-2.0 */
/* The unit's inputs and outputs as a table of bits and registers of Modbus
 * (docs/guides/elevator-unit.md). Pure: any content of the table is some inputs. */
#ifndef ELEVATOR_TABLE_H
#define ELEVATOR_TABLE_H

#include "elevator_io.h"

enum {
    ELEVATOR_FIRST_CAR_CALL = 16, /* also the lamps, among the coils */
    ELEVATOR_FIRST_UP_CALL = 48,
    ELEVATOR_FIRST_DOWN_CALL = 80,
    ELEVATOR_N_BITS = 112, /* discrete inputs, and coils */
    ELEVATOR_N_SWITCHES = 16,
    ELEVATOR_N_COMMANDS = 5, /* coils 0 to 4; the last is the reset */
    ELEVATOR_COIL_RESET = 4,
    ELEVATOR_N_INPUTS = 12,
    ELEVATOR_N_HOLDINGS = 6,
    ELEVATOR_HOLDING_WATCHDOG = 1,
};

/* From discrete inputs (0 or not) and input registers. */
struct elevator_inputs elevator_table_inputs(const uint8_t bits[static ELEVATOR_N_BITS],
                                             const uint16_t registers[static ELEVATOR_N_INPUTS]);
uint32_t elevator_table_time_ms(const uint16_t registers[static ELEVATOR_N_INPUTS]);
unsigned elevator_table_floors(const uint16_t registers[static ELEVATOR_N_INPUTS]);

/* To coils and holding registers. Numbers that are too large for a register become the largest that
 * it holds. */
void elevator_table_coils(const struct elevator_outputs *outputs,
                          uint8_t ret_coils[static ELEVATOR_N_BITS]);
void elevator_table_holdings(const struct elevator_outputs *outputs, uint16_t watchdog,
                             uint16_t ret_registers[static ELEVATOR_N_HOLDINGS]);

#endif
