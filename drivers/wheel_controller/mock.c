/* SPDX-License-Identifier: Apache-2.0 */
/* The mock driver of wheel bases: a differential drive with faults that can be set (mock_plant.h),
 * measured by a pose sensor with noise, delay and drops. The true pose can be read. Works on any
 * clock; used as the plant of the synchronization experiments, on either side of a HIL driver. */
#include <errno.h>

#include <doppel/plugin.h>

#include "mock_plant.h"
#include <doppel/drive/wheel_base.h>

struct properties {
    struct dpl_wheel_base_properties base;
    double scale_left, scale_right, scale_axle;
    double latency_ms, latency_jitter_ms, lag_ms, dead_band_m_s;
    double slip_ratio, slip_noise, slip_noise_s, slip_patch, slip_from_s, slip_to_s, skid;
    double noise_m, noise_deg, delay_ms, delay_jitter_ms, drop_rate, stamp_bias_ms;
    double outage_from_s, outage_to_s, block_from_s, block_to_s;
    double jump_at_s, jump_x_m, jump_y_m, jump_theta_rad;
    double true_x_m, true_y_m, true_theta_rad;
    int64_t seed;
};

/* Without a cycle for this time it stops: default <late_limit> of a component. */
#define PATIENCE (300 * DPL_MS)

struct state {
    struct dpl_mock_plant plant;
    struct dpl_wheel_base base;
    struct dpl_pose2 frame; /* of the plant's world, in the odometry's frame */
    struct dpl_pose2 pose;  /* newest measured one, in the plant's world */
    dpl_ns stamp;
    bool measured;
    bool executed;
    dpl_ns executed_at;
};

static struct dpl_mock_plant_config config_from(const struct dpl_device *device)
{
    const struct properties *p = device->properties;
    struct dpl_mock_plant_config c = dpl_mock_plant_config_default();
    c.wheel_diameter = p->base.wheel_diameter_m;
    c.axle_distance = p->base.axle_m;
    c.maximum_velocity = p->base.max_velocity_m_s;
    c.maximum_angular = dpl_deg_to_rad(p->base.max_angular_deg_s);
    c.acceleration = p->base.acceleration_m_s2;
    c.wheel_scale_left = p->scale_left;
    c.wheel_scale_right = p->scale_right;
    c.axle_scale = p->scale_axle;
    c.latency_s = p->latency_ms * 1e-3;
    c.latency_jitter_s = p->latency_jitter_ms * 1e-3;
    c.lag_s = p->lag_ms * 1e-3;
    c.dead_band = p->dead_band_m_s;
    c.slip_ratio = p->slip_ratio;
    c.slip_noise = p->slip_noise;
    c.slip_noise_s = p->slip_noise_s;
    c.skid = p->skid;
    c.slip_from_s = p->slip_from_s;
    c.slip_to_s = p->slip_to_s;
    c.slip_patch = p->slip_patch;
    c.block_from_s = p->block_from_s;
    c.block_to_s = p->block_to_s;
    c.jump_at_s = p->jump_at_s;
    c.jump_x = p->jump_x_m;
    c.jump_y = p->jump_y_m;
    c.jump_theta = p->jump_theta_rad;
    c.pose_noise_m = p->noise_m;
    c.pose_noise_rad = dpl_deg_to_rad(p->noise_deg);
    c.pose_delay_s = p->delay_ms * 1e-3;
    c.pose_delay_jitter_s = p->delay_jitter_ms * 1e-3;
    c.pose_drop_rate = p->drop_rate;
    c.stamp_bias_s = p->stamp_bias_ms * 1e-3;
    c.outage_from_s = p->outage_from_s;
    c.outage_to_s = p->outage_to_s;
    c.start = (struct dpl_pose2){p->true_x_m, p->true_y_m, p->true_theta_rad};
    c.seed = dpl_device_seed(device) * 1000003u + (uint64_t)p->seed;
    return c;
}

static double now_s(const struct dpl_device *device)
{
    return dpl_ns_to_s(dpl_device_now(device));
}

static int mock_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    int err =
        dpl_wheel_base_init(&state->base, &p->base, (p->latency_ms + p->lag_ms) * 1e-3, reterr);
    if (err < 0) {
        return err;
    }
    state->frame = state->base.odometry.pose; /* StartX, StartY, StartTheta */
    struct dpl_mock_plant_config config = config_from(device);
    state->pose = config.start; /* until it is measured */
    err = dpl_mock_plant_init(&state->plant, &config);
    return err < 0 ? dpl_fail(reterr, err, (struct dpl_place){0},
                              "a property of the mock's plant is out of its range; `doppel info "
                              "wheel_controller/mock` lists them")
                   : 0;
}

static void mock_close(struct dpl_device *device)
{
    (void)device;
}

static void send(struct dpl_device *device)
{
    struct state *state = device->state;
    struct dpl_twist2 aim = dpl_wheel_base_aim(&state->base);
    dpl_mock_plant_command(&state->plant, now_s(device), aim.linear, aim.angular);
}

