/* SPDX-License-Identifier: Apache-2.0 */
/* elevator_controller: the control unit of an elevator, as a process of its own. It knows the
 * elevator by the table of its Modbus/TCP server only (docs/guides/elevator-unit.md). Exit codes: 0
 * done, 1 bad input or an elevator that does not fit, 2 usage, 3 no elevator, or it was lost. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <doppel/math/number_rows.h>
#include <doppel/system_clock.h>

#include "command_line.h"
#include "elevator_session.h"

static const char usage_text[] =
    "usage: elevator_controller [options]\n"
    "  --host HOST          of the elevator (default 127.0.0.1)\n"
    "  --port PORT          of its Modbus/TCP server (default 502)\n"
    "  --retry              wait for an elevator that is not there, or was lost\n"
    "  --seconds S          of the world's time, then stop (default: until Ctrl-C)\n"
    "  --verbose            a line for each state\n"
    "  --floors N           as --param FLOORS=N\n"
    "  --param NAME=VALUE   another parameter of the elevator\n"
    "  --fault NAME         makes one mistake: no_relevel, half_curtain, late_overload,\n"
    "                       door_contact_at_start_only, nearest_call\n"
    "The unit gives the drive a speed and the torque that holds the load; the loop of the speed, "
    "and\n"
    "the limit of the torque, are the drive's. SIGUSR1 resets a fault, as coil 4 does.\n"
    "Parameters:\n";

struct arguments {
    const char *host;
    unsigned port;
    bool retries, is_verbose;
    double seconds; /* 0: no end */
    struct elevator_params params;
    enum elevator_mistake mistake;
};

static volatile sig_atomic_t asked_to_stop, asked_to_reset;

static void on_signal(int number)
{
    if (number == SIGUSR1) {
        asked_to_reset = 1;
    } else {
        asked_to_stop = 1;
    }
}

/* ---- arguments ---- */

static int parse_parameter(struct arguments *arguments)
{
    char name[16];
    double value;
    const char *what;
    if (command_line_parameter(name, &value)) {
        return 1;
    }
    return elevator_params_set(&arguments->params, name, value, &what) == 0
               ? 0
               : command_line_bad("--param", what);
}

static int parse_floors(struct arguments *arguments)
{
    double value;
    const char *what = "expected a whole number from 2 to 32";
    return dpl_rows_only(optarg, 1, &value) &&
                   elevator_params_set(&arguments->params, "FLOORS", value, &what) == 0
               ? 0
               : command_line_bad("--floors", what);
}

static int parse_mistake(struct arguments *arguments)
{
    for (int i = ELEVATOR_NO_MISTAKE + 1; i < ELEVATOR_N_MISTAKES; i++) {
        if (strcmp(optarg, elevator_mistake_name((enum elevator_mistake)i)) == 0) {
            arguments->mistake = (enum elevator_mistake)i;
            return 0;
        }
    }
    return command_line_bad("--fault", "there is no such fault (--help lists them)");
}

/* The exit code, or 0. */
static int parse_option(int option, void *into)
{
    struct arguments *arguments = into;
    double number;
    int code = 0;
    switch (option) {
    case 'H': arguments->host = optarg; break;
    case 'p':
        code = command_line_number("--port", 1, 65535, &number);
        arguments->port = code ? 0 : (unsigned)number;
        break;
    case 'r': arguments->retries = true; break;
    case 's': code = command_line_number("--seconds", 0.01, 1e6, &arguments->seconds); break;
    case 'v': arguments->is_verbose = true; break;
    case 'n': code = parse_floors(arguments); break;
    case 'P': code = parse_parameter(arguments); break;
    case 'f': code = parse_mistake(arguments); break;
    default: code = 2;
    }
    return code;
}

static const struct option options[] = {
    {"host", required_argument, NULL, 'H'},  {"port", required_argument, NULL, 'p'},
    {"retry", no_argument, NULL, 'r'},       {"seconds", required_argument, NULL, 's'},
    {"verbose", no_argument, NULL, 'v'},     {"floors", required_argument, NULL, 'n'},
    {"param", required_argument, NULL, 'P'}, {"fault", required_argument, NULL, 'f'},
    {"help", no_argument, NULL, 'h'},        {0},
};

