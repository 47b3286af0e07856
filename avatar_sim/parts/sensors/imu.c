/* SPDX-License-Identifier: Apache-2.0 */
/* Inertial measurement units of a world: see imu.h. */
#include "imu.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/math/pose3.h>
#include <doppel/math/random.h>
#include <doppel/sim/channel_rows.h>

#include "sample_clock.h"

enum { STREAM_IMU = 4000 };

static const double standard_gravity_m_s2 = 9.80665;

/* ---- settings ---- */

struct settings {
    char name[DPL_SIM_NAME_SIZE];
    double mount[3], yaw, rate_hz;
    double gyro_noise, gyro_bias[3];
    double accelerometer_noise, accelerometer_bias[3];
    double angle_noise;
};

#define NUMBER(member_, name_, unit_, default_, min_, max_, text_)                                 \
    DPL_NUMBER(struct settings, member_, name_, unit_, default_, min_, max_, text_)

static const struct dpl_field fields[] = {
    DPL_TEXT(struct settings, name, "name", NULL, "name of the unit"),
    NUMBER(mount[0], "x", "m", "0", -10.0, 10.0, "mount"),
    NUMBER(mount[1], "y", "m", "0", -10.0, 10.0, "mount"),
    NUMBER(mount[2], "z", "m", "0", -10.0, 10.0, "mount"),
    NUMBER(yaw, "yaw", "rad", "0", -10.0, 10.0, "direction of its x axis"),
    NUMBER(rate_hz, "rate_hz", "Hz", "100", 0.1, 10000.0, "measurements a second"),
    NUMBER(gyro_noise, "gyro_noise", "rad/s", "0", 0.0, 10.0,
           "standard deviation of an angular velocity"),
    NUMBER(gyro_bias[0], "gyro_bias_x", "rad/s", "0", -10.0, 10.0, "constant error about x"),
    NUMBER(gyro_bias[1], "gyro_bias_y", "rad/s", "0", -10.0, 10.0, "constant error about y"),
    NUMBER(gyro_bias[2], "gyro_bias_z", "rad/s", "0", -10.0, 10.0, "constant error about z"),
    NUMBER(accelerometer_noise, "accelerometer_noise", "m/s^2", "0", 0.0, 100.0,
           "standard deviation of an acceleration"),
    NUMBER(accelerometer_bias[0], "accelerometer_bias_x", "m/s^2", "0", -100.0, 100.0,
           "constant error along x"),
    NUMBER(accelerometer_bias[1], "accelerometer_bias_y", "m/s^2", "0", -100.0, 100.0,
           "constant error along y"),
    NUMBER(accelerometer_bias[2], "accelerometer_bias_z", "m/s^2", "0", -100.0, 100.0,
           "constant error along z"),
    NUMBER(angle_noise, "angle_noise", "rad", "0", 0.0, 3.0, "standard deviation of an angle"),
};

/* ---- measuring ---- */

struct measurement {
    dpl_ns stamp;
    int64_t number; /* from 1 on; 0: none yet */
    double rate[3], acceleration[3], angles[3];
};

struct imu {
    const struct dpl_sim_site *site;
    const struct settings *settings;
    struct dpl_random rng;
    struct dpl__sample_clock clock;
    struct measurement newest;
    double velocity[3]; /* of the mount, at the measurement before, which was at: */
    dpl_ns since;
};

/* The velocity of the mount in the world's frame: v + w x (R mount). */
static void velocity_of(const struct imu *imu, double ret[3])
{
    const struct dpl_sim_bodies *bodies = &imu->site->state->bodies;
    const double *v = bodies->velocity[imu->site->body], *w = bodies->angular[imu->site->body];
    const double(*rotation)[3] = (const double(*)[3])bodies->rotation[imu->site->body];
    const double *mount = imu->settings->mount;
    double arm[3];
    for (int i = 0; i < 3; i++) {
        arm[i] = rotation[i][0] * mount[0] + rotation[i][1] * mount[1] + rotation[i][2] * mount[2];
    }
    ret[0] = v[0] + w[1] * arm[2] - w[2] * arm[1];
    ret[1] = v[1] + w[2] * arm[0] - w[0] * arm[2];
    ret[2] = v[2] + w[0] * arm[1] - w[1] * arm[0];
}

/* Columns are the axes of the unit's frame in the world's. */
static void frame_of(const struct imu *imu, double ret[3][3])
{
    const struct dpl_sim_site *site = imu->site;
    const double(*body)[3] = (const double(*)[3])site->state->bodies.rotation[site->body];
    double c = cos(imu->settings->yaw), s = sin(imu->settings->yaw);
    for (int i = 0; i < 3; i++) {
        ret[i][0] = body[i][0] * c + body[i][1] * s;
        ret[i][1] = body[i][1] * c - body[i][0] * s;
        ret[i][2] = body[i][2];
    }
}

static void turn_into(double frame[3][3], const double world[3], double ret[3])
{
    for (int i = 0; i < 3; i++) {
        ret[i] = frame[0][i] * world[0] + frame[1][i] * world[1] + frame[2][i] * world[2];
    }
}

static void spoil(struct imu *imu, double noise, const double bias[3], double inout[3])
{
    for (int i = 0; i < 3; i++) {
        inout[i] += bias[i];
        if (noise > 0.0) {
            inout[i] += noise * dpl_random_normal(&imu->rng);
        }
    }
}

