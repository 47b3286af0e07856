/* SPDX-License-Identifier: Apache-2.0 */
/* The limits at which states change, from both sides. */
#include "elevator_scans.h"

static const double metres_of_floor_1 = 3.2;

/* At the end of a travel to floor 1. */
static struct elevator_unit arriving(struct elevator_inputs *in, struct elevator_outputs *out)
{
    *in = at_rest(0, 0.0);
    struct elevator_unit unit = idle_unit(in, out);
    in->calls.car = 2;
    stays(&unit, in, 0.01, out);
    in->brake_open = true;
    stays(&unit, in, 0.01, out);
    in->position_m = metres_of_floor_1 - 0.05;
    stays(&unit, in, 4.6, out);
    cr_assert_eq(out->state, ELEVATOR_TRAVEL);
    return unit;
}

/* With open doors at floor 0. */
static struct elevator_unit standing_open(struct elevator_inputs *in, struct elevator_outputs *out)
{
    *in = at_rest(0, 0.0);
    struct elevator_unit unit = idle_unit(in, out);
    in->calls.car = 1;
    stays(&unit, in, 0.01, out);
    in->calls.car = 0;
    in->door_closed = false;
    in->door_open = true;
    in->door_m = 0.45;
    stays(&unit, in, 0.01, out);
    cr_assert_eq(out->state, ELEVATOR_OPEN);
    return unit;
}

static void close_doors(struct elevator_unit *unit, struct elevator_inputs *in,
                        struct elevator_outputs *out)
{
    stays(unit, in, 4.0, out);
    cr_assert_eq(out->state, ELEVATOR_CLOSING);
    in->door_open = false;
    in->door_m = 0.2;
}

static void open_doors(struct elevator_unit *unit, struct elevator_inputs *in,
                       struct elevator_outputs *out)
{
    cr_assert_eq(out->state, ELEVATOR_OPENING);
    in->door_open = true;
    in->door_force_n = 0.0;
    in->curtain_clear = true;
    stays(unit, in, 0.01, out);
    cr_assert_eq(out->state, ELEVATOR_OPEN);
}

Test(elevator_limits, a_travel_ends_within_4_mm_and_15_mm_s)
{
    static const struct {
        double off_m, speed_m_s;
        bool ends;
    } rows[] = {
        {0.0039, 0.0149, true}, {-0.0039, -0.0149, true}, {0.0041, 0.0, false},
        {-0.0041, 0.0, false},  {0.0, 0.016, false},      {0.0, -0.016, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct elevator_inputs in;
        struct elevator_outputs out;
        struct elevator_unit unit = arriving(&in, &out);
        in.position_m = metres_of_floor_1 + rows[i].off_m;
        in.speed_m_s = rows[i].speed_m_s;
        stays(&unit, &in, 0.01, &out);
        cr_expect_eq(out.state, rows[i].ends ? ELEVATOR_OPENING : ELEVATOR_TRAVEL, "row %zu", i);
        cr_expect_eq(out.brake_release, !rows[i].ends);
        cr_expect(out.contactor, "it holds until the brake has fallen");
    }
}

Test(elevator_limits, a_travel_does_not_end_before_its_plan)
{
    struct elevator_inputs in = at_rest(0, 0.0);
    struct elevator_outputs out;
    struct elevator_unit unit = idle_unit(&in, &out);
    in.calls.car = 2;
    stays(&unit, &in, 0.01, &out);
    in.brake_open = true;
    stays(&unit, &in, 0.01, &out);
    in.position_m = metres_of_floor_1;
    double seconds = stays(&unit, &in, 9.0, &out);
    cr_assert_eq(out.state, ELEVATOR_OPENING);
    cr_assert_float_eq(seconds, 4.51, 1e-9, "%g s", seconds);
}

Test(elevator_limits, the_contactor_waits_half_a_second_for_a_brake_that_hangs)
{
    struct elevator_inputs in;
    struct elevator_outputs out;
    struct elevator_unit unit = arriving(&in, &out);
    in.position_m = metres_of_floor_1;
    stays(&unit, &in, 0.01, &out);
    int n = 0;
    while (out.contactor && n < 200) {
        in.time_ms += ELEVATOR_SCAN_MS;
        elevator_unit_scan(&unit, &in, &out);
        n++;
    }
    cr_assert(n >= 50 && n <= 52, "%d scans", n);
}

Test(elevator_limits, levelling_begins_at_10_mm_and_ends_at_2_mm)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        struct elevator_inputs in;
        struct elevator_outputs out;
        struct elevator_unit unit = standing_open(&in, &out);
        in.position_m = sign * 0.0099;
        stays(&unit, &in, 0.1, &out);
        cr_assert_eq(out.state, ELEVATOR_OPEN);
        in.position_m = sign * 0.0101;
        stays(&unit, &in, 0.01, &out);
        cr_assert(out.state == ELEVATOR_RELEVEL && out.brake_release);
        in.brake_open = true;
        in.position_m = sign * 0.0022;
        stays(&unit, &in, 1.0, &out);
        cr_assert_eq(out.state, ELEVATOR_RELEVEL);
        cr_assert(sign * out.speed_m_s < 0.0, "%g m/s", out.speed_m_s);
        in.position_m = sign * 0.0019;
        stays(&unit, &in, 0.01, &out);
        cr_assert(out.state == ELEVATOR_OPEN && !out.brake_release);
    }
}

