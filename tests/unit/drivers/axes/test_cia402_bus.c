/* SPDX-License-Identifier: Apache-2.0 */
/* The wire side of the driver `cia402` against the emulated drives, byte by byte through slcan, in
 * a time of its own: a step is a millisecond, the driver's timer fires every fourth. */
#include <criterion/criterion.h>
#include <math.h>

#include "can_line.h"
#include "cia402_bus.h"

#define STEP   DPL_MS
#define PERIOD (4 * DPL_MS)

static struct can_line line;
static struct cia402_bus bus;
static struct cia402_bus_config config;
static struct cia402_drive_config drives[DPL_AXES_N];
static dpl_ns now;
static bool cable_out;  /* what the driver says goes nowhere */
static bool app_sleeps; /* no new stamps */
static bool is_uneven;  /* the driver's timer is late, and the way to the drives longer, by ms */
static int bus_error;
static char said[4000];
static uint8_t to_host[65536], to_drives[65536];
static size_t n_to_host, n_to_drives;

static int hear_driver(void *user, const void *bytes, size_t n)
{
    cr_assert_leq(n_to_drives + n, sizeof to_drives);
    memcpy(to_drives + n_to_drives, bytes, n);
    n_to_drives += n;
    return 0;
}

static void hear_line(void *user, const uint8_t *bytes, size_t n, dpl_ns at)
{
    cr_assert_leq(n_to_host + n, sizeof to_host);
    memcpy(to_host + n_to_host, bytes, n);
    n_to_host += n;
}

static void on_log(void *user, enum dpl_log_level level, const char *text)
{
    if (level == DPL_LOG_DEBUG) {
        return;
    }
    strncat(said, text, sizeof said - strlen(said) - 2);
    strcat(said, "\n");
}

static void step(void)
{
    now += STEP;
    if (!app_sleeps) {
        bus.command.stamp = now;
    }
    if (n_to_host > 0 && !cable_out) {
        cia402_bus_data(&bus, to_host, n_to_host, now);
    }
    n_to_host = 0;
    int64_t n = now / PERIOD;
    dpl_ns late = is_uneven ? n * n % 3 * STEP : 0, under_way = is_uneven ? n % 7 / 5 * STEP : 0;
    if (now % PERIOD == late && !cable_out) {
        int err = 0;
        cia402_bus_timer(&bus, now, &err);
        bus_error = err < 0 ? err : bus_error;
    }
    if (!cable_out && now % PERIOD >= late + under_way) {
        can_line_receive(&line, to_drives, n_to_drives, now);
        n_to_drives = 0;
    } else if (cable_out) {
        n_to_drives = 0;
    }
    can_line_advance(&line, now);
}

static void pass(double ms)
{
    for (int i = 0; i < (int)ms; i++) {
        step();
    }
}

/* ms until it holds; fails after ten seconds. */
static int until(bool (*holds)(void))
{
    for (int i = 0; i < 10000; i++) {
        if (holds()) {
            return i;
        }
        step();
    }
    cr_assert_fail("it does not come: %s%s", said, bus.problem);
    return -1;
}

static bool is_ready(void)
{
    return bus.ready;
}

static bool is_on(void)
{
    return bus.mode == DPL_AXES_ON;
}

static bool is_off(void)
{
    return bus.mode == DPL_AXES_OFF;
}

static bool is_faulty(void)
{
    return bus.mode == DPL_AXES_FAULT;
}

static bool stand(void)
{
    for (int i = 0; i < DPL_AXES_N; i++) {
        if (fabs(line.drives[i].motor.plant.motor_velocity_m_s) > 1e-3) {
            return false;
        }
    }
    return true;
}

static double position(int axis)
{
    return line.drives[axis].motor.plant.motor_position_m;
}

static double speed(int axis)
{
    return line.drives[axis].motor.plant.motor_velocity_m_s;
}

