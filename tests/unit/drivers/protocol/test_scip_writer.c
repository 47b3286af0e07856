/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP replies as a device writes them: whole texts, worked by hand. */
#include <doppel/protocol/scip_writer.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

static char out[32768];

static struct dpl_scip_request request_of(const char *text)
{
    struct dpl_scip_request request;
    const char *status;
    cr_assert_eq(dpl_scip_request_parse(text, strlen(text), &request, &status), 0);
    return request;
}

static void assert_written(const struct dpl_scip_writer *writer, const char *expected)
{
    cr_assert_not(writer->overflow);
    cr_assert_eq(writer->length, strlen(expected), "%.*s", (int)writer->length, writer->out);
    cr_assert_eq(memcmp(writer->out, expected, writer->length), 0, "%.*s", (int)writer->length,
                 writer->out);
}

Test(scip_writer, answers_with_a_status_and_its_sum)
{
    struct dpl_scip_writer writer = dpl_scip_writer_on(out, sizeof out);
    dpl_scip_write_status(&writer, "BM", 2, DPL_SCIP_LASER_ON_ALREADY);
    dpl_scip_write_status(&writer, "QT", 2, DPL_SCIP_OK);
    dpl_scip_write_status(&writer, "QT", 2, DPL_SCIP_UNKNOWN);
    dpl_scip_write_status(&writer, "GD0044072501", 12, DPL_SCIP_LASER_OFF);
    assert_written(&writer, "BM\n02R\n\nQT\n00P\n\nQT\n0Ee\n\nGD0044072501\n10Q\n\n");
}

Test(scip_writer, answers_like_a_scip_1_1_device)
{
    struct dpl_scip_writer writer = dpl_scip_writer_on(out, sizeof out);
    dpl_scip_write_scip11(&writer, "QT", 2, 'E');
    assert_written(&writer, "QT\nE\n\n");
}

Test(scip_writer, writes_info_lines_with_the_sum_behind_the_semicolon)
{
    static const char *const lines[] = {"VEND:Hokuyo Automatic Co.,Ltd.", "PROT:SCIP 2.0"};
    struct dpl_scip_writer writer = dpl_scip_writer_on(out, sizeof out);
    struct dpl_scip_request request = request_of("VV");
    dpl_scip_write_info(&writer, &request, lines, 2);
    assert_written(&writer, "VV\n00P\nVEND:Hokuyo Automatic Co.,Ltd.;[\nPROT:SCIP 2.0;N\n\n");
}

Test(scip_writer, writes_all_parameters_in_order)
{
    struct dpl_scip_writer writer = dpl_scip_writer_on(out, sizeof out);
    struct dpl_scip_request request = request_of("PP");
    dpl_scip_write_parameters(&writer, &request, dpl_scip_geometry_of("URG-04LX"));
    /* DMIN:20 = 44+4d+49+4e+3a+32+30 = 1c4 -> 04 + 30 = '4' */
    cr_assert_eq(strncmp(writer.out, "PP\n00P\nMODL:URG-04LX;", 21), 0);
    out[writer.length] = '\0';
    const char *rest = strstr(out, "DMIN");
    cr_assert_not_null(rest);
    cr_assert_eq(strncmp(rest, "DMIN:20;4\nDMAX:5600;", 20), 0, "%s", rest);
    cr_assert_not_null(strstr(rest, "\nARES:1024;"));
    cr_assert_not_null(strstr(rest, "\nAMIN:44;"));
    cr_assert_not_null(strstr(rest, "\nAMAX:725;"));
    cr_assert_not_null(strstr(rest, "\nAFRT:384;"));
    cr_assert_not_null(strstr(rest, "\nSCAN:600;"));
    cr_assert_eq(strcmp(out + writer.length - 2, "\n\n"), 0);
}

Test(scip_writer, writes_the_time)
{
    struct dpl_scip_writer writer = dpl_scip_writer_on(out, sizeof out);
    struct dpl_scip_request request = request_of("TM1");
    dpl_scip_write_time(&writer, &request, 0x1000000 + 16000000);
    /* "m2@0": 6d+32+40+30 = 10f -> 0f + 30 = '?' */
    assert_written(&writer, "TM1\n00P\nm2@0?\n\n");
}

