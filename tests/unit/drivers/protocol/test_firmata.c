/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include <doppel/protocol/firmata.h>

static struct dpl_firmata_parser parser;
static uint8_t bytes[512];
static struct dpl_firmata_writer writer;

static void begin(void)
{
    writer = (struct dpl_firmata_writer){.data = bytes, .size = sizeof bytes};
}

TestSuite(firmata, .init = begin);

/* The next message of `data`; fails when there is none. */
static struct dpl_firmata_message parse(bool from_board, const void *data, size_t n)
{
    struct dpl_byte_view input = {data, n};
    struct dpl_firmata_message message;
    dpl_firmata_parser_init(&parser, from_board);
    cr_assert(dpl_firmata_parser_next(&parser, &input, &message));
    cr_assert_eq(input.size, 0);
    return message;
}

static void expect(const void *expected, size_t n)
{
    cr_assert_eq(writer.n, n);
    cr_assert_arr_eq(writer.data, expected, n);
}

Test(firmata, reads_short_messages)
{
    struct dpl_firmata_message m = parse(false, "\xe3\x7f\x07", 3);
    cr_assert(m.command == DPL_FIRMATA_ANALOG && m.channel == 3 && m.value == 1023);
    m = parse(false, "\x91\x01\x01", 3);
    cr_assert(m.command == DPL_FIRMATA_DIGITAL && m.channel == 1 && m.value == 0x81);
    m = parse(false, "\xf4\x0d\x0b", 3);
    cr_assert(m.command == DPL_FIRMATA_SET_MODE && m.channel == 13);
    cr_assert_eq(m.value, DPL_FIRMATA_MODE_PULL_UP);
    m = parse(false, "\xd1\x01", 2);
    cr_assert(m.command == DPL_FIRMATA_REPORT_DIGITAL && m.channel == 1 && m.value == 1);
    m = parse(false, "\xff", 1);
    cr_assert_eq(m.command, DPL_FIRMATA_RESET);
}

Test(firmata, knows_a_version_from_the_question_for_it_by_the_direction)
{
    struct dpl_firmata_message m = parse(false, "\xf9", 1);
    cr_assert(m.command == DPL_FIRMATA_VERSION && m.is_query);
    m = parse(true, "\xf9\x02\x05", 3);
    cr_assert(m.command == DPL_FIRMATA_VERSION && !m.is_query && m.value == 0x0205);
}

Test(firmata, reads_a_sysex_and_its_text)
{
    char text[8];
    struct dpl_firmata_message m = parse(true, "\xf0\x71H\0i\0\x7c\x01\xf7", 9);
    cr_assert(m.command == DPL_FIRMATA_SYSEX && m.sysex == DPL_FIRMATA_STRING && m.n == 6);
    cr_assert_eq(dpl_firmata_get_text(m.data, m.n, text, sizeof text), 3);
    cr_assert_str_eq(text, "Hi\xfc");
    cr_assert_eq(dpl_firmata_get_text(m.data, m.n, text, 2), 1);
    cr_assert_str_eq(text, "H");
}

Test(firmata, gives_the_same_messages_however_the_stream_is_cut)
{
    static const uint8_t stream[] = "\xf0\x79\x02\x05\xf7\xe0\x01\x02\x90\x7f\x01";
    size_t n = sizeof stream - 1;
    for (size_t chunk = 1; chunk <= n; chunk++) {
        uint64_t found = 0;
        dpl_firmata_parser_init(&parser, true);
        for (size_t at = 0; at < n; at += chunk) {
            struct dpl_byte_view input = {stream + at, n - at < chunk ? n - at : chunk};
            struct dpl_firmata_message message;
            while (dpl_firmata_parser_next(&parser, &input, &message)) {
                found = found * 1000 + message.command + message.value;
            }
        }
        cr_assert_eq(found, (240u * 1000u + 224 + 257) * 1000u + 144 + 255, "cut at %zu", chunk);
        cr_assert_eq(parser.dropped_bytes, 0);
    }
}