static void prepare(void)
{
    config = (struct cia402_bus_config){
        .settings =
            {
                .nodes = {1, 2, 3, 4, 5, 6},
                .counts_per_m = 1e6,
                .rated_force_n = 1000.0,
                .bit_rate = 1000000,
                .period = PERIOD,
                .heartbeat = 40 * DPL_MS,
                .silence = 100 * DPL_MS,
                .process_data = 100 * DPL_MS,
                .watchdog = 100 * DPL_MS,
                .reference_timeout = 100 * DPL_MS,
                .start_timeout = 5 * DPL_S,
                .quick_stop_m_s2 = 5.0,
                .following_error_m = 0.005,
                .standstill_m_s = 0.002,
            },
        .write = hear_driver,
        .log = on_log,
    };
    for (int i = 0; i < DPL_AXES_N; i++) {
        drives[i] = (struct cia402_drive_config){
            .node = (uint8_t)(i + 1),
            .counts_per_m = 1e6,
            .rated_force_n = 1000.0,
            .start_m = 0.1 * i - 0.2,
            .motor = drive_motor_config_default(),
        };
    }
}

static void begin(void)
{
    can_line_init(&line, drives, DPL_AXES_N);
    line.send = hear_line;
    can_line_power(&line, 0);
    cia402_bus_init(&bus, &config);
    cia402_bus_opened(&bus, now);
}

static void order(bool on)
{
    bus.command.sequence++;
    bus.command.losses = bus.sample.losses;
    bus.command.on = on;
    bus.command.following = false;
}

static void switch_on(void)
{
    until(is_ready);
    order(true);
    until(is_on);
}

/* Axis 1 shall move at this speed from where it is; the others stay. */
static void run_at(double m_s, double ms)
{
    double from[DPL_AXES_N];
    dpl_ns since = now;
    for (int i = 0; i < DPL_AXES_N; i++) {
        from[i] = position(i);
    }
    bus.command.following = true;
    for (int n = 0; n < (int)ms; n++) {
        double t = dpl_ns_to_s(now + STEP - since), ramp = 0.2;
        for (int i = 0; i < DPL_AXES_N; i++) {
            bus.command.reference.position_m[i] = from[i];
        }
        double v = t < ramp ? m_s * t / ramp : m_s;
        bus.command.reference.position_m[0] +=
            t < ramp ? 0.5 * m_s / ramp * t * t : m_s * (t - 0.5 * ramp);
        bus.command.reference.velocity_m_s[0] = v;
        bus.command.reference.acceleration_m_s2[0] = t < ramp ? m_s / ramp : 0.0;
        step();
    }
}

static int n_powered(void)
{
    int n = 0;
    for (int i = 0; i < DPL_AXES_N; i++) {
        n += line.drives[i].motor.mode != DRIVE_MOTOR_FREE;
    }
    return n;
}

static bool none_is_powered(void)
{
    return n_powered() == 0;
}

static int count(const char *text)
{
    int n = 0;
    for (const char *at = said; (at = strstr(at, text)); at++) {
        n++;
    }
    return n;
}

TestSuite(cia402_bus, .init = prepare);

Test(cia402_bus, brings_six_drives_up_within_half_a_second)
{
    begin();
    int ms = until(is_ready);
    cr_assert_lt(ms, 500, "%d ms", ms);
    pass(10);
    cr_assert(bus.sample.valid);
    cr_assert(bus.sample.stamp <= now - PERIOD / 2 && bus.sample.stamp > now - 2 * PERIOD);
    for (int i = 0; i < DPL_AXES_N; i++) {
        cr_assert_eq(line.drives[i].nmt, DPL_CANOPEN_OPERATIONAL);
        cr_assert_eq(line.drives[i].state, DPL_CIA402_SWITCH_ON_DISABLED);
        cr_assert_float_eq(bus.sample.position_m[i], 0.1 * i - 0.2, 1e-6);
        cr_assert_eq(line.drives[i].store.values[DRIVE_INTERPOLATION_VALUE], 4);
        cr_assert_eq((int8_t)line.drives[i].store.values[DRIVE_INTERPOLATION_POWER], -3);
        cr_assert_eq(line.drives[i].store.values[DRIVE_QUICK_STOP_DECELERATION], 5000000);
        cr_assert_eq(line.drives[i].store.values[DRIVE_FOLLOWING_WINDOW], 5000);
        cr_assert_eq(line.drives[i].store.values[DRIVE_MODE_DISPLAY], 8);
        cr_assert_eq(line.drives[i].store.values[DRIVE_HEARTBEAT], 40);
    }
    cr_assert_eq(line.lost_frames, 0);
}

