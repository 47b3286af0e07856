/* SPDX-License-Identifier: Apache-2.0 */
/* The driver `cia402` against `doppel emulate cia402` over a real pty. The control thread's loop is
 * turned by the test itself, and every millisecond it does a cycle of the application. DOPPEL_EXE
 * names the program. Each wait ends with what is waited for, or as a failure after seconds.
 *
 * Two processes and the wall clock: either may not run for some 100 ms when the machine is loaded.
 * So faults are caused when the test says so, not at a second of the emulator's, and the timeouts
 * (how long which takes is tested on a clock of its own, `emulate cia402_bus`) are patient. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include <criterion/criterion.h>

#include <doppel/drv/axes.h>
#include <doppel/plugin.h>

#include "control.h"
#include "free_port.h"
#include "log.h"
#include "runtime.h"
#include "stream.h"

#define WAIT_MS  8000
#define CYCLE    DPL_MS
#define ARGS_MAX 20

static struct dpl_runtime runtime;
static struct dpl_device device;
static bool lost;
static int n_lost, n_found;
static char why[240], said[2000];
static char folder[32], link_path[64];
static pid_t emulator;
static dpl_ns deadline;

/* What the application does in its cycles. */
static struct {
    bool runs, follows;
    bool is_late; /* its executor, as the runtime sees it */
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

/* ---- the runtime, as far as the driver meets it ---- */

int dpl_device_open_stream(struct dpl_device *d, const struct dpl_stream_config *config,
                           struct dpl_stream **ret_stream, struct dpl_diag *reterr)
{
    struct dpl_stream_config quick = *config;
    quick.retry_min_ms = 5;
    quick.retry_max_ms = 50;
    return dpl__stream_open(&runtime, d->name, &quick, ret_stream, reterr);
}

dpl_ns dpl_device_now(const struct dpl_device *d)
{
    return dpl__runtime_now(&runtime);
}

bool dpl_device_is_lost(const struct dpl_device *d)
{
    return lost;
}

bool dpl_device_is_commanded(const struct dpl_device *d)
{
    return !app.is_late;
}

void dpl_device_lost(struct dpl_device *d, const char *format, ...)
{
    va_list args;
    if (lost) {
        return;
    }
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    n_lost++;
    lost = true;
}

void dpl_device_found(struct dpl_device *d)
{
    n_found += lost;
    lost = false;
}

void dpl_device_log(struct dpl_device *d, enum dpl_log_level level, const char *format, ...)
{
    size_t n = strlen(said);
    va_list args;
    va_start(args, format);
    vsnprintf(said + n, sizeof said - n, format, args);
    va_end(args);
    strncat(said, "\n", sizeof said - strlen(said) - 1);
}

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
    dpl_ns now = dpl__runtime_now(&runtime);
    struct dpl_tick tick = {.now = now, .period = CYCLE};
    if (!app.runs || !device.driver) {
        return;
    }
    dpl_axes_execute(&device, &tick);
    if (dpl_axes_read(&device, &state) == 0) {
        measure_lag(now);
    }
    if (app.follows) {
        struct dpl_axes_reference r = reference_at(now + CYCLE);
        app.refused = dpl_axes_follow(&device, &r);
    }
    dpl_axes_finish(&device, &tick);
}

static void follow_from_here(double amplitude_m, double frequency_hz)
{
    memcpy(app.centre_m, state.position_m, sizeof app.centre_m);
    app.amplitude_m = amplitude_m;
    app.frequency_hz = frequency_hz;
    app.since = dpl__runtime_now(&runtime);
    app.follows = true;
}

/* ---- time ---- */

static void on_look(uv_timer_t *timer)
{
    bool *late = timer->data;
    *late = dpl_monotonic_now() >= deadline;
    cycle();
}

