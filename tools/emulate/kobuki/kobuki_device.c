/* SPDX-License-Identifier: Apache-2.0 */
/* `doppel emulate kobuki`. */
#include <errno.h>
#include <stdio.h>

#include "device.h"
#include "gyro.h"
#include "kobuki_base.h"
#include "presses.h"

#define FRAME_PERIOD (DPL_KOBUKI_PERIOD_MS * DPL_MS)

struct kobuki_device {
    struct session session;
    struct kobuki_base base;
    struct truth *truth;
    struct presses presses;
    struct gyro gyro;
    struct kobuki_sensors sensors;
    struct kobuki_wheels wanted;
    dpl_ns next_frame, aimed_at;
    uint64_t frames;
    bool exits_at_end;
};

/* A command is said once to what moves the wheels, which then stops for silence by its own time,
 * even while this loop hangs: the kernel may hold a call on a pty for seconds. */
static void drive(struct kobuki_device *self, dpl_ns now)
{
    struct kobuki_wheels wheels = kobuki_base_wheels(&self->base, now);
    self->wanted = wheels;
    bool is_said = self->base.is_driven && self->base.aimed_at == self->aimed_at;
    self->aimed_at = self->base.aimed_at;
    if (self->truth->ops->drive && !is_said) {
        self->truth->ops->drive(self->truth, wheels, now);
    }
}

static void on_connected(void *device, dpl_ns now)
{
    (void)now;
    struct kobuki_device *self = device;
    kobuki_base_connected(&self->base);
}

static void on_received(void *device, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct kobuki_device *self = device;
    kobuki_base_receive(&self->base, bytes, n, now);
    drive(self, now);
}

/* The base's own clock times its frames, so that their stamps increase by a constant 20 ms even if
 * this process is late; the sensors are extrapolated to that time. */
static void send_frame(struct kobuki_device *self, dpl_ns stamp, dpl_ns now)
{
    uint8_t frame[DPL_KOBUKI_MAX_FRAME];
    if (self->truth->ops->sense) {
        self->truth->ops->sense(self->truth, stamp, &self->sensors);
    }
    struct kobuki_sensors sensors = kobuki_sensors_at(&self->sensors, stamp);
    presses_apply(&self->presses, stamp, &sensors);
    gyro_measure(&self->gyro, stamp, &sensors.heading_rad, &sensors.rate_rad_s);
    size_t n = kobuki_base_feedback(&self->base, &sensors, frame);
    session_send(&self->session, frame, n, now);
    self->frames += self->session.connected;
}

static dpl_ns on_tick(void *device, dpl_ns now)
{
    struct kobuki_device *self = device;
    drive(self, now);
    self->next_frame = session_keep_up(self->next_frame, FRAME_PERIOD, now);
    while (now >= self->next_frame) {
        send_frame(self, self->next_frame, now);
        self->next_frame += FRAME_PERIOD;
    }
    return self->next_frame;
}

static bool is_over(void *device, dpl_ns now)
{
    const struct kobuki_device *self = device;
    return self->exits_at_end && self->truth->ops->is_over &&
           self->truth->ops->is_over(self->truth, now);
}

static int find_world(void *device, struct dpl_diag *reterr)
{
    struct kobuki_device *self = device;
    return truth_find_world(self->truth, reterr);
}

static const struct session_device ops = {
    .connected = on_connected,
    .received = on_received,
    .tick = on_tick,
    .is_over = is_over,
    .find_world = find_world,
};

/* ---- options ---- */

struct options {
    const char *left_motor, *right_motor, *left_encoder, *right_encoder;
    const char *firmware;
    double silence_ms;
    double gyro_noise, gyro_bias, gyro_wander, gyro_scale;
    struct option_list presses;
};

static const struct options defaults = {
    .left_motor = "LeftWheel",
    .right_motor = "RightWheel",
    .left_encoder = "enc_left",
    .right_encoder = "enc_right",
    .firmware = "1.2.0",
    .silence_ms = 350.0,
    .gyro_noise = 0.02,
    .gyro_bias = 0.1,
    .gyro_wander = 0.002,
    .gyro_scale = 1.0,
};