Test(cia402_bus, the_bus_carries_what_the_settings_foretell)
{
    begin();
    until(is_ready);
    uint64_t bits = line.bits;
    pass(1000);
    double share = (double)(line.bits - bits) / 1e6;
    double foretold = cia402_bits_per_period(&config.settings) / (1e6 * 4e-3);
    cr_assert_float_eq(foretold, 0.7135, 0.0001);
    cr_assert_float_eq(share, foretold, 0.005, "%g, not %g", share, foretold);
    pass(1100);
    cr_assert_float_eq(bus.sample.load, foretold, 0.005);
}

Test(cia402_bus, moving_evenly_a_drive_is_one_period_behind_its_reference_and_no_more)
{
    begin();
    switch_on();
    run_at(0.2, 800);
    double behind = bus.command.reference.position_m[0] - position(0);
    /* the period, the 2 ms since the newest SYNC and the cycle that the reference is ahead of */
    cr_assert_float_eq(behind, 0.2 * 0.004, 0.2 * 0.0025, "%g ms", behind / 0.2 * 1e3);
    cr_assert_float_eq(speed(0), 0.2, 0.002);
    cr_assert_float_eq(bus.sample.velocity_m_s[0], 0.2, 0.002);
    cr_assert_float_eq(position(1), -0.1, 1e-5);
}

Test(cia402_bus, late_timers_and_a_way_of_changing_length_do_not_make_the_motion_uneven)
{
    double slowest = 1.0, fastest = 0.0;
    begin();
    is_uneven = true;
    switch_on();
    run_at(0.2, 400);
    double from = position(0), reference = bus.command.reference.position_m[0];
    for (int i = 0; i < 500; i++) {
        bus.command.reference.position_m[0] = reference + 0.2e-3 * (i + 1);
        step();
        slowest = fmin(slowest, speed(0));
        fastest = fmax(fastest, speed(0));
    }
    cr_assert_float_eq(position(0) - from, 0.1, 1e-3);
    cr_assert(slowest > 0.199 && fastest < 0.201, "%g to %g m/s", slowest, fastest);
}

Test(cia402_bus, a_drive_that_counts_the_other_way_moves_the_right_way)
{
    config.settings.counts_per_m = -2e5;
    config.settings.moved_kg = 20.0;
    for (int i = 0; i < DPL_AXES_N; i++) {
        drives[i].counts_per_m = -2e5;
    }
    begin();
    switch_on();
    run_at(0.2, 150); /* while it still accelerates at 1 m/s2 */
    cr_assert_gt(speed(0), 0.1);
    cr_assert_float_eq(bus.sample.velocity_m_s[0], speed(0), 0.01);
    cr_assert_eq((int16_t)line.drives[0].store.values[DRIVE_TORQUE_OFFSET], -20, "20 N of 1000");
    cr_assert_eq((int32_t)line.drives[1].store.values[DRIVE_VELOCITY_OFFSET], 0);
    cr_assert_gt(bus.sample.effort_n[0], 20.0, "20 kg and friction, %g N", bus.sample.effort_n[0]);
    run_at(0.2, 400);
    cr_assert(is_on(), "%s", said);
}

Test(cia402_bus, without_a_reference_an_axis_comes_to_rest_on_a_ramp_and_stays_on)
{
    begin();
    switch_on();
    run_at(0.4, 600);
    double from = position(0);
    bus.command.following = false;
    pass(300);
    cr_assert(is_on());
    cr_assert(stand());
    double way = position(0) - from, ideal = 0.4 * 0.4 / (2.0 * 5.0);
    cr_assert_float_eq(way, ideal, 0.003, "%g m, not %g m", way, ideal);
}

