/* SPDX-License-Identifier: Apache-2.0 */
/* Transitions of the unit that its plan does not reach. */
#include <math.h>

#include <criterion/criterion.h>

#include "elevator_rig.h"
#include "elevator_scans.h"

static void idle_at(struct elevator_rig *rig, unsigned floor)
{
    rig_init(rig, ELEVATOR_NO_MISTAKE, 1, floor, 0.0);
    cr_assert(rig_until(rig, ELEVATOR_IDLE, 1.0));
}

static void travel_to(struct elevator_rig *rig, unsigned floor, double seconds)
{
    rig->plant.calls.car |= floor_bit(floor);
    cr_assert(rig_until(rig, ELEVATOR_TRAVEL, 2.0));
    rig_run(rig, seconds);
    cr_assert_eq(rig->outputs.state, ELEVATOR_TRAVEL);
}

static bool is_safe(const struct elevator_outputs *out)
{
    return !out->contactor && !out->brake_release && !out->door_open && !out->door_close &&
           out->speed_m_s == 0.0 && out->preload_nm == 0.0;
}

Test(elevator_states, an_open_safety_chain_is_a_fault_in_the_same_scan_from_every_state)
{
    for (int state = 0; state < ELEVATOR_FAULT; state++) {
        struct elevator_inputs in = at_rest(1000, 0.0);
        struct elevator_outputs out;
        struct elevator_unit unit = idle_unit(&in, &out);
        unit.state = (enum elevator_state)state;
        in.safety_ok = false;
        in.time_ms += ELEVATOR_SCAN_MS;
        elevator_unit_scan(&unit, &in, &out);
        cr_assert(out.state == ELEVATOR_FAULT && out.fault == ELEVATOR_FAULT_SAFETY, "from %d",
                  state);
        cr_assert(is_safe(&out));
    }
}

Test(elevator_states, a_reset_leaves_a_fault_when_the_chain_is_closed)
{
    struct elevator_rig rig;
    idle_at(&rig, 0);
    travel_to(&rig, 3, 2.0);
    rig.plant.is_tripped = true;
    rig_run(&rig, 3.0);
    cr_assert(rig.outputs.state == ELEVATOR_FAULT && is_safe(&rig.outputs));
    struct elevator_inputs in = at_rest(rig.plant.time_ms, rig.plant.car);
    in.safety_ok = false;
    in.zone = false;
    in.reset_pressed = true;
    struct elevator_outputs out;
    elevator_unit_scan(&rig.unit, &in, &out);
    cr_assert(out.state == ELEVATOR_FAULT && out.reset, "the trip is to be cleared first");
    in.time_ms += ELEVATOR_SCAN_MS;
    in.safety_ok = true;
    elevator_unit_scan(&rig.unit, &in, &out);
    cr_assert(out.state == ELEVATOR_INIT && out.fault == ELEVATOR_NO_FAULT && !out.reset);
    /* between floors, it goes on to the call that is still there */
    rig.plant.is_tripped = false;
    cr_assert(rig_until(&rig, ELEVATOR_OPEN, 10.0));
    cr_assert_eq(rig.unit.floor, 3);
}

Test(elevator_states, a_reset_that_does_not_help_ends)
{
    struct elevator_inputs in = at_rest(0, 0.0);
    struct elevator_outputs out;
    struct elevator_unit unit = idle_unit(&in, &out);
    in.safety_ok = false;
    stays(&unit, &in, 0.01, &out);
    in.reset_pressed = true; /* held since before the fault, and read in it for the first time */
    stays(&unit, &in, 0.5, &out);
    cr_assert(out.state == ELEVATOR_FAULT && !out.reset);
    in.reset_pressed = false;
    stays(&unit, &in, 0.02, &out);
    in.reset_pressed = true;
    stays(&unit, &in, 0.02, &out);
    cr_assert(out.reset);
    stays(&unit, &in, 1.0, &out);
    cr_assert(out.state == ELEVATOR_FAULT && !out.reset && out.fault == ELEVATOR_FAULT_SAFETY);
    in.asks_reset = true;
    stays(&unit, &in, 0.01, &out);
    cr_assert(out.reset, "asked for while the key is held");
}

