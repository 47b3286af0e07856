/* SPDX-License-Identifier: Apache-2.0 */
/* doppel sim: runs a world for drivers in other processes. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>
#include <doppel/sim/entry.h>
#include <doppel/sim/server.h>

#include "arena.h"
#include "commands.h"
#include "common.h"
#include "sim_ahead.h"
#include "sim_world.h"

#define NO_CONTROLLERS UINT64_MAX
#define NO_MODBUS      UINT64_MAX

struct values {
    const char *host, *policy_name;
    enum dpl_policy policy;
    uint64_t port, seed, clients, controllers, modbus;
    bool lockstep, list;
    double rate, duration_s, modbus_pace_ms, modbus_patience_s;
    double run_s, step_s, every_s, ahead_s;
    struct option_list record, put, set, param, image;
    const char *trigger;
    double before_s, after_s;
    bool audit;
    const char *out, *save, *linearize;
    bool equilibrium;
    struct sim_picture_options picture;
};

static struct dpl_sim_server *serving; /* for the signal handler */

static void on_signal(int number)
{
    (void)number;
    if (serving) {
        dpl_sim_server_stop(serving);
    }
}

static void print_notice(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "doppel sim: %s\n", text);
}

static void print_robot(const struct dpl_sim_robot *robot)
{
    printf("  robot '%s':", robot->name);
    const char *separator = " ";
    for (size_t i = 0; i < robot->n_entries; i++) {
        if (robot->entries[i].name[0]) {
            printf("%s%s '%s'", separator, robot->entries[i].class_->name, robot->entries[i].name);
            separator = ", ";
        }
    }
    printf("\n");
}

static void print_offer(const struct dpl_sim_server *server, const struct values *values)
{
    const struct dpl_sim_model *model = dpl_sim_server_model(server);
    printf("serving world '%s' at tcp://%s:%u, %s\n", model->name, values->host,
           dpl_sim_server_port(server),
           values->lockstep ? "in lock-step: time moves by grants" : "in real time");
    if (values->controllers != NO_CONTROLLERS) {
        printf("controllers at tcp://%s:%u\n", values->host,
               dpl_sim_server_controllers_port(server));
    }
    if (values->modbus != NO_MODBUS) {
        printf("modbus masters at tcp://%s:%u\n", values->host, dpl_sim_server_modbus_port(server));
    }
    for (size_t i = 0; i < model->n_robots; i++) {
        print_robot(&model->robots[i]);
    }
    fflush(stdout);
}

static int serve(const struct dpl_sim_server_options *options, const struct values *values)
{
    struct dpl_sim_server *server;
    struct dpl_diag error = {0};
    cli_enter_real_time("sim", values->policy);
    if (dpl_sim_server_create(options, &server, &error) < 0) {
        dpl_diag_print(stderr, &error);
        return DPL_EXIT_BAD_INPUT;
    }
    cli_lock_memory("sim", values->policy);
    serving = server;
    cli_catch_requests(on_signal, true);
    signal(SIGPIPE, SIG_IGN);
    print_offer(server, values);
    int err = dpl_sim_server_run(server, &error);
    serving = NULL;
    struct dpl_sim_server_stats stats = dpl_sim_server_stats(server);
    if (stats.malformed > 0) {
        fprintf(stderr, "doppel sim: %llu malformed frames were refused\n",
                (unsigned long long)stats.malformed);
    }
    dpl_sim_server_destroy(server);
    if (err < 0) {
        dpl_diag_print(stderr, &error);
        return DPL_EXIT_FAULT;
    }
    return DPL_EXIT_DONE;
}

static bool is_port(const char *option, uint64_t port)
{
    if (port > UINT16_MAX) {
        fprintf(stderr, "doppel sim: --%s: found %llu, expected 0 (any that is free) to 65535\n",
                option, (unsigned long long)port);
    }
    return port <= UINT16_MAX;
}

static bool trigger_makes_sense(const struct values *values)
{
    if (!values->trigger && (values->before_s > 0.0 || values->after_s > 0.0)) {
        fprintf(stderr, "doppel sim: --before and --after need --trigger\n");
        return false;
    }
    if (values->trigger && !values->out) {
        fprintf(stderr,
                "doppel sim: --trigger needs --out: it selects the rows that are written\n");
        return false;
    }
    return true;
}