Test(cia402_bus, a_lost_master_makes_each_drive_stop_by_itself_and_the_next_one_finds_it)
{
    begin();
    switch_on();
    run_at(0.4, 600);
    double from = position(0);
    cable_out = true;
    pass(60);
    cr_assert_eq(line.drives[0].state, DPL_CIA402_ENABLED, "it waits for its watchdog");
    pass(300);
    for (int i = 0; i < DPL_AXES_N; i++) {
        cr_assert_eq(line.drives[i].state, DPL_CIA402_QUICK_STOP);
        cr_assert_eq(line.drives[i].watchdogs, 1);
    }
    cr_assert(stand());
    cr_assert_lt(position(0) - from, 0.4 * 0.1 + 0.4 * 0.4 / 10.0 + 0.01);
    cia402_bus_closed(&bus);
    cable_out = false;
    n_to_drives = 0;
    can_line_connected(&line);
    cia402_bus_opened(&bus, now);
    until(is_ready);
    pass(50);
    cr_assert(is_off());
    cr_assert_eq(line.drives[0].state, DPL_CIA402_SWITCH_ON_DISABLED);
    switch_on();
}

Test(cia402_bus, a_drive_still_on_its_way_to_rest_is_not_switched_off_by_a_new_master)
{
    config.settings.quick_stop_m_s2 = 0.5;
    config.settings.watchdog = 20 * DPL_MS;
    begin();
    switch_on();
    run_at(0.4, 600);
    cable_out = true;
    pass(30);
    cr_assert_gt(speed(0), 0.35);
    cia402_bus_closed(&bus);
    cable_out = false;
    n_to_drives = 0;
    can_line_connected(&line);
    cia402_bus_opened(&bus, now);
    until(is_ready);
    cr_assert_gt(speed(0), 0.1, "it still moves");
    cr_assert_eq(line.drives[0].state, DPL_CIA402_QUICK_STOP);
    double v = speed(0);
    pass(100);
    cr_assert_float_eq(v - speed(0), 0.05, 0.01, "on its ramp, not by friction");
    until(stand);
    pass(50);
    cr_assert_eq(line.drives[0].state, DPL_CIA402_SWITCH_ON_DISABLED);
}

static bool is_lost(void)
{
    return bus.sample.losses > 0;
}

Test(cia402_bus, a_silent_drive_is_lost_within_its_time_and_the_others_stop_on_their_ramp)
{
    begin();
    switch_on();
    run_at(0.4, 600);
    line.drives[4].cut = true;
    int ms = until(is_lost);
    cr_assert_leq(ms, 110, "%d ms", ms);
    cr_assert_not(bus.ready);
    cr_assert_not_null(strstr(bus.problem, "axis 5 (node 5): silent for"), "%s", bus.problem);
    cr_assert_eq(bus.mode, DPL_AXES_STOPPING);
    int more = until(stand);
    cr_assert_lt(more, 150);
    pass(50);
    cr_assert(is_off());
    cr_assert_eq(line.drives[0].state, DPL_CIA402_SWITCH_ON_DISABLED);
    cr_assert_eq(line.drives[4].state, DPL_CIA402_QUICK_STOP, "by its own watchdog");
    line.drives[4].cut = false;
    until(is_ready);
    pass(50);
    cr_assert(is_off(), "an old command moves nothing");
    cr_assert_eq(line.drives[4].state, DPL_CIA402_SWITCH_ON_DISABLED);
    switch_on();
}

Test(cia402_bus, a_drive_that_restarts_is_lost_at_once)
{
    begin();
    switch_on();
    cia402_drive_power(&line.drives[1], now);
    pass(3);
    cr_assert_not_null(strstr(bus.problem, "axis 2 (node 2): it has restarted"), "%s", bus.problem);
    until(is_ready);
}

Test(cia402_bus, a_drive_that_leaves_operation_by_itself_is_a_fault)
{
    begin();
    switch_on();
    line.drives[2].state = DPL_CIA402_SWITCH_ON_DISABLED; /* its safe torque off, for example */
    until(is_faulty);
    cr_assert_eq(bus.sample.fault, 0x1000);
    cr_assert_eq(bus.sample.fault_axis, 2);
    pass(50);
    cr_assert_eq(line.drives[0].state, DPL_CIA402_SWITCH_ON_DISABLED);
    bus.command.resets++;
    order(false);
    until(is_off);
    switch_on();
}