#define OPTION(...) DEVICE_OPTION(struct options, __VA_ARGS__)

static const struct option options[] = {
    {OPTION("left-motor", "NAME", OPTION_STRING, left_motor, "in the world (LeftWheel)")},
    {OPTION("right-motor", "NAME", OPTION_STRING, right_motor, "in the world (RightWheel)")},
    {OPTION("left-encoder", "NAME", OPTION_STRING, left_encoder, "in the world (enc_left)")},
    {OPTION("right-encoder", "NAME", OPTION_STRING, right_encoder, "in the world (enc_right)")},
    {OPTION("firmware", "X.Y.Z", OPTION_STRING, firmware,
            "firmware version that it reports (1.2.0)")},
    {OPTION("silence", "MS", OPTION_NUMBER, silence_ms,
            "the base stops after this time without a command (350)"),
     .min = 20, .max = 600},
    {OPTION("gyro-noise", "DEG", OPTION_NUMBER, gyro_noise,
            "noise of the gyro in a world, deg/s per root of Hz (0.02)"),
     .max = 10},
    {OPTION("gyro-bias", "DEG", OPTION_NUMBER, gyro_bias,
            "bias of the gyro in a world at the start, deg/s (0.1)"),
     .min = -100, .max = 100},
    {OPTION("gyro-wander", "DEG", OPTION_NUMBER, gyro_wander,
            "random walk of this bias, deg/s per root of second (0.002)"),
     .max = 10},
    {OPTION("gyro-scale", "PERCENT", OPTION_NUMBER, gyro_scale,
            "scale error of the gyro in a world, -50 to 50 (1)"),
     .min = -50, .max = 50},
    {OPTION("press", "PART[,FROM,TO]", OPTION_LIST, presses,
            "bumper_left, bumper_centre, bumper_right, cliff_..., wheel_drop_left, "
            "wheel_drop_right or button0 to button2 is pressed between these seconds, or all the "
            "time; may be repeated")},
};

static int read_firmware(const char *text, struct dpl_kobuki_version *ret_version,
                         struct dpl_diag *reterr)
{
    unsigned part[3];
    char rest;
    if (sscanf(text, "%3u.%3u.%3u%c", &part[0], &part[1], &part[2], &rest) != 3 || part[0] > 255 ||
        part[1] > 255 || part[2] > 255) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "--firmware: found '%s', expected a version such as 1.2.0", text);
    }
    *ret_version = dpl_kobuki_version_pack((uint8_t)part[0], (uint8_t)part[1], (uint8_t)part[2]);
    return 0;
}

static int read_presses(const struct option_list *list, struct presses *presses,
                        struct dpl_diag *reterr)
{
    int err = 0;
    for (size_t i = 0; i < list->n && err == 0; i++) {
        err = presses_add(presses, list->items[i], reterr);
    }
    return err;
}

static int read_options(const struct options *own, struct kobuki_base_config *ret_base,
                        struct presses *presses, struct dpl_diag *reterr)
{
    *ret_base = kobuki_base_config_default();
    ret_base->patience = dpl_ns_from_s(own->silence_ms * 1e-3);
    int err = read_presses(&own->presses, presses, reterr);
    return err < 0 ? err : read_firmware(own->firmware, &ret_base->firmware, reterr);
}

static int check(const void *own, struct dpl_diag *reterr)
{
    struct kobuki_base_config base;
    struct presses presses = {0};
    return read_options(own, &base, &presses, reterr);
}

/* ---- running ---- */

static struct truth_options truth_of(const struct emulate_options *all, const struct options *own)
{
    struct truth_options truth = all->truth;
    truth.left_motor = own->left_motor;
    truth.right_motor = own->right_motor;
    truth.left_encoder = own->left_encoder;
    truth.right_encoder = own->right_encoder;
    truth.robot.silence = dpl_ns_from_s(own->silence_ms * 1e-3);
    return truth;
}