static const uint32_t ranges[] = {1234, 5432, 0, 19, 300000, 100};

static struct dpl_scip_measurement measured(void)
{
    return (struct dpl_scip_measurement){
        .stamp_ms = 0,
        .ranges_mm = ranges,
        .steps = sizeof ranges / sizeof ranges[0],
        .echoes = 1,
        .range_min_mm = 20,
    };
}

static const uint32_t intensities[] = {1, 2, 3, 4, 5, 6}, echoes[] = {1234, 5432, 0, 63, 0, 7},
                      cluster[] = {500, 7, 400, 8, 7, 9, 900},
                      near[22] = {63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63,
                                  63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63};

/* Comments have the sums, worked by hand. */
static const struct {
    const char *name, *request;
    struct dpl_scip_measurement measured; /* without ranges: measured() */
    const char *expected;
} scans[] = {
    /* 0CB 1Dh 000: 30+43+42 + 31+44+68 + 90 = 222 -> 22 + 30 = 'R'; stamp 0000: c0 -> '0' */
    {.name = "a single scan of three characters",
     .request = "GD0000000201",
     .expected = "GD0000000201\n00P\n00000\n0CB1Dh000R\n\n"},
    /* oo: de -> 1e + 30 = 'N' */
    {.name = "two characters saturate",
     .request = "GS0001000101",
     .expected = "GS0001000101\n00P\n00000\nooN\n\n"},
    /* ooo: 14d -> 0d + 30 = '=' */
    {.name = "three characters saturate",
     .request = "GD0004000401",
     .expected = "GD0004000401\n00P\n00000\nooo=\n\n"},
    /* CB: 85 -> 05 + 30 = '5' */
    {.name = "a stream: its echo counts down",
     .request = "MS0000000001010",
     .expected = "MS0000000001009\n99b\n00000\nCB5\n\n"},
    /* 64 characters: 21 values (63 is 00o) and a '0'; 43 * 30 + 21 * 6f = 112b -> 2b + 30 = '[';
     * 0o: 9f -> 'O' */
    {.name = "data is split at 64 characters, even within a value",
     .request = "GD0000002101",
     .measured = {.ranges_mm = near, .steps = 22, .echoes = 1},
     .expected = "GD0000002101\n00P\n00000\n"
                 "00o00o00o00o00o00o00o00o00o00o00o00o00o00o00o00o00o00o00o00o00o0[\n"
                 "0oO\n\n"},
    /* 0CB 001 1Dh 002: b5 + 91 + dd + 92 = 2b5 -> 35 + 30 = 'e' */
    {.name = "the intensity is behind each range",
     .request = "GE0000000101",
     .measured = {.ranges_mm = ranges,
                  .intensities = intensities,
                  .steps = 6,
                  .echoes = 1,
                  .range_min_mm = 20},
     .expected = "GE0000000101\n00P\n00000\n0CB0011Dh002e\n\n"},
    /* 0CB&1Dh00o: b5 + 26 + dd + cf = 287 -> 07 + 30 = '7' */
    {.name = "further echoes are separated, and those that are none left out",
     .request = "HD0000000101",
     .measured = {.ranges_mm = echoes, .steps = 2, .echoes = 3},
     .expected = "HD0000000101\n00P\n00000\n0CB&1Dh00o7\n\n"},
    /* 0CB00o: 184 -> '4' */
    {.name = "of several echoes the nearest",
     .request = "GD0000000101",
     .measured = {.ranges_mm = echoes, .steps = 2, .echoes = 3},
     .expected = "GD0000000101\n00P\n00000\n0CB00o4\n\n"},
    /* 400 = 6 * 64 + 16: "6@"; 7: "07"; 900 = 14 * 64 + 4: ">4"; sum 76+67+72 = 14f -> '?' */
    {.name = "the nearest range of a cluster, and an error only if all are",
     .request = "GS0000000603",
     .measured = {.ranges_mm = cluster, .steps = 7, .echoes = 1, .range_min_mm = 20},
     .expected = "GS0000000603\n00P\n00000\n6@07>4?\n\n"},
    /* 100 = 1 * 64 + 36: "1T": 85 -> '5' */
    {.name = "a step of a cluster that was not measured",
     .request = "GS0005000602",
     .expected = "GS0005000602\n00P\n00000\n1T5\n\n"},
    /* "00": 'P' */
    {.name = "a step that was not measured is 0",
     .request = "GS0006000601",
     .expected = "GS0006000601\n00P\n00000\n00P\n\n"},
};

