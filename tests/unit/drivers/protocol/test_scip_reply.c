/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP replies as a host reads them: every kind, every cut, every broken byte. */
#include <doppel/protocol/scip_reply.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include <doppel/protocol/scip_writer.h>

static struct dpl_scip_reply_parser parser;

static struct dpl_byte_view bytes_of(const char *text)
{
    return (struct dpl_byte_view){(const uint8_t *)text, strlen(text)};
}

static int read_text(const char *text)
{
    struct dpl_byte_view input = bytes_of(text);
    dpl_scip_reply_parser_init(&parser);
    return dpl_scip_reply_next(&parser, &input);
}

static void assert_fault(const char *text, enum dpl_scip_fault fault, uint64_t offset)
{
    cr_assert_eq(read_text(text), -EBADMSG, "%s", text);
    cr_assert_eq(parser.fault, fault, "%s: %s", text, dpl_scip_fault_text(parser.fault));
    cr_assert_eq(parser.fault_offset, offset, "%s: %lu", text, (unsigned long)parser.fault_offset);
    cr_assert_eq(parser.faults, 1);
}

Test(scip_reply, reads_a_status)
{
    cr_assert_eq(read_text("BM\n02R\n\n"), 1);
    cr_assert_eq(parser.reply.kind, DPL_SCIP_REPLY_STATUS);
    cr_assert_str_eq(parser.reply.echo, "BM");
    cr_assert(dpl_scip_reply_is(&parser.reply, "02"));
    cr_assert(parser.reply.is_known);
    cr_assert_eq(parser.reply.request.command, DPL_SCIP_LASER_ON);
}

Test(scip_reply, reads_what_a_scip_1_1_device_says)
{
    cr_assert_eq(read_text("QT\nE\n\n"), 1);
    cr_assert(dpl_scip_reply_is(&parser.reply, "E"));
    cr_assert_eq(read_text("SCIP2.0\n0\n\n"), 1);
    cr_assert(dpl_scip_reply_is(&parser.reply, "0"));
}

Test(scip_reply, reads_a_refusal_of_any_command)
{
    cr_assert_eq(read_text("ZZ9\n0Ee\n\n"), 1);
    cr_assert_not(parser.reply.is_known);
    cr_assert(dpl_scip_reply_is(&parser.reply, "0E"));
    cr_assert_eq(read_text("GD0000108001\n10Q\n\n"), 1);
    cr_assert_eq(parser.reply.kind, DPL_SCIP_REPLY_STATUS);
}

Test(scip_reply, reads_the_immediate_answer_of_a_stream_and_then_a_scan)
{
    struct dpl_byte_view input =
        bytes_of("MS0000000001010\n00P\n\nMS0000000001009\n99b\n00000\nCB5\n\n");
    dpl_scip_reply_parser_init(&parser);
    cr_assert_eq(dpl_scip_reply_next(&parser, &input), 1);
    cr_assert_eq(parser.reply.kind, DPL_SCIP_REPLY_STATUS);
    cr_assert_eq(dpl_scip_reply_next(&parser, &input), 1);
    cr_assert_eq(parser.reply.kind, DPL_SCIP_REPLY_SCAN);
    cr_assert_eq(parser.reply.offset, 21);
    cr_assert_eq(parser.reply.request.scan.count, 9);
    cr_assert_eq(parser.reply.count, 1);
    cr_assert_eq(parser.reply.ranges_mm[0], 1234);
    cr_assert_eq(dpl_scip_reply_next(&parser, &input), 0);
    cr_assert_eq(parser.replies, 2);
}

Test(scip_reply, reads_the_time)
{
    cr_assert_eq(read_text("TM1\n00P\nm2@0?\n\n"), 1);
    cr_assert_eq(parser.reply.kind, DPL_SCIP_REPLY_TIME);
    cr_assert_eq(parser.reply.stamp_ms, 16000000);
    cr_assert_eq(read_text("TM0\n00P\n\n"), 1);
    cr_assert_eq(parser.reply.kind, DPL_SCIP_REPLY_STATUS);
}

Test(scip_reply, reads_text_lines_without_their_sums)
{
    cr_assert_eq(read_text("VV\n00P\nVEND:Hokuyo Automatic Co.,Ltd.;[\nPROT:SCIP 2.0;N\n\n"), 1);
    cr_assert_eq(parser.reply.kind, DPL_SCIP_REPLY_TEXT);
    cr_assert_eq(parser.reply.lines, 2);
    cr_assert_str_eq(parser.reply.text[0], "VEND:Hokuyo Automatic Co.,Ltd.");
    cr_assert_str_eq(parser.reply.text[1], "PROT:SCIP 2.0");
}

Test(scip_reply, reads_lines_of_a_command_it_does_not_know)
{
    cr_assert_eq(read_text("%ST\n00P\n00P\n\n"), 1);
    cr_assert_eq(parser.reply.lines, 1);
    cr_assert_str_eq(parser.reply.text[0], "00");
}

