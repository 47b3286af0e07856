/* SPDX-License-Identifier: Apache-2.0 */
/* slcan: lines worked by hand, both directions, every cut, garbage. */
#include <doppel/protocol/slcan.h>

#include <criterion/criterion.h>
#include <errno.h>

static struct dpl_slcan_parser parser;

static bool hear(const char *text, struct dpl_slcan_message *ret)
{
    struct dpl_byte_view input = {(const uint8_t *)text, strlen(text)};
    dpl_slcan_parser_init(&parser);
    return dpl_slcan_parser_next(&parser, &input, ret);
}

static void expect_text(const struct dpl_slcan_message *message, const char *text)
{
    char got[DPL_SLCAN_LINE_MAX + 1];
    size_t n = dpl_slcan_encode(message, got);
    got[n] = '\0';
    cr_assert_str_eq(got, text);
}

/* What is heard is this, and is said in the same way. */
static void expect_same(const char *text, enum dpl_slcan_kind kind, uint32_t value)
{
    struct dpl_slcan_message message;
    cr_assert(hear(text, &message), "%s", text);
    cr_assert_eq(message.kind, kind, "%s", text);
    cr_assert_eq(message.value, value, "%s", text);
    cr_assert_eq(parser.errors, 0);
    expect_text(&message, text);
}

Test(slcan, says_and_hears_each_command_and_answer)
{
    expect_same("S0\r", DPL_SLCAN_SPEED, 0);
    expect_same("S8\r", DPL_SLCAN_SPEED, 8);
    expect_same("s031C\r", DPL_SLCAN_TIMING, 0x031c);
    expect_same("O\r", DPL_SLCAN_OPEN, 0);
    expect_same("C\r", DPL_SLCAN_CLOSE, 0);
    expect_same("Z0\r", DPL_SLCAN_STAMPS, 0);
    expect_same("Z1\r", DPL_SLCAN_STAMPS, 1);
    expect_same("V\r", DPL_SLCAN_ASK_VERSION, 0);
    expect_same("N\r", DPL_SLCAN_ASK_SERIAL, 0);
    expect_same("F\r", DPL_SLCAN_ASK_FLAGS, 0);
    expect_same("V1013\r", DPL_SLCAN_VERSION, 0x1013);
    expect_same("NA123\r", DPL_SLCAN_SERIAL, 0x41313233);
    expect_same("F8C\r", DPL_SLCAN_FLAGS, 0x8c);
    expect_same("\r", DPL_SLCAN_DONE, 0);
    expect_same("z\r", DPL_SLCAN_DONE, 'z');
    expect_same("Z\r", DPL_SLCAN_DONE, 'Z');
    expect_same("\a", DPL_SLCAN_REFUSED, 0);
}

Test(slcan, a_standard_frame_is_three_digits_a_length_and_its_bytes)
{
    struct dpl_slcan_message message;
    cr_assert(hear("t2016270000A1B2C3\r", &message));
    const struct dpl_can_frame expected = {
        .id = 0x201, .length = 6, .data = {0x27, 0x00, 0x00, 0xa1, 0xb2, 0xc3}};
    cr_assert_eq(message.kind, DPL_SLCAN_FRAME);
    cr_assert(dpl_can_frame_equal(&message.frame, &expected));
    cr_assert_not(message.has_stamp);
    expect_text(&message, "t2016270000A1B2C3\r");
    cr_assert(hear("t0800\r", &message));
    cr_assert_eq(message.frame.id, 0x80);
    cr_assert_eq(message.frame.length, 0);
}

Test(slcan, an_extended_frame_has_eight_digits_and_a_remote_one_no_data)
{
    struct dpl_slcan_message message;
    cr_assert(hear("T1ABCDEF02beEF\r", &message));
    cr_assert(message.frame.extended);
    cr_assert_eq(message.frame.id, 0x1abcdef0);
    cr_assert_eq(message.frame.data[0], 0xbe);
    expect_text(&message, "T1ABCDEF02BEEF\r");
    cr_assert(hear("r7FF8\r", &message));
    cr_assert(message.frame.remote);
    cr_assert_eq(message.frame.length, 8);
    expect_text(&message, "r7FF8\r");
    cr_assert(hear("R000000010\r", &message));
    cr_assert(message.frame.remote && message.frame.extended);
}

Test(slcan, a_stamp_follows_the_data)
{
    struct dpl_slcan_message message;
    cr_assert(hear("t1812ABCDEA5F\r", &message));
    cr_assert(message.has_stamp);
    cr_assert_eq(message.stamp_ms, 0xea5f);
    expect_text(&message, "t1812ABCDEA5F\r");
    cr_assert_not(hear("t1812ABCDEA60\r", &message), "60000 is no ms of a minute");
    cr_assert_not(hear("t1812ABCDEA5\r", &message), "a stamp has four digits");
}

