/* SPDX-License-Identifier: Apache-2.0 */
/* The mock driver of laser scanners: a scanner in a rectangular room, with faults that can be set
 * (noise, lost beams, delay, a frozen scan, silence). Works on any clock. */
#include <errno.h>

#include <doppel/drv/laser_scanner.h>
#include <doppel/math/random.h>
#include <doppel/plugin.h>

#include "room.h"

struct properties {
    int64_t beams;
    double field_of_view_deg, min_range_m, max_range_m, rate_hz;
    double room_length_m, room_width_m, x_m, y_m, theta_rad;
    double noise_m, dropout, delay_ms;
    double freeze_from_s, freeze_to_s, silent_from_s, silent_to_s;
    int64_t seed;
};

struct state {
    struct dpl_random rng;
    struct dpl_laser_scan scan;
    bool enabled, have;
    dpl_ns next_scan;
};

static int mock_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    if (p->max_range_m <= p->min_range_m) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "MaximumRange (%g m) must be larger than MinimumRange (%g m)",
                        p->max_range_m, p->min_range_m);
    }
    state->rng = dpl_random_seeded(dpl_device_seed(device), (uint64_t)p->seed);
    return 0;
}

static void mock_close(struct dpl_device *device)
{
    (void)device;
}

static int mock_enable(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    state->enabled = true;
    state->next_scan = dpl_device_now(device);
    return 0;
}

static int mock_disable(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    state->enabled = false;
    return 0;
}

static float measure(const struct properties *p, struct dpl_random *rng, double angle_rad)
{
    struct dpl_pose2 sensor = {p->x_m, p->y_m, p->theta_rad};
    double range = room_distance(p->room_length_m, p->room_width_m, sensor, angle_rad);
    if (p->noise_m > 0.0) {
        range += p->noise_m * dpl_random_normal(rng);
    }
    bool lost = p->dropout > 0.0 && dpl_random_uniform(rng, 0.0, 1.0) < p->dropout;
    bool outside = range < p->min_range_m || range > p->max_range_m;
    return lost || outside ? 0.0f : (float)range;
}

static void make_scan(const struct properties *p, struct state *state, dpl_ns now)
{
    struct dpl_laser_scan *scan = &state->scan;
    double step =
        p->beams > 1 ? dpl_deg_to_rad(p->field_of_view_deg) / (double)(p->beams - 1) : 0.0;
    scan->n = (uint32_t)p->beams;
    scan->start_angle_rad = -dpl_deg_to_rad(p->field_of_view_deg) / 2.0;
    scan->step_angle_rad = step;
    scan->min_range_m = p->min_range_m;
    scan->max_range_m = p->max_range_m;
    scan->period_s = 1.0 / p->rate_hz;
    scan->stamp = now - dpl_ns_from_s(p->delay_ms * 1e-3);
    scan->sequence++;
    double now_s = dpl_ns_to_s(now);
    bool frozen = state->have && now_s >= p->freeze_from_s && now_s < p->freeze_to_s;
    for (uint32_t i = 0; i < scan->n && !frozen; i++) {
        scan->ranges_m[i] = measure(p, &state->rng, scan->start_angle_rad + i * step);
    }
    state->have = true;
}

static int mock_execute(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_tick *tick = in;
    const struct properties *p = device->properties;
    struct state *state = device->state;
    double now_s = dpl_ns_to_s(tick->now);
    bool silent = now_s >= p->silent_from_s && now_s < p->silent_to_s;
    if (!state->enabled || silent || tick->now < state->next_scan) {
        return 0;
    }
    dpl_ns period = dpl_ns_from_s(1.0 / p->rate_hz);
    state->next_scan += period * (1 + (tick->now - state->next_scan) / period);
    make_scan(p, state, tick->now);
    return 0;
}

static int mock_read(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_laser_scan **ret_scan = out;
    uint64_t after = ((const struct dpl_laser_read *)in)->after;
    struct state *state = device->state;
    if (!state->have || (after != UINT64_MAX && state->scan.sequence <= after)) {
        return -EAGAIN;
    }
    *ret_scan = &state->scan;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_LASER_SCANNER_N_CALLS] = {
    [DPL_DRV_LASER_SCANNER_ENABLE] = mock_enable,
    [DPL_DRV_LASER_SCANNER_DISABLE] = mock_disable,
    [DPL_DRV_LASER_SCANNER_EXECUTE] = mock_execute,
    [DPL_DRV_LASER_SCANNER_READ] = mock_read,
};

static const struct dpl_field properties[] = {
    DPL_INT(struct properties, beams, "Beams", "682", 1, DPL_LASER_RANGES_MAX, "ranges a scan"),
    DPL_NUMBER(struct properties, field_of_view_deg, "FieldOfView", "deg", "239.4140625", 0.1, 360,
               "of a scan"),
    DPL_NUMBER(struct properties, min_range_m, "MinimumRange", "m", "0.02", 0.0, 100,
               "smaller distances give no return"),
    DPL_NUMBER(struct properties, max_range_m, "MaximumRange", "m", "5.6", 0.01, 1000,
               "larger distances give no return"),
    DPL_NUMBER(struct properties, rate_hz, "Rate", "Hz", "10", 0.01, 1000, "scans a second"),
    DPL_NUMBER(struct properties, room_length_m, "RoomLength", "m", "6", 0.1, 1000,
               "of the room, along x"),
    DPL_NUMBER(struct properties, room_width_m, "RoomWidth", "m", "4", 0.1, 1000,
               "of the room, along y"),
    DPL_NUMBER(struct properties, x_m, "SensorX", "m", "0", -500.0, 500,
               "position in the room; the centre is 0"),
    DPL_NUMBER(struct properties, y_m, "SensorY", "m", "0", -500.0, 500, "where it stands"),
    DPL_NUMBER(struct properties, theta_rad, "SensorTheta", "rad", "0", -6.3, 6.3,
               "where it looks"),
    DPL_NUMBER(struct properties, noise_m, "Noise", "m", "0", 0.0, 1,
               "standard deviation of a range"),
    DPL_NUMBER(struct properties, dropout, "DropRate", NULL, "0", 0.0, 1,
               "part of the beams without return"),
    DPL_NUMBER(struct properties, delay_ms, "DelayMs", "ms", "0", 0.0, 10000,
               "age of a scan when it is read"),
    DPL_NUMBER(struct properties, freeze_from_s, "FreezeFrom", "s", "0", 0.0, 1e6,
               "time from which the scan does not change"),
    DPL_NUMBER(struct properties, freeze_to_s, "FreezeTo", "s", "0", 0.0, 1e6, "and until"),
    DPL_NUMBER(struct properties, silent_from_s, "SilentFrom", "s", "0", 0.0, 1e6,
               "time from which no scans come"),
    DPL_NUMBER(struct properties, silent_to_s, "SilentTo", "s", "0", 0.0, 1e6, "and until"),
    DPL_INT(struct properties, seed, "Seed", "1", 0, 4294967295,
            "seed of its noise, together with the run's seed"),
};

static const struct dpl_driver driver = {
    .name = "mock",
    .summary = "a laser in a rectangular room, with adjustable faults",
    .device_class = &dpl_laser_scanner_class,
    .backend = DPL_BACKEND_MOCK,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .state_size = sizeof(struct state),
    .open = mock_open,
    .close = mock_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
