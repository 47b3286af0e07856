/* SPDX-License-Identifier: Apache-2.0 */
/* WallFollower between its pins and its logic: what it asks of its board, what it reads from it and
 * what it writes to it. The board is a fake that keeps what each pin was told. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/msg/pins.h>

#include "fake_runtime.h"

#define PINS_MAX 16
#define PERIOD   (50 * DPL_MS)

struct pin {
    char name[16];
    enum dpl_pin_mode mode;
    bool level, was_asked;
    double duty, frequency, ratio;
    dpl_ns edges[4]; /* rise, fall, rise, fall */
    size_t n_edges, n_pings;
    char told[64]; /* "high@1000 low@6000 " */
};

static struct pin pins[PINS_MAX];
static size_t n_pins;
static dpl_ns now;
static bool knows_ping;
static const char *absent, *refused; /* names of pins */

/* ---- the board ---- */

static int find_pin(const char *name, uint32_t *ret_pin)
{
    if (absent && strcmp(absent, name) == 0) {
        return -ENOENT;
    }
    for (*ret_pin = 0; *ret_pin < n_pins; (*ret_pin)++) {
        if (strcmp(pins[*ret_pin].name, name) == 0) {
            return 0;
        }
    }
    cr_assert_lt(n_pins, PINS_MAX);
    snprintf(pins[n_pins++].name, sizeof pins[0].name, "%s", name);
    return 0;
}

static void read_edges(struct pin *pin, Doppel__PinEdges *edges)
{
    cr_assert_geq(edges->n_at_ns, pin->n_edges);
    for (size_t i = 0; i < pin->n_edges; i++) {
        edges->at_ns[i] = pin->edges[i];
        edges->level[i] = i % 2 == 0;
    }
    edges->n_at_ns = edges->n_level = pin->n_edges;
    pin->n_edges = 0;
}

static int write_level(struct pin *pin, const Doppel__PinLevel *level)
{
    size_t used = strlen(pin->told);
    pin->level = level->level;
    snprintf(pin->told + used, sizeof pin->told - used, "%s@%lld ", level->level ? "high" : "low",
             (long long)level->at_ns);
    return 0;
}

static int set_mode(struct pin *pin, enum dpl_pin_mode mode)
{
    pin->was_asked = true;
    if (refused && strcmp(refused, pin->name) == 0) {
        return -ENOTSUP;
    }
    pin->mode = mode;
    return 0;
}

static int write_pwm(struct pin *pin, const Doppel__PinPwm *pwm)
{
    pin->duty = pwm->duty;
    pin->frequency = pwm->frequency;
    return 0;
}

static int ping(struct pin *pin)
{
    pin->n_pings += knows_ping;
    return knows_ping ? 0 : -ENOTSUP;
}

static int answer(unsigned port, unsigned method, const void *request, void *response)
{
    cr_assert_eq(port, 0);
    if (method == DPL_PINS_FIND_PIN) {
        return find_pin(((const Doppel__PinName *)request)->name,
                        &((Doppel__PinNumber *)response)->pin);
    }
    /* every other request begins with the number of its pin */
    struct pin *pin = &pins[((const Doppel__PinNumber *)request)->pin];
    switch (method) {
    case DPL_PINS_SET_MODE:
        return set_mode(pin, (enum dpl_pin_mode)((const Doppel__PinSetup *)request)->mode);
    case DPL_PINS_WRITE_DIGITAL: return write_level(pin, request);
    case DPL_PINS_WRITE_PWM: return write_pwm(pin, request);
    case DPL_PINS_READ_EDGES: read_edges(pin, response); return 0;
    case DPL_PINS_READ_ANALOG: ((Doppel__PinVoltage *)response)->ratio = pin->ratio; return 0;
    case DPL_PINS_PING: return ping(pin);
    default: cr_assert_fail("method %u", method); return -ENOSYS;
    }
}

static struct pin *pin(const char *name)
{
    for (size_t i = 0; i < n_pins; i++) {
        if (strcmp(pins[i].name, name) == 0) {
            return &pins[i];
        }
    }
    cr_assert_fail("nobody asked for pin %s", name);
    return NULL;
}

/* ---- the component ---- */

static void create(void)
{
    fake_begin();
    fake.service = answer;
    fake_set("ServoLow", "0");
    fake_set("ServoHigh", "40");
    knows_ping = true;
}

static void start(void)
{
    struct dpl_diag error = {0};
    cr_assert_eq(fake.self.class_->ops->start(&fake.self, &error), 0, "%s", error.text);
}

