/* SPDX-License-Identifier: Apache-2.0 */
/* The driver `cia402` against `doppel emulate cia402` over a real pty. The test turns the control
 * thread's loop, and every millisecond it does a cycle of the application.
 *
 * Two processes and the wall clock: either may not run for some 100 ms when the machine is loaded.
 * So faults are caused when the test says so, not at a second of the emulator's, and the timeouts
 * (how long which takes is tested on a clock of its own, `emulate cia402_bus`) are patient. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <doppel/drv/axes.h>
#include <doppel/plugin.h>

#include "free_port.h"
#include "turned_loop.h"

#define WAIT_MS 8000
#define CYCLE   DPL_MS

static struct fake_device fake;
static struct dpl_device *const device = &fake.device;

/* What the application does in its cycles. */
static struct {
    bool runs, follows;
    double centre_m[DPL_AXES_N], amplitude_m, frequency_hz;
    dpl_ns since;
    int refused; /* what follow has answered last */
    int axis;    /* the one that moves, 0 to 5; -1: all */
} app;

/* What it has read. */
static struct dpl_axes_state state;

/* How far it is behind the reference of 4 ms before, while nothing held up either process: a sample
 * has come every period for 40 periods, long enough to be back behind a gap. */
static struct {
    bool is_on;
    double worst_m;
    int samples, in_a_row;
    dpl_ns stamp, heard_at; /* of the newest sample */
} lag;

/* ---- the application ---- */

/* A sine that begins at rest: position, velocity and acceleration of 1 - cos. */
static struct dpl_axes_reference reference_at(dpl_ns now)
{
    struct dpl_axes_reference r = {0};
    double w = 2.0 * 3.14159265358979 * app.frequency_hz, t = dpl_ns_to_s(now - app.since);
    for (int i = 0; i < DPL_AXES_N; i++) {
        double amplitude_m = app.axis < 0 || app.axis == i ? app.amplitude_m : 0.0;
        r.position_m[i] = app.centre_m[i] + amplitude_m * 0.5 * (1.0 - cos(w * t));
        r.velocity_m_s[i] = amplitude_m * 0.5 * w * sin(w * t);
        r.acceleration_m_s2[i] = amplitude_m * 0.5 * w * w * cos(w * t);
    }
    return r;
}

static void measure_lag(dpl_ns now)
{
    if (!lag.is_on || state.stamp == lag.stamp) {
        return;
    }
    bool is_even = now - lag.heard_at < 8 * DPL_MS && state.stamp - lag.stamp < 6 * DPL_MS;
    lag.in_a_row = is_even ? lag.in_a_row + 1 : 0;
    lag.stamp = state.stamp;
    lag.heard_at = now;
    if (lag.in_a_row < 40) {
        return;
    }
    struct dpl_axes_reference was = reference_at(state.stamp - 4 * DPL_MS);
    for (int i = 0; i < DPL_AXES_N; i++) {
        lag.worst_m = fmax(lag.worst_m, fabs(state.position_m[i] - was.position_m[i]));
    }
    lag.samples++;
}

static void cycle(void)
{
    dpl_ns now = loop_now();
    struct dpl_tick tick = {.now = now, .period = CYCLE};
    if (!app.runs || !fake.is_open) {
        return;
    }
    dpl_axes_execute(device, &tick);
    if (dpl_axes_read(device, &state) == 0) {
        measure_lag(now);
    }
    if (app.follows) {
        struct dpl_axes_reference r = reference_at(now + CYCLE);
        app.refused = dpl_axes_follow(device, &r);
    }
    dpl_axes_finish(device, &tick);
}

static void follow_from_here(double amplitude_m, double frequency_hz)
{
    memcpy(app.centre_m, state.position_m, sizeof app.centre_m);
    app.amplitude_m = amplitude_m;
    app.frequency_hz = frequency_hz;
    app.since = loop_now();
    app.follows = true;
}

/* ---- time ---- */