Test(firmata, counts_what_belongs_to_no_message_and_goes_on)
{
    static const uint8_t stream[] = {0x01, 0xf7, 0x80, 0xe0, 0x01, 0xf0, 0x79,
                                     0xf0, 0xf7, 0xf4, 0xf9, 0x05, 0xc2, 0x01};
    struct dpl_byte_view input = {stream, sizeof stream};
    struct dpl_firmata_message message;
    dpl_firmata_parser_init(&parser, false);
    cr_assert(dpl_firmata_parser_next(&parser, &input, &message));
    cr_assert_eq(message.command, DPL_FIRMATA_VERSION);
    cr_assert(dpl_firmata_parser_next(&parser, &input, &message));
    cr_assert(message.command == DPL_FIRMATA_REPORT_ANALOG && message.channel == 2);
    cr_assert_not(dpl_firmata_parser_next(&parser, &input, &message));
    cr_assert_eq(parser.messages, 2);
    cr_assert_eq(parser.dropped_bytes, sizeof stream - 3);
}

Test(firmata, drops_a_sysex_that_is_too_long_and_hears_the_next)
{
    static uint8_t stream[DPL_FIRMATA_SYSEX_MAX + 10];
    size_t n = DPL_FIRMATA_SYSEX_MAX + 4; /* one data byte too many */
    stream[0] = 0xf0;
    stream[n - 1] = 0xf7;
    struct dpl_byte_view input = {stream, n};
    struct dpl_firmata_message message;
    dpl_firmata_parser_init(&parser, false);
    cr_assert_not(dpl_firmata_parser_next(&parser, &input, &message));
    cr_assert_eq(parser.dropped_bytes, n);
    stream[n - 2] = 0xf7; /* and one less fits */
    input = (struct dpl_byte_view){stream, n - 1};
    cr_assert(dpl_firmata_parser_next(&parser, &input, &message));
    cr_assert_eq(message.n, DPL_FIRMATA_SYSEX_MAX);
}

Test(firmata, writes_values_for_pins_in_the_short_or_the_extended_form)
{
    dpl_firmata_put_pin_value(&writer, 9, 255);
    expect("\xe9\x7f\x01", 3);
    writer.n = 0;
    dpl_firmata_put_pin_value(&writer, 44, 200);
    expect("\xf0\x6f\x2c\x48\x01\xf7", 6);
    writer.n = 0;
    dpl_firmata_put_pin_value(&writer, 3, 1u << 14);
    expect("\xf0\x6f\x03\x00\x00\x01\xf7", 7);
}

Test(firmata, writes_servo_pulses_and_firmware)
{
    dpl_firmata_put_servo_config(&writer, 10, 1000, 2000);
    expect("\xf0\x70\x0a\x68\x07\x50\x0f\xf7", 8);
    writer.n = 0;
    dpl_firmata_put_firmware(&writer, 2, 5, "ab");
    expect("\xf0\x79\x02\x05"
           "a\0b\0\xf7",
           9);
}

Test(firmata, leaves_out_whole_messages_when_the_buffer_is_full)
{
    writer.size = 5;
    dpl_firmata_put_value(&writer, DPL_FIRMATA_ANALOG, 1, 2);
    dpl_firmata_put_string(&writer, "x");
    cr_assert(writer.overflowed);
    cr_assert_eq(writer.n, 3);
    dpl_firmata_put(&writer, DPL_FIRMATA_RESET, NULL, 0);
    cr_assert_eq(writer.n, 3);
}

Test(firmata, numbers_of_7_bit_groups_and_pairs_survive_both_ways)
{
    static const uint32_t values[] = {0, 1, 127, 128, 16383, 16384, 5800, 0xffffffff};
    uint8_t data[8];
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        size_t n = dpl_firmata_put_groups(data, values[i], 2);
        cr_assert(n >= 2 && n <= 5);
        cr_assert_eq(dpl_firmata_get_groups(data, n), values[i]);
        dpl_firmata_put_u32be(data, values[i]);
        cr_assert_eq(dpl_firmata_get_u32be(data), values[i]);
    }
}
