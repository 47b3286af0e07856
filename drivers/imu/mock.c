/* SPDX-License-Identifier: Apache-2.0 */
/* The mock driver of inertial measurement units: a unit that is tilted and turns at a constant rate
 * about the vertical, with noise and silence that can be set. Works on any clock. */
#include <doppel/drv/imu.h>
#include <doppel/math/gravity.h>
#include <doppel/math/pose3.h>
#include <doppel/math/random.h>
#include <doppel/plugin.h>

struct properties {
    double rate_hz, turn_rad_s, roll_rad, pitch_rad;
    double gyro_noise_rad_s, accelerometer_noise_m_s2;
    double silent_from_s, silent_to_s;
    int64_t seed;
};

struct state {
    struct dpl_random rng;
    struct dpl_imu_sample sample;
    bool began;
    dpl_ns start, due;
};

static int mock_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    (void)reterr;
    state->rng = dpl_random_seeded(dpl_device_seed(device), (uint64_t)p->seed);
    return 0;
}

static void mock_close(struct dpl_device *device)
{
    (void)device;
}

/* A vector of the world as the sensor sees it, with noise. */
static void measure(struct state *state, struct dpl_quaternion sensor, struct dpl_vector3 truth,
                    double noise, double ret[3])
{
    struct dpl_vector3 seen = dpl_quaternion_turn(dpl_quaternion_conjugate(sensor), truth);
    const double values[3] = {seen.x, seen.y, seen.z};
    for (int i = 0; i < 3; i++) {
        ret[i] = values[i] + (noise > 0.0 ? noise * dpl_random_normal(&state->rng) : 0.0);
    }
}

static void make_sample(const struct properties *p, struct state *state, dpl_ns now)
{
    struct dpl_imu_sample *sample = &state->sample;
    double yaw = dpl_wrap_angle(p->turn_rad_s * dpl_ns_to_s(now - state->start));
    struct dpl_quaternion sensor = dpl_quaternion_from_rpy(p->roll_rad, p->pitch_rad, yaw);
    measure(state, sensor, (struct dpl_vector3){.z = p->turn_rad_s}, p->gyro_noise_rad_s,
            sample->rate_rad_s);
    measure(state, sensor, (struct dpl_vector3){.z = DPL_STANDARD_GRAVITY_M_S2},
            p->accelerometer_noise_m_s2, sample->acceleration_m_s2);
    sample->roll_rad = p->roll_rad;
    sample->pitch_rad = p->pitch_rad;
    sample->yaw_rad = yaw;
    sample->stamp = now;
    sample->sequence++;
    sample->valid = true;
}

static int mock_execute(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_tick *tick = in;
    const struct properties *p = device->properties;
    struct state *state = device->state;
    if (!state->began) {
        state->began = true;
        state->start = state->due = tick->now;
    }
    double now_s = dpl_ns_to_s(tick->now);
    bool silent = now_s >= p->silent_from_s && now_s < p->silent_to_s;
    if (silent || tick->now < state->due) {
        return 0;
    }
    dpl_ns period = dpl_ns_from_s(1.0 / p->rate_hz);
    state->due += period * (1 + (tick->now - state->due) / period);
    make_sample(p, state, tick->now);
    return 0;
}

static int mock_read(struct dpl_device *device, const void *in, void *out)
{
    const struct state *state = device->state;
    *(struct dpl_imu_sample *)out = state->sample;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_IMU_N_CALLS] = {
    [DPL_DRV_IMU_EXECUTE] = mock_execute,
    [DPL_DRV_IMU_READ] = mock_read,
};

static const struct dpl_field properties[] = {
    DPL_NUMBER(struct properties, rate_hz, "Rate", "Hz", "100", 0.1, 10000,
               "measurements a second"),
    DPL_NUMBER(struct properties, turn_rad_s, "TurnRate", "rad/s", "0", -100.0, 100,
               "it turns about the vertical, counter-clockwise"),
    DPL_NUMBER(struct properties, roll_rad, "Roll", "rad", "0", -3.15, 3.15, "its tilt"),
    DPL_NUMBER(struct properties, pitch_rad, "Pitch", "rad", "0", -1.58, 1.58, "its tilt"),
    DPL_NUMBER(struct properties, gyro_noise_rad_s, "GyroNoise", "rad/s", "0", 0.0, 10,
               "standard deviation of an angular velocity"),
    DPL_NUMBER(struct properties, accelerometer_noise_m_s2, "AccelerometerNoise", "m/s^2", "0", 0.0,
               100, "standard deviation of an acceleration"),
    DPL_NUMBER(struct properties, silent_from_s, "SilentFrom", "s", "0", 0.0, 1e6,
               "time from which no measurements come"),
    DPL_NUMBER(struct properties, silent_to_s, "SilentTo", "s", "0", 0.0, 1e6, "and until"),
    DPL_INT(struct properties, seed, "Seed", "1", 0, 4294967295,
            "seed of its noise, together with the run's seed"),
};

static const struct dpl_driver driver = {
    .name = "mock",
    .summary = "an inertial unit that turns at a constant rate",
    .device_class = &dpl_imu_class,
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
