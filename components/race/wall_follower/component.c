/* SPDX-License-Identifier: Apache-2.0 */
/* WallFollower: an example controller under test. It senses and drives its car only through the
 * pins of its board. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/drv/pins_client.h>
#include <doppel/math/geometry.h>
#include <doppel/msg/pins.h>
#include <doppel/plugin.h>

#include "follow.h"

#define PINGS        3
#define INFRAREDS    4
#define MOTORS       2
#define TRIGGER_NS   5000
#define TIMEOUT_NS   60000000 /* 10 m there and back */
#define EDGES_A_TIME 16
#define MOTOR_HZ     1000.0
#define SERVO_HZ     1000.0

enum port {
    PORT_PINS,
};

enum drive {
    DRIVE_SERVO,        /* one motor and a steering servo */
    DRIVE_DIFFERENTIAL, /* a motor on each side */
};

struct properties {
    char pings[128], infrareds[128], motors[128], servo[48]; /* names of pins */
    double sound_m_s;
    int drive;
    double top_duty, servo_low, servo_high, mix;
    struct follow_config follow;
};

struct state {
    uint32_t ping[PINGS], infrared[INFRAREDS], servo, motor[MOTORS][2];
    struct sense_echo echo[PINGS];
    struct follow follow;
    double ranges[FOLLOW_SENSORS];
    struct follow_demand demand;
    int64_t refused; /* calls that the board refused */
    bool backward;
    int direction[MOTORS]; /* enum direction for which the modes of its pins are set */
};

/* ---- pins ---- */

/* Finds pins by a list of names, separated by spaces. */
static int find(struct dpl_component *self, const char *names, enum dpl_pin_mode mode,
                uint32_t *ret_pins, size_t n, struct dpl_diag *reterr)
{
    const char *at = names;
    for (size_t i = 0; i < n; i++) {
        char name[48] = "";
        int length = 0;
        if (sscanf(at, " %47s%n", name, &length) != 1) {
            return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                            "'%.60s' names %zu pins, expected %zu", names, i, n);
        }
        at += length;
        int err = dpl_pins_take(self, PORT_PINS, name, mode, &ret_pins[i], reterr);
        if (err < 0) {
            return err;
        }
    }
    return 0;
}

static int find_actuators(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    size_t n_motors = props->drive == DRIVE_SERVO ? 1 : MOTORS;
    int err = find(self, props->motors, DPL_PIN_PWM_OUT, state->motor[0], 2 * n_motors, reterr);
    if (err == 0 && props->drive == DRIVE_SERVO) {
        err = find(self, props->servo, DPL_PIN_PWM_OUT, &state->servo, 1, reterr);
    }
    return err;
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    memset(state->direction, 0, sizeof state->direction);
    int err = find(self, props->pings, DPL_PIN_INPUT, state->ping, PINGS, reterr);
    err = err ? err
              : find(self, props->infrareds, DPL_PIN_ANALOG_IN, state->infrared, INFRAREDS, reterr);
    return err ? err : find_actuators(self, reterr);
}

static void count(struct state *state, int err)
{
    state->refused += err < 0;
}

/* ---- sensors ---- */

static void read_echoes(struct dpl_component *self, size_t i)
{
    struct state *state = self->state;
    int64_t at[EDGES_A_TIME];
    protobuf_c_boolean level[EDGES_A_TIME];
    Doppel__PinEdges edges = DOPPEL__PIN_EDGES__INIT;
    edges.at_ns = at;
    edges.level = level;
    edges.n_at_ns = edges.n_level = EDGES_A_TIME;
    int err = dpl_pins_call_read_edges(self, PORT_PINS, state->ping[i], &edges);
    count(state, err);
    for (size_t k = 0; err >= 0 && k < edges.n_at_ns && k < edges.n_level; k++) {
        sense_edge(&state->echo[i], at[k], level[k]);
    }
}

static void trigger(struct dpl_component *self, size_t i, dpl_ns now)
{
    struct state *state = self->state;
    uint32_t pin = state->ping[i];
    int err = dpl_pins_call_ping(self, PORT_PINS, pin, TRIGGER_NS, TIMEOUT_NS);
    if (err != -ENOTSUP) {
        count(state, err);
        return;
    }
    count(state, dpl_pins_call_set_mode(self, PORT_PINS, pin, DPL_PIN_OUTPUT));
    count(state, dpl_pins_call_write_digital(self, PORT_PINS, pin, true, now));
    count(state, dpl_pins_call_write_digital(self, PORT_PINS, pin, false, now + TRIGGER_NS));
    count(state, dpl_pins_call_set_mode(self, PORT_PINS, pin, DPL_PIN_INPUT));
}