Test(slcan, lines_that_say_nothing_are_skipped_counted_and_told_by_place)
{
    static const char *const bad[] = {
        "t8000\r", "t1819\r", "t1812AB\r", "t181\r",    "t18g0\r",          "T200000000\r",
        "S9\r",    "S\r",     "S10\r",     "Z2\r",      "V101\r",           "N12\r",
        "Q\r",     "OO\r",    "x\a",       "t0800zz\r", "t1810000000000\r", "\x80\r",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct dpl_slcan_message message;
        char text[64] = "O\r";
        struct dpl_byte_view input = {(const uint8_t *)text, 0};
        strcat(strcat(text, bad[i]), "C\r");
        input.size = strlen(text);
        dpl_slcan_parser_init(&parser);
        cr_assert(dpl_slcan_parser_next(&parser, &input, &message));
        cr_assert_eq(message.offset, 0);
        cr_assert(dpl_slcan_parser_next(&parser, &input, &message), "%s", bad[i]);
        cr_assert_eq(message.kind, DPL_SLCAN_CLOSE, "%s", bad[i]);
        cr_assert_eq(message.offset, 2 + strlen(bad[i]));
        cr_assert_eq(parser.errors, 1, "%s", bad[i]);
        cr_assert_eq(parser.dropped_bytes, strlen(bad[i]), "%s", bad[i]);
        cr_assert_eq(parser.last_error_offset, 2);
    }
}

Test(slcan, an_endless_line_is_one_error_and_what_follows_is_heard)
{
    struct dpl_slcan_message message;
    char text[1002];
    memset(text, '0', 1000);
    text[0] = 't';
    text[999] = '\r';
    text[1000] = '\r';
    struct dpl_byte_view input = {(const uint8_t *)text, 1001};
    dpl_slcan_parser_init(&parser);
    cr_assert(dpl_slcan_parser_next(&parser, &input, &message));
    cr_assert_eq(message.kind, DPL_SLCAN_DONE);
    cr_assert_eq(message.offset, 1000);
    cr_assert_eq(parser.errors, 1);
    cr_assert_eq(parser.dropped_bytes, 1000);
}

Test(slcan, the_same_stream_gives_the_same_however_it_is_cut)
{
    static const char text[] =
        "\rC\r\nS8\rO\rgarbage\rt0800\rz\rT1ABCDEF08001122334455667701F4\r\a";
    size_t size = sizeof text - 1;
    for (size_t chunk = 1; chunk <= size; chunk++) {
        unsigned kinds = 0, n = 0;
        dpl_slcan_parser_init(&parser);
        for (size_t at = 0; at < size; at += chunk) {
            struct dpl_byte_view input = {(const uint8_t *)text + at,
                                          size - at < chunk ? size - at : chunk};
            struct dpl_slcan_message message;
            while (dpl_slcan_parser_next(&parser, &input, &message)) {
                kinds = kinds * 13 + message.kind;
                n++;
            }
            cr_assert_eq(input.size, 0);
        }
        unsigned expected = 0;
        static const enum dpl_slcan_kind row[] = {
            DPL_SLCAN_DONE,  DPL_SLCAN_CLOSE, DPL_SLCAN_SPEED, DPL_SLCAN_OPEN,
            DPL_SLCAN_FRAME, DPL_SLCAN_DONE,  DPL_SLCAN_FRAME, DPL_SLCAN_REFUSED,
        };
        for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
            expected = expected * 13 + row[i];
        }
        cr_assert_eq(n, 8, "chunks of %zu", chunk);
        cr_assert_eq(kinds, expected, "chunks of %zu", chunk);
        cr_assert_eq(parser.errors, 1);
        cr_assert_eq(parser.dropped_bytes, 8);
    }
}

Test(slcan, speeds_have_numbers)
{
    cr_assert_eq(dpl_slcan_speed(8), 1000000);
    cr_assert_eq(dpl_slcan_speed(0), 10000);
    cr_assert_eq(dpl_slcan_speed(9), 0);
    cr_assert_eq(dpl_slcan_speed_number(500000), 6);
    cr_assert_eq(dpl_slcan_speed_number(500001), -EINVAL);
    cr_assert_eq(dpl_slcan_timing_rate(0x0014), 1000000);
    cr_assert_eq(dpl_slcan_timing_rate(0x001c), 500000);
    cr_assert_eq(dpl_slcan_timing_rate(0x031c), 125000);
    cr_assert_eq(dpl_slcan_timing_rate(0x311c), 10000);
    cr_assert_eq(dpl_slcan_timing_rate(0x0000), 0, "2.67 Mbit/s");
}
