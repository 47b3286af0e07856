/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware of a Kobuki, as seen by its host. */
#include "kobuki_base.h"

#include <errno.h>
#include <math.h>

#define WHEEL_MAX_M_S   0.8 /* largest speed of its motors */
#define BATTERY_FULL_V  16.4
#define BATTERY_V_PER_S 0.0003 /* about two hours from full to empty */
#define BATTERY_EMPTY_V 13.2
#define CLIFF_ON_FLOOR  2000
#define CLIFF_IN_AIR    300
#define FACTORY_P       100000
#define FACTORY_I       100
#define FACTORY_D       2000
#define GYRO_SAMPLES    2
#define IDLE_CURRENT    4 /* 10 mA */
#define INPUT_PULLED_UP 4095

static const struct dpl_kobuki_gains factory_gains = {
    .p = FACTORY_P, .i = FACTORY_I, .d = FACTORY_D};

struct kobuki_base_config kobuki_base_config_default(void)
{
    return (struct kobuki_base_config){
        .patience = 350 * DPL_MS,
        .firmware = dpl_kobuki_version_pack(1, 2, 0),
        .hardware = dpl_kobuki_version_pack(1, 0, 4),
        .udid = {0x004b006f, 0x62756b69, 0x20d05043},
    };
}

void kobuki_base_init(struct kobuki_base *base, const struct kobuki_base_config *config)
{
    *base = (struct kobuki_base){.config = *config, .gains = factory_gains};
    dpl_kobuki_parser_init(&base->parser, 0);
}

void kobuki_base_connected(struct kobuki_base *base)
{
    dpl_kobuki_parser_init(&base->parser, 0);
    base->answers = 0;
    base->answer_gains = false;
}

/* ---- input ---- */

static void set_gains(struct kobuki_base *base, const struct dpl_kobuki_gains *gains)
{
    base->gains = gains->type == 0 ? factory_gains : *gains;
}

static void obey(struct kobuki_base *base, const struct dpl_kobuki_command *command, dpl_ns now)
{
    base->commands++;
    switch (command->id) {
    case DPL_KOBUKI_BASE:
        base->aim = (struct dpl_kobuki_base){command->base.speed_mm_s, command->base.radius_mm};
        base->aimed_at = now;
        base->is_driven = true;
        break;
    case DPL_KOBUKI_REQUEST: base->answers |= command->request; break;
    case DPL_KOBUKI_OUTPUT: base->output = command->output; break;
    case DPL_KOBUKI_SET_GAINS: set_gains(base, &command->gains); break;
    case DPL_KOBUKI_GET_GAINS: base->answer_gains = true; break;
    case DPL_KOBUKI_SOUND:
    case DPL_KOBUKI_SEQUENCE: break; /* sounds are ignored */
    }
}

static void notice_silence(struct kobuki_base *base, dpl_ns now)
{
    if (base->is_driven && now - base->aimed_at > base->config.patience) {
        base->is_driven = false;
        base->timeouts += base->aim.speed_mm_s != 0;
        base->aim = (struct dpl_kobuki_base){0};
    }
}

void kobuki_base_receive(struct kobuki_base *base, const uint8_t *bytes, size_t n, dpl_ns now)
{
    notice_silence(base, now);
    struct dpl_byte_view input = {bytes, n};
    struct dpl_kobuki_frame frame;
    while (dpl_kobuki_parser_next(&base->parser, &input, &frame)) {
        struct dpl_byte_view payload = {frame.payload, frame.length};
        struct dpl_kobuki_command command;
        int got;
        while ((got = dpl_kobuki_command_next(&payload, &command)) == 1 || got == -ENOTSUP) {
            if (got == 1) {
                obey(base, &command, now);
            } else {
                base->unknown_commands++;
            }
        }
        base->unknown_commands += got < 0;
    }
}

struct kobuki_wheels kobuki_base_wheels(struct kobuki_base *base, dpl_ns now)
{
    notice_silence(base, now);
    struct dpl_twist2 twist = dpl_kobuki_base_to_twist(base->aim, DPL_KOBUKI_AXLE_M);
    double half_turn = twist.angular * DPL_KOBUKI_AXLE_M / 2.0;
    double left = dpl_clamp(twist.linear - half_turn, -WHEEL_MAX_M_S, WHEEL_MAX_M_S);
    double right = dpl_clamp(twist.linear + half_turn, -WHEEL_MAX_M_S, WHEEL_MAX_M_S);
    return (struct kobuki_wheels){left / DPL_KOBUKI_WHEEL_RADIUS_M,
                                  right / DPL_KOBUKI_WHEEL_RADIUS_M};
}

/* ---- sensors ---- */

struct kobuki_sensors kobuki_sensors_at(const struct kobuki_sensors *sensors, dpl_ns stamp)
{
    struct kobuki_sensors moved = *sensors;
    double dt = dpl_clamp(dpl_ns_to_s(stamp - sensors->stamp), -0.5, 0.03);
    moved.stamp = stamp;
    moved.left_rad += dt * sensors->left_rad_s;
    moved.right_rad += dt * sensors->right_rad_s;
    moved.heading_rad += dt * sensors->rate_rad_s;
    return moved;
}

/* ---- output ---- */