Test(scip_reply, reads_intensities_and_the_first_of_several_echoes)
{
    cr_assert_eq(read_text("GE0000000101\n00P\n00000\n0CB0011Dh002e\n\n"), 1);
    cr_assert_eq(parser.reply.count, 2);
    cr_assert_eq(parser.reply.ranges_mm[1], 5432);
    cr_assert_eq(parser.reply.intensities[0], 1);
    cr_assert_eq(parser.reply.intensities[1], 2);
    cr_assert_eq(read_text("HD0000000101\n00P\n00000\n0CB&1Dh00o7\n\n"), 1);
    cr_assert_eq(parser.reply.count, 2);
    cr_assert_eq(parser.reply.ranges_mm[0], 1234);
    cr_assert_eq(parser.reply.ranges_mm[1], 63);
    cr_assert_eq(parser.reply.extra_echoes, 1);
}

static char wire[32768];

static size_t write_large_scan(const char *text, const uint32_t *ranges, const uint32_t *power,
                               unsigned echoes)
{
    struct dpl_scip_request request;
    const char *status;
    struct dpl_scip_measurement m = {
        .stamp_ms = 0x123456,
        .ranges_mm = ranges,
        .intensities = power,
        .steps = 1081,
        .echoes = echoes,
    };
    struct dpl_scip_writer writer = dpl_scip_writer_on(wire, sizeof wire);
    cr_assert_eq(dpl_scip_request_parse(text, strlen(text), &request, &status), 0);
    cr_assert_eq(dpl_scip_write_scan(&writer, &request, 3, &m), 0);
    cr_assert_not(writer.overflow);
    return writer.length;
}

Test(scip_reply, reads_whole_scans_of_every_family_and_encoding_as_written)
{
    static uint32_t ranges[1081 * 2], power[1081 * 2];
    static const char *const requests[] = {
        "GD0000108001",    "GS0000108001", "GE0000108001", "MD0000108001000", "MS0000108001000",
        "ME0000108001000", "HD0000108001", "HE0000108001", "ND0000108001000", "NE0000108001000",
    };
    for (size_t i = 0; i < 1081; i++) {
        ranges[2 * i] = (uint32_t)(i * 3 + 20);
        ranges[2 * i + 1] = i % 3 == 0 ? (uint32_t)(i + 4000) : 0;
        power[2 * i] = (uint32_t)(i * 200);
    }
    for (size_t r = 0; r < sizeof requests / sizeof requests[0]; r++) {
        struct dpl_byte_view input = {(uint8_t *)wire,
                                      write_large_scan(requests[r], ranges, power, 2)};
        dpl_scip_reply_parser_init(&parser);
        cr_assert_eq(dpl_scip_reply_next(&parser, &input), 1, "%s: %s", requests[r],
                     dpl_scip_fault_text(parser.fault));
        bool has_power = requests[r][1] == 'E';
        bool has_echoes = requests[r][0] == 'H' || requests[r][0] == 'N';
        cr_assert_eq(parser.reply.count, 1081);
        cr_assert_eq(parser.reply.stamp_ms, 0x123456);
        cr_assert_eq(parser.reply.extra_echoes, has_echoes ? 361 : 0);
        for (size_t i = 0; i < 1081; i++) {
            cr_assert_eq(parser.reply.ranges_mm[i], ranges[2 * i]);
            cr_assert_eq(parser.reply.intensities[i], has_power ? power[2 * i] : 0);
        }
    }
}

Test(scip_reply, gives_the_same_reply_when_cut_at_any_byte)
{
    static const char text[] = "\nMS0000000001009\n99b\n00000\nCB5\n\nQT\n00P\n\n";
    for (size_t cut = 0; cut < sizeof text; cut++) {
        struct dpl_byte_view parts[] = {
            {(const uint8_t *)text, cut},
            {(const uint8_t *)text + cut, sizeof text - 1 - cut},
        };
        int replies = 0;
        dpl_scip_reply_parser_init(&parser);
        for (size_t i = 0; i < 2; i++) {
            while (dpl_scip_reply_next(&parser, &parts[i]) == 1) {
                replies++;
                cr_assert_eq(parser.reply.ranges_mm[0], 1234);
                cr_assert_eq(parser.reply.offset, replies == 1 ? 1 : 32);
            }
        }
        cr_assert_eq(replies, 2, "cut at %zu", cut);
        cr_assert_eq(parser.faults, 0);
    }
}

