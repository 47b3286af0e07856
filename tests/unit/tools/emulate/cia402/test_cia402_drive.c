/* SPDX-License-Identifier: Apache-2.0 */
/* How an emulated drive stops. */
#include "cia402_drive_rig.h"

TestSuite(cia402_drive, .init = prepare);

/* A step of the target is made up for over the whole period, so its fault comes at some speed. */
static void fault_by_step(double step_m, uint32_t window)
{
    operate();
    write(0x6065, 0, 4, window);
    write(0x6085, 0, 4, 5000000);
    watch_speed();
    command(0x0f, step_m);
    sync();
    while (drive.state == DPL_CIA402_ENABLED) {
        pass(1);
        cr_assert_lt(now, DPL_S, "no fault");
    }
    double v = speed();
    double way = way_to_rest();
    cr_assert_eq(emergency, 0x8611);
    cr_assert_eq(drive.state, DPL_CIA402_FAULT);
    /* at most the torque of a millisecond more than v says */
    double most = pow(v + 0.001 * 100.0, 2.0) / (2.0 * 5.0);
    cr_assert_leq(way, most, "%g m from %g m/s, not %g", way, v, most);
    cr_assert_leq(fastest, v + 0.1, "%g m/s", fastest);
}

Test(cia402_drive, after_a_following_error_it_stops_from_its_own_speed_not_from_the_targets)
{
    fault_by_step(0.2, 2000);
}

Test(cia402_drive, a_small_step_beyond_the_window_does_not_carry_it_far_either)
{
    fault_by_step(0.005, 1000);
}

/* From an even 0.4 m/s, so that speed and reference are one. */
static double stop_from_speed(uint16_t option, uint32_t value, void (*stop)(void))
{
    operate();
    write(0x6085, 0, 4, 4000000);
    write(0x6084, 0, 4, 1000000);
    write(option, 0, 2, value);
    run_at(0.4, 50);
    cr_assert_float_eq(speed(), 0.4, 0.004);
    stop();
    return way_to_rest();
}

static void fail_sensor(void)
{
    cia402_drive_fail(&drive, 0x7300);
}

Test(cia402_drive, the_option_of_the_fault_reaction_says_on_which_ramp_it_stops)
{
    static const double ways[] = {[1] = 0.08, [2] = 0.02, [3] = 0.0008, [4] = 0.0008};
    for (uint32_t option = 1; option <= 4; option++) {
        double way = stop_from_speed(DPL_CIA402_FAULT_OPTION, option, fail_sensor);
        cr_assert_float_eq(way, ways[option], 0.02 * ways[option] + 0.0002, "%u: %g m", option,
                           way);
        cr_assert_eq(drive.state, DPL_CIA402_FAULT);
    }
    double coasted = stop_from_speed(DPL_CIA402_FAULT_OPTION, 0, fail_sensor);
    cr_assert_eq(drive.motor.mode, DRIVE_MOTOR_FREE);
    cr_assert(coasted > 0.025 && coasted < 0.04, "40 N and 80 N s/m on 20 kg, %g m", coasted);
}

Test(cia402_drive, the_option_of_the_quick_stop_says_on_which_ramp_it_stops_and_what_follows)
{
    static const double ways[] = {0.0, 0.08, 0.02, 0.0008, 0.0008, 0.08, 0.02, 0.0008, 0.0008};
    for (uint32_t option = 1; option <= 8; option++) {
        double way = stop_from_speed(DPL_CIA402_QUICK_STOP_OPTION, option, quick_stop);
        cr_assert_float_eq(way, ways[option], 0.02 * ways[option] + 0.0002, "%u: %g m", option,
                           way);
        cr_assert_eq(drive.state,
                     option < 5 ? DPL_CIA402_SWITCH_ON_DISABLED : DPL_CIA402_QUICK_STOP);
        cr_assert_eq(drive.motor.mode, option < 5 ? DRIVE_MOTOR_FREE : DRIVE_MOTOR_STOPS);
    }
    stop_from_speed(DPL_CIA402_QUICK_STOP_OPTION, 0, quick_stop);
    cr_assert_eq(drive.state, DPL_CIA402_SWITCH_ON_DISABLED);
}

Test(cia402_drive, no_ramp_is_steeper_than_the_motor_can_make_it)
{
    operate();
    write(0x6085, 0, 4, 4000000000u); /* 4000 m/s2; 2000 N on 20 kg are 100 */
    run_at(1.0, 50);
    fail_sensor();
    double way = way_to_rest();
    cr_assert_float_eq(way, 0.005, 0.0006, "%g m", way);
    cr_assert_eq(drive.state, DPL_CIA402_FAULT);
}

Test(cia402_drive, objects_of_stopping_and_of_speed_can_be_read_and_written)
{
    static const struct {
        uint16_t index;
        uint8_t size;
        uint32_t first, good, bad;
    } rows[] = {
        {0x605a, 2, 2, 6, 9},       {0x605e, 2, 2, 1, 5},        {0x605a, 2, 6, 2, 0xffff},
        {0x6007, 2, 3, 1, 4},       {0x6084, 4, 5000000, 7, 0},  {0x6085, 4, 5000000, 8, 0},
        {0x6080, 4, 2000000, 9, 0}, {0x607f, 4, 2000000, 10, 0},
    };
    operate();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert_eq(read(rows[i].index), rows[i].first, "%04x: %u", rows[i].index, answer.value);
        cr_assert_eq(try_to_write(rows[i].index, 0, rows[i].size, rows[i].bad),
                     DPL_SDO_OUT_OF_RANGE, "%04x", rows[i].index);
        write(rows[i].index, 0, rows[i].size, rows[i].good);
        cr_assert_eq(read(rows[i].index), rows[i].good, "%04x", rows[i].index);
    }
}
