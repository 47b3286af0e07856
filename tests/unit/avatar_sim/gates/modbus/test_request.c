/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of Modbus/TCP from bytes. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include "request.h"

#define HEAD(length) 0, 7, 0, 0, 0, length, 1
#define READ(bytes)  request_read(bytes, sizeof bytes, &request)

static struct request request;

Test(modbus_request, size_is_known_after_six_bytes)
{
    const uint8_t bytes[] = {0, 1, 0, 0, 0, 6, 1, 3, 0, 0, 0, 1};
    for (size_t n = 0; n < 6; n++) {
        cr_assert_eq(request_size(bytes, n), 0, "%zu", n);
    }
    cr_assert_eq(request_size(bytes, 6), 12);
    cr_assert_eq(request_size(bytes, sizeof bytes), 12);
}

Test(modbus_request, what_has_another_protocol_or_no_sensible_length_is_not_modbus)
{
    cr_assert_eq(request_size((const uint8_t[]){0, 1, 0, 1, 0, 6}, 6), -EPROTO);
    cr_assert_eq(request_size((const uint8_t[]){0, 1, 0, 0, 0, 1}, 6), -EPROTO);
    cr_assert_eq(request_size((const uint8_t[]){0, 1, 0, 0, 0, 255}, 6), -EPROTO);
    cr_assert_eq(request_size((const uint8_t[]){0, 1, 0, 0, 0, 254}, 6), REQUEST_MAX);
    cr_assert_eq(request_size((const uint8_t[]){0, 1, 0, 0, 1, 4}, 6), -EPROTO);
}

Test(modbus_request, functions_1_to_4_read_the_four_tables)
{
    static const enum dpl_sim_modbus_table tables[] = {DPL_MODBUS_COIL, DPL_MODBUS_DISCRETE,
                                                       DPL_MODBUS_HOLDING, DPL_MODBUS_INPUT};
    for (uint8_t i = 0; i < 4; i++) {
        const uint8_t bytes[] = {HEAD(6), (uint8_t)(i + 1), 0x12, 0x34, 0, 125};
        cr_assert_eq(READ(bytes), REQUEST_GOOD);
        cr_assert_eq(request.table, tables[i]);
        cr_assert_eq(request.read_first, 0x1234);
        cr_assert_eq(request.n_read, 125);
        cr_assert_eq(request.n_written, 0);
        cr_assert_eq(request.unit, 1);
    }
}

Test(modbus_request, counts_have_the_limits_of_the_standard)
{
    static const struct {
        uint8_t function;
        unsigned most;
    } rows[] = {{1, 2000}, {2, 2000}, {3, 125}, {4, 125}};
    for (size_t i = 0; i < 4; i++) {
        unsigned counts[] = {0, 1, rows[i].most, rows[i].most + 1, 65535};
        for (size_t k = 0; k < 5; k++) {
            const uint8_t bytes[] = {
                HEAD(6), rows[i].function, 0, 0, (uint8_t)(counts[k] >> 8), (uint8_t)counts[k],
            };
            bool is_good = counts[k] >= 1 && counts[k] <= rows[i].most;
            cr_assert_eq(READ(bytes), is_good ? REQUEST_GOOD : REQUEST_BAD_VALUE);
        }
    }
}

Test(modbus_request, a_coil_is_written_as_ff00_or_0)
{
    const uint8_t on[] = {HEAD(6), 5, 0, 9, 0xFF, 0}, off[] = {HEAD(6), 5, 0, 9, 0, 0};
    const uint8_t bad[] = {HEAD(6), 5, 0, 9, 0, 1};
    cr_assert_eq(READ(on), REQUEST_GOOD);
    cr_assert(request.table == DPL_MODBUS_COIL && request.write_first == 9);
    cr_assert(request.n_written == 1 && request.words[0] == 1);
    cr_assert_eq(READ(off), REQUEST_GOOD);
    cr_assert_eq(request.words[0], 0);
    cr_assert_eq(READ(bad), REQUEST_BAD_VALUE);
}

Test(modbus_request, registers_are_written_one_or_many)
{
    const uint8_t one[] = {HEAD(6), 6, 0, 3, 0x80, 0x01};
    const uint8_t two[] = {HEAD(11), 16, 0, 3, 0, 2, 4, 1, 2, 3, 4};
    const uint8_t short_of_one[] = {HEAD(10), 16, 0, 3, 0, 2, 4, 1, 2, 3};
    const uint8_t other_bytes[] = {HEAD(11), 16, 0, 3, 0, 2, 3, 1, 2, 3, 4};
    cr_assert_eq(READ(one), REQUEST_GOOD);
    cr_assert(request.n_written == 1 && request.words[0] == 0x8001);
    cr_assert_eq(READ(two), REQUEST_GOOD);
    cr_assert(request.n_written == 2 && request.words[0] == 0x0102 && request.words[1] == 0x0304);
    cr_assert_eq(READ(short_of_one), REQUEST_BAD_VALUE);
    cr_assert_eq(READ(other_bytes), REQUEST_BAD_VALUE);
}

Test(modbus_request, coils_are_packed_from_the_lowest_bit_on)
{
    const uint8_t bytes[] = {HEAD(9), 15, 0, 16, 0, 10, 2, 0x05, 0x02};
    cr_assert_eq(READ(bytes), REQUEST_GOOD);
    cr_assert_eq(request.n_written, 10);
    const uint16_t expected[10] = {1, 0, 1, 0, 0, 0, 0, 0, 0, 1};
    cr_assert_arr_eq(request.words, expected, sizeof expected);
}

Test(modbus_request, function_23_writes_and_reads)
{
    const uint8_t bytes[] = {HEAD(13), 23, 0, 1, 0, 5, 0, 8, 0, 1, 2, 0xAB, 0xCD};
    const uint8_t no_write[] = {HEAD(11), 23, 0, 1, 0, 5, 0, 8, 0, 0, 0};
    cr_assert_eq(READ(bytes), REQUEST_GOOD);
    cr_assert(request.read_first == 1 && request.n_read == 5);
    cr_assert(request.write_first == 8 && request.n_written == 1 && request.words[0] == 0xABCD);
    cr_assert_eq(READ(no_write), REQUEST_BAD_VALUE);
}

Test(modbus_request, every_other_function_is_refused)
{
    static const uint8_t good[] = {1, 2, 3, 4, 5, 6, 15, 16, 23};
    for (unsigned function = 0; function < 256; function++) {
        const uint8_t bytes[] = {HEAD(2), (uint8_t)function};
        bool is_one = memchr(good, (int)function, sizeof good) != NULL;
        cr_assert_eq(READ(bytes), is_one ? REQUEST_BAD_VALUE : REQUEST_BAD_FUNCTION, "%u",
                     function);
    }
}