Test(cia402_bus, a_fault_whose_cause_is_still_there_stays_after_a_reset)
{
    begin();
    switch_on();
    line.drives[0].motor.blocked = true;
    run_at(0.1, 200);
    until(is_faulty);
    cr_assert_eq(bus.sample.fault, 0x8611);
    cr_assert_eq(bus.sample.fault_axis, 0);
    pass(200);
    cr_assert_eq(line.drives[0].state, DPL_CIA402_FAULT);
    cr_assert(is_faulty());
    order(true);
    pass(200);
    cr_assert(is_faulty(), "only a reset leads out");
    bus.command.resets++;
    order(false);
    until(is_off);
    cr_assert_eq(bus.sample.fault, 0);
    line.drives[0].motor.blocked = false;
    switch_on();
}

Test(cia402_bus, an_application_that_hangs_is_stopped_and_must_ask_again)
{
    begin();
    switch_on();
    run_at(0.3, 500);
    app_sleeps = true;
    pass(400);
    cr_assert(stand());
    cr_assert(is_off());
    cr_assert_not_null(strstr(said, "no cycle of the application"), "%s", said);
    app_sleeps = false;
    pass(100);
    cr_assert(is_off(), "what it wanted before counts no more");
    switch_on();
}

Test(cia402_bus, whom_nobody_commands_in_time_stops_on_its_quick_stop_ramp_and_goes_off)
{
    config.settings.reference_timeout = 60 * DPL_S;
    begin();
    switch_on();
    run_at(0.4, 600);
    double from = position(0);
    bus.is_commanded = false;
    int ms = until(none_is_powered);
    cr_assert_leq(ms, 120, "80 ms of ramp and some periods, not %d ms", ms);
    cr_assert(stand());
    cr_assert_float_eq(position(0) - from, 0.4 * 0.4 / 10.0, 0.004);
    pass(50);
    cr_assert(is_off());
    cr_assert_eq(count("no command in time: stopping"), 1, "%s", said);
    bus.is_commanded = true;
    pass(200);
    cr_assert(is_off(), "what it wanted before counts no more");
    cr_assert_eq(line.drives[0].watchdogs, 0);
    switch_on();
    cr_assert_float_eq(position(0) - from, 0.4 * 0.4 / 10.0, 0.004);
}

Test(cia402_bus, one_that_holds_behind_a_stop_goes_off_too)
{
    config.settings.reference_timeout = 60 * DPL_S;
    config.settings.quick_stop_m_s2 = 0.5;
    begin();
    switch_on();
    run_at(0.4, 600);
    order(true);
    bus.command.stops++;
    pass(100);
    cr_assert_eq(bus.mode, DPL_AXES_STOPPING);
    bus.is_commanded = false;
    until(none_is_powered);
    pass(50);
    cr_assert(is_off());
}

Test(cia402_bus, the_drive_s_own_wishes_are_told_when_they_cannot_be_met)
{
    config.settings.nodes[5] = 9;
    begin();
    pass(3000);
    cr_assert_not(bus.ready);
    cr_assert_not_null(strstr(bus.problem, "axis 6 (node 9): no boot-up after a reset"), "%s",
                       bus.problem);
}

Test(cia402_bus, an_adapter_that_refuses_or_is_silent_is_told)
{
    begin();
    line.is_open = true; /* it does not take C for an answer */
    cable_out = true;
    pass(40);
    cable_out = false;
    cia402_bus_data(&bus, (const uint8_t *)"\r", 1, now);
    pass(60);
    cia402_bus_data(&bus, (const uint8_t *)"\a", 1, now);
    cr_assert_not_null(strstr(bus.problem, "refuses this bit rate"), "%s", bus.problem);
    cia402_bus_closed(&bus);
    cia402_bus_opened(&bus, now);
    for (int i = 0; i < 800; i++) {
        n_to_host = 0;
        step();
    }
    cr_assert_lt(bus_error, 0);
}

