/* SPDX-License-Identifier: Apache-2.0 */
/* Imu: the device component of inertial measurement units. Publishes the newest measurement in each
 * cycle, in the robot's frame, with a flag whether it is valid. The property ApiName selects the
 * driver. */
#include <doppel/drv/imu.h>
#include <doppel/msg/imu.h>
#include <doppel/plugin.h>

#include "mount.h"

enum port {
    PORT_IMU,
};

struct properties {
    double mount_rad[3]; /* roll, pitch, yaw */
    double stale_after_ms;
};

/* The newest measurement, in the robot's frame. */
struct measured {
    double rate_rad_s[3], acceleration_m_s2[3], rpy_rad[3];
    bool valid;
};

struct state {
    struct imu_mount mount;
    struct measured newest;
    uint64_t sequence; /* of the newest measurement */
    double age_s;
    int64_t n_measurements, n_stale, n_errors;
};

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    const struct properties *p = self->properties;
    struct state *state = self->state;
    state->mount = imu_mount_from_rpy(p->mount_rad);
    return 0;
}

static void store_sample(struct state *state, const struct dpl_imu_sample *sample)
{
    struct measured *newest = &state->newest;
    const double rpy[3] = {sample->roll_rad, sample->pitch_rad, sample->yaw_rad};
    imu_mount_turn(&state->mount, sample->rate_rad_s, newest->rate_rad_s);
    imu_mount_turn(&state->mount, sample->acceleration_m_s2, newest->acceleration_m_s2);
    imu_mount_orient(&state->mount, rpy, newest->rpy_rad);
    state->n_measurements += sample->sequence != state->sequence;
    state->sequence = sample->sequence;
}

static void publish(struct dpl_component *self, const struct measured *newest, dpl_ns stamp)
{
    Doppel__Imu *message = dpl_port_loan(self, PORT_IMU);
    if (!message) {
        return;
    }
    message->rate_x = newest->rate_rad_s[0];
    message->rate_y = newest->rate_rad_s[1];
    message->rate_z = newest->rate_rad_s[2];
    message->acceleration_x = newest->acceleration_m_s2[0];
    message->acceleration_y = newest->acceleration_m_s2[1];
    message->acceleration_z = newest->acceleration_m_s2[2];
    message->roll = newest->rpy_rad[0];
    message->pitch = newest->rpy_rad[1];
    message->yaw = newest->rpy_rad[2];
    message->valid = newest->valid;
    dpl_port_publish(self, PORT_IMU, message, stamp);
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct properties *p = self->properties;
    struct state *state = self->state;
    struct dpl_device *device = dpl_component_device(self);
    struct dpl_imu_sample sample = {.valid = false};
    int err = dpl_imu_execute(device, tick);
    if (err == 0) {
        err = dpl_imu_read(device, &sample);
    }
    state->n_errors += err < 0;
    bool measured = err == 0 && sample.valid;
    if (measured) {
        store_sample(state, &sample);
    }
    state->age_s = measured ? dpl_ns_to_s(tick->now - sample.stamp) : 0.0;
    state->newest.valid = measured && state->age_s <= p->stale_after_ms * 1e-3;
    state->n_stale += measured && !state->newest.valid;
    publish(self, &state->newest, measured ? sample.stamp : tick->now);
    return 0; /* the driver itself reports a silent device as lost and found */
}

/* ---- tables ---- */

static const struct dpl_port_desc ports[] = {
    [PORT_IMU] =
        {
            .name = "imu",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__imu__descriptor,
            .summary = "the newest measurement, in the robot's frame, stamped at acquisition",
        },
};

#define MOUNT(property, axis, text)                                                                \
    DPL_NUMBER(struct properties, mount_rad[axis], property, "rad", "0", -6.3, 6.3, text)

static const struct dpl_field properties[] = {
    MOUNT("Roll", 0, "mount of the unit in the robot's frame, about x"),
    MOUNT("Pitch", 1, "mount, about y"),
    MOUNT("Yaw", 2, "mount, about z"),
    DPL_NUMBER(struct properties, stale_after_ms, "StaleAfter", "ms", "500", 0.1, 1e6,
               "an older measurement is not valid"),
};

#define TRACED(member_, name_, unit_, text_)                                                       \
    DPL_EXPORT_NUMBER(struct state, newest.member_, name_, unit_, DPL_FIELD_TRACE, text_)
#define COUNTED(member_, name_, text_)                                                             \
    DPL_EXPORT_INT(struct state, member_, name_, NULL, DPL_FIELD_SUMMARY, text_)

static const struct dpl_field exports[] = {
    TRACED(rate_rad_s[0], "rate_x", "rad/s", "angular velocity"),
    TRACED(rate_rad_s[1], "rate_y", "rad/s", "angular velocity"),
    TRACED(rate_rad_s[2], "rate_z", "rad/s", "angular velocity"),
    TRACED(acceleration_m_s2[0], "acceleration_x", "m/s^2", "specific force"),
    TRACED(acceleration_m_s2[1], "acceleration_y", "m/s^2", "specific force"),
    TRACED(acceleration_m_s2[2], "acceleration_z", "m/s^2", "specific force"),
    TRACED(rpy_rad[0], "roll", "rad", "orientation of the robot in the world"),
    TRACED(rpy_rad[1], "pitch", "rad", "orientation of the robot in the world"),
    TRACED(rpy_rad[2], "yaw", "rad", "orientation of the robot in the world"),
    DPL_EXPORT_BOOL(struct state, newest.valid, "valid", DPL_FIELD_TRACE,
                    "the measurement is not older than StaleAfter"),
    DPL_EXPORT_NUMBER(struct state, age_s, "age_s", "s", DPL_FIELD_TRACE,
                      "age of the measurement when it was published"),
    COUNTED(n_measurements, "measurements", "measurements received"),
    COUNTED(n_stale, "stale", "cycles whose newest measurement was older than StaleAfter"),
    COUNTED(n_errors, "errors", "cycles without an answer of the device"),
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .execute = execute,
};

static const struct dpl_component_class class = {
    .name = "Imu",
    .summary = "inertial measurement unit: publishes measurements of the device that ApiName names",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .device_class = DPL_IMU_CLASS,
    .n_device_calls = DPL_DRV_IMU_N_CALLS,
    .only_senses = true,
    .default_period = 20 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
