/* SPDX-License-Identifier: Apache-2.0 */
/* doppel emulate: emulates devices on their wire protocols. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/host/runtime.h>
#include <doppel/system_clock.h>

#include "../doppel/commands.h"
#include "../doppel/common.h"
#include "background.h"
#include "device.h"
#include "device_list.h"
#include "log_player.h"
#include "observed.h"

#define NO_PORT UINT64_MAX

struct values {
    const char *pty, *host, *policy;
    uint64_t tcp, seed;
    /* faults */
    struct option_list freeze, mute, unplug;
    double drop, garble, delay_ms, jitter_ms;
    /* truth */
    const char *world, *robot, *log;
    uint64_t serve;
    double speed, start_at, log_radius, log_axle, log_ticks;
    bool loop, exit, background;
    /* who observes it */
    const char *record;
    int view; /* port; OBSERVE_NO_PORT: nobody */
    bool allow_control;
};

#define OPTION(name_, argument_, type_, member_, help_)                                            \
    .name = name_, .argument = argument_, .type = type_,                                           \
    .offset = offsetof(struct values, member_), .help = help_

static const struct option options[] = {
    {OPTION("pty", "LINK", OPTION_STRING, pty,
            "make a pty with this symbolic link; user:NAME: in a folder of this user"),
     .values = "file"},
    {OPTION("tcp", "PORT", OPTION_COUNT, tcp, "or serve a TCP port"), .min = 1, .max = 65535},
    {OPTION("host", "ADDRESS", OPTION_STRING, host, "address for --tcp (127.0.0.1)")},
    {OPTION("world", "WORLD", OPTION_STRING, world,
            "the world of the device: a file, a name, or tcp://host:port of a served world"),
     .values = "file"},
    {OPTION("robot", "NAME", OPTION_STRING, robot, "the device's robot in the world (robot)")},
    {OPTION("serve", "PORT", OPTION_COUNT, serve,
            "serve the world to other emulators (0: at any free port, which is printed)"),
     .max = 65535},
    {OPTION("log", "FILE", OPTION_STRING, log,
            "play a recorded robot instead of a world: its log, a recording or folder of a run"),
     .values = "file"},
    {OPTION("speed", "X", OPTION_NUMBER, speed, "speed of the recording; 2: twice as fast (1)"),
     .min = 0.01, .max = 100},
    {OPTION("start-at", "SECONDS", OPTION_NUMBER, start_at,
            "start time of the log, in seconds since 1970 (`date +%s.%N`); default: now")},
    {OPTION("loop", NULL, OPTION_FLAG, loop,
            "at the end of the log start again; otherwise the robot stands still")},
    {OPTION("exit", NULL, OPTION_FLAG, exit, "end the program at the end of the log")},
    {OPTION("log-wheel-radius", "MM", OPTION_NUMBER, log_radius, "of the recorded robot (77)"),
     .min = 1, .max = 2000},
    {OPTION("log-axle", "MM", OPTION_NUMBER, log_axle, "of the recorded robot (330)"), .min = 1,
     .max = 5000},
    {OPTION("log-ticks", "N", OPTION_NUMBER, log_ticks,
            "encoder ticks per turn of its wheel (2000)"),
     .min = 1, .max = 1e7},
    {OPTION("policy", "NAME", OPTION_STRING, policy,
            "scheduling policy; with fifo and rr its memory is locked, too"),
     .values = CLI_POLICIES},
    {OPTION("drop", "P", OPTION_NUMBER, drop, "fault: each message is lost with probability P"),
     .max = 1},
    {OPTION("garble", "P", OPTION_NUMBER, garble,
            "fault: up to 3 bytes of a message are wrong with probability P"),
     .max = 1},
    {OPTION("delay", "MS", OPTION_NUMBER, delay_ms, "fault: each message is delayed by this time"),
     .max = 10000},
    {OPTION("jitter", "MS", OPTION_NUMBER, jitter_ms,
            "fault: each message is delayed by a random time up to this"),
     .max = 10000},
    {OPTION("freeze", "FROM,TO", OPTION_LIST, freeze,
            "fault: neither receives nor sends between these seconds; may be repeated")},
    {OPTION("mute", "FROM,TO", OPTION_LIST, mute,
            "fault: receives, but does not send, between these seconds; may be repeated")},
    {OPTION("unplug", "FROM,TO", OPTION_LIST, unplug,
            "fault: the cable is disconnected between these seconds; may be repeated")},
    {OPTION("background", NULL, OPTION_FLAG, background,
            "return when the device is there and go on in the background; the process is printed")},
    {OPTION("view", "[PORT]", OPTION_PORT, view,
            "serve viewers on this machine (default port 8765; 0: a free one)"),
     .max = 65535},
    {OPTION("allow-control", NULL, OPTION_FLAG, allow_control,
            "with --view: viewers may switch faults")},
    {OPTION("record", "FILE", OPTION_STRING, record, "record what viewers see, as FILE.mcap"),
     .values = "file"},
    {OPTION("seed", "N", OPTION_COUNT, seed, "seed of the faults and of the world (1)")},
};