/* The mock has no wire and no thread: time without execute is simulated here afterwards. As a base
 * with a late commander does, it stopped during this time. */
static void catch_up(struct dpl_device *device)
{
    dpl_ns now = dpl_device_now(device);
    struct state *state = device->state;
    bool real = !dpl_device_clock_is_simulated(device);
    if (real && state->executed && now - state->executed_at > PATIENCE) {
        double stopped_s = dpl_ns_to_s(state->executed_at + PATIENCE);
        dpl_mock_plant_advance(&state->plant, stopped_s);
        dpl_wheel_base_stop(&state->base);
        dpl_mock_plant_command(&state->plant, stopped_s, 0.0, 0.0);
    }
    state->executed = true;
    state->executed_at = now;
}

static int mock_enable(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    dpl_wheel_base_enable(&state->base, true);
    send(device);
    return 0;
}

static int mock_disable(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    dpl_wheel_base_enable(&state->base, false);
    send(device);
    return 0;
}

static int mock_drive(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_twist2 *twist = in;
    struct state *state = device->state;
    catch_up(device);
    int err = dpl_wheel_base_drive(&state->base, twist->linear, twist->angular);
    send(device);
    return err;
}

static int mock_move(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_wheel_move *asked = in;
    struct state *state = device->state;
    catch_up(device);
    int err = dpl_wheel_base_move(&state->base, asked->distance_m, asked->linear_m_s);
    send(device);
    return err;
}

static int mock_rotate(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_wheel_rotate *asked = in;
    struct state *state = device->state;
    catch_up(device);
    int err = dpl_wheel_base_rotate(&state->base, asked->angle_rad, asked->angular_rad_s);
    send(device);
    return err;
}

static int mock_stop(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    dpl_wheel_base_stop(&state->base);
    send(device);
    return 0;
}

/* One measurement per cycle, so that random numbers do not depend on the number of readings. */
static int mock_execute(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_tick *tick = in;
    struct state *state = device->state;
    double now = dpl_ns_to_s(tick->now);
    catch_up(device);
    dpl_mock_plant_advance(&state->plant, now);
    if (!dpl_device_is_commanded(device)) {
        dpl_wheel_base_stop(&state->base);
        send(device);
    }
    struct dpl_mock_wheels angles = dpl_mock_plant_encoders(&state->plant);
    struct dpl_drive_wheels wheels = {angles.left, angles.right};
    dpl_wheel_base_feed(&state->base, wheels, tick->now);
    if (state->base.motion.mode == DPL_MOTION_MOVE ||
        state->base.motion.mode == DPL_MOTION_ROTATE) {
        send(device);
    }
    double stamp_s;
    if (dpl_mock_plant_read(&state->plant, now, &state->pose, &stamp_s)) {
        state->stamp = dpl_ns_from_s(stamp_s);
        state->measured = true;
    }
    return 0;
}

static int mock_read(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_wheel_state *ret = out;
    const struct state *state = device->state;
    dpl_wheel_base_read(&state->base, ret);
    ret->valid = state->measured;
    ret->stamp = state->stamp;
    ret->pose = dpl_pose2_compose(state->frame, state->pose);
    return 0;
}

static int mock_set_position(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pose2 *pose = in;
    struct state *state = device->state;
    struct dpl_pose2 origin_seen = dpl_pose2_relative(state->pose, (struct dpl_pose2){0});
    state->frame = dpl_pose2_compose(*pose, origin_seen);
    return 0;
}

static int mock_place(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pose2 *pose = in;
    struct state *state = device->state;
    dpl_mock_plant_set_pose(&state->plant, now_s(device), *pose);
    return 0;
}

static int mock_read_truth(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_wheel_truth *ret = out;
    struct state *state = device->state;
    dpl_ns now = dpl_device_now(device);
    ret->stamp = now;
    ret->pose = dpl_mock_plant_pose_at(&state->plant, dpl_ns_to_s(now));
    ret->restarts = 0;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_WHEEL_CONTROLLER_N_CALLS] = {
    [DPL_DRV_WHEEL_CONTROLLER_ENABLE] = mock_enable,
    [DPL_DRV_WHEEL_CONTROLLER_DISABLE] = mock_disable,
    [DPL_DRV_WHEEL_CONTROLLER_DRIVE] = mock_drive,
    [DPL_DRV_WHEEL_CONTROLLER_MOVE] = mock_move,
    [DPL_DRV_WHEEL_CONTROLLER_ROTATE] = mock_rotate,
    [DPL_DRV_WHEEL_CONTROLLER_STOP] = mock_stop,
    [DPL_DRV_WHEEL_CONTROLLER_EXECUTE] = mock_execute,
    [DPL_DRV_WHEEL_CONTROLLER_READ] = mock_read,
    [DPL_DRV_WHEEL_CONTROLLER_SET_POSITION] = mock_set_position,
    [DPL_DRV_WHEEL_CONTROLLER_PLACE] = mock_place,
    [DPL_DRV_WHEEL_CONTROLLER_READ_TRUTH] = mock_read_truth,
    [DPL_DRV_WHEEL_CONTROLLER_HALT] = mock_stop,
};

