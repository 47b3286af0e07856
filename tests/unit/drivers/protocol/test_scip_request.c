/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP requests: what is understood, and the status for what is not. */
#include <doppel/protocol/scip_request.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct dpl_scip_request good(const char *text)
{
    struct dpl_scip_request request;
    const char *status = "none";
    cr_assert_eq(dpl_scip_request_parse(text, strlen(text), &request, &status), 0, "%s: %s", text,
                 status);
    cr_assert_str_eq(request.text, text);
    cr_assert_eq(request.length, strlen(text));
    return request;
}

Test(scip_request, parses_every_plain_command)
{
    static const struct {
        const char *text;
        enum dpl_scip_command command;
        unsigned parameter;
    } rows[] = {
        {"", DPL_SCIP_EMPTY, 0},
        {"VV", DPL_SCIP_VERSION, 0},
        {"PP", DPL_SCIP_PARAMETERS, 0},
        {"II", DPL_SCIP_STATE, 0},
        {"BM", DPL_SCIP_LASER_ON, 0},
        {"QT", DPL_SCIP_QUIT, 0},
        {"RS", DPL_SCIP_RESET, 0},
        {"RT", DPL_SCIP_RESET_PART, 0},
        {"RB", DPL_SCIP_REBOOT, 0},
        {"TM0", DPL_SCIP_TIME, 0},
        {"TM1", DPL_SCIP_TIME, 1},
        {"TM2", DPL_SCIP_TIME, 2},
        {"SS019200", DPL_SCIP_BAUD, 19200},
        {"SS115200", DPL_SCIP_BAUD, 115200},
        {"CR05", DPL_SCIP_MOTOR, 5},
        {"HS0", DPL_SCIP_SENSITIVE, 0},
        {"%SL", DPL_SCIP_SLEEP, 0},
        {"%ST", DPL_SCIP_CONDITION, 0},
        {"SCIP2.0", DPL_SCIP_SCIP20, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dpl_scip_request request = good(rows[i].text);
        cr_assert_eq(request.command, rows[i].command, "%s", rows[i].text);
        cr_assert_eq(request.parameter, rows[i].parameter, "%s", rows[i].text);
    }
}

Test(scip_request, parses_scans_of_every_family_and_encoding)
{
    static const char families[] = "GMHN", encodings[] = "DSEFG";
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 5; k++) {
            if (i >= 2 && encodings[k] == 'S') {
                continue;
            }
            bool streams = families[i] == 'M' || families[i] == 'N';
            char text[32];
            snprintf(text, sizeof text, "%c%c0044072503%s", families[i], encodings[k],
                     streams ? "512" : "");
            struct dpl_scip_request request = good(text);
            cr_assert_eq(request.command, DPL_SCIP_SCAN);
            cr_assert_eq(request.scan.family, families[i]);
            cr_assert_eq(request.scan.encoding, encodings[k]);
            cr_assert_eq(request.scan.start, 44);
            cr_assert_eq(request.scan.end, 725);
            cr_assert_eq(request.scan.cluster, 3);
            cr_assert_eq(request.scan.interval, streams ? 5 : 0);
            cr_assert_eq(request.scan.count, streams ? 12 : 0);
            cr_assert_eq(dpl_scip_is_stream(&request), streams);
            cr_assert_eq(dpl_scip_is_multi_echo(&request),
                         families[i] == 'H' || families[i] == 'N');
        }
    }
}

Test(scip_request, accepts_a_user_string_of_up_to_16_characters)
{
    cr_assert_eq(good("GD0000108001;hello").scan.end, 1080);
    cr_assert_eq(good("VV;0123456789abcdef").command, DPL_SCIP_VERSION);
    cr_assert_eq(good("TM1;").parameter, 1);
}