Test(elevator_states, time_wraps_and_a_time_before_is_another_world)
{
    struct elevator_inputs in = at_rest(UINT32_MAX - 95, 0.0);
    struct elevator_outputs out;
    struct elevator_unit unit = idle_unit(&in, &out); /* 0.5 s over the wrap */
    cr_assert_lt(in.time_ms, 1000);
    in.time_ms += 100000;
    elevator_unit_scan(&unit, &in, &out);
    cr_assert_eq(out.state, ELEVATOR_IDLE, "a late scan is no other world");
    in.time_ms -= 50000;
    elevator_unit_scan(&unit, &in, &out);
    cr_assert_eq(out.state, ELEVATOR_INIT);
    double init_s = stays(&unit, &in, 2.0, &out);
    cr_assert_float_eq(init_s, 0.5, 1e-9);
}

Test(elevator_states, a_call_on_the_way_is_taken_while_the_car_can_stop_for_it)
{
    struct elevator_rig rig;
    idle_at(&rig, 0);
    travel_to(&rig, 8, 4.0); /* 4.4 m, full speed; braking for floor 3 begins at 7.7 m */
    rig.plant.calls.up |= floor_bit(3) | floor_bit(1);
    rig.plant.calls.down |= floor_bit(4);
    rig_run(&rig, 0.1);
    cr_assert_eq(rig.outputs.target, 3);
    static const unsigned order[] = {3, 8, 4, 1};
    for (int i = 0; i < 4; i++) {
        cr_assert(rig_until(&rig, ELEVATOR_OPEN, 40.0));
        cr_assert_eq(rig.unit.floor, order[i], "stop %d at floor %u", i, rig.unit.floor);
        cr_assert_leq(fabs(rig_offset(&rig, order[i])), 5e-3);
        cr_assert(rig_until(&rig, ELEVATOR_CLOSING, 10.0));
    }
    cr_assert_leq(rig.plant.max_filtered_a, 1.25, "no jerk where the target changes: %g",
                  rig.plant.max_filtered_a);
}

Test(elevator_states, a_call_farther_on_is_taken_before_a_turn)
{
    struct elevator_rig rig;
    idle_at(&rig, 0);
    rig.plant.calls.down = floor_bit(5);
    cr_assert(rig_until(&rig, ELEVATOR_TRAVEL, 2.0));
    rig_run(&rig, 2.0);
    rig.plant.calls.car = floor_bit(7);
    cr_assert(rig_until(&rig, ELEVATOR_OPEN, 40.0));
    cr_assert_eq(rig.unit.floor, 7);
    cr_assert(rig_until(&rig, ELEVATOR_CLOSING, 10.0));
    cr_assert(rig_until(&rig, ELEVATOR_OPEN, 40.0));
    cr_assert_eq(rig.unit.floor, 5);
}

Test(elevator_states, calls_keep_their_lamps_until_they_are_served)
{
    struct elevator_rig rig;
    idle_at(&rig, 2);
    rig.plant.calls = (struct elevator_calls){.car = floor_bit(4), .down = floor_bit(3)};
    rig_run(&rig, 0.05);
    cr_assert_eq(rig.outputs.lamps.car, floor_bit(4));
    cr_assert_eq(rig.outputs.lamps.down, floor_bit(3));
    cr_assert(rig_until(&rig, ELEVATOR_OPENING, 30.0));
    rig_run(&rig, 0.05);
    cr_assert_eq(rig.plant.calls.car, 0);
    cr_assert_eq(rig.outputs.lamps.down, floor_bit(3), "who wants down has to wait");
    cr_assert(rig_until(&rig, ELEVATOR_CLOSING, 30.0));
    cr_assert(rig_until(&rig, ELEVATOR_OPENING, 30.0));
    rig_run(&rig, 0.05);
    cr_assert(rig.unit.floor == 3 && !rig.plant.calls.down && !rig.outputs.lamps.down);
    /* pressed while the doors are open: for this way cleared at once, for the other it has to wait
     */
    rig.plant.calls.down = rig.plant.calls.up = floor_bit(3);
    rig_run(&rig, 0.05);
    cr_assert(rig.plant.calls.down == 0 && rig.plant.calls.up == floor_bit(3));
}

