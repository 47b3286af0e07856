/* SPDX-License-Identifier: Apache-2.0 */
/* LaserScanner: the device component of planar laser scanners. Publishes each new scan and provides
 * OPRoS's LaserScannerService. The property ApiName selects the driver. */
#include <errno.h>
#include <string.h>

#include <doppel/drv/laser_scanner.h>
#include <doppel/math/number_rows.h>
#include <doppel/msg/device.h>
#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/parameter_methods.h>
#include <doppel/msg/poses.h>
#include <doppel/plugin.h>

enum port {
    PORT_SCAN,
    PORT_SERVICE,
};

struct properties {
    double x_m, y_m;
    double roll_deg, pitch_deg, yaw_deg;
    int64_t scan_points;
    double start_angle_deg, delta_angle_deg;
};

struct state {
    uint64_t sequence; /* of the newest scan received; UINT64_MAX: none */
    int64_t n_scans;
    double nearest_m;
    double age_s;
    int last_error;
};

static const struct properties *props(const struct dpl_component *self)
{
    return self->properties;
}

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    struct state *state = self->state;
    state->sequence = UINT64_MAX;
    return 0;
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    int err = dpl_laser_enable(dpl_component_device(self));
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){0}, "the laser cannot be started: %s",
                        strerror(-err));
    }
    return 0;
}

static int stop(struct dpl_component *self)
{
    return dpl_laser_disable(dpl_component_device(self));
}

/* The part of the sweep to publish, with fewer beams. 0 in a property means all. */
struct window {
    uint32_t first, step, n;
    double start_angle_rad;
};

static struct window choose_window(const struct properties *p, const struct dpl_laser_scan *scan)
{
    struct window w = {
        .first = 0, .step = 1, .n = scan->n, .start_angle_rad = scan->start_angle_rad};
    if (p->delta_angle_deg > 0.0 && scan->step_angle_rad > 0.0) {
        double step = round(dpl_deg_to_rad(p->delta_angle_deg) / scan->step_angle_rad);
        w.step = step < 1.0 ? 1 : (uint32_t)step;
    }
    if (p->scan_points > 0 && scan->step_angle_rad > 0.0) {
        double offset = dpl_deg_to_rad(p->start_angle_deg) - scan->start_angle_rad;
        double first = round(offset / scan->step_angle_rad);
        w.first = first < 0.0 ? 0 : first >= scan->n ? scan->n : (uint32_t)first;
    }
    uint32_t most = (scan->n - w.first + w.step - 1) / w.step;
    w.n = p->scan_points > 0 && p->scan_points < most ? (uint32_t)p->scan_points : most;
    w.start_angle_rad = scan->start_angle_rad + w.first * scan->step_angle_rad;
    return w;
}

/* Where the scanner looks: its yaw on the robot, and 1, or -1 if it hangs upside down: then its
 * angles count clockwise on the robot. Roll and pitch are whole half turns (expect_level). */
struct facing {
    double yaw_rad, side;
};

static struct facing facing_of(const struct properties *p)
{
    bool rolls = cos(dpl_deg_to_rad(p->roll_deg)) < 0.0;
    bool pitches = cos(dpl_deg_to_rad(p->pitch_deg)) < 0.0;
    double yaw = dpl_deg_to_rad(p->yaw_deg);
    return (struct facing){pitches ? dpl_wrap_angle(yaw + DPL_PI) : yaw,
                           rolls == pitches ? 1.0 : -1.0};
}

/* `message` has room for DPL_LASER_RANGES_MAX ranges, or for the capacity in n_ranges. */
static void fill_scan(const struct properties *p, const struct dpl_laser_scan *scan, size_t room,
                      Doppel__Scan *message)
{
    struct window w = choose_window(p, scan);
    struct facing facing = facing_of(p);
    message->start_angle = facing.side * w.start_angle_rad;
    message->step_angle = facing.side * scan->step_angle_rad * w.step;
    message->range_min = scan->min_range_m;
    message->range_max = scan->max_range_m;
    message->period = scan->period_s;
    size_t n = w.n < room ? w.n : room;
    for (size_t i = 0; i < n; i++) {
        message->ranges[i] = scan->ranges_m[w.first + i * w.step];
    }
    message->n_ranges = n;
    if (message->mount) {
        dpl_pose2_set(message->mount, (struct dpl_pose2){p->x_m, p->y_m, facing.yaw_rad});
    }
}

static void fill_intensities(const struct properties *p, const struct dpl_laser_scan *scan,
                             size_t room, Doppel__Scan *message)
{
    struct window w = choose_window(p, scan);
    size_t n = scan->n_intensities == 0 ? 0 : w.n < room ? w.n : room;
    for (size_t i = 0; i < n; i++) {
        message->intensities[i] = scan->intensities[w.first + i * w.step];
    }
    message->n_intensities = n;
}

static double nearest(const struct dpl_laser_scan *scan)
{
    double best = scan->max_range_m;
    for (uint32_t i = 0; i < scan->n; i++) {
        double range = (double)scan->ranges_m[i];
        if (range >= scan->min_range_m && range < best) {
            best = range;
        }
    }
    return best;
}

static void publish(struct dpl_component *self, const struct dpl_laser_scan *scan)
{
    Doppel__Scan *message = dpl_port_loan(self, PORT_SCAN);
    if (message) {
        fill_scan(props(self), scan, DPL_LASER_RANGES_MAX, message);
        fill_intensities(props(self), scan, DPL_LASER_RANGES_MAX, message);
        dpl_port_publish(self, PORT_SCAN, message, scan->stamp);
    }
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    struct dpl_device *device = dpl_component_device(self);
    state->last_error = dpl_laser_execute(device, tick);
    const struct dpl_laser_scan *scan;
    int err = dpl_laser_read(device, state->sequence, &scan);
    if (err == 0) {
        state->sequence = scan->sequence;
        state->n_scans++;
        state->nearest_m = nearest(scan);
        state->age_s = dpl_ns_to_s(tick->now - scan->stamp);
        publish(self, scan);
    } else if (err != -EAGAIN) {
        state->last_error = err;
    }
    return 0; /* the driver itself reports a silent device as lost and found */
}