static bool ahead_makes_sense(const struct values *values)
{
    bool more = values->lockstep || values->list || values->trigger || values->audit ||
                values->out || values->save || values->linearize || values->equilibrium ||
                values->picture.file || values->image.n > 0 || values->duration_s > 0.0 ||
                values->controllers != NO_CONTROLLERS || values->modbus != NO_MODBUS;
    if (more) {
        fprintf(stderr, "doppel sim: --ahead goes with --run, --put, --record, --every, --step, "
                        "--seed, --set and --param only\n");
    }
    return !more;
}

static bool values_make_sense(const struct values *values)
{
    if (values->ahead_s > 0.0) {
        return ahead_makes_sense(values);
    }
    bool joined = values->controllers != NO_CONTROLLERS;
    if (!is_port("port", values->port) ||
        (joined && !is_port("controllers", values->controllers)) ||
        (values->modbus != NO_MODBUS && !is_port("modbus", values->modbus))) {
        return false;
    }
    bool paces = values->modbus_pace_ms > 0.0 || values->modbus_patience_s > 0.0;
    if (paces && values->modbus == NO_MODBUS) {
        fprintf(stderr, "doppel sim: --modbus-pace and --modbus-patience need --modbus\n");
        return false;
    }
    if (!values->lockstep && (values->rate > 0.0 || values->clients > 0)) {
        fprintf(stderr, "doppel sim: --rate and --clients need --lockstep: without it, the world "
                        "follows the real clock\n");
        return false;
    }
    bool unattended = values->step_s > 0.0 || values->every_s > 0.0 || values->record.n > 0 ||
                      values->put.n > 0 || values->trigger || values->audit || values->out;
    if (unattended && values->run_s <= 0.0) {
        fprintf(stderr, "doppel sim: --step, --every, --record, --put, --trigger, --audit and "
                        "--out need --run\n");
        return false;
    }
    if (!trigger_makes_sense(values)) {
        return false;
    }
    const struct sim_picture_options *picture = &values->picture;
    if (!picture->file && (picture->show || picture->view || picture->look)) {
        fprintf(stderr, "doppel sim: --show, --view and --look need --snapshot\n");
        return false;
    }
    bool serves =
        values->lockstep || values->duration_s > 0.0 || joined || values->modbus != NO_MODBUS;
    if (values->run_s > 0.0 && serves) {
        fprintf(stderr, "doppel sim: --run serves no clients: it excludes --lockstep, "
                        "--controllers, --modbus and --duration\n");
        return false;
    }
    if (values->save && values->run_s <= 0.0 && !values->equilibrium) {
        fprintf(
            stderr,
            "doppel sim: --save needs --run or --equilibrium: it writes the world after them\n");
        return false;
    }
    if (values->equilibrium && values->run_s <= 0.0 && !values->save && !values->linearize &&
        !picture->file) {
        fprintf(stderr, "doppel sim: --equilibrium needs --run, --save, --linearize or "
                        "--snapshot\n");
        return false;
    }
    if (values->image.n > 0 && values->run_s <= 0.0) {
        fprintf(stderr,
                "doppel sim: --image needs --run: a camera takes pictures only while time moves\n");
        return false;
    }
    if (values->run_s > 0.0 && !values->out && !picture->file && !values->audit && !values->save &&
        !values->linearize && values->image.n == 0) {
        fprintf(stderr, "doppel sim: --run needs --out: the folder of its results (or --snapshot, "
                        "--audit, --image, --save, --linearize)\n");
        return false;
    }
    return true;
}

static int serve_world(struct dpl_catalog *catalog, const char *world, const struct values *values)
{
    struct dpl_arena arena = {0}; /* places of --set and --param in errors */
    struct dpl_sim_server_options options = {
        .world = world,
        .catalog = catalog,
        .seed = values->seed,
        .sets = sim_sets(&arena, "set", &values->set),
        .n_sets = values->set.n,
        .params = sim_sets(&arena, "param", &values->param),
        .n_params = values->param.n,
        .host = values->host,
        .port = (uint16_t)values->port,
        .lockstep = values->lockstep,
        .clients = (unsigned)values->clients,
        .rate = values->rate,
        .duration = dpl_ns_from_s(values->duration_s),
        .controllers = values->controllers != NO_CONTROLLERS,
        .controllers_port = (uint16_t)values->controllers,
        .modbus = values->modbus != NO_MODBUS,
        .modbus_port = (uint16_t)values->modbus,
        .modbus_pace = dpl_ns_from_s(1e-3 * values->modbus_pace_ms),
        .modbus_patience = dpl_ns_from_s(values->modbus_patience_s),
        .notice = print_notice,
        .warn = sim_print_warning,
    };
    int code = serve(&options, values);
    dpl_arena_finish(&arena);
    return code;
}

