/* SPDX-License-Identifier: Apache-2.0 */
/* The SCIP driver on a connection, with the emulated scanner at its other end: what it says of the
 * scanner, and when it is content with the connection. */
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/laser_scanner.h>
#include <doppel/plugin.h>

#include "fake_device.h"
#include "urg_scanner.h"

static struct fake_device fake;
static struct dpl_device *const device = &fake.device;
static struct urg_scanner urg;
static uint8_t to_urg[4096], to_host[65536];
static size_t n_to_urg, n_to_host;
static bool refuses; /* to send scans */

static void to_scanner(const void *bytes, size_t n)
{
    cr_assert_lt(n_to_urg + n, sizeof to_urg);
    memcpy(to_urg + n_to_urg, bytes, n);
    n_to_urg += n;
}

static void urg_sends(void *user, const void *bytes, size_t n, dpl_ns time)
{
    cr_assert_lt(n_to_host + n, sizeof to_host);
    memcpy(to_host + n_to_host, bytes, n);
    n_to_host += n;
}

/* Status 10 for a request of scans: the laser is out of order. */
static bool refuse(const uint8_t *request, size_t n)
{
    if (!refuses || n < 2 || memcmp(request, "MD", 2) != 0) {
        return false;
    }
    urg_sends(NULL, request, n, fake.now);
    urg_sends(NULL, "10Q\n\n", 5, fake.now);
    return true;
}

static void exchange(void)
{
    while (fake.is_connected && (n_to_urg > 0 || n_to_host > 0)) {
        size_t n = n_to_urg;
        n_to_urg = 0;
        if (!refuse(to_urg, n)) {
            urg_receive(&urg, to_urg, n, fake.now);
        }
        n = n_to_host;
        n_to_host = 0;
        uint8_t bytes[sizeof to_host];
        memcpy(bytes, to_host, n);
        fake_stream_data(&fake, bytes, n);
    }
}

static void connect(void)
{
    urg_init(&urg, &(struct urg_config){.geometry = *dpl_scip_geometry_of("URG-04LX"),
                                        .identity = urg_identity_of("URG-04LX"),
                                        .send = urg_sends});
    n_to_urg = n_to_host = 0;
    fake_stream_opened(&fake);
    exchange();
    for (int i = 0; i < 10; i++) {
        fake.now += 20 * DPL_MS;
        fake_stream_timer(&fake);
        exchange();
    }
}

static void scan(void)
{
    uint32_t ranges[726] = {1000};
    urg_measured(&urg, ranges, 726, fake.now, fake.now);
    exchange();
}

static void begin(void)
{
    fake_device_begin(&fake, dpl_plugin.driver);
    fake.now = 7 * DPL_S;
    fake.written = to_scanner;
    fake_device_open(&fake);
}

static void end(void)
{
    fake_device_end(&fake);
}

TestSuite(laser_scip, .init = begin, .fini = end);

Test(laser_scip, is_content_with_the_first_scan_of_a_connection)
{
    cr_assert(fake.stream.settles);
    dpl_laser_enable(device);
    connect();
    cr_assert_eq(fake.n_settled + fake.n_logged + fake.n_answers, 0, "%d %d %d", fake.n_settled,
                 fake.n_logged, fake.n_answers);
    scan();
    scan();
    cr_assert_eq(fake.n_settled, 1);
    cr_assert_eq(fake.n_logged, 1);
    cr_assert_eq(fake.n_answers, 2);
    connect();
    scan();
    cr_assert_eq(fake.n_settled, 2);
    cr_assert_eq(fake.n_logged, 2);
}

Test(laser_scip, is_never_content_with_a_scanner_that_refuses_to_scan)
{
    dpl_laser_enable(device);
    refuses = true;
    for (int i = 1; i <= 3; i++) {
        connect();
        cr_assert_eq(fake.n_reopened, i);
    }
    cr_assert_eq(fake.n_settled + fake.n_logged + fake.n_answers, 0, "%d %d %d", fake.n_settled,
                 fake.n_logged, fake.n_answers);
}

Test(laser_scip, is_content_with_a_scanner_that_nobody_wants_to_scan)
{
    connect();
    cr_assert_eq(fake.n_settled, 1);
    cr_assert_eq(fake.n_logged, 1);
    cr_assert_eq(fake.n_answers, 1);
}
