/* SPDX-License-Identifier: Apache-2.0 */
/* doppel emulate: emulates devices on their wire protocols. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/host/runtime.h>
#include <doppel/system_clock.h>

#include "../doppel/commands.h"
#include "can_line.h"
#include "devices.h"
#include "log_player.h"

enum device {
    DEVICE_KOBUKI,
    DEVICE_URG,
    DEVICE_FIRMATA,
    DEVICE_CIA402,
    N_DEVICES,
};

static const char *const devices[N_DEVICES] = {
    [DEVICE_KOBUKI] = "kobuki",
    [DEVICE_URG] = "urg",
    [DEVICE_FIRMATA] = "firmata",
    [DEVICE_CIA402] = "cia402",
};

struct values {
    const char *pty, *host;
    uint64_t tcp, seed;
    /* faults */
    struct option_list freeze, mute, unplug;
    double drop, garble, delay_ms, jitter_ms;
    /* truth */
    const char *world, *robot, *log;
    const char *left_motor, *right_motor, *left_encoder, *right_encoder, *laser;
    uint64_t serve;
    double speed, start_at, log_radius, log_axle, log_ticks;
    bool loop, exit;
    /* devices */
    struct {
        const char *firmware;
        double silence_ms;
        struct option_list presses;
    } kobuki;
    struct urg_options urg;
    struct firmata_options firmata;
    struct cia402_options cia402;
};

#define OPTION(name_, argument_, type_, member_, help_)                                            \
    .name = name_, .argument = argument_, .type = type_,                                           \
    .offset = offsetof(struct values, member_), .help = help_

