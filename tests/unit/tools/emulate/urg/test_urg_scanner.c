/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/emulate/urg/urg_scanner.h: requests as text, replies byte by byte. */
#include "urg_scanner.h"

#include <criterion/criterion.h>
#include <string.h>

static struct urg_scanner urg;
static char heard[65536];
static size_t n_heard;

static void hear(void *user, const void *bytes, size_t n, dpl_ns now)
{
    (void)user;
    (void)now;
    cr_assert_lt(n_heard + n, sizeof heard);
    memcpy(heard + n_heard, bytes, n);
    n_heard += n;
    heard[n_heard] = '\0';
}

static void make_model(const char *name, bool is_scip11, bool is_ethernet)
{
    struct urg_config config = {
        .geometry = *dpl_scip_geometry_of(name),
        .identity = urg_identity_of(name),
        .is_scip11 = is_scip11,
        .is_ethernet = is_ethernet,
        .send = hear,
    };
    urg_init(&urg, &config);
}

static void make(bool is_scip11, bool is_ethernet)
{
    make_model("URG-04LX", is_scip11, is_ethernet);
}

/* What it answers to one line. */
static const char *ask(const char *line)
{
    n_heard = 0;
    heard[0] = '\0';
    urg_receive(&urg, (const uint8_t *)line, strlen(line), 0);
    urg_receive(&urg, (const uint8_t *)"\n", 1, 0);
    return heard;
}

static void measure(dpl_ns stamp)
{
    static uint32_t ranges[726];
    for (size_t i = 0; i < 726; i++) {
        ranges[i] = (uint32_t)(1000 + i);
    }
    urg_measured(&urg, ranges, 726, stamp, stamp);
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (; (text = strstr(text, what)); text++) {
        n++;
    }
    return n;
}

Test(urg, answers_status_requests_as_the_books_say)
{
    static const struct {
        const char *request, *answer;
    } rows[] = {
        {"QT", "QT\n00P\n\n"},
        {"BM", "BM\n00P\n\n"},
        {"BM", "BM\n02R\n\n"},
        {"RS", "RS\n00P\n\n"},
        {"RB", "RB\n01Q\n\n"},
        {"RB", "RB\n00P\n\n"},
        {"RB", "RB\n01Q\n\n"},
        {"XX", "XX\n0Ee\n\n"},
        {"SS115200", "SS115200\n00P\n\n"},
        {"SS115200", "SS115200\n03S\n\n"},
        {"HS0", "HS0\n00P\n\n"},
        {"SCIP2.0", "SCIP2.0\n00P\n\n"},
        {"GD0044072501", "GD0044072501\n10Q\n\n"},
        {"GD0044080001", "GD0044080001\n04T\n\n"},
        {"MD0500040001000", "MD0500040001000\n05U\n\n"},
        {"", ""},
    };
    make(false, false);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert_str_eq(ask(rows[i].request), rows[i].answer, "%zu: %s", i, rows[i].request);
    }
}

Test(urg, an_ethernet_model_knows_no_baud_rate)
{
    make(false, true);
    cr_assert_str_eq(ask("SS115200"), "SS115200\n0Ff\n\n");
}

