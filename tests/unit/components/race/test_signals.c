/* SPDX-License-Identifier: Apache-2.0 */
/* Pins, emulated sensors and emulated actuators in whole runs: the test is the controller at one
 * end of the simulated wires and the car's true ranges at the other. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/pins_client.h>
#include <doppel/msg/pins.h>
#include <doppel/msg/race.h>

#include "bench.h"
#include "infrared.h"
#include "ports.h"

enum port {
    BOARD,
    CAR,
    RANGES_PING,
    RANGES_INFRARED,
};

/* The order of Pins in data/signals.xml. */
enum board_pin {
    PING,
    IR,
    SERVO,
    MOTOR_A,
    MOTOR_B,
    EXTRA,
    N_PINS,
};
#define CAR_EXTRA 5

static const struct dpl_port_desc ports[] = {
    [BOARD] = PORT_SERVICE("board", IN, &doppel__pins_service__descriptor),
    [CAR] = PORT_SERVICE("car", IN, &doppel__pins_service__descriptor),
    [RANGES_PING] = PORT_DATA("ranges_ping", OUT, &doppel__ranges__descriptor, .capacity = 2),
    [RANGES_INFRARED] =
        PORT_DATA("ranges_infrared", OUT, &doppel__ranges__descriptor, .capacity = 2),
};

static double ping_m = 1.0, infrared_m = 0.3;

static void publish_ranges(struct dpl_component *self, unsigned port, dpl_ns now)
{
    Doppel__Ranges *ranges = dpl_port_loan(self, port);
    cr_assert_not_null(ranges);
    ranges->n_ranges = 2;
    ranges->ranges[0] = ping_m;
    ranges->ranges[1] = infrared_m;
    dpl_port_publish(self, port, ranges, now);
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    publish_ranges(self, RANGES_PING, tick->now);
    publish_ranges(self, RANGES_INFRARED, tick->now);
    bench_run_steps(self, tick);
    return 0;
}

static const struct dpl_component_ops ops = {.execute = execute};
static const struct dpl_component_class tester = {
    .name = "Tester", .ops = &ops, .ports = ports, .n_ports = DPL_COUNT(ports)};

static const struct bench_wire wires[] = {
    {BOARD, "ControllerPins", "PinsService"},
    {CAR, "CarPins", "PinsService"},
    {RANGES_PING, "Ping", "ranges"},
    {RANGES_INFRARED, "Infrared", "ranges"},
};

static struct bench make(double duration_s)
{
    return (struct bench){.file = UNIT "/components/race/data/signals.xml",
                          .duration_s = duration_s,
                          .added = &tester,
                          .wires = wires,
                          .n_wires = DPL_COUNT(wires)};
}

static double run_for(struct bench *bench, const char *key)
{
    const char *folder = bench_make_folder();
    bench->out_dir = folder;
    cr_assert_eq(bench_run(bench), DPL_EXIT_DONE, "%s", bench_error());
    double value = bench_summary(folder, key);
    bench_remove_folder(folder);
    return value;
}

