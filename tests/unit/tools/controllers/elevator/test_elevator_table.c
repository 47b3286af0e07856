/* SPDX-License-Identifier: Apache-2.0 */
/* Bits and registers, and the names of what they say. */
#include "elevator_table.h"

#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include "elevator_params.h"
#include "elevator_unit.h"

Test(elevator_table, reads_numbers_with_their_sign_and_scale)
{
    const uint8_t bits[ELEVATOR_N_BITS] = {
        [0] = 1, [3] = 1, [16] = 1, [47] = 1, [50] = 1, [111] = 1};
    const uint16_t registers[ELEVATOR_N_INPUTS] = {
        0xffff, 0xfff6, 0xfc18, 630, 445, 130, 0, 0, 9, 12, 0x0001, 0x0002,
    };
    struct elevator_inputs in = elevator_table_inputs(bits, registers);
    cr_assert_float_eq(in.position_m, -0.001, 1e-12);
    cr_assert_float_eq(in.speed_m_s, -1.0, 1e-12);
    cr_assert_float_eq(in.load_kg, 630.0, 1e-12);
    cr_assert_float_eq(in.door_m, 0.445, 1e-12);
    cr_assert_float_eq(in.door_force_n, 130.0, 1e-12);
    cr_assert_eq(in.time_ms, 65538);
    cr_assert_eq(elevator_table_floors(registers), 12);
    cr_assert(in.safety_ok && in.curtain_clear && !in.zone && !in.brake_open && !in.door_closed);
    cr_assert_eq(in.calls.car, 0x80000001);
    cr_assert_eq(in.calls.up, 4);
    cr_assert_eq(in.calls.down, 0x80000000);
}

Test(elevator_table, reads_the_ends_of_the_range)
{
    const uint8_t bits[ELEVATOR_N_BITS] = {0};
    uint16_t registers[ELEVATOR_N_INPUTS] = {0x8000, 0x0000, 0x8000};
    struct elevator_inputs in = elevator_table_inputs(bits, registers);
    cr_assert_float_eq(in.position_m, -214748.3648, 1e-9);
    cr_assert_float_eq(in.speed_m_s, -32.768, 1e-12);
    registers[0] = 0x7fff;
    registers[1] = 0xffff;
    cr_assert_float_eq(elevator_table_inputs(bits, registers).position_m, 214748.3647, 1e-9);
}

Test(elevator_table, writes_what_a_register_holds)
{
    struct elevator_outputs out = {
        .contactor = true,
        .door_close = true,
        .lamps = {.car = 0x80000001, .down = 2},
        .speed_m_s = -0.0304,
        .preload_nm = -926.7,
        .state = ELEVATOR_FAULT,
        .target = 11,
        .fault = ELEVATOR_FAULT_DOOR_BLOCKED,
    };
    uint8_t coils[ELEVATOR_N_BITS];
    uint16_t registers[ELEVATOR_N_HOLDINGS];
    elevator_table_coils(&out, coils);
    elevator_table_holdings(&out, 77, registers);
    const uint16_t expected[ELEVATOR_N_HOLDINGS] = {65536 - 30, 77, 9, 11, 7, 65536 - 927};
    cr_assert_arr_eq(registers, expected, sizeof expected);
    cr_assert(coils[0] && !coils[1] && !coils[2] && coils[3] && !coils[4]);
    cr_assert(coils[16] && coils[47] && coils[81] && !coils[80] && !coils[48]);
    out.speed_m_s = 1e9;
    out.preload_nm = -1e9;
    elevator_table_holdings(&out, 77, registers);
    cr_assert(registers[0] == 32767 && registers[5] == 0x8000);
}

Test(elevator_names, every_number_has_its_own)
{
    cr_assert_str_eq(elevator_state_name(ELEVATOR_RELEVEL), "RELEVEL");
    cr_assert_str_eq(elevator_state_name(ELEVATOR_FAULT), "FAULT");
    cr_assert_str_eq(elevator_state_name(10), "?");
    cr_assert_str_eq(elevator_fault_name(ELEVATOR_FAULT_DOOR_TIMEOUT), "door_timeout");
    cr_assert_str_eq(elevator_fault_name(9), "?");
    cr_assert_str_eq(elevator_mistake_name(ELEVATOR_NEAREST_CALL), "nearest_call");
}

Test(elevator_params, are_set_by_name_within_their_limits)
{
    struct elevator_params params = elevator_params_reference;
    const char *what = "";
    cr_assert_eq(elevator_params_set(&params, "FLOORS", 4, &what), 0);
    cr_assert_eq(elevator_params_set(&params, "DOOR", 0.6, &what), 0);
    cr_assert(params.floors == 4.0 && params.door_travel_m == 0.6 && params.height_m == 3.2);
    cr_assert_eq(elevator_params_set(&params, "FLOORS", 4.5, &what), -ERANGE);
    cr_assert_eq(elevator_params_set(&params, "FLOORS", 33, &what), -ERANGE);
    cr_assert_eq(elevator_params_set(&params, "JERK", 0, &what), -ERANGE);
    cr_assert_eq(elevator_params_set(&params, "SPEED", (double)__builtin_nanf(""), &what), -ERANGE);
    cr_assert_eq(elevator_params_set(&params, "floors", 4, &what), -ENOENT);
    cr_assert(strlen(what) > 0 && params.floors == 4.0 && params.speed_m_s == 1.6);
}