Test(urg, each_model_tells_its_own_identity)
{
    static const struct {
        const char *name, *product, *protocol, *serial;
    } rows[] = {
        {"URG-04LX", "\nPROD:SOKUIKI Sensor URG-04LX;", "\nPROT:SCIP 2.0;", "\nSERI:H0000042;"},
        {"UTM-30LX", "\nPROD:SOKUIKI Sensor TOP-URG UTM-30LX;", "\nPROT:SCIP 2.0;",
         "\nSERI:H0000030;"},
        {"UST-10LX", "\nPROD:UST-10LX;", "\nPROT:SCIP 2.2;", "\nSERI:H0000010;"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        make_model(rows[i].name, false, false);
        cr_assert_not_null(strstr(ask("VV"), rows[i].product), "%s: %s", rows[i].name, heard);
        cr_assert_not_null(strstr(heard, rows[i].protocol), "%s: %s", rows[i].name, heard);
        cr_assert_not_null(strstr(heard, rows[i].serial), "%s: %s", rows[i].name, heard);
    }
    cr_assert_null(strstr(heard, "3.4.03"), "a UST with the firmware of a URG: %s", heard);
    cr_assert_not_null(strstr(ask("II"), "\nMODL:UST-10LX;"), "%s", heard);
    cr_assert_not_null(strstr(heard, "\nSBPS:Ethernet 100[Mbps];"), "%s", heard);
    cr_assert_null(urg_identity_of("URG-99"));
}

Test(urg, a_ust_tells_its_condition_and_a_urg_does_not_know_the_request)
{
    make(false, false);
    cr_assert_str_eq(ask("%ST"), "%ST\n0Ee\n\n");
    make_model("UST-10LX", false, true);
    cr_assert_str_eq(ask("%ST"), "%ST\n00P\n000@\n\n");
    ask("BM");
    cr_assert_str_eq(ask("%ST"), "%ST\n00P\n003C\n\n");
    ask("MD0000108001000");
    cr_assert_str_eq(ask("%ST;me"), "%ST;me\n00P\n004D\n\n");
    ask("QT");
    ask("TM0");
    cr_assert_str_eq(ask("%ST"), "%ST\n00P\n002B\n\n");
    ask("TM2");
    cr_assert_str_eq(ask("%SL"), "%SL\n00P\n\n");
    ask("VV");
    cr_assert_str_eq(ask("%ST"), "%ST\n00P\n005E\n\n");
    ask("BM");
    cr_assert_str_eq(ask("%ST"), "%ST\n00P\n003C\n\n");
}

Test(urg, time_mode_refuses_all_but_time)
{
    make(false, false);
    cr_assert_str_eq(ask("TM1"), "TM1\n04T\n\n");
    cr_assert_str_eq(ask("TM0"), "TM0\n00P\n\n");
    cr_assert_str_eq(ask("QT"), "QT\n0Ee\n\n");
    cr_assert_str_eq(ask("BM"), "BM\n0Ee\n\n");
    cr_assert_str_eq(ask("MD0044072500000"), "MD0044072500000\n0Ee\n\n");
    cr_assert_str_eq(ask("TM1"), "TM1\n00P\n00000\n\n");
    cr_assert_str_eq(ask("TM2"), "TM2\n00P\n\n");
    cr_assert_str_eq(ask("QT"), "QT\n00P\n\n");
}

Test(urg, an_old_one_says_e_until_it_is_switched_over)
{
    make(true, false);
    cr_assert_str_eq(ask("QT"), "QT\nE\n\n");
    cr_assert_str_eq(ask("VV"), "VV\nE\n\n");
    cr_assert_str_eq(ask("SCIP2.0"), "SCIP2.0\n0\n\n");
    cr_assert_str_eq(ask("QT"), "QT\n00P\n\n");
}

Test(urg, parameters_are_those_of_the_model)
{
    make(false, false);
    const char *answer = ask("PP");
    cr_assert_not_null(strstr(answer, "\nDMAX:5600;_\n"));
    cr_assert_not_null(strstr(answer, "\nARES:1024;\\\n"));
    cr_assert_not_null(strstr(answer, "\nAMAX:725;o\n"));
}

Test(urg, a_single_scan_waits_for_the_first_turn_then_comes_at_once)
{
    make(false, false);
    ask("BM");
    cr_assert_str_eq(ask("GD0380038101"), "");
    measure(5 * DPL_MS);
    cr_assert_eq(strncmp(heard, "GD0380038101\n00P\n00055\n0", 24), 0, "%s", heard);
    cr_assert_eq(strncmp(ask("GS0380038101"), "GS0380038101\n00P\n00055\n", 23), 0, "%s", heard);
}

Test(urg, a_stream_is_accepted_then_counts_down_and_turns_its_laser_off)
{
    make(false, false);
    cr_assert_str_eq(ask("MD0380038100002"), "MD0380038100002\n00P\n\n");
    cr_assert(urg.is_laser_on);
    measure(100 * DPL_MS);
    measure(200 * DPL_MS);
    cr_assert_eq(count(heard, "\n99b\n"), 2);
    cr_assert_not_null(strstr(heard, "MD0380038100001\n99b\n"));
    cr_assert_not_null(strstr(heard, "MD0380038100000\n99b\n"));
    cr_assert_not(urg.is_laser_on);
    measure(300 * DPL_MS);
    cr_assert_eq(count(heard, "\n99b\n"), 2);
}

Test(urg, an_endless_stream_leaves_scans_out_and_ends_with_qt)
{
    make(false, false);
    ask("BM");
    ask("MD0380038100200"); /* every third */
    for (int i = 1; i <= 9; i++) {
        measure(i * 100 * DPL_MS);
    }
    cr_assert_eq(count(heard, "\n99b\n"), 3);
    cr_assert_str_eq(ask("QT"), "QT\n00P\n\n");
    measure(DPL_S);
    cr_assert_eq(count(heard, "\n99b\n"), 0);
    cr_assert_not(urg.is_laser_on);
}

Test(urg, other_requests_are_answered_while_it_streams)
{
    make(false, false);
    ask("MD0380038100000");
    measure(DPL_MS);
    cr_assert_eq(strncmp(ask("VV"), "VV\n00P\n", 7), 0);
    measure(2 * DPL_MS);
    cr_assert_eq(count(heard, "\n99b\n"), 1);
}

Test(urg, a_host_that_comes_anew_gets_no_old_stream)
{
    make(false, false);
    ask("MD0380038100000");
    urg_receive(&urg, (const uint8_t *)"VV", 2, 0);
    urg_connected(&urg);
    measure(DPL_MS);
    cr_assert_str_eq(ask("QT"), "QT\n00P\n\n");
}

Test(urg, the_whole_reply_of_a_full_scan_with_intensities_fits)
{
    make(false, false);
    ask("BM");
    measure(DPL_MS);
    ask("GE0000072501");
    cr_assert_gt(n_heard, 726 * 6);
    cr_assert_eq(strcmp(heard + n_heard - 2, "\n\n"), 0);
}

Test(urg, a_line_that_is_too_long_is_refused)
{
    char line[300];
    make(false, false);
    memset(line, 'A', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    cr_assert_not_null(strstr(ask(line), "\n0Ee\n\n"));
}

Test(urg, a_second_stream_takes_the_place_of_the_first)
{
    make(false, false);
    ask("MD0380038100000");
    ask("MS0380038100000");
    measure(DPL_MS);
    cr_assert_eq(count(heard, "MS0380038100000\n99b\n"), 1);
    cr_assert_eq(count(heard, "MD"), 0);
}