static int8_t pwm_of(double wheel_rad_s)
{
    double part = wheel_rad_s * DPL_KOBUKI_WHEEL_RADIUS_M / WHEEL_MAX_M_S;
    return (int8_t)lround(dpl_clamp(part, -1.0, 1.0) * 127.0);
}

static struct dpl_kobuki_core core_of(struct kobuki_base *base,
                                      const struct kobuki_sensors *sensors)
{
    struct dpl_twist2 twist = dpl_kobuki_base_to_twist(base->aim, DPL_KOBUKI_AXLE_M);
    double half_turn = twist.angular * DPL_KOBUKI_AXLE_M / 2.0;
    double volts = BATTERY_FULL_V - BATTERY_V_PER_S * dpl_ns_to_s(sensors->stamp);
    return (struct dpl_kobuki_core){
        .time_ms = (uint16_t)(sensors->stamp / DPL_MS),
        .bumper = sensors->bumper,
        .wheel_drop = sensors->wheel_drop,
        .cliff = sensors->cliff,
        .encoder_left = dpl_kobuki_ticks_at(sensors->left_rad),
        .encoder_right = dpl_kobuki_ticks_at(sensors->right_rad),
        .buttons = sensors->buttons,
        .pwm_left = pwm_of((twist.linear - half_turn) / DPL_KOBUKI_WHEEL_RADIUS_M),
        .pwm_right = pwm_of((twist.linear + half_turn) / DPL_KOBUKI_WHEEL_RADIUS_M),
        .charger = DPL_KOBUKI_CHARGER_DISCHARGING,
        .battery_decivolt = (uint8_t)lround(10.0 * fmax(volts, BATTERY_EMPTY_V)),
    };
}

static void add_answers(struct kobuki_base *base, struct dpl_kobuki_feedback *feedback)
{
    static const struct {
        uint16_t request;
        enum dpl_kobuki_feedback_id answer;
    } answers[] = {
        {DPL_KOBUKI_REQUEST_HARDWARE, DPL_KOBUKI_HARDWARE},
        {DPL_KOBUKI_REQUEST_FIRMWARE, DPL_KOBUKI_FIRMWARE},
        {DPL_KOBUKI_REQUEST_UDID, DPL_KOBUKI_UDID},
    };
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        if (base->answers & answers[i].request) {
            feedback->present |= DPL_KOBUKI_HAS(answers[i].answer);
        }
    }
    if (base->answer_gains) {
        feedback->present |= DPL_KOBUKI_HAS(DPL_KOBUKI_CONTROLLER);
    }
    base->answers = 0;
    base->answer_gains = false;
}

static uint16_t cliff_voltage(const struct kobuki_sensors *sensors, uint8_t bit)
{
    return sensors->cliff & bit ? CLIFF_IN_AIR : CLIFF_ON_FLOOR;
}

size_t kobuki_base_feedback(struct kobuki_base *base, const struct kobuki_sensors *sensors,
                            uint8_t frame[DPL_KOBUKI_MAX_FRAME])
{
    struct dpl_kobuki_feedback feedback = {
        .present = DPL_KOBUKI_HAS(DPL_KOBUKI_CORE) | DPL_KOBUKI_HAS(DPL_KOBUKI_DOCK_IR) |
                   DPL_KOBUKI_HAS(DPL_KOBUKI_INERTIA) | DPL_KOBUKI_HAS(DPL_KOBUKI_CLIFF) |
                   DPL_KOBUKI_HAS(DPL_KOBUKI_CURRENT) | DPL_KOBUKI_HAS(DPL_KOBUKI_GYRO) |
                   DPL_KOBUKI_HAS(DPL_KOBUKI_INPUT),
        .core = core_of(base, sensors),
        .inertia = dpl_kobuki_inertia_from(sensors->heading_rad, sensors->rate_rad_s),
        .cliff = {cliff_voltage(sensors, DPL_KOBUKI_RIGHT),
                  cliff_voltage(sensors, DPL_KOBUKI_CENTRE),
                  cliff_voltage(sensors, DPL_KOBUKI_LEFT)},
        .current_10ma = {IDLE_CURRENT, IDLE_CURRENT},
        .hardware = base->config.hardware,
        .firmware = base->config.firmware,
        .udid = {base->config.udid[0], base->config.udid[1], base->config.udid[2]},
        .controller = base->gains,
        .gyro = {.frame = base->gyro_frame},
        .input = {.analog = {INPUT_PULLED_UP, INPUT_PULLED_UP, INPUT_PULLED_UP, INPUT_PULLED_UP}},
    };
    base->gyro_frame = (uint8_t)(base->gyro_frame + GYRO_SAMPLES);
    for (int i = 0; i < GYRO_SAMPLES; i++) {
        dpl_kobuki_gyro_append(&feedback.gyro, (struct dpl_kobuki_rates){.z = sensors->rate_rad_s});
    }
    add_answers(base, &feedback);
    uint8_t payload[DPL_KOBUKI_MAX_PAYLOAD];
    int length = dpl_kobuki_feedback_encode(&feedback, payload, sizeof payload);
    return length > 0 ? dpl_kobuki_frame_write(payload, (size_t)length, frame) : 0;
}