#define NUMBER(name_, member_, unit_, fallback_, min_, max_, text_)                                \
    DPL_WHEEL_BASE_NUMBER(struct properties, member_, name_, unit_, fallback_, min_, max_, text_)

static const struct dpl_field properties[] = {
    DPL_WHEEL_BASE_FIELDS(struct properties, base, "0.13", "0.30", "0.2"),
    NUMBER("WheelScaleLeft", scale_left, NULL, "1", 0.1, 10, "true diameter over the nominal"),
    NUMBER("WheelScaleRight", scale_right, NULL, "1", 0.1, 10, "true diameter over the nominal"),
    NUMBER("AxleScale", scale_axle, NULL, "1", 0.1, 10, "true axle over the nominal"),
    NUMBER("LatencyMs", latency_ms, "ms", "0", 0.0, 1000, "time from a command to its effect"),
    NUMBER("LatencyJitterMs", latency_jitter_ms, "ms", "0", 0.0, 1000,
           "plus a random part up to this"),
    NUMBER("LagMs", lag_ms, "ms", "0", 0.0, 5000, "time constant of the motors"),
    NUMBER("DeadBand", dead_band_m_s, "m/s", "0", 0.0, 1, "wheels with a lower speed stand still"),
    NUMBER("SlipRatio", slip_ratio, NULL, "0", -1.0, 1, "share of the forward speed that is lost"),
    NUMBER("SlipNoise", slip_noise, NULL, "0", 0.0, 1, "deviation of the slowly varying slip"),
    NUMBER("SlipNoiseTime", slip_noise_s, "s", "0.5", 0.001, 1000, "its correlation time"),
    NUMBER("SlipPatch", slip_patch, NULL, "0", -1.0, 1, "more slip between SlipFrom and SlipTo"),
    NUMBER("SlipFrom", slip_from_s, "s", "0", 0.0, 1e6,
           "where the slippery part of the floor begins"),
    NUMBER("SlipTo", slip_to_s, "s", "0", 0.0, 1e6, "and ends"),
    NUMBER("Skid", skid, "s", "0", -10.0, 10, "sideways speed is -Skid v w"),
    NUMBER("PoseNoiseM", noise_m, "m", "0", 0.0, 10, "deviation of the measured position"),
    NUMBER("PoseNoiseDeg", noise_deg, "deg", "0", 0.0, 180, "deviation of the measured heading"),
    NUMBER("PoseDelayMs", delay_ms, "ms", "0", 0.0, DPL_MOCK_DELAY_MAX_S * 1e3,
           "age of a measured pose"),
    NUMBER("PoseDelayJitterMs", delay_jitter_ms, "ms", "0", 0.0, DPL_MOCK_DELAY_JITTER_MAX_S * 1e3,
           "plus a random part up to this"),
    NUMBER("PoseDropRate", drop_rate, NULL, "0", 0.0, 1, "part of the measurements that is lost"),
    NUMBER("StampBiasMs", stamp_bias_ms, "ms", "0", -1000.0, 1000, "added to every stamp"),
    NUMBER("OutageFrom", outage_from_s, "s", "0", 0.0, 1e6, "time from which no pose is measured"),
    NUMBER("OutageTo", outage_to_s, "s", "0", 0.0, 1e6, "and until"),
    NUMBER("BlockFrom", block_from_s, "s", "0", 0.0, 1e6, "time from which the robot cannot move"),
    NUMBER("BlockTo", block_to_s, "s", "0", 0.0, 1e6, "and until"),
    NUMBER("JumpAt", jump_at_s, "s", "-1", -1.0, 1e6,
           "time when the robot is moved to another place; -1: never"),
    NUMBER("JumpX", jump_x_m, "m", "0", -1000.0, 1000, "by this much"),
    NUMBER("JumpY", jump_y_m, "m", "0", -1000.0, 1000, "by this much"),
    NUMBER("JumpTheta", jump_theta_rad, "rad", "0", -6.3, 6.3, "angle by which it is turned then"),
    NUMBER("TrueX", true_x_m, "m", "0", -10000.0, 10000, "true position at the start"),
    NUMBER("TrueY", true_y_m, "m", "0", -10000.0, 10000, "true position at the start"),
    NUMBER("TrueTheta", true_theta_rad, "rad", "0", -6.3, 6.3, "true heading at the start"),
    DPL_INT(struct properties, seed, "Seed", "1", 0, 4294967295,
            "seed of its noise, together with the run's seed"),
};

static const struct dpl_driver driver = {
    .name = "mock",
    .summary = "a differential drive with adjustable faults; knows its true pose",
    .device_class = &dpl_wheel_controller_class,
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