/* Specific force in the world's frame: what the velocity did since the measurement before. */
static void feel_force(struct imu *imu, dpl_ns now, double ret[3])
{
    double velocity[3], dt = dpl_ns_to_s(now - imu->since);
    velocity_of(imu, velocity);
    for (int i = 0; i < 3; i++) {
        ret[i] = (velocity[i] - imu->velocity[i]) / dt;
    }
    ret[2] += standard_gravity_m_s2;
    memcpy(imu->velocity, velocity, sizeof velocity);
    imu->since = now;
}

static void measure(struct imu *imu, dpl_ns now)
{
    static const double no_bias[3];
    const struct settings *settings = imu->settings;
    struct measurement *newest = &imu->newest;
    double frame[3][3], force[3];
    frame_of(imu, frame);
    feel_force(imu, now, force);
    turn_into(frame, imu->site->state->bodies.angular[imu->site->body], newest->rate);
    turn_into(frame, force, newest->acceleration);
    newest->angles[0] = atan2(frame[2][1], frame[2][2]);
    newest->angles[1] = -asin(dpl_clamp(frame[2][0], -1.0, 1.0));
    newest->angles[2] = atan2(frame[1][0], frame[0][0]);
    spoil(imu, settings->gyro_noise, settings->gyro_bias, newest->rate);
    spoil(imu, settings->accelerometer_noise, settings->accelerometer_bias, newest->acceleration);
    spoil(imu, settings->angle_noise, no_bias, newest->angles);
    for (int i = 0; i < 3; i++) {
        newest->angles[i] = dpl_wrap_angle(newest->angles[i]);
    }
    newest->stamp = now;
    newest->number++;
}

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct imu *imu = state;
    (void)reterr;
    imu->site = site;
    imu->settings = site->entry->settings;
    imu->rng = dpl_random_seeded(site->model->seed, STREAM_IMU + (uint64_t)site->number);
    dpl__sample_clock_start(&imu->clock, imu->settings->rate_hz, 0);
    velocity_of(imu, imu->velocity);
    return 0;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct imu *imu = state;
    if (tick->now >= imu->clock.due) {
        measure(imu, tick->now);
        dpl__sample_clock_next(&imu->clock, imu->settings->rate_hz, tick->now);
    }
}

/* ---- channels ---- */

static int get(const struct dpl_world *world, int id, const double *value, void *ret_value,
               dpl_ns *inout_stamp)
{
    const struct imu *imu = dpl_world_entry(world, &dpl_imu, id);
    *inout_stamp = imu->newest.stamp;
    if (imu->newest.number == 0) {
        return -EAGAIN;
    }
    if (ret_value) {
        memcpy(ret_value, value, 3 * sizeof *value);
    }
    return 0;
}

#define VECTOR(member)                                                                             \
    static int get_##member(const struct dpl_world *world, int id, void *ret_value,                \
                            dpl_ns *inout_stamp)                                                   \
    {                                                                                              \
        const struct imu *imu = dpl_world_entry(world, &dpl_imu, id);                              \
        return get(world, id, imu->newest.member, ret_value, inout_stamp);                         \
    }
VECTOR(rate)
VECTOR(acceleration)
VECTOR(angles)

static int get_measurements(const struct dpl_world *world, int id, void *ret_value,
                            dpl_ns *inout_stamp)
{
    const struct imu *imu = dpl_world_entry(world, &dpl_imu, id);
    *(int64_t *)ret_value = imu->newest.number;
    *inout_stamp = imu->newest.stamp;
    return 0;
}

static int get_mount(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct imu *imu = dpl_world_entry(world, &dpl_imu, id);
    const struct settings *settings = imu->settings;
    struct dpl_pose3 mount = dpl_pose3_from_planar(
        (struct dpl_pose2){settings->mount[0], settings->mount[1], settings->yaw});
    mount.position.z = settings->mount[2];
    memcpy(ret_value, &mount, sizeof mount);
    *inout_stamp = 0;
    return 0;
}

static const struct dpl_channel_row rows[] = {
    DPL_CHANNEL_READ("rate", &dpl_channel_vector, DPL_CHANNEL_OUT, "rad/s", 3,
                     "angular velocity x y z in its frame", get_rate, NULL),
    DPL_CHANNEL_READ("acceleration", &dpl_channel_vector, DPL_CHANNEL_OUT, "m/s^2", 3,
                     "specific force x y z in its frame", get_acceleration, NULL),
    DPL_CHANNEL_READ("angles", &dpl_channel_vector, DPL_CHANNEL_OUT, "rad", 3,
                     "roll, pitch, yaw of its frame in the world", get_angles, NULL),
    DPL_CHANNEL_READ("measurements", &dpl_channel_integer, DPL_CHANNEL_OUT, NULL, 0,
                     "how many there were", get_measurements, NULL),
    DPL_CHANNEL_READ("mount", &dpl_channel_pose, DPL_CHANNEL_CONSTANT, NULL, 0,
                     "in the robot's frame", get_mount, NULL),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_imu = {
    .name = "imu",
    .summary = "an inertial measurement unit",
    .phase = DPL_SIM_SENSOR,
    .element = "imu",
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct imu),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "imu",
};