/* ---- the work ---- */

static void wait_us(long us)
{
    nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL);
}

static long now_us(void)
{
    return (long)(dpl_monotonic_now() / DPL_US);
}

/* Between two questions for the time: short, for a world that goes on as soon as the unit has
 * answered; longer and longer for one that stands still. */
static long next_wait_us(long before_us, int n_idle)
{
    long most_us = n_idle < 100 ? 1500 : 20000;
    long next_us = before_us + before_us / 2;
    return next_us < most_us ? next_us : most_us;
}

/* Until the first of these questions: most of what the unit has waited before the last scan, since
 * a world that follows the clock, or is slow, has no news earlier. */
static long first_wait_us(long waited_us)
{
    const long least_us = 100, most_us = 800 * ELEVATOR_SCAN_MS;
    long us = waited_us / 5 * 4;
    return us < least_us ? least_us : us < most_us ? us : most_us;
}

/* Scans until it is asked to stop, or an error of the line. */
static int work(struct elevator_session *session, const struct arguments *arguments)
{
    long us = first_wait_us(0), scanned_us = now_us();
    int n_idle = 0;
    while (!asked_to_stop &&
           (arguments->seconds <= 0.0 || elevator_session_seconds(session) < arguments->seconds)) {
        bool resets = asked_to_reset;
        long waited_us = now_us() - scanned_us;
        int result = elevator_session_poll(session, resets);
        if (result < 0) {
            return result;
        }
        if (result > 0) {
            asked_to_reset = resets ? 0 : asked_to_reset; /* also if there is no fault to reset */
            us = first_wait_us(waited_us);
            scanned_us = now_us();
            n_idle = 0;
        } else {
            wait_us(us);
            us = n_idle == 0 ? first_wait_us(0) : next_wait_us(us, n_idle);
            n_idle++;
        }
    }
    return elevator_session_end(session);
}

/* One connection, from opening to closing. 0: asked to stop. */
static int connect_and_work(struct elevator_session *session, const struct arguments *arguments)
{
    *session = (struct elevator_session){.is_verbose = arguments->is_verbose};
    elevator_unit_init(&session->unit, &arguments->params, arguments->mistake);
    int err = elevator_line_open(&session->line, arguments->host, arguments->port);
    if (err == 0) {
        err = elevator_session_begin(session);
    }
    if (err == 0) {
        err = work(session, arguments);
    }
    elevator_line_close(&session->line);
    return err;
}

static int run(struct elevator_session *session, const struct arguments *arguments)
{
    char said[sizeof session->line.error] = "";
    int err = connect_and_work(session, arguments);
    while (err == -EIO && arguments->retries && !asked_to_stop) {
        if (strcmp(said, session->line.error) != 0) {
            fprintf(stderr, "elevator_controller: %s; waiting for it\n", session->line.error);
            memcpy(said, session->line.error, sizeof said);
        }
        wait_us(200000);
        err = asked_to_stop ? 0 : connect_and_work(session, arguments);
    }
    return asked_to_stop && err == -EIO ? 0 : err;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {
        .host = "127.0.0.1",
        .port = 502,
        .params = elevator_params_reference,
    };
    const struct command_line line = {"elevator_controller", usage_text, elevator_params_help,
                                      options, parse_option};
    int code = command_line_parse(&line, argc, argv, &arguments);
    if (code >= 0) {
        return code;
    }
    const struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    static struct elevator_session session;
    int err = run(&session, &arguments);
    if (err) {
        fprintf(stderr, "elevator_controller: %s\n", session.line.error);
        return err == -EIO ? 3 : 1;
    }
    printf("%.3f s of the elevator's time, %ld scans, at most %u ms between two\n",
           elevator_session_seconds(&session), session.n_scans, session.longest_ms);
    return 0;
}