#define OK(call)                                                                                   \
    do {                                                                                           \
        int err_ = (call);                                                                         \
        cr_assert_eq(err_, 0, "%s: %s", #call, strerror(-err_));                                   \
    } while (0)
#define EQ(value, expected) cr_assert_eq(value, expected, "%s = %lld", #value, (long long)(value))

/* ---- ping ---- */

static struct {
    dpl_ns at[64];
    bool level[64];
    size_t n;
} seen;
static dpl_ns triggered;

static void collect(struct dpl_component *self, unsigned port, uint32_t pin)
{
    int64_t at[8];
    protobuf_c_boolean level[8];
    Doppel__PinEdges edges = DOPPEL__PIN_EDGES__INIT;
    edges.at_ns = at;
    edges.level = level;
    edges.n_at_ns = edges.n_level = 8;
    OK(dpl_pins_call_read_edges(self, port, pin, &edges));
    cr_assert_eq(edges.lost, 0u);
    for (size_t i = 0; i < edges.n_at_ns && seen.n < DPL_COUNT(seen.at); i++) {
        seen.at[seen.n] = at[i];
        seen.level[seen.n++] = level[i];
    }
}

static void collect_ping(struct dpl_component *self, const struct dpl_tick *tick)
{
    (void)tick;
    collect(self, BOARD, PING);
}

static void trigger(struct dpl_component *self, const struct dpl_tick *tick)
{
    triggered = tick->now + 1234;
    OK(dpl_pins_call_set_mode(self, BOARD, PING, DPL_PIN_OUTPUT));
    OK(dpl_pins_call_write_digital(self, BOARD, PING, true, triggered));
    OK(dpl_pins_call_write_digital(self, BOARD, PING, false, triggered + 5000));
    OK(dpl_pins_call_set_mode(self, BOARD, PING, DPL_PIN_INPUT));
}

static void ping_once(double range_m, const char *set, double until_s)
{
    struct bench_step steps[] = {{0.05, trigger}};
    struct bench bench = make(until_s);
    bench.sets[0] = "Ping.Noise=0.1"; /* without Vary: none */
    bench.sets[1] = set;
    bench.steps = steps;
    bench.n_steps = 1;
    bench.each_cycle = collect_ping;
    ping_m = range_m;
    seen.n = 0;
    cr_assert_eq(run_for(&bench, "devices/CarPins/pin_conflicts"), 0.0);
}

Test(signals, ping_answers_750_us_after_its_trigger_and_to_the_ns)
{
    static const int mm[] = {1, 100, 1000, 1234, 9999};
    for (size_t i = 0; i < DPL_COUNT(mm); i++) {
        ping_once(mm[i] / 1000.0, NULL, 0.2);
        EQ(seen.n, 2);
        cr_assert(seen.level[0] && !seen.level[1]);
        EQ(seen.at[0] - triggered, 750000);
        EQ(seen.at[1] - seen.at[0], 5775 * mm[i]);
    }
}

Test(signals, ping_reads_back_within_the_published_deviations)
{
    static const int set[] = {100, 200, 500, 1000, 1500}, read[] = {99, 199, 498, 997, 1495};
    for (size_t i = 0; i < DPL_COUNT(set); i++) {
        ping_once(set[i] / 1000.0, NULL, 0.2);
        EQ(seen.n, 2);
        /* sound at 345.2 m/s, there and back */
        long mm = lround((double)(seen.at[1] - seen.at[0]) * 1e-9 * 345200.0 / 2.0);
        cr_assert_leq(labs(mm - set[i]), set[i] - read[i], "%d mm reads %ld", set[i], mm);
    }
}

Test(signals, ping_stays_silent_when_nothing_is_there)
{
    ping_once((double)INFINITY, NULL, 0.2);
    EQ(seen.n, 0);
    ping_once((double)INFINITY, "Ping.NoEcho=18.5", 0.2);
    EQ(seen.n, 2);
    EQ(seen.at[1] - seen.at[0], 18500000);
}

Test(signals, latency_of_a_board_leaves_edges_that_were_asked_for_an_instant)
{
    ping_once(1.0, "CarPins.LatencyMs=2", 0.2);
    EQ(seen.n, 2);
    EQ(seen.at[0] - triggered, 750000);
    EQ(seen.at[1] - seen.at[0], 5775000);
    ping_once(1.0, "ControllerPins.LatencyMs=30", 0.2);
    EQ(seen.n, 2);
    EQ(seen.at[0] - triggered, 750000);
}

static void collect_extra(struct dpl_component *self, const struct dpl_tick *tick)
{
    (void)tick;
    collect(self, BOARD, EXTRA);
}

static void write_now(struct dpl_component *self, const struct dpl_tick *tick)
{
    triggered = tick->now;
    OK(dpl_pins_call_set_mode(self, CAR, CAR_EXTRA, DPL_PIN_OUTPUT));
    OK(dpl_pins_call_write_digital(self, CAR, CAR_EXTRA, true, 0));
}

Test(signals, latency_of_a_board_delays_what_is_written_for_now)
{
    struct bench_step step = {0.05, write_now};
    struct bench bench = make(0.2);
    bench.sets[0] = "CarPins.LatencyMs=2";
    bench.steps = &step;
    bench.n_steps = 1;
    bench.each_cycle = collect_extra;
    seen.n = 0;
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
    EQ(seen.n, 1);
    EQ(seen.at[0] - triggered, 2000000);
}

static void trigger_again(struct dpl_component *self, const struct dpl_tick *tick)
{
    trigger(self, tick);
}

Test(signals, ping_ignores_what_comes_before_its_echo_is_over)
{
    struct bench_step steps[] = {{0.05, trigger}, {0.09, trigger_again}, {0.15, trigger_again}};
    struct bench bench = make(0.3);
    bench.steps = steps;
    bench.n_steps = 3;
    bench.each_cycle = collect_ping;
    ping_m = 9.0; /* 52 ms */
    seen.n = 0;
    const char *folder = bench_make_folder();
    bench.out_dir = folder;
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE);
    cr_assert_eq(bench_summary(folder, "Ping.pings"), 2.0);
    cr_assert_eq(bench_summary(folder, "Ping.echoes"), 2.0);
    cr_assert_eq(bench_summary(folder, "Ping.ignored"), 1.0);
    cr_assert_geq(bench_summary(folder, "devices/CarPins/pin_conflicts"), 1.0);
    bench_remove_folder(folder);
}

