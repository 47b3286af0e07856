/* SPDX-License-Identifier: Apache-2.0 */
/* `doppel emulate imu`: a WitMotion sensor on a robot in a world, or at rest. */
#include <errno.h>
#include <stdio.h>

#include "device.h"
#include "imu_motion.h"

struct imu_device {
    struct session session;
    struct robot_link robot;
    struct dpl_channel acceleration, rate, angles;
    const char *name; /* of the unit in the world; NULL: there is no world */
    bool bound;
    struct imu_motion motion;
    dpl_ns period, next;
    uint64_t measurements, bytes_heard;
};

/* ---- the world ---- */

static int find_channels(struct imu_device *self, struct dpl_diag *reterr)
{
    const struct dpl_channel_type *vector = &dpl_channel_vector;
    const struct avatar_want wants[] = {
        {self->name, "acceleration", vector, "m/s^2", false, &self->acceleration},
        {self->name, "rate", vector, "rad/s", false, &self->rate},
        {self->name, "angles", vector, "rad", false, &self->angles},
    };
    int err = robot_link_find(&self->robot, wants, DPL_COUNT(wants), reterr);
    for (size_t i = 0; i < DPL_COUNT(wants) && err == 0; i++) {
        if (wants[i].ret_channel->desc->size != 3) {
            err = dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                           "'%s/%s' has %u numbers, expected 3", self->name, wants[i].leaf,
                           wants[i].ret_channel->desc->size);
        }
    }
    self->bound = err == 0;
    return err;
}

static int open_world(struct imu_device *self, const struct robot_link_options *options,
                      struct dpl_diag *reterr)
{
    int err = robot_link_open(&self->robot, options, reterr);
    err = err < 0 ? err : find_channels(self, reterr);
    return err < 0 && err != -EAGAIN ? err : robot_link_start(&self->robot, reterr);
}

/* The newest measurement of the world's unit; without one it stays as it is. */
static void feel(struct imu_device *self)
{
    struct imu_motion felt;
    if (!self->name || (!self->bound && find_channels(self, NULL) < 0) ||
        dpl_link_refresh(self->robot.link, NULL) < 0) {
        return;
    }
    if (dpl_channel_get(self->acceleration, felt.acceleration_m_s2, NULL) == 0 &&
        dpl_channel_get(self->rate, felt.rate_rad_s, NULL) == 0 &&
        dpl_channel_get(self->angles, felt.angles_rad, NULL) == 0) {
        self->motion = felt;
    }
}

/* ---- session ---- */

/* Its settings cannot be changed. */
static void on_received(void *device, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct imu_device *self = device;
    (void)bytes;
    (void)now;
    self->bytes_heard += n;
}

static dpl_ns on_tick(void *device, dpl_ns now)
{
    struct imu_device *self = device;
    self->next = session_keep_up(self->next, self->period, now);
    for (; now >= self->next; self->next += self->period) {
        uint8_t bytes[IMU_MOTION_BYTES];
        feel(self);
        imu_motion_write(&self->motion, bytes);
        session_send(&self->session, bytes, sizeof bytes, now);
        self->measurements += self->session.connected;
    }
    return self->next;
}

static int find_world(void *device, struct dpl_diag *reterr)
{
    struct imu_device *self = device;
    if (self->bound) {
        return robot_link_fault(&self->robot, reterr);
    }
    return self->name ? find_channels(self, reterr) : 0;
}

static const struct session_device ops = {
    .received = on_received,
    .tick = on_tick,
    .talks_unasked = true,
    .find_world = find_world,
};

/* ---- options ---- */

struct options {
    const char *name;
    double rate_hz;
};

static const struct options defaults = {.name = "imu", .rate_hz = 10.0};

#define OPTION(...) DEVICE_OPTION(struct options, __VA_ARGS__)

static const struct option options[] = {
    {OPTION("imu", "NAME", OPTION_STRING, name, "in the world (imu)")},
    {OPTION("rate", "HZ", OPTION_NUMBER, rate_hz, "measurements a second (10)"), .min = 0.2,
     .max = 200},
};

/* ---- running ---- */

static int imu_open(void *device, const struct emulate_options *all, const void *own,
                    struct dpl_diag *reterr)
{
    const struct options *chosen = own;
    struct imu_device *self = device;
    self->name = all->truth.robot.world ? chosen->name : NULL;
    self->period = dpl_ns_from_s(1.0 / chosen->rate_hz);
    self->motion = imu_motion_at_rest;
    int err = self->name ? open_world(self, &all->truth.robot, reterr) : 0;
    return err < 0 ? err : emulate_open_port(all, &self->session, reterr);
}

static const struct dpl_field values[] = {
    DPL_EXPORT_NUMBER(struct imu_device, motion.acceleration_m_s2[0], "acceleration_x", "m/s^2",
                      DPL_FIELD_TRACE, "that is sent"),
    DPL_EXPORT_NUMBER(struct imu_device, motion.acceleration_m_s2[1], "acceleration_y", "m/s^2",
                      DPL_FIELD_TRACE, "that is sent"),
    DPL_EXPORT_NUMBER(struct imu_device, motion.acceleration_m_s2[2], "acceleration_z", "m/s^2",
                      DPL_FIELD_TRACE, "that is sent"),
    DPL_EXPORT_NUMBER(struct imu_device, motion.rate_rad_s[0], "rate_x", "rad/s", DPL_FIELD_TRACE,
                      "that is sent"),
    DPL_EXPORT_NUMBER(struct imu_device, motion.rate_rad_s[1], "rate_y", "rad/s", DPL_FIELD_TRACE,
                      "that is sent"),
    DPL_EXPORT_NUMBER(struct imu_device, motion.rate_rad_s[2], "rate_z", "rad/s", DPL_FIELD_TRACE,
                      "that is sent"),
    DPL_EXPORT_NUMBER(struct imu_device, motion.angles_rad[0], "roll", "rad", DPL_FIELD_TRACE,
                      "that is sent"),
    DPL_EXPORT_NUMBER(struct imu_device, motion.angles_rad[1], "pitch", "rad", DPL_FIELD_TRACE,
                      "that is sent"),
    DPL_EXPORT_NUMBER(struct imu_device, motion.angles_rad[2], "yaw", "rad", DPL_FIELD_TRACE,
                      "that is sent"),
    DPL_EXPORT_INT(struct imu_device, measurements, "measurements", NULL, DPL_FIELD_TRACE, "sent"),
    DPL_EXPORT_INT(struct imu_device, bytes_heard, "bytes_heard", NULL, DPL_FIELD_TRACE,
                   "of the host"),
};

static struct robot_link *robot_of(void *device)
{
    struct imu_device *self = device;
    return self->name ? &self->robot : NULL;
}

static void print_summary(const void *device)
{
    const struct imu_device *self = device;
    fprintf(stderr, "doppel emulate imu: %llu measurements sent, %llu bytes of the host\n",
            (unsigned long long)self->measurements, (unsigned long long)self->bytes_heard);
}

static void imu_close(void *device)
{
    struct imu_device *self = device;
    robot_link_close(&self->robot);
}

const struct emulated_device emulated_imu = {
    .set = {.name = "imu",
            .summary = "a WitMotion inertial sensor",
            DEVICE_OPTIONS(options, defaults)},
    .no_log = "a sensor has no --log, expected --world or neither",
    .ops = &ops,
    .size = sizeof(struct imu_device),
    .open = imu_open,
    .values = values,
    .n_values = DPL_COUNT(values),
    .robot = robot_of,
    .print_summary = print_summary,
    .close = imu_close,
};
