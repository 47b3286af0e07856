/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of drivers/laser_scanner/scip_host.h: the driver's wire side and the emulated scanner, byte
 * by byte, on a clock that the test advances. */
#include "scip_host.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "urg_scanner.h"

static struct scip_host host;
static struct urg_scanner urg;
static dpl_ns now;
static uint8_t to_host[65536], to_urg[4096];
static size_t n_to_host, n_to_urg;
static bool deaf; /* nothing reaches the scanner */
static enum scip_event last_event;
static int n_scans, n_known, n_silent, n_failed;
static uint32_t ranges[726];
static struct dpl_scip_geometry geometry;

static int host_sends(void *user, const void *bytes, size_t n)
{
    (void)user;
    cr_assert_lt(n_to_urg + n, sizeof to_urg);
    memcpy(to_urg + n_to_urg, bytes, n);
    n_to_urg += n;
    return 0;
}

static void urg_sends(void *user, const void *bytes, size_t n, dpl_ns time)
{
    (void)user;
    (void)time;
    cr_assert_lt(n_to_host + n, sizeof to_host);
    memcpy(to_host + n_to_host, bytes, n);
    n_to_host += n;
}

/* Both directions until it is quiet. */
static void exchange(void)
{
    while (n_to_urg > 0 || n_to_host > 0) {
        size_t n = n_to_urg;
        n_to_urg = 0;
        if (!deaf) {
            urg_receive(&urg, to_urg, n, now);
        }
        struct dpl_byte_view input = {to_host, n_to_host};
        n_to_host = 0;
        while ((last_event = scip_host_next(&host, &input, now)) != SCIP_NOTHING) {
            n_scans += last_event == SCIP_SCAN;
            n_known += last_event == SCIP_KNOWN;
            n_failed += last_event == SCIP_FAILED;
            if (last_event == SCIP_FAILED) {
                return;
            }
        }
    }
}

static void step(dpl_ns dt, bool wanted)
{
    now += dt;
    enum scip_event event = scip_host_timer(&host, wanted, now);
    n_silent += event == SCIP_SILENT;
    n_failed += event == SCIP_FAILED;
    exchange();
}

static void begin_with(struct urg_config urg_config, struct scip_host_config host_config)
{
    urg_config.geometry = geometry.rpm > 0 ? geometry : *dpl_scip_geometry_of("URG-04LX");
    urg_config.identity = urg_identity_of("URG-04LX");
    urg_config.send = urg_sends;
    host_config.send = host_sends;
    host_config.silence = 500 * DPL_MS;
    host_config.device_stamps = true;
    urg_init(&urg, &urg_config);
    scip_host_init(&host, &host_config);
    now = 7 * DPL_S;
    for (uint32_t i = 0; i < 726; i++) {
        ranges[i] = 1000 + i;
    }
    scip_host_opened(&host, now);
    exchange();
}

static void begin_with_geometry(struct dpl_scip_geometry other)
{
    geometry = other;
    begin_with((struct urg_config){0}, (struct scip_host_config){0});
}

static void begin(void)
{
    begin_with((struct urg_config){0}, (struct scip_host_config){0});
}

/* A turn that was measured `age` ago. */
static void measure(dpl_ns age)
{
    urg_measured(&urg, ranges, 726, now - age, now);
    exchange();
}

Test(scip_host, knows_the_scanner_after_the_handshake)
{
    begin();
    cr_assert_eq(n_known, 1);
    cr_assert_eq(host.step, SCIP_IDLE);
    cr_assert_eq(host.geometry.steps_per_turn, 1024);
    cr_assert_not(urg.is_laser_on);
    cr_assert_not(urg.is_time_mode);
}

Test(scip_host, streams_when_it_is_wanted_and_turns_off_when_not)
{
    begin();
    step(20 * DPL_MS, true);
    cr_assert(urg.is_laser_on);
    cr_assert_eq(host.step, SCIP_STREAMING);
    measure(0);
    measure(0);
    cr_assert_eq(n_scans, 2);
    const struct dpl_scip_reply *reply = scip_host_reply(&host);
    cr_assert_eq(reply->count, 682);
    cr_assert_eq(reply->ranges_mm[0], 1044);
    step(20 * DPL_MS, false);
    cr_assert_not(urg.is_laser_on);
    cr_assert_eq(host.step, SCIP_IDLE);
}