Test(signals, ping_varies_only_when_told_to)
{
    ping_once(1.0, "Ping.Vary=true", 0.2);
    EQ(seen.n, 2);
    dpl_ns width = seen.at[1] - seen.at[0];
    cr_assert_neq(width, 5775000);
    cr_assert_lt(llabs(width - 5775000), 5 * 100 * 5775, "%lld", (long long)width);
    ping_once(1.0, "Ping.Vary=true", 0.2);
    EQ(seen.at[1] - seen.at[0], width);
}

/* ---- infrared ---- */

static double ratio;

static void read_infrared(struct dpl_component *self, const struct dpl_tick *tick)
{
    (void)tick;
    OK(dpl_pins_call_set_mode(self, BOARD, IR, DPL_PIN_ANALOG_IN));
    OK(dpl_pins_call_read_analog(self, BOARD, IR, &ratio));
}

static double infrared_at(double range_m, const char *a, const char *b)
{
    struct bench_step step = {0.1, read_infrared};
    struct bench bench = make(0.15);
    bench.sets[0] = a;
    bench.sets[1] = a ? b : NULL;
    bench.steps = &step;
    bench.n_steps = 1;
    infrared_m = range_m;
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
    return ratio;
}

Test(signals, infrared_level_falls_with_the_distance_by_table_and_compensation)
{
    /* (1000 - 732 - 30) * 1.118 / 1000 in whole steps of a 12-bit converter */
    cr_assert_eq(infrared_at(0.3, NULL, NULL), round(0.238 * 1.118 * 4096) / 4096);
    cr_assert_eq(infrared_at(0.1, NULL, NULL), round(0.594 * 1.118 * 4096) / 4096);
    cr_assert_eq(infrared_at(0.62, NULL, NULL), 4095.0 / 4096);
    cr_assert_eq(infrared_at((double)INFINITY, NULL, NULL), 4095.0 / 4096);
}

/* Distance set and how far from it the published controller read, a part of it. */
static const struct {
    int mm;
    double deviation;
} verification[] = {{100, 0.13}, {300, 0.02}, {350, 0.02}, {400, 0.02},
                    {450, 0.02}, {500, 0.02}, {600, 0.045}};