static const struct option options[] = {
    {OPTION("pty", "LINK", OPTION_STRING, pty, "a pty under this symbolic link"), .values = "file"},
    {OPTION("tcp", "PORT", OPTION_COUNT, tcp, "urg, firmata, cia402: a TCP server instead"),
     .min = 1, .max = 65535},
    {OPTION("host", "ADDRESS", OPTION_STRING, host, "of --tcp (127.0.0.1)")},
    {OPTION("world", "WORLD", OPTION_STRING, world,
            "where the device is: a world's file or name, or tcp://host:port of a served one"),
     .values = "file"},
    {OPTION("robot", "NAME", OPTION_STRING, robot, "the device's robot in the world (robot)")},
    {OPTION("serve", "PORT", OPTION_COUNT, serve, "serve the world to other emulators"), .min = 1,
     .max = 65535},
    {OPTION("left-motor", "NAME", OPTION_STRING, left_motor, "in the world (LeftWheel)")},
    {OPTION("right-motor", "NAME", OPTION_STRING, right_motor, "in the world (RightWheel)")},
    {OPTION("left-encoder", "NAME", OPTION_STRING, left_encoder, "in the world (enc_left)")},
    {OPTION("right-encoder", "NAME", OPTION_STRING, right_encoder, "in the world (enc_right)")},
    {OPTION("laser", "NAME", OPTION_STRING, laser, "in the world (laser)")},
    {OPTION("log", "FILE", OPTION_STRING, log, "play a recorded robot instead of a world"),
     .values = "file"},
    {OPTION("speed", "X", OPTION_NUMBER, speed, "recorded seconds a second (1)"), .min = 0.01,
     .max = 100},
    {OPTION("start-at", "SECONDS", OPTION_NUMBER, start_at,
            "when the log begins, since 1970 (`date +%s.%N`); default: now")},
    {OPTION("loop", NULL, OPTION_FLAG, loop, "begin the log again at its end; else stand still")},
    {OPTION("exit", NULL, OPTION_FLAG, exit, "end with the log")},
    {OPTION("log-wheel-radius", "MM", OPTION_NUMBER, log_radius, "of the recorded robot (77)"),
     .min = 1, .max = 2000},
    {OPTION("log-axle", "MM", OPTION_NUMBER, log_axle, "of the recorded robot (330)"), .min = 1,
     .max = 5000},
    {OPTION("log-ticks", "N", OPTION_NUMBER, log_ticks, "a turn of its wheel (2000)"), .min = 1,
     .max = 1e7},
    {OPTION("model", "NAME", OPTION_STRING, urg.model, "urg: URG-04LX, UTM-30LX, UST-10LX"),
     .values = "URG-04LX|UTM-30LX|UST-10LX"},
    {OPTION("scip11", NULL, OPTION_FLAG, urg.is_scip11, "urg: starts in SCIP 1.1, until SCIP2.0")},
    {OPTION("firmware", "X.Y.Z", OPTION_STRING, kobuki.firmware,
            "kobuki: version it tells (1.2.0)")},
    {OPTION("silence", "MS", OPTION_NUMBER, kobuki.silence_ms,
            "kobuki: without a command for this long it stops (350)"),
     .min = 20, .max = 600},
    {OPTION("press", "PART[,FROM,TO]", OPTION_LIST, kobuki.presses,
            "kobuki: bumper_left, bumper_centre, bumper_right, cliff_..., wheel_drop_left, "
            "wheel_drop_right or button0 to button2 is pressed between these seconds, or all the "
            "time; may be repeated")},
    {OPTION("board", "NAME", OPTION_STRING, firmata.board, "firmata: uno or mega (uno)"),
     .values = "uno|mega"},
    {OPTION("wire", "A=B", OPTION_LIST, firmata.wires,
            "firmata: joins two pins, such as 9=A0; may be repeated")},
    {OPTION("input", "PIN=RATIO", OPTION_LIST, firmata.inputs,
            "firmata: a voltage at a pin, part of the reference; may be repeated")},
    {OPTION("echo", "PIN=US", OPTION_LIST, firmata.echoes,
            "firmata: a sensor that answers pings with pulses of this length; may be repeated")},
    {OPTION("axes", "N", OPTION_COUNT, cia402.axes, "cia402: drives on the bus, nodes 1 to N (6)"),
     .min = 1, .max = CAN_LINE_DRIVES_MAX},
    {OPTION("start", "'Q1 Q2 ...'", OPTION_STRING, cia402.start,
            "cia402: where the axes are, m (home of the machine HX-A)")},
    {OPTION("ends", "'LOW HIGH'", OPTION_STRING, cia402.ends,
            "cia402: end stops of all axes, m (of HX-A; of --start 1 m either way)")},
    {OPTION("top-speed", "M/S", OPTION_NUMBER, cia402.top_speed_m_s,
            "cia402: that the motors can run at, at most (2)"),
     .min = 0.01, .max = 100},
    {OPTION("counts", "N", OPTION_NUMBER, cia402.counts_per_m,
            "cia402: the drives' units a metre (1000000)"),
     .min = 1, .max = 1e9},
    {OPTION("rated-force", "N", OPTION_NUMBER, cia402.rated_force_n,
            "cia402: of an axis at the drive's rated torque (1000)"),
     .min = 1, .max = 1e6},
    {OPTION("missing-targets", "N", OPTION_COUNT, cia402.missing_targets,
            "cia402: N SYNCs in a row without a target are a fault (2; 0: never)"),
     .max = 1000},
    {OPTION("late-targets", "N", OPTION_COUNT, cia402.late_targets,
            "cia402: N periods of the drive's own clock without a target are a fault (0: never)"),
     .max = 1000},
    {OPTION("cut", "N,FROM,TO", OPTION_LIST, cia402.cuts,
            "cia402 fault: drive N is off the bus between these seconds; may be repeated")},
    {OPTION("block", "N,FROM,TO", OPTION_LIST, cia402.blocks,
            "cia402 fault: something holds axis N; likewise")},
    {OPTION("emergency", "N,AT", OPTION_LIST, cia402.emergencies,
            "cia402 fault: the encoder of drive N breaks at this second; likewise")},
    {OPTION("on-signal", NULL, OPTION_FLAG, cia402.faults_on_signal,
            "cia402: the seconds of --cut, --block and --emergency count from SIGUSR2")},
    {OPTION("drop", "P", OPTION_NUMBER, drop, "fault: each message is lost with probability P"),
     .max = 1},
    {OPTION("garble", "P", OPTION_NUMBER, garble, "fault: or up to 3 bytes of it are wrong"),
     .max = 1},
    {OPTION("delay", "MS", OPTION_NUMBER, delay_ms, "fault: each message is late"), .max = 10000},
    {OPTION("jitter", "MS", OPTION_NUMBER, jitter_ms, "fault: and up to this much later still"),
     .max = 10000},
    {OPTION("freeze", "FROM,TO", OPTION_LIST, freeze,
            "fault: neither hears nor speaks between these seconds; may be repeated")},
    {OPTION("mute", "FROM,TO", OPTION_LIST, mute, "fault: hears, but does not speak; likewise")},
    {OPTION("unplug", "FROM,TO", OPTION_LIST, unplug, "fault: the cable is out; likewise")},
    {OPTION("seed", "N", OPTION_COUNT, seed, "of the faults, and of the world (1)")},
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

static int fill_presses(const struct option_list *list, struct presses *presses,
                        struct dpl_diag *reterr)
{
    int err = 0;
    for (size_t i = 0; i < list->n && err == 0; i++) {
        err = presses_add(presses, list->items[i], reterr);
    }
    return err;
}

static struct truth_options truth_from(const struct values *values)
{
    struct truth_options truth = {
        .world = values->world,
        .robot = values->robot,
        .left_motor = values->left_motor,
        .right_motor = values->right_motor,
        .left_encoder = values->left_encoder,
        .right_encoder = values->right_encoder,
        .laser = values->laser,
        .seed = values->seed,
        .serve_port = values->serve,
        .log = values->log,
        .log_speed = values->speed,
        .log_wheel_radius_m = values->log_radius * 1e-3,
        .log_axle_m = values->log_axle * 1e-3,
        .log_ticks = values->log_ticks,
        .log_loops = values->loop,
        .epoch = dpl_monotonic_now(),
    };
    if (values->start_at != 0.0) {
        truth.log_start = dpl_ns_from_s(values->start_at) - dpl_calendar_now();
    }
    return truth;
}

static int read_firmware(const char *text, struct dpl_kobuki_version *ret_version,
                         struct dpl_diag *reterr)
{
    unsigned part[3];
    char rest;
    if (sscanf(text, "%3u.%3u.%3u%c", &part[0], &part[1], &part[2], &rest) != 3 || part[0] > 255 ||
        part[1] > 255 || part[2] > 255) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "--firmware: found '%s', expected a version such as 1.2.0", text);
    }
    *ret_version = dpl_kobuki_version_pack((uint8_t)part[0], (uint8_t)part[1], (uint8_t)part[2]);
    return 0;
}