static bool until(bool (*holds)(void), uint64_t ms)
{
    return loop_turn(holds, cycle, 1, ms);
}

#define UNTIL(holds)                                                                               \
    cr_assert(until(holds, WAIT_MS), #holds " not within %d ms: %s%s", WAIT_MS, fake.log, fake.why)
#define PASS(ms) until(NULL, ms)

/* ---- setting up ---- */

/* `sets`: names and values in turn, NULL ends. */
static void set_device(const char *const *sets)
{
    loop_device_begin(&fake, dpl_plugin.driver);
    for (; *sets; sets += 2) {
        fake_device_set(&fake, sets[0], sets[1]);
    }
}

#define OPEN_WITH(...)                                                                             \
    do {                                                                                           \
        set_device((const char *const[]){"Address", loop.link, __VA_ARGS__, NULL});                \
        fake_device_open(&fake);                                                                   \
    } while (0)
#define PATIENT                                                                                    \
    "SilenceTimeout", "2000", "ProcessDataTimeout", "2000", "WatchdogTime", "2000",                \
        "ReferenceTimeout", "2000", "FollowingErrorWindow", "1"
#define OPEN() OPEN_WITH(PATIENT)

static void begin(void)
{
    loop_begin();
    app.runs = true;
    app.axis = -1;
}

static void end(void)
{
    fake_device_end(&fake);
    loop_end();
}

#define EMULATE_WITH(...)                                                                          \
    do {                                                                                           \
        loop_start((const char *const[]){"cia402", "--pty", loop.link, "--missing-targets", "0",   \
                                         __VA_ARGS__, NULL});                                      \
        UNTIL(loop_link_is_there);                                                                 \
    } while (0)
#define EMULATE() EMULATE_WITH("--seed", "1")

/* The faults that its words name begin now. */
static void cause_faults(void)
{
    loop_signal(SIGUSR2);
}

/* ---- what is waited for ---- */

static bool is_valid(void)
{
    return state.valid && !fake.is_lost;
}

static bool is_on(void)
{
    return state.mode == DPL_AXES_ON;
}

static bool is_off(void)
{
    return state.mode == DPL_AXES_OFF;
}

static bool is_stopping(void)
{
    return state.mode == DPL_AXES_STOPPING;
}

static bool is_faulty(void)
{
    return state.mode == DPL_AXES_FAULT;
}

static bool is_lost(void)
{
    return fake.is_lost;
}

static bool is_found(void)
{
    return !fake.is_lost && fake.n_found > 0;
}

static bool moves(void)
{
    return fabs(state.velocity_m_s[0]) > 0.05;
}

static bool rests(void)
{
    for (int i = 0; i < DPL_AXES_N; i++) {
        if (fabs(state.velocity_m_s[i]) > 0.002) {
            return false;
        }
    }
    return true;
}

static bool is_hanging_told(void)
{
    return strstr(fake.log, "no cycle of the application") != NULL;
}

static bool has_measured_enough(void)
{
    return lag.samples >= 125;
}

static void switch_on(void)
{
    UNTIL(is_valid);
    cr_assert_eq(dpl_axes_enable(device), 0);
    UNTIL(is_on);
}

TestSuite(cia402, .init = begin, .fini = end, .timeout = 60);

Test(cia402, finds_the_axes_where_they_stand_and_off)
{
    EMULATE_WITH("--start", "0.1 -0.2 0.3 0.4 0.5 -0.6");
    OPEN();
    UNTIL(is_valid);
    static const double start_m[] = {0.1, -0.2, 0.3, 0.4, 0.5, -0.6};
    for (int i = 0; i < DPL_AXES_N; i++) {
        cr_assert_float_eq(state.position_m[i], start_m[i], 1e-6, "axis %d", i);
        cr_assert_float_eq(state.velocity_m_s[i], 0.0, 1e-6);
    }
    cr_assert_eq(state.mode, DPL_AXES_OFF);
    cr_assert_eq(state.fault_axis, -1);
    struct dpl_axes_reference r = reference_at(0);
    cr_assert_eq(dpl_axes_follow(device, &r), -EPERM);
}

Test(cia402, switches_on_holding_follows_a_sine_one_period_behind_and_switches_off)
{
    EMULATE();
    OPEN_WITH(PATIENT, "MovedMass", "20");
    switch_on();
    double before = state.position_m[2];
    PASS(100);
    cr_assert_float_eq(state.position_m[2], before, 1e-5, "it holds");
    follow_from_here(0.05, 1.0);
    PASS(200);
    lag.is_on = true;
    cr_assert(until(has_measured_enough, 30000), "%d samples", lag.samples);
    lag.is_on = false;
    cr_assert_eq(app.refused, 0);
    cr_assert(is_on(), "%s", fake.log);
    cr_assert_lt(lag.worst_m, 0.002, "%g m", lag.worst_m);
    cr_assert_eq(dpl_axes_disable(device), 0);
    cr_assert_eq(dpl_axes_read(device, &state), 0);
    cr_assert_eq(state.mode, DPL_AXES_STOPPING);
    UNTIL(is_off);
    cr_assert(rests());
    cr_assert_eq(fake_device_export(&fake, "dropped_bytes"), 0.0);
}

static double speed_before;

/* Surely on the ramp: how late the stop came through does not matter any more. */
static bool is_slower(void)
{
    return fabs(state.velocity_m_s[0]) < 0.9 * speed_before;
}

Test(cia402, a_stop_brings_the_axes_to_rest_on_their_ramp_and_then_they_hold)
{
    EMULATE();
    OPEN_WITH(PATIENT, "QuickStopDeceleration", "2");
    switch_on();
    follow_from_here(0.1, 1.0);
    UNTIL(moves);
    PASS(100);
    speed_before = fabs(state.velocity_m_s[0]);
    cr_assert_eq(dpl_axes_stop(device), 0);
    app.follows = false;
    UNTIL(is_stopping);
    UNTIL(is_slower);
    double speed = fabs(state.velocity_m_s[0]), from = state.position_m[0];
    UNTIL(is_on);
    cr_assert(rests());
    double way = fabs(state.position_m[0] - from), ideal = speed * speed / 4.0;
    cr_assert_float_eq(way, ideal, 0.5 * ideal + 0.002, "%g m, not %g m, from %g m/s", way, ideal,
                       speed);
    double there = state.position_m[0];
    PASS(100);
    cr_assert_float_eq(state.position_m[0], there, 1e-5);
    follow_from_here(0.02, 1.0);
    UNTIL(moves);
    cr_assert_eq(app.refused, 0);
}

Test(cia402, a_drive_that_falls_silent_is_lost_by_name_and_the_others_stop_until_it_is_back)
{
    EMULATE_WITH("--on-signal", "--cut", "3,0,4");
    OPEN();
    switch_on();
    follow_from_here(0.1, 1.0);
    UNTIL(moves);
    cause_faults();
    UNTIL(is_lost);
    cr_assert_not_null(strstr(fake.why, "axis 3 (node 3): silent for"), "%s", fake.why);
    cr_assert_eq(dpl_axes_read(device, &state), -ENODEV);
    app.follows = false;
    UNTIL(is_found);
    UNTIL(is_off);
    cr_assert(rests());
    cr_assert_eq(fake_device_export(&fake, "losses"), 1.0);
    switch_on();
    follow_from_here(0.02, 1.0);
    UNTIL(moves);
}

Test(cia402, a_fault_of_a_drive_stops_all_and_is_told_until_it_is_reset)
{
    EMULATE_WITH("--on-signal", "--emergency", "5,0");
    OPEN();
    switch_on();
    follow_from_here(0.1, 1.0);
    UNTIL(moves);
    cause_faults();
    UNTIL(is_faulty);
    cr_assert_eq(state.fault, 0x7300);
    cr_assert_eq(state.fault_axis, 4);
    cr_assert_not_null(strstr(fake.log, "axis 5 (node 5): emergency 7300, sensor"), "%s", fake.log);
    cr_assert_not(fake.is_lost);
    UNTIL(rests);
    cr_assert_eq(app.refused, -EPERM);
    app.follows = false;
    cr_assert_eq(dpl_axes_enable(device), -EPERM);
    cr_assert_eq(dpl_axes_reset(device), 0);
    UNTIL(is_off);
    cr_assert_eq(state.fault, 0);
    cr_assert_eq(state.fault_axis, -1);
    switch_on();
}

Test(cia402, an_axis_that_is_held_fails_by_its_following_error)
{
    EMULATE_WITH("--on-signal", "--block", "2,0,60");
    OPEN_WITH(PATIENT, "FollowingErrorWindow", "0.003");
    switch_on();
    cause_faults();
    app.axis = 1; /* the others stand: only this one can be behind its targets */
    follow_from_here(0.1, 1.0);
    UNTIL(is_faulty);
    cr_assert_eq(state.fault, 0x8611);
    cr_assert_eq(state.fault_axis, 1);
    UNTIL(rests);
}

Test(cia402, an_adapter_that_is_unplugged_or_killed_is_lost_and_comes_back)
{
    EMULATE();
    OPEN();
    switch_on();
    follow_from_here(0.1, 1.0);
    UNTIL(moves);
    loop_signal(SIGUSR1); /* pulls the cable */
    UNTIL(is_lost);
    cr_assert_not_null(strstr(fake.why, loop.link), "%s", fake.why);
    app.follows = false;
    loop_signal(SIGUSR1);
    UNTIL(is_found);
    UNTIL(is_off);
    UNTIL(is_valid);
    fake.n_found = 0;
    loop_stop(SIGKILL);
    UNTIL(is_lost);
    unlink(loop.link);
    EMULATE();
    UNTIL(is_found);
    switch_on();
    cr_assert_eq(fake_device_export(&fake, "reconnects"), 2.0);
}

Test(cia402, an_application_that_hangs_is_no_reason_to_go_on)
{
    EMULATE();
    OPEN_WITH(PATIENT, "ReferenceTimeout", "1000");
    switch_on();
    follow_from_here(0.1, 1.0);
    UNTIL(moves);
    app.runs = false;
    UNTIL(is_hanging_told);
    app.runs = true;
    UNTIL(rests);
    UNTIL(is_off);
    PASS(50);
    cr_assert(is_off(), "and stays off");
}

Test(cia402, who_is_no_longer_commanded_stops_at_once_and_does_not_jump_when_it_is_again)
{
    EMULATE();
    OPEN_WITH(PATIENT, "ReferenceTimeout", "60000", "WatchdogTime", "60000");
    switch_on();
    follow_from_here(0.1, 1.0);
    UNTIL(moves);
    fake.is_late = true; /* in the midst of its cycles: what it still says counts no more */
    UNTIL(is_off);
    cr_assert(rests());
    cr_assert_not_null(strstr(fake.log, "no command in time: stopping"), "%s", fake.log);
    double there = state.position_m[0];
    cr_assert_eq(app.refused, -EPERM);
    fake.is_late = false;
    PASS(300); /* the application goes on with references of elsewhere */
    cr_assert(is_off(), "what it wanted before counts no more");
    cr_assert_float_eq(state.position_m[0], there, 1e-4);
    app.follows = false;
    switch_on();
    PASS(100);
    cr_assert_float_eq(state.position_m[0], there, 1e-4, "it holds where it stands");
    follow_from_here(0.02, 1.0);
    UNTIL(moves);
}

Test(cia402, noise_on_the_line_costs_frames_but_nothing_else)
{
    EMULATE_WITH("--garble", "0.002");
    OPEN_WITH(PATIENT, "StartTimeout", "20000");
    switch_on();
    follow_from_here(0.02, 0.5);
    PASS(1500);
    cr_assert(is_on(), "%s%s", fake.log, fake.why);
    cr_assert_not(fake.is_lost, "%s", fake.why);
    cr_assert_gt(fake_device_export(&fake, "dropped_bytes") + fake_device_export(&fake, "missed"),
                 0.0);
}

Test(cia402, a_port_where_nobody_speaks_slcan_is_lost_with_that_reason)
{
    EMULATE_WITH("--mute", "0,60");
    OPEN();
    UNTIL(is_lost);
    cr_assert_not_null(strstr(fake.why, "nothing on this port speaks slcan"), "%s", fake.why);
}

Test(cia402, an_adapter_may_be_behind_tcp)
{
    char port[8], address[40];
    int number = free_port();
    snprintf(port, sizeof port, "%d", number);
    snprintf(address, sizeof address, "tcp://127.0.0.1:%d", number);
    loop_start((const char *const[]){"cia402", "--tcp", port, "--missing-targets", "0", NULL});
    set_device((const char *const[]){"Address", address, PATIENT, NULL});
    for (int i = 0; i < 500 && !fake.is_open; i++) {
        struct dpl_diag error;
        PASS(5);
        fake.is_open = device->driver->open(device, &error) == 0;
    }
    cr_assert(fake.is_open);
    switch_on();
    follow_from_here(0.05, 1.0);
    UNTIL(moves);
}

Test(cia402, a_missing_drive_is_named)
{
    EMULATE_WITH("--axes", "5", "--start", "0 0 0 0 0");
    OPEN_WITH(PATIENT, "StartTimeout", "1000");
    UNTIL(is_lost);
    cr_assert_not_null(strstr(fake.why, "axis 6 (node 6)"), "%s", fake.why);
}

Test(cia402, closing_leaves_the_drives_stopped)
{
    EMULATE();
    OPEN();
    switch_on();
    follow_from_here(0.1, 1.0);
    UNTIL(moves);
    fake_device_end(&fake);
    app.follows = false;
    memset(&state, 0, sizeof state);
    OPEN();
    UNTIL(is_valid);
    cr_assert(rests(), "axis 1 moves at %g m/s", state.velocity_m_s[0]);
    cr_assert(is_off());
}

/* ---- what cannot be ---- */

Test(cia402, settings_that_cannot_be_are_refused_with_what_can)
{
    static const struct {
        const char *name, *value, *text;
    } rows[] = {
        {"NodeIds", "1 2 3", "six numbers"},
        {"NodeIds", "1 2 3 4 5 5", "node 5 is there twice"},
        {"NodeIds", "1 2 3 4 5 200", "six numbers of 1 to 127"},
        {"CommunicationPeriod", "0.6", "need 2.8"},
        {"CommunicationPeriod", "2", "expected 3.0 ms or more"},
        {"CommunicationPeriod", "30.5", "tenths up to 25.5 ms"},
        {"Bitrate", "500000", "expected"},
        {"Bitrate", "123456", "slcan has no 123456 bit/s"},
        {"CountsPerMetre", "0", "CountsPerMetre"},
        {"WatchdogTime", "15", "WatchdogTime: 15 ms are too few, expected 4 times"},
        {"SilenceTimeout", "15", "SilenceTimeout"},
    };
    for (size_t i = 0; i < DPL_COUNT(rows); i++) {
        set_device(
            (const char *const[]){"Address", "/nonexistent", rows[i].name, rows[i].value, NULL});
        fake_device_refuses(&fake, -EINVAL, rows[i].text);
        fake_device_end(&fake);
    }
    set_device((const char *const[]){"Address", "/nonexistent", NULL});
    fake_device_refuses(&fake, -ENOENT, "No such file");
}

Test(cia402, a_kernel_without_socketcan_says_so)
{
    struct dpl_diag error = {.text = ""};
    set_device((const char *const[]){"Address", "can:doppel-none", NULL});
    cr_assert_lt(device->driver->open(device, &error), 0);
    bool is_told = strstr(error.text, "this kernel has no SocketCAN") ||
                   strstr(error.text, "there is no such CAN interface");
    cr_assert(is_told, "%s", error.text);
}