Test(scip_host, brings_an_old_scanner_to_scip_2)
{
    begin_with((struct urg_config){.is_scip11 = true}, (struct scip_host_config){0});
    cr_assert_eq(n_known, 1);
}

Test(scip_host, leaves_the_time_mode_of_an_earlier_host)
{
    begin();
    urg_receive(&urg, (const uint8_t *)"TM0\n", 4, now);
    n_to_host = 0;
    scip_host_opened(&host, now);
    exchange();
    cr_assert_eq(n_known, 2);
    cr_assert_not(urg.is_time_mode);
}

Test(scip_host, ends_the_stream_of_an_earlier_host)
{
    begin();
    urg_receive(&urg, (const uint8_t *)"MS0044072500000\n", 16, now);
    urg_measured(&urg, ranges, 726, now, now);
    scip_host_opened(&host, now);
    exchange();
    cr_assert_eq(n_known, 2);
    cr_assert_eq(n_scans, 0);
    cr_assert_not(urg.is_laser_on);
}

Test(scip_host, asks_again_and_gives_up_when_nobody_answers)
{
    deaf = true;
    begin();
    for (int i = 0; i < 100 && n_failed == 0; i++) {
        step(20 * DPL_MS, true);
    }
    cr_assert_eq(n_failed, 1);
    cr_assert_lt(now, 10 * DPL_S);
}

Test(scip_host, a_question_that_is_lost_is_asked_again)
{
    deaf = true;
    begin();
    deaf = false;
    for (int i = 0; i < 20; i++) {
        step(20 * DPL_MS, false);
    }
    cr_assert_eq(n_known, 1);
}

/* Steps of 10 ms without a scan. */
static void be_silent(int steps)
{
    for (int i = 0; i < steps; i++) {
        step(10 * DPL_MS, true);
    }
}

Test(scip_host, silence_while_streaming_is_told_at_once_and_a_failure_later)
{
    begin();
    host.config.silence = 250 * DPL_MS;
    step(20 * DPL_MS, true);
    measure(0);
    be_silent(25);
    cr_assert_eq(n_silent, 0);
    be_silent(1);
    cr_assert_eq(n_silent, 1, "told by 260 ms");
    be_silent(24);
    cr_assert_eq(n_silent, 1, "told once");
    cr_assert_eq(n_failed, 0);
    be_silent(1);
    cr_assert_eq(n_failed, 1);
    cr_assert_str_eq(host.why, "its scans have stopped");
}

Test(scip_host, a_scan_after_a_silence_goes_on_with_the_same_connection)
{
    begin();
    host.config.silence = 250 * DPL_MS;
    step(20 * DPL_MS, true);
    measure(0);
    be_silent(40);
    measure(0);
    cr_assert_eq(n_scans, 2);
    be_silent(26);
    cr_assert_eq(n_silent, 2, "and the next silence is told again");
    cr_assert_eq(n_failed, 0);
}

Test(scip_host, a_scan_that_is_lost_on_the_way_is_no_silence)
{
    begin();
    host.config.silence = 50 * DPL_MS; /* less than the scanner's turns allow */
    step(20 * DPL_MS, true);
    for (int i = 0; i < 10; i++) {
        measure(0);
        be_silent(24);
    }
    cr_assert_eq(n_silent, 0);
    cr_assert_eq(n_scans, 10);
}

Test(scip_host, a_garbled_scan_is_counted_and_the_next_one_comes_through)
{
    begin();
    step(20 * DPL_MS, true);
    measure(0);
    urg_measured(&urg, ranges, 726, now, now);
    to_host[n_to_host / 2] ^= 0x11;
    exchange();
    measure(0);
    cr_assert_eq(n_scans, 2);
    cr_assert_eq(host.checksum_errors, 1);
}

/* The reply that waits for the host gets its last line but one twice, or loses it. */
static void change_length(bool longer)
{
    size_t end = n_to_host - 2, line = end - 1; /* the last line of data, and its end */
    while (to_host[line - 1] != '\n') {
        line--;
    }
    size_t begin = line - 66; /* a full one: 64 characters, their sum, LF */
    cr_assert_eq(to_host[begin - 1], '\n');
    if (longer) {
        memmove(to_host + line + 66, to_host + line, n_to_host - line);
        memcpy(to_host + line, to_host + begin, 66);
        n_to_host += 66;
    } else {
        memmove(to_host + begin, to_host + line, n_to_host - line);
        n_to_host -= 66;
    }
}

