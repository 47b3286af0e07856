/* SPDX-License-Identifier: Apache-2.0 */
/* `doppel emulate urg`. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "device.h"
#include "urg_scanner.h"

#define LOOK_ON  (4 * DPL_MS) /* interval of checks for a new turn: a small part of a turn */
#define LOOK_OFF (50 * DPL_MS)

struct urg_device {
    struct session session;
    struct urg_scanner urg;
    struct truth *truth;
    struct truth_scan scan;
    bool laser;
    bool exits_at_end;
};

static void follow_laser(struct urg_device *self)
{
    if (self->laser != self->urg.is_laser_on) {
        self->laser = self->urg.is_laser_on;
        if (self->truth->ops->enable_laser) {
            self->truth->ops->enable_laser(self->truth, self->laser);
        }
    }
}

static void on_connected(void *device, dpl_ns now)
{
    (void)now;
    struct urg_device *self = device;
    urg_connected(&self->urg);
}

static void on_received(void *device, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct urg_device *self = device;
    urg_receive(&self->urg, bytes, n, now);
    follow_laser(self);
}

static dpl_ns on_tick(void *device, dpl_ns now)
{
    struct urg_device *self = device;
    if (self->laser && self->truth->ops->measure &&
        self->truth->ops->measure(self->truth, now, &self->urg.config.geometry, &self->scan) == 0) {
        urg_measured(&self->urg, self->scan.ranges_mm, self->scan.steps, self->scan.stamp, now);
        follow_laser(self);
    }
    return now + (self->laser ? LOOK_ON : LOOK_OFF);
}

static bool is_over(void *device, dpl_ns now)
{
    const struct urg_device *self = device;
    return self->exits_at_end && self->truth->ops->is_over &&
           self->truth->ops->is_over(self->truth, now);
}

static int find_world(void *device, struct dpl_diag *reterr)
{
    struct urg_device *self = device;
    return truth_find_world(self->truth, reterr);
}

static const struct session_device ops = {
    .connected = on_connected,
    .received = on_received,
    .tick = on_tick,
    .is_over = is_over,
    .find_world = find_world,
};

static void send_reply(void *user, const void *bytes, size_t n, dpl_ns now)
{
    struct urg_device *self = user;
    session_send(&self->session, bytes, n, now);
}

/* ---- options ---- */

#define SCAN_TIME_OWN -1.0

struct options {
    const char *model, *laser;
    double scan_time_ms;
    bool is_scip11;
};

static const struct options defaults = {
    .model = "URG-04LX", .laser = "laser", .scan_time_ms = SCAN_TIME_OWN};

#define OPTION(...) DEVICE_OPTION(struct options, __VA_ARGS__)

static const struct option options[] = {
    {OPTION("model", "NAME", OPTION_STRING, model, "URG-04LX, UTM-30LX, UST-10LX"),
     .values = "URG-04LX|UTM-30LX|UST-10LX"},
    {OPTION("scip11", NULL, OPTION_FLAG, is_scip11,
            "start in SCIP 1.1, until the host sends SCIP2.0")},
    {OPTION("laser", "NAME", OPTION_STRING, laser, "in the world (laser)")},
    {OPTION("scan-time", "MS", OPTION_NUMBER, scan_time_ms,
            "duration of one turn: 0 (all beams are measured at one instant) or the time from scan "
            "to scan (default, as in real scanners)"),
     .max = 1000},
};

static double turn_ms(const struct dpl_scip_geometry *geometry)
{
    return 1e-6 * (double)dpl_scip_scan_period_ns(geometry);
}

/* A scanner that turns measures all the time. */
static int check(const void *values, struct dpl_diag *reterr)
{
    const struct options *own = values;
    const struct dpl_scip_geometry *geometry = dpl_scip_geometry_of(own->model);
    double ms = own->scan_time_ms;
    if (!geometry || ms == SCAN_TIME_OWN || ms == 0.0 ||
        fabs(ms / turn_ms(geometry) - 1.0) < 0.01) {
        return 0;
    }
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                    "--scan-time: found %g ms, expected 0 or the %g ms of this scanner", ms,
                    turn_ms(geometry));
}

static int configure(struct urg_device *self, const struct options *own, bool is_ethernet,
                     struct dpl_diag *reterr)
{
    const struct dpl_scip_geometry *geometry = dpl_scip_geometry_of(own->model);
    const struct urg_identity *identity = urg_identity_of(own->model);
    if (!geometry || !identity) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "--model: found '%s', expected URG-04LX, UTM-30LX or UST-10LX", own->model);
    }
    struct urg_config config = {
        .geometry = *geometry,
        .identity = identity,
        .is_ethernet = is_ethernet,
        .is_scip11 = own->is_scip11,
        .send = send_reply,
        .user = self,
    };
    snprintf(config.geometry.model, sizeof config.geometry.model, "%s", identity->model);
    urg_init(&self->urg, &config);
    return 0;
}

/* ---- running ---- */

static int urg_open(void *device, const struct emulate_options *all, const void *own,
                    struct dpl_diag *reterr)
{
    const struct options *chosen = own;
    struct urg_device *self = device;
    struct truth_options truth = all->truth;
    truth.laser = chosen->laser;
    truth.laser_turns = chosen->scan_time_ms != 0.0;
    self->exits_at_end = all->exits_at_end;
    int err = configure(self, own, all->tcp_port != 0, reterr);
    return err < 0 ? err
                   : emulate_open(all, &truth, TRUTH_SCANNER, &self->session, &self->truth, reterr);
}

static const struct dpl_field values[] = {
    DPL_EXPORT_BOOL(struct urg_device, laser, "laser", DPL_FIELD_TRACE, "is on"),
    DPL_EXPORT_INT(struct urg_device, urg.scans_sent, "scans", NULL, DPL_FIELD_TRACE, "sent"),
    DPL_EXPORT_INT(struct urg_device, urg.requests, "requests", NULL, DPL_FIELD_TRACE,
                   "of the host"),
    DPL_EXPORT_INT(struct urg_device, urg.refusals, "refused", NULL, DPL_FIELD_TRACE, "requests"),
};

static struct robot_link *robot_of(void *device)
{
    struct urg_device *self = device;
    return truth_robot(self->truth);
}

static void print_summary(const void *device)
{
    const struct urg_device *self = device;
    fprintf(stderr, "doppel emulate urg: %llu scans sent, %llu requests, %llu refused\n",
            (unsigned long long)self->urg.scans_sent, (unsigned long long)self->urg.requests,
            (unsigned long long)self->urg.refusals);
}

static void urg_close(void *device)
{
    struct urg_device *self = device;
    truth_destroy(self->truth);
}

const struct emulated_device emulated_urg = {
    .set = {.name = "urg", .summary = "a Hokuyo scanner", DEVICE_OPTIONS(options, defaults)},
    .ops = &ops,
    .size = sizeof(struct urg_device),
    .check = check,
    .open = urg_open,
    .values = values,
    .n_values = DPL_COUNT(values),
    .robot = robot_of,
    .print_summary = print_summary,
    .close = urg_close,
};