Test(scip_reply, says_what_is_wrong_and_where)
{
    assert_fault("Q\tT\n00P\n\n", DPL_SCIP_FAULT_ECHO, 0);
    assert_fault("QT\n\n", DPL_SCIP_FAULT_STATUS, 3);
    assert_fault("QT\n00Q\n\n", DPL_SCIP_FAULT_STATUS, 3);
    assert_fault("QT\n00P\nX\n\n", DPL_SCIP_FAULT_UNEXPECTED_LINE, 7);
    assert_fault("TM1\n00P\nm2@0>\n\n", DPL_SCIP_FAULT_SUM, 8);
    assert_fault("TM1\n00P\n\n", DPL_SCIP_FAULT_TOO_LITTLE_DATA, 8);
    assert_fault("GD0000000201\n00P\n00000\n0CB1Dh000S\n\n", DPL_SCIP_FAULT_SUM, 23);
    assert_fault("GD0000000301\n00P\n00000\n0CB1Dh000R\n\n", DPL_SCIP_FAULT_TOO_LITTLE_DATA, 34);
    assert_fault("GD0000000101\n00P\n00000\n0CB1Dh000R\n\n", DPL_SCIP_FAULT_TOO_MUCH_DATA, 23);
    /* 0CB&1Dh: 1b8 -> 'h'; '&' belongs to families H and N only */
    assert_fault("GD0000000101\n00P\n00000\n0CB&1Dhh\n\n", DPL_SCIP_FAULT_CHARACTER, 23);
    assert_fault("PP\n00P\nDMIN:20;5\n\n", DPL_SCIP_FAULT_SUM, 7);
    assert_fault("GD0002000101\n00P\n\n", DPL_SCIP_FAULT_ECHO, 13);
    assert_fault("GD0000999901\n00P\n\n", DPL_SCIP_FAULT_ECHO, 13);
}

Test(scip_reply, never_takes_a_scan_with_one_bit_wrong_for_good)
{
    static const char text[] = "GD0000000201\n00P\n00000\n0CB1Dh000R\n\n";
    for (size_t bit = 8 * 13; bit < 8 * (sizeof text - 3); bit++) {
        char broken[sizeof text];
        memcpy(broken, text, sizeof text);
        broken[bit / 8] = (char)(broken[bit / 8] ^ 1 << bit % 8);
        struct dpl_byte_view input = {(const uint8_t *)broken, sizeof text - 1};
        dpl_scip_reply_parser_init(&parser);
        int result = dpl_scip_reply_next(&parser, &input);
        /* The low six bits are all that a sum covers. */
        bool is_covered = bit % 8 < 6;
        cr_assert(result != 1 || !is_covered, "bit %zu", bit);
    }
}

Test(scip_reply, recovers_at_the_next_empty_line)
{
    struct dpl_byte_view input = bytes_of("h000R\nxx\n\nQT\n00P\n\n");
    dpl_scip_reply_parser_init(&parser);
    cr_assert_eq(dpl_scip_reply_next(&parser, &input), -EBADMSG);
    cr_assert_eq(dpl_scip_reply_next(&parser, &input), 1);
    cr_assert_str_eq(parser.reply.echo, "QT");
    cr_assert_eq(parser.reply.offset, 10);
}

Test(scip_reply, limits_lines_and_text)
{
    char flood[200];
    memset(flood, 'x', sizeof flood);
    flood[198] = '\n';
    flood[199] = '\0';
    assert_fault(flood, DPL_SCIP_FAULT_LINE_TOO_LONG, 0);
    char many[512] = "VV\n00P\n";
    for (int i = 0; i <= DPL_SCIP_MAX_TEXT_LINES; i++) {
        strcat(many, "00;P\n");
    }
    assert_fault(many, DPL_SCIP_FAULT_TOO_MUCH_DATA, 7 + 5 * DPL_SCIP_MAX_TEXT_LINES);
}

Test(scip_reply, reads_the_geometry_that_a_device_writes)
{
    const struct dpl_scip_geometry *urg = dpl_scip_geometry_of("URG-04LX");
    struct dpl_scip_request request;
    cr_assert_eq(dpl_scip_request_plain(DPL_SCIP_PARAMETERS, 0, &request), 0);
    struct dpl_scip_writer writer = dpl_scip_writer_on(wire, sizeof wire);
    dpl_scip_write_parameters(&writer, &request, urg);
    struct dpl_byte_view input = {(const uint8_t *)wire, writer.length};
    dpl_scip_reply_parser_init(&parser);
    cr_assert_eq(dpl_scip_reply_next(&parser, &input), 1);
    struct dpl_scip_geometry got;
    const char *key = "none";
    cr_assert_eq(dpl_scip_reply_geometry(&parser.reply, &got, &key), 0, "%s", key);
    cr_assert_str_eq(got.model, "URG-04LX");
    cr_assert_eq(got.front_step, 384);
    cr_assert_eq(got.last_step, 725);
    parser.reply.lines = 7;
    cr_assert_eq(dpl_scip_reply_geometry(&parser.reply, &got, &key), -EBADMSG);
    cr_assert_str_eq(key, "SCAN");
}