Test(scip_request, answers_what_it_refuses_with_its_status)
{
    static const struct {
        const char *text, *status;
    } rows[] = {
        /* user strings of more than 16 characters, or with others than of ASCII */
        {"VV;0123456789abcdefg", "0H"},
        {"GD0000108001;0123456789abcdefg", "0H"},
        {"QT;\x7f", "0I"},
        {"QT;\xc3\xa9", "0I"},
        /* unknown commands */
        {"XX", "0E"},
        {"G", "0E"},
        {"GX0000108001", "0E"},
        {"NS0000108001000", "0E"},
        {"vv", "0E"},
        {"PPP", "0E"},
        {"SCIP2.1", "0E"},
        {"\x01", "0E"},
        /* bad fields */
        {"GD", "0C"},
        {"GD000010800", "0C"},
        {"GD00001080011", "0D"},
        {"MD000010800100", "0C"},
        {"MD0000108001000x", "0D"},
        {"GD00x0108001", "01"},
        {"GD000010-001", "02"},
        {"GD00001080 1", "03"},
        {"MD0000108001x00", "06"},
        {"MD00001080010x0", "07"},
        {"TM", "0C"},
        {"TM3", "01"},
        {"HS0000108001", "0D"},
        {"SS1152", "0C"},
        {"SS11520x", "01"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dpl_scip_request request = {.parameter = 12345};
        const char *text = rows[i].text, *status = "none";
        cr_assert_eq(dpl_scip_request_parse(text, strlen(text), &request, &status), -EBADMSG, "%s",
                     text);
        cr_assert_str_eq(status, rows[i].status, "%s: %s", text, status);
        cr_assert_eq(request.parameter, 12345, "%s", text);
    }
}

Test(scip_request, cuts_nothing_short_when_a_line_is_far_too_long)
{
    char text[300];
    memset(text, 'V', sizeof text);
    struct dpl_scip_request request;
    const char *status = "none";
    cr_assert_eq(dpl_scip_request_parse(text, sizeof text, &request, &status), -EBADMSG);
    cr_assert_str_eq(status, "0E");
}

Test(scip_request, checks_steps_against_the_device)
{
    const struct dpl_scip_geometry *urg = dpl_scip_geometry_of("URG-04LX");
    const char *status = "none";
    struct dpl_scip_request request = good("GD0000076801");
    cr_assert_eq(dpl_scip_request_check(&request, urg, &status), 0);
    request = good("GD0000076901");
    cr_assert_eq(dpl_scip_request_check(&request, urg, &status), -ERANGE);
    cr_assert_str_eq(status, "04");
    request = good("GD0100009901");
    cr_assert_eq(dpl_scip_request_check(&request, urg, &status), -ERANGE);
    cr_assert_str_eq(status, "05");
    request = good("GD0100010001");
    cr_assert_eq(dpl_scip_request_check(&request, urg, &status), 0);
    request = good("QT");
    cr_assert_eq(dpl_scip_request_check(&request, urg, &status), 0);
}

Test(scip_request, formats_what_it_parses)
{
    struct dpl_scip_request request;
    struct dpl_scip_scan_fields stream = {'M', 'E', 0, 1080, 1, 2, 34};
    cr_assert_eq(dpl_scip_request_scan(stream, &request), 0);
    cr_assert_str_eq(request.text, "ME0000108001234");
    struct dpl_scip_scan_fields single = {'G', 'S', 44, 725, 0, 0, 0};
    cr_assert_eq(dpl_scip_request_scan(single, &request), 0);
    cr_assert_str_eq(request.text, "GS0044072500");
    cr_assert_eq(dpl_scip_request_plain(DPL_SCIP_BAUD, 19200, &request), 0);
    cr_assert_str_eq(request.text, "SS019200");
    cr_assert_eq(dpl_scip_request_plain(DPL_SCIP_TIME, 2, &request), 0);
    cr_assert_str_eq(request.text, "TM2");
    cr_assert_eq(dpl_scip_request_plain(DPL_SCIP_SCIP20, 0, &request), 0);
    cr_assert_str_eq(request.text, "SCIP2.0");
}

Test(scip_request, refuses_to_format_what_does_not_fit)
{
    struct dpl_scip_request request;
    static const struct dpl_scip_scan_fields bad[] = {
        {'X', 'D', 0, 1, 1, 0, 0},  {'H', 'S', 0, 1, 1, 0, 0},     {'G', 'X', 0, 1, 1, 0, 0},
        {'G', 'D', 2, 1, 1, 0, 0},  {'G', 'D', 0, 10000, 1, 0, 0}, {'M', 'D', 0, 1, 100, 0, 0},
        {'M', 'D', 0, 1, 1, 10, 0}, {'M', 'D', 0, 1, 1, 0, 100},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_assert_eq(dpl_scip_request_scan(bad[i], &request), -EINVAL, "row %zu", i);
    }
    cr_assert_eq(dpl_scip_request_plain(DPL_SCIP_TIME, 3, &request), -EINVAL);
    cr_assert_eq(dpl_scip_request_plain(DPL_SCIP_SCAN, 0, &request), -EINVAL);
    cr_assert_eq(dpl_scip_request_plain(DPL_SCIP_EMPTY, 0, &request), -EINVAL);
}

Test(scip_request, counts_values_with_and_without_clusters)
{
    struct dpl_scip_scan_fields fields = {'G', 'D', 44, 725, 1, 0, 0};
    cr_assert_eq(dpl_scip_scan_values(&fields), 682);
    fields.cluster = 0;
    cr_assert_eq(dpl_scip_scan_values(&fields), 682);
    fields.cluster = 3;
    cr_assert_eq(dpl_scip_scan_values(&fields), 228);
    fields.cluster = 99;
    cr_assert_eq(dpl_scip_scan_values(&fields), 7);
}

Test(scip_request, matches_echoes_of_a_stream_whatever_scans_remain)
{
    struct dpl_scip_request stream = good("MD0044072501010;ab");
    cr_assert(dpl_scip_echo_matches(&stream, "MD0044072501009;ab", 18));
    cr_assert_not(dpl_scip_echo_matches(&stream, "MD0044072501009;ac", 18));
    cr_assert_not(dpl_scip_echo_matches(&stream, "MD0044072601009;ab", 18));
    cr_assert_not(dpl_scip_echo_matches(&stream, "MD0044072501009", 15));
    struct dpl_scip_request quit = good("QT");
    cr_assert(dpl_scip_echo_matches(&quit, "QT", 2));
    cr_assert_not(dpl_scip_echo_matches(&quit, "BM", 2));
}

Test(scip_request, replaces_the_count_by_what_remains)
{
    struct dpl_scip_request stream = good("MD0044072501010;ab");
    dpl_scip_request_set_remaining(&stream, 7);
    cr_assert_str_eq(stream.text, "MD0044072501007;ab");
    cr_assert_eq(stream.scan.count, 7);
}