/* A log has no gyro of its own, and the base without a world is ideal: their turns stay exact. */
static void start_gyro(struct gyro *gyro, const struct truth_options *truth,
                       const struct options *own)
{
    struct gyro_config config = {.seed = truth->robot.seed};
    if (truth->robot.world) {
        config.noise = dpl_deg_to_rad(own->gyro_noise);
        config.bias = dpl_deg_to_rad(own->gyro_bias);
        config.wander = dpl_deg_to_rad(own->gyro_wander);
        config.scale = 0.01 * own->gyro_scale;
    }
    gyro_init(gyro, &config);
}

static int kobuki_open(void *device, const struct emulate_options *all, const void *own,
                       struct dpl_diag *reterr)
{
    struct kobuki_device *self = device;
    struct kobuki_base_config base;
    struct truth_options truth = truth_of(all, own);
    int err = read_options(own, &base, &self->presses, reterr);
    if (err < 0) {
        return err;
    }
    self->exits_at_end = all->exits_at_end;
    kobuki_base_init(&self->base, &base);
    start_gyro(&self->gyro, &truth, own);
    return emulate_open(all, &truth, TRUTH_BASE, &self->session, &self->truth, reterr);
}

static const struct dpl_field values[] = {
    DPL_EXPORT_NUMBER(struct kobuki_device, wanted.left_rad_s, "wanted_left", "rad/s",
                      DPL_FIELD_TRACE, "speed that the host wants"),
    DPL_EXPORT_NUMBER(struct kobuki_device, wanted.right_rad_s, "wanted_right", "rad/s",
                      DPL_FIELD_TRACE, "speed that the host wants"),
    DPL_EXPORT_NUMBER(struct kobuki_device, sensors.left_rad, "left", "rad", DPL_FIELD_TRACE,
                      "angle of the wheel"),
    DPL_EXPORT_NUMBER(struct kobuki_device, sensors.right_rad, "right", "rad", DPL_FIELD_TRACE,
                      "angle of the wheel"),
    DPL_EXPORT_NUMBER(struct kobuki_device, sensors.left_rad_s, "left_speed", "rad/s",
                      DPL_FIELD_TRACE, "of the wheel"),
    DPL_EXPORT_NUMBER(struct kobuki_device, sensors.right_rad_s, "right_speed", "rad/s",
                      DPL_FIELD_TRACE, "of the wheel"),
    DPL_EXPORT_NUMBER(struct kobuki_device, sensors.heading_rad, "heading", "rad", DPL_FIELD_TRACE,
                      "before the gyro's errors"),
    DPL_EXPORT_INT(struct kobuki_device, frames, "frames", NULL, DPL_FIELD_TRACE, "sent"),
    DPL_EXPORT_INT(struct kobuki_device, base.commands, "commands", NULL, DPL_FIELD_TRACE,
                   "of the host"),
    DPL_EXPORT_INT(struct kobuki_device, base.parser.checksum_errors, "checksum_errors", NULL,
                   DPL_FIELD_TRACE, "in what the host sent"),
    DPL_EXPORT_INT(struct kobuki_device, base.timeouts, "timeouts", NULL, DPL_FIELD_TRACE,
                   "how often it stopped because its host was silent"),
};

static struct robot_link *robot_of(void *device)
{
    struct kobuki_device *self = device;
    return truth_robot(self->truth);
}

static void print_summary(const void *device)
{
    const struct kobuki_device *self = device;
    fprintf(stderr,
            "doppel emulate kobuki: %llu frames sent, %llu commands, %llu checksum errors, "
            "stopped %llu times for silence\n",
            (unsigned long long)self->frames, (unsigned long long)self->base.commands,
            (unsigned long long)self->base.parser.checksum_errors,
            (unsigned long long)self->base.timeouts);
}

static void kobuki_close(void *device)
{
    struct kobuki_device *self = device;
    truth_destroy(self->truth);
}

const struct emulated_device emulated_kobuki = {
    .set = {.name = "kobuki", .summary = "a Kobuki base", DEVICE_OPTIONS(options, defaults)},
    .no_tcp = "a Kobuki has no --tcp, expected --pty LINK",
    .ops = &ops,
    .size = sizeof(struct kobuki_device),
    .check = check,
    .open = kobuki_open,
    .values = values,
    .n_values = DPL_COUNT(values),
    .robot = robot_of,
    .print_summary = print_summary,
    .close = kobuki_close,
};
