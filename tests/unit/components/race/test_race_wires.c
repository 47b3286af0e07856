/* SPDX-License-Identifier: Apache-2.0 */
/* The shipped bench of a race car at its pins: what a controller's duties become in the log, with
 * motors apart and in parallel, and the sensor that a car may carry beside the usual seven. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/pins_client.h>
#include <doppel/msg/pins.h>
#include <doppel/plugin.h>

#include "bench.h"
#include "ports.h"

/* The order of Pins in data/race_wires.xml. */
enum pin {
    SERVO = 7,
    MOTOR_A,
    MOTOR_B,
    MOTOR2_A,
    MOTOR2_B,
    IR7 = 13,
};

#define BOARD 0

static const struct dpl_port_desc ports[] = {
    [BOARD] = PORT_SERVICE("board", IN, &doppel__pins_service__descriptor),
};

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    bench_run_steps(self, tick);
    return 0;
}

static const struct dpl_component_ops ops = {.execute = execute};
static const struct dpl_component_class tester = {
    .name = "Tester", .ops = &ops, .ports = ports, .n_ports = DPL_COUNT(ports)};
static const struct bench_wire wires[] = {{BOARD, "ControllerPins", "PinsService"}};

/* What the controller does in each cycle. */
static struct {
    double servo, motor; /* duties; the motor's is negative to go back */
    double infrared;     /* what it read at IR7 */
} controller;

static int pulse(struct dpl_component *self, uint32_t pin, double duty)
{
    int err = dpl_pins_call_set_mode(self, BOARD, pin, DPL_PIN_PWM_OUT);
    return err < 0 ? err : dpl_pins_call_write_pwm(self, BOARD, pin, duty, 10000.0);
}

static void control(struct dpl_component *self, const struct dpl_tick *tick)
{
    (void)tick;
    uint32_t high = controller.motor >= 0.0 ? MOTOR_A : MOTOR_B;
    uint32_t pulsed = controller.motor >= 0.0 ? MOTOR_B : MOTOR_A;
    cr_assert_eq(pulse(self, SERVO, controller.servo), 0);
    cr_assert_eq(dpl_pins_call_set_mode(self, BOARD, high, DPL_PIN_OUTPUT), 0);
    cr_assert_eq(dpl_pins_call_write_digital(self, BOARD, high, true, 0), 0);
    cr_assert_eq(pulse(self, pulsed, fabs(controller.motor)), 0);
    cr_assert_eq(dpl_pins_call_set_mode(self, BOARD, IR7, DPL_PIN_ANALOG_IN), 0);
    cr_assert_eq(dpl_pins_call_read_analog(self, BOARD, IR7, &controller.infrared), 0);
}

struct row {
    int tick, x, y, velocity, heading;
    char rest[256];
};

/* The last row of the log of a second, with these settings. */
static struct row race(const char *const *sets, size_t n)
{
    struct bench bench = {.file = UNIT "/components/race/data/race_wires.xml",
                          .duration_s = 2.0,
                          .added = &tester,
                          .wires = wires,
                          .n_wires = DPL_COUNT(wires),
                          .each_cycle = control};
    memcpy(bench.sets, sets, n * sizeof *sets);
    const char *folder = bench_make_folder();
    bench.out_dir = folder;
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
    char path[256], line[512], last[512] = "";
    snprintf(path, sizeof path, "%s/log.csv", folder);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file)) {
        memcpy(last, line, sizeof last);
    }
    fclose(file);
    bench_remove_folder(folder);
    struct row row;
    cr_assert_eq(sscanf(last, "%d,%d,%d,%d,%d,%255s", &row.tick, &row.x, &row.y, &row.velocity,
                        &row.heading, row.rest),
                 6, "%s", last);
    return row;
}

#define PARALLEL "Bench.MotorRight.PinA=MOTOR_A", "Bench.MotorRight.PinB=MOTOR_B"

/* The published motor test: full speed forward, 70 % back. */
Test(race_wires, motors_in_parallel_give_the_speeds_of_the_published_motor_test)
{
    static const char *const models[] = {"Bench.Car.Model=paper", "Bench.Car.Model=differential",
                                         "Bench.Car.Model=ackermann"};
    for (size_t i = 0; i < DPL_COUNT(models); i++) {
        const char *sets[] = {PARALLEL, models[i], "Bench.Servo.Filter=false"};
        controller.servo = 0.02;
        controller.motor = 0.999;
        struct row row = race(sets, DPL_COUNT(sets));
        cr_assert_eq(row.velocity, 1112, "%s: %d", models[i], row.velocity);
        cr_assert_eq(row.heading, 0, "%s: %d", models[i], row.heading);
        controller.motor = -0.7;
        row = race(sets, DPL_COUNT(sets));
        cr_assert_eq(row.velocity, -779, "%s: %d", models[i], row.velocity);
        cr_assert_eq(row.heading, 0, "%s: %d", models[i], row.heading);
    }
}

/* The published servo test: each tick by the servo's angle. */
Test(race_wires, servo_turns_the_paper_car_by_its_bins)
{
    static const struct {
        double duty;
        int turn_deg;
    } bins[] = {{0.0, -30}, {0.02, 0}, {0.04, 30}, {0.1, 30}};
    for (size_t i = 0; i < DPL_COUNT(bins); i++) {
        const char *sets[] = {PARALLEL, "Bench.Car.Model=paper", "Bench.Servo.Mode=bins",
                              "Bench.Servo.Filter=false", "Bench.Referee.MaxTicks=20"};
        controller.servo = bins[i].duty;
        controller.motor = 0.7;
        struct row row = race(sets, DPL_COUNT(sets));
        const char *more[] = {PARALLEL, "Bench.Car.Model=paper", "Bench.Servo.Mode=bins",
                              "Bench.Servo.Filter=false", "Bench.Referee.MaxTicks=21"};
        struct row next = race(more, DPL_COUNT(more));
        cr_assert_eq((next.heading - row.heading + 720) % 360, (bins[i].turn_deg + 360) % 360,
                     "duty %g: from %d to %d", bins[i].duty, row.heading, next.heading);
    }
}

/* Without the wires in common the right motor's pins are silent, and the car turns in place. */
Test(race_wires, motors_apart_are_two)
{
    const char *sets[] = {"Bench.Car.Model=differential"};
    controller.motor = 0.7;
    struct row row = race(sets, 1);
    cr_assert_eq(row.velocity, 389, "%d", row.velocity);
    cr_assert_neq(row.heading, 0);
}

Test(race_wires, fifth_infrared_sensor_is_fitted_by_its_pin)
{
    const char *sets[] = {"Bench.Car.SensorOffsets=30 0 330 45 135 225 315 180",
                          "Bench.Infrared7.Pin=IR7", "Bench.Car.Start=300 500 0",
                          "Bench.Car.RearOverhang=0.1", PARALLEL};
    controller.motor = 0.0;
    struct row row = race(sets, DPL_COUNT(sets));
    cr_assert_str_eq(strrchr(row.rest, ','), ",300"); /* behind: the wall at x = 0 */
    cr_assert_float_eq(controller.infrared, 0.238 * 1.118, 1e-3, "%g", controller.infrared);
    race(sets, 1);
    cr_assert_eq(controller.infrared, 0.0); /* not fitted: nobody drives the wire */
}