Test(signals, infrared_reads_back_within_the_published_deviations_through_filter_and_converter)
{
    for (size_t i = 0; i < DPL_COUNT(verification); i++) {
        double level = infrared_at(verification[i].mm / 1000.0, "Infrared.Filter=true", NULL);
        int mm = infrared_mm_from_adc(&ir_table_shipped, lround(level * 4096), 12);
        cr_assert_leq(abs(mm - verification[i].mm), verification[i].deviation * verification[i].mm,
                      "%d mm reads %d", verification[i].mm, mm);
    }
    double level = infrared_at(0.611, "Infrared.Filter=true", NULL);
    EQ(infrared_mm_from_adc(&ir_table_shipped, lround(level * 4096), 12), 0);
}

Test(signals, infrared_can_leave_the_filter_to_the_hardware)
{
    cr_assert_eq(infrared_at(0.3, "Infrared.Output=pwm", NULL), floor(0.238 * 4096) / 4096);
}

Test(signals, noise_of_converter_and_sensor_comes_only_when_told_to)
{
    double clean = infrared_at(0.3, "ControllerPins.AnalogNoise=0.05", "Infrared.Noise=0.05");
    cr_assert_eq(clean, round(0.238 * 1.118 * 4096) / 4096);
    cr_assert_neq(infrared_at(0.3, "ControllerPins.AnalogNoise=0.05", "ControllerPins.Vary=true"),
                  clean);
    double noisy = infrared_at(0.3, "Infrared.Noise=0.05", "Infrared.Vary=true");
    cr_assert_neq(noisy, clean);
    cr_assert_eq(infrared_at(0.3, "Infrared.Noise=0.05", "Infrared.Vary=true"), noisy);
}

Test(signals, infrared_takes_its_table_from_a_file)
{
    cr_assert_eq(infrared_at(0.3, "Infrared.Table=" PROFILES "/tables/gp2y0a21.txt", NULL),
                 round(0.238 * 1.118 * 4096) / 4096);
    struct bench bench = make(0.1);
    bench.sets[0] = "Infrared.Table=/nowhere/table.txt";
    cr_assert_lt(bench_create_error(&bench), 0);
    cr_assert(strstr(bench_error(), "there is no file '/nowhere/table.txt'") != NULL, "%s",
              bench_error());
    char path[256], set[300];
    const char *folder = bench_make_folder();
    snprintf(path, sizeof path, "%s/table", folder);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs("100 300\n90 400\n", file);
    fclose(file);
    snprintf(set, sizeof set, "Infrared.Table=%s", path);
    bench.sets[0] = set;
    cr_assert_lt(bench_create_error(&bench), 0);
    cr_assert(strstr(bench_error(), "must rise") != NULL, "%s", bench_error());
    bench_remove_folder(folder);
}

Test(signals, infrared_fails_its_self_test_when_gain_and_compensation_do_not_fit)
{
    struct bench bench = make(0.1);
    bench.sets[0] = "Infrared.Gain=1";
    cr_assert_neq(bench_run(&bench), DPL_EXIT_DONE);
    cr_assert(strstr(bench_error(), "self-test") != NULL, "%s", bench_error());
}

/* ---- servo and motor ---- */

static double servo_duty, motor_a, motor_b;

static void actuate(struct dpl_component *self, const struct dpl_tick *tick)
{
    (void)tick;
    OK(dpl_pins_call_set_mode(self, BOARD, SERVO, DPL_PIN_PWM_OUT));
    OK(dpl_pins_call_write_pwm(self, BOARD, SERVO, servo_duty, 50.0));
    bool forward = motor_a >= 1.0;
    unsigned high = forward ? MOTOR_A : MOTOR_B, pulsed = forward ? MOTOR_B : MOTOR_A;
    OK(dpl_pins_call_set_mode(self, BOARD, high, DPL_PIN_OUTPUT));
    OK(dpl_pins_call_write_digital(self, BOARD, high, true, 0));
    OK(dpl_pins_call_set_mode(self, BOARD, pulsed, DPL_PIN_PWM_OUT));
    OK(dpl_pins_call_write_pwm(self, BOARD, pulsed, forward ? motor_b : motor_a, 10000.0));
}