Test(cia402_bus, a_bus_that_is_too_slow_refuses_frames_and_the_settings_would_have_said_so)
{
    struct dpl_diag error = {0};
    config.settings.bit_rate = 250000;
    cr_assert_lt(cia402_settings_check(&config.settings, &error), 0);
    cr_assert_not_null(strstr(error.text, "11.42 ms of a bus with 250000 bit/s; expected"), "%s",
                       error.text);
    begin();
    pass(3000);
    cr_assert_gt(line.refused_frames, 0);
    cr_assert_eq(line.lost_frames, 0, "what drives say waits");
}

/* As the driver does it: nobody reads any more. */
static void close_bus(void)
{
    dpl_ns left = cia402_bus_halt(&bus, now);
    cr_assert_leq(left, 500 * DPL_MS);
    for (dpl_ns end = now + left + PERIOD; now < end;) {
        can_line_receive(&line, to_drives, n_to_drives, now);
        n_to_drives = 0;
        now += STEP;
        can_line_advance(&line, now);
        n_to_host = 0;
        if (now % PERIOD == 0) {
            cia402_bus_halt(&bus, now);
        }
    }
    cia402_bus_off(&bus);
    can_line_receive(&line, to_drives, n_to_drives, now);
    can_line_advance(&line, now);
}

static bool only_one_is_powered(void)
{
    return n_powered() <= 1;
}

/* The drive goes on in all but this: it no longer sends its first, its second TPDO. */
static void mute(int axis, int pdo)
{
    line.drives[axis].store.values[drive_pdo_entry(DRIVE_PDOS + pdo, DRIVE_PDO_ID)] |=
        DRIVE_PDO_DISABLED;
}

static void lose_process_data(int pdo, const char *what)
{
    begin();
    switch_on();
    run_at(0.4, 600);
    mute(2, pdo);
    int ms = until(is_lost);
    cr_assert(ms > 95 && ms < 125, "%d ms", ms);
    cr_assert_not_null(strstr(said, what), "%s", said);
    ms = until(only_one_is_powered);
    cr_assert_lt(ms, 130, "0.4 m/s at 5 m/s^2 and some periods, but %d ms", ms);
    ms = until(none_is_powered);
    cr_assert_lt(ms, 500, "%d ms", ms);
    until(is_ready); /* a reset gives it back its process data */
    pass(50);
    cr_assert(is_off());
    cr_assert_eq(n_powered(), 0);
}

Test(cia402_bus, a_drive_without_statusword_is_lost_though_its_heart_beats_and_none_stays_powered)
{
    lose_process_data(0, "axis 3 (node 3): no process data (statusword and position, TPDO1)");
}

Test(cia402_bus, a_drive_without_velocity_is_lost_though_its_heart_beats_and_none_stays_powered)
{
    lose_process_data(1, "axis 3 (node 3): no process data (velocity and torque, TPDO2)");
}

Test(cia402_bus, a_late_master_has_lost_no_drive)
{
    begin();
    switch_on();
    now = (now / PERIOD + 1) * PERIOD + 200 * DPL_MS; /* its timer, and all that it hears */
    pass(20);
    cr_assert_eq(bus.sample.losses, 0, "%s", bus.problem);
    line.drives[4].cut = true;
    int ms = until(is_lost);
    cr_assert_leq(ms, 110, "%d ms", ms);
}

static void run_and_mute(int drive)
{
    begin();
    switch_on();
    run_at(0.4, 600);
    mute(drive, 0);
}

Test(cia402_bus, after_a_fault_every_drive_goes_off_by_itself_whatever_another_does_not_say)
{
    run_and_mute(1);
    cia402_drive_fail(&line.drives[4], 0x7300);
    until(is_faulty);
    int ms = until(none_is_powered);
    cr_assert_lt(ms, 700, "%d ms", ms);
}