Test(elevator_states, an_overload_with_closed_doors_opens_them)
{
    struct elevator_rig rig;
    idle_at(&rig, 0);
    rig.plant.load_kg = rig.load_goal_kg = 700.0;
    rig.plant.calls.car = floor_bit(5);
    cr_assert(rig_until(&rig, ELEVATOR_OVERLOAD, 3.0));
    cr_assert_eq(rig.state_s[ELEVATOR_START], -1.0);
    rig.load_goal_kg = 690.0; /* 109.5 % */
    cr_assert(rig_until(&rig, ELEVATOR_OPEN, 1.0));
}

Test(elevator_states, a_car_that_does_not_come_is_a_fault_4_s_after_its_plan)
{
    struct elevator_inputs in = at_rest(0, 0.0);
    struct elevator_outputs out;
    struct elevator_unit unit = idle_unit(&in, &out);
    in.calls.car = 2;
    stays(&unit, &in, 0.02, &out);
    cr_assert(out.state == ELEVATOR_START && out.contactor && out.brake_release);
    cr_assert_float_eq(out.preload_nm, (800.0 - 1115.0) * 9.80665 * 0.3, 1e-9);
    in.brake_open = true;
    stays(&unit, &in, 0.02, &out);
    cr_assert_eq(out.state, ELEVATOR_TRAVEL);
    double seconds = stays(&unit, &in, 20.0, &out);
    cr_assert(out.state == ELEVATOR_FAULT && out.fault == ELEVATOR_FAULT_TIMEOUT);
    cr_assert_float_eq(seconds, 4.507 + 4.0, 0.03, "%g s", seconds);
}

Test(elevator_states, a_brake_that_falls_during_travel_is_a_fault)
{
    struct elevator_rig rig;
    idle_at(&rig, 0);
    travel_to(&rig, 3, 2.0);
    rig.plant.brake_feedback_is_lost = true;
    cr_assert(rig_until(&rig, ELEVATOR_FAULT, 0.05));
    cr_assert_eq(rig.outputs.fault, ELEVATOR_FAULT_BRAKE);
}

Test(elevator_states, doors_that_do_not_move_are_a_fault_after_6_s)
{
    struct elevator_inputs in = at_rest(0, 0.0);
    struct elevator_outputs out;
    struct elevator_unit unit = idle_unit(&in, &out);
    in.calls.car = 1;
    stays(&unit, &in, 0.01, &out);
    cr_assert(out.state == ELEVATOR_OPENING && out.door_open && !out.door_close);
    double opening_s = stays(&unit, &in, 9.0, &out);
    cr_assert_float_eq(opening_s, 6.0, 0.011);
    cr_assert(out.fault == ELEVATOR_FAULT_DOOR_TIMEOUT && is_safe(&out));
    in = at_rest(0, 0.0);
    unit = idle_unit(&in, &out);
    in.calls.car = 2;
    in.landing_locks = false;
    stays(&unit, &in, 0.01, &out);
    cr_assert(out.state == ELEVATOR_CLOSING && !out.contactor && out.door_close);
    double closing_s = stays(&unit, &in, 9.0, &out);
    cr_assert_float_eq(closing_s, 6.0, 0.011);
    cr_assert_eq(out.fault, ELEVATOR_FAULT_DOOR_TIMEOUT);
}