/* A column of the last row of trace.csv. */
static double last_traced(const char *folder, const char *name)
{
    char path[256], line[4096], header[4096] = "";
    snprintf(path, sizeof path, "%s/trace.csv", folder);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    cr_assert_not_null(fgets(header, sizeof header, file));
    char last[4096] = "";
    while (fgets(line, sizeof line, file)) {
        memcpy(last, line, sizeof last);
    }
    fclose(file);
    const char *h = header, *v = last;
    for (;;) {
        size_t n = strcspn(h, ",\n");
        if (strlen(name) == n && strncmp(h, name, n) == 0) {
            return strncmp(v, "true", 4) == 0 ? 1.0 : strtod(v, NULL);
        }
        cr_assert_eq(h[n], ',', "no column %s in %s", name, header);
        h += n + 1;
        v += strcspn(v, ",\n") + 1;
    }
}

static double actuated(const char *column, const char *set, bool once)
{
    struct bench_step step = {0.02, actuate};
    struct bench bench = make(0.3);
    const char *folder = bench_make_folder();
    bench.sets[0] = set;
    bench.out_dir = folder;
    bench.steps = &step;
    bench.n_steps = 1;
    bench.each_cycle = once ? NULL : actuate;
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
    double value = last_traced(folder, column);
    cr_assert_eq(bench_summary(folder, "CarPins.refused"), 0.0);
    bench_remove_folder(folder);
    return value;
}

Test(signals, motor_gives_the_published_velocities)
{
    motor_a = 1.0;
    motor_b = 0.131;
    cr_assert_float_eq(actuated("Motor.velocity_m_s", NULL, false), 0.145, 1e-12);
    motor_a = 0.145;
    motor_b = 1.0;
    cr_assert_float_eq(actuated("Motor.velocity_m_s", NULL, false), -0.161, 1e-12);
    cr_assert_eq(actuated("Motor.active", NULL, false), 1.0);
}

Test(signals, actuators_are_not_active_when_the_controller_falls_silent)
{
    motor_a = 1.0;
    motor_b = 0.5;
    cr_assert_eq(actuated("Motor.active", NULL, true), 0.0);
    cr_assert_eq(actuated("Servo.active", NULL, true), 0.0);
    cr_assert_eq(actuated("Servo.active", "Servo.SilentAfter=10", true), 1.0);
}

Test(signals, servo_steers_by_bins_or_continuously)
{
    motor_a = 1.0;
    servo_duty = 0.0;
    cr_assert_float_eq(actuated("Servo.angle_rad", NULL, false), -0.5235987755982988, 1e-9);
    servo_duty = 0.020;
    cr_assert_float_eq(actuated("Servo.angle_rad", NULL, false), 0.0, 1e-9);
    servo_duty = 0.0405;
    cr_assert_float_eq(actuated("Servo.angle_rad", NULL, false), 0.5235987755982988, 1e-9);
    servo_duty = 0.03013; /* 30 in 0.1 % after the converter */
    cr_assert_float_eq(actuated("Servo.angle_rad", "Servo.Mode=continuous", false),
                       0.5235987755982988 / 2, 1e-9);
    cr_assert_float_eq(actuated("Servo.angle_rad", "Servo.Input=analog", false), 0.0, 1e-9);
}

/* 4 %, which the published formula alone reads as 39 in 0.1 %: straight. */
Test(signals, servo_is_full_left_at_the_duty_that_the_paper_says)
{
    motor_a = 1.0;
    servo_duty = 0.04;
    cr_assert_eq(actuated("Servo.duty", NULL, false), 40.0);
    cr_assert_float_eq(actuated("Servo.angle_rad", NULL, false), 0.5235987755982988, 1e-9);
    cr_assert_float_eq(actuated("Servo.angle_rad", "Servo.Mode=continuous", false),
                       0.5235987755982988, 1e-9);
    cr_assert_float_eq(actuated("Servo.angle_rad", "Servo.Input=analog", false), 0.5235987755982988,
                       1e-9);
    servo_duty = 0.02;
    cr_assert_float_eq(actuated("Servo.angle_rad", "Servo.Mode=continuous", false), 0.0, 1e-9);
    servo_duty = 0.045;
    cr_assert_float_eq(actuated("Servo.angle_rad", "Servo.HighDuty=45", false), 0.5235987755982988,
                       1e-9);
}

