/* SPDX-License-Identifier: Apache-2.0 */
#include "elevator_table.h"

#include <math.h>
#include <string.h>

static uint32_t double_word(const uint16_t *registers)
{
    return (uint32_t)registers[0] << 16 | registers[1];
}

/* Numbers are two's complement on the wire. */
static int32_t signed_32(uint32_t raw)
{
    return raw > INT32_MAX ? -(int32_t)(UINT32_MAX - raw) - 1 : (int32_t)raw;
}

static int signed_16(uint16_t raw)
{
    return raw > INT16_MAX ? (int)raw - 65536 : (int)raw;
}

static uint16_t to_signed_16(double value)
{
    double whole = fmin(fmax(round(value), INT16_MIN), INT16_MAX);
    return (uint16_t)(int)whole;
}

static uint32_t bits_from(const uint8_t *bits)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < ELEVATOR_MAX_FLOORS; i++) {
        word |= bits[i] ? (uint32_t)1 << i : 0;
    }
    return word;
}

static void bits_to(uint32_t word, uint8_t *ret_bits)
{
    for (unsigned i = 0; i < ELEVATOR_MAX_FLOORS; i++) {
        ret_bits[i] = word >> i & 1;
    }
}

uint32_t elevator_table_time_ms(const uint16_t registers[static ELEVATOR_N_INPUTS])
{
    return double_word(&registers[10]);
}

unsigned elevator_table_floors(const uint16_t registers[static ELEVATOR_N_INPUTS])
{
    return registers[9];
}

struct elevator_inputs elevator_table_inputs(const uint8_t bits[static ELEVATOR_N_BITS],
                                             const uint16_t registers[static ELEVATOR_N_INPUTS])
{
    return (struct elevator_inputs){
        .time_ms = elevator_table_time_ms(registers),
        .safety_ok = bits[0],
        .door_closed = bits[1],
        .door_open = bits[2],
        .curtain_clear = bits[3],
        .zone = bits[6],
        .brake_open = bits[11],
        .landing_locks = bits[15],
        .calls =
            {
                .car = bits_from(&bits[ELEVATOR_FIRST_CAR_CALL]),
                .up = bits_from(&bits[ELEVATOR_FIRST_UP_CALL]),
                .down = bits_from(&bits[ELEVATOR_FIRST_DOWN_CALL]),
            },
        .position_m = 1e-4 * signed_32(double_word(&registers[0])),
        .speed_m_s = 1e-3 * signed_16(registers[2]),
        .load_kg = registers[3],
        .door_m = 1e-3 * registers[4],
        .door_force_n = registers[5],
    };
}

void elevator_table_coils(const struct elevator_outputs *outputs,
                          uint8_t ret_coils[static ELEVATOR_N_BITS])
{
    memset(ret_coils, 0, ELEVATOR_N_BITS);
    ret_coils[0] = outputs->contactor;
    ret_coils[1] = outputs->brake_release;
    ret_coils[2] = outputs->door_open;
    ret_coils[3] = outputs->door_close;
    ret_coils[ELEVATOR_COIL_RESET] = outputs->reset;
    bits_to(outputs->lamps.car, &ret_coils[ELEVATOR_FIRST_CAR_CALL]);
    bits_to(outputs->lamps.up, &ret_coils[ELEVATOR_FIRST_UP_CALL]);
    bits_to(outputs->lamps.down, &ret_coils[ELEVATOR_FIRST_DOWN_CALL]);
}

void elevator_table_holdings(const struct elevator_outputs *outputs, uint16_t watchdog,
                             uint16_t ret_registers[static ELEVATOR_N_HOLDINGS])
{
    ret_registers[0] = to_signed_16(1e3 * outputs->speed_m_s);
    ret_registers[ELEVATOR_HOLDING_WATCHDOG] = watchdog;
    ret_registers[2] = (uint16_t)outputs->state;
    ret_registers[3] = (uint16_t)outputs->target;
    ret_registers[4] = (uint16_t)outputs->fault;
    ret_registers[5] = to_signed_16(outputs->preload_nm);
}
