/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP sums and 6-bit characters: all values of each width. */
#include <doppel/protocol/scip_codec.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

static char sum_of(const char *text)
{
    return dpl_scip_sum(text, strlen(text));
}

Test(scip_codec, sums_each_status_of_the_specification)
{
    cr_assert_eq(sum_of("00"), 'P'); /* 30 + 30 = 60, low six bits 20, + 30 = 50 */
    cr_assert_eq(sum_of("99"), 'b');
    cr_assert_eq(sum_of("02"), 'R');
    cr_assert_eq(sum_of("0E"), 'e'); /* 30 + 45 = 75 -> 35 + 30 = 65 */
    cr_assert_eq(sum_of("10"), 'Q');
    cr_assert_eq(sum_of(""), '0');
}

Test(scip_codec, sums_a_text_line_as_a_device_does)
{
    cr_assert_eq(sum_of("PROT:SCIP 2.0"), 'N');
    cr_assert_eq(sum_of("VEND:Hokuyo Automatic Co.,Ltd."), '[');
}

Test(scip_codec, encodes_the_examples_worked_by_hand)
{
    char text[4];
    dpl_scip_encode(1234, 2, text); /* 19 * 64 + 18: 0x30 + 19, 0x30 + 18 */
    cr_assert_arr_eq(text, "CB", 2);
    dpl_scip_encode(5432, 3, text); /* 1 * 4096 + 20 * 64 + 56 */
    cr_assert_arr_eq(text, "1Dh", 3);
    dpl_scip_encode(16000000, 4, text); /* 61, 2, 16, 0 */
    cr_assert_arr_eq(text, "m2@0", 4);
}

Test(scip_codec, decodes_every_value_it_encodes)
{
    for (unsigned chars = 1; chars <= 3; chars++) {
        for (uint32_t value = 0; value < 1u << 6 * chars; value++) {
            char text[4];
            uint32_t got = ~value;
            dpl_scip_encode(value, chars, text);
            cr_assert_eq(dpl_scip_decode(text, chars, &got), 0);
            if (got != value) {
                cr_assert_eq(got, value);
            }
        }
    }
}

Test(scip_codec, saturates_a_value_that_does_not_fit)
{
    char text[4];
    dpl_scip_encode(4096, 2, text);
    cr_assert_arr_eq(text, "oo", 2);
    dpl_scip_encode(UINT32_MAX, 4, text);
    cr_assert_arr_eq(text, "oooo", 4);
}

Test(scip_codec, refuses_every_character_outside_the_alphabet)
{
    for (int c = 0; c < 256; c++) {
        char text[2] = {'0', (char)c};
        uint32_t value = 777;
        bool is_good = c >= 0x30 && c <= 0x6f;
        cr_assert_eq(dpl_scip_decode(text, 2, &value), is_good ? 0 : -EPROTO);
        cr_assert_eq(value, is_good ? (uint32_t)(c - 0x30) : 777);
    }
}