static int fill_windows(const struct option_list *list, const char *name,
                        struct faults_windows *windows, struct dpl_diag *reterr)
{
    int err = 0;
    for (size_t i = 0; i < list->n && err == 0; i++) {
        err = faults_add_window(windows, name, list->items[i], reterr);
    }
    return err;
}

static int fill_faults(const struct values *values, struct faults_config *faults,
                       struct dpl_diag *reterr)
{
    *faults = (struct faults_config){
        .drop = values->drop,
        .garble = values->garble,
        .delay = dpl_ns_from_s(values->delay_ms * 1e-3),
        .jitter = dpl_ns_from_s(values->jitter_ms * 1e-3),
        .seed = values->seed,
    };
    int err = fill_windows(&values->freeze, "freeze", &faults->freeze, reterr);
    if (err == 0) {
        err = fill_windows(&values->mute, "mute", &faults->mute, reterr);
    }
    return err < 0 ? err : fill_windows(&values->unplug, "unplug", &faults->unplug, reterr);
}

static struct truth_options truth_from(const struct values *values)
{
    struct truth_options truth = {
        .robot = {.world = values->world,
                  .robot = values->robot,
                  .seed = values->seed,
                  .serves = values->serve != NO_PORT,
                  .serve_port = (uint16_t)values->serve,
                  .is_shown = values->record || values->view != OBSERVE_NO_PORT,
                  .epoch = dpl_monotonic_now()},
        .log = values->log,
        .log_speed = values->speed,
        .log_wheel_radius_m = values->log_radius * 1e-3,
        .log_axle_m = values->log_axle * 1e-3,
        .log_ticks = values->log_ticks,
        .log_loops = values->loop,
    };
    if (values->start_at != 0.0) {
        truth.log_start = dpl_ns_from_s(values->start_at) - dpl_calendar_now();
    }
    return truth;
}

/* Checks combinations of options. Returns NULL, or the error. */
static const char *conflict(const struct values *values, const struct emulated_device *device)
{
    if (!values->pty && values->tcp == 0) {
        return device->no_tcp ? "expected --pty LINK" : "expected --pty LINK or --tcp PORT";
    }
    if (values->pty && values->tcp != 0) {
        return "--pty and --tcp exclude each other";
    }
    if (values->tcp != 0 && device->no_tcp) {
        return device->no_tcp;
    }
    if (values->world && device->no_world) {
        return device->no_world;
    }
    if (values->log && device->no_log) {
        return device->no_log;
    }
    if (values->world && values->log) {
        return "--world and --log exclude each other";
    }
    if (values->serve != NO_PORT && (!values->world || strncmp(values->world, "tcp://", 6) == 0)) {
        return "--serve needs a --world of its own";
    }
    if ((values->exit || values->loop) && !values->log) {
        return "--exit and --loop need a --log";
    }
    if (values->allow_control && values->view == OBSERVE_NO_PORT) {
        return "--allow-control needs --view";
    }
    return NULL;
}

static int fill(const struct values *values, struct emulate_options *ret_options,
                struct dpl_diag *reterr)
{
    *ret_options = (struct emulate_options){
        .pty = values->pty,
        .host = values->host,
        .tcp_port = (int)values->tcp,
        .truth = truth_from(values),
        .exits_at_end = values->exit,
    };
    return fill_faults(values, &ret_options->faults, reterr);
}

int emulate_open_port(const struct emulate_options *emulate, struct session *session,
                      struct dpl_diag *reterr)
{
    session->epoch = emulate->truth.robot.epoch;
    session->world = emulate->truth.robot.world;
    session->ready_fd = emulate->ready_fd;
    session->faults = faults_create(&emulate->faults);
    if (!session->faults) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    session_handle_signals(session);
    struct port_events events = session_port_events(session);
    int err = emulate->tcp_port != 0
                  ? port_open_tcp(&session->loop, emulate->host, emulate->tcp_port, &events,
                                  &session->port, reterr)
                  : port_open_pty(&session->loop, emulate->pty, &events, &session->port, reterr);
    if (err == 0) {
        cli_lock_memory("emulate", emulate->policy);
    }
    return err;
}

int emulate_open(const struct emulate_options *emulate, const struct truth_options *truth,
                 enum truth_device device, struct session *session, struct truth **ret_truth,
                 struct dpl_diag *reterr)
{
    int err = truth_open(truth, device, ret_truth, reterr);
    return err < 0 ? err : emulate_open_port(emulate, session, reterr);
}

/* ---- running ---- */

static bool is_observed(const struct observe_wanted *wanted)
{
    return wanted->self.view != OBSERVE_NO_PORT || wanted->self.record;
}