/* Turns the loop until `holds`, a cycle each millisecond; false when it does not within `ms`. */
static bool until(bool (*holds)(void), uint64_t ms)
{
    uv_loop_t *loop = dpl__control_loop(runtime.control);
    bool late = false;
    uv_timer_t look;
    deadline = dpl_monotonic_now() + (dpl_ns)ms * DPL_MS;
    uv_timer_init(loop, &look);
    look.data = &late;
    uv_timer_start(&look, on_look, 1, 1);
    while (!late && !(holds && holds())) {
        uv_run(loop, UV_RUN_ONCE);
    }
    uv_close((uv_handle_t *)&look, NULL);
    uv_run(loop, UV_RUN_NOWAIT);
    return holds ? holds() : true;
}

#define UNTIL(holds)                                                                               \
    cr_assert(until(holds, WAIT_MS), #holds " not within %d ms: %s%s", WAIT_MS, said, why)
#define PASS(ms) until(NULL, ms)

/* ---- setting up ---- */

extern const struct dpl_plugin dpl_plugin;

/* `sets`: names and values in turn, NULL ends. */
static int open_device(const char *const *sets, struct dpl_diag *reterr)
{
    const struct dpl_driver *driver = dpl_plugin.driver;
    void *properties = calloc(1, driver->properties_size);
    dpl_fields_set_defaults(driver->properties, driver->n_properties, properties);
    device = (struct dpl_device){.name = "axes",
                                 .driver = driver,
                                 .properties = properties,
                                 .state = calloc(1, driver->state_size)};
    for (; *sets; sets += 2) {
        const struct dpl_field *field =
            dpl_field_find(driver->properties, driver->n_properties, sets[0]);
        struct dpl_field_text text = {.text = sets[1]};
        cr_assert_not_null(field, "%s", sets[0]);
        cr_assert_eq(dpl_field_parse(field, &text, properties, NULL), 0, "%s", sets[0]);
    }
    return driver->open(&device, reterr);
}

#define OPEN_WITH(...)                                                                             \
    cr_assert_eq(                                                                                  \
        open_device((const char *const[]){"Address", link_path, __VA_ARGS__, NULL}, NULL), 0)
#define PATIENT                                                                                    \
    "SilenceTimeout", "2000", "ProcessDataTimeout", "2000", "WatchdogTime", "2000",                \
        "ReferenceTimeout", "2000", "FollowingErrorWindow", "1"
#define OPEN() OPEN_WITH(PATIENT)

static void close_device(void)
{
    if (device.driver) {
        device.driver->close(&device);
        free((void *)(uintptr_t)device.properties);
        free(device.state);
        device.driver = NULL;
        app.runs = false;
    }
}

static double exported(const char *name)
{
    const struct dpl_driver *driver = device.driver;
    const struct dpl_field *field = dpl_field_find(driver->exports, driver->n_exports, name);
    cr_assert_not_null(field, "%s", name);
    return dpl_field_number(field, device.state);
}

static bool link_is_there(void)
{
    struct stat info;
    return stat(link_path, &info) == 0;
}

static void begin(void)
{
    strcpy(folder, "/tmp/doppel-cia-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(link_path, sizeof link_path, "%s/can", folder);
    runtime.real_epoch = dpl_monotonic_now();
    runtime.options.log = fopen("/dev/null", "w");
    cr_assert_eq(dpl__log_create(&runtime), 0);
    cr_assert_eq(dpl__control_create(&runtime, NULL), 0);
    app.runs = true;
    app.axis = -1;
}

static void end_emulator(int number)
{
    if (emulator > 0) {
        kill(emulator, number);
        waitpid(emulator, NULL, 0);
        emulator = 0;
    }
}

static void end(void)
{
    close_device();
    end_emulator(SIGTERM);
    dpl__control_destroy(runtime.control);
    dpl__log_destroy(runtime.log);
    fclose(runtime.options.log);
    unlink(link_path);
    rmdir(folder);
}

/* The words end with NULL. */
static void start_emulator(const char *const *words)
{
    const char *args[ARGS_MAX] = {getenv("DOPPEL_EXE"), "emulate", "cia402"};
    cr_assert_not_null(args[0], "DOPPEL_EXE is not set");
    for (int i = 0; words[i]; i++) {
        args[3 + i] = words[i];
    }
    emulator = fork();
    if (emulator == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 1);
        if (!getenv("TELL")) {
            dup2(null, 2);
        }
        execv(args[0], (char *const *)(uintptr_t)args);
        _exit(127);
    }
}

#define EMULATE_WITH(...)                                                                          \
    do {                                                                                           \
        start_emulator((const char *const[]){"--pty", link_path, "--missing-targets", "0",         \
                                             __VA_ARGS__, NULL});                                  \
        UNTIL(link_is_there);                                                                      \
    } while (0)
#define EMULATE() EMULATE_WITH("--seed", "1")

/* The faults that its words name begin now. */
static void cause_faults(void)
{
    cr_assert_eq(kill(emulator, SIGUSR2), 0);
}

/* ---- what is waited for ---- */

static bool is_valid(void)
{
    return state.valid && !lost;
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
    return lost;
}

static bool is_found(void)
{
    return !lost && n_found > 0;
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
    return strstr(said, "no cycle of the application") != NULL;
}

static bool has_measured_enough(void)
{
    return lag.samples >= 125;
}

static void switch_on(void)
{
    UNTIL(is_valid);
    cr_assert_eq(dpl_axes_enable(&device), 0);
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
    cr_assert_eq(dpl_axes_follow(&device, &r), -EPERM);
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
    cr_assert(is_on(), "%s", said);
    cr_assert_lt(lag.worst_m, 0.002, "%g m", lag.worst_m);
    cr_assert_eq(dpl_axes_disable(&device), 0);
    cr_assert_eq(dpl_axes_read(&device, &state), 0);
    cr_assert_eq(state.mode, DPL_AXES_STOPPING);
    UNTIL(is_off);
    cr_assert(rests());
    cr_assert_eq(exported("dropped_bytes"), 0.0);
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
    cr_assert_eq(dpl_axes_stop(&device), 0);
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
    cr_assert_not_null(strstr(why, "axis 3 (node 3): silent for"), "%s", why);
    cr_assert_eq(dpl_axes_read(&device, &state), -ENODEV);
    app.follows = false;
    UNTIL(is_found);
    UNTIL(is_off);
    cr_assert(rests());
    cr_assert_eq(exported("losses"), 1.0);
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
    cr_assert_not_null(strstr(said, "axis 5 (node 5): emergency 7300, sensor"), "%s", said);
    cr_assert_not(lost);
    UNTIL(rests);
    cr_assert_eq(app.refused, -EPERM);
    app.follows = false;
    cr_assert_eq(dpl_axes_enable(&device), -EPERM);
    cr_assert_eq(dpl_axes_reset(&device), 0);
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
    kill(emulator, SIGUSR1); /* pulls the cable */
    UNTIL(is_lost);
    cr_assert_not_null(strstr(why, link_path), "%s", why);
    app.follows = false;
    kill(emulator, SIGUSR1);
    UNTIL(is_found);
    UNTIL(is_off);
    UNTIL(is_valid);
    n_found = 0;
    end_emulator(SIGKILL);
    UNTIL(is_lost);
    unlink(link_path);
    EMULATE();
    UNTIL(is_found);
    switch_on();
    cr_assert_eq(exported("reconnects"), 2.0);
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
    app.is_late = true; /* in the midst of its cycles: what it still says counts no more */
    UNTIL(is_off);
    cr_assert(rests());
    cr_assert_not_null(strstr(said, "no command in time: stopping"), "%s", said);
    double there = state.position_m[0];
    cr_assert_eq(app.refused, -EPERM);
    app.is_late = false;
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
    cr_assert(is_on(), "%s%s", said, why);
    cr_assert_not(lost, "%s", why);
    cr_assert_gt(exported("dropped_bytes") + exported("missed"), 0.0);
}

Test(cia402, a_port_where_nobody_speaks_slcan_is_lost_with_that_reason)
{
    EMULATE_WITH("--mute", "0,60");
    OPEN();
    UNTIL(is_lost);
    cr_assert_not_null(strstr(why, "nothing on this port speaks slcan"), "%s", why);
}

Test(cia402, an_adapter_may_be_behind_tcp)
{
    char port[8], address[40];
    int number = free_port();
    snprintf(port, sizeof port, "%d", number);
    snprintf(address, sizeof address, "tcp://127.0.0.1:%d", number);
    start_emulator((const char *const[]){"--tcp", port, "--missing-targets", "0", NULL});
    const char *const sets[] = {"Address", address, PATIENT, NULL};
    bool is_open = false;
    for (int i = 0; i < 500 && !is_open; i++) {
        app.runs = false;
        PASS(5);
        struct dpl_diag error;
        is_open = open_device(sets, &error) == 0;
        if (!is_open) {
            free((void *)(uintptr_t)device.properties);
            free(device.state);
            device.driver = NULL;
        }
    }
    app.runs = true;
    cr_assert(is_open);
    switch_on();
    follow_from_here(0.05, 1.0);
    UNTIL(moves);
}

Test(cia402, a_missing_drive_is_named)
{
    EMULATE_WITH("--axes", "5", "--start", "0 0 0 0 0");
    OPEN_WITH(PATIENT, "StartTimeout", "1000");
    UNTIL(is_lost);
    cr_assert_not_null(strstr(why, "axis 6 (node 6)"), "%s", why);
}

Test(cia402, closing_leaves_the_drives_stopped)
{
    EMULATE();
    OPEN();
    switch_on();
    follow_from_here(0.1, 1.0);
    UNTIL(moves);
    close_device();
    app.follows = false;
    memset(&state, 0, sizeof state);
    OPEN();
    app.runs = true;
    UNTIL(is_valid);
    cr_assert(rests(), "axis 1 moves at %g m/s", state.velocity_m_s[0]);
    cr_assert(is_off());
}

/* ---- what cannot be ---- */

static void refuse(const char *name, const char *value, const char *text)
{
    struct dpl_diag error = {0};
    const char *const sets[] = {"Address", "/nonexistent", name, value, NULL};
    cr_assert_lt(open_device(sets, &error), 0, "%s", name);
    cr_assert_not_null(strstr(error.text, text), "%s", error.text);
    free((void *)(uintptr_t)device.properties);
    free(device.state);
    device.driver = NULL;
}

Test(cia402, settings_that_cannot_be_are_refused_with_what_can)
{
    refuse("NodeIds", "1 2 3", "six numbers");
    refuse("NodeIds", "1 2 3 4 5 5", "node 5 is there twice");
    refuse("NodeIds", "1 2 3 4 5 200", "six numbers of 1 to 127");
    refuse("CommunicationPeriod", "0.6", "need 2.8");
    refuse("CommunicationPeriod", "2", "expected 3.0 ms or more");
    refuse("CommunicationPeriod", "30.5", "tenths up to 25.5 ms");
    refuse("Bitrate", "500000", "expected");
    refuse("Bitrate", "123456", "slcan has no 123456 bit/s");
    refuse("CountsPerMetre", "0", "CountsPerMetre");
    refuse("WatchdogTime", "15", "WatchdogTime: 15 ms are too few, expected 4 times");
    refuse("SilenceTimeout", "15", "SilenceTimeout");
    refuse("Address", "/nonexistent", "No such file");
}

Test(cia402, a_kernel_without_socketcan_says_so)
{
    struct dpl_diag error = {0};
    const char *const sets[] = {"Address", "can:doppel-none", NULL};
    cr_assert_lt(open_device(sets, &error), 0);
    bool is_told = strstr(error.text, "this kernel has no SocketCAN") ||
                   strstr(error.text, "there is no such CAN interface");
    cr_assert(is_told, "%s", error.text);
    free((void *)(uintptr_t)device.properties);
    free(device.state);
    device.driver = NULL;
}
