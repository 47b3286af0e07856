/* SPDX-License-Identifier: Apache-2.0 */
/* delta_controller: the control unit of a delta robot, as a process of its own. It knows the robot
 * by its encoders and motors only, and reaches it over TCP (docs/guides/controllers.md). Exit
 * codes: 0 done, 1 bad input, 2 usage, 3 the world or the robot failed. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "delta_loop.h"
#include "doppel_hil.h"

static const char usage_text[] =
    "usage: delta_controller [options]\n"
    "  --host HOST          of the world (default 127.0.0.1)\n"
    "  --port PORT          as `doppel sim WORLD --controllers PORT` said (default 5600)\n"
    "  --robot NAME         of the robot in the world (default delta)\n"
    "  --free               the world does not wait for this controller\n"
    "  --every N            steps of the world from one command to the next (default 1)\n"
    "  --seconds S          of the world's time, then stop (default 10)\n"
    "  --bandwidth W        of the control, rad/s (default 200)\n"
    "  --truth              also read where the platform really is, and say how far it is off\n"
    "  --param NAME=VALUE   another parameter of the robot (delta_kinematics --help lists them)\n";

struct arguments {
    struct doppel_hil_options hil;
    const char *robot;
    double seconds, bandwidth_rad_s;
    bool truth;
    struct dpl_delta delta;
    double z0;
};

static volatile sig_atomic_t asked_to_stop;

static void on_signal(int number)
{
    (void)number;
    asked_to_stop = 1;
}

/* ---- arguments ---- */

static int parse_parameter(struct arguments *arguments)
{
    char name[16];
    double value;
    if (command_line_parameter(name, &value)) {
        return 1;
    }
    if (strcmp(name, "Z0") == 0) {
        arguments->z0 = value;
        return 0;
    }
    return dpl_delta_set(&arguments->delta, name, value) == 0
               ? 0
               : command_line_bad("--param", "there is no such parameter");
}

/* The exit code, or 0. */
static int parse_option(int option, void *into)
{
    struct arguments *arguments = into;
    double number;
    int code = 0;
    switch (option) {
    case 'H': arguments->hil.host = optarg; break;
    case 'p':
        code = command_line_number("--port", 1, 65535, &number);
        arguments->hil.port = code ? 0 : (uint16_t)number;
        break;
    case 'r': arguments->robot = optarg; break;
    case 'f': arguments->hil.lock_step = 0; break;
    case 'e':
        code = command_line_number("--every", 1, 1e6, &number);
        arguments->hil.every = code ? 1 : (uint32_t)number;
        break;
    case 's': code = command_line_number("--seconds", 0.001, 1e6, &arguments->seconds); break;
    case 'b': code = command_line_number("--bandwidth", 1, 1e4, &arguments->bandwidth_rad_s); break;
    case 't': arguments->truth = true; break;
    case 'P': code = parse_parameter(arguments); break;
    default: code = 2;
    }
    return code;
}

static const struct option options[] = {
    {"host", required_argument, NULL, 'H'},
    {"port", required_argument, NULL, 'p'},
    {"robot", required_argument, NULL, 'r'},
    {"free", no_argument, NULL, 'f'},
    {"every", required_argument, NULL, 'e'},
    {"seconds", required_argument, NULL, 's'},
    {"bandwidth", required_argument, NULL, 'b'},
    {"truth", no_argument, NULL, 't'},
    {"param", required_argument, NULL, 'P'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

/* ---- the connection ---- */

struct unit {
    struct doppel_hil *hil;
    int encoders[DPL_DELTA_ARMS], motors[DPL_DELTA_ARMS];
    int platform, base; /* poses; -1: not asked for */
    struct delta_loop loop;
    double begin_s;
    double square_sum, max; /* of the platform, m */
    long n;
};

static int ask(struct unit *unit, const struct arguments *arguments)
{
    char path[192];
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        snprintf(path, sizeof path, "%.100s/encoder%d/count", arguments->robot, i);
        unit->encoders[i] = doppel_hil_sensor(unit->hil, path, NULL);
        snprintf(path, sizeof path, "%.100s/motor%d/current", arguments->robot, i);
        unit->motors[i] = doppel_hil_command(unit->hil, path, "A");
    }
    unit->platform = unit->base = -1;
    if (arguments->truth) {
        snprintf(path, sizeof path, "%.100s/platform/pose", arguments->robot);
        unit->platform = doppel_hil_sensor(unit->hil, path, NULL);
        snprintf(path, sizeof path, "%.100s/base/pose", arguments->robot);
        unit->base = doppel_hil_sensor(unit->hil, path, NULL);
    }
    return doppel_hil_begin(unit->hil);
}

static void read_counts(const struct unit *unit, int32_t *ret_counts)
{
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        ret_counts[i] = (int32_t)doppel_hil_get_integer(unit->hil, unit->encoders[i], 0);
    }
}