/* ---- the board itself ---- */

static bool checked;

static void check_modes(struct dpl_component *self, const struct dpl_tick *tick)
{
    double value, frequency;
    bool level;
    uint32_t pin = 99;
    OK(dpl_pins_call_find_pin(self, BOARD, "EXTRA", &pin));
    EQ(pin, EXTRA);
    OK(dpl_pins_call_find_pin(self, CAR, "5", &pin));
    EQ(pin, CAR_EXTRA);
    EQ(dpl_pins_call_find_pin(self, BOARD, "6", &pin), -ENOENT);
    EQ(dpl_pins_call_find_pin(self, BOARD, "extra", &pin), -ENOENT);
    EQ(dpl_pins_call_set_mode(self, BOARD, N_PINS, DPL_PIN_INPUT), -EINVAL);
    EQ(dpl_pins_call_set_mode(self, BOARD, EXTRA, (enum dpl_pin_mode)7), -EINVAL);
    EQ(dpl_pins_call_write_digital(self, BOARD, EXTRA, true, 0), -EPERM);
    EQ(dpl_pins_call_write_analog(self, BOARD, EXTRA, 0.5), -EPERM);
    EQ(dpl_pins_call_write_pwm(self, BOARD, EXTRA, 0.5, 100.0), -EPERM);
    EQ(dpl_pins_call_write_pwm(self, BOARD, EXTRA, 1.5, 100.0), -EINVAL);
    EQ(dpl_pins_call_write_pwm(self, BOARD, EXTRA, 0.5, (double)INFINITY), -EINVAL);
    EQ(dpl_pins_call_read_analog(self, BOARD, EXTRA, &value), -EPERM);
    EQ(dpl_pins_call_read_pwm(self, BOARD, EXTRA, &value, &frequency), -EPERM);
    OK(dpl_pins_call_read_digital(self, BOARD, EXTRA, &level));
    cr_assert_not(level);
    OK(dpl_pins_call_set_mode(self, BOARD, EXTRA, DPL_PIN_PULL_UP));
    OK(dpl_pins_call_read_digital(self, CAR, CAR_EXTRA, &level));
    cr_assert(level);
    dpl_ns at = 0;
    EQ(dpl_pins_call_last_driven(self, BOARD, EXTRA, &at), -EAGAIN);
    OK(dpl_pins_call_set_mode(self, CAR, CAR_EXTRA, DPL_PIN_OUTPUT));
    OK(dpl_pins_call_write_digital(self, CAR, CAR_EXTRA, false, 0));
    OK(dpl_pins_call_read_digital(self, BOARD, EXTRA, &level));
    cr_assert_not(level);
    OK(dpl_pins_call_last_driven(self, BOARD, EXTRA, &at));
    EQ(at, tick->now);
    checked = true;
}

static void pulse_extra(struct dpl_component *self, const struct dpl_tick *tick)
{
    OK(dpl_pins_call_set_mode(self, CAR, CAR_EXTRA, DPL_PIN_OUTPUT));
    for (int i = 0; i < 32; i++) {
        OK(dpl_pins_call_write_digital(self, CAR, CAR_EXTRA, i % 2 == 0, tick->now + 1000 + i));
    }
    EQ(dpl_pins_call_write_digital(self, CAR, CAR_EXTRA, true, tick->now + 2000), -EAGAIN);
}

static void late_edge(struct dpl_component *self, const struct dpl_tick *tick)
{
    OK(dpl_pins_call_set_mode(self, CAR, CAR_EXTRA, DPL_PIN_OUTPUT));
    OK(dpl_pins_call_write_digital(self, CAR, CAR_EXTRA, true, tick->now - 3 * DPL_MS));
}