/* Until a signal ends it. */
static int run_open(struct session *session, const struct emulate_options *all,
                    const struct emulated_device *device, struct dpl_diag *reterr)
{
    int err = is_observed(all->observed)
                  ? observed_start(all->observed, device, all->faults.seed, session, reterr)
                  : 0;
    if (err < 0) {
        return err;
    }
    session_announce(session);
    err = session_run(session, reterr);
    struct dpl_diag why = {0}; /* the session's comes first: both tell of a world that has ended */
    int failure = observed_stop(session->observed, &why);
    device->print_summary(session);
    if (err == 0 && failure < 0) {
        *reterr = why;
        err = failure;
    }
    return err;
}

/* 0; or -errno, with reterr if its reason is not printed yet. */
static int run_session(struct session *session, const struct emulate_options *all,
                       const struct emulated_device *device, const void *own,
                       struct dpl_diag *reterr)
{
    int err = session_init(session, device->ops, session);
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){0}, "no event loop: %s", uv_strerror(err));
    }
    session->name = device->set.name;
    err = device->open(session, all, own, reterr);
    err = err < 0 ? err : run_open(session, all, device, reterr);
    session_finish(session);
    observed_destroy(session->observed);
    if (device->close) {
        device->close(session);
    }
    return err;
}

static int run_device(const struct values *values, const struct emulated_device *device,
                      const void *own)
{
    struct emulate_options all;
    const struct observe_wanted observed = {"emulate",
                                            {.record = values->record,
                                             .view = values->view,
                                             .allow_control = values->allow_control,
                                             .tell = stderr},
                                            NULL};
    struct dpl_diag error = {0};
    if (values->record && !observe_may_record("emulate", values->record, NULL)) {
        return DPL_EXIT_USAGE;
    }
    if (fill(values, &all, &error) < 0 || (device->check && device->check(own, &error) < 0)) {
        fprintf(stderr, "doppel emulate: %s\n", error.text);
        return DPL_EXIT_USAGE;
    }
    all.observed = &observed;
    if (cli_policy("emulate: --policy", values->policy, &all.policy) < 0) {
        return DPL_EXIT_USAGE;
    }
    if (values->background) {
        int code = background_start(device->set.name, &all.ready_fd);
        if (code >= 0) {
            return code;
        }
    }
    cli_enter_real_time("emulate", all.policy);
    struct session *session = calloc(1, device->size);
    int err = session ? run_session(session, &all, device, own, &error)
                      : dpl_fail(&error, -ENOMEM, (struct dpl_place){0}, "out of memory");
    free(session);
    if (err < 0 && error.text[0]) {
        fprintf(stderr, "doppel emulate %s: ", device->set.name);
        dpl_diag_print(stderr, &error);
    }
    if (err < 0) {
        return err == -ERANGE ? DPL_EXIT_FAULT : DPL_EXIT_BAD_INPUT;
    }
    return DPL_EXIT_DONE;
}

static int run_parsed(const struct values *values, const char *name, void *const *own)
{
    int number = devices_find(name);
    if (number < 0 || devices_refuse_foreign(number, own)) {
        return DPL_EXIT_USAGE;
    }
    const struct emulated_device *device = emulated_devices[number];
    const char *wrong = conflict(values, device);
    if (wrong) {
        fprintf(stderr, "doppel emulate %s: %s\n  `doppel emulate --help` shows how to use it\n",
                name, wrong);
        return DPL_EXIT_USAGE;
    }
    return run_device(values, device, own[number]);
}

static int run(int argc, char **argv)
{
    struct values values = {
        .host = "127.0.0.1",
        .robot = "robot",
        .serve = NO_PORT,
        .speed = 1.0,
        .log_radius = 77.0,
        .log_axle = 330.0,
        .log_ticks = 2000.0,
        .seed = 1,
        .view = OBSERVE_NO_PORT,
    };
    void **own = devices_create_values();
    if (!own) {
        fprintf(stderr, "doppel emulate: out of memory\n");
        return DPL_EXIT_BAD_INPUT;
    }
    int n = options_parse_sets(&command_emulate, argc, argv, &values, own);
    int code = n == -2 ? DPL_EXIT_DONE : DPL_EXIT_USAGE;
    if (n >= 0) {
        code = run_parsed(&values, argv[1], own);
    }
    devices_destroy_values(own);
    return code;
}

const struct command command_emulate = {
    .name = "emulate",
    .operands = "DEVICE",
    .summary =
        "emulates a device with its wire protocol; the devices and their options are listed below",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .set = devices_set,
    .min_operands = 1,
    .max_operands = 1,
    .more =
        "The device uses its maker's protocol on the pty or the port. Its measurements come from\n"
        "a robot in a world or from a log; without both, from an ideal base and a scanner in an\n"
        "empty room. Two emulators share one world when one serves it (--serve 5600) and the\n"
        "other uses it (--world tcp://127.0.0.1:5600). A Firmata board has pins: --wire connects\n"
        "them, --input and --echo connect voltages and sensors. CiA 402 drives are on a CAN bus;\n"
        "its adapter uses slcan on the pty. SIGUSR1 disconnects the cable and connects it again;\n"
        "SIGINT and SIGTERM end the emulator. --view shows what it counts, its world and its "
        "faults.\n",
    .run = run,
};