static void sense(struct dpl_component *self)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    for (size_t i = 0; i < PINGS; i++) {
        read_echoes(self, i);
        state->ranges[FOLLOW_LEFT + i] = sense_echo_m(&state->echo[i], props->sound_m_s);
    }
    for (size_t i = 0; i < INFRAREDS; i++) {
        double ratio = 0.0;
        count(state, dpl_pins_call_read_analog(self, PORT_PINS, state->infrared[i], &ratio));
        state->ranges[FOLLOW_SIDE_LEFT + i] = sense_infrared_m(ratio);
    }
}

/* ---- actions ---- */

enum direction {
    DIRECTION_NONE, /* not set yet: both pins are PWM */
    DIRECTION_FORWARD,
    DIRECTION_BACKWARD,
};

/* Sets one pin of a motor to a level and the other to PWM; repeated until the board has accepted
 * both. */
static void turn_motor(struct dpl_component *self, size_t i, enum direction direction,
                       uint32_t high, uint32_t pulsed)
{
    struct state *state = self->state;
    if (state->direction[i] == (int)direction) {
        return;
    }
    int err = dpl_pins_call_set_mode(self, PORT_PINS, high, DPL_PIN_OUTPUT);
    count(state, err);
    if (err == 0) {
        err = dpl_pins_call_set_mode(self, PORT_PINS, pulsed, DPL_PIN_PWM_OUT);
        count(state, err);
    }
    state->direction[i] = (int)(err == 0 ? direction : DIRECTION_NONE);
}

/* Forward: pin A high and the PWM on pin B; backward: the pins are swapped. */
static void drive_motor(struct dpl_component *self, size_t i, double speed)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    uint32_t high = state->motor[i][speed < 0.0], pulsed = state->motor[i][speed >= 0.0];
    double duty = props->top_duty / 1000.0 * dpl_clamp(fabs(speed), 0.0, 1.0);
    turn_motor(self, i, speed < 0.0 ? DIRECTION_BACKWARD : DIRECTION_FORWARD, high, pulsed);
    count(state, dpl_pins_call_write_digital(self, PORT_PINS, high, duty > 0.0, 0));
    count(state, dpl_pins_call_write_pwm(self, PORT_PINS, pulsed, duty, MOTOR_HZ));
}

static void act(struct dpl_component *self)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    struct follow_demand demand = state->demand;
    if (props->drive == DRIVE_DIFFERENTIAL) {
        drive_motor(self, 0, demand.speed - props->mix * demand.yaw);
        drive_motor(self, 1, demand.speed + props->mix * demand.yaw);
        return;
    }
    /* backwards the wheels must turn to the other side */
    double steering = demand.speed < 0.0 ? -demand.yaw : demand.yaw;
    double duty =
        props->servo_low + (steering + 1.0) / 2.0 * (props->servo_high - props->servo_low);
    count(state, dpl_pins_call_write_pwm(self, PORT_PINS, state->servo, duty / 1000.0, SERVO_HZ));
    drive_motor(self, 0, demand.speed);
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    sense(self);
    state->demand =
        follow_step(&state->follow, &props->follow, state->ranges, dpl_ns_to_s(tick->period));
    state->backward = state->follow.state == FOLLOW_BACKWARD;
    if (tick->halt) {
        state->demand = (struct follow_demand){0};
    }
    act(self);
    for (size_t i = 0; i < PINGS; i++) {
        trigger(self, i, tick->now);
    }
    return 0;
}

static int stop(struct dpl_component *self)
{
    struct state *state = self->state;
    state->demand = (struct follow_demand){0};
    act(self);
    return 0;
}

/* A failure, of this component or of a device: everything stops until the component continues. */
static int error(struct dpl_component *self, int cause)
{
    (void)cause;
    return stop(self);
}

/* ---- tables ---- */

