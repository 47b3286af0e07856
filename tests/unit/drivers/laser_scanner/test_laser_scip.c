/* SPDX-License-Identifier: Apache-2.0 */
/* The SCIP driver on a connection, with the emulated scanner at its other end: what it says of the
 * scanner, and when it is content with the connection. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/laser_scanner.h>
#include <doppel/plugin.h>

#include "urg_scanner.h"

static struct dpl_stream_config wire; /* as the driver opened it */
static struct urg_scanner urg;
static dpl_ns now;
static uint8_t to_urg[4096], to_host[65536];
static size_t n_to_urg, n_to_host;
static bool refuses; /* to send scans */
static int n_settled, n_reopened, n_told, n_found;

/* ---- the runtime, as far as the driver meets it ---- */

int dpl_device_open_stream(struct dpl_device *device, const struct dpl_stream_config *config,
                           struct dpl_stream **ret_stream, struct dpl_diag *reterr)
{
    wire = *config;
    *ret_stream = (struct dpl_stream *)&wire;
    return 0;
}

void dpl_stream_close(struct dpl_stream *stream)
{
}

int dpl_stream_write(struct dpl_stream *stream, const void *bytes, size_t n)
{
    cr_assert_lt(n_to_urg + n, sizeof to_urg);
    memcpy(to_urg + n_to_urg, bytes, n);
    n_to_urg += n;
    return 0;
}

void dpl_stream_reopen(struct dpl_stream *stream, const char *why)
{
    n_reopened++;
    n_to_urg = n_to_host = 0;
}

void dpl_stream_settled(struct dpl_stream *stream)
{
    n_settled++;
}

bool dpl_device_is_lost(const struct dpl_device *device)
{
    return false;
}

void dpl_device_lost(struct dpl_device *device, const char *format, ...)
{
}

void dpl_device_found(struct dpl_device *device)
{
    n_found++;
}

void dpl_device_log(struct dpl_device *device, enum dpl_log_level level, const char *format, ...)
{
    n_told++;
}

/* ---- the wire ---- */

static struct dpl_device device;

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
    urg_sends(NULL, request, n, now);
    urg_sends(NULL, "10Q\n\n", 5, now);
    return true;
}

static void exchange(void)
{
    while (n_to_urg > 0 || n_to_host > 0) {
        size_t n = n_to_urg;
        n_to_urg = 0;
        if (!refuse(to_urg, n)) {
            urg_receive(&urg, to_urg, n, now);
        }
        n = n_to_host;
        n_to_host = 0;
        uint8_t bytes[sizeof to_host];
        memcpy(bytes, to_host, n);
        wire.ops->data(NULL, wire.user, bytes, n, now);
    }
}

static void connect(void)
{
    urg_init(&urg, &(struct urg_config){.geometry = *dpl_scip_geometry_of("URG-04LX"),
                                        .identity = urg_identity_of("URG-04LX"),
                                        .send = urg_sends});
    wire.ops->opened((struct dpl_stream *)&wire, wire.user, now);
    exchange();
    for (int i = 0; i < 10; i++) {
        now += 20 * DPL_MS;
        wire.ops->timer((struct dpl_stream *)&wire, wire.user, now);
        exchange();
    }
}

static void scan(void)
{
    uint32_t ranges[726] = {1000};
    urg_measured(&urg, ranges, 726, now, now);
    exchange();
}

static void begin(void)
{
    const struct dpl_driver *driver = dpl_plugin.driver;
    void *properties = calloc(1, driver->properties_size);
    dpl_fields_set_defaults(driver->properties, driver->n_properties, properties);
    device = (struct dpl_device){.name = "LaserScanner",
                                 .driver = driver,
                                 .properties = properties,
                                 .state = calloc(1, driver->state_size)};
    now = 7 * DPL_S;
    cr_assert_eq(driver->open(&device, NULL), 0);
}

static void end(void)
{
    dpl_plugin.driver->close(&device);
    free((void *)(uintptr_t)device.properties);
    free(device.state);
}

TestSuite(laser_scip, .init = begin, .fini = end);

Test(laser_scip, is_content_with_the_first_scan_of_a_connection)
{
    cr_assert(wire.settles);
    dpl_laser_enable(&device);
    connect();
    cr_assert_eq(n_settled + n_told + n_found, 0, "%d %d %d", n_settled, n_told, n_found);
    scan();
    scan();
    cr_assert_eq(n_settled, 1);
    cr_assert_eq(n_told, 1);
    cr_assert_eq(n_found, 2);
    connect();
    scan();
    cr_assert_eq(n_settled, 2);
    cr_assert_eq(n_told, 2);
}

Test(laser_scip, is_never_content_with_a_scanner_that_refuses_to_scan)
{
    dpl_laser_enable(&device);
    refuses = true;
    for (int i = 1; i <= 3; i++) {
        connect();
        cr_assert_eq(n_reopened, i);
    }
    cr_assert_eq(n_settled + n_told + n_found, 0, "%d %d %d", n_settled, n_told, n_found);
}

Test(laser_scip, is_content_with_a_scanner_that_nobody_wants_to_scan)
{
    connect();
    cr_assert_eq(n_settled, 1);
    cr_assert_eq(n_told, 1);
    cr_assert_eq(n_found, 1);
}