static int send_currents(struct unit *unit, const double *currents_a)
{
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        doppel_hil_set(unit->hil, unit->motors[i], 0, currents_a[i]);
    }
    return doppel_hil_send(unit->hil);
}

/* How far the platform is from where the path has it. The base must not be turned. */
static void measure_platform(struct unit *unit)
{
    double square = 0.0;
    for (size_t k = 0; k < 3; k++) {
        double way = doppel_hil_get(unit->hil, unit->platform, k) -
                     doppel_hil_get(unit->hil, unit->base, k) - unit->loop.reference.p[k];
        square += way * way;
    }
    unit->square_sum += square;
    unit->max = fmax(unit->max, sqrt(square));
    unit->n++;
}

static int start(struct unit *unit, const struct arguments *arguments)
{
    int32_t counts[DPL_DELTA_ARMS];
    const char *what = "";
    if (doppel_hil_wait(unit->hil, 5000) != 1) {
        return 3;
    }
    struct delta_loop *loop = &unit->loop;
    delta_loop_init(loop, doppel_hil_period(unit->hil));
    loop->control.delta = arguments->delta;
    loop->control.bandwidth_rad_s = arguments->bandwidth_rad_s;
    loop->control.path.pick_m[2] = loop->control.path.place_m[2] = arguments->z0;
    read_counts(unit, counts);
    if (delta_loop_start(loop, counts, &what) < 0) {
        fprintf(stderr, "delta_controller: cannot follow the path: %s\n", what);
        return 1;
    }
    unit->begin_s = doppel_hil_time(unit->hil);
    return 0;
}

/* One frame: from the sensors that have come to the currents. The exit code, or 0. */
static int step(struct unit *unit)
{
    int32_t counts[DPL_DELTA_ARMS];
    double currents_a[DPL_DELTA_ARMS];
    double at_s = doppel_hil_time(unit->hil) - unit->begin_s;
    read_counts(unit, counts);
    int err = delta_loop_step(&unit->loop, at_s, counts, currents_a);
    if (send_currents(unit, currents_a) < 0) {
        return 3;
    }
    if (err) {
        fprintf(stderr, "delta_controller: at %.4f s the arms stand as no delta can\n", at_s);
        return 3;
    }
    if (unit->platform >= 0 && at_s >= unit->loop.control.approach_s) {
        measure_platform(unit);
    }
    return 0;
}

static void print_report(const struct unit *unit, double seconds)
{
    const struct delta_errors *errors = &unit->loop.errors;
    double n = errors->n > 0 ? (double)errors->n : 1.0;
    printf("%.3f s of world '%s', a command every %g ms, %u late, %u dropped\n", seconds,
           doppel_hil_world(unit->hil), 1e3 * unit->loop.period_s, doppel_hil_late(unit->hil),
           doppel_hil_dropped(unit->hil));
    printf("joints: %.3e rad rms, %.3e rad at most; feedback %.3e Nm rms\n",
           sqrt(errors->square_sum / n), errors->max, sqrt(errors->correction_sum / n));
    if (unit->n > 0) {
        printf("platform: %.1f um rms, %.1f um at most\n",
               1e6 * sqrt(unit->square_sum / (double)unit->n), 1e6 * unit->max);
    }
}

static int control(struct unit *unit, const struct arguments *arguments)
{
    static const double nothing[DPL_DELTA_ARMS];
    int code = ask(unit, arguments) == 0                          ? start(unit, arguments)
               : doppel_hil_code(unit->hil) == DOPPEL_HIL_CHANNEL ? 1
                                                                  : 3;
    double seconds = 0.0;
    while (code == 0 && !asked_to_stop && seconds < arguments->seconds) {
        code = step(unit);
        if (code == 0 && doppel_hil_wait(unit->hil, 5000) != 1) {
            code = 3;
        }
        seconds = doppel_hil_time(unit->hil) - unit->begin_s;
    }
    if (code == 0) {
        (void)send_currents(unit, nothing);
        print_report(unit, seconds);
    } else if (doppel_hil_code(unit->hil)) {
        fprintf(stderr, "delta_controller: %s\n", doppel_hil_error(unit->hil));
    }
    return code;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {
        .hil = {.port = 5600, .name = "delta", .lock_step = 1, .every = 1},
        .robot = "delta",
        .seconds = 10.0,
        .bandwidth_rad_s = 200.0,
        .delta = dpl_delta_reference,
        .z0 = dpl_pick_place_reference.pick_m[2],
    };
    const struct command_line line = {"delta_controller", usage_text, "", options, parse_option};
    int code = command_line_parse(&line, argc, argv, &arguments);
    if (code >= 0) {
        return code;
    }
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    signal(SIGPIPE, SIG_IGN);
    static struct unit unit;
    unit.hil = doppel_hil_connect(&arguments.hil);
    code = unit.hil ? control(&unit, &arguments) : 3;
    doppel_hil_close(unit.hil);
    return code;
}