static void cycle(int halt)
{
    struct dpl_tick tick = {.now = now, .period = PERIOD, .halt = halt};
    fake_execute(&tick);
    now += PERIOD;
}

/* The echo of something so far away, m, at the component's own speed of sound. */
static void echo(const char *name, double m)
{
    struct pin *sensor = pin(name);
    sensor->edges[0] = now - 20 * DPL_MS;
    sensor->edges[1] = sensor->edges[0] + (dpl_ns)llround(2e9 * m / 345.2);
    sensor->n_edges = 2;
}

static void see(double left, double front, double right)
{
    echo("PING0", left);
    echo("PING1", front);
    echo("PING2", right);
    cycle(0);
}

TestSuite(wall_follower_glue, .init = create, .fini = fake_end);

Test(wall_follower_glue, asks_its_board_for_each_pin_by_name_and_use)
{
    start();
    cr_assert_eq(n_pins, 11);
    cr_assert_eq(pin("PING1")->mode, DPL_PIN_INPUT);
    cr_assert_eq(pin("IR6")->mode, DPL_PIN_ANALOG_IN);
    cr_assert_eq(pin("MOTOR2_B")->mode, DPL_PIN_PWM_OUT);
}

Test(wall_follower_glue, with_a_servo_takes_one_motor_and_no_pin_that_it_does_not_need)
{
    fake_set("Drive", "servo");
    start();
    cr_assert_eq(n_pins, 10);
    cr_assert_eq(pin("SERVO")->mode, DPL_PIN_PWM_OUT);
    for (size_t i = 0; i < n_pins; i++) {
        cr_assert_neq(strncmp(pins[i].name, "MOTOR2", 6), 0, "%s", pins[i].name);
    }
}

Test(wall_follower_glue, does_not_start_without_a_pin_and_says_which)
{
    struct dpl_diag error = {0};
    absent = "IR5";
    cr_assert_eq(fake.self.class_->ops->start(&fake.self, &error), -ENOENT);
    cr_assert_not_null(strstr(error.text, "no pin 'IR5' on the board"), "%s", error.text);
    absent = NULL;
    refused = "MOTOR_B";
    cr_assert_eq(fake.self.class_->ops->start(&fake.self, &error), -ENOTSUP);
    cr_assert_not_null(strstr(error.text, "pin 'MOTOR_B' cannot be a PWM output"), "%s",
                       error.text);
    refused = NULL;
    fake_set("Pings", "PING0 PING1");
    cr_assert_eq(fake.self.class_->ops->start(&fake.self, &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, "'PING0 PING1' names 2 pins, expected 3"), "%s",
                       error.text);
}

Test(wall_follower_glue, measures_ranges_by_its_own_speed_of_sound_and_calibration)
{
    start();
    pin("IR3")->ratio = 1.0 - 0.732;
    pin("IR6")->ratio = 1.0 - 0.615;
    see(0.8, 2.0, 1.1);
    cr_assert_float_eq(fake_export("left_m"), 0.8, 1e-6);
    cr_assert_float_eq(fake_export("front_m"), 2.0, 1e-6);
    cr_assert_float_eq(fake_export("right_m"), 1.1, 1e-6);
    cr_assert_float_eq(fake_export("side_left_m"), 0.3, 1e-9);
    cr_assert_float_eq(fake_export("side_right_m"), 0.2, 1e-9);
    fake_set("SpeedOfSound", "690.4");
    see(0.8, 2.0, 1.1);
    cr_assert_float_eq(fake_export("front_m"), 4.0, 1e-6);
    cycle(0); /* no echo has come: nothing is in range */
    cr_assert_eq(fake_export("front_m"), 0.0);
}

Test(wall_follower_glue, drives_both_motors_forward_with_more_pwm_on_the_outer_one)
{
    start();
    see(1.2, 3.0, 1.2);
    cr_assert_eq(pin("MOTOR_A")->mode, DPL_PIN_OUTPUT);
    cr_assert(pin("MOTOR_A")->level && pin("MOTOR2_A")->level);
    cr_assert_float_eq(pin("MOTOR_B")->duty, 0.7, 1e-9, "TopDuty is 700 of 1000");
    cr_assert_eq(pin("MOTOR_B")->frequency, 1000.0);
    cr_assert_float_eq(pin("MOTOR2_B")->duty, 0.7, 1e-9);
    see(1.2, 3.0, 0.8);
    cr_assert_gt(fake_export("yaw"), 0.0, "to the left, where there is room");
    cr_assert_lt(pin("MOTOR_B")->duty, 0.7 - 0.01);
    cr_assert_float_eq(pin("MOTOR_B")->duty,
                       0.7 * (fake_export("speed") - 0.35 * fake_export("yaw")), 1e-9);
    see(0.8, 3.0, 1.2);
    cr_assert_lt(pin("MOTOR2_B")->duty, 0.7 - 0.01);
}