Test(scip_host, a_scan_of_a_wrong_length_is_refused_counted_and_told)
{
    for (int longer = 0; longer < 2; longer++) {
        n_scans = n_failed = n_silent = 0;
        begin();
        step(20 * DPL_MS, true);
        measure(0);
        for (int i = 1; i <= 30 && n_failed == 0; i++) {
            urg_measured(&urg, ranges, 726, now, now);
            change_length(longer);
            exchange();
            cr_expect_eq(host.wrong_length, (uint64_t)i);
            step(100 * DPL_MS, true);
        }
        cr_expect_eq(n_scans, 1);
        cr_expect_eq(host.checksum_errors, 0);
        cr_expect_eq(n_silent, 1);
        cr_expect_eq(n_failed, 1);
        cr_expect_str_eq(host.why, "its scans have another number of ranges than it was asked for");
    }
}

Test(scip_host, a_scanner_of_too_many_ranges_is_refused)
{
    begin_with_geometry((struct dpl_scip_geometry){.model = "WIDE",
                                                   .range_min_mm = 20,
                                                   .range_max_mm = 5600,
                                                   .steps_per_turn = 2400,
                                                   .end_step = 2399,
                                                   .front_step = 1200,
                                                   .rpm = 600,
                                                   .last_step = 2399});
    cr_expect_eq(n_failed, 1);
    cr_expect_str_eq(host.why,
                     "its scans have more ranges than there is room for: Cluster merges some");
}

Test(scip_host, starts_again_when_the_laser_has_gone_off)
{
    begin();
    step(20 * DPL_MS, true);
    measure(0);
    static const char stopped[] = "MD0044072500000\n10Q\n\n";
    urg_receive(&urg, (const uint8_t *)"QT\n", 3, now);
    n_to_host = 0;
    memcpy(to_host, stopped, sizeof stopped - 1);
    n_to_host = sizeof stopped - 1;
    exchange();
    cr_assert_eq(host.restarts, 1);
    measure(0);
    cr_assert_eq(n_scans, 2);
}

Test(scip_host, stamps_are_free_of_delay_and_jitter)
{
    static const int late_ms[] = {80, 67, 95, 70, 67, 110};
    begin();
    step(20 * DPL_MS, true);
    dpl_ns before = 0;
    for (int i = 0; i < 120; i++) {
        dpl_ns taken = now + 33 * DPL_MS;
        now = taken + late_ms[i % 6] * DPL_MS;
        urg_measured(&urg, ranges, 726, taken, now);
        exchange();
        cr_assert_eq(n_scans, i + 1);
        if (i > 6) {
            cr_assert_leq(llabs(host.stamp - taken), 3 * DPL_MS, "off by %g ms",
                          (double)(host.stamp - taken) * 1e-6);
            cr_assert_gt(host.stamp, before);
        }
        before = host.stamp;
    }
}

/* As of a scanner that has hung: its first scan is older than its answers to TM1. */
Test(scip_host, stamps_are_right_after_a_scan_that_is_older_than_the_handshake)
{
    begin();
    step(20 * DPL_MS, true);
    for (int i = 0; i < 40; i++) {
        dpl_ns taken = now + 60 * DPL_MS;
        now = taken + 40 * DPL_MS;
        taken -= i == 0 ? 400 * DPL_MS : 0;
        urg_measured(&urg, ranges, 726, taken, now);
        exchange();
        cr_assert_eq(n_scans, i + 1);
        cr_assert_leq(llabs(host.stamp - taken), 3 * DPL_MS, "%d: off by %g ms", i,
                      (double)(host.stamp - taken) * 1e-6);
    }
}

Test(scip_host, clusters_intervals_and_intensities_are_asked_for)
{
    begin_with((struct urg_config){0},
               (struct scip_host_config){.intensity = true, .cluster = 4, .interval = 1});
    step(20 * DPL_MS, true);
    for (int i = 0; i < 6; i++) {
        measure(0);
    }
    cr_assert_eq(n_scans, 3);
    const struct dpl_scip_reply *reply = scip_host_reply(&host);
    cr_assert_eq(reply->count, 171);
    cr_assert_gt(reply->intensities[0], 0);
    cr_assert_eq(host.stream.scan.encoding, 'E');
}