Test(elevator_states, a_car_that_does_not_get_level_is_a_fault_after_6_s)
{
    struct elevator_inputs in = at_rest(0, 0.02);
    struct elevator_outputs out;
    struct elevator_unit unit = idle_unit(&in, &out);
    in.calls.car = 1;
    in.door_open = true;
    in.door_closed = false;
    stays(&unit, &in, 0.01, &out);
    stays(&unit, &in, 0.01, &out);
    cr_assert(out.state == ELEVATOR_OPEN);
    stays(&unit, &in, 0.01, &out);
    cr_assert(out.state == ELEVATOR_RELEVEL && out.door_open && out.speed_m_s == 0.0);
    in.brake_open = true;
    in.time_ms += ELEVATOR_SCAN_MS;
    for (int i = 0; i < 590 && out.state == ELEVATOR_RELEVEL; i++) {
        in.time_ms += ELEVATOR_SCAN_MS;
        elevator_unit_scan(&unit, &in, &out);
        cr_assert(out.speed_m_s <= 0.0 && out.speed_m_s >= -0.030);
    }
    cr_assert_eq(out.speed_m_s, -0.030);
    stays(&unit, &in, 1.0, &out);
    cr_assert(out.state == ELEVATOR_FAULT && out.fault == ELEVATOR_FAULT_RELEVEL && is_safe(&out));
}

Test(elevator_states, leaving_the_zone_with_open_doors_is_a_fault)
{
    struct elevator_inputs in = at_rest(0, 0.02);
    struct elevator_outputs out;
    struct elevator_unit unit = idle_unit(&in, &out);
    unit.state = ELEVATOR_RELEVEL;
    in.zone = false;
    stays(&unit, &in, 0.01, &out);
    cr_assert(out.state == ELEVATOR_FAULT && out.fault == ELEVATOR_FAULT_NO_ZONE);
}

Test(elevator_states, calls_of_floors_that_there_are_not_are_no_calls)
{
    struct elevator_inputs in = at_rest(0, 0.0);
    struct elevator_outputs out;
    struct elevator_unit unit = idle_unit(&in, &out);
    in.calls = (struct elevator_calls){.car = floor_bit(12), .up = floor_bit(31)};
    stays(&unit, &in, 0.1, &out);
    cr_assert(out.state == ELEVATOR_IDLE && out.target == 0 && !out.lamps.car && !out.lamps.up);
}

Test(elevator_states, a_fault_stays_until_it_is_reset)
{
    struct elevator_inputs in = at_rest(0, 0.0);
    struct elevator_outputs out;
    struct elevator_unit unit = idle_unit(&in, &out);
    in.calls.car = 2;
    stays(&unit, &in, 0.01, &out);
    stays(&unit, &in, 2.0, &out);
    cr_assert_eq(out.fault, ELEVATOR_FAULT_BRAKE);
    stays(&unit, &in, 100.0, &out);
    cr_assert(out.fault == ELEVATOR_FAULT_BRAKE && is_safe(&out));
    cr_assert_eq(out.lamps.car, 2, "the call is not lost");
    in.reset_pressed = true;
    stays(&unit, &in, 0.01, &out);
    cr_assert(out.state == ELEVATOR_INIT && out.fault == ELEVATOR_NO_FAULT);
}

Test(elevator_states, between_floors_a_call_of_the_nearest_one_is_a_travel)
{
    struct elevator_inputs in = at_rest(0, 3.2 + 0.11);
    struct elevator_outputs out;
    in.zone = false;
    struct elevator_unit unit = idle_unit(&in, &out);
    in.calls.car = 2;
    stays(&unit, &in, 0.01, &out);
    cr_assert(out.state == ELEVATOR_START && out.target == 1);
    in.brake_open = true;
    stays(&unit, &in, 0.01, &out);
    stays(&unit, &in, 0.5, &out);
    cr_assert(out.state == ELEVATOR_TRAVEL && out.speed_m_s < 0.0);
}
