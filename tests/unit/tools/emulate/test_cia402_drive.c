/* SPDX-License-Identifier: Apache-2.0 */
/* One emulated drive, frame by frame: how it moves between targets, how it stops, and what limits
 * it. A unit is a micrometre, a target comes every 10 ms. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>

#include "cia402_drive.h"

#define NODE   5
#define PERIOD (10 * DPL_MS)
#define COUNTS 1e6

static struct cia402_drive drive;
static struct cia402_drive_config config;
static struct dpl_canopen_sdo answer;
static uint16_t emergency;
static dpl_ns now;
static double fastest, slowest; /* m/s, since `watch_speed` */

static void on_send(void *user, const struct dpl_can_frame *frame)
{
    struct dpl_canopen_emcy emcy;
    struct dpl_canopen_cob cob = dpl_canopen_classify(frame);
    if (cob.service == DPL_CANOPEN_SDO_ANSWER) {
        cr_assert_eq(dpl_canopen_sdo_answer_decode(frame, &answer), 0);
    } else if (cob.service == DPL_CANOPEN_EMCY) {
        cr_assert_eq(dpl_canopen_emcy_decode(frame, &emcy), 0);
        emergency = emcy.code;
    }
}

static void say(struct dpl_can_frame frame)
{
    cia402_drive_hear(&drive, &frame, now);
}

static uint32_t try_to_write(uint16_t index, uint8_t sub, uint8_t size, uint32_t value)
{
    struct dpl_canopen_sdo sdo = {
        .kind = DPL_SDO_WRITE, .index = index, .sub = sub, .size = size, .value = value};
    say(dpl_canopen_sdo_request(NODE, &sdo));
    return answer.kind == DPL_SDO_ABORT ? answer.value : 0;
}

static void write(uint16_t index, uint8_t sub, uint8_t size, uint32_t value)
{
    cr_assert_eq(try_to_write(index, sub, size, value), 0, "%04x:%u: %08x", index, sub,
                 answer.value);
}

static uint32_t read(uint16_t index)
{
    struct dpl_canopen_sdo sdo = {.kind = DPL_SDO_READ, .index = index};
    say(dpl_canopen_sdo_request(NODE, &sdo));
    cr_assert_eq(answer.kind, DPL_SDO_READ_DONE, "%04x", index);
    return answer.value;
}

static double speed(void)
{
    return drive.motor.plant.motor_velocity_m_s;
}

static double position(void)
{
    return drive.motor.plant.motor_position_m;
}

static void pass(double ms)
{
    for (int i = 0; i < (int)ms; i++) {
        now += DPL_MS;
        cia402_drive_advance(&drive, now);
        fastest = fmax(fastest, speed());
        slowest = fmin(slowest, speed());
    }
}

static void watch_speed(void)
{
    fastest = slowest = speed();
}

static void map(uint16_t how, uint32_t id, uint32_t first, uint32_t second)
{
    write(how, 1, 4, id | 0x80000000u);
    write(how, 2, 1, 1);
    write((uint16_t)(how + 0x200), 0, 1, 0);
    write((uint16_t)(how + 0x200), 1, 4, first);
    write((uint16_t)(how + 0x200), 2, 4, second);
    write((uint16_t)(how + 0x200), 0, 1, 2);
    write(how, 1, 4, id);
}

static void prepare(void)
{
    config = (struct cia402_drive_config){
        .node = NODE,
        .counts_per_m = COUNTS,
        .rated_force_n = 1000.0,
        .motor = drive_motor_config_default(),
    };
}

static void command(uint16_t word, double target_m)
{
    int32_t counts = (int32_t)lround(target_m * COUNTS);
    struct dpl_can_frame frame = {.id = 0x200 + NODE, .length = 6};
    dpl_put_u16le(frame.data, word);
    dpl_put_u32le(frame.data + 2, (uint32_t)counts);
    say(frame);
}

static void offset(double m_s)
{
    struct dpl_can_frame frame = {.id = 0x300 + NODE, .length = 6};
    dpl_put_u32le(frame.data, (uint32_t)(int32_t)lround(m_s * COUNTS));
    say(frame);
}

static void sync(void)
{
    say(dpl_canopen_sync());
}

/* To operation, holding where it is, with targets in RPDO1 and offsets, if at all, in RPDO2. */
static void operate(void)
{
    cia402_drive_init(&drive, &config);
    drive.send = on_send;
    cia402_drive_power(&drive, now);
    map(0x1400, 0x200 + NODE, 0x60400010, 0x607a0020);
    write(0x6060, 0, 1, DPL_CIA402_CSP);
    write(0x60c2, 1, 1, 10);
    say(dpl_canopen_nmt(DPL_CANOPEN_START, NODE));
    for (int i = 0; i < 3; i++) {
        command((const uint16_t[]){0x06, 0x07, 0x0f}[i], config.start_m);
        sync();
        pass(10);
    }
    cr_assert_eq(drive.state, DPL_CIA402_ENABLED);
}

static void aim(double target_m)
{
    command(0x0f, target_m);
    sync();
    pass(10);
}

/* An even motion from rest at 0: where the targets are at the end. */
static double run_at(double m_s, int periods)
{
    for (int i = 1; i <= periods; i++) {
        aim(m_s * 0.01 * i);
    }
    return m_s * 0.01 * periods;
}

TestSuite(cia402_drive, .init = prepare);

/* ---- stopping ---- */

/* Until it stands without power, or 20 s: the way from here. */
static double way_to_rest(void)
{
    double from = position();
    for (int i = 0; i < 20000; i++) {
        pass(1);
    }
    return position() - from;
}

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

static void quick_stop(void)
{
    command(0x02, 0.0);
    sync();
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

Test(cia402_drive, no_target_makes_it_faster_than_the_motor_may_be)
{
    run_into_the_limit(DPL_CIA402_MAX_MOTOR_SPEED);
}

Test(cia402_drive, no_target_makes_it_faster_than_the_profile_lets_it)
{
    run_into_the_limit(DPL_CIA402_MAX_VELOCITY);
}

Test(cia402_drive, no_object_makes_it_faster_than_it_is)
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

Test(cia402_drive, what_the_greatest_speed_holds_back_is_a_following_error)
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

Test(cia402_drive, an_end_stop_holds_it_and_is_a_following_error)
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

Test(cia402_drive, a_quick_stop_that_ends_at_the_end_stop_does_not_push_for_ever)
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

Test(cia402_drive, without_a_velocity_offset_even_targets_are_an_even_motion)
{
    operate();
    expect_even(0.1, false);
}

Test(cia402_drive, so_they_are_with_an_offset_that_is_mapped_and_left_at_0)
{
    operate();
    map(0x1401, 0x300 + NODE, 0x60b10020, 0x60b20010);
    offset(0.0);
    expect_even(-0.2, false);
}

Test(cia402_drive, and_with_the_offset_that_belongs_to_them)
{
    operate();
    map(0x1401, 0x300 + NODE, 0x60b10020, 0x60b20010);
    expect_even(0.1, true);
}

Test(cia402_drive, the_same_position_again_is_where_it_stays_without_running_past)
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

Test(cia402_drive, an_offset_of_an_operation_before_does_not_count)
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

Test(cia402_drive, what_waited_while_the_emulator_slept_is_no_fault)
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