/* Checks combinations of options. Returns NULL, or the error. */
static const char *conflict(const struct values *values, enum device device)
{
    const char *world = values->world;
    const struct firmata_options *board = &values->firmata;
    const struct cia402_options *drives = &values->cia402;
    bool has_tcp = device != DEVICE_KOBUKI;
    if (!values->pty && values->tcp == 0) {
        return has_tcp ? "expected --pty LINK or --tcp PORT" : "expected --pty LINK";
    }
    if (values->pty && values->tcp != 0) {
        return "--pty and --tcp exclude each other";
    }
    if (values->tcp != 0 && !has_tcp) {
        return "a Kobuki has no --tcp, expected --pty LINK";
    }
    if (device == DEVICE_FIRMATA && (world || values->log)) {
        return "a board has no --world and no --log, but --wire, --input and --echo";
    }
    if (device == DEVICE_CIA402 && (world || values->log)) {
        return "drives have no --world and no --log, but axes of their own";
    }
    if (device != DEVICE_CIA402 &&
        (drives->start || drives->ends ||
         drives->cuts.n + drives->blocks.n + drives->emergencies.n > 0)) {
        return "--start, --ends, --cut, --block and --emergency are of cia402";
    }
    if (device != DEVICE_KOBUKI && values->kobuki.presses.n > 0) {
        return "--press is of kobuki";
    }
    if (device != DEVICE_FIRMATA && board->wires.n + board->inputs.n + board->echoes.n > 0) {
        return "--wire, --input and --echo are of firmata";
    }
    if (world && values->log) {
        return "--world and --log exclude each other";
    }
    if (values->serve != 0 && (!world || strncmp(world, "tcp://", 6) == 0)) {
        return "--serve needs a --world of its own";
    }
    if ((values->exit || values->loop) && !values->log) {
        return "--exit and --loop need a --log";
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

static int fill_kobuki(const struct values *values, struct kobuki_options *ret_options,
                       struct dpl_diag *reterr)
{
    *ret_options = (struct kobuki_options){.base = kobuki_base_config_default()};
    ret_options->base.patience = dpl_ns_from_s(values->kobuki.silence_ms * 1e-3);
    int err = fill_presses(&values->kobuki.presses, &ret_options->presses, reterr);
    return err < 0 ? err
                   : read_firmware(values->kobuki.firmware, &ret_options->base.firmware, reterr);
}

int emulate_open_port(const struct emulate_options *emulate, struct session *session,
                      struct dpl_diag *reterr)
{
    session->epoch = emulate->truth.epoch;
    session->faults = faults_create(&emulate->faults);
    if (!session->faults) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    session_take_signals(session);
    struct port_events events = session_port_events(session);
    int err = emulate->tcp_port != 0
                  ? port_open_tcp(&session->loop, emulate->host, emulate->tcp_port, &events,
                                  &session->port, reterr)
                  : port_open_pty(&session->loop, emulate->pty, &events, &session->port, reterr);
    if (err == 0) {
        fprintf(stderr, "doppel emulate %s: at %s\n", session->name, session->port->name);
    }
    return err;
}

int emulate_open(const struct emulate_options *emulate, enum truth_device device,
                 struct session *session, struct truth **ret_truth, struct dpl_diag *reterr)
{
    int err = truth_open(&emulate->truth, device, ret_truth, reterr);
    return err < 0 ? err : emulate_open_port(emulate, session, reterr);
}

static int choose_device(const char *name)
{
    for (int i = 0; i < N_DEVICES; i++) {
        if (strcmp(name, devices[i]) == 0) {
            return i;
        }
    }
    const char *near = dpl_nearest(name, devices, N_DEVICES);
    fprintf(stderr, "doppel emulate: unknown device '%s', expected kobuki, urg, firmata or cia402",
            name);
    fprintf(stderr, near ? ", did you mean '%s'?\n" : "\n", near);
    return -1;
}

static int emulate(const struct values *values, enum device device,
                   const struct emulate_options *all, const struct kobuki_options *kobuki,
                   struct dpl_diag *reterr)
{
    switch (device) {
    case DEVICE_KOBUKI: return emulate_kobuki(all, kobuki, reterr);
    case DEVICE_URG: return emulate_urg(all, &values->urg, reterr);
    case DEVICE_FIRMATA: return emulate_firmata(all, &values->firmata, reterr);
    case DEVICE_CIA402: return emulate_cia402(all, &values->cia402, reterr);
    default: return -EINVAL;
    }
}

static int run_device(const struct values *values, enum device device)
{
    struct emulate_options all;
    struct kobuki_options kobuki;
    struct dpl_diag error = {0};
    if (fill(values, &all, &error) < 0 || fill_kobuki(values, &kobuki, &error) < 0) {
        fprintf(stderr, "doppel emulate: %s\n", error.text);
        return DPL_EXIT_USAGE;
    }
    if (emulate(values, device, &all, &kobuki, &error) < 0) {
        fprintf(stderr, "doppel emulate %s: ", devices[device]);
        dpl_diag_print(stderr, &error);
        return DPL_EXIT_BAD_INPUT;
    }
    return DPL_EXIT_DONE;
}

static int run(int argc, char **argv)
{
    struct values values = {
        .host = "127.0.0.1",
        .robot = "robot",
        .left_motor = "LeftWheel",
        .right_motor = "RightWheel",
        .left_encoder = "enc_left",
        .right_encoder = "enc_right",
        .laser = "laser",
        .urg.model = "URG-04LX",
        .firmata.board = "uno",
        .kobuki.firmware = "1.2.0",
        .speed = 1.0,
        .log_radius = 77.0,
        .log_axle = 330.0,
        .log_ticks = 2000.0,
        .kobuki.silence_ms = 350.0,
        .cia402.axes = 6,
        .cia402.missing_targets = 2,
        .cia402.counts_per_m = 1e6,
        .cia402.rated_force_n = 1000.0,
        .cia402.top_speed_m_s = 2.0,
        .seed = 1,
    };
    int n = options_parse(&command_emulate, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? DPL_EXIT_DONE : DPL_EXIT_USAGE;
    }
    int device = choose_device(argv[1]);
    if (device < 0) {
        return DPL_EXIT_USAGE;
    }
    const char *wrong = conflict(&values, (enum device)device);
    if (wrong) {
        fprintf(stderr, "doppel emulate %s: %s\n  `doppel emulate --help` shows how to use it\n",
                argv[1], wrong);
        return DPL_EXIT_USAGE;
    }
    return run_device(&values, (enum device)device);
}

const struct command command_emulate = {
    .name = "emulate",
    .operands = "kobuki|urg|firmata|cia402",
    .summary =
        "plays a device on the wire: a Kobuki base, a Hokuyo scanner, a Firmata board, drives",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 1,
    .more =
        "The device speaks its maker's protocol to whoever opens the pty or the port. What it\n"
        "senses comes from a robot in a world, from a log, or, with neither, from an ideal base\n"
        "and a scanner in a bare room. Two emulators share one world when one serves it\n"
        "(--serve 5600) and the other uses it (--world tcp://127.0.0.1:5600). A Firmata\n"
        "board has pins instead: --wire joins them, --input and --echo put something at them.\n"
        "CiA 402 drives are on a CAN bus whose adapter speaks slcan at the pty.\n"
        "SIGUSR1 pulls the cable and puts it in again; SIGINT and SIGTERM end it.\n",
    .run = run,
};
