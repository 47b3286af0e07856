/* SPDX-License-Identifier: Apache-2.0 */
/* How an emulated drive moves between targets, and what limits it. */
#include "cia402_drive_rig.h"

TestSuite(cia402_drive_motion, .init = prepare);

/* ---- limits ---- */

static void run_into_the_limit(uint16_t index)
{
    operate();
    write(index, 0, 4, 500000);
    watch_speed();
    for (int i = 0; i < 60; i++) {
        aim(0.4); /* 0.8 s at the limit */
        cr_assert((drive.store.values[DRIVE_STATUSWORD] & DPL_CIA402_STATUS_LIMIT) || i == 0);
    }
    cr_assert_float_eq(fastest, 0.5, 0.01, "%g m/s", fastest);
    cr_assert_float_eq(position(), 0.3, 0.008, "%g m", position());
    for (int i = 0; i < 40; i++) {
        aim(0.4);
    }
    cr_assert_float_eq(position(), 0.4, 1e-5, "it arrives, without running past");
    cr_assert_not(drive.store.values[DRIVE_STATUSWORD] & DPL_CIA402_STATUS_LIMIT);
}

Test(cia402_drive_motion, no_target_makes_it_faster_than_the_motor_may_be)
{
    run_into_the_limit(DPL_CIA402_MAX_MOTOR_SPEED);
}

Test(cia402_drive_motion, no_target_makes_it_faster_than_the_profile_lets_it)
{
    run_into_the_limit(DPL_CIA402_MAX_VELOCITY);
}

Test(cia402_drive_motion, no_object_makes_it_faster_than_it_is)
{
    operate();
    write(DPL_CIA402_MAX_MOTOR_SPEED, 0, 4, 4000000000u);
    write(DPL_CIA402_MAX_VELOCITY, 0, 4, 4000000000u);
    watch_speed();
    for (int i = 0; i < 60; i++) {
        aim(1.0);
    }
    cr_assert_float_eq(fastest, 2.0, 0.04, "%g m/s", fastest);
}

Test(cia402_drive_motion, what_the_greatest_speed_holds_back_is_a_following_error)
{
    operate();
    write(0x6065, 0, 4, 20000);
    write(DPL_CIA402_MAX_MOTOR_SPEED, 0, 4, 500000);
    run_at(1.0, 3); /* behind by 0.5 m/s: 15 mm */
    cr_assert_eq(drive.state, DPL_CIA402_ENABLED);
    aim(0.04);
    aim(0.05);
    cr_assert_eq(emergency, 0x8611);
}

Test(cia402_drive_motion, an_end_stop_holds_it_and_is_a_following_error)
{
    config.motor.plant.low_m = -0.1;
    config.motor.plant.high_m = 0.05;
    operate();
    write(0x6065, 0, 4, 5000);
    run_at(0.2, 50);
    cr_assert_eq(emergency, 0x8611);
    cr_assert_eq(drive.state, DPL_CIA402_FAULT);
    cr_assert_float_eq(position(), 0.05, 1e-5, "%g m", position());
    cr_assert_float_eq(speed(), 0.0, 1e-6, "%g m/s", speed());
}

Test(cia402_drive_motion, a_quick_stop_that_ends_at_the_end_stop_does_not_push_for_ever)
{
    config.motor.plant.low_m = -0.1;
    config.motor.plant.high_m = 0.21;
    operate();
    write(0x6065, 0, 4, 5000);
    write(DPL_CIA402_QUICK_STOP_OPTION, 0, 2, 6);
    write(0x6085, 0, 4, 1000000);
    run_at(0.4, 50); /* 0.2 m; 0.08 m more on the ramp */
    quick_stop();
    way_to_rest();
    cr_assert_float_eq(position(), 0.21, 1e-5, "%g m", position());
    cr_assert_eq(emergency, 0x8611);
    cr_assert_eq(drive.motor.mode, DRIVE_MOTOR_FREE);
}

/* ---- between targets ---- */

/* 606Ch over half a second of an even motion, when it has settled. */
static void expect_even(double m_s, bool with_offset)
{
    for (int i = 1; i <= 100; i++) {
        if (i == 50) {
            watch_speed();
        }
        if (with_offset) {
            offset(m_s);
        }
        aim(m_s * 0.01 * i);
    }
    double least = m_s - 0.01 * fabs(m_s), most = m_s + 0.01 * fabs(m_s);
    cr_assert(slowest > least && fastest < most, "%g to %g m/s", slowest, fastest);
    cr_assert_float_eq((int32_t)read(0x606c), m_s * COUNTS, fabs(0.01 * m_s * COUNTS));
}

Test(cia402_drive_motion, without_a_velocity_offset_even_targets_are_an_even_motion)
{
    operate();
    expect_even(0.1, false);
}

Test(cia402_drive_motion, so_they_are_with_an_offset_that_is_mapped_and_left_at_0)
{
    operate();
    map(0x1401, 0x300 + NODE, 0x60b10020, 0x60b20010);
    offset(0.0);
    expect_even(-0.2, false);
}

Test(cia402_drive_motion, and_with_the_offset_that_belongs_to_them)
{
    operate();
    map(0x1401, 0x300 + NODE, 0x60b10020, 0x60b20010);
    expect_even(0.1, true);
}

Test(cia402_drive_motion, the_same_position_again_is_where_it_stays_without_running_past)
{
    operate();
    watch_speed();
    run_at(0.1, 30);
    double far = position();
    for (int i = 0; i < 20; i++) {
        aim(0.03);
        far = fmax(far, position());
    }
    cr_assert_float_eq(position(), 0.03, 1e-5);
    cr_assert_leq(far, 0.0303, "%g m", far);
}

Test(cia402_drive_motion, an_offset_of_an_operation_before_does_not_count)
{
    operate();
    map(0x1401, 0x300 + NODE, 0x60b10020, 0x60b20010);
    expect_even(0.1, true);
    offset(0.0);
    command(0x07, 1.0);
    sync();
    pass(500);
    double here = position();
    command(0x0f, here);
    sync();
    pass(10);
    watch_speed();
    for (int i = 1; i <= 60; i++) {
        if (i == 30) {
            watch_speed();
        }
        aim(here + 0.001 * i);
    }
    cr_assert(slowest > 0.099 && fastest < 0.101, "%g to %g m/s", slowest, fastest);
}

/* ---- lateness ---- */

Test(cia402_drive_motion, what_waited_while_the_emulator_slept_is_no_fault)
{
    operate();
    write(0x1400, 5, 2, 100); /* watchdog, ms */
    run_at(0.1, 30);
    now += 500 * DPL_MS; /* nobody called it; 50 targets wait */
    cia402_drive_advance(&drive, now);
    cr_assert_eq(drive.state, DPL_CIA402_ENABLED);
    for (int i = 31; i <= 80; i++) {
        command(0x0f, 0.001 * i);
        sync();
    }
    cr_assert_eq(drive.state, DPL_CIA402_ENABLED);
    pass(20);
    cr_assert_eq(drive.state, DPL_CIA402_ENABLED);
    pass(100);
    cr_assert_eq(drive.watchdogs, 1, "from now on its silence counts");
}