Test(wall_follower_glue, steers_with_the_servo_between_its_two_ends)
{
    fake_set("Drive", "servo");
    start();
    see(1.2, 3.0, 1.2);
    cr_assert_float_eq(pin("SERVO")->duty, 0.020, 1e-9, "straight ahead");
    see(1.2, 3.0, 0.3);
    cr_assert_float_eq(pin("SERVO")->duty, 0.020 * (1.0 + fake_export("yaw")), 1e-9);
    cr_assert_gt(pin("SERVO")->duty, 0.030, "left");
    see(0.3, 3.0, 1.2);
    cr_assert_lt(pin("SERVO")->duty, 0.010, "right");
    cr_assert_geq(pin("SERVO")->duty, 0.0);
}

/* Out of a dead end: the pins of a motor change places, the wheels turn to the other side. */
Test(wall_follower_glue, goes_back_out_of_a_dead_end_with_the_motors_pins_exchanged)
{
    fake_set("Drive", "servo");
    start();
    for (int i = 0; i < 40 && fake_export("backward") == 0.0; i++) {
        see(0.5, 0.2, 0.2);
    }
    cr_assert_eq(fake_export("backward"), 1.0);
    see(0.5, 0.2, 0.2);
    cr_assert_lt(fake_export("speed"), 0.0);
    cr_assert_eq(pin("MOTOR_B")->mode, DPL_PIN_OUTPUT);
    cr_assert_eq(pin("MOTOR_A")->mode, DPL_PIN_PWM_OUT);
    cr_assert(pin("MOTOR_B")->level);
    cr_assert_float_eq(pin("MOTOR_A")->duty, 0.7 * -fake_export("speed"), 1e-9);
    cr_assert_float_eq(pin("SERVO")->duty, 0.020 * (1.0 - fake_export("yaw")), 1e-9);
}

Test(wall_follower_glue, stands_still_on_halt_on_stop_and_on_an_error)
{
    start();
    see(1.2, 3.0, 1.2);
    cr_assert_gt(pin("MOTOR_B")->duty, 0.5);
    cycle(1);
    cr_assert(pin("MOTOR_B")->duty == 0.0 && !pin("MOTOR_A")->level && !pin("MOTOR2_A")->level);
    see(1.2, 3.0, 1.2);
    cr_assert_gt(pin("MOTOR_B")->duty, 0.5, "it goes on behind the halt");
    cr_assert_eq(fake.self.class_->ops->error(&fake.self, -EIO), 0);
    cr_assert(pin("MOTOR_B")->duty == 0.0 && pin("MOTOR2_B")->duty == 0.0);
    see(1.2, 3.0, 1.2);
    cr_assert_eq(fake.self.class_->ops->stop(&fake.self), 0);
    cr_assert(pin("MOTOR_B")->duty == 0.0 && pin("MOTOR2_B")->duty == 0.0);
}

Test(wall_follower_glue, triggers_its_sensors_edge_by_edge_where_the_board_cannot_time_pulses)
{
    start();
    now = 1000000;
    cycle(0);
    cr_assert_eq(pin("PING0")->n_pings, 1);
    cr_assert_str_eq(pin("PING0")->told, "");
    knows_ping = false;
    cycle(0);
    cr_assert_str_eq(pin("PING0")->told, "high@51000000 low@51005000 ");
    cr_assert_eq(pin("PING0")->mode, DPL_PIN_INPUT, "and listens");
    cr_assert_eq(fake_export("refused"), 0.0, "a board that cannot has refused nothing");
}

Test(wall_follower_glue, counts_what_the_board_refuses_and_asks_again)
{
    start();
    refused = "MOTOR_A";
    see(1.2, 3.0, 1.2);
    cr_assert_eq(fake_export("refused"), 1.0);
    see(1.2, 3.0, 1.2);
    cr_assert_eq(fake_export("refused"), 2.0);
    refused = NULL;
    see(1.2, 3.0, 1.2);
    cr_assert_eq(fake_export("refused"), 2.0);
    pin("MOTOR_A")->was_asked = false;
    see(1.2, 3.0, 1.2);
    cr_assert_not(pin("MOTOR_A")->was_asked, "once it is taken, nobody asks again");
}