Test(cia402_bus, at_the_end_no_drive_stays_powered_that_has_no_process_data)
{
    run_and_mute(2);
    until(is_lost);
    cr_assert_gt(n_powered(), 0);
    close_bus();
    cr_assert_eq(n_powered(), 0);
    begin();
    switch_on();
    order(true);
    bus.command.stops++;
    pass(3 * 4);
    cr_assert_eq(line.drives[0].state, DPL_CIA402_QUICK_STOP, "stays in it: not told to go off");
    close_bus();
    cr_assert_eq(n_powered(), 0);
}

static void send_emergency(uint16_t code)
{
    const struct dpl_canopen_emcy emcy = {.code = code, .registers = code != 0};
    struct dpl_can_frame frame = dpl_canopen_emcy(1, &emcy);
    line.drives[0].send(line.drives[0].user, &frame);
}

Test(cia402_bus, a_storm_of_emergencies_is_two_lines)
{
    begin();
    until(is_ready);
    for (int i = 0; i < 500; i++) {
        send_emergency(i % 2 == 0 ? 0x8110 : 0); /* comes and goes */
        step();
    }
    cr_assert_eq(bus.sample.emergencies, 250);
    cr_assert_eq(count("emergenc"), 1, "%s", said);
    cr_assert_not_null(strstr(said, "axis 1 (node 1): emergency 8110"), "%s", said);
    send_emergency(0x7300);
    pass(10);
    cr_assert_eq(count("emergenc"), 2, "another one is news");
    send_emergency(0);
    pass(1100);
    cr_assert_eq(count("emergencies came again: 8110 250 times"), 1, "%s", said);
    send_emergency(0x8110);
    pass(10);
    cr_assert_eq(count("emergency 8110"), 2, "later it is news again");
}

Test(cia402_bus, why_a_drive_does_not_start_is_told_at_once_and_once)
{
    begin();
    line.drives[3].store.values[DRIVE_SUPPORTED_MODES] = 1;
    pass(500);
    cr_assert_eq(count("axis 4 (node 4): it has no cyclic synchronous position mode"), 1, "%s",
                 said);
    cr_assert_eq(count("object 6502:0"), 1, "%s", said);
    int warned = count("\n");
    pass(3000);
    cr_assert_eq(count("\n"), warned, "%s", said);
}

Test(cia402_bus, who_each_drive_is_is_told_once)
{
    begin();
    until(is_ready);
    cr_assert_not_null(strstr(said, "axis 3 (node 3): Doppel emulated CiA 402 drive, vendor 0h, "
                                    "product 402h, revision 10000h, serial 402003\n"),
                       "%s", said);
    cr_assert_eq(count("serial"), 6);
    cia402_drive_power(&line.drives[1], now);
    pass(50);
    until(is_ready);
    cr_assert_eq(count("serial"), 6, "%s", said);
}

Test(cia402_bus, a_drive_that_does_not_say_who_it_is_works_too)
{
    begin();
    cia402_drive_power(&line.drives[0], now);
    memset(line.drives[0].store.texts[DRIVE_TEXT_NAME], 0, DPL_CANOPEN_TEXT_MAX);
    memset(line.drives[1].store.texts[DRIVE_TEXT_NAME], '\t', DPL_CANOPEN_TEXT_MAX);
    until(is_ready);
    cr_assert_not_null(strstr(said, "axis 1 (node 1): a drive without a name, vendor 0h"), "%s",
                       said);
    cr_assert_not_null(strstr(said, "axis 2 (node 2): ????"), "%s", said);
}

Test(cia402_bus, at_the_end_the_drives_stop_on_their_ramp_and_switch_off)
{
    begin();
    switch_on();
    run_at(0.4, 600);
    double from = position(0);
    close_bus();
    cr_assert(stand());
    cr_assert_float_eq(position(0) - from, 0.4 * 0.4 / 10.0, 0.004);
    for (int i = 0; i < DPL_AXES_N; i++) {
        cr_assert_eq(line.drives[i].state, DPL_CIA402_SWITCH_ON_DISABLED);
        cr_assert_eq(line.drives[i].nmt, DPL_CANOPEN_PRE_OPERATIONAL);
        cr_assert_eq(line.drives[i].watchdogs, 0);
    }
    cr_assert_not(line.is_open);
}