static const struct dpl_port_desc ports[] = {
    [PORT_PINS] = DPL_PINS_REQUIRED_PORT,
};

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, pings, "Pings", "PING0 PING1 PING2",
             "pins of the ultrasonic sensors: left, front, right"),
    DPL_TEXT(struct properties, infrareds, "Infrareds", "IR3 IR4 IR5 IR6",
             "pins of the infrared sensors: left, rear left, rear right, right"),
    DPL_TEXT(struct properties, motors, "Motors", "MOTOR_A MOTOR_B MOTOR2_A MOTOR2_B",
             "two pins of the only or left motor, two of the right one"),
    DPL_TEXT(struct properties, servo, "Servo", "SERVO", "pin of the steering servo"),
    DPL_NUMBER(struct properties, sound_m_s, "SpeedOfSound", "m/s", "345.2", 1, 10000,
               "the controller's value of the speed of sound"),
    DPL_CHOICE(struct properties, drive, "Drive", "differential", "servo|differential",
               "a motor and a steering servo, or a motor on each side"),
    DPL_NUMBER(struct properties, top_duty, "TopDuty", NULL, "700", 1, 1000,
               "0.1 %: of the motors' PWM at top speed"),
    DPL_NUMBER(struct properties, servo_low, "ServoLow", NULL, "0", 0, 1000,
               "0.1 %: of the servo's PWM, full right"),
    DPL_NUMBER(struct properties, servo_high, "ServoHigh", NULL, "40", 0, 1000,
               "0.1 %: of the servo's PWM, full left"),
    DPL_NUMBER(struct properties, mix, "Mix", NULL, "0.35", 0, 1,
               "part of the top speed between the sides at full turn"),
    DPL_NUMBER(struct properties, follow.gain, "Gain", NULL, "1.6", -10, 10,
               "of turning on the difference of the sides"),
    DPL_NUMBER(struct properties, follow.reach, "Reach", "m", "1.2", 0.1, 10,
               "larger ranges count as this"),
    DPL_NUMBER(struct properties, follow.near, "Near", "m", "0.35", 0.05, 2,
               "the car steers away from smaller infrared ranges"),
    DPL_NUMBER(struct properties, follow.brake, "Brake", "m", "1.2", 0.1, 10,
               "front range from which the car slows down"),
    DPL_NUMBER(struct properties, follow.least, "Least", NULL, "0.3", 0.05, 1,
               "lowest speed, as a part of the top speed"),
    DPL_NUMBER(struct properties, follow.stuck, "Stuck", "m", "0.25", 0.01, 2,
               "front range of a dead end"),
    DPL_NUMBER(struct properties, follow.stuck_s, "StuckAfter", "s", "0.4", 0, 60,
               "time in a dead end before the car drives backward"),
    DPL_NUMBER(struct properties, follow.backward_s, "Backward", "s", "1", 0.1, 60,
               "duration of driving backward"),
};

#define EXPORT(name_, member_, unit_, flags_, text_)                                               \
    DPL_EXPORT_NUMBER(struct state, member_, name_, unit_, flags_, text_)

static const struct dpl_field exports[] = {
    EXPORT("speed", demand.speed, NULL, DPL_FIELD_TRACE, "commanded, part of the top speed"),
    EXPORT("yaw", demand.yaw, NULL, DPL_FIELD_TRACE, "commanded, part of the sharpest turn"),
    EXPORT("left_m", ranges[FOLLOW_LEFT], "m", DPL_FIELD_TRACE, "range read at 30 degrees"),
    EXPORT("front_m", ranges[FOLLOW_FRONT], "m", DPL_FIELD_TRACE, "range read ahead"),
    EXPORT("right_m", ranges[FOLLOW_RIGHT], "m", DPL_FIELD_TRACE, "range read at -30 degrees"),
    EXPORT("side_left_m", ranges[FOLLOW_SIDE_LEFT], "m", DPL_FIELD_TRACE, "range read at 45"),
    EXPORT("side_right_m", ranges[FOLLOW_SIDE_RIGHT], "m", DPL_FIELD_TRACE, "range read at -45"),
    DPL_EXPORT_BOOL(struct state, backward, "backward", DPL_FIELD_TRACE,
                    "the car drives backward out of a dead end"),
    DPL_EXPORT_INT(struct state, refused, "refused", NULL, DPL_FIELD_SUMMARY,
                   "calls that the board refused"),
};

static const struct dpl_component_ops ops = {
    .start = start,
    .execute = execute,
    .stop = stop,
    .error = error,
};

static const struct dpl_component_class class = {
    .name = "WallFollower",
    .summary = "example controller under test: follows the lane by seven sensors, through pins",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .default_period = 50 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