Test(scip_writer, writes_scans_as_the_protocol_says)
{
    for (size_t i = 0; i < sizeof scans / sizeof scans[0]; i++) {
        struct dpl_scip_writer writer = dpl_scip_writer_on(out, sizeof out);
        struct dpl_scip_request request = request_of(scans[i].request);
        struct dpl_scip_measurement m = scans[i].measured;
        unsigned remaining = request.scan.count > 0 ? request.scan.count - 1 : 0;
        m = m.ranges_mm ? m : measured();
        cr_assert_eq(dpl_scip_write_scan(&writer, &request, remaining, &m), 0, "%s", scans[i].name);
        out[writer.length] = '\0';
        cr_assert_not(writer.overflow, "%s", scans[i].name);
        cr_assert_str_eq(out, scans[i].expected, "%s: %s", scans[i].name, out);
    }
}

Test(scip_writer, writes_no_empty_data_line_after_exactly_64_characters)
{
    uint32_t many[32] = {0};
    struct dpl_scip_measurement m = {.ranges_mm = many, .steps = 32, .echoes = 1};
    struct dpl_scip_writer writer = dpl_scip_writer_on(out, sizeof out);
    struct dpl_scip_request request = request_of("GS0000003101");
    cr_assert_eq(dpl_scip_write_scan(&writer, &request, 0, &m), 0);
    /* echo 13, status 4, stamp 6, data 64 + 2, end 1 */
    cr_assert_eq(writer.length, 90);
}

Test(scip_writer, refuses_encodings_it_does_not_know)
{
    struct dpl_scip_measurement m = measured();
    struct dpl_scip_writer writer = dpl_scip_writer_on(out, sizeof out);
    struct dpl_scip_request words = request_of("GF0000000101");
    struct dpl_scip_request quit = request_of("QT");
    cr_assert_eq(dpl_scip_write_scan(&writer, &words, 0, &m), -EINVAL);
    cr_assert_eq(dpl_scip_write_scan(&writer, &quit, 0, &m), -EINVAL);
    cr_assert_eq(writer.length, 0);
}

Test(scip_writer, stays_within_its_memory_and_says_so)
{
    struct dpl_scip_measurement m = measured();
    struct dpl_scip_request request = request_of("GD0000000501");
    for (size_t capacity = 0; capacity < 46; capacity++) {
        struct dpl_scip_writer writer = dpl_scip_writer_on(out, capacity);
        cr_assert_eq(dpl_scip_write_scan(&writer, &request, 0, &m), 0);
        /* 13 + 4 + 6 + 19 + 1 */
        cr_assert_eq(writer.overflow, capacity < 43 + 1, "capacity %zu", capacity);
        cr_assert_leq(writer.length, capacity);
    }
}

Test(scip_writer, needs_no_more_memory_than_it_says)
{
    static uint32_t far_away[1081 * 3];
    for (size_t i = 0; i < 1081 * 3; i++) {
        far_away[i] = 100000;
    }
    struct dpl_scip_measurement m = {
        .ranges_mm = far_away, .intensities = far_away, .steps = 1081, .echoes = 3};
    struct dpl_scip_request request = request_of("NE0000108001000");
    size_t size = dpl_scip_scan_size(&request, 3);
    cr_assert_leq(size, sizeof out);
    struct dpl_scip_writer writer = dpl_scip_writer_on(out, size);
    cr_assert_eq(dpl_scip_write_scan(&writer, &request, 0, &m), 0);
    cr_assert_not(writer.overflow);
    cr_assert_gt(writer.length, size * 9 / 10);
}