Test(elevator_limits, no_brake_while_levelling_is_a_fault_after_1_s)
{
    struct elevator_inputs in;
    struct elevator_outputs out;
    struct elevator_unit unit = standing_open(&in, &out);
    in.position_m = 0.02;
    stays(&unit, &in, 0.01, &out);
    double seconds = stays(&unit, &in, 3.0, &out);
    cr_assert(out.fault == ELEVATOR_FAULT_BRAKE);
    cr_assert_float_eq(seconds, 1.01, 1e-9, "%g s", seconds);
}

Test(elevator_limits, overload_is_more_than_110_percent)
{
    struct elevator_inputs in;
    struct elevator_outputs out;
    struct elevator_unit unit = standing_open(&in, &out);
    in.load_kg = 693.0;
    stays(&unit, &in, 0.1, &out);
    cr_assert_eq(out.state, ELEVATOR_OPEN);
    in.load_kg = 694.0;
    stays(&unit, &in, 0.01, &out);
    cr_assert(out.state == ELEVATOR_OVERLOAD && out.door_open);
}

Test(elevator_limits, a_broken_curtain_keeps_the_doors_open)
{
    struct elevator_inputs in;
    struct elevator_outputs out;
    struct elevator_unit unit = standing_open(&in, &out);
    in.curtain_clear = false;
    stays(&unit, &in, 20.0, &out);
    cr_assert_eq(out.state, ELEVATOR_OPEN);
    in.curtain_clear = true;
    stays(&unit, &in, 0.01, &out);
    cr_assert_eq(out.state, ELEVATOR_CLOSING);
}

Test(elevator_limits, a_force_counts_after_a_quarter_of_a_second_each_time_anew)
{
    struct elevator_inputs in;
    struct elevator_outputs out;
    struct elevator_unit unit = standing_open(&in, &out);
    close_doors(&unit, &in, &out);
    in.door_force_n = 120.0;
    stays(&unit, &in, 1.0, &out);
    cr_assert_eq(out.state, ELEVATOR_CLOSING, "120 N are allowed");
    in.door_force_n = 121.0;
    stays(&unit, &in, 0.2, &out);
    in.curtain_clear = false;
    stays(&unit, &in, 0.01, &out);
    open_doors(&unit, &in, &out);
    close_doors(&unit, &in, &out);
    in.door_force_n = 121.0;
    double seconds = stays(&unit, &in, 1.0, &out);
    cr_assert_eq(out.state, ELEVATOR_OPENING);
    cr_assert_float_eq(seconds, 0.26, 1e-9, "%g s", seconds);
}

Test(elevator_limits, a_door_that_has_closed_forgets_what_blocked_it)
{
    struct elevator_inputs in;
    struct elevator_outputs out;
    struct elevator_unit unit = standing_open(&in, &out);
    for (int i = 0; i < 6; i++) {
        close_doors(&unit, &in, &out);
        in.door_force_n = 130.0;
        stays(&unit, &in, 1.0, &out);
        if (i == 1) { /* the third time it closes */
            open_doors(&unit, &in, &out);
            close_doors(&unit, &in, &out);
            in.door_closed = true;
            in.calls.car = 1;
            stays(&unit, &in, 0.01, &out);
            cr_assert_eq(out.state, ELEVATOR_IDLE);
            stays(&unit, &in, 0.01, &out);
            in.calls.car = 0;
            in.door_closed = false;
        }
        if (i < 4) {
            cr_assert_neq(out.state, ELEVATOR_FAULT, "time %d", i);
            open_doors(&unit, &in, &out);
        } else {
            cr_assert(out.state == ELEVATOR_FAULT && out.fault == ELEVATOR_FAULT_DOOR_BLOCKED);
            break;
        }
    }
}