/* Without anybody at its drivers' end. */
static int use_alone(struct dpl_catalog *catalog, const char *world, const struct values *values)
{
    struct sim_run_options options = {
        .file = world,
        .catalog = catalog,
        .seed = values->seed,
        .set = &values->set,
        .param = &values->param,
        .run_s = values->run_s,
        .step_s = values->step_s,
        .every_s = values->every_s,
        .ahead_s = values->ahead_s,
        .record = &values->record,
        .put = &values->put,
        .trigger = values->trigger,
        .before_s = values->before_s,
        .after_s = values->after_s,
        .audit = values->audit,
        .out = values->out,
        .image = &values->image,
        .save = values->save,
        .linearize = values->linearize,
        .equilibrium = values->equilibrium,
        .picture = values->picture,
    };
    if (values->ahead_s > 0.0) {
        return sim_look_ahead(&options);
    }
    return values->list ? sim_list_channels(&options) : sim_run_world(&options);
}

static int run(int argc, char **argv)
{
    struct values values = {
        .host = "127.0.0.1",
        .port = 5500,
        .seed = 1,
        .controllers = NO_CONTROLLERS,
        .modbus = NO_MODBUS,
    };
    int n = options_parse(&command_sim, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    if (cli_policy("sim: --policy", values.policy_name, &values.policy) < 0 ||
        !values_make_sense(&values)) {
        return DPL_EXIT_USAGE;
    }
    struct dpl_catalog *catalog = cli_open_catalog("sim");
    if (!catalog) {
        return DPL_EXIT_BAD_INPUT;
    }
    struct dpl_diag error = {0};
    const char *world = cli_find(catalog, "worlds", argv[1], &error);
    if (!world) {
        dpl_diag_print(stderr, &error);
        dpl_catalog_destroy(catalog);
        return DPL_EXIT_BAD_INPUT;
    }
    bool is_alone = values.list || values.run_s > 0.0 || values.ahead_s > 0.0 ||
                    values.picture.file || values.linearize || values.equilibrium;
    int code = is_alone ? use_alone(catalog, world, &values) : serve_world(catalog, world, &values);
    dpl_catalog_destroy(catalog);
    return code;
}

#define V(member) offsetof(struct values, member)

static const struct option options[] = {
    {"port", "PORT", OPTION_COUNT, V(port), 0, 65535,
     "TCP port to listen at (default 5500; 0: any that is free)", NULL},
    {"host", "ADDRESS", OPTION_STRING, V(host), 0, 0,
     "address to listen at (default 127.0.0.1; *: all addresses of this computer)", NULL},
    {"controllers", "PORT", OPTION_COUNT, V(controllers), 0, 65535,
     "controllers in other processes may join at this TCP port (0: any that is free)", NULL},
    {"modbus", "PORT", OPTION_COUNT, V(modbus), 0, 65535,
     "Modbus masters may connect at this TCP port (0: any that is free)", NULL},
    {"modbus-pace", "MS", OPTION_NUMBER, V(modbus_pace_ms), 0, 60000,
     "with --modbus: the world waits MS after the last write to the register that sets the pace",
     NULL},
    {"modbus-patience", "S", OPTION_NUMBER, V(modbus_patience_s), 0, 3600,
     "with --modbus-pace: the longest wait, in real time (default 2)", NULL},
    {"policy", "NAME", OPTION_STRING, V(policy_name), 0, 0,
     "scheduling policy of a served world; with fifo and rr its memory is locked, too",
     CLI_POLICIES},
    {"lockstep", NULL, OPTION_FLAG, V(lockstep), 0, 0,
     "the world advances to the time that every client allows (doppel run --clock sim)", NULL},
    {"clients", "N", OPTION_COUNT, V(clients), 0, 32,
     "lock-step: the world waits for N clients (default 1)", NULL},
    {"rate", "X", OPTION_NUMBER, V(rate), 0, 1000,
     "lock-step: at most X times real time; 0: as fast as possible", NULL},
    {"seed", "N", OPTION_COUNT, V(seed), 0, 0,
     "seed of all random numbers of the world (default 1)", NULL},
    {"duration", "S", OPTION_NUMBER, V(duration_s), 0, 1e8, "stop after S seconds of its time",
     NULL},
    {"list", NULL, OPTION_FLAG, V(list), 0, 0, "print the world's channels and end", NULL},
    {"run", "S", OPTION_NUMBER, V(run_s), 0, 1e8,
     "run S seconds of the world's time, as fast as possible, without serving clients", NULL},
    {"step", "S", OPTION_NUMBER, V(step_s), 1e-5, 0.1,
     "with --run: length of a step in s (default: the world's)", NULL},
    {"every", "S", OPTION_NUMBER, V(every_s), 0, 1e8,
     "with --run: seconds between two rows of channels.csv (default: each step)", NULL},
    {"record", "PATTERN", OPTION_LIST, V(record), 0, 0,
     "with --run: channels to record, such as 'robot/*' (default: all but scans, accelerations and "
     "energies)",
     NULL},
    {"ahead", "S", OPTION_NUMBER, V(ahead_s), 1e-3, 3600,
     "serve nothing: look S seconds ahead, at the start or after --run, with what --put says",
     NULL},
    {"trigger", "EXPRESSION", OPTION_STRING, V(trigger), 0, 0,
     "with --run: write only rows around the times at which it becomes true, such as '[car/z] < 1'",
     NULL},
    {"before", "S", OPTION_NUMBER, V(before_s), 0, 1e8,
     "with --trigger: seconds before that time (default 0)", NULL},
    {"after", "S", OPTION_NUMBER, V(after_s), 0, 1e8,
     "with --trigger: seconds after that time (default 0)", NULL},
    {"audit", NULL, OPTION_FLAG, V(audit), 0, 0,
     "with --run: print the balance of energy and momentum of each mechanism", NULL},
    {"set", "ENTRY.PROPERTY=VALUE", OPTION_LIST, V(set), 0, 0,
     "set an attribute of the world or of one of its robots", NULL},
    {"param", "NAME=VALUE", OPTION_LIST, V(param), 0, 0,
     "set a parameter (<Param>) of the world's file", NULL},
    {"put", "PATH=VALUE", OPTION_LIST, V(put), 0, 0,
     "with --run: set a channel at the start; with --ahead also PATH=VALUE@SECONDS", NULL},
    {"out", "DIR", OPTION_STRING, V(out), 0, 0, "with --run: folder of channels.csv, summary.json",
     "file"},
    {"equilibrium", NULL, OPTION_FLAG, V(equilibrium), 0, 0,
     "for a robot in STAR's format: begin in the pose of rest that is near its start", NULL},
    {"linearize", "FILE", OPTION_STRING, V(linearize), 0, 0,
     "for such a robot: write A, B, C, D and eigenvalues at its start or after --run, and end",
     "file"},
    {"save", "FILE", OPTION_STRING, V(save), 0, 0,
     "with --run or --equilibrium: write such a robot as it is then, as FILE.json", "file"},
    {"snapshot", "FILE", OPTION_STRING, V(picture.file), 0, 0,
     "draw the world at its start or after --run, as FILE.svg or FILE.png, and end", "file"},
    {"image", "CHANNEL=FILE", OPTION_LIST, V(image), 0, 0,
     "with --run: write the newest picture of a camera to FILE.png", NULL},
    {"show", "LIST", OPTION_STRING, V(picture.show), 0, 0,
     "with --snapshot: list of shapes, joints, contacts, traces (default: shapes)", NULL},
    {"view", "AZ,EL", OPTION_STRING, V(picture.view), 0, 0,
     "with --snapshot: direction of the view in degrees (default -60,22)", NULL},
    {"look", "ROBOT", OPTION_STRING, V(picture.look), 0, 0,
     "with --snapshot: the robot that fills the picture (default: the whole world)", NULL},
};

const struct command command_sim = {
    .name = "sim",
    .operands = "WORLD",
    .summary = "serves a world to drivers in other processes, or runs it alone",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 1,
    .more = "Drivers connect to it by their properties ip and port. If a client sends nothing for "
            "half a\n"
            "second, its motors stop. Ctrl-C ends the world. Exit codes: 0 done, 1 bad world or\n"
            "a port in use, 2 usage, 3 a fault at run time.\n",
    .run = run,
};