/* ---- LaserScannerService ------------------------------------------------------------------ */

static int get_error(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)port;
    (void)request;
    const struct state *state = self->state;
    ((Doppel__ErrorState *)response)->code = -state->last_error;
    return 0;
}

static int enable(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)port;
    (void)request;
    (void)response;
    return dpl_laser_enable(dpl_component_device(self));
}

static int disable(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)port;
    (void)request;
    (void)response;
    return dpl_laser_disable(dpl_component_device(self));
}

static int get_sensor_value(struct dpl_component *self, unsigned port, const void *request,
                            void *response)
{
    (void)port;
    (void)request;
    Doppel__StampedScan *answer = response;
    const struct dpl_laser_scan *scan;
    int err = dpl_laser_read(dpl_component_device(self), UINT64_MAX, &scan);
    answer->valid = err == 0;
    if (err == -EAGAIN) {
        return 0; /* none yet: valid is false */
    }
    if (err < 0) {
        return err;
    }
    answer->stamp_ns = scan->stamp;
    answer->sequence = scan->sequence;
    if (answer->scan) {
        fill_scan(props(self), scan, answer->scan->n_ranges, answer->scan);
        fill_intensities(props(self), scan, answer->scan->n_intensities, answer->scan);
    }
    return 0;
}

static const dpl_service_method service[DPL_LASER_SCANNER_N_METHODS] = {
    [DPL_LASER_SCANNER_SET_PARAMETER] = dpl_method_set_parameter,
    [DPL_LASER_SCANNER_GET_PARAMETER] = dpl_method_get_parameter,
    [DPL_LASER_SCANNER_GET_ERROR] = get_error,
    [DPL_LASER_SCANNER_ENABLE] = enable,
    [DPL_LASER_SCANNER_DISABLE] = disable,
    [DPL_LASER_SCANNER_GET_SENSOR_VALUE] = get_sensor_value,
};

/* ---- tables ------------------------------------------------------------------------------- */

static const struct dpl_port_desc ports[] = {
    [PORT_SCAN] =
        {
            .name = "scan",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__scan__descriptor,
            .capacity = DPL_LASER_RANGES_MAX,
            .summary = "each new scan, stamped at acquisition",
        },
    [PORT_SERVICE] =
        {
            .name = "LaserScannerService",
            .aliases = "LaserScanner",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_OUT,
            .service = &doppel__laser_scanner_service__descriptor,
            .methods = service,
            .summary = "OPRoS LaserScanner service",
        },
};

#define MOUNT_CHECKED(property, member, unit_, limit, check_, text)                                \
    {                                                                                              \
        .name = property, .type = DPL_FIELD_DOUBLE, DPL_MEMBER(struct properties, member),         \
        .unit = unit_, .default_text = "0", .min = -(limit), .max = (limit), .check = check_,      \
        .summary = text,                                                                           \
    }
#define MOUNT(property, member, unit_, limit, text)                                                \
    MOUNT_CHECKED(property, member, unit_, limit, NULL, text)

/* Ranges of a tilted scan are those of no plan. */
static int expect_level(const char *text, struct dpl_diag *reterr)
{
    double deg;
    struct dpl_rows rows = dpl_rows_begin(text);
    if (dpl_rows_number(&rows, &deg) && fabs(remainder(deg, 180.0)) < 0.01) {
        return 0;
    }
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                    "%s deg would tilt the scan, expected 0 or 180 (upside down)", text);
}

static const struct dpl_field properties[] = {
    MOUNT("X", x_m, "m", 10, "mount of the scanner in the base frame, forward"),
    MOUNT("Y", y_m, "m", 10, "mount, left"),
    MOUNT_CHECKED("Roll", roll_deg, "deg", 360, expect_level,
                  "mount, about x: 0, or 180 for a scanner that hangs upside down"),
    MOUNT_CHECKED("Pitch", pitch_deg, "deg", 360, expect_level, "mount, about y: 0 or 180"),
    MOUNT("Yaw", yaw_deg, "deg", 360, "mount, about z"),
    DPL_INT(struct properties, scan_points, "ScanPoints", "0", 0, DPL_LASER_RANGES_MAX,
            "ranges to pass on, from StartAngle; 0: all"),
    MOUNT("StartAngle", start_angle_deg, "deg", 360, "first angle to pass on, with ScanPoints"),
    DPL_NUMBER(struct properties, delta_angle_deg, "DeltaAngle", "deg", "0", 0, 90,
               "angle between ranges to pass on; 0: the device's own"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, n_scans, "scans", NULL, DPL_FIELD_SUMMARY, "scans received"),
    DPL_EXPORT_NUMBER(struct state, nearest_m, "nearest_m", "m", DPL_FIELD_TRACE,
                      "shortest range in the newest scan"),
    DPL_EXPORT_NUMBER(struct state, age_s, "age_s", "s", DPL_FIELD_TRACE,
                      "age of the newest scan when it was published"),
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
    .stop = stop,
};

static const struct dpl_component_class class = {
    .name = "LaserScanner",
    .summary = "planar laser scanner: publishes scans of the device that ApiName names",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .device_class = DPL_LASER_SCANNER_CLASS,
    .n_device_calls = DPL_DRV_LASER_SCANNER_N_CALLS,
    .only_senses = true,
    .default_period = 200 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