static void very_late_edge(struct dpl_component *self, const struct dpl_tick *tick)
{
    OK(dpl_pins_call_set_mode(self, CAR, CAR_EXTRA, DPL_PIN_OUTPUT));
    OK(dpl_pins_call_write_digital(self, CAR, CAR_EXTRA, true, tick->now - 11 * DPL_MS));
}

static void run_steps(const struct bench_step *steps, size_t n, bench_action each_cycle)
{
    struct bench bench = make(0.2);
    bench.steps = steps;
    bench.n_steps = n;
    bench.each_cycle = each_cycle;
    seen.n = 0;
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
}

Test(signals, board_refuses_what_a_pins_mode_does_not_allow)
{
    struct bench_step step = {0.05, check_modes};
    run_steps(&step, 1, NULL);
    cr_assert(checked);
}

Test(signals, board_hands_over_more_edges_than_fit_into_one_call_later)
{
    struct bench_step step = {0.05, pulse_extra};
    run_steps(&step, 1, collect_extra);
    EQ(seen.n, 32);
    for (size_t i = 0; i < seen.n; i++) {
        EQ(seen.at[i], 50 * DPL_MS + 1000 + (dpl_ns)i);
        EQ(seen.level[i], i % 2 == 0);
    }
}

Test(signals, an_instant_that_nobody_looked_beyond_is_kept_although_it_has_passed)
{
    struct bench_step step = {0.05, late_edge}, last = {0.1, collect_extra};
    struct bench_step both[] = {step, last};
    run_steps(both, 2, NULL);
    EQ(seen.n, 1);
    EQ(seen.at[0], 47 * DPL_MS);
}

Test(signals, an_instant_that_the_other_side_has_looked_beyond_becomes_now)
{
    struct bench_step step = {0.05, very_late_edge};
    run_steps(&step, 1, collect_extra);
    EQ(seen.n, 1);
    EQ(seen.at[0], 50 * DPL_MS);
}

static void expect_refusal(const char *set, const char *text)
{
    struct bench bench = make(0.1);
    bench.sets[0] = set;
    cr_assert_lt(bench_create_error(&bench), 0);
    cr_assert(strstr(bench_error(), text) != NULL, "%s", bench_error());
}

Test(signals, board_says_what_is_wrong_with_its_wires)
{
    expect_refusal("CarPins.Pins=A B A", "'A' is there twice");
    expect_refusal("CarPins.Side=board", "has two devices on side 'board'");
    expect_refusal("CarPins.Pins=a_name_of_more_than_thirty_one_characters", "expected 1 to 31");
}

Test(signals, emulator_says_which_pin_it_does_not_find)
{
    struct bench bench = make(0.1);
    bench.sets[0] = "Motor.PinB=NOWHERE";
    cr_assert_neq(bench_run(&bench), DPL_EXIT_DONE);
    cr_assert(strstr(bench_error(), "no pin 'NOWHERE'") != NULL, "%s", bench_error());
}

static void write_beyond_all_time(struct dpl_component *self, const struct dpl_tick *tick)
{
    OK(dpl_pins_call_set_mode(self, BOARD, EXTRA, DPL_PIN_OUTPUT));
    EQ(dpl_pins_call_write_digital(self, BOARD, EXTRA, true, INT64_MAX), -EINVAL);
    EQ(dpl_pins_call_write_digital(self, BOARD, EXTRA, true, tick->now + 3601 * DPL_S), -EINVAL);
    OK(dpl_pins_call_write_digital(self, BOARD, EXTRA, true, 0));
}

static void expect_high(struct dpl_component *self, const struct dpl_tick *tick)
{
    bool level = false;
    OK(dpl_pins_call_read_digital(self, CAR, CAR_EXTRA, &level));
    cr_assert(level);
}

Test(signals, an_instant_that_never_comes_is_refused_and_does_not_hold_the_pin)
{
    struct bench_step steps[] = {{0.02, write_beyond_all_time}, {0.05, expect_high}};
    struct bench bench = make(0.1);
    bench.steps = steps;
    bench.n_steps = 2;
    run_for(&bench, "devices/CarPins/pin_conflicts");
}
