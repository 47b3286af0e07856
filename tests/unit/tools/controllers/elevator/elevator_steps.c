/* SPDX-License-Identifier: Apache-2.0 */
#include "elevator_steps.h"

#include <math.h>
#include <stdio.h>

#include "elevator_rig.h"

/* Ends a step that has not passed. */
#define EXPECT(rig_, condition_)                                                                   \
    do {                                                                                           \
        if (!(condition_)) {                                                                       \
            describe(said, (rig_), #condition_);                                                   \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

struct step_case {
    enum elevator_mistake mistake;
    unsigned seed;
};

static void describe(char *said, const struct elevator_rig *rig, const char *condition)
{
    snprintf(said, 160, "not (%s) at %.3f s, %s, fault %s, %.4f m, door %.3f m, a %.3f", condition,
             rig_seconds(rig), elevator_state_name(rig->outputs.state),
             elevator_fault_name(rig->outputs.fault), rig->plant.car, rig->plant.door,
             rig->plant.max_filtered_a);
}

static bool within(double value, double least, double most)
{
    return value >= least && value <= most;
}

static void prepare(struct elevator_rig *rig, const struct step_case *by, unsigned floor,
                    double load_kg)
{
    rig_init(rig, by->mistake, by->seed, floor, load_kg);
    rig_run(rig, 1.0);
    rig->plant.max_speed = rig->plant.max_filtered_a = 0.0;
}

/* Calls a floor, and runs until its doors are open. */
static bool go_and_open(struct elevator_rig *rig, unsigned floor)
{
    rig->plant.calls.car |= floor_bit(floor);
    return rig_until(rig, ELEVATOR_OPEN, 60.0);
}

static bool step_1(const struct step_case *by, char *said)
{
    struct elevator_rig rig;
    rig_init(&rig, by->mistake, by->seed, 0, 0.0);
    EXPECT(&rig, rig_until(&rig, ELEVATOR_IDLE, 1.0));
    EXPECT(&rig, !rig.plant.brake_is_open && !rig.outputs.brake_release);
    return true;
}

static bool travel(const struct step_case *by, char *said, unsigned from, unsigned to,
                   double load_kg, double ideal_s)
{
    struct elevator_rig rig;
    prepare(&rig, by, from, load_kg);
    double begin_s = rig_seconds(&rig);
    rig.plant.calls.car = floor_bit(to);
    EXPECT(&rig, rig_until(&rig, ELEVATOR_OPENING, 40.0));
    EXPECT(&rig, within(rig_seconds(&rig) - begin_s - ideal_s, 0.0, 0.8));
    EXPECT(&rig, rig.plant.max_speed <= 1.65);
    EXPECT(&rig, rig.plant.max_filtered_a <= 1.25);
    EXPECT(&rig, rig_until(&rig, ELEVATOR_OPEN, 3.0));
    EXPECT(&rig, fabs(rig_offset(&rig, to)) <= 5e-3);
    EXPECT(&rig, rig.plant.calls.car == 0);
    return true;
}

static bool step_2(const struct step_case *by, char *said)
{
    return travel(by, said, 0, 1, 0.0, 4.507);
}

static bool step_3(const struct step_case *by, char *said)
{
    struct elevator_rig rig;
    prepare(&rig, by, 0, 0.0);
    EXPECT(&rig, go_and_open(&rig, 1));
    EXPECT(&rig, rig_until(&rig, ELEVATOR_CLOSING, 10.0));
    EXPECT(&rig, rig_until(&rig, ELEVATOR_IDLE, 10.0));
    const double *at = rig.state_s;
    EXPECT(&rig, within(at[ELEVATOR_OPEN] - at[ELEVATOR_OPENING], 1.25, 1.55));
    EXPECT(&rig, within(at[ELEVATOR_CLOSING] - at[ELEVATOR_OPEN], 2.95, 3.05));
    EXPECT(&rig, within(at[ELEVATOR_IDLE] - at[ELEVATOR_CLOSING], 1.75, 2.25));
    return true;
}

static bool step_4(const struct step_case *by, char *said)
{
    return travel(by, said, 1, 11, 0.0, 22.433);
}

static bool step_5(const struct step_case *by, char *said)
{
    struct elevator_rig rig;
    prepare(&rig, by, 10, 0.0);
    EXPECT(&rig, go_and_open(&rig, 11));
    rig_run(&rig, 0.5);
    double before = rig.plant.car;
    rig.load_goal_kg = 630.0;
    rig_run(&rig, 2.4);
    EXPECT(&rig, rig.outputs.state == ELEVATOR_OPEN);
    EXPECT(&rig, within(before - rig.plant.car, 1.25e-3, 2.45e-3));
    return true;
}

static bool step_6(const struct step_case *by, char *said)
{
    return travel(by, said, 11, 0, 630.0, 24.433);
}

static bool step_7(const struct step_case *by, char *said)
{
    struct elevator_rig rig;
    prepare(&rig, by, 1, 630.0);
    EXPECT(&rig, go_and_open(&rig, 0));
    rig.load_goal_kg = 0.0;
    rig_run(&rig, 2.0);
    rig_run(&rig, 2.5);
    EXPECT(&rig, fabs(rig_offset(&rig, 0)) <= 10e-3);
    EXPECT(&rig, rig.state_s[ELEVATOR_RELEVEL] >= 0.0);
    EXPECT(&rig, rig_until(&rig, ELEVATOR_OPEN, 3.0));
    return true;
}

static bool step_8(const struct step_case *by, char *said)
{
    struct elevator_rig rig;
    prepare(&rig, by, 0, 0.0);
    EXPECT(&rig, go_and_open(&rig, 0));
    rig.load_goal_kg = 700.0;
    rig_run(&rig, 2.3);
    rig.plant.calls.car = floor_bit(5);
    for (int i = 0; i < 80; i++) {
        rig_run(&rig, 0.1);
        EXPECT(&rig, rig.outputs.state != ELEVATOR_TRAVEL && rig.outputs.state != ELEVATOR_START);
    }
    EXPECT(&rig, rig.outputs.state == ELEVATOR_OVERLOAD && rig.plant.door > 0.445);
    rig.load_goal_kg = 600.0;
    EXPECT(&rig, rig_until(&rig, ELEVATOR_TRAVEL, 10.0));
    return true;
}

static bool step_9(const struct step_case *by, char *said)
{
    struct elevator_rig rig;
    prepare(&rig, by, 0, 0.0);
    EXPECT(&rig, go_and_open(&rig, 0));
    EXPECT(&rig, rig_until(&rig, ELEVATOR_CLOSING, 5.0));
    while (rig.plant.door > 0.150) {
        rig_step(&rig);
    }
    double begin_s = rig_seconds(&rig), least = 1.0;
    rig.plant.curtain_is_broken = true;
    EXPECT(&rig, rig_until(&rig, ELEVATOR_OPENING, 0.1) && rig_seconds(&rig) - begin_s <= 0.1);
    while (rig.outputs.state == ELEVATOR_OPENING) {
        least = fmin(least, rig.plant.door);
        rig_step(&rig);
    }
    EXPECT(&rig, least >= 0.050);
    return true;
}

static bool step_10(const struct step_case *by, char *said)
{
    struct elevator_rig rig;
    prepare(&rig, by, 0, 0.0);
    EXPECT(&rig, go_and_open(&rig, 0));
    rig.plant.has_obstacle = true;
    for (int i = 0; i < 2; i++) {
        EXPECT(&rig, rig_until(&rig, ELEVATOR_CLOSING, 5.0));
        EXPECT(&rig, rig_until(&rig, ELEVATOR_OPENING, 3.0));
        EXPECT(&rig, rig_until(&rig, ELEVATOR_OPEN, 3.0));
    }
    EXPECT(&rig, rig_until(&rig, ELEVATOR_FAULT, 10.0));
    EXPECT(&rig, rig.outputs.fault == ELEVATOR_FAULT_DOOR_BLOCKED);
    EXPECT(&rig, within(rig.plant.max_obstacle_force_n, 100.0, 150.0));
    return true;
}

/* The floors at which doors open, in their order. */
static bool step_11(const struct step_case *by, char *said)
{
    struct elevator_rig rig;
    unsigned order[4] = {0}, n = 0;
    enum elevator_state before = ELEVATOR_IDLE;
    prepare(&rig, by, 0, 0.0);
    rig.plant.calls =
        (struct elevator_calls){.car = floor_bit(3) | floor_bit(8), .down = floor_bit(5)};
    while (n < 3 && rig_seconds(&rig) < 121.0) {
        rig_step(&rig);
        if (rig.outputs.state == ELEVATOR_OPEN && before != ELEVATOR_OPEN) {
            order[n++] = rig.unit.floor;
        }
        before = rig.outputs.state;
    }
    EXPECT(&rig, n == 3 && order[0] == 3 && order[1] == 8 && order[2] == 5);
    rig_run(&rig, 0.5);
    EXPECT(&rig, !rig.plant.calls.car && !rig.plant.calls.up && !rig.plant.calls.down);
    return true;
}

/* Upwards at full speed, from a rest at the bottom. */
static bool speed_up(struct elevator_rig *rig, const struct step_case *by, double load_kg)
{
    prepare(rig, by, 0, load_kg);
    rig->plant.calls.car = floor_bit(10);
    while (rig->plant.car_v < 1.599 && rig_seconds(rig) < 10.0) {
        rig_step(rig);
    }
    return rig_seconds(rig) < 10.0;
}

static bool is_at_rest(const struct elevator_rig *rig)
{
    return fabs(rig->plant.car_v) < 0.02 && rig->plant.s_v == 0.0;
}

/* How far an empty car goes on upwards without drive, its brake falling late: in closed form. */
static double stopping_m(double speed_m_s, double brake_falls_s)
{
    double mass_kg = 800.0 + 1115.0 + 20.0 / (0.3 * 0.3), pull_n = 315.0 * 9.80665 - 30.0;
    double faster = speed_m_s + pull_n / mass_kg * brake_falls_s;
    return 0.5 * (speed_m_s + faster) * brake_falls_s +
           0.5 * faster * faster * mass_kg / (1650.0 / 0.3 - pull_n);
}

static bool step_12(const struct step_case *by, char *said)
{
    struct elevator_rig rig;
    EXPECT(&rig, speed_up(&rig, by, 0.0));
    double begin_s = rig_seconds(&rig), from = rig.plant.car;
    double expected_m = stopping_m(rig.plant.car_v, rig.plant.brake_falls_s);
    rig.plant.contact_is_lost = true;
    EXPECT(&rig, rig_until(&rig, ELEVATOR_FAULT, 0.1) && rig_seconds(&rig) - begin_s <= 0.1);
    EXPECT(&rig, rig.outputs.fault == ELEVATOR_FAULT_DOOR_CONTACT && !rig.outputs.contactor);
    rig_run(&rig, 4.0);
    EXPECT(&rig, is_at_rest(&rig) && rig.plant.car - from <= 2.2);
    EXPECT(&rig, within(rig.plant.car - from - expected_m, -0.02, 0.04)); /* a scan is 0.016 m */
    return true;
}

static bool step_13(const struct step_case *by, char *said)
{
    struct elevator_rig rig;
    EXPECT(&rig, speed_up(&rig, by, 0.0));
    rig.plant.zone_is_lost = true;
    EXPECT(&rig, rig_until(&rig, ELEVATOR_FAULT, 40.0));
    EXPECT(&rig, rig.outputs.fault == ELEVATOR_FAULT_NO_ZONE);
    rig_run(&rig, 3.0);
    EXPECT(&rig, rig.plant.door == 0.0 && is_at_rest(&rig));
    return true;
}

static bool step_14(const struct step_case *by, char *said)
{
    struct elevator_rig rig;
    EXPECT(&rig, speed_up(&rig, by, 630.0));
    rig.plant.runs_away = true;
    EXPECT(&rig, rig_until(&rig, ELEVATOR_FAULT, 4.0));
    EXPECT(&rig, rig.outputs.fault == ELEVATOR_FAULT_SAFETY && !rig.outputs.contactor);
    rig_run(&rig, 4.0);
    EXPECT(&rig, is_at_rest(&rig) && within(rig.plant.max_speed, 1.84, 2.156));
    return true;
}

static bool step_15(const struct step_case *by, char *said)
{
    struct elevator_rig rig;
    prepare(&rig, by, 0, 0.0);
    rig.plant.brake_feedback_is_lost = true;
    rig.plant.calls.car = floor_bit(4);
    double from = rig.plant.car;
    EXPECT(&rig, rig_until(&rig, ELEVATOR_FAULT, 1.7));
    EXPECT(&rig, rig.outputs.fault == ELEVATOR_FAULT_BRAKE);
    rig_run(&rig, 1.0);
    EXPECT(&rig, fabs(rig.plant.car - from) < 1e-4);
    return true;
}

typedef bool step_fn(const struct step_case *by, char *said);

bool elevator_step_passes(int step, enum elevator_mistake mistake, unsigned seed, char said[160])
{
    static step_fn *const steps[ELEVATOR_N_STEPS] = {
        step_1, step_2,  step_3,  step_4,  step_5,  step_6,  step_7,  step_8,
        step_9, step_10, step_11, step_12, step_13, step_14, step_15,
    };
    const struct step_case by = {mistake, seed};
    return steps[step - 1](&by, said);
}
